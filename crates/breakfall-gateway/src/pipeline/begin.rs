//! Begins a piece of work at once.

use std::task::{Context, Waker};

/// Runs a future right here as far as it goes without waiting, and what is left of it in a task.
///
/// Calls are passed on in the order they came because of this, and one that need not wait at all never becomes a task.
pub(super) fn begin(work: impl Future<Output = ()> + Send + 'static) {
    let mut work = Box::pin(work);
    // Nobody is woken by this look; the task looks again first of all.
    let mut context = Context::from_waker(Waker::noop());
    if work.as_mut().poll(&mut context).is_pending() {
        tokio::spawn(work);
    }
}
