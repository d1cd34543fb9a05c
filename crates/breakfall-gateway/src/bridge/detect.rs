//! Finds out which eras a server supports. Starts with `server/discover`, which has no side effects.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use breakfall::Fault;
use tokio::time::{Instant, sleep, timeout_at};

use super::era_bridge::{DetectedEras, EraBridge};
use super::legacy_client::hello::{ClientHandshake, DiscoveredServer};
use super::modern_client::result::ServerHandshake;
use super::splice::{Object, each, text};
use super::{legacy_client, modern_client, say};
use crate::session::{AskFailure, AskReply};
use breakfall_mcp::connection::{RpcMethod, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Kind};
use breakfall_mcp::protocol::{MODERN, error_code, method};

/// The requests sent to a server on behalf of a modern client.
pub(super) struct DetectionRequests {
    pub(super) discover: Vec<u8>,
    pub(super) initialize: Vec<u8>,
}

/// Settles the eras after the first request of a modern client.
pub(super) async fn for_modern(era_bridge: Arc<EraBridge>, questions: DetectionRequests) {
    let eras = &era_bridge.upstream().eras;
    let found = find(&era_bridge, questions).await;
    match found {
        ServerEra::Modern(answer) => {
            eras.set_modern(true);
            if let Some(ticket) = era_bridge.take_first(method::DISCOVER) {
                let pipeline = era_bridge.pipeline();
                let ticket = pipeline.observe_method(method::DISCOVER, None, ticket);
                ticket.answer(answer, RpcMethod::Read);
            }
            era_bridge.settle(&DetectedEras::Same);
        }
        ServerEra::Legacy(answer) => {
            eras.set_modern(false);
            eras.set_legacy(true);
            let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            if let Some(note) = say::frame(note.into()) {
                era_bridge.tell(note);
            }
            let welcome = ServerHandshake::of(answer.body().unwrap_or_default());
            let (front, asker) = (Arc::clone(&era_bridge.front), Arc::clone(&era_bridge.asker));
            let bridge = modern_client::ModernClientBridge::new(front, asker, welcome);
            era_bridge.settle(&DetectedEras::Modern(bridge));
        }
        ServerEra::Neither(neither) => {
            eras.forget();
            era_bridge.settle(&DetectedEras::Failed(neither));
        }
    }
}

/// The era of a server.
enum ServerEra {
    /// A modern server, with its answer to `server/discover`.
    Modern(Frame),
    /// A legacy server, with its answer to `initialize`.
    Legacy(Frame),
    /// Neither.
    Neither(DetectionError),
}

/// Why a server supports neither era.
pub(super) enum DetectionError {
    /// It refused both requests.
    Refused(Vec<u8>),
    /// It does not answer.
    Silent(AskFailure),
}

/// Sends `server/discover`, and `initialize` if the server is not modern or does not answer for some time. The first
/// good answer of the two counts.
async fn find(era_bridge: &EraBridge, questions: DetectionRequests) -> ServerEra {
    let frames = (
        say::frame(questions.discover),
        say::frame(questions.initialize),
    );
    let (Some(discover), Some(initialize)) = frames else {
        return ServerEra::Neither(DetectionError::Refused(Vec::new()));
    };
    if era_bridge.upstream().eras.modern() == Some(false) {
        return shaken(era_bridge.asker.ask(initialize).await);
    }
    let mut discovered = pin!(era_bridge.asker.ask(discover));
    let first = tokio::select! {
        heard = &mut discovered => Some(heard),
        () = sleep(SILENCE) => None,
    };
    if let Some(heard) = first {
        return match modern(heard) {
            Some(answer) => ServerEra::Modern(answer),
            None => shaken(era_bridge.asker.ask(initialize).await),
        };
    }
    let mut shaken_hands = pin!(era_bridge.asker.ask(initialize));
    tokio::select! {
        heard = &mut discovered => match modern(heard) {
            Some(answer) => ServerEra::Modern(answer),
            None => shaken(shaken_hands.await),
        },
        heard = &mut shaken_hands => match shaken(heard) {
            ServerEra::Neither(neither) => match modern(discovered.await) {
                Some(answer) => ServerEra::Modern(answer),
                None => ServerEra::Neither(neither),
            },
            found @ (ServerEra::Legacy(_) | ServerEra::Modern(_)) => found,
        },
    }
}

/// The answer, if it is that of a modern server.
fn modern(heard: AskReply) -> Option<Frame> {
    let AskReply::Answer(answer) = heard else {
        return None;
    };
    is_modern(&answer).then_some(answer)
}

/// Whether only a modern server answers like this.
fn is_modern(answer: &Frame) -> bool {
    let body = answer.body().unwrap_or_default();
    if answer.kind() == Kind::Result {
        return DiscoveredServer::of(body).is_some();
    }
    let Some(error) = Object::of(body, &["code", "data"]) else {
        return false;
    };
    match error.get("code").and_then(|code| code.parse().ok()) {
        // The server supports the version; the request lacks something else.
        Some(error_code::HEADER_MISMATCH | error_code::MISSING_CAPABILITY) => true,
        Some(error_code::UNSUPPORTED_VERSION) => {
            let data = error.get("data");
            let data = data.and_then(|data| Object::of(data, &["supported"]));
            let mut is_there = false;
            let supported = data.and_then(|data| data.get("supported"));
            supported.and_then(|all| {
                each(all, |version| {
                    is_there |= text(version).is_some_and(|version| version == MODERN.as_str());
                })
            });
            is_there
        }
        Some(_) | None => false,
    }
}

