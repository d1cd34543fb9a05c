//! Bridges the requests of a legacy client to a modern server.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

use breakfall::wire::Rpc;
use breakfall::{Fault, Origin, Stamp, codes};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

use super::hello::{ClientHandshake, DiscoveredServer};
use super::input::{InputQuestion, RequestedInput};
use super::listening::SubscriptionStreams;
use super::result::{TranslatedAnswer, answered};
use crate::bridge::level::McpLogLevel;
use crate::bridge::say;
use crate::session::{Asker, ClientSide};
use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    AskOutcome, Listener as _, LossReason, Peer, ReplyChannel, RpcMethod, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id, Kind, RequestParams};
use breakfall_mcp::protocol::{error_code, method};
use breakfall_mcp::sync::Mutex;
use breakfall_mcp::timeouts::Timeouts;

/// Acts as a modern client on behalf of a legacy client.
pub(in crate::bridge) struct LegacyClientBridge {
    pub(super) me: Weak<Self>,
    pub(super) front: Arc<ClientSide>,
    pub(super) asker: Arc<Asker>,
    upstream: Arc<Upstream>,
    pub(super) client: Peer,
    pub(super) discovered: DiscoveredServer,
    said: Mutex<ClientSettings>,
    pub(super) listening: Mutex<SubscriptionStreams>,
    /// Calls that wait for input of the client, and how to cancel each.
    asking: Mutex<HashMap<Id, oneshot::Sender<()>>>,
}

/// The session state of the client.
struct ClientSettings {
    hello: Arc<ClientHandshake>,
    level: Option<McpLogLevel>,
}

/// The dependencies of a bridge.
pub(in crate::bridge) struct BridgeContext {
    pub(in crate::bridge) front: Arc<ClientSide>,
    pub(in crate::bridge) asker: Arc<Asker>,
    pub(in crate::bridge) upstream: Arc<Upstream>,
}

impl fmt::Debug for LegacyClientBridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bridge for a legacy client")
    }
}

