//! The session with the server: a legacy client on a connection of `breakfall-mcp`, one request at a time.
//!
//! The gateway at the other end bridges servers of the modern era, applies the deadlines and answers for a server that
//! does not.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use breakfall::wire::Rpc;
use breakfall::{Fault, codes};
use breakfall_gateway::classify::value_of;
use breakfall_mcp::connection::{
    AskOutcome, Listener, LossReason, LostRequest, Peer, PeerRole, RelatedRequest, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};
use breakfall_mcp::timeouts::Timeouts;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tokio::sync::Notify;

use super::{CallEnd, tools};
use crate::output;
use crate::report::ReportNote;
use breakfall_mcp::protocol::{LATEST_LEGACY, method};
use breakfall_mcp::sync::Mutex;

/// The client end of the connection.
pub(super) struct CallSession {
    peer: Peer,
    listener: Arc<CallListener>,
    /// A request other than the handshake is open.
    is_cancellable: bool,
}

/// A question of the server that had no answer.
#[derive(Debug)]
pub(super) struct UnansweredQuestion {
    pub(super) message: String,
    /// The names in the answer, each with its type.
    pub(super) fields: Vec<String>,
}

#[derive(Serialize)]
struct CallRequest<'a, P> {
    jsonrpc: &'static str,
    /// Replaced by the connection.
    id: u64,
    method: &'a str,
    params: &'a P,
}

impl CallSession {
    pub(super) fn start(
        stream: DuplexStream,
        answer: Option<Box<RawValue>>,
        is_quiet: bool,
    ) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        let listener = Arc::new(CallListener {
            is_quiet,
            answer,
            unanswered: Mutex::default(),
            echo: Notify::new(),
        });
        let peer = Peer::start(
            PeerRole::Server,
            reader,
            writer,
            FrameLimits::RESPONSE,
            Arc::clone(&listener) as Arc<dyn Listener>,
        );
        Self {
            peer,
            listener,
            is_cancellable: false,
        }
    }

    /// The handshake. The gateway translates it for servers that have none.
    pub(super) async fn initialize(&mut self) -> Result<(), CallEnd> {
        let params = json!({
            "protocolVersion": LATEST_LEGACY.as_str(),
            // Without `--answer`, questions of the server are declined and reported.
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "breakfall", "version": env!("CARGO_PKG_VERSION")},
        });
        let answer = self.ask(method::INITIALIZE, &params).await?;
        if answer.kind() != Kind::Result {
            return Err(CallEnd::Refused(answer));
        }
        let note = json!({"jsonrpc": "2.0", "method": method::INITIALIZED});
        let sent = self.peer.notify(note.to_string().into_bytes());
        sent.map_err(|_| CallEnd::Gone)
    }

    /// Sends a request and waits for its answer. Dropping the future cancels the request.
    pub(super) async fn ask(
        &mut self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<Frame, CallEnd> {
        let request = CallRequest {
            jsonrpc: "2.0",
            id: 0,
            method,
            params,
        };
        let request = serde_json::to_vec(&request).expect("params have string keys");
        let frame = Frame::parse(request, &FrameLimits::REQUEST)
            .map_err(|error| CallEnd::Failed(error.fault))?;
        self.send(frame).await
    }

    /// Sends a message that is a request, and waits for its answer.
    pub(super) async fn send(&mut self, frame: Frame) -> Result<Frame, CallEnd> {
        self.is_cancellable = frame.method() != method::INITIALIZE;
        let outcome = tokio::select! {
            outcome = self.peer.ask(frame, NO_DEADLINE) => outcome,
            () = self.listener.echo.notified() => return Err(CallEnd::Echo),
        };
        self.is_cancellable = false;
        match outcome {
            AskOutcome::Reply(frame) => Ok(frame),
            AskOutcome::Lost(LossReason::Unreadable(error)) => Err(CallEnd::Failed(error.fault)),
            AskOutcome::Lost(_) => Err(CallEnd::Gone),
        }
    }

    /// Whether an interrupted request was cancelled: the handshake cannot be.
    pub(super) fn is_cancellable(&self) -> bool {
        self.is_cancellable
    }

    /// Closes the connection, and returns the questions that had no answer.
    pub(super) fn close(self) -> Vec<UnansweredQuestion> {
        self.peer.close();
        mem::take(&mut *self.listener.unanswered.lock())
    }
}

