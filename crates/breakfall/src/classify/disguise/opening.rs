//! Texts that open like a failure, in a result that does not say it is one.

use super::innocent::{is_count, is_explanation, is_quotation};
use super::{DisguiseRule, DisguiseTest, after, row};
use crate::classify::classifier::Classifier;
use crate::classify::text::{self, head};
use crate::classify::{dump, prefix};
use crate::fault::Confidence;

pub(super) static RULES: &[DisguiseRule] = &[
    DisguiseRule {
        row: row(
            "disguise.prefix",
            "A framework's words around an error: \"MCP error -32602: …\", \"Error executing tool x: …\".",
            Confidence::Structural,
            &[
                "MCP error -32602: nope",
                "Error executing tool add: division by zero",
            ],
            &["MCP error codes: an overview", "The tool failed"],
        ),
        sees: DisguiseTest::Text(is_wrapped),
    },
    DisguiseRule {
        row: row(
            "disguise.dump",
            "What pydantic prints.",
            Confidence::Structural,
            &[
                "1 validation error for addArguments\na\n  Field required [type=missing, input_value={}, input_type=dict]",
            ],
            &["1 validation error for you to find"],
        ),
        sees: DisguiseTest::Text(is_dump),
    },
    DisguiseRule {
        row: row(
            "disguise.error-tag",
            "`<error>…</error>`, alone or below one line of heading.",
            Confidence::Textual,
            &[
                "<error>No more content available.</error>",
                "Contents of https://x.example/:\n<error>Page failed to be simplified from HTML</error>",
            ],
            &[
                "A page\n\n<error>Content truncated. Ask for more.</error>",
                "<error>a</error> is how an element begins",
                "<errors></errors>",
            ],
        ),
        sees: DisguiseTest::Text(is_tagged),
    },
    DisguiseRule {
        row: row(
            "disguise.error-opening",
            "A short text that begins with `Error:`, or with \"Error opening x: …\" and the like.",
            Confidence::Textual,
            &[
                "Error: Unknown tool: x",
                "ERROR - the disk is on fire",
                "❌ Error: it broke",
                "**Error:** no luck",
                "**Error**: permission denied",
                "\"Error: not found\"",
                "Error opening project: list index out of range",
            ],
            &[
                "Error handling guide",
                "Error handling: a guide",
                "Error: none",
                "Errors: 0",
                "No errors found",
                "ERROR: a\nINFO: b\nERROR: c",
                "2026-01-01 Error: disk full",
                "ERROR: 0 rows",
                "\"Error: not found\" is the message you'll see when the id is wrong.",
                "Error: Permission denied (publickey). is a common SSH message. To fix it add your key.",
            ],
        ),
        sees: DisguiseTest::Text(opens_as_error),
    },
    DisguiseRule {
        row: row(
            "disguise.named-error",
            "A short text that begins with a kind of error and a colon: `Database error:`, `ValueError:`.",
            Confidence::Textual,
            &[
                "Database error: no such table: orders",
                "ValueError: invalid literal for int() with base 10: 'x'",
                "psycopg2.OperationalError: server closed",
                "❌ A2A Node Error: Unknown tool: x",
            ],
            &[
                "Mean squared error: 0.02",
                "Margin of error: 5%",
                "Standard error: 1.2",
                "Last error: none",
            ],
        ),
        sees: DisguiseTest::Text(opens_as_named_error),
    },
    DisguiseRule {
        row: row(
            "disguise.status-line",
            "An HTTP status and nothing else: \"404 Not Found\".",
            Confidence::Textual,
            &[
                "404 Not Found",
                "HTTP 500: Internal Server Error",
                "429 Too Many Requests",
            ],
            &[
                "200 OK",
                "404 Not Found means that the page you asked for is not there any more",
                "500 items",
                "500 Internal Server Error responses: 0",
            ],
        ),
        sees: DisguiseTest::Text(is_status_line),
    },
];

fn is_wrapped(text: &str, _: &Classifier) -> bool {
    let layers = prefix::unwrap(text, &|_| true);
    (layers.code.is_some() || layers.tool.is_some()) && few_lines(text)
}

fn is_dump(text: &str, _: &Classifier) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && dump::read(text, None, &|id| id == "dump.pydantic").is_some()
}

fn is_tagged(text: &str, _: &Classifier) -> bool {
    let body = match text.split_once('\n') {
        Some((heading, body)) if heading.trim_end().ends_with(':') => body.trim(),
        _ => text,
    };
    let inner = body
        .strip_prefix("<error>")
        .and_then(|rest| rest.strip_suffix("</error>"));
    inner.is_some_and(|inner| !inner.trim().is_empty() && !inner.contains("</error>"))
}

