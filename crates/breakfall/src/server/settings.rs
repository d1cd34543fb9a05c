//! How a guard answers: dialect, options, audience, hooks.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ResultType};
#[cfg(feature = "locale")]
use rmcp::{RoleServer, service::RequestContext};
use serde_json::Value;

#[cfg(feature = "validate")]
use super::check::ArgumentCheck;
use super::event::{Called, Cancelled, Event};
use super::repeat;
use super::run::contained;
use crate::classify::Classifier;
use crate::fault::{CorrelationId, Fault, Stamp};
#[cfg(feature = "locale")]
use crate::locale::Translator;
use crate::outcome::{ItemResult, Outcome};
use crate::redact::{Audience, Redacted, Redactor};
use crate::wire::{Dialect, Options, tool_result};

type OnFault = Arc<dyn Fn(&Event<'_>) + Send + Sync>;
#[cfg(feature = "locale")]
type LanguageOf = Arc<dyn Fn(&RequestContext<RoleServer>) -> Option<Translator> + Send + Sync>;
type OnCall = Arc<dyn Fn(&Called<'_>) + Send + Sync>;
type OnCancel = Arc<dyn Fn(&Cancelled<'_>) + Send + Sync>;

#[derive(Clone)]
pub(super) struct GuardSettings {
    pub(super) dialect: Dialect,
    pub(super) options: Options,
    pub(super) audience: Audience,
    pub(super) classifier: Classifier,
    pub(super) deadline: Option<Duration>,
    #[cfg(feature = "validate")]
    pub(super) check: ArgumentCheck,
    #[cfg(feature = "locale")]
    pub(super) language: Option<Translator>,
    #[cfg(feature = "locale")]
    pub(super) language_of: Option<LanguageOf>,
    pub(super) on_fault: Option<OnFault>,
    pub(super) on_call: Option<OnCall>,
    pub(super) on_cancel: Option<OnCancel>,
}

impl Default for GuardSettings {
    fn default() -> Self {
        Self {
            dialect: Dialect::Native,
            options: Options::new(),
            audience: Audience::Client,
            classifier: Classifier::new(),
            deadline: None,
            #[cfg(feature = "validate")]
            check: ArgumentCheck::Off,
            #[cfg(feature = "locale")]
            language: None,
            #[cfg(feature = "locale")]
            language_of: None,
            on_fault: None,
            on_call: None,
            on_cancel: None,
        }
    }
}

impl fmt::Debug for GuardSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardSettings")
            .field("dialect", &self.dialect)
            .field("options", &self.options)
            .field("audience", &self.audience)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// The caller of a request, as far as an answer depends on it.
#[derive(Debug, Default)]
pub(super) struct CallerView {
    /// The id of the call, which its failures have too.
    pub(super) id: Option<CorrelationId>,
    /// Whether the tool may be called twice: see [`repeat::is_repeatable`].
    pub(super) is_repeatable: bool,
    /// What they sent, and may read again.
    pub(super) sent: Value,
    /// Who speaks their language, if it is not the rows' own.
    #[cfg(feature = "locale")]
    pub(super) translator: Option<Translator>,
    /// Who takes out what they must not see, once something has to be taken out.
    redactor: OnceLock<Redactor>,
}

/// A written result, and the faults it was written from, before redaction.
#[derive(Debug)]
pub(super) struct WrittenReply {
    pub(super) result: CallToolResult,
    /// With its position, where it is one item of a batch.
    pub(super) faults: Vec<(Option<usize>, Fault)>,
    /// The outcome, where it is more than a success or a fault.
    pub(super) outcome: Option<Outcome>,
}

impl WrittenReply {
    /// Whether a result begins as this one was written.
    pub(super) fn is_in(&self, result: &CallToolResult) -> bool {
        let content = &self.result.content;
        !content.is_empty() && result.content.starts_with(content)
    }
}

impl GuardSettings {
    /// A caller who sent this, and of whom nothing else is known.
    pub(super) fn caller(&self, sent: Value) -> CallerView {
        CallerView {
            id: None,
            is_repeatable: false,
            sent,
            #[cfg(feature = "locale")]
            translator: self.language.clone(),
            redactor: OnceLock::new(),
        }
    }

    /// Writes an outcome for a caller. Wherever `structuredContent` could go it is filled; only the guard knows whether
    /// it may stay.
    pub(super) fn write(&self, outcome: Outcome, caller: &CallerView) -> WrittenReply {
        let mut faults = Vec::new();
        let shown = match outcome {
            Outcome::Fault(fault) => {
                let mut fault = repeat::reported(fault, caller.is_repeatable);
                let shown = self.shown(&mut fault, caller);
                faults.push((None, fault));
                shown.into()
            }
            Outcome::Batch(mut batch) => {
                for (index, item) in batch.items.iter_mut().enumerate() {
                    match &mut item.result {
                        ItemResult::Failed(failed) => {
                            let fault = std::mem::replace(failed, Fault::internal());
                            let mut fault = repeat::reported(fault, caller.is_repeatable);
                            *failed = self.shown(&mut fault, caller).into_inner();
                            faults.push((Some(index), fault));
                        }
                        ItemResult::Pending(fault) => {
                            *fault = self.shown(fault, caller).into_inner();
                        }
                        ItemResult::Done(_) => {}
                    }
                }
                self.redacted(Outcome::Batch(batch), caller)
            }
            Outcome::Success(_) | Outcome::NeedsInput(_) => self.redacted(outcome, caller),
        };
        let result = self.encode(&shown);
        let is_more = matches!(*shown, Outcome::Batch(_) | Outcome::NeedsInput(_));
        WrittenReply {
            result,
            faults,
            outcome: is_more.then(|| shown.into_inner()),
        }
    }

    /// What a caller may see of a fault. Both get the same id and time if they lack them.
    pub(super) fn shown(&self, fault: &mut Fault, caller: &CallerView) -> Redacted<Fault> {
        let stamp = self.stamp(caller);
        stamped(fault, &stamp);
        let mut shown = self.copy(fault, caller);
        if shown.public().correlation_id.is_none() {
            // It was a secret, so the log must not have it either.
            shown = shown.stamped(&stamp);
            let id = &shown.public().correlation_id;
            fault.public_mut().correlation_id.clone_from(id);
        }
        shown
    }

    /// The public half of a fault, as far as a caller may see it.
    pub(super) fn copy(&self, fault: &Fault, caller: &CallerView) -> Redacted<Fault> {
        let copy = Fault::from_public(fault.public().clone());
        #[cfg(feature = "locale")]
        let copy = match &caller.translator {
            Some(translator) => copy.in_language(translator.clone()),
            None => copy,
        };
        self.redactor(caller).fault(copy)
    }

    /// An outcome as far as a caller may see it, in their language.
    pub(super) fn redacted(&self, outcome: Outcome, caller: &CallerView) -> Redacted<Outcome> {
        #[cfg(feature = "locale")]
        let outcome = match &caller.translator {
            Some(translator) => outcome.in_language(translator.clone()),
            None => outcome,
        };
        self.redactor(caller).outcome(outcome)
    }

    pub(super) fn redactor<'a>(&self, caller: &'a CallerView) -> &'a Redactor {
        let make = || Redactor::new(self.audience).sparing(&caller.sent);
        caller.redactor.get_or_init(make)
    }

    /// The id of the call, and the time of its failure.
    fn stamp(&self, caller: &CallerView) -> Stamp {
        let (fresh, now) = self.options.stamp.take();
        Stamp::Fixed(caller.id.clone().unwrap_or(fresh), now)
    }

    /// Writes an outcome.
    pub(super) fn encode(&self, outcome: &Redacted<Outcome>) -> CallToolResult {
        let success = match &**outcome {
            Outcome::Success(success) => Some(success),
            Outcome::Fault(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => None,
        };
        let options = self.options.clone().structured(success.is_none());
        // `problem` has no way to say anything but a failure.
        let written = tool_result(outcome.as_ref(), self.dialect, &options)
            .or_else(|_| tool_result(outcome.as_ref(), Dialect::Native, &options))
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

    pub(super) fn tell_called(&self, event: &Called<'_>) {
        if let Some(hook) = &self.on_call {
            contained(|| hook(event));
        }
    }

    pub(super) fn tell_cancelled(&self, event: &Cancelled<'_>) {
        if let Some(hook) = &self.on_cancel {
            contained(|| hook(event));
        }
    }
}

/// Gives a fault an id and a time, if it lacks them.
fn stamped(fault: &mut Fault, stamp: &Stamp) {
    let (id, now) = stamp.take();
    let public = fault.public_mut();
    public.correlation_id.get_or_insert(id);
    public.timestamp.get_or_insert(now);
}

/// The reply for a result the SDK cannot read. It never occurs, and would not pass for a success.
fn unwritten(outcome: &Outcome) -> CallToolResult {
    let words = format!("The answer ({}) could not be written", outcome.kind());
    CallToolResult::error(vec![ContentBlock::text(words)])
}
