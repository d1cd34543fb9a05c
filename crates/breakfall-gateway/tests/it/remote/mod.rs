//! The session layer in front of an HTTP server that is the test itself: each request is answered with arbitrary bytes.

mod failures;
mod retry_hints;
mod refusals;
mod resends;
mod sessions;
mod streams;
mod cancellation;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use breakfall_gateway::assembly;
use breakfall_gateway::session::{Session, SessionEnd};
use breakfall_gateway::upstream::{Origin, RemoteServer, Upstream};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::timeouts::Timeouts;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::session::{End, note};

/// A client, the session layer, and a server over HTTP.
pub(crate) struct RemoteFixture {
    pub(crate) client: End,
    pub(crate) server: TestServer,
    pub(crate) ended: JoinHandle<SessionEnd>,
}

impl RemoteFixture {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Upstream)) -> Self {
        let server = TestServer::new().await;
        let url = format!("http://{}/mcp", server.address);
        let (client, ended) = before(&url, change);
        Self {
            client,
            server,
            ended,
        }
    }

    /// With the handshake done, in a session called `one`.
    pub(crate) async fn in_session() -> Self {
        let mut fixture = Self::new().await;
        fixture.shake_hands("one").await;
        // The server has no stream of its own.
        let request = fixture.server.next().await;
        assert_eq!(request.method, "GET");
        request.reply("405 Method Not Allowed", &[], "").await;
        fixture
    }

    /// Answers the probe of the era: the server speaks the protocol without sessions.
    pub(crate) async fn is_modern(&mut self) {
        let request = self.server.next().await;
        assert_eq!(request.header("mcp-method"), Some("server/discover"));
        let result = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}});
        request.result(result).await;
    }

    pub(crate) async fn shake_hands(&mut self, session: &str) {
        self.client.say(&hello()).await;
        let request = self.server.next().await;
        request.greet(session).await;
        assert_eq!(self.client.hear().await["id"], "hello");
        self.client.say(&note("notifications/initialized")).await;
        let request = self.server.next().await;
        assert_eq!(request.body["method"], "notifications/initialized");
        request.reply("202 Accepted", &[], "").await;
    }
}

/// A client in front of any address.
pub(crate) fn before(
    url: &str,
    change: impl FnOnce(&mut Upstream),
) -> (End, JoinHandle<SessionEnd>) {
    let remote = RemoteServer::new("shop", url).expect("an address");
    let mut upstream = Upstream::new("shop", Origin::Remote(remote));
    upstream.context.is_judged = false;
    upstream.timeouts = Timeouts {
        idle: Duration::from_secs(20),
        total: Duration::from_mins(1),
    };
    change(&mut upstream);
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (reader, writer) = tokio::io::split(ours);
    let relay = Session::start(
        reader,
        writer,
        FrameLimits::REQUEST,
        assembly::single(upstream),
    );
    (End::over(theirs), tokio::spawn(relay.run()))
}

pub(crate) fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {"protocolVersion": "2025-11-25"}})
}

/// A server over HTTP.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    requests: mpsc::UnboundedReceiver<ReceivedRequest>,
}

/// A request that the server received. Dropping it closes its connection.
#[derive(Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Value,
    out: mpsc::UnboundedSender<Out>,
    gone: watch::Receiver<bool>,
}

#[derive(Debug)]
enum Out {
    Bytes(Vec<u8>),
    Done,
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (sender, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone()));
            }
        });
        Self { address, requests }
    }

    /// The next request.
    pub(crate) async fn next(&mut self) -> ReceivedRequest {
        let request = timeout(Duration::from_secs(20), self.requests.recv()).await;
        request
            .expect("a request in time")
            .expect("the server runs")
    }

    /// The next request, if it arrives in time.
    pub(crate) async fn next_within(&mut self, time: Duration) -> Option<ReceivedRequest> {
        timeout(time, self.requests.recv()).await.ok().flatten()
    }
}

/// One connection: request after request.
async fn serve(stream: TcpStream, sender: mpsc::UnboundedSender<ReceivedRequest>) -> Option<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    loop {
        let (out, mut outs) = mpsc::unbounded_channel();
        let (lost, gone) = watch::channel(false);
        let request = read(&mut reader, out, gone).await?;
        sender.send(request).ok()?;
        loop {
            tokio::select! {
                item = outs.recv() => match item? {
                    Out::Bytes(bytes) => writer.write_all(&bytes).await.ok()?,
                    Out::Done => break,
                },
                rest = reader.fill_buf(), if !*lost.borrow() => {
                    if rest.map_or(true, <[u8]>::is_empty) {
                        lost.send_replace(true);
                    }
                }
            }
        }
    }
}

async fn read(
    reader: &mut BufReader<tokio::net::tcp::OwnedReadHalf>,
    out: mpsc::UnboundedSender<Out>,
    gone: watch::Receiver<bool>,
) -> Option<ReceivedRequest> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.ok()?;
        match line.trim_end() {
            "" if lines.is_empty() && line.is_empty() => return None,
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: HashMap<String, String> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .and_then(|text| text.parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut body).await.ok()?;
    let mut words = lines[0].split(' ');
    Some(ReceivedRequest {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        out,
        gone,
    })
}

impl ReceivedRequest {
    /// These bytes, and the connection stays open.
    pub(crate) fn write(&self, bytes: impl Into<Vec<u8>>) {
        // The client may have closed the connection.
        let _ = self.out.send(Out::Bytes(bytes.into()));
    }

    /// The connection may be used again.
    pub(crate) fn done(self) {
        let _ = self.out.send(Out::Done);
    }

    /// A whole response.
    #[expect(clippy::unused_async, reason = "reads like all that is sent")]
    pub(crate) async fn reply(self, status: &str, headers: &[(&str, &str)], body: &str) {
        let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head = format!("{head}{name}: {value}\r\n");
        }
        self.write(format!("{head}\r\n{body}"));
        self.done();
    }

    /// A message as JSON.
    pub(crate) async fn json(self, message: &Value) {
        let text = message.to_string();
        self.reply("200 OK", &[("Content-Type", "application/json")], &text)
            .await;
    }

    /// A result.
    pub(crate) async fn result(self, result: Value) {
        let answer = json!({"jsonrpc": "2.0", "id": self.body["id"], "result": result});
        self.json(&answer).await;
    }

    /// The answer to a handshake.
    pub(crate) async fn greet(self, session: &str) {
        assert_eq!(self.body["method"], "initialize");
        assert_eq!(self.header("mcp-session-id"), None);
        let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
        let answer = json!({"jsonrpc": "2.0", "id": self.body["id"], "result": result});
        let headers = [
            ("Content-Type", "application/json"),
            ("Mcp-Session-Id", session),
        ];
        self.reply("200 OK", &headers, &answer.to_string()).await;
    }

    /// The head of a stream of events.
    pub(crate) fn stream(&self) {
        self.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    /// A piece of a stream.
    pub(crate) fn chunk(&self, text: &str) {
        self.write(format!("{:x}\r\n{text}\r\n", text.len()));
    }

    /// The end of a stream.
    pub(crate) fn end(self) {
        self.write("0\r\n\r\n");
        self.done();
    }

    /// Waits until the client has closed the connection.
    pub(crate) async fn gone(&mut self) {
        self.gone
            .wait_for(|gone| *gone)
            .await
            .expect("the connection is watched");
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub(crate) fn id(&self) -> Value {
        self.body["id"].clone()
    }
}

pub(crate) fn event(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}
