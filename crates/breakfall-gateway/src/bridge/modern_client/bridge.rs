//! Bridges the requests of modern clients to a legacy server.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Weak};

use breakfall::wire::Rpc;
use breakfall::{Fault, Origin};
use serde_json::{Map, Value};

use super::caller::{InvalidMetadata, ModernCaller, plain};
use super::result::ServerHandshake;
use super::streams::FilteredStreams;
use crate::bridge::level::McpLogLevel;
use crate::bridge::say;
use crate::bridge::splice::Object;
use crate::session::{Asker, ClientSide};
use breakfall_mcp::connection::{Listener as _, Peer, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id};
use breakfall_mcp::protocol::{MODERN, error_code, method};
use breakfall_mcp::sync::Mutex;

/// Acts as a client with a handshake on behalf of modern clients.
pub(in crate::bridge) struct ModernClientBridge {
    pub(super) me: Weak<Self>,
    front: Arc<ClientSide>,
    pub(super) asker: Arc<Asker>,
    pub(super) welcome: ServerHandshake,
    logs: Mutex<LogLevels>,
    pub(super) streams: Mutex<FilteredStreams>,
}

/// The server's log level, and the level each request wants.
#[derive(Debug, Default)]
struct LogLevels {
    told: Option<McpLogLevel>,
    wanted: BTreeMap<u64, McpLogLevel>,
    count: u64,
}

impl fmt::Debug for ModernClientBridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bridge for modern clients")
    }
}

