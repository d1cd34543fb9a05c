//! A fault → an error for the terminal.

use std::sync::LazyLock;

use breakfall::{Category, CorrelationId, Public, Retry, Stamp, Timestamp};

use crate::exit::CommandExit;
use crate::layout::cut;
use crate::report::CommandError;

/// The error of a fault. `text` is the text of the server, shown if it says more than the message.
pub(super) fn error(public: &Public, text: Option<&str>) -> CommandError {
    let message = public.message();
    let code = public.domain_code().unwrap_or(public.code().name());
    let words: Vec<&str> = message.split_whitespace().collect();
    let line = words.join(" ");
    let shown = cut(&line, Some(MAX_MESSAGE_CHARS));
    let mut error = CommandError::new(exit(public), format!("{shown} [{code}]"));
    // A mere prefix of the message adds nothing; more lines do.
    let is_shown = |text: &str| text.is_empty() || text.ends_with(&*shown);
    if let Some(text) = text.map(str::trim).filter(|text| !is_shown(text)) {
        error = error.fact("said", shortened(text));
    }
    let violations = public.violations();
    for violation in violations.iter().take(MAX_LINES) {
        let field = violation.field();
        // The message of a fault is about its first violation.
        let is_shown = violations.len() == 1 && message.contains(&field);
        let words = violation.message_text().or(violation.keyword_text());
        if let Some(words) = words.filter(|_| !is_shown) {
            error = error.fact("wrong", format!("{field}: {words}"));
        }
    }
    error = error
        .fact("fix", public.remediation())
        .fact("retry", retry(public));
    if let Some(tool) = public.fallback_tool() {
        error = error.fact("instead", format!("the tool '{tool}'"));
    }
    if let Some(question) = public.elicitation() {
        error = error.fact("asks", question.message());
    }
    if let Some(id) = public.correlation_id().filter(|_| !is_own(public)) {
        error = error.fact("reference", id.as_str());
    }
    error
}

/// Whether Breakfall reports the failure itself, because no answer came.
pub(super) fn is_own(public: &Public) -> bool {
    public.correlation_id() == Some(&OWN.0)
}

/// The exit code of a failed call.
pub(super) fn exit(public: &Public) -> CommandExit {
    if public.category() == Category::Confirmation {
        return CommandExit::NeedsInput;
    }
    if public.retry().is_retryable() {
        return CommandExit::FailedForNow;
    }
    CommandExit::Failed
}

fn retry(public: &Public) -> String {
    match (public.retry(), public.retry_after_seconds()) {
        (Retry::Never, _) => "no".to_owned(),
        (Retry::AfterChange, _) => "not before something changes".to_owned(),
        (_, Some(seconds)) => format!("yes, after {seconds} s"),
        (Retry::Once, None) => "once".to_owned(),
        (Retry::Backoff | Retry::After, None) => "yes, later; wait longer each time".to_owned(),
    }
}

/// The first lines of a text.
pub(super) fn shortened(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    let mut lines: Vec<&str> = text[..end].lines().collect();
    if end < text.len() || lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("… (all of it: --json)");
    }
    lines.join("\n")
}

/// The id of failures that Breakfall reports itself during `call`. No store keeps them, so it is not printed.
pub(super) static OWN: LazyLock<(CorrelationId, Timestamp)> =
    LazyLock::new(|| Stamp::System.take());

const MAX_MESSAGE_CHARS: usize = 300;
const MAX_LINES: usize = 20;
const MAX_TEXT_BYTES: usize = 2000;