fn opens_as_error(text: &str, _: &Classifier) -> bool {
    let Some((head, rest)) = opening(text) else {
        return false;
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let is_error = |word: &str| {
        ["error", "fatal", "exception"]
            .iter()
            .any(|have| word.eq_ignore_ascii_case(have))
    };
    let opens = match words.as_slice() {
        [only] => is_error(only),
        [first, doing, ..] => {
            let topic = [
                "handling",
                "reporting",
                "logging",
                "messaging",
                "tracking",
                "checking",
            ];
            is_error(first)
                && words.len() <= 8
                && doing.ends_with("ing")
                && !topic.contains(&doing.to_ascii_lowercase().as_str())
        }
        [] => false,
    };
    opens && says_something(rest) && is_failure_itself(text)
}

fn opens_as_named_error(text: &str, _: &Classifier) -> bool {
    let Some((head, rest)) = opening(text) else {
        return false;
    };
    let lower = head.trim().to_ascii_lowercase();
    let named = match lower.split_whitespace().collect::<Vec<_>>().as_slice() {
        // An exception by its class: one word with a hump in it.
        [only] => {
            let is_class = |end: &str| only.len() > end.len() && head.trim().ends_with(end);
            is_class("Error") || is_class("Exception")
        }
        [kinds @ .., last] => {
            let kind = kinds.join(" ");
            kinds.len() <= 3
                && matches!(*last, "error" | "exception")
                && KINDS.iter().any(|known| kind.ends_with(known))
        }
        [] => false,
    };
    named && says_something(rest) && is_failure_itself(text)
}

/// Kinds of errors. Kinds that are measured (mean, standard, margin of) are not among them.
const KINDS: &[&str] = &[
    "database",
    "sql",
    "sqlite",
    "api",
    "http",
    "network",
    "connection",
    "server",
    "internal",
    "request",
    "query",
    "runtime",
    "system",
    "unexpected",
    "authentication",
    "authorization",
    "permission",
    "timeout",
    "fatal",
    "upstream",
    "graphql",
    "rpc",
    "mcp",
    "tool",
    "command",
    "execution",
    "operational",
    "input validation",
    "configuration",
    "service",
    "client",
    "node",
    "io",
    "i/o",
    "file",
    "unknown",
    "critical",
    "git",
    "docker",
    "shell",
];

fn is_status_line(text: &str, _: &Classifier) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_digit()) || starts_with(text, "http");
    let short = !text.contains('\n') && text.len() <= 60;
    starts && short && !is_count(text) && text::status_in(text).is_some()
}

/// What stands before the first colon or dash of the first line, and what stands after it.
fn opening(text: &str) -> Option<(&str, &str)> {
    let line = text.lines().next()?;
    let head = head(line)?;
    let at = line.find(head)? + head.len();
    Some((
        // `**Error**: …` as well as `**Error:** …`.
        head.trim_end_matches(['*', '_', '`']),
        line[at..].trim_start_matches([':', '-', '–', '—', ']', '!', '*', ' ']),
    ))
}

/// "none" and "0" after an opening say that there was no error.
fn says_something(rest: &str) -> bool {
    let word = rest.trim().trim_end_matches('.').to_ascii_lowercase();
    let nothing = [
        "",
        "none",
        "no",
        "no error",
        "no errors",
        "null",
        "nil",
        "false",
        "n/a",
        "-",
    ];
    let none_of_them = word
        .strip_prefix("0 ")
        .is_some_and(|of| of.split(' ').count() <= 2);
    !nothing.contains(&word.as_str()) && !none_of_them && rest.contains(char::is_alphabetic)
}

/// Whether a text that opens like a failure is one, rather than a log, a quotation or an explanation.
fn is_failure_itself(text: &str) -> bool {
    few_lines(text) && !is_log(text) && !is_quotation(text) && !is_explanation(text)
}

fn few_lines(text: &str) -> bool {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .take(MOST_LINES + 1)
        .count()
        <= MOST_LINES
}

const MOST_LINES: usize = 12;

/// Whether more than one line begins like an entry of a log.
fn is_log(text: &str) -> bool {
    let entries = text.lines().filter(|line| {
        let Some(head) = head(line) else { return false };
        let word = head.split_whitespace().next().unwrap_or_default();
        let levels = ["info", "warn", "warning", "debug", "trace", "notice"];
        levels
            .iter()
            .chain(text::ERROR_WORDS)
            .any(|level| word.eq_ignore_ascii_case(level))
    });
    entries.take(2).count() > 1
}

/// Whether a text begins so, in any case.
fn starts_with(text: &str, lead: &str) -> bool {
    after(text, lead).is_some()
}