/// Answers the server, and prints its progress and log messages.
struct CallListener {
    is_quiet: bool,
    /// The answer to a question of the server.
    answer: Option<Box<RawValue>>,
    unanswered: Mutex<Vec<UnansweredQuestion>>,
    /// Notified when the handshake comes back.
    echo: Notify,
}

impl CallListener {
    fn print(&self, label: &'static str, frame: &Frame, text: fn(&Value) -> String) {
        if !self.is_quiet {
            let params = frame.body().map(value_of).unwrap_or_default();
            output::note(&ReportNote::new(label, text(&params)));
        }
    }

    fn elicit(&self, frame: &Frame, ticket: Ticket) {
        let params = frame.body().map(value_of).unwrap_or_default();
        // A page to visit cannot be filled in here.
        if let Some(content) = self.answer.as_ref().filter(|_| params["mode"] != "url") {
            return ticket.result(&Accepted {
                action: "accept",
                content,
            });
        }
        let message = params["message"].as_str().unwrap_or("something");
        let fields = tools::rows(&params["requestedSchema"]).into_iter();
        self.unanswered.lock().push(UnansweredQuestion {
            message: message.to_owned(),
            fields: fields
                .map(|[name, kind, _]| format!("{name} ({kind})"))
                .collect(),
        });
        ticket.result(&json!({"action": "decline"}));
    }
}

#[derive(Serialize)]
struct Accepted<'a> {
    action: &'static str,
    content: &'a RawValue,
}

impl Listener for CallListener {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        match &*frame.method() {
            method::PING => ticket.result(&json!({})),
            method::ELICITATION_CREATE => self.elicit(&frame, ticket),
            method::INITIALIZE => {
                self.echo.notify_one();
                // An answer would come back as well, as the answer to the request of this side.
                ticket.withdraw();
            }
            method => {
                let fault = Fault::new(codes::NOT_FOUND_OPERATION)
                    .message(format!("breakfall call has no {method}"));
                ticket.fail(&fault, Some(Rpc::MethodNotFound));
            }
        }
    }

    fn notification(&self, frame: Frame, _: &Peer, _: RelatedRequest) {
        if frame.method() == method::MESSAGE {
            self.print("log", &frame, log_text);
        }
    }

    fn progress(&self, frame: &Frame) -> bool {
        self.print("progress", frame, progress_text);
        true
    }

    fn lost(&self, _: LostRequest) {}
}

/// `3/10 copying`.
fn progress_text(params: &Value) -> String {
    let mut text = params["progress"].to_string();
    if let Some(total) = params["total"].as_number() {
        text = format!("{text}/{total}");
    }
    match params["message"].as_str() {
        Some(message) => format!("{text} {message}"),
        None => text,
    }
}

/// `warning: the disk is nearly full (storage)`.
fn log_text(params: &Value) -> String {
    let level = params["level"].as_str().unwrap_or("info");
    let data = &params["data"];
    let text = match data.as_str().or_else(|| data["message"].as_str()) {
        Some(text) => text.to_owned(),
        None => data.to_string(),
    };
    match params["logger"].as_str() {
        Some(logger) => format!("{level}: {text} ({logger})"),
        None => format!("{level}: {text}"),
    }
}

/// The gateway applies the deadlines.
const NO_DEADLINE: Timeouts = Timeouts {
    idle: Duration::from_hours(24 * 365),
    total: Duration::from_hours(24 * 365),
};
