//! What the code written by `#[derive(Fault)]` calls. Not an interface: it changes with the macro.
//!
//! The traits are here for the sake of the errors: a field of the wrong type is told in the words of the derive
//! rather than of the conversions behind it.

mod checks;

use std::error::Error;
use std::fmt;
use std::time::Duration;

#[cfg(feature = "http")]
pub use axum_core;
#[cfg(feature = "rmcp")]
pub use rmcp;
use serde::Serialize;
use serde_json::Value;

pub use self::checks::{
    agree, http_fits, is_vague, may_have, require_all_values, require_details, require_values,
};
pub use crate::__response as response;
pub use crate::__tool_result as tool_result;
use crate::catalog::agree;
pub use crate::catalog::is_free;
use crate::code::{Code, Entry, Text};
use crate::fault::Fault;
use crate::phrase::Phrase;
use crate::template;

/// Lets a tool of the official SDK fail with a derived error as it is, where the feature for it is on.
#[cfg(feature = "rmcp")]
#[doc(hidden)]
#[macro_export]
macro_rules! __tool_result {
    ([$($parameters:tt)*] [$($error:tt)*] [$($conditions:tt)*]) => {
        #[automatically_derived]
        impl $($parameters)* $crate::__private::rmcp::handler::server::tool::IntoCallToolResult for $($error)*
        where
            $($conditions)*
        {
            fn into_call_tool_result(
                self,
            ) -> ::core::result::Result<
                $crate::__private::rmcp::model::CallToolResponse,
                $crate::__private::rmcp::ErrorData,
            > {
                let fault = <$crate::Fault as ::core::convert::From<Self>>::from(self);
                $crate::__private::rmcp::handler::server::tool::IntoCallToolResult::into_call_tool_result(fault)
            }
        }
    };
}

/// Lets a tool of the official SDK fail with a derived error as it is, where the feature for it is on.
#[cfg(not(feature = "rmcp"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __tool_result {
    ($($anything:tt)*) => {};
}

/// Lets a handler of axum fail with a derived error as it is, where the feature for it is on.
#[cfg(feature = "http")]
#[doc(hidden)]
#[macro_export]
macro_rules! __response {
    ([$($parameters:tt)*] [$($error:tt)*] [$($conditions:tt)*]) => {
        #[automatically_derived]
        impl $($parameters)* $crate::__private::axum_core::response::IntoResponse for $($error)*
        where
            $($conditions)*
        {
            fn into_response(self) -> $crate::__private::axum_core::response::Response {
                let fault = <$crate::Fault as ::core::convert::From<Self>>::from(self);
                $crate::__private::axum_core::response::IntoResponse::into_response(fault)
            }
        }
    };
}

/// Lets a handler of axum fail with a derived error as it is, where the feature for it is on.
#[cfg(not(feature = "http"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __response {
    ($($anything:tt)*) => {};
}

/// Gives a row advice with placeholders. Where a value is missing, the base's plain words stand in, unless they would
/// contradict the row.
pub const fn advise(mut entry: Entry, base: Code, template: &'static str) -> Entry {
    let plain = if agree::agree(base, entry.retry) {
        base.entry().remediation.plain
    } else {
        Phrase::remedy(entry.retry.is_retryable()).english
    };
    entry.remediation = Text { template, plain };
    entry
}

/// Says what to do in words that name details, unless a field has said it, or a detail is missing.
pub fn fill_remediation(fault: Fault, text: &str) -> Fault {
    if fault.public().remediation.is_some() {
        return fault;
    }
    match filled(&fault, text) {
        Some(text) => fault.remediation(text),
        None => fault,
    }
}

/// Tells the user in words that name details, unless a detail is missing.
pub fn fill_user_message(fault: Fault, text: &str) -> Fault {
    match filled(&fault, text) {
        Some(text) => fault.user_message(text),
        None => fault,
    }
}

fn filled(fault: &Fault, text: &str) -> Option<String> {
    let public = fault.public();
    let wait = |name: &str| match name {
        "retry_after_seconds" => public.retry_after_seconds().map(Value::from),
        _ => None,
    };
    template::format_with(text, public.details(), wait)
}

/// A field that is the fault, or becomes one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the fault itself",
    label = "not `Into<breakfall::Fault>`",
    note = "#[fault(transparent)] wraps a `Fault` or an error with #[derive(Fault)]"
)]
pub trait Inner {
    /// Unwraps it.
    fn into_fault(self) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Fault>> Inner for T {
    fn into_fault(self) -> Fault {
        self.into()
    }
}

/// A field that is a detail. `None` is left out rather than written as null.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a detail of a fault",
    label = "not `Into<serde_json::Value>`",
    note = "#[fault(display)] shows it as text, #[fault(serialize)] as JSON; #[fault(skip)] leaves it out, \
            #[fault(source)] makes it the private cause"
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

/// A field that is a detail by its `Display`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown as text",
    label = "not `std::fmt::Display`"
)]
pub trait Shown {
    /// Adds it.
    fn add_to(&self, fault: Fault, key: &'static str) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<T: fmt::Display> Shown for T {
    fn add_to(&self, fault: Fault, key: &'static str) -> Fault {
        fault.detail(key, self.to_string())
    }
}

/// A field that is a detail by its `Serialize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON",
    label = "not `serde::Serialize`"
)]
pub trait Serialized {
    /// Adds it. A value that fails to serialize goes to the log: a fault with fewer details is better than no fault.
    fn add_to(&self, fault: Fault, key: &'static str) -> Fault;

    /// Adds it as the corrective parameters.
    fn add_params_to(&self, fault: Fault) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Serialized for T {
    fn add_to(&self, fault: Fault, key: &'static str) -> Fault {
        match serde_json::to_value(self) {
            Ok(Value::Null) => fault,
            Ok(value) => fault.detail(key, value),
            Err(error) => fault.note(format!("the detail '{key}' could not be written: {error}")),
        }
    }

    fn add_params_to(&self, fault: Fault) -> Fault {
        match serde_json::to_value(self) {
            Ok(Value::Null) => fault,
            Ok(params) => fault.corrective_params(params),
            Err(error) => fault.note(format!(
                "the corrective parameters could not be written: {error}"
            )),
        }
    }
}

/// A field that is the corrective parameters. `None` is left out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the corrective parameters",
    label = "not `Into<serde_json::Value>`",
    note = "#[fault(corrective_params, serialize)] takes what its `Serialize` writes"
)]
pub trait Params {
    /// Adds it.
    fn add_to(self, fault: Fault) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Value>> Params for T {
    fn add_to(self, fault: Fault) -> Fault {
        let params = self.into();
        if params.is_null() {
            return fault;
        }
        fault.corrective_params(params)
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

/// A cause as the source of the error. A text is a cause and no error.
pub trait AsSource {
    /// The error.
    fn as_source(&self) -> Option<&(dyn Error + 'static)>;
}

impl<T: Error + 'static> AsSource for T {
    fn as_source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl AsSource for dyn Error + Send + Sync + 'static {
    fn as_source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl AsSource for str {
    fn as_source(&self) -> Option<&(dyn Error + 'static)> {
        None
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
