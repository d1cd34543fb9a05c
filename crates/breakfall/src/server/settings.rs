//! How a guard answers: dialect, options, audience, hooks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ResultType};
use serde_json::Value;

use super::event::{Cancelled, Event};
use super::run::contained;
use crate::disclose::{Audience, Redactor};
use crate::fault::Fault;
use crate::outcome::{ItemResult, Outcome};
use crate::wire::{Dialect, Options, tool_result};

type OnFault = Arc<dyn Fn(&Event<'_>) + Send + Sync>;
type OnCancel = Arc<dyn Fn(&Cancelled<'_>) + Send + Sync>;

#[derive(Clone)]
pub(super) struct Settings {
    pub(super) dialect: Dialect,
    pub(super) options: Options,
    pub(super) audience: Audience,
    pub(super) deadline: Option<Duration>,
    pub(super) on_fault: Option<OnFault>,
    pub(super) on_cancel: Option<OnCancel>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dialect: Dialect::Native,
            options: Options::new(),
            audience: Audience::Client,
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
            .field("audience", &self.audience)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// What was written, and the faults it was written from, as they were before anything was taken out of them.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) result: CallToolResult,
    /// With its position, where it is one item of a batch.
    pub(super) faults: Vec<(Option<usize>, Fault)>,
}

impl Settings {
    /// Writes an outcome for a caller who sent these arguments. Wherever `structuredContent` could go it is filled;
    /// only the guard knows whether it may stay.
    pub(super) fn write(&self, outcome: Outcome, sent: &Value) -> Written {
        let redactor = self.redactor(sent);
        let mut faults = Vec::new();
        let shown = match outcome {
            Outcome::Fault(mut fault) => {
                let shown = self.shown(&mut fault, &redactor);
                faults.push((None, fault));
                Outcome::Fault(shown)
            }
            Outcome::Batch(mut batch) => {
                for (index, item) in batch.items.iter_mut().enumerate() {
                    match &mut item.result {
                        ItemResult::Failed(fault) => {
                            let shown = self.shown(fault, &redactor);
                            faults.push((Some(index), std::mem::replace(fault, shown)));
                        }
                        ItemResult::Pending(fault) => *fault = self.shown(fault, &redactor),
                        ItemResult::Done(_) => {}
                    }
                }
                redactor.outcome(Outcome::Batch(batch))
            }
            Outcome::Success(_) | Outcome::NeedsInput(_) => redactor.outcome(outcome),
        };
        let result = self.encode(&shown);
        Written { result, faults }
    }

    /// What a caller who sent these values may see of a fault. Both get the same id and time if they lack them.
    pub(super) fn shown(&self, fault: &mut Fault, redactor: &Redactor) -> Fault {
        self.stamp(fault);
        let mut shown = self.disclosed(fault, redactor);
        if shown.public().correlation_id.is_none() {
            // It was a secret, so it is none in the log either.
            self.stamp(&mut shown);
            let id = &shown.public().correlation_id;
            fault.public_mut().correlation_id.clone_from(id);
        }
        shown
    }

    /// A copy of the public half, without what the audience must not see.
    #[expect(clippy::unused_self, reason = "the language will be the guard's")]
    pub(super) fn disclosed(&self, fault: &Fault, redactor: &Redactor) -> Fault {
        redactor.fault(Fault::from_public(fault.public().clone()))
    }

    pub(super) fn redactor(&self, sent: &Value) -> Redactor {
        Redactor::new(self.audience).sparing(sent)
    }

    fn stamp(&self, fault: &mut Fault) {
        let public = fault.public_mut();
        if public.correlation_id.is_none() || public.timestamp.is_none() {
            let (id, now) = self.options.stamp.take();
            public.correlation_id.get_or_insert(id);
            public.timestamp.get_or_insert(now);
        }
    }

    fn encode(&self, outcome: &Outcome) -> CallToolResult {
        let success = match outcome {
            Outcome::Success(success) => Some(success),
            Outcome::Fault(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => None,
        };
        let options = self.options.clone().structured(success.is_none());
        // `problem` has no way to say anything but a failure.
        let written = tool_result(outcome, self.dialect, &options)
            .or_else(|_| tool_result(outcome, Dialect::Native, &options))
            .map(|result| result.to_value())
            .unwrap_or_default();
        let mut result: CallToolResult =
            serde_json::from_value(written).unwrap_or_else(|_| unwritten(outcome));
        result.result_type = Some(ResultType::COMPLETE);
        if let Some(success) = success {
            // A schema a tool declares for its output is about its data, not about an envelope around it.
            result.structured_content = success.data.is_object().then(|| success.data.clone());
        }
        result
    }

    /// Tells the hook. What it does wrong is not the caller's business.
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

/// A result the SDK cannot read: none of ours is, and if one were, it would not pass for a success.
fn unwritten(outcome: &Outcome) -> CallToolResult {
    let words = format!("The answer ({}) could not be written", outcome.kind());
    CallToolResult::error(vec![ContentBlock::text(words)])
}
