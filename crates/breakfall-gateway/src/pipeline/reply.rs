//! Stage 7: the answer to the client.

use breakfall::catalog::warning::RESULT_ADAPTED;
use breakfall::{Category, Fault, Stamp, Warning};
use memchr::memmem;

use super::attempt::Answer;
use super::{CallContext, CallError, CallFailure, Pipeline};
use crate::record::{CallOutcome, Evidence};
use crate::reply::{self, ReplyBody, ReplyOptions, stamped};
use crate::session::roots_returned;
use crate::tools::notice::{deprecated, slow};
use crate::tools::{ToolLookup, output};
use breakfall_mcp::connection::{AuthChallenge, RpcMethod};
use breakfall_mcp::jsonrpc::cursor::Cursor;
use breakfall_mcp::jsonrpc::{Frame, Kind};

/// The answer to a call, and what is recorded of it.
#[derive(Debug)]
pub(super) struct Reply {
    message: ReplyMessage,
    pub(super) outcome: CallOutcome,
    /// The evidence of a failure.
    pub(super) evidence: Option<Evidence>,
}

#[derive(Debug)]
enum ReplyMessage {
    /// The client cancelled the call.
    None,
    Answer(Frame),
    /// The server demands credentials, which the transport reports.
    Challenge(Fault, AuthChallenge),
}

impl Pipeline {
    /// Encodes the outcome of a call.
    pub(super) fn reply(
        &self,
        context: &mut CallContext,
        result: Result<Answer, CallError>,
    ) -> Reply {
        match result {
            Ok(Answer { frame, asks: true }) => Reply {
                message: ReplyMessage::Answer(frame),
                outcome: CallOutcome::Asks,
                evidence: None,
            },
            Ok(Answer { frame, .. }) => self.succeed(context, frame),
            Err(CallError::Failed(failed)) => self.fail(context, *failed),
            Err(CallError::Cancelled) => Reply {
                message: ReplyMessage::None,
                outcome: CallOutcome::Cancelled,
                evidence: None,
            },
        }
    }

    /// A success is passed on unchanged, but for warnings.
    fn succeed(&self, context: &mut CallContext, frame: Frame) -> Reply {
        let frame = boxed(frame, context);
        let (tool, policy) = (context.tool(), &context.policy);
        let limit = policy.slow;
        let is_slow = limit.and_then(|limit| slow(tool, context.exchange.worked(), limit));
        let goes = policy.deprecated.as_deref().map(|instead| {
            let found = self.link.tools().find(instead);
            let is_tool = matches!(found, ToolLookup::Known(_) | ToolLookup::Stale(_));
            let replacement = is_tool.then(|| context.caller_name(instead));
            deprecated(&context.caller_name(tool), instead, replacement.as_deref())
        });
        context.warnings.extend(is_slow);
        context.rename_warnings();
        context.warnings.extend(goes);
        let warned = (!context.warnings.is_empty()).then_some(()).and_then(|()| {
            let body = frame.body()?;
            let options = self.reply_options(context);
            Some((
                frame.place_of(body),
                reply::warned(body, &context.warnings, &options),
            ))
        });
        let frame = match warned {
            Some((at, body)) => frame.edited(vec![(at, body)]),
            None => frame,
        };
        Reply {
            message: ReplyMessage::Answer(frame),
            outcome: CallOutcome::Success,
            evidence: None,
        }
    }

    fn fail(&self, context: &CallContext, failed: CallFailure) -> Reply {
        let CallFailure {
            mut failure,
            original,
            evidence: _,
            challenge,
        } = failed;
        let fault = self.with_fallback(context.exchange.tried.tell(failure.fault), context);
        let mut options = self.reply_options(context);
        failure.fault = stamped(context.with_caller_name(fault), &options.stamp);
        let outcome = CallOutcome::of(&failure.fault);
        let sent = context.arguments();
        let theirs = original.as_ref().and_then(Frame::body);
        let promised = context.tool_with_output.as_ref().zip(theirs);
        options.is_misfit = promised.is_some_and(|(tool, body)| output::is_misfit(tool, body));
        let message = if let Some(challenge) = challenge {
            let shown = reply::shown(&failure.fault, &options, sent).into_inner();
            ReplyMessage::Challenge(shown, challenge)
        } else {
            let said = reply::failed(&failure, original.as_ref(), &options, sent);
            ReplyMessage::Answer(frame(&said))
        };
        let evidence = Evidence::new(failure.fault);
        let evidence = match original.as_ref().and_then(Frame::original_body) {
            Some(body) => evidence.original(body),
            None => evidence,
        };
        Reply {
            message,
            outcome,
            evidence: Some(evidence),
        }
    }