impl LegacyClientBridge {
    pub(in crate::bridge) fn new(
        ground: BridgeContext,
        client: Peer,
        hello: ClientHandshake,
        discovered: DiscoveredServer,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            front: ground.front,
            asker: ground.asker,
            upstream: ground.upstream,
            client,
            discovered,
            said: Mutex::new(ClientSettings {
                hello: Arc::new(hello),
                level: None,
            }),
            listening: Mutex::default(),
            asking: Mutex::default(),
        })
    }

    /// Answers the handshake.
    pub(in crate::bridge) fn welcome(&self, ticket: Ticket) {
        let version = self.said.lock().hello.version;
        let welcome = self.discovered.welcome(version, &self.upstream.name);
        say::result(ticket, welcome);
    }

    /// A request of the client.
    pub(in crate::bridge) fn request(&self, frame: &Frame, ticket: Ticket) {
        let method = frame.method();
        match &*method {
            method::INITIALIZE => {
                *self.said.lock() = ClientSettings {
                    hello: Arc::new(ClientHandshake::of(frame)),
                    level: None,
                };
                self.welcome(ticket);
            }
            method::PING => say::result(ticket, "{}".to_owned()),
            method::LOGGING_SET_LEVEL => self.set_level(frame, ticket),
            method::RESOURCES_SUBSCRIBE => self.subscribe(frame, ticket),
            method::RESOURCES_UNSUBSCRIBE => self.unsubscribe(frame, ticket),
            _ if method.starts_with(method::TASKS_PREFIX) => say::no_tasks(ticket, true),
            _ if RequestParams::of(frame).is_task => say::no_tasks(ticket, false),
            _ => match self.spoken(frame) {
                Some(frame) => self.pass(frame, ticket, 0),
                None => drop(ticket),
            },
        }
    }

    /// A notification of the client. Those of the handshake end here.
    pub(in crate::bridge) fn notification(&self, frame: Frame, from: &Peer) {
        match &*frame.method() {
            method::INITIALIZED => self.listen(),
            method::ROOTS_LIST_CHANGED => {}
            _ => self.front.notification(frame, from, None),
        }
    }

    /// Cancels a request that waits for input; false if it does not.
    pub(in crate::bridge) fn cancelled(&self, key: &Id) -> bool {
        let asking = self.asking.lock().remove(key);
        // The task that waits for the input withdraws the ticket.
        asking.is_some_and(|asking| asking.send(()).is_ok())
    }

    /// The client has disconnected.
    pub(in crate::bridge) fn end(&self) {
        self.asking.lock().clear();
        self.hear_no_more();
    }

    fn set_level(&self, frame: &Frame, ticket: Ticket) {
        if !self.discovered.server.logs {
            return say::no_such_method(
                ticket,
                method::LOGGING_SET_LEVEL,
                "Do not set a level: the server has no log.",
            );
        }
        match McpLogLevel::wanted(frame) {
            Some(level) => {
                self.said.lock().level = Some(level);
                say::result(ticket, "{}".to_owned());
            }
            None => ticket.fail(&McpLogLevel::unknown("level"), Some(Rpc::InvalidParams)),
        }
    }

    /// The request as a modern one, with the metadata of the client's handshake.
    pub(super) fn spoken(&self, frame: &Frame) -> Option<Frame> {
        let (hello, level) = {
            let said = self.said.lock();
            (Arc::clone(&said.hello), said.level)
        };
        let level = level.map(|level| format!("\"{}\"", level.name()));
        say::frame(hello.speak(frame, level.as_deref()))
    }

    /// Passes a request on. `round` counts how often the server has asked for input.
    fn pass(&self, frame: Frame, ticket: Ticket, round: usize) {
        let method: Box<str> = frame.method().into();
        let again = may_want(&method).then(|| frame.clone());
        let me = self.me.clone();
        let ticket = ticket
            .for_modern(false)
            .then(move |answer, ticket, to| match me.upgrade() {
                Some(bridge) => {
                    let call = BridgedCall {
                        method,
                        again,
                        round,
                    };
                    bridge.answered(call, &answer, ticket, to);
                }
                None => drop(ticket),
            });
        self.front.request(frame, ticket, None);
    }

    fn answered(&self, call: BridgedCall, answer: &Frame, ticket: Ticket, to: RpcMethod) {
        let wanted = match answered(&call.method, answer) {
            TranslatedAnswer::Whole(bytes) => return say::answer(ticket, bytes, to),
            TranslatedAnswer::Untranslatable(fault) => {
                return ticket.fail(&fault.origin(Origin::Upstream), None);
            }
            TranslatedAnswer::NeedsInput(wanted) => wanted,
        };
        let Some(again) = call.again.filter(|_| call.round < MAX_INPUT_ROUNDS) else {
            let fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM)
                .note("it wants to know more where it may not, or again and again");
            return ticket.fail(&fault.origin(Origin::Upstream), None);
        };
        let hello = Arc::clone(&self.said.lock().hello);
        let mut questions = wanted.questions.iter();
        if let Some(question) = questions.find(|question| !question.is_for(hello.client)) {
            return cannot(ticket, question);
        }
        let Some(bridge) = self.me.upgrade() else {
            return drop(ticket);
        };
        // From now on the bridge itself handles its cancellation.
        ticket.clear_location();
        let (cancel, cancelled) = oneshot::channel();
        self.asking.lock().insert(ticket.key().clone(), cancel);
        tokio::spawn(async move {
            let asked = InputRound {
                wanted,
                again,
                round: call.round + 1,
                version: hello.version,
            };
            bridge.ask(asked, ticket, cancelled).await;
        });
    }

    /// Asks the client for the requested input, and sends the request again with it.
    async fn ask(&self, asking: InputRound, ticket: Ticket, cancelled: oneshot::Receiver<()>) {
        let (client, channel) = (ticket.peer().clone(), ticket.channel().cloned());
        let answers = self.answers(&asking, client, channel);
        let answers = tokio::select! {
            biased;
            // Also when the client has disconnected.
            _ = cancelled => return ticket.withdraw(),
            answers = answers => answers,
        };
        self.asking.lock().remove(ticket.key());
        match answers {
            Ok(answers) => match say::frame(asking.wanted.again(&asking.again, &answers)) {
                Some(frame) => self.pass(frame, ticket, asking.round),
                None => drop(ticket),
            },
            Err(fault) => ticket.fail(&fault.origin(Origin::Caller), None),
        }
    }

    /// One after the other: a user may be answering.
    async fn answers(
        &self,
        asking: &InputRound,
        client: Peer,
        channel: Option<Arc<dyn ReplyChannel>>,
    ) -> Result<Vec<Box<str>>, Box<Fault>> {
        let total = self.upstream.timeouts.total;
        let timeouts = Timeouts { idle: total, total };
        let mut answers = Vec::new();
        for question in &asking.wanted.questions {
            let (unique, _) = Stamp::System.take();
            let request = question.request(asking.version, &unique.to_string());
            let request = say::frame(request).ok_or_else(|| Box::new(Fault::internal()))?;
            let answer = client.ask_via(channel.clone(), request, timeouts).await;
            answers.push(match said(question, answer) {
                Ok(answer) => answer,
                // No answer, so the failure the question is about stands.
                Err(_) if question.is_ours() => r#"{"action":"cancel"}"#.into(),
                Err(fault) => return Err(fault),
            });
        }
        Ok(answers)
    }
}

