//! What a caller is told of a call: the answer of the handler, or the fault that stands in for it.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, ErrorCode};
use serde_json::{Value, json};

use super::arguments;
use super::block;
use super::call::ToolAnswer;
use super::event::{Called, Cancelled};
use super::note::CallNote;
use super::protocol::{RequestScope, unknown_tool};
use super::repeat;
use super::settings::{GuardSettings, WrittenReply};
use super::tools::SeenTool;
use crate::code::Category;
use crate::fault::{CorrelationId, Fault};
use crate::outcome::{Elicitation, Outcome, Success};
use crate::read::read_by;
use crate::wire::native::{self, BATCH_KEY, ERROR_KEY, NEEDS_INPUT_KEY};
use crate::wire::{Dialect, Rpc};

/// A tool call and its context.
pub(super) struct ToolCall<'a> {
    pub(super) settings: &'a GuardSettings,
    pub(super) place: RequestScope<'a>,
    pub(super) tool: Option<Arc<SeenTool>>,
    pub(super) note: &'a Arc<CallNote>,
    pub(super) id: CorrelationId,
    /// What is wrong with the arguments, where the handler was called with them all the same.
    pub(super) misfit: Option<Fault>,
    /// Whether the call ran to its end without being cancelled.
    pub(super) over: bool,
}

