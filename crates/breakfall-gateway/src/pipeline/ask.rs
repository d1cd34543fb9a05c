//! Asks the user where a call failed because of something a user can correct, and the client can put a question.
//!
//! A client with a handshake is asked while its call waits. A modern one is answered with the question, and calls again with
//! what its user said; all there is to know about the question comes back with it.

use std::sync::Arc;

use breakfall::{Fault, Outcome};
use tokio::time::Instant;

use super::attempt::Answer;
use super::life::{Failed, Life, Stop};
use super::{Call, Pipeline, Raw};
use crate::classify::value_of;
use crate::reply::{self, Answered, Question};
use crate::resilience::retry::Executed;
use crate::session::ClientCapabilities;
use crate::tools::Found;
use breakfall_mcp::connection;
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};
use breakfall_mcp::timeouts::Timeouts;

/// What becomes of a failure.
enum Next {
    /// The user has said what to call the tool with instead.
    Again(Raw),
    /// This is all there is to say.
    Said(Result<Answer, Stop>),
}

impl Pipeline {
    /// What a call comes to, its user asked where that helps.
    pub(super) async fn settle(&self, mut raw: Raw, life: &mut Life) -> Result<Answer, Stop> {
        for _ in 0..QUESTIONS {
            let failed = match self.run(raw, life).await {
                Err(Stop::Failed(failed)) => failed,
                end @ (Ok(_) | Err(Stop::TakenBack)) => return end,
            };
            raw = match self.ask(failed, life).await? {
                Next::Again(raw) => raw,
                Next::Said(end) => return end,
            };
            life.again();
        }
        self.run(raw, life).await
    }

    /// Puts a failure to the user, if the operator says that a user can correct it.
    async fn ask(&self, mut failed: Box<Failed>, life: &mut Life) -> Result<Next, Stop> {
        let Some(call) = life.call.clone() else {
            return Ok(Next::Said(Err(failed.into())));
        };
        let correctable = self.upstream().tools.policy(call.tool()).ask;
        if correctable.is_empty() || failed.failure.fault.public().elicitation().is_some() {
            return Ok(Next::Said(Err(failed.into())));
        }
        let sent = call.arguments().unwrap_or("{}");
        let tool = life.called(call.tool());
        failed.change(|fault| reply::asking(fault, &tool, &correctable, sent));
        // A call that was made twice may have had its effect the first time, and not find any more what it did away with.
        let is_certain = failed.original.is_some() && failed.executed != Executed::Unknown;
        let is_harmless = is_certain && life.tried.total() == 1;
        if !is_harmless || !reply::is_about_ids(failed.failure.fault.public()) {
            return Ok(Next::Said(Err(failed.into())));
        }
        let Some(question) = self.question(&failed, &call, life) else {
            return Ok(Next::Said(Err(failed.into())));
        };
        let Some(is_modern) = self.can_ask(&call, life) else {
            return Ok(Next::Said(Err(failed.into())));
        };
        if is_modern {
            return Ok(Next::Said(self.ask_back(failed, &question, life)));
        }
        let said = self.ask_now(&question, life).await?;
        let answered = said.map_or(Answered::Cancelled, |said| question.answered(&said, sent));
        Ok(match answered {
            Answered::Arguments(arguments) => match call.otherwise(&arguments) {
                Some(raw) => Next::Again(raw),
                None => Next::Said(Err(failed.into())),
            },
            Answered::Declined(fault) => Next::Said(Err(fault.into())),
            Answered::Cancelled => Next::Said(Err(failed.into())),
        })
    }