/// A request under way.
struct BridgedCall {
    method: Box<str>,
    /// The request, kept for a second round with input.
    again: Option<Frame>,
    round: usize,
}

/// A request that waits for input of the client.
struct InputRound {
    wanted: RequestedInput,
    again: Frame,
    round: usize,
    version: &'static str,
}

/// Methods whose results may ask for input.
fn may_want(method: &str) -> bool {
    matches!(
        method,
        method::TOOLS_CALL | method::PROMPTS_GET | method::RESOURCES_READ
    )
}

/// The client's answer, as the server gets it. Declining is an answer; an error is not, and cannot be passed on to a
/// modern server.
fn said(question: &InputQuestion, answer: AskOutcome) -> Result<Box<str>, Box<Fault>> {
    let method = question.about.method();
    let fault = match answer {
        AskOutcome::Reply(frame) if frame.kind() == Kind::Result => {
            return Ok(frame.body().unwrap_or("{}").into());
        }
        AskOutcome::Reply(frame) => {
            let error: Value = frame
                .body()
                .and_then(|error| serde_json::from_str(error).ok())
                .unwrap_or_default();
            Fault::permission_denied("the client refused to answer the server")
                .message(format!(
                    "The client answered '{method}' of the server with an error"
                ))
                .detail("client_code", error["code"].clone())
                .remediation("Call again if the client is to answer this time.")
        }
        AskOutcome::Lost(LossReason::Late(after)) => Fault::timeout(method, after),
        AskOutcome::Lost(
            LossReason::Gone
            | LossReason::Unsent(_)
            | LossReason::Unreadable(_)
            | LossReason::Refused(_),
        ) => Fault::unavailable("client"),
    };
    Err(Box::new(fault))
}

/// The server needs a capability that the client did not declare.
fn cannot(ticket: Ticket, question: &InputQuestion) {
    let method = question.about.method();
    let fault = Fault::new(codes::PERMISSION_FEATURE_DISABLED)
        .message(format!(
            "The server needs '{method}' to answer this, which the client does not offer"
        ))
        .detail("feature", method)
        .remediation(
            "Use a client that offers it, or ask for something that needs no such answer.",
        );
    let required = serde_json::from_str(question.about.capability()).unwrap_or_default();
    let data = Map::from_iter([("requiredCapabilities".to_owned(), required)]);
    ticket.fail_as(&fault, error_code::MISSING_CAPABILITY, &data);
}

/// How often a server may ask for input before it answers.
const MAX_INPUT_ROUNDS: usize = 32;
