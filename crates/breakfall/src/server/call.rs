//! One call of a tool, from its arguments to its end.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use super::arguments;
use super::guard::Guard;
use super::note::CallNote;
use super::protocol::RequestScope;
use super::reply::ToolCall;
use super::run::{CaughtPanic, caught};
use crate::fault::Fault;

pub(super) type ToolAnswer = Result<CallToolResponse, ErrorData>;

impl<H: ServerHandler> Guard<H> {
    /// Calls the handler and turns however it ends into an answer.
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> ToolAnswer {
        let name = request.name.clone();
        let arguments = request.arguments.clone().unwrap_or_default();
        let sent = json!({"name": request.name, "arguments": arguments});
        let caller = self.caller(sent, &context);
        let note = Arc::new(CallNote::new(Arc::clone(&self.settings), caller));
        let mut call = ToolCall {
            settings: &self.settings,
            place: RequestScope::of_tool(&name),
            tool: self.known(&name),
            note: &note,
            over: false,
        };
        let token = context.ct.clone();
        // Only where a tool is unknown may the handler have to be asked for its list of tools.
        let spare = call.tool.is_none().then(|| context.clone());
        let end = self.run(&note, request, context).await;
        let mut names = Vec::new();
        if end.is_failure() {
            if let Some(context) = spare {
                names = self.names_in_time(&context).await;
            }
            call.tool = self.fresh(&name);
        }
        // Whatever is answered to a cancelled call the SDK drops, unless the whole server is going down.
        call.over = !token.is_cancelled();
        call.place.quiet = !call.over;
        let answer = match end {
            HandlerEnd::Answered(Ok(CallToolResponse::Complete(result))) => {
                Ok(call.complete(result).into())
            }
            HandlerEnd::Answered(Ok(other)) => Ok(other),
            HandlerEnd::Answered(Err(error)) => {
                match arguments::fault_of_error(&error, &note.caller.sent) {
                    Some(fault) => Ok(call.fail(fault).into()),
                    None => Err(call.refused(error, names)),
                }
            }
            HandlerEnd::Panicked(panic) => Ok(call.fail(panic.into_fault()).into()),
            HandlerEnd::Stopped(fault) => Ok(call.fail(fault).into()),
        };
        call.tell(&answer);
        answer
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
        note: &Arc<CallNote>,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> HandlerEnd {
        let name = request.name.clone();
        #[cfg(feature = "validate")]
        if let Some(fault) = self.misfit(&name, &note.caller.sent["arguments"]) {
            return HandlerEnd::Stopped(fault);
        }
        let running = caught(Some(note), || self.handler.call_tool(request, context));
        let ended = match self.settings.deadline {
            None => Ok(running.await),
            Some(deadline) => tokio::time::timeout(deadline, running)
                .await
                .map_err(|_| deadline),
        };
        match ended {
            Ok(Ok(answer)) => HandlerEnd::Answered(answer),
            Ok(Err(panic)) => HandlerEnd::Panicked(panic),
            Err(deadline) => HandlerEnd::Stopped(Fault::timeout(&name, deadline)),
        }
    }
}

/// The ways a call ends.
enum HandlerEnd {
    /// The handler answered.
    Answered(ToolAnswer),
    /// The handler panicked.
    Panicked(CaughtPanic),
    /// The handler was not asked, or not waited for.
    Stopped(Fault),
}

impl HandlerEnd {
    fn is_failure(&self) -> bool {
        match self {
            Self::Answered(Ok(CallToolResponse::Complete(result))) => result.is_error == Some(true),
            Self::Answered(Ok(_)) => false,
            Self::Answered(Err(_)) | Self::Panicked(_) | Self::Stopped(_) => true,
        }
    }
}