    /// The question, in words its reader may see and understands.
    fn question(&self, failed: &Failed, call: &Call, life: &Life) -> Option<Question> {
        let sent = call.arguments().unwrap_or("{}");
        let shown = reply::shown(&failed.failure.fault, &self.manner(life), sent);
        let tool = match self.link.tools().find(call.tool()) {
            Found::Known(tool) | Found::Stale(tool) => Some(tool),
            Found::Unknown | Found::Unlisted => None,
        };
        let schema = tool.as_ref().and_then(|tool| tool.input());
        let tool = schema.map(|schema| format!(r#"{{"inputSchema":{}}}"#, schema.text()));
        Question::of(shown.public(), tool.as_deref())
    }

    /// Whether the client can put a question to its user; if so, whether it is a modern one.
    fn can_ask(&self, call: &Call, life: &Life) -> Option<bool> {
        if call.params().has_input || call.params().is_task {
            return None;
        }
        let (is_modern, fills_forms) = if call.params().is_modern {
            (
                true,
                ClientCapabilities::of(call.capabilities()).fills_forms,
            )
        } else if life.is_modern() {
            (true, life.fills_forms())
        } else {
            (false, self.link.fills_forms())
        };
        fills_forms.then_some(is_modern)
    }

    /// Asks the client while its call waits; nothing if it does not answer.
    async fn ask_now(&self, question: &Question, life: &mut Life) -> Result<Option<String>, Stop> {
        let (params, total) = (question.params(), self.upstream().patience.total);
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{params}}}"#
        );
        let Ok(frame) = Frame::parse(text.into_bytes(), &FrameLimits::REQUEST) else {
            return Ok(None);
        };
        // People are slow.
        let idle = total;
        let since = Instant::now();
        let answer = life.ask(frame, Timeouts { idle, total })?;
        let answer = match life.unless_called_off(answer).await {
            Ok(answer) => answer,
            // Its caller is told what it would have been told without a user.
            Err(Stop::Failed(_)) => return Ok(None),
            Err(stop @ Stop::TakenBack) => return Err(stop),
        };
        life.waited_for_people(since.elapsed());
        Ok(match answer {
            connection::AskOutcome::Reply(frame) if frame.kind() == Kind::Result => {
                frame.body().map(str::to_owned)
            }
            connection::AskOutcome::Reply(_) | connection::AskOutcome::Lost(_) => None,
        })
    }

    /// Answers with the question. What failed is kept by the client until it comes back.
    fn ask_back(
        &self,
        failed: Box<Failed>,
        question: &Question,
        life: &Life,
    ) -> Result<Answer, Stop> {
        let sent = life.call.as_ref().and_then(|call| call.arguments());
        let shown = reply::shown(
            &failed.failure.fault,
            &self.manner(life),
            sent.unwrap_or("{}"),
        );
        let state = format!("{STATE}{}", reply::object(&shown));
        if state.len() > LONGEST_STATE {
            return Err(failed.into());
        }
        let state = serde_json::Value::from(state);
        let params = question.params();
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"input_required","inputRequests":{{"{KEY}":{{"method":"elicitation/create","params":{params}}}}},"requestState":{state}}}}}"#
        );
        match Frame::parse(text.into_bytes(), &FrameLimits::RESPONSE) {
            Ok(frame) => Ok(Answer { frame, asks: true }),
            Err(_) => Err(failed.into()),
        }
    }

    /// A call that comes back with what a user said to a question of ours, as the call it has become.
    pub(super) fn resume(&self, call: Arc<Call>, life: &mut Life) -> Result<Arc<Call>, Stop> {
        if !call.params().has_input {
            return Ok(call);
        }
        let params = Object::of(call.body(), &["inputResponses", "requestState"]);
        let said = params.as_ref().and_then(|params| {
            let responses = Object::of(params.get("inputResponses")?, &[KEY])?;
            responses.get(KEY)
        });
        let (Some(params), Some(said)) = (&params, said) else {
            // A server has asked.
            return Ok(call);
        };
        let correctable = self.upstream().tools.policy(call.tool()).ask;
        let asked = params.text("requestState");
        let asked = asked.and_then(|state| Some(value_of(state.strip_prefix(STATE)?)));
        let fault = asked.as_ref().and_then(fault_of).ok_or_else(broken)?;
        let question = Question::of(fault.public(), None)
            .filter(|question| question.is_only_about(&correctable))
            .ok_or_else(broken)?;
        match question.answered(said, call.arguments().unwrap_or("{}")) {
            Answered::Arguments(arguments) => match call.otherwise(&arguments) {
                Some(raw) => Ok(life.read(Call::of(raw), self.upstream())),
                None => Err(fault.into()),
            },
            Answered::Declined(fault) => Err(fault.into()),
            Answered::Cancelled => Err(fault.into()),
        }
    }
}

impl Failed {
    /// Changes what is told of it.
    pub(super) fn change(&mut self, change: impl FnOnce(Fault) -> Fault) {
        let fault = std::mem::replace(&mut self.failure.fault, Fault::internal());
        self.failure.fault = change(fault);
    }
}

impl Call {
    /// The call with other arguments and without what was said to questions; nothing if the arguments are what they were:
    /// nobody repeats a call in here that does nothing new.
    fn otherwise(&self, arguments: &str) -> Option<Raw> {
        let before = self.arguments().unwrap_or("{}");
        if value_of(before) == value_of(arguments) {
            return None;
        }
        let names = ["arguments", "inputResponses", "requestState"];
        let params = Object::of(self.body(), &names)?.edit();
        let params = params.put("arguments", arguments);
        let params = params.drop("inputResponses").drop("requestState").write();
        Some(self.with_body(params))
    }
}

/// What failed, as a client has kept it for us. It can only fool itself.
fn fault_of(object: &serde_json::Value) -> Option<Fault> {
    let error = serde_json::json!({"code": -32000, "message": "", "data": object});
    match breakfall::read::read(error).outcome {
        Outcome::Fault(fault) => Some(fault),
        Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => None,
    }
}

fn broken() -> Stop {
    let fault = Fault::invalid("This state of a call is none that was handed out")
        .detail("param_name", "requestState")
        .remediation("Call once more from the start, without 'requestState' and 'inputResponses'; the tool was not called.");
    Stop::refused(fault)
}

/// What our question is called, in an answer that asks.
pub(crate) const KEY: &str = "dev.breakfall/ask";
/// What the state of such an answer begins with.
const STATE: &str = "dev.breakfall/ask:";
/// More than this is not left with a client.
const LONGEST_STATE: usize = 32 << 10;
/// How often the user is asked about one call.
const QUESTIONS: usize = 3;
