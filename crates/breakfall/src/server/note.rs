//! The note a guard leaves, on the thread that polls a call, for the conversion of a fault into a result.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::CallToolResult;

use super::settings::{CallerView, GuardSettings, WrittenReply};
use crate::outcome::{Elicitation, Outcome};

/// How to answer the current call, and the replies written so far.
#[derive(Debug)]
pub(super) struct CallNote {
    settings: Arc<GuardSettings>,
    pub(super) caller: CallerView,
    /// The span the handler runs in.
    pub(super) span: tracing::Span,
    said: Mutex<Vec<WrittenReply>>,
}

impl CallNote {
    pub(super) fn new(
        settings: Arc<GuardSettings>,
        caller: CallerView,
        span: tracing::Span,
    ) -> Self {
        Self {
            settings,
            caller,
            span,
            said: Mutex::default(),
        }
    }

    /// Takes what a result was written as, if it was written here. The SDK sets `isError` on its way, and others may
    /// add to it, but what was said first stays first.
    pub(super) fn said_as(&self, result: &CallToolResult) -> Option<WrittenReply> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let at = said.iter().rposition(|said| said.is_in(result))?;
        Some(said.swap_remove(at))
    }

    /// The question that a result puts to the user, as the caller may see it.
    pub(super) fn question(&self, result: &CallToolResult) -> Option<Elicitation> {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let written = said.iter().rfind(|said| said.is_in(result))?;
        if let Some(Outcome::NeedsInput(question)) = &written.outcome {
            return Some(question.clone());
        }
        let [(None, fault)] = written.faults.as_slice() else {
            return None;
        };
        fault.public().elicitation()?;
        let shown = self.settings.copy(fault, &self.caller);
        shown.public().elicitation().cloned()
    }

    fn say(&self, outcome: Outcome) -> CallToolResult {
        // Successes are not kept: hooks do not need them, and they may be large.
        let is_success = matches!(outcome, Outcome::Success(_));
        let written = self.settings.write(outcome, &self.caller);
        if is_success {
            return written.result;
        }
        let result = written.result.clone();
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() == MOST_SAID {
            said.remove(0);
        }
        said.push(written);
        result
    }
}

/// A handler that converts faults only to throw them away keeps no more of them than this.
const MOST_SAID: usize = 16;

thread_local! {
    static CURRENT: RefCell<Option<Arc<CallNote>>> = const { RefCell::new(None) };
}

/// Runs something with a note and in its span, and puts the one before back afterwards, even in a panic.
pub(super) fn within<T>(note: Option<&Arc<CallNote>>, run: impl FnOnce() -> T) -> T {
    struct NoteGuard(Option<Arc<CallNote>>);
    impl Drop for NoteGuard {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = NoteGuard(CURRENT.replace(note.cloned()));
    match note {
        Some(note) => note.span.in_scope(run),
        None => run(),
    }
}

/// Writes an outcome as the note says, or as a server without a guard does.
pub(super) fn say(outcome: Outcome) -> CallToolResult {
    match CURRENT.with_borrow(Clone::clone) {
        Some(note) => note.say(outcome),
        None => unguarded(outcome),
    }
}

/// Whether the tool has an output schema is unknown here, so a failure keeps clear of the place for it.
fn unguarded(outcome: Outcome) -> CallToolResult {
    let is_success = matches!(outcome, Outcome::Success(_));
    let mut result = GuardSettings::default()
        .write(outcome, &CallerView::default())
        .result;
    result.structured_content.take_if(|_| !is_success);
    result
}
