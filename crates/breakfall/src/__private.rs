//! What the code written by `#[derive(Fault)]` calls. Not an interface: it changes with the macro.

use std::error::Error;
use std::time::Duration;

pub use serde_json::Value;

use crate::catalog::{CODES, warning};
use crate::fault::Fault;

/// A private cause.
pub type Cause = Box<dyn Error + Send + Sync>;

/// A field that is a detail. `None` is no detail rather than a null.
pub fn detail(fault: Fault, key: &'static str, value: impl Into<Value>) -> Fault {
    let value = value.into();
    if value.is_null() {
        return fault;
    }
    fault.detail(key, value)
}

/// A field that is the cause.
pub fn cause(fault: Fault, cause: impl Into<Cause>) -> Fault {
    fault.caused_by(cause)
}

/// A field that is a wait, perhaps an optional one.
pub fn wait(fault: Fault, wait: impl Into<Option<Duration>>) -> Fault {
    match wait.into() {
        Some(wait) => fault.retry_after(wait),
        None => fault,
    }
}

/// Whether a row of a server's own may have this name.
pub const fn is_free(name: &str) -> bool {
    let mut at = 0;
    while at < CODES.len() {
        if same(CODES[at].name(), name) {
            return false;
        }
        at += 1;
    }
    at = 0;
    while at < warning::WARNINGS.len() {
        if same(warning::WARNINGS[at].name(), name) {
            return false;
        }
        at += 1;
    }
    true
}

/// Strings cannot be compared by `==` where constants are made.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
