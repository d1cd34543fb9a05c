//! Running a handler so that its panics are values.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use super::note::{self, CallNote};
use crate::classify::panic;
use crate::fault::Fault;

/// The payload of a caught panic.
pub(super) struct CaughtPanic(Box<dyn Any + Send>);

impl CaughtPanic {
    /// A defect; the words of the panic are for the log alone. What it left may panic once more when it is dropped.
    pub(super) fn into_fault(self) -> Fault {
        contained(|| panic::fault(self.0)).unwrap_or_else(Fault::internal)
    }
}

/// Makes a future and runs it to its end, with a note for conversions on the way. A panic in making, running or
/// dropping it ends it and nothing else: the state it was changing belongs to it and is not used again.
pub(super) async fn caught<F: Future>(
    note: Option<&Arc<CallNote>>,
    make: impl FnOnce() -> F,
) -> Result<F::Output, CaughtPanic> {
    let made = catch_unwind(AssertUnwindSafe(|| note::within(note, make))).map_err(CaughtPanic)?;
    let mut future = SafeDrop(Some(Box::pin(made)));
    poll_fn(|context| {
        let Some(inner) = future.0.as_mut() else {
            return Poll::Pending;
        };
        let polled = catch_unwind(AssertUnwindSafe(|| {
            note::within(note, || inner.as_mut().poll(context))
        }));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(payload) => Poll::Ready(Err(CaughtPanic(payload))),
        }
    })
    .await
}

/// Calls a function whose panic must not become ours. Nothing if it panicked.
pub(super) fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => Some(done),
        Err(payload) => {
            // Dropping it might panic again, and so on.
            std::mem::forget(payload);
            None
        }
    }
}

struct SafeDrop<T>(Option<T>);

impl<T> Drop for SafeDrop<T> {
    fn drop(&mut self) {
        let inner = self.0.take();
        contained(|| drop(inner));
    }
}
