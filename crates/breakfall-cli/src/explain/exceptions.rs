//! When an answer with a code says something else than the row of the code.

use std::time::Duration;

use breakfall::{Code, Fault, Retry};
use serde::Serialize;

/// A field of the answer that changes what it says about retrying.
#[derive(Debug, Serialize)]
pub(super) struct RetryException {
    /// The field, and its value if only one has this effect.
    pub(super) field: &'static str,
    pub(super) retry: Retry,
    pub(super) remediation: String,
}

/// The exceptions of a code. They are read off answers, so that both cannot differ.
pub(super) fn of(code: Code) -> Vec<RetryException> {
    let answers = [
        ("executed: unknown", Fault::new(code).maybe_executed()),
        ("retry_after", Fault::new(code).retry_after(ANY_WAIT)),
    ];
    let exceptions = answers.into_iter().map(|(field, fault)| RetryException {
        field,
        retry: fault.public().retry(),
        remediation: fault.public().remediation().into_owned(),
    });
    let row = code.entry().retry;
    let differs = |exception: &RetryException| {
        exception.retry != row && (row.is_retryable() || exception.retry.is_retryable())
    };
    exceptions.filter(differs).collect()
}

const ANY_WAIT: Duration = Duration::from_mins(1);