impl ToolCall<'_> {
    /// Answers with a fault of our own.
    pub(super) fn fail(&self, fault: Fault) -> CallToolResult {
        let written = self
            .settings
            .write(Outcome::Fault(fault), &self.note.caller);
        let result = written.result.clone();
        self.settle(written, result)
    }

    /// Answers that the handler could not read its arguments. The schema says more of them than the handler does.
    pub(super) fn unfit(&mut self, fault: Fault) -> CallToolResult {
        let misfit = self
            .misfit
            .take()
            .filter(|_| fault.code().category() == Category::Validation);
        self.fail(misfit.unwrap_or(fault))
    }

    /// Reports the call to the hook, unless it was cancelled.
    pub(super) fn tell(&self, answer: &ToolAnswer) {
        if !self.over || self.settings.on_call.is_none() {
            return;
        }
        let unsaid = || match answer {
            Ok(CallToolResponse::InputRequired(_)) => Elicitation::default().into(),
            Ok(_) | Err(_) => Success::default().into(),
        };
        self.settings.tell_called(&Called {
            tool: self.place.tool.unwrap_or_default(),
            correlation_id: &self.id,
            arguments: &self.note.caller.sent["arguments"],
            outcome: self.place.came_to.get_or_init(unsaid),
            duration: self.place.duration(),
        });
    }

    /// A JSON-RPC error the handler gave: the tool is unknown, or the handler used the code for something else.
    pub(super) fn refused(&self, error: ErrorData, names: Vec<String>) -> ErrorData {
        // The two codes servers have for a tool they do not have.
        let may_be = [ErrorCode::INVALID_PARAMS, ErrorCode::METHOD_NOT_FOUND];
        let says_so = !names.is_empty() || error.message == "tool not found";
        if self.tool.is_none() && says_so && may_be.contains(&error.code) {
            let fault = unknown_tool(self.place.tool.unwrap_or_default(), names);
            let rpc = Rpc::InvalidParams;
            return self
                .settings
                .refuse(rpc, fault, &self.note.caller, &self.place);
        }
        self.settings.enrich(error, &self.note.caller, &self.place)
    }

    /// A result the handler gave, with a warning where it succeeded on arguments that do not fit.
    pub(super) fn complete(&mut self, result: CallToolResult) -> CallToolResult {
        #[cfg_attr(
            not(feature = "validate"),
            expect(unused_mut, reason = "arguments are not looked at")
        )]
        let mut result = self.completed(result);
        #[cfg(feature = "validate")]
        if let Some(misfit) = self.misfit.take_if(|_| result.is_error != Some(true)) {
            self.settings
                .warn_of_misfit(&mut result, &misfit, &self.note.caller);
        }
        result
    }

    fn completed(&mut self, mut result: CallToolResult) -> CallToolResult {
        if let Some(written) = self.note.said_as(&result) {
            return self.settle(written, result);
        }
        let GuardSettings {
            classifier,
            options,
            ..
        } = self.settings;
        if result.is_error != Some(true) {
            let value = || serde_json::to_value(&result).unwrap_or_default();
            let masked = classifier.unmasks().then(value);
            match masked.and_then(|value| classifier.disguised_with(&value, options)) {
                None => return result,
                Some(hidden) => {
                    result.is_error = Some(true);
                    return self.written_by_hand(result, hidden.fault, false);
                }
            }
        }
        if let Some(fault) = arguments::fault_of_result(&result, &self.note.caller.sent) {
            return self.unfit(fault);
        }
        let value = serde_json::to_value(&result).unwrap_or_default();
        let reading = read_by(value, options, classifier);
        let speaks = reading.dialect.is_some();
        let fault = match reading.outcome {
            Outcome::Fault(fault) => fault,
            Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => Fault::internal(),
        };
        self.written_by_hand(result, fault, speaks)
    }

    /// A result that was written from an [`Outcome`]: tells the hook, and takes back what may not be there.
    fn settle(&self, mut written: WrittenReply, mut result: CallToolResult) -> CallToolResult {
        if let Some(outcome) = written.outcome.take() {
            self.place.came_to.get_or_init(|| outcome);
        }
        for (item, fault) in &written.faults {
            self.settings.tell(fault, *item, &self.place);
        }
        // The SDK marks whatever comes out of an error branch as failed; a question is not a failure.
        result.is_error = written.result.is_error;
        let ours = result.structured_content == written.result.structured_content;
        if ours && !self.may_be_structured() {
            self.withdraw(&mut result, &written);
        }
        self.redact(&mut result, Some(&written.result));
        result
    }

    /// Clears `structuredContent`. Where the object stood nowhere else it moves to `_meta`, and a fault that would have
    /// asked fails: a successful result has to satisfy the schema of the tool.
    fn withdraw(&self, result: &mut CallToolResult, written: &WrittenReply) {
        let Some(object) = result.structured_content.take() else {
            return;
        };
        let fault = written.faults.iter().find(|(item, _)| item.is_none());
        if fault.is_some() {
            result.is_error = Some(true);
        }
        if self.settings.dialect != Dialect::ToolError || self.settings.options.strict {
            return;
        }
        let (key, object) = match fault {
            Some((_, fault)) => {
                let shown = self.settings.copy(fault, &self.note.caller);
                (ERROR_KEY, self.settings.object(&shown))
            }
            None if object.get("kind").is_some() => (NEEDS_INPUT_KEY, object),
            None => (BATCH_KEY, object),
        };
        result
            .meta
            .get_or_insert_default()
            .insert(key.to_owned(), object);
    }

    /// Whether a failure may fill `structuredContent`: only where a client cannot check it against a schema for
    /// successes. Two dialects demand it to the letter.
    fn may_be_structured(&self) -> bool {
        let dialect = self.settings.dialect;
        let demanded = self.settings.options.strict
            && matches!(dialect, Dialect::ToolError | Dialect::ErrorModel);
        let tool = self.tool.as_ref();
        demanded || tool.is_some_and(|seen| seen.tool.output_schema.is_none())
    }

    /// An error that the handler wrote by hand keeps its blocks. The rendered ones go in front, unless it is already in a known
    /// format: a client that reads the text alone has to find code, fix and id there too.
    fn written_by_hand(
        &self,
        mut result: CallToolResult,
        fault: Fault,
        speaks: bool,
    ) -> CallToolResult {
        let mut fault = repeat::reported(fault, self.note.caller.is_repeatable);
        let shown = self.settings.shown(&mut fault, &self.note.caller);
        self.settings.tell(&fault, None, &self.place);
        self.redact(&mut result, None);
        let strict = self.settings.options.strict;
        if result.content.is_empty() || !(speaks || strict) {
            let mut ours = self.settings.encode(&shown.clone().into());
            if self.settings.dialect == Dialect::Native && !result.content.is_empty() {
                let object = native::object(shown.public(), &self.settings.options);
                ours.content = vec![ContentBlock::text(object.preamble())];
            }
            result.content.splice(0..0, ours.content);
            if result.structured_content.is_none() && self.may_be_structured() {
                result.structured_content = ours.structured_content;
            }
        }
        if !strict {
            let meta = result.meta.get_or_insert_default();
            complete(
                meta.entry(ERROR_KEY).or_insert_with(|| json!({})),
                self.settings.object(&shown),
            );
        }
        result
    }

    /// Takes out of a failure what others put in. What we wrote has been through that.
    fn redact(&self, result: &mut CallToolResult, ours: Option<&CallToolResult>) {
        let redactor = self.settings.redactor(&self.note.caller);
        let done = ours.map_or(0, |ours| ours.content.len());
        for block in result.content.iter_mut().skip(done) {
            block::redact(redactor, block);
        }
        let same =
            |value: &Value| ours.and_then(|ours| ours.structured_content.as_ref()) == Some(value);
        if let Some(value) = result
            .structured_content
            .as_mut()
            .filter(|value| !same(value))
        {
            redactor.value(value);
        }
        let our_meta = ours.and_then(|ours| ours.meta.as_ref());
        block::members(redactor, &mut result.meta, |key, value| {
            our_meta.is_some_and(|meta| meta.get(key) == Some(value))
        });
    }
}

/// Completes the object under this library's key, above all with the id the log has. Other values stay.
fn complete(given: &mut Value, own: Value) {
    match (given, own) {
        (Value::Object(given), Value::Object(own)) => {
            for (key, value) in own {
                given.entry(key).or_insert(value);
            }
        }
        (given, own) => *given = own,
    }
}

/// Tells of a call that ended without an answer: it was cancelled, or its future was dropped.
impl Drop for ToolCall<'_> {
    fn drop(&mut self) {
        if !self.over {
            self.settings.tell_cancelled(&Cancelled {
                tool: self.place.tool.unwrap_or_default(),
                correlation_id: &self.id,
                duration: self.place.duration(),
            });
        }
    }
}
