//! What the code written by `#[derive(Fault)]` calls. Not an interface: it changes with the macro.
//!
//! The traits are here for the sake of the errors: a field of the wrong type is told in the words of the derive
//! rather than of the conversions behind it.

use std::error::Error;
use std::time::Duration;

use serde_json::Value;

pub use crate::catalog::is_free;
use crate::fault::Fault;

/// A field that is a detail. `None` is no detail rather than a null.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a detail of a fault",
    label = "not `Into<serde_json::Value>`",
    note = "#[fault(skip)] leaves a field out, #[fault(source)] makes it the private cause"
)]
pub trait Detail {
    /// Adds it.
    fn add_to(self, fault: Fault, key: &'static str) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Value>> Detail for T {
    fn add_to(self, fault: Fault, key: &'static str) -> Fault {
        let value = self.into();
        if value.is_null() {
            return fault;
        }
        fault.detail(key, value)
    }
}

/// A field that is the private cause.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the cause of a fault",
    label = "not `Into<Box<dyn Error + Send + Sync>>`",
    note = "a cause is an error that can be sent and shared between threads, or a string"
)]
pub trait Cause {
    /// Adds it.
    fn add_to(self, fault: Fault) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Box<dyn Error + Send + Sync>>> Cause for T {
    fn add_to(self, fault: Fault) -> Fault {
        fault.caused_by(self)
    }
}

/// A field that is a wait, perhaps an optional one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the wait before a repetition",
    label = "not a `std::time::Duration`, nor an `Option` of one"
)]
pub trait Wait {
    /// Adds it.
    fn add_to(self, fault: Fault) -> Fault;
}

impl Wait for Duration {
    fn add_to(self, fault: Fault) -> Fault {
        fault.retry_after(self)
    }
}

impl Wait for Option<Duration> {
    fn add_to(self, fault: Fault) -> Fault {
        match self {
            Some(wait) => fault.retry_after(wait),
            None => fault,
        }
    }
}