impl ModernClientBridge {
    pub(in crate::bridge) fn new(
        front: Arc<ClientSide>,
        asker: Arc<Asker>,
        welcome: ServerHandshake,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            front,
            asker,
            welcome,
            logs: Mutex::default(),
            streams: Mutex::default(),
        })
    }

    /// A request of a client.
    pub(in crate::bridge) fn request(&self, frame: &Frame, ticket: Ticket) {
        let (level, fills_forms, name) = match ModernCaller::of(frame) {
            Ok(caller) => (caller.level, caller.fills_forms(), caller.name()),
            Err(not) => return refuse(ticket, not),
        };
        let ticket = ticket.filling_forms(fills_forms).of_client(name);
        let method = frame.method();
        match &*method {
            method::DISCOVER => say::result(ticket, self.welcome.discovered()),
            method::SUBSCRIPTIONS_LISTEN => self.listen(frame, ticket),
            method::INITIALIZE
            | method::PING
            | method::LOGGING_SET_LEVEL
            | method::RESOURCES_SUBSCRIBE
            | method::RESOURCES_UNSUBSCRIBE => say::no_such_method(
                ticket,
                &method,
                "Use what version 2026-07-28 of the protocol has in its place.",
            ),
            _ if method.starts_with(method::TASKS_PREFIX) => say::no_tasks(ticket, true),
            _ => self.pass(frame, ticket, level),
        }
    }

    /// A notification of a client.
    pub(in crate::bridge) fn notification(&self, frame: Frame, from: &Peer) {
        self.front.notification(frame, from, None);
    }

    /// A request of the server, which is refused: the handshake declared no client capabilities for it.
    pub(in crate::bridge) fn asked(frame: &Frame, ticket: Ticket) {
        let method = frame.method();
        if method == method::PING {
            return say::result(ticket, "{}".to_owned());
        }
        let fault = Fault::not_implemented(&method)
            .message(format!(
                "The client speaks a version of the protocol in which a server cannot ask it '{method}'"
            ))
            .remediation("Go on without an answer: the capability was not offered.");
        ticket.fail(&fault.origin(Origin::Caller), Some(Rpc::MethodNotFound));
    }

    /// A notification of the server; returns it if it belongs to a request under way.
    pub(in crate::bridge) fn told(&self, frame: Frame) -> Option<Frame> {
        match &*frame.method() {
            method::MESSAGE => {
                let level = McpLogLevel::of_note(&frame);
                let is_wanted = self
                    .logs
                    .lock()
                    .wanted
                    .values()
                    .any(|wanted| *wanted <= level);
                is_wanted.then_some(frame)
            }
            method::TOOLS_LIST_CHANGED
            | method::PROMPTS_LIST_CHANGED
            | method::RESOURCES_LIST_CHANGED
            | method::RESOURCES_UPDATED => {
                self.tell_streams(&frame);
                None
            }
            // A modern client cannot have started a URL elicitation or a task here.
            method::ELICITATION_COMPLETE | method::TASKS_STATUS => None,
            _ => Some(frame),
        }
    }

    fn pass(&self, frame: &Frame, ticket: Ticket, level: Option<McpLogLevel>) {
        let method: Box<str> = frame.method().into();
        let uri = (*method == *method::RESOURCES_READ)
            .then(|| uri(frame))
            .flatten();
        let Some(frame) = say::frame(plain(frame)) else {
            return drop(ticket);
        };
        let wants = level.and_then(|level| self.want_logs(level));
        let me = self.me.clone();
        let ticket = ticket.for_modern(true).then(move |answer, ticket, to| {
            // Log messages end with the answer.
            drop(wants);
            let Some(bridge) = me.upgrade() else {
                return drop(ticket);
            };
            match bridge.welcome.answer(&method, uri.as_deref(), &answer) {
                Ok(bytes) => say::answer(ticket, bytes, to),
                Err(fault) => ticket.fail(&fault.origin(Origin::Upstream), None),
            }
        });
        self.front.request(frame, ticket, None);
    }

    /// Raises the server's log level for one request; no more of the log is passed on once it is answered.
    fn want_logs(&self, level: McpLogLevel) -> Option<LogInterest> {
        if !self.welcome.server.logs {
            return None;
        }
        let mut logs = self.logs.lock();
        logs.count += 1;
        let number = logs.count;
        logs.wanted.insert(number, level);
        let is_more = logs.told.is_none_or(|told| level < told);
        if is_more {
            logs.told = Some(level);
        }
        drop(logs);
        if is_more {
            let text = format!(
                r#"{{"jsonrpc":"2.0","id":0,"method":"logging/setLevel","params":{{"level":"{}"}}}}"#,
                level.name()
            );
            // Sent before the request; its answer is not needed.
            drop(say::frame(text.into_bytes()).map(|frame| self.asker.ask(frame)));
        }
        Some(LogInterest {
            bridge: self.me.clone(),
            number,
        })
    }

    /// Cancels a stream; false for any other request.
    pub(in crate::bridge) fn cancelled(&self, key: &Id) -> bool {
        self.end_stream(key)
    }

    /// The clients have disconnected.
    pub(in crate::bridge) fn end(&self) {
        self.end_all_streams();
    }
}

/// The log level one request wants, for as long as this lives.
struct LogInterest {
    bridge: Weak<ModernClientBridge>,
    number: u64,
}

impl Drop for LogInterest {
    fn drop(&mut self) {
        if let Some(bridge) = self.bridge.upgrade() {
            bridge.logs.lock().wanted.remove(&self.number);
        }
    }
}

fn uri(frame: &Frame) -> Option<String> {
    let params = Object::of(frame.body()?, &["uri"])?;
    params.text("uri").map(Into::into)
}

pub(in crate::bridge) fn refuse(ticket: Ticket, not: InvalidMetadata) {
    match not {
        InvalidMetadata::Valid(fault) => ticket.fail(&fault, Some(Rpc::InvalidParams)),
        InvalidMetadata::Spoken(version) => {
            let fault = Fault::invalid(format!(
                "Version {version} of the protocol is not spoken here"
            ))
            .remediation(
                "Ask again in one of the versions in `supported`; the method was not called.",
            );
            let data = Map::from_iter([
                ("supported".to_owned(), Value::from(vec![MODERN.as_str()])),
                ("requested".to_owned(), Value::from(&*version)),
            ]);
            ticket.fail_as(&fault, error_code::UNSUPPORTED_VERSION, &data);
        }
    }
}