fn shaken(heard: AskReply) -> ServerEra {
    match heard {
        AskReply::Answer(answer) if answer.kind() == Kind::Result => ServerEra::Legacy(answer),
        AskReply::Answer(answer) => {
            ServerEra::Neither(DetectionError::Refused(answer.into_bytes()))
        }
        AskReply::Failure(failure) => ServerEra::Neither(DetectionError::Silent(failure)),
    }
}

/// A handshake of a legacy client that the server refused, now or earlier.
pub(super) struct RefusedHandshake {
    pub(super) initialize: Frame,
    /// The refusal, if the server was asked this time.
    pub(super) refusal: Option<(Frame, RpcMethod)>,
    /// When the client is told that the server does not answer.
    pub(super) deadline: Instant,
}

/// Why the server cannot be bridged.
enum NotDiscovered {
    /// It does not answer as a modern server does.
    NotModern,
    Failed(AskFailure),
    Late,
}

/// Bridges a legacy client to a server that has refused its handshake, if that server is modern.
pub(super) async fn for_legacy(
    era_bridge: Arc<EraBridge>,
    handshake: RefusedHandshake,
    ticket: Ticket,
) {
    let hello = ClientHandshake::of(&handshake.initialize);
    let is_proven = match &handshake.refusal {
        Some((refusal, _)) => is_modern(refusal),
        None => true,
    };
    let eras = &era_bridge.upstream().eras;
    let failed = match discover(&era_bridge, &hello, is_proven, handshake.deadline).await {
        Ok(discovered) => {
            eras.set_legacy(false);
            eras.set_modern(true);
            let ground = legacy_client::BridgeContext {
                front: Arc::clone(&era_bridge.front),
                asker: Arc::clone(&era_bridge.asker),
                upstream: Arc::clone(era_bridge.upstream()),
            };
            let client = ticket.peer().clone();
            let bridge = legacy_client::LegacyClientBridge::new(ground, client, hello, discovered);
            era_bridge.settle(&DetectedEras::Legacy(Arc::clone(&bridge)));
            return bridge.welcome(ticket);
        }
        Err(failed) => failed,
    };
    era_bridge.settle(&DetectedEras::Unknown);
    let fault = match (handshake.refusal, failed) {
        // The refusal of a modern server only says that it has no handshake, which does not help the client.
        (Some((refusal, method)), failed)
            if !is_proven || matches!(failed, NotDiscovered::NotModern) =>
        {
            return ticket.answer(refusal, method);
        }
        (_, NotDiscovered::Failed(failure)) => failure.fault(),
        (_, NotDiscovered::Late) => {
            Fault::timeout(method::INITIALIZE, era_bridge.upstream().timeouts.idle)
        }
        (_, NotDiscovered::NotModern) => Fault::unavailable(&era_bridge.upstream().name),
    };
    eras.forget();
    ticket.fail(&fault, None);
}

/// Sends `server/discover`. A server known to be modern, or one that has to be restarted, gets as long as the
/// handshake; any other server is running, and has to answer or refuse soon.
async fn discover(
    era_bridge: &EraBridge,
    hello: &ClientHandshake,
    is_proven: bool,
    deadline: Instant,
) -> Result<DiscoveredServer, NotDiscovered> {
    let question = r#"{"jsonrpc":"2.0","id":0,"method":"server/discover"}"#;
    let question = say::frame(question.into()).ok_or(NotDiscovered::NotModern)?;
    let question = say::frame(hello.speak(&question, None)).ok_or(NotDiscovered::NotModern)?;
    let mut until = deadline;
    if !is_proven {
        until = until.min(Instant::now() + SILENCE);
    }
    let mut failed = NotDiscovered::Late;
    // Some servers exit after they have refused a handshake; then the next process is asked.
    for _ in 0..ATTEMPTS {
        let asked = era_bridge.asker.ask(question.clone());
        match timeout_at(until, asked).await {
            Ok(AskReply::Failure(failure)) => failed = NotDiscovered::Failed(failure),
            Ok(heard @ AskReply::Answer(_)) => {
                let answer = modern(heard);
                let body = answer.as_ref().and_then(Frame::body);
                return body
                    .and_then(DiscoveredServer::of)
                    .ok_or(NotDiscovered::NotModern);
            }
            Err(_) => return Err(NotDiscovered::Late),
        }
        until = deadline;
    }
    Err(failed)
}

/// How often a server that exits before it answers is asked.
const ATTEMPTS: usize = 2;

/// How long a running server may take to answer `server/discover`.
const SILENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    #[test]
    fn only_what_a_modern_server_says_makes_it_one() {
        let cases = [
            (
                r#""result":{"supportedVersions":["2026-07-28"],"capabilities":{}}"#,
                true,
            ),
            (
                r#""result":{"supportedVersions":["2025-11-25"],"capabilities":{}}"#,
                false,
            ),
            (r#""result":{}"#, false),
            (r#""result":{"content":[],"isError":true}"#, false),
            (
                r#""error":{"code":-32601,"message":"Method not found"}"#,
                false,
            ),
            (
                r#""error":{"code":-32602,"message":"Invalid request parameters"}"#,
                false,
            ),
            (
                r#""error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}"#,
                true,
            ),
            (r#""error":{"code":-32022,"message":"m"}"#, false),
            (
                r#""error":{"code":-32022,"message":"m","data":{"supported":["2025-11-25"]}}"#,
                false,
            ),
            (
                r#""error":{"code":-32022,"message":"m","data":{"supported":["2027-01-01","2026-07-28"]}}"#,
                true,
            ),
        ];
        for (answer, want) in cases {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,{answer}}}"#);
            let frame = Frame::parse(text.into(), &FrameLimits::RESPONSE).expect("an answer");
            assert_eq!(is_modern(&frame), want, "{answer}");
        }
    }
}
