//! The note a guard leaves, on the thread that polls a call, for whoever converts a fault into a result.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::CallToolResult;

use super::settings::Settings;
use crate::outcome::Outcome;

/// How to answer this call, and what has been answered so far.
#[derive(Debug)]
pub(super) struct Note {
    settings: Arc<Settings>,
    said: Mutex<Vec<Said>>,
}

/// An outcome and the result it was written as.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) outcome: Outcome,
    pub(super) result: CallToolResult,
}

impl Note {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self {
            settings,
            said: Mutex::default(),
        }
    }

    /// Takes what a result was written from, if it was written here. The SDK sets `isError` on its way, and others
    /// may add to it, but what was said first stays first.
    pub(super) fn said_as(&self, result: &CallToolResult) -> Option<Said> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let at = said
            .iter()
            .rposition(|said| result.content.starts_with(&said.result.content))?;
        Some(said.swap_remove(at))
    }

    fn say(&self, outcome: Outcome) -> CallToolResult {
        let (outcome, result) = self.settings.write(outcome);
        // A success is never looked for: nobody has to be told of it.
        if !matches!(outcome, Outcome::Success(_)) {
            let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            if said.len() == MOST_SAID {
                said.remove(0);
            }
            said.push(Said {
                outcome,
                result: result.clone(),
            });
        }
        result
    }
}

/// A handler that converts faults only to throw them away keeps no more of them than this.
const MOST_SAID: usize = 16;

thread_local! {
    static CURRENT: RefCell<Option<Arc<Note>>> = const { RefCell::new(None) };
}

/// Runs something with a note, and puts the one before back afterwards, even in a panic.
pub(super) fn within<T>(note: Option<&Arc<Note>>, run: impl FnOnce() -> T) -> T {
    struct Before(Option<Arc<Note>>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = Before(CURRENT.replace(note.cloned()));
    run()
}

/// Writes an outcome as the note says, or as a server without a guard does.
pub(super) fn say(outcome: Outcome) -> CallToolResult {
    match CURRENT.with_borrow(Clone::clone) {
        Some(note) => note.say(outcome),
        None => Settings::default().write(outcome).1,
    }
}
