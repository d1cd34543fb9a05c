//! Asks the user of a client something, in either era of the protocol.
//!
//! A legacy client is asked by `elicitation/create` while its call waits. A modern one gets an `input_required` result, and calls
//! again with the response and the state that was left with it.

use tokio::time::Instant;

use super::attempt::Answer;
use super::{Call, CallContext, CallError, Pipeline};
use crate::session::ClientCapabilities;
use breakfall_mcp::connection::AskOutcome;
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};
use breakfall_mcp::protocol::meta::INPUT;
use breakfall_mcp::timeouts::Timeouts;

/// How a client can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElicitationChannel {
    /// By a request, while its call waits.
    Request,
    /// By the result of its call.
    Result,
}

/// What a modern client brings back: the state that was left with it, and the response of its user.
pub(super) struct ReturnedInput<'a> {
    pub(super) state: Option<String>,
    pub(super) response: &'a str,
}

impl Pipeline {
    /// How the client of a call can be asked; `None` if it cannot.
    pub(super) fn elicitation_channel(&self, context: &CallContext) -> Option<ElicitationChannel> {
        let call = &context.call;
        if call.params().has_input || call.params().is_task {
            return None;
        }
        let (channel, is_supported) = if call.params().is_modern {
            let is_supported = ClientCapabilities::of(call.capabilities()).fills_forms;
            (ElicitationChannel::Result, is_supported)
        } else if context.is_modern() {
            (ElicitationChannel::Result, context.fills_forms())
        } else {
            (ElicitationChannel::Request, self.link.fills_forms())
        };
        is_supported.then_some(channel)
    }

    /// Asks while the call waits; `None` if the client does not respond. `params` are those of `elicitation/create`.
    pub(super) async fn elicit(
        &self,
        params: &str,
        context: &mut CallContext,
    ) -> Result<Option<String>, CallError> {
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{params}}}"#
        );
        let Ok(frame) = Frame::parse(text.into_bytes(), &FrameLimits::REQUEST) else {
            return Ok(None);
        };
        // Users are slow, so only the total timeout applies.
        let total = self.upstream().timeouts.total;
        let timeouts = Timeouts { idle: total, total };
        let since = Instant::now();
        let response = context.ask_client(frame, timeouts)?;
        let response = match context.exchange.or_cancelled(response).await {
            Ok(response) => response,
            // The session ends: the caller reads what it would have read without a user.
            Err(CallError::Failed(_)) => return Ok(None),
            Err(cancelled @ CallError::Cancelled) => return Err(cancelled),
        };
        context.exchange.add_user_time(since.elapsed());
        Ok(match response {
            AskOutcome::Reply(frame) if frame.kind() == Kind::Result => {
                frame.body().map(str::to_owned)
            }
            AskOutcome::Reply(_) | AskOutcome::Lost(_) => None,
        })
    }
}

/// The result that asks a modern client, and leaves the state with it; `None` if the state is too large for that.
pub(super) fn input_required(params: &str, state: &str) -> Option<Answer> {
    if state.len() > MAX_STATE_BYTES {
        return None;
    }
    let state = serde_json::Value::from(format!("{STATE_PREFIX}{state}"));
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"input_required","inputRequests":{{"{INPUT}":{{"method":"elicitation/create","params":{params}}}}},"requestState":{state}}}}}"#
    );
    let frame = Frame::parse(text.into_bytes(), &FrameLimits::RESPONSE).ok()?;
    Some(Answer { frame, asks: true })
}

/// The response to a question of the gateway that a call brings; `None` if it brings none, or one to a question of its server.
pub(super) fn returned_input(call: &Call) -> Option<ReturnedInput<'_>> {
    if !call.params().has_input {
        return None;
    }
    let params = Object::of(call.body(), &["inputResponses", "requestState"])?;
    let responses = Object::of(params.get("inputResponses")?, &[INPUT])?;
    let response = responses.get(INPUT)?;
    let state = params.text("requestState");
    let state = state.and_then(|state| Some(state.strip_prefix(STATE_PREFIX)?.to_owned()));
    Some(ReturnedInput { state, response })
}

/// The prefix of the state of such a result.
const STATE_PREFIX: &str = "dev.breakfall/ask:";
const MAX_STATE_BYTES: usize = 32 << 10;
