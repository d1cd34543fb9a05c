//! One call of a tool, from its arguments to its end.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use super::arguments;
use super::ask::{Answers, UserReply};
use super::guard::Guard;
use super::note::CallNote;
use super::protocol::RequestScope;
use super::repeat;
use super::reply::ToolCall;
use super::run::{CaughtPanic, caught};
use crate::fault::{CorrelationId, Fault};

pub(super) type ToolAnswer = Result<CallToolResponse, ErrorData>;

/// What is next in a call.
enum CallStep {
    /// The call is over.
    Done(ToolAnswer),
    /// The user gave values for the arguments, and the handler is called with them.
    Again,
}

impl<H: ServerHandler> Guard<H> {
    /// Calls the handler and turns however it ends into an answer. Where the handler asks the user, it is called again
    /// with the user's values.
    pub(super) async fn call(
        &self,
        mut request: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> ToolAnswer {
        let (id, _) = self.settings.options.stamp.take();
        context.extensions.insert(id.clone());
        let (mut answers, mut refused) = Answers::of(&mut request);
        let original = request.arguments.clone().unwrap_or_default();
        loop {
            let arguments = answers.filled(&original);
            if request.arguments.is_some() || !arguments.is_empty() {
                request.arguments = Some(arguments);
            }
            let attempt = self.attempt(&request, &context, &id, &mut answers, refused.take());
            match attempt.await {
                CallStep::Done(answer) => return answer,
                CallStep::Again => {}
            }
        }
    }

    /// One round of a call. `end` is its end where the handler need not be asked.
    async fn attempt(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        id: &CorrelationId,
        answers: &mut Answers,
        end: Option<Fault>,
    ) -> CallStep {
        let name = &*request.name;
        let tool = self.known(name);
        let is_unknown = tool.is_none();
        let arguments = request.arguments.clone().unwrap_or_default();
        let mut caller = self.caller(json!({"name": name, "arguments": arguments}), context);
        caller.id = Some(id.clone());
        caller.is_repeatable = tool
            .as_ref()
            .is_some_and(|seen| repeat::is_repeatable(&seen.tool));
        let span = tracing::info_span!("tools/call", tool = name, correlation_id = id.as_str());
        let note = Arc::new(CallNote::new(Arc::clone(&self.settings), caller, span));
        let mut call = ToolCall {
            settings: &self.settings,
            place: RequestScope::of_tool(name),
            tool,
            note: &note,
            id: id.clone(),
            misfit: None,
            over: false,
        };
        let mut end = match end {
            Some(fault) => HandlerEnd::Stopped(fault),
            None => self.run(&mut call, request, context).await,
        };
        if let Some(question) = end.result().and_then(|result| note.question(result)) {
            let tool = call.tool.as_ref().map(|seen| &seen.tool);
            match answers.ask(&question, tool, context).await {
                UserReply::Values => {
                    call.over = true;
                    return CallStep::Again;
                }
                UserReply::Later(required) => {
                    call.over = true;
                    let answer = Ok(required.into());
                    call.tell(&answer);
                    return CallStep::Done(answer);
                }
                UserReply::Declined(fault) => end = HandlerEnd::Stopped(fault),
                UserReply::Unasked => {}
            }
        }
        let mut names = Vec::new();
        if end.is_failure() {
            // Only where a tool is unknown may the handler have to be asked for its list of tools.
            if is_unknown {
                names = self.names_in_time(context).await;
            }
            call.tool = self.fresh(name);
        }
        // Whatever is answered to a cancelled call the SDK drops, unless the whole server is going down.
        call.over = !context.ct.is_cancelled();
        call.place.quiet = !call.over;
        let answer = note.span.in_scope(|| call.answer(end, names));
        CallStep::Done(answer)
    }

    /// The names of all tools. A handler that does not answer for its tools either gets no more time for that than a
    /// tool has.
    async fn names_in_time(&self, context: &RequestContext<RoleServer>) -> Vec<String> {
        let names = self.names(context);
        match self.settings.deadline {
            None => names.await,
            Some(deadline) => tokio::time::timeout(deadline, names)
                .await
                .unwrap_or_default(),
        }
    }

    async fn run(
        &self,
        call: &mut ToolCall<'_>,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> HandlerEnd {
        let note = call.note;
        #[cfg(feature = "validate")]
        if let Some(fault) = self.misfit(&request.name, &note.caller.sent["arguments"]) {
            if self.settings.check == super::ArgumentCheck::Reject {
                return HandlerEnd::Stopped(fault);
            }
            call.misfit = Some(fault);
        }
        let handle = || self.handler.call_tool(request.clone(), context.clone());
        let running = caught(Some(note), handle);
        let ended = match self.settings.deadline {
            None => Ok(running.await),
            Some(deadline) => tokio::time::timeout(deadline, running)
                .await
                .map_err(|_| deadline),
        };
        // Nothing says how far the handler came.
        let cut_short = |fault: Fault| {
            let is_repeatable = note.caller.is_repeatable;
            HandlerEnd::Stopped(if is_repeatable {
                fault
            } else {
                fault.maybe_executed()
            })
        };
        match ended {
            Ok(Ok(answer)) => HandlerEnd::Answered(answer),
            Ok(Err(panic)) => cut_short(CaughtPanic::into_fault(panic)),
            Err(deadline) => cut_short(Fault::timeout(&request.name, deadline)),
        }
    }
}

impl ToolCall<'_> {
    /// What the caller is answered. The hooks are told.
    fn answer(&mut self, end: HandlerEnd, names: Vec<String>) -> ToolAnswer {
        let sent = &self.note.caller.sent;
        let answer = match end {
            HandlerEnd::Answered(Ok(CallToolResponse::Complete(result))) => {
                Ok(self.complete(result).into())
            }
            HandlerEnd::Answered(Ok(other)) => Ok(other),
            HandlerEnd::Answered(Err(error)) => match arguments::fault_of_error(&error, sent) {
                Some(fault) => Ok(self.unfit(fault).into()),
                None => Err(self.refused(error, names)),
            },
            HandlerEnd::Stopped(fault) => Ok(self.fail(fault).into()),
        };
        self.tell(&answer);
        answer
    }
}

/// The ways a call ends.
enum HandlerEnd {
    /// The handler answered.
    Answered(ToolAnswer),
    /// The handler was not asked, not waited for, or panicked.
    Stopped(Fault),
}

impl HandlerEnd {
    /// The result of the handler.
    fn result(&self) -> Option<&CallToolResult> {
        match self {
            Self::Answered(Ok(CallToolResponse::Complete(result))) => Some(result),
            Self::Answered(_) | Self::Stopped(_) => None,
        }
    }

    fn is_failure(&self) -> bool {
        match self {
            Self::Answered(Ok(CallToolResponse::Complete(result))) => result.is_error == Some(true),
            Self::Answered(Ok(_)) => false,
            Self::Answered(Err(_)) | Self::Stopped(_) => true,
        }
    }
}
