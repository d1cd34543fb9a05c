//! A panic in a handler costs the request it handles, and nothing else of the connection.

#![expect(clippy::panic, reason = "handlers that panic are what is tested")]

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use breakfall::Fault;
use breakfall_mcp::connection::{
    FinalReply, Inbound, Listener, LostRequest, OutgoingMessage, Peer, PeerRole, RelatedRequest,
    ReplyChannel, RequestSummary, SendError, Ticket, Transport,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, RawMessage, RequestParams};
use breakfall_mcp::timeouts::Timeouts;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex,
    split,
};
use tokio::time::{Instant, timeout};

/// A proxy whose handlers panic when the method of a request says so.
#[derive(Default)]
struct Handlers {
    server: OnceLock<Peer>,
}

impl Listener for Handlers {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        let method = frame.method().into_owned();
        let ticket = match &*method {
            "handler" => panic!("on purpose"),
            "task" => {
                drop(tokio::spawn(async move {
                    let _ticket = ticket;
                    panic!("on purpose");
                }));
                return;
            }
            "continuation" => ticket.then(|_, _, _| panic!("on purpose")),
            _ => ticket,
        };
        let server = self.server.get().expect("set before the first request");
        let timeouts = |_: &RequestSummary| Timeouts {
            idle: Duration::from_secs(5),
            total: Duration::from_secs(5),
        };
        let params = RequestParams::of(&frame);
        let sent = server.forward(frame, params, ticket, timeouts, Instant::now());
        assert!(sent.is_ok(), "the server reads");
    }

    fn notification(&self, _: Frame, _: &Peer, _: RelatedRequest) {
        panic!("on purpose");
    }

    fn lost(&self, lost: LostRequest) {
        assert_ne!(&*lost.asked.operation, "timeout", "on purpose");
        lost.ticket.fail(&Fault::unavailable("shop"), None);
    }

    fn noise(&self, _: &[u8]) {
        panic!("on purpose");
    }
}

/// The far end of a connection.
struct Remote {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

impl Remote {
    fn connect(role: PeerRole, limits: FrameLimits, handlers: &Arc<Handlers>) -> (Self, Peer) {
        let (near, far) = duplex(1 << 16);
        let (reader, writer) = split(near);
        let peer = Peer::start(role, reader, writer, limits, handlers.clone());
        let (reader, writer) = split(far);
        let reader = BufReader::new(reader);
        (Self { reader, writer }, peer)
    }

    async fn send(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.writer
            .write_all(line.as_bytes())
            .await
            .expect("it is read");
    }

    async fn receive(&mut self) -> Value {
        let mut line = String::new();
        let read = timeout(Duration::from_mins(1), self.reader.read_line(&mut line)).await;
        read.expect("the connection hangs")
            .expect("the connection is open");
        serde_json::from_str(&line).expect("JSON")
    }
}

struct Proxy {
    client: Remote,
    server: Remote,
}

impl Proxy {
    fn start() -> Self {
        let handlers = Arc::new(Handlers::default());
        let (server, peer) = Remote::connect(PeerRole::Server, FrameLimits::RESPONSE, &handlers);
        handlers.server.set(peer).expect("set once");
        let (client, _) = Remote::connect(PeerRole::Client, FrameLimits::REQUEST, &handlers);
        Self { client, server }
    }

    async fn request(&mut self, id: u32, method: &str) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        self.client.send(&request.to_string()).await;
    }

    /// The server answers the next request.
    async fn answer(&mut self) {
        let request = self.server.receive().await;
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": {}});
        self.server.send(&answer.to_string()).await;
    }

    async fn is_answered_internally(&mut self, id: u32) {
        let answer = self.client.receive().await;
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        assert!(
            answer["error"]["data"]["correlation_id"].is_string(),
            "{answer}"
        );
    }

    async fn works(&mut self, id: u32) {
        self.request(id, "ping").await;
        self.answer().await;
        let answer = self.client.receive().await;
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_the_handler_of_a_request_costs_that_request() {
    let mut proxy = Proxy::start();
    for (id, method) in [(1, "handler"), (3, "task")] {
        proxy.request(id, method).await;
        proxy.is_answered_internally(id).await;
        proxy.works(id + 1).await;
    }
}

/// The codes of the answers to one request.
#[derive(Debug, Default)]
struct AnswerCodes(Mutex<Vec<Option<i64>>>);

impl ReplyChannel for AnswerCodes {
    fn tell(&self, _: RawMessage) -> Result<(), SendError> {
        Ok(())
    }

    fn answer(&self, last: FinalReply) {
        self.0.lock().expect("no panic with it").push(last.code);
    }
}

/// A transport of messages that belong to no request, of which there are none.
#[derive(Debug)]
struct UnusedTransport;

impl Transport for UnusedTransport {
    fn carry(&self, _: OutgoingMessage) -> Result<(), SendError> {
        Ok(())
    }

    fn close(&self) {}
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_the_handler_of_a_request_with_its_own_channel_reaches_only_that_channel() {
    let handlers = Arc::new(Handlers::default());
    let transport = |_: &_| -> Arc<dyn Transport> { Arc::new(UnusedTransport) };
    let inbound = Inbound::new(PeerRole::Client, FrameLimits::REQUEST, handlers, transport);
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "handler"});
    let request = request.to_string().into_bytes();
    let frame = Frame::parse(request, &FrameLimits::REQUEST).expect("a request");
    let codes = Arc::new(AnswerCodes::default());
    let channel = Arc::clone(&codes) as Arc<dyn ReplyChannel>;
    inbound.ask(frame, channel, None);
    assert_eq!(*codes.0.lock().expect("no panic with it"), [Some(-32603)]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_the_continuation_of_an_answer_costs_that_request() {
    let mut proxy = Proxy::start();
    proxy.request(1, "continuation").await;
    proxy.answer().await;
    proxy.is_answered_internally(1).await;
    proxy.works(2).await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_when_a_request_times_out_costs_that_request() {
    let mut proxy = Proxy::start();
    proxy.request(1, "timeout").await;
    proxy.request(2, "other").await;
    proxy.is_answered_internally(1).await;
    assert_eq!(
        proxy.client.receive().await["id"],
        2,
        "the later timeout is handled too"
    );
    for _ in 0..4 {
        // The two requests and their cancellations.
        proxy.server.receive().await;
    }
    proxy.works(3).await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_on_a_notification_or_stray_output_costs_nothing() {
    let mut proxy = Proxy::start();
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/message"}).to_string();
    proxy.client.send(&notification).await;
    proxy.server.send(&notification).await;
    proxy.server.send("Loading...").await;
    proxy.works(1).await;
}
