//! One call of a tool, from its arguments to its answer.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ErrorCode, Tool};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::arguments;
use super::event::Cancelled;
use super::guard::Guard;
use super::note::{Note, Said};
use super::protocol::{Place, panicked, unknown_tool};
use super::run::{Panic, caught};
use super::settings::Settings;
use crate::fault::Fault;
use crate::outcome::Outcome;
use crate::wire::native::ERROR_KEY;
use crate::wire::{Dialect, Rpc};

type Answer = Result<CallToolResponse, ErrorData>;

impl<H: ServerHandler> Guard<H> {
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer {
        let name = request.name.clone();
        let mut call = Call {
            settings: &self.settings,
            place: Place::of_tool(&name),
            tool: self.known(&name),
            over: false,
        };
        let token = context.ct.clone();
        // A handler that knows its tools does not have to be asked for the list of them.
        let spare = call.tool.is_none().then(|| context.clone());
        let note = Arc::new(Note::new(Arc::clone(&self.settings)));
        let end = self.run(&note, request, context).await;
        if token.is_cancelled() {
            // Dropping the call tells of it. The SDK drops whatever is answered now.
            return match end {
                End::Answered(answer) => answer,
                End::Panicked(_) | End::TooLate(_) => {
                    Err(ErrorData::internal_error("cancelled", None))
                }
            };
        }
        call.over = true;
        match end {
            End::Panicked(panic) => Ok(call.fail(panicked(&panic)).into()),
            End::TooLate(fault) => Ok(call.fail(fault).into()),
            End::Answered(Ok(CallToolResponse::Complete(result))) => {
                Ok(call.complete(result, &note).into())
            }
            End::Answered(Ok(other)) => Ok(other),
            End::Answered(Err(error)) => {
                if let Some(fault) = arguments::fault_of(&error, &name) {
                    return Ok(call.fail(fault).into());
                }
                let names = match spare {
                    Some(context) if may_be_unknown(&error) => self.names(&context).await,
                    Some(_) | None => Vec::new(),
                };
                Err(call.refused(error, names))
            }
        }
    }

    async fn run(
        &self,
        note: &Arc<Note>,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> End {
        let name = request.name.clone();
        let running = caught(Some(note), || self.handler.call_tool(request, context));
        let ended = match self.settings.deadline {
            None => Ok(running.await),
            Some(deadline) => tokio::time::timeout(deadline, running)
                .await
                .map_err(|_| deadline),
        };
        match ended {
            Ok(Ok(answer)) => End::Answered(answer),
            Ok(Err(panic)) => End::Panicked(panic),
            Err(deadline) => End::TooLate(Fault::timeout(&name, deadline)),
        }
    }
}

/// The three ways a handler ends.
enum End {
    Answered(Answer),
    Panicked(Panic),
    TooLate(Fault),
}

/// A call and what is known about it.
struct Call<'a> {
    settings: &'a Settings,
    place: Place<'a>,
    tool: Option<Tool>,
    over: bool,
}

impl Call<'_> {
    /// Answers with a fault of our own.
    fn fail(&self, fault: Fault) -> CallToolResult {
        let (outcome, result) = self.settings.write(Outcome::Fault(fault));
        let said = Said {
            result: result.clone(),
            outcome,
        };
        self.settle(&said, result)
    }

    /// A result the handler gave.
    fn complete(&self, result: CallToolResult, note: &Note) -> CallToolResult {
        if let Some(said) = note.said_as(&result) {
            return self.settle(&said, result);
        }
        if result.is_error != Some(true) {
            return result;
        }
        if let Some(fault) =
            arguments::fault_of_result(&result, self.place.tool.unwrap_or_default())
        {
            return self.fail(fault);
        }
        self.written_by_hand(result)
    }

    /// A result that was written from an outcome of ours: tells the hook, and takes back what may not be there.
    fn settle(&self, said: &Said, mut result: CallToolResult) -> CallToolResult {
        match &said.outcome {
            Outcome::Fault(fault) => self.settings.tell(fault, None, &self.place),
            Outcome::Batch(batch) => {
                for (index, fault) in batch.faults() {
                    self.settings.tell(fault, Some(index), &self.place);
                }
            }
            Outcome::Success(_) | Outcome::NeedsInput(_) => {}
        }
        // The SDK marks whatever comes out of an error branch as failed; a question is none.
        result.is_error = said.result.is_error;
        if result.structured_content == said.result.structured_content && !self.may_be_structured()
        {
            result.structured_content = None;
        }
        result
    }

    /// Whether a failure may fill `structuredContent`: only where nobody could check it against a schema for
    /// successes. Two dialects demand it to the letter.
    fn may_be_structured(&self) -> bool {
        let demanded = matches!(
            self.settings.dialect,
            Dialect::ToolError | Dialect::ErrorModel
        ) && self.settings.options.strict;
        let free = self
            .tool
            .as_ref()
            .is_some_and(|tool| tool.output_schema.is_none());
        demanded || free
    }

    /// An error somebody wrote by hand keeps its blocks; our object goes where nobody minds it.
    fn written_by_hand(&self, mut result: CallToolResult) -> CallToolResult {
        let value = serde_json::to_value(&result).unwrap_or_default();
        let Outcome::Fault(mut fault) = crate::read(value).outcome else {
            return result;
        };
        self.settings.stamp(&mut fault);
        self.settings.tell(&fault, None, &self.place);
        if !self.settings.options.strict {
            let object = self.settings.object(&fault);
            let meta = result.meta.get_or_insert_default();
            meta.entry(ERROR_KEY).or_insert(object);
        }
        result
    }

    /// A JSON-RPC error the handler gave.
    fn refused(&self, error: ErrorData, names: Vec<String>) -> ErrorData {
        let tool = self.place.tool.unwrap_or_default();
        let unknown = self.tool.is_none()
            && may_be_unknown(&error)
            && (error.message == "tool not found"
                || !names.is_empty() && !names.iter().any(|name| name == tool));
        if unknown {
            let fault = unknown_tool(tool, names);
            return self.settings.refuse(Rpc::InvalidParams, fault, &self.place);
        }
        self.settings.enrich(error, &self.place)
    }
}

/// Tells of a call that ended without an answer: it was cancelled, or whoever ran it dropped it.
impl Drop for Call<'_> {
    fn drop(&mut self) {
        if !self.over {
            self.settings.tell_cancelled(&Cancelled {
                tool: self.place.tool.unwrap_or_default(),
                duration: self.place.duration(),
            });
        }
    }
}

/// The two codes servers have for a tool they do not have.
fn may_be_unknown(error: &ErrorData) -> bool {
    [ErrorCode::INVALID_PARAMS, ErrorCode::METHOD_NOT_FOUND].contains(&error.code)
}

impl Settings {
    /// The native object of a fault.
    fn object(&self, fault: &Fault) -> Value {
        crate::wire::rpc_error(fault.public(), Dialect::Native, &self.options).to_value()["data"]
            .take()
    }
}
