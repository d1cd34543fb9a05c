//! Confirmation tokens.

mod arguments;
mod book;
mod check;
mod lifetime;
mod model;

use breakfall::Timestamp;
use breakfall::confirm::{ArgumentsHash, CallScope, TokenGrant, TokenRecord};
use breakfall::gate::DangerLevel;

/// The call of `operation` by ada.
pub(crate) fn call(operation: &str, arguments: &str) -> CallScope {
    call_by(Some("ada"), operation, arguments)
}

pub(crate) fn call_by(principal: Option<&str>, operation: &str, arguments: &str) -> CallScope {
    let arguments = ArgumentsHash::of(arguments, None).expect("JSON");
    CallScope::new(principal, "shop", operation, arguments)
}

/// So many seconds after the tokens of the tests are issued.
pub(crate) fn second(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_000_000 + seconds).expect("a time")
}

/// A token for the deletion of order 7, issued at second 0, which lives five minutes.
pub(crate) fn record() -> TokenRecord {
    TokenGrant::new(call("delete", r#"{"id":7}"#), DangerLevel::Destructive).at(second(0))
}
