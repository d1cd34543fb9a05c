//! How a guard answers: dialect, options, audience, hooks.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ResultType};
#[cfg(feature = "locale")]
use rmcp::{RoleServer, service::RequestContext};
use serde_json::Value;

use super::event::{Called, Cancelled, Event};
use super::run::contained;
use crate::classify::Classifier;
use crate::disclose::{Audience, Redactor};
use crate::fault::Fault;
#[cfg(feature = "locale")]
use crate::locale::Translator;
use crate::outcome::{ItemResult, Outcome};
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
        f.debug_struct("Settings")
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

impl GuardSettings {
    /// A caller who sent this, and of whom nothing else is known.
    pub(super) fn caller(&self, sent: Value) -> CallerView {
        CallerView {
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
            Outcome::Fault(mut fault) => {
                let shown = self.shown(&mut fault, caller);
                faults.push((None, fault));
                Outcome::Fault(shown)
            }
            Outcome::Batch(mut batch) => {
                for (index, item) in batch.items.iter_mut().enumerate() {
                    match &mut item.result {
                        ItemResult::Failed(fault) => {
                            let shown = self.shown(fault, caller);
                            faults.push((Some(index), std::mem::replace(fault, shown)));
                        }
                        ItemResult::Pending(fault) => *fault = self.shown(fault, caller),
                        ItemResult::Done(_) => {}
                    }
                }
                self.disclosed(Outcome::Batch(batch), caller)
            }
            Outcome::Success(_) | Outcome::NeedsInput(_) => self.disclosed(outcome, caller),
        };
        let result = self.encode(&shown);
        let is_more = matches!(shown, Outcome::Batch(_) | Outcome::NeedsInput(_));
        WrittenReply {
            result,
            faults,
            outcome: is_more.then_some(shown),
        }
    }

    /// What a caller may see of a fault. Both get the same id and time if they lack them.
    pub(super) fn shown(&self, fault: &mut Fault, caller: &CallerView) -> Fault {
        self.stamp(fault);
        let mut shown = self.copy(fault, caller);
        if shown.public().correlation_id.is_none() {
            // It was a secret, so the log must not have it either.
            self.stamp(&mut shown);
            let id = &shown.public().correlation_id;
            fault.public_mut().correlation_id.clone_from(id);
        }
        shown
    }

    /// The public half of a fault, as far as a caller may see it.
    pub(super) fn copy(&self, fault: &Fault, caller: &CallerView) -> Fault {
        let copy = Fault::from_public(fault.public().clone());
        match self.disclosed(Outcome::Fault(copy), caller) {
            Outcome::Fault(fault) => fault,
            Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => Fault::internal(),
        }
    }

    /// An outcome as far as a caller may see it, in their language.
    fn disclosed(&self, outcome: Outcome, caller: &CallerView) -> Outcome {
        let outcome = self.redactor(caller).outcome(outcome);
        #[cfg(feature = "locale")]
        if let Some(translator) = &caller.translator {
            return outcome.in_language(translator.clone());
        }
        outcome
    }

    pub(super) fn redactor<'a>(&self, caller: &'a CallerView) -> &'a Redactor {
        let make = || Redactor::new(self.audience).sparing(&caller.sent);
        caller.redactor.get_or_init(make)
    }

    fn stamp(&self, fault: &mut Fault) {
        let public = fault.public_mut();
        if public.correlation_id.is_none() || public.timestamp.is_none() {
            let (id, now) = self.options.stamp.take();
            public.correlation_id.get_or_insert(id);
            public.timestamp.get_or_insert(now);
        }
    }

    /// Writes an outcome that has been disclosed.
    pub(super) fn encode(&self, outcome: &Outcome) -> CallToolResult {
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

/// The reply for a result the SDK cannot read. It never occurs, and would not pass for a success.
fn unwritten(outcome: &Outcome) -> CallToolResult {
    let words = format!("The answer ({}) could not be written", outcome.kind());
    CallToolResult::error(vec![ContentBlock::text(words)])
}
