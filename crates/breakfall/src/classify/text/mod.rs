//! Words in an error position → a code, by rules that are data.

use std::borrow::Cow;
use std::time::Duration;

use crate::catalog::codes;
use crate::code::Code;

/// What the words of a failure say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// The code they stand for.
    pub(crate) code: Code,
    /// The rule that found them.
    pub(crate) rule: Cow<'static, str>,
    /// How long to wait before a repetition, where they say so.
    pub(crate) wait: Option<Duration>,
}

/// Judges a text that is known to be about a failure: the text of an `isError` result, the message of an error
/// object, the body of a failed request.
pub(crate) fn judge(text: &str) -> Option<Judgement> {
    let found = text.to_ascii_lowercase().contains("rate limit exceeded");
    found.then_some(Judgement {
        code: codes::RATE_LIMIT_EXCEEDED,
        rule: Cow::Borrowed("text.rate-limit"),
        wait: None,
    })
}