    /// Names another tool if this one is unavailable. A caller that does not know whether the call had an effect is not sent
    /// elsewhere.
    fn with_fallback(&self, fault: Fault, context: &CallContext) -> Fault {
        let public = fault.public();
        let is_unknown = public.details().text("executed") == Some("unknown");
        let is_certain = !is_unknown || public.retry().is_retryable();
        let is_told = public.fallback_tool().is_some();
        if public.category() != Category::Unavailable || is_told || !is_certain {
            return fault;
        }
        match self.fallback(context) {
            Some(instead) => fault.fallback_tool(instead),
            None => fault,
        }
    }

    /// How this caller is answered.
    pub(super) fn reply_options(&self, context: &CallContext) -> ReplyOptions {
        let mut options = context.policy.reply.clone();
        options = options.output_schema(context.has_output_schema);
        // The caller, the log and the records know a failure by the same id.
        options.stamp = Stamp::Fixed(context.id.clone(), context.at);
        if let Some(languages) = context.languages() {
            options = options.locale(&languages);
        }
        let call = &context.call;
        let mut options = options.asked(call.body());
        if let Some(format) = context.format {
            options.format = format;
        }
        options.known = self.link.known();
        if call.params().has_input {
            options.known = options.known.and(&roots_returned(call.body()));
        }
        options.is_modern = call.params().is_modern;
        options.is_task = call.params().is_task;
        options
    }
}

impl Reply {
    /// Its size in bytes.
    pub(super) fn size(&self) -> usize {
        match &self.message {
            ReplyMessage::Answer(frame) => frame.bytes().len(),
            ReplyMessage::None | ReplyMessage::Challenge(..) => 0,
        }
    }

    /// Answers the client.
    pub(super) fn send(self, mut context: CallContext) {
        let Some(ticket) = context.exchange.take_ticket() else {
            return;
        };
        match self.message {
            ReplyMessage::Answer(frame) => ticket.answer(frame, RpcMethod::ToolsCall),
            ReplyMessage::Challenge(fault, challenge) => ticket.challenge(&fault, challenge),
            ReplyMessage::None => ticket.withdraw(),
        }
    }
}

/// An answer whose structured content the caller's protocol version allows: legacy clients reject a result whose structured
/// content is not an object.
fn boxed(frame: Frame, context: &mut CallContext) -> Frame {
    let edit = structured(&frame).filter(|_| !context.call.params().is_modern);
    let Some(raw) = edit else {
        return frame;
    };
    let (at, boxed) = (frame.place_of(raw), format!(r#"{{"result":{raw}}}"#));
    let told = Warning::new(RESULT_ADAPTED).context("fields", vec!["structuredContent"]);
    context.warnings.push(told);
    frame.edited(vec![(at, boxed)])
}

/// The structured content of a result, if it is not an object.
fn structured(frame: &Frame) -> Option<&str> {
    let body = frame.body()?;
    memmem::find(body.as_bytes(), b"structuredContent")?;
    let mut found = None;
    Cursor::new(body).object(|cursor, key| {
        let raw = cursor.skip()?;
        if key == "structuredContent" {
            found = Some(raw);
        }
        Some(())
    })?;
    found.filter(|raw| !raw.starts_with('{') && *raw != "null")
}

/// A message with this body. The ticket sets its id.
fn frame(said: &ReplyBody) -> Frame {
    match said {
        ReplyBody::Result(body) => Frame::answering(Kind::Result, body),
        ReplyBody::Error(body) => Frame::answering(Kind::Error, body),
    }
}
