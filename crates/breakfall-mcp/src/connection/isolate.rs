//! Panic isolation: a defect in a handler costs the message it handles, not the connection.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a handler on a task that serves more than one message, such as the reader of a connection. If it panics, the tickets
/// it holds are dropped, which answers their requests with an internal error, and the task goes on.
pub fn isolate(handler: impl FnOnce()) {
    // The handler's state is shared behind locks that a panic does not poison.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(handler)) {
        tracing::error!(panic = message(&*panic), "panic while handling a message");
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown")
}
