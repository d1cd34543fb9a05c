//! How a guard answers: dialect, options, hooks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ResultType};

use super::event::{Cancelled, Event};
use super::run::contained;
use crate::fault::Fault;
use crate::outcome::{ItemResult, Outcome};
use crate::wire::{Dialect, Options, tool_result};

type OnFault = Arc<dyn Fn(&Event<'_>) + Send + Sync>;
type OnCancel = Arc<dyn Fn(&Cancelled<'_>) + Send + Sync>;

#[derive(Clone)]
pub(super) struct Settings {
    pub(super) dialect: Dialect,
    pub(super) options: Options,
    pub(super) deadline: Option<Duration>,
    pub(super) on_fault: Option<OnFault>,
    pub(super) on_cancel: Option<OnCancel>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dialect: Dialect::Native,
            options: Options::new(),
            deadline: None,
            on_fault: None,
            on_cancel: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("dialect", &self.dialect)
            .field("options", &self.options)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// Writes an outcome, which gets its id on the way: the one on the wire is the one in the log. Where
    /// `structuredContent` could go it is filled; only the guard knows whether it may stay.
    pub(super) fn write(&self, mut outcome: Outcome) -> (Outcome, CallToolResult) {
        match &mut outcome {
            Outcome::Fault(fault) => self.stamp(fault),
            Outcome::Batch(batch) => {
                for item in &mut batch.items {
                    match &mut item.result {
                        ItemResult::Failed(fault) | ItemResult::Pending(fault) => self.stamp(fault),
                        ItemResult::Done(_) => {}
                    }
                }
            }
            Outcome::Success(_) | Outcome::NeedsInput(_) => {}
        }
        let result = self.encode(&outcome);
        (outcome, result)
    }

    fn encode(&self, outcome: &Outcome) -> CallToolResult {
        let success = match outcome {
            Outcome::Success(success) => Some(success),
            Outcome::Fault(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => None,
        };
        let structured = success.is_none() || self.dialect == Dialect::Native;
        let options = self.options.clone().structured(structured);
        // `problem` has no way to say anything but a failure.
        let written = tool_result(outcome, self.dialect, &options)
            .or_else(|_| tool_result(outcome, Dialect::Native, &options))
            .map(|result| result.to_value())
            .unwrap_or_default();
        let mut result: CallToolResult = serde_json::from_value(written)
            .unwrap_or_else(|_| CallToolResult::error(vec![ContentBlock::text("")]));
        result.result_type = Some(ResultType::COMPLETE);
        if let Some(success) = success {
            // A schema a tool declares for its output is about its data, not about an envelope around it.
            result.structured_content = success.data.is_object().then(|| success.data.clone());
        }
        result
    }

    /// Gives a fault the id and the time it lacks.
    pub(super) fn stamp(&self, fault: &mut Fault) {
        let public = fault.public_mut();
        if public.correlation_id.is_none() || public.timestamp.is_none() {
            let (id, now) = self.options.stamp.take();
            public.correlation_id.get_or_insert(id);
            public.timestamp.get_or_insert(now);
        }
    }

    pub(super) fn tell_fault(&self, event: &Event<'_>) {
        if let Some(hook) = &self.on_fault {
            contained(|| hook(event));
        }
    }

    pub(super) fn tell_cancelled(&self, event: &Cancelled<'_>) {
        if let Some(hook) = &self.on_cancel {
            contained(|| hook(event));
        }
    }
}
