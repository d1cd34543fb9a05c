//! Corrects a failed call: where a parameter is wrong that a user can correct, the user is asked, and the call is made again.

use std::sync::Arc;

use breakfall::{Fault, Outcome};

use super::attempt::Answer;
use super::elicit::{ElicitationChannel, input_required, returned_input};
use super::{Call, CallContext, CallError, CallFailure, Pipeline};
use crate::classify::{ExecutionEvidence, value_of};
use crate::reply::{self, UserQuestion, UserResponse};
use crate::tools::ToolLookup;
use breakfall_mcp::jsonrpc::splice::Object;

/// What follows a failure.
enum Correction {
    /// The call is made again with the arguments of the user.
    Retry(Call),
    /// The call is over.
    Done(Result<Answer, CallError>),
}

impl Pipeline {
    /// Runs a call, and again as often as its user corrects it.
    pub(super) async fn run_corrected(
        &self,
        context: &mut CallContext,
    ) -> Result<Answer, CallError> {
        for _ in 0..MAX_QUESTIONS {
            let failed = match self.run(context).await {
                Err(CallError::Failed(failed)) => failed,
                end @ (Ok(_) | Err(CallError::Cancelled)) => return end,
            };
            match self.correct(failed, context).await? {
                Correction::Retry(call) => context.restart(call),
                Correction::Done(end) => return end,
            }
        }
        self.run(context).await
    }

    /// Asks the user about a failure, if the operator names parameters that a user can correct.
    async fn correct(
        &self,
        mut failed: Box<CallFailure>,
        context: &mut CallContext,
    ) -> Result<Correction, CallError> {
        let Some(question) = self.question(&mut failed, context) else {
            return Ok(Correction::Done(Err(failed.into())));
        };
        let call = Arc::clone(&context.call);
        let sent = call.arguments().unwrap_or("{}");
        let answered = match self.elicitation_channel(context) {
            None => return Ok(Correction::Done(Err(failed.into()))),
            Some(ElicitationChannel::Result) => {
                // The client keeps what failed until it comes back.
                let shown = reply::shown(&failed.failure.fault, &self.reply_options(context), sent);
                let asks = input_required(&question.params(), &reply::object(&shown));
                return Ok(Correction::Done(asks.ok_or_else(|| failed.into())));
            }
            Some(ElicitationChannel::Request) => {
                let response = self.elicit(&question.params(), context).await?;
                response.map_or(UserResponse::Cancelled, |said| {
                    question.answered(&said, sent)
                })
            }
        };
        Ok(match answered {
            UserResponse::Arguments(arguments) => match call.corrected(&arguments) {
                Some(call) => Correction::Retry(call),
                None => Correction::Done(Err(failed.into())),
            },
            UserResponse::Declined(fault) => Correction::Done(Err(fault.into())),
            UserResponse::Cancelled => Correction::Done(Err(failed.into())),
        })
    }

    /// The question about a failure, in words its reader may see and understands; `None` if a user cannot correct it.
    fn question(&self, failed: &mut CallFailure, context: &CallContext) -> Option<UserQuestion> {
        let correctable = &context.policy.ask;
        if correctable.is_empty() || failed.failure.fault.public().elicitation().is_some() {
            return None;
        }
        let (call, sent) = (&context.call, context.arguments());
        let tool = context.caller_name(call.tool());
        failed.map_fault(|fault| reply::asking(fault, &tool, correctable, sent));
        // A call that was made twice may have had its effect the first time, and not find any more what it did away with.
        let is_certain = failed.original.is_some() && failed.evidence != ExecutionEvidence::Lost;
        let is_harmless = is_certain && context.exchange.tried.total() == 1;
        if !is_harmless || !reply::is_about_ids(failed.failure.fault.public()) {
            return None;
        }
        let shown = reply::shown(&failed.failure.fault, &self.reply_options(context), sent);
        let tool = match self.link.tools().find(call.tool()) {
            ToolLookup::Known(tool) | ToolLookup::Stale(tool) => Some(tool),
            ToolLookup::Unknown | ToolLookup::Unlisted => None,
        };
        let schema = tool.as_ref().and_then(|tool| tool.input());
        let tool = schema.map(|schema| format!(r#"{{"inputSchema":{}}}"#, schema.text()));
        UserQuestion::of(&shown.public(), tool.as_deref())
    }

    /// Turns a call that brings the answer of a user into the corrected call.
    pub(super) fn resume(
        call: Arc<Call>,
        context: &mut CallContext,
    ) -> Result<Arc<Call>, CallError> {
        let Some(input) = returned_input(&call) else {
            return Ok(call);
        };
        let failed = input.state.as_deref().map(value_of);
        let fault = failed.as_ref().and_then(fault_of).ok_or_else(bad_state)?;
        let question = UserQuestion::of(fault.public(), None)
            .filter(|question| question.is_only_about(&context.policy.ask))
            .ok_or_else(bad_state)?;
        match question.answered(input.response, call.arguments().unwrap_or("{}")) {
            UserResponse::Arguments(arguments) => match call.corrected(&arguments) {
                Some(corrected) => {
                    context.call = Arc::new(corrected);
                    Ok(Arc::clone(&context.call))
                }
                None => Err(fault.into()),
            },
            UserResponse::Declined(fault) => Err(fault.into()),
            UserResponse::Cancelled => Err(fault.into()),
        }
    }
}

impl Call {
    /// The call with other arguments and without the responses to questions; `None` if the arguments are the same, since the
    /// same call would fail again.
    fn corrected(&self, arguments: &str) -> Option<Self> {
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

/// The fault a client kept. A client that changes it deceives only itself.
fn fault_of(object: &serde_json::Value) -> Option<Fault> {
    let error = serde_json::json!({"code": -32000, "message": "", "data": object});
    match breakfall::read::read(error).outcome {
        Outcome::Fault(fault) => Some(fault),
        Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => None,
    }
}

fn bad_state() -> CallError {
    let fault = Fault::invalid("The request state was not issued by this gateway")
        .detail("param_name", "requestState")
        .remediation("Call once more from the start, without 'requestState' and 'inputResponses'; the tool was not called.");
    CallError::refused(fault)
}

/// How often the user is asked about one call.
const MAX_QUESTIONS: usize = 3;
