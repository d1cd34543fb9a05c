//! What the caller is told, and whether anybody is.

use std::sync::Arc;

use breakfall::catalog::warning::RESULT_ADAPTED;
use breakfall::{Category, Fault, Stamp, Warning};
use memchr::memmem;

use super::Pipeline;
use super::attempt::Answer;
use super::life::{Failed, Life, Stop};
use super::receive::Call;
use crate::record::{End, Evidence};
use crate::reply::{self, ReplyOptions, Said, stamped};
use crate::tools::notice::{deprecated, slow};
use crate::tools::{Found, output};
use breakfall_mcp::connection::{AuthChallenge, RpcMethod};
use breakfall_mcp::jsonrpc::cursor::Cursor;
use breakfall_mcp::jsonrpc::{Frame, Kind};

/// What a call came to, in the words of its caller.
#[derive(Debug)]
pub(super) struct Reply {
    said: Word,
    pub(super) end: End,
    /// What is kept of a failure.
    pub(super) evidence: Option<Evidence>,
}

#[derive(Debug)]
enum Word {
    /// Nobody waits for it.
    None,
    Answer(Frame),
    /// The server wants to know who calls, which is for the transport to say.
    Challenge(Fault, AuthChallenge),
}

impl Pipeline {
    /// Finds the words.
    pub(super) fn reply(&self, life: &mut Life, result: Result<Answer, Stop>) -> Reply {
        match result {
            Ok(Answer { frame, asks: true }) => Reply {
                said: Word::Answer(frame),
                end: End::Asks,
                evidence: None,
            },
            Ok(Answer { frame, .. }) => self.succeed(life, frame),
            Err(Stop::Failed(failed)) => self.fail(life, *failed),
            Err(Stop::TakenBack) => Reply {
                said: Word::None,
                end: End::Cancelled,
                evidence: None,
            },
        }
    }

    /// A success is not ours to change; what its caller should know rides on it.
    fn succeed(&self, life: &mut Life, frame: Frame) -> Reply {
        let frame = boxed(frame, life);
        let (tool, care) = (life.tool(), &life.care);
        let limit = care.slow;
        let is_slow = limit.and_then(|limit| slow(tool, life.worked(), limit));
        let goes = care.deprecated.as_deref().map(|instead| {
            let found = self.link.tools().find(instead);
            let is_tool = matches!(found, Found::Known(_) | Found::Stale(_));
            let replacement = is_tool.then(|| life.called(instead));
            deprecated(&life.called(tool), instead, replacement.as_deref())
        });
        life.warnings.extend(is_slow);
        life.warn_by_name();
        life.warnings.extend(goes);
        let warned = (!life.warnings.is_empty()).then_some(()).and_then(|()| {
            let body = frame.body()?;
            let manner = self.manner(life);
            Some((
                frame.place_of(body),
                reply::warned(body, &life.warnings, &manner),
            ))
        });
        let frame = match warned {
            Some((at, body)) => frame.edited(vec![(at, body)]),
            None => frame,
        };
        Reply {
            said: Word::Answer(frame),
            end: End::Success,
            evidence: None,
        }
    }

    fn fail(&self, life: &Life, failed: Failed) -> Reply {
        let Failed {
            mut failure,
            original,
            executed: _,
            challenge,
        } = failed;
        let fault = self.with_fallback(life.tried.tell(failure.fault), life);
        let mut manner = self.manner(life);
        failure.fault = stamped(life.by_name(fault), &manner.stamp);
        let end = End::of(&failure.fault);
        let sent = life.call.as_ref().and_then(|call| call.arguments());
        let sent = sent.unwrap_or("{}");
        let theirs = original.as_ref().and_then(Frame::body);
        let promised = life.promising.as_ref().zip(theirs);
        manner.is_misfit = promised.is_some_and(|(tool, body)| output::is_misfit(tool, body));
        let said = if let Some(challenge) = challenge {
            Word::Challenge(reply::shown(&failure.fault, &manner, sent), challenge)
        } else {
            let said = reply::failed(&failure, original.as_ref(), &manner, sent);
            Word::Answer(frame(&said))
        };
        let evidence = Evidence::new(failure.fault);
        let evidence = match original.as_ref().and_then(Frame::original_body) {
            Some(body) => evidence.original(body),
            None => evidence,
        };
        Reply {
            said,
            end,
            evidence: Some(evidence),
        }
    }

    /// Names another tool if this one does not work now. Who cannot say whether it was done is not sent to do it elsewhere.
    fn with_fallback(&self, fault: Fault, life: &Life) -> Fault {
        let public = fault.public();
        let is_certain = public.details().text("executed") != Some("unknown");
        let is_told = public.fallback_tool().is_some();
        if public.category() != Category::Unavailable || is_told || !is_certain {
            return fault;
        }
        match self.instead(life) {
            Some(instead) => fault.fallback_tool(instead),
            None => fault,
        }
    }

    /// How this caller wants to be told.
    pub(super) fn manner(&self, life: &Life) -> ReplyOptions {
        let upstream = self.upstream();
        let said = upstream.tools.policy(life.tool());
        let manner = upstream.means.replies.manner(&said);
        let mut manner = manner.output_schema(life.has_output_schema);
        // The caller, the log and the records know a failure by the same id.
        manner.stamp = Stamp::Fixed(life.id.clone(), life.at);
        let manner = match life.languages() {
            Some(languages) => manner.locale(&languages),
            None => manner,
        };
        let Some(call) = &life.call else {
            return manner;
        };
        let mut manner = manner.asked(call.body());
        if let Some(format) = life.format {
            manner.format = format;
        }
        manner.is_modern = call.params().is_modern;
        manner.is_task = call.params().is_task;
        manner
    }
}

impl Reply {
    /// Bytes of it.
    pub(super) fn size(&self) -> usize {
        match &self.said {
            Word::Answer(frame) => frame.bytes().len(),
            Word::None | Word::Challenge(..) => 0,
        }
    }

    /// Says it.
    pub(super) fn say(self, mut life: Life) {
        let Some(ticket) = life.give() else { return };
        match self.said {
            Word::Answer(frame) => ticket.answer(frame, RpcMethod::ToolsCall),
            Word::Challenge(fault, challenge) => ticket.challenge(&fault, challenge),
            Word::None => ticket.withdraw(),
        }
    }
}

/// An answer whose structured content its caller's protocol allows. Before it could be anything it was an object, and clients
/// throw the whole result away if it is none.
fn boxed(frame: Frame, life: &mut Life) -> Frame {
    let is_modern = |call: &Arc<Call>| call.params().is_modern;
    let edit = structured(&frame).filter(|_| !life.call.as_ref().is_none_or(is_modern));
    let Some(raw) = edit else {
        return frame;
    };
    let (at, boxed) = (frame.place_of(raw), format!(r#"{{"result":{raw}}}"#));
    let told = Warning::new(RESULT_ADAPTED).context("fields", vec!["structuredContent"]);
    life.warnings.push(told);
    frame.edited(vec![(at, boxed)])
}

/// The structured content of a result, if it is no object.
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

/// A message with this body. Its id is that of the ticket in the end.
fn frame(said: &Said) -> Frame {
    match said {
        Said::Result(body) => Frame::answering(Kind::Result, body),
        Said::Error(body) => Frame::answering(Kind::Error, body),
    }
}
