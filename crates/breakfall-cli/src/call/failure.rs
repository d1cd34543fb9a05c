//! A fault → what a person at a terminal wants to know.

use std::sync::LazyLock;

use breakfall::{Category, CorrelationId, Public, Retry, Stamp, Timestamp};

use crate::exit::Exit;
use crate::report::Problem;
use crate::text::cut;

/// What went wrong and what to do about it. `said` is what the server itself said, if that is more.
pub(super) fn problem(public: &Public, said: Option<&str>) -> Problem {
    let message = public.message();
    let code = public.domain_code().unwrap_or(public.code().name());
    let words: Vec<&str> = message.split_whitespace().collect();
    let line = words.join(" ");
    let shown = cut(&line, Some(LONGEST));
    let mut problem = Problem {
        exit: exit(public),
        ..Problem::input(format!("{shown} [{code}]"))
    };
    // What stands in front of a message is layers of software; lines and length are of use.
    let is_told = |said: &str| said.is_empty() || said.ends_with(&*shown);
    if let Some(said) = said.map(str::trim).filter(|said| !is_told(said)) {
        problem = problem.fact("said", shortened(said));
    }
    let violations = public.violations();
    for violation in violations.iter().take(MOST) {
        let field = violation.field();
        // The message of a fault is about its first violation.
        let is_told = violations.len() == 1 && message.contains(&field);
        let words = violation.message_text().or(violation.keyword_text());
        if let Some(words) = words.filter(|_| !is_told) {
            problem = problem.fact("wrong", format!("{field}: {words}"));
        }
    }
    problem = problem
        .fact("fix", public.remediation())
        .fact("retry", retry(public));
    if let Some(tool) = public.fallback_tool() {
        problem = problem.fact("instead", format!("the tool '{tool}'"));
    }
    if let Some(question) = public.elicitation() {
        problem = problem.fact("asks", question.message());
    }
    if let Some(id) = public.correlation_id().filter(|id| **id != OWN.0) {
        problem = problem.fact("reference", id.as_str());
    }
    problem
}

/// How a call that failed exits.
pub(super) fn exit(public: &Public) -> Exit {
    if public.category() == Category::Confirmation {
        return Exit::NeedsInput;
    }
    if public.retry().is_retryable() {
        return Exit::FailedForNow;
    }
    Exit::Failed
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

/// As much as anybody reads.
pub(super) fn shortened(text: &str) -> String {
    let end = text.floor_char_boundary(MOST_BYTES);
    let mut lines: Vec<&str> = text[..end].lines().collect();
    if end < text.len() || lines.len() > MOST {
        lines.truncate(MOST);
        lines.push("… (all of it: --json)");
    }
    lines.join("\n")
}

/// What failures are known by that no server tells of, but we ourselves. Nobody keeps anything under it, so nobody is told.
pub(super) static OWN: LazyLock<(CorrelationId, Timestamp)> =
    LazyLock::new(|| Stamp::System.take());

const LONGEST: usize = 300;
const MOST: usize = 20;
const MOST_BYTES: usize = 2000;
