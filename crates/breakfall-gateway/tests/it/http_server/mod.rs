//! The HTTP server over real sockets: requests byte by byte, and the test as the upstream server.

mod preferences;
mod refusals;
mod sessions;
mod shutdown;
mod slow;
mod streams;
mod tls;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use breakfall_gateway::serve;
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::http_server::{McpService, ServerHandle, Settings};
use serde_json::{Value, json};
use testing::http::{Client, Connection, LEGACY, Request, Response};
use testing::wire::PATIENCE;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::runtime;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// A gateway with one server at `/mcp`. It ends with the test.
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    pub(crate) handle: ServerHandle,
    pub(crate) mcp: Arc<McpService>,
    servers: Receiver<ServerEnd>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The upstream server of one client, played by the test.
pub(crate) struct ServerEnd {
    said: Receiver<Value>,
    say: UnboundedSender<Value>,
}

impl Gateway {
    pub(crate) fn start() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::draining(Duration::ZERO, change)
    }

    /// One that gives open requests so much time when it ends.
    pub(crate) fn draining(drain: Duration, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        change(&mut settings);
        let (started, servers) = mpsc::channel();
        let origin = Origin::Inside(Box::new(move || {
            let (ours, theirs) = tokio::io::duplex(1 << 20);
            // A test of the front alone does not receive it.
            let _ = started.send(ServerEnd::new(theirs));
            ours
        }));
        let mut upstream = Upstream::new("shop", origin);
        // The test plays a server of either era.
        upstream.is_bridged = false;
        upstream.context.is_judged = false;
        let (stop, stopped) = oneshot::channel::<()>();
        let (ready, is_ready) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let any = ([127, 0, 0, 1], 0).into();
                let server = serve::single(any, &settings, upstream).expect("a free port");
                ready
                    .send((server.address(), server.handle(), server.mcp()))
                    .expect("the test waits");
                let stop = async { drop(stopped.await) };
                server.run(stop, drain).await;
            });
        });
        let (address, handle, mcp) = is_ready.recv_timeout(PATIENCE).expect("it listens");
        Self {
            address,
            handle,
            mcp,
            servers,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Shuts it down.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    pub(crate) fn ask(&self, request: &Request) -> Response {
        let mut connection = Connection::open(self.address);
        let response = connection.ask(request);
        response.unwrap_or_else(|error| panic!("no response to {request:?}: {error}"))
    }

    /// The next server that is started.
    pub(crate) fn server(&self) -> ServerEnd {
        self.servers
            .recv_timeout(PATIENCE)
            .expect("a server is started")
    }

    /// A client with a session, and its server.
    pub(crate) fn session(&self) -> (Client, ServerEnd) {
        self.session_in(LEGACY)
    }

    /// A client with a session of a version, and its server.
    pub(crate) fn session_in(&self, version: &'static str) -> (Client, ServerEnd) {
        let mut client = Client::silent(self.address, "/mcp", version);
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}});
        let mut response = client.open(&client.message("hello", "initialize", &params));
        let server = self.server();
        let info = json!({"name": "it", "version": "1"});
        server.answer(&json!({"protocolVersion": version, "capabilities": {}, "serverInfo": info}));
        let response = response.response().expect("a handshake");
        client.session = response.header("Mcp-Session-Id").map(str::to_owned);
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(client.send(&note).status, 202);
        assert_eq!(server.hear(), note);
        (client, server)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                thread::panicking() || ended.is_ok(),
                "the gateway ends well"
            );
        }
    }
}

impl ServerEnd {
    fn new(stream: DuplexStream) -> Self {
        let (reader, mut writer) = tokio::io::split(stream);
        let (heard, said) = mpsc::channel();
        let (say, mut to_say) = tokio::sync::mpsc::unbounded_channel::<Value>();
        tokio::spawn(async move {
            let mut lines = BufReader::new(reader).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let message = serde_json::from_str(&line).expect("a message");
                if heard.send(message).is_err() {
                    break;
                }
            }
        });
        tokio::spawn(async move {
            while let Some(message) = to_say.recv().await {
                let line = format!("{message}\n");
                if writer.write_all(line.as_bytes()).await.is_err() {
                    break;
                }
            }
        });
        Self { said, say }
    }

    /// The next message.
    pub(crate) fn hear(&self) -> Value {
        self.said.recv_timeout(PATIENCE).expect("something is said")
    }

    /// Waits for the end of its input; whatever comes before is lost.
    pub(crate) fn ended(&self) {
        while self.said.recv_timeout(PATIENCE).is_ok() {}
        let rest = self.said.try_recv();
        assert_eq!(rest, Err(mpsc::TryRecvError::Disconnected), "it is kept");
    }

    /// Reports progress of a request.
    pub(crate) fn progress(&self, request: &Value, progress: u32) {
        let token = &request["params"]["_meta"]["progressToken"];
        let params = json!({"progressToken": token, "progress": progress});
        self.say(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}));
    }

    /// Answers a request.
    pub(crate) fn reply(&self, request: &Value, result: &Value) {
        self.say(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    pub(crate) fn say(&self, message: Value) {
        self.say.send(message).expect("the gateway runs");
    }

    /// Answers the next request, and tells what it was.
    pub(crate) fn answer(&self, result: &Value) -> Value {
        let request = self.hear();
        self.reply(&request, result);
        request
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..PATIENCE.as_millis() {
        if holds() {
            return;
        }
        thread::park_timeout(Duration::from_millis(1));
    }
    panic!("in vain: {what}");
}

/// A call with a progress token.
pub(crate) fn long_call(client: &Client, id: &str) -> Value {
    let params = json!({"name": "long", "arguments": {}, "_meta": {"progressToken": "p"}});
    client.message(id, "tools/call", &params)
}
