//! `.or_fault(…)` and `.context(…)` on results and options: what `?` cannot know, said where the call stands.

use std::error::Error;

use crate::code::Code;
use crate::fault::Fault;

/// Failures that become faults by name.
///
/// ```
/// use breakfall::{Fault, OptionExt, ResultExt, codes};
///
/// fn limit(text: &str) -> Result<u8, Fault> {
///     text.parse().or_fault(Fault::invalid_type("limit", "integer", "string"))
/// }
///
/// fn settings(path: &str) -> Result<String, Fault> {
///     std::fs::read_to_string(path).context("reading the settings")
/// }
///
/// let fault = limit("ten").unwrap_err();
/// assert_eq!(fault.code(), codes::VALIDATION_INVALID_TYPE);
/// assert!(fault.report().to_string().contains("invalid digit"), "the log has the cause");
///
/// let fault = settings("/no/such/file").unwrap_err();
/// assert_eq!(fault.code(), codes::INTERNAL_ERROR);
/// assert!(fault.report().to_string().contains("note: reading the settings"));
/// ```
pub trait ResultExt<T, E> {
    /// The fault that it is for the caller, with the error as the private cause: a [`Fault`](struct@Fault), a [`Code`], or
    /// a closure that makes one.
    ///
    /// # Errors
    ///
    /// The fault, where there was an error.
    fn or_fault(self, fault: impl IntoNamedFault) -> Result<T, Fault>
    where
        E: Into<Box<dyn Error + Send + Sync>>;

    /// The fault that `?` would make, with a private note on what was being done.
    ///
    /// # Errors
    ///
    /// The fault, where there was an error.
    fn context(self, note: impl Into<String>) -> Result<T, Fault>
    where
        E: IntoFault;
}

impl<T, E> ResultExt<T, E> for Result<T, E> {
    fn or_fault(self, fault: impl IntoNamedFault) -> Result<T, Fault>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        self.map_err(|error| fault.into_named_fault().caused_by(error))
    }

    fn context(self, note: impl Into<String>) -> Result<T, Fault>
    where
        E: IntoFault,
    {
        self.map_err(|error| error.into_fault().note(note))
    }
}

/// Values that may be missing.
///
/// ```
/// use breakfall::{Fault, OptionExt, codes};
///
/// let prices = [("tea", 320)];
/// let price = |name: &str| prices.iter().find(|(have, _)| *have == name);
///
/// let fault = price("cake").or_fault(|| Fault::not_found("article", "cake")).unwrap_err();
/// assert_eq!(fault.message_text(), "article 'cake' not found");
/// let fault = price("cake").context("the menu names it").unwrap_err();
/// assert_eq!(fault.code(), codes::INTERNAL_ERROR);
/// ```
pub trait OptionExt<T> {
    /// The fault that a missing value is for the caller.
    ///
    /// # Errors
    ///
    /// The fault, where the value is missing.
    fn or_fault(self, fault: impl IntoNamedFault) -> Result<T, Fault>;

    /// A missing value as an internal error, with a private note.
    ///
    /// # Errors
    ///
    /// The fault, where the value is missing.
    fn context(self, note: impl Into<String>) -> Result<T, Fault>;
}

impl<T> OptionExt<T> for Option<T> {
    fn or_fault(self, fault: impl IntoNamedFault) -> Result<T, Fault> {
        self.ok_or_else(|| fault.into_named_fault())
    }

    fn context(self, note: impl Into<String>) -> Result<T, Fault> {
        self.ok_or_else(|| Fault::internal().note(note))
    }
}

/// What `or_fault` takes: a fault, the code of one, or a closure, which runs on failure alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no fault",
    label = "not a `Fault`, a `Code` or a closure that makes a `Fault`"
)]
pub trait IntoNamedFault {
    /// The fault.
    fn into_named_fault(self) -> Fault;
}

impl IntoNamedFault for Fault {
    fn into_named_fault(self) -> Fault {
        self
    }
}

impl IntoNamedFault for Code {
    fn into_named_fault(self) -> Fault {
        Fault::new(self)
    }
}

impl<F: FnOnce() -> Fault> IntoNamedFault for F {
    fn into_named_fault(self) -> Fault {
        self()
    }
}

/// What `?` turns into a fault.
#[diagnostic::on_unimplemented(
    message = "`?` makes no fault of `{Self}`",
    label = "not `Into<breakfall::Fault>`",
    note = "say which fault it is: `.or_fault(Fault::internal)`, and `.context(…)` after it"
)]
pub trait IntoFault {
    /// The fault.
    fn into_fault(self) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Fault>> IntoFault for E {
    fn into_fault(self) -> Fault {
        self.into()
    }
}
