//! The front over real sockets: requests byte by byte, with a server behind it that is the test itself.

mod edges;
mod forms;

use std::net::SocketAddr;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use breakfall_gateway::front::http::{Load, Settings};
use breakfall_gateway::serve;
use breakfall_gateway::upstream::{Origin, Upstream};
use serde_json::{Value, json};
use testing::http::{Client, Connection, Request};
use testing::wire::PATIENCE;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::runtime;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// A gateway with one server at `/mcp`. It ends with the test.
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    pub(crate) load: Load,
    servers: Receiver<Behind>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A server that was started behind it.
pub(crate) struct Behind {
    said: Receiver<Value>,
    say: UnboundedSender<Value>,
}

impl Gateway {
    pub(crate) fn start() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        change(&mut settings);
        let (started, servers) = mpsc::channel();
        let origin = Origin::Inside(Box::new(move || {
            let (ours, theirs) = tokio::io::duplex(1 << 20);
            // Whoever tests only the front does not look.
            let _ = started.send(Behind::new(theirs));
            ours
        }));
        let upstream = Upstream::new("shop", origin);
        let (stop, stopped) = oneshot::channel::<()>();
        let (ready, is_ready) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let any = ([127, 0, 0, 1], 0).into();
                let server = serve::single(any, settings, upstream)
                    .await
                    .expect("a free port");
                ready
                    .send((server.address(), server.load()))
                    .expect("the test waits");
                let stop = async { drop(stopped.await) };
                server.run(stop, Duration::ZERO).await;
            });
        });
        let (address, load) = is_ready.recv_timeout(PATIENCE).expect("it listens");
        Self {
            address,
            load,
            servers,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub(crate) fn ask(&self, request: &Request) -> testing::http::Response {
        let mut connection = Connection::open(self.address);
        let response = connection.ask(request);
        response.unwrap_or_else(|error| panic!("no response to {request:?}: {error}"))
    }

    /// The next server that is started.
    pub(crate) fn server(&self) -> Behind {
        self.servers
            .recv_timeout(PATIENCE)
            .expect("a server is started")
    }

    /// A client with a session, and its server.
    pub(crate) fn session(&self) -> (Client, Behind) {
        let address = self.address;
        thread::scope(|scope| {
            let client = scope.spawn(move || Client::legacy(address, "/mcp"));
            let server = self.server();
            server.answer(&json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "it", "version": "1"}}));
            let client = client.join().expect("a handshake");
            assert_eq!(server.hear()["method"], "notifications/initialized");
            (client, server)
        })
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                thread::panicking() || ended.is_ok(),
                "the gateway ends well"
            );
        }
    }
}

impl Behind {
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

    /// Whether nothing was said up to now.
    pub(crate) fn heard_nothing(&self) -> bool {
        self.said.try_recv().is_err()
    }

    pub(crate) fn say(&self, message: Value) {
        self.say.send(message).expect("the gateway runs");
    }

    /// Answers the next request, and tells what it was.
    pub(crate) fn answer(&self, result: &Value) -> Value {
        let request = self.hear();
        self.say(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
        request
    }
}
