//! Runs a session between a client and servers that the test plays itself, over in-memory streams. Time is simulated:
//! it advances only when every task waits.

mod forwarding;
mod server_end;
mod shutdown;
mod planted_defects;
mod limits;
mod load;
mod model;
mod model_steps;
mod streams;
mod stuck;

use std::time::Duration;

use planted_defects::Flaw;

use breakfall_gateway::assembly;
use breakfall_gateway::config::RestartDelay;
use breakfall_gateway::session::{Session, SessionEnd, SessionStop};
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::connection::Peer;
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::timeouts::Timeouts;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf,
    WriteHalf,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A client, and whatever servers the relay starts behind it.
pub(crate) struct Bench {
    pub(crate) client: End,
    servers: mpsc::UnboundedReceiver<DuplexStream>,
    flaw: Option<Flaw>,
    pub(crate) peer: Peer,
    pub(crate) stop: SessionStop,
    pub(crate) ended: JoinHandle<SessionEnd>,
}

/// One end of a stream of lines.
pub(crate) struct End {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

pub(crate) const QUIET: Duration = Duration::from_secs(10);

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Upstream)) -> Self {
        Self::planted(None, change)
    }

    /// With a defect.
    pub(crate) fn planted(flaw: Option<Flaw>, change: impl FnOnce(&mut Upstream)) -> Self {
        Self::made(flaw, |upstream| {
            // The wire alone: what is said is passed on as it is, and nothing else is asked.
            upstream.context.is_judged = false;
            change(upstream);
        })
    }

    /// With everything a call goes through.
    pub(crate) fn judged(flaw: Option<Flaw>, change: impl FnOnce(&mut Upstream)) -> Self {
        Self::made(flaw, change)
    }

    fn made(flaw: Option<Flaw>, change: impl FnOnce(&mut Upstream)) -> Self {
        let (started, servers) = mpsc::unbounded_channel();
        let origin = Origin::Inside(Box::new(move || {
            let (ours, theirs) = tokio::io::duplex(1 << 20);
            started.send(theirs).expect("the test runs");
            ours
        }));
        let mut upstream = Upstream::new("shop", origin);
        upstream.timeouts = Timeouts {
            idle: QUIET,
            total: 3 * QUIET,
        };
        upstream.restart = RestartDelay {
            first: Duration::from_millis(10),
            max: Duration::from_secs(1),
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
        Self {
            client: End::behind(theirs, flaw),
            servers,
            flaw,
            peer: relay.client().clone(),
            stop: relay.stop(),
            ended: tokio::spawn(relay.run()),
        }
    }

    /// The next server that is started.
    pub(crate) async fn server(&mut self) -> End {
        let server = self.servers.recv().await.expect("the relay runs");
        End::behind(server, self.flaw)
    }

    /// A server started already.
    pub(crate) fn server_now(&mut self) -> Option<End> {
        let server = self.servers.try_recv().ok()?;
        Some(End::behind(server, self.flaw))
    }

    /// A client and a server that have shaken hands.
    pub(crate) async fn initialized(&mut self) -> End {
        let mut server = self.server().await;
        let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {"protocolVersion": "2025-11-25"}});
        self.client.say(&hello).await;
        server
            .answer(json!({"protocolVersion": "2025-11-25"}))
            .await;
        assert_eq!(self.client.hear().await["id"], "hello");
        self.client.say(&note("notifications/initialized")).await;
        assert_eq!(server.hear().await, note("notifications/initialized"));
        server
    }
}

impl Bench {
    /// A modern client and a modern server that have met.
    pub(crate) async fn discovered(&mut self) -> End {
        let mut server = self.server().await;
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
        let discover = json!({"jsonrpc": "2.0", "id": "discover", "method": "server/discover", "params": {"_meta": meta}});
        self.client.say(&discover).await;
        server
            .answer(json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}}))
            .await;
        assert_eq!(self.client.hear().await["id"], "discover");
        server
    }
}

impl End {
    pub(crate) fn over(stream: DuplexStream) -> Self {
        Self::behind(stream, None)
    }

    pub(crate) fn behind(stream: DuplexStream, flaw: Option<Flaw>) -> Self {
        let stream = match flaw {
            Some(flaw) => planted_defects::behind(stream, flaw),
            None => stream,
        };
        let (reader, writer) = tokio::io::split(stream);
        Self {
            reader: BufReader::new(reader),
            writer,
        }
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        self.say_raw(message.to_string().as_bytes()).await;
    }

    pub(crate) async fn say_raw(&mut self, line: &[u8]) {
        // An ended session does not read it; tests notice by the missing answer.
        let _ = self.writer.write_all(line).await;
        let _ = self.writer.write_all(b"\n").await;
        let _ = self.writer.flush().await;
    }

    /// Bytes without an end of line.
    pub(crate) async fn mumble(&mut self, bytes: &[u8]) {
        let _ = self.writer.write_all(bytes).await;
        let _ = self.writer.flush().await;
    }

    /// The next line, as it is; empty at the end.
    pub(crate) async fn hear_raw(&mut self) -> String {
        let mut line = String::new();
        let read = self.reader.read_line(&mut line).await;
        read.expect("memory does not fail");
        line.trim_end_matches('\n').to_owned()
    }

    pub(crate) async fn hear(&mut self) -> Value {
        let line = self.hear_raw().await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next line, if one comes within some time.
    pub(crate) async fn hear_within(&mut self, time: Duration) -> Option<Value> {
        let line = tokio::time::timeout(time, self.hear_raw()).await.ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Answers the next request with a result.
    pub(crate) async fn answer(&mut self, result: Value) {
        let request = self.hear().await;
        self.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
            .await;
    }

    /// Everything until the end of the stream.
    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = String::new();
        let read = self.reader.read_to_string(&mut rest).await;
        read.expect("memory does not fail");
        rest
    }
}

pub(crate) fn ask(id: impl Into<Value>, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method})
}

pub(crate) fn call(id: impl Into<Value>, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

pub(crate) fn note(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method})
}

/// The native object of a fault of the gateway, in either channel.
pub(crate) fn fault(answer: &Value) -> &Value {
    let channels = [
        &answer["error"]["data"],
        &answer["result"]["_meta"]["dev.breakfall/error"],
    ];
    let found = channels.into_iter().find(|object| object.is_object());
    found.unwrap_or_else(|| panic!("no fault in {answer}"))
}
