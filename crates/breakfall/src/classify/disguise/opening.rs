//! Texts that open like a failure, in a result that does not say it is one.

use super::innocent::{is_count, is_explanation, is_finding, is_quotation, is_share};
use super::{Disguise, Sees, row};
use crate::classify::classifier::Classifier;
use crate::classify::text::{self, head};
use crate::classify::{dump, prefix};
use crate::fault::Confidence;

pub(super) static RULES: &[Disguise] = &[
    Disguise {
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
        sees: Sees::Text(is_wrapped),
    },
    Disguise {
        row: row(
            "disguise.dump",
            "What pydantic prints.",
            Confidence::Structural,
            &[
                "1 validation error for addArguments\na\n  Field required [type=missing, input_value={}, input_type=dict]",
            ],
            &["1 validation error for you to find"],
        ),
        sees: Sees::Text(is_dump),
    },
    Disguise {
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
        sees: Sees::Text(is_tagged),
    },
    Disguise {
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
        sees: Sees::Text(opens_as_error),
    },
    Disguise {
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
        sees: Sees::Text(opens_as_named_error),
    },
    Disguise {
        row: row(
            "disguise.failed",
            "One line that begins with \"Failed to …\" or \"Could not …\" and says why in words another rule knows.",
            Confidence::Textual,
            &[
                "Failed to list issues: 403 Forbidden",
                "Could not connect to the database: connection refused",
            ],
            &[
                "Failed to compile 3 of 12 files",
                "Could not be better",
                "The deploy failed: timed out",
                "Unable to find any issues. Your code is clean.",
                "Failed to parse 2 of 100 lines; 98 lines imported.",
                "Cannot reproduce: the bug was closed as invalid",
                "Failed to connect: 0",
            ],
        ),
        sees: Sees::Text(says_it_failed),
    },
    Disguise {
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
            ],
        ),
        sees: Sees::Text(is_status_line),
    },
    Disguise {
        row: row(
            "disguise.refusal",
            "One short line that begins as servers refuse a call: \"missing required parameter: x\", \"Unknown tool: x\".",
            Confidence::Textual,
            &[
                "missing required parameter: owner",
                "Unknown tool: x",
                "Permission denied: x",
                "Permission denied for table orders",
                "Rate limit exceeded",
                "Request timed out",
                "Connection refused",
                "Invalid API key",
            ],
            &[
                "Permission denied events in the audit log: 4",
                "Access denied: 4",
                "Connection refused by 3 hosts",
                "Invalid API key rotated",
                "Missing required parameters are reported in red; see the manual.\nMore",
                "Unknown tools of the trade",
            ],
        ),
        sees: Sees::Text(refuses),
    },
    Disguise {
        row: row(
            "disguise.went-wrong",
            "One short line that says that the call failed: \"An error occurred: …\", \"Query failed: …\", \"Something went wrong.\".",
            Confidence::Textual,
            &[
                "An error occurred: timeout",
                "I'm sorry, an error occurred while processing your request.",
                "Sorry, something went wrong.",
                "Operation failed",
                "Tool execution failed: boom",
                "Query failed: syntax error at or near \"SELEC\"",
            ],
            &[
                "An error occurred in 3 of 7 trials",
                "Something went wrong with the plot in the second act",
                "Operation failed states are listed below",
                "Request failed: 3",
                "Command failed with exit code 1",
                "Tests failed: none of them",
            ],
        ),
        sees: Sees::Text(went_wrong),
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

fn says_it_failed(text: &str, classifier: &Classifier) -> bool {
    let one_line = !text.contains('\n') && text.len() <= 512;
    let leads = [
        "failed to ",
        "unable to ",
        "could not ",
        "couldn't ",
        "cannot ",
        "request failed",
        "operation failed",
    ];
    let Some(doing) = leads.iter().find_map(|lead| after(text, lead)) else {
        return false;
    };
    let innocent = is_finding(doing) || is_share(text) || is_count(text) || is_explanation(text);
    one_line
        && !innocent
        && classifier
            .judge(text)
            .is_some_and(|by| by.rule != "text.internal")
}

fn is_status_line(text: &str, _: &Classifier) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_digit()) || starts_with(text, "http");
    let short = !text.contains('\n') && text.len() <= 60;
    starts && short && text::status_in(text).is_some()
}

fn refuses(text: &str, classifier: &Classifier) -> bool {
    let one_line = !text.contains('\n') && text.len() <= 160;
    let opens = || {
        let named = NAMED_REFUSALS.iter().find_map(|lead| after(text, lead));
        let named = named.is_some_and(|rest| ends_or_goes_on(rest) || is_one_name(rest));
        let plain = REFUSALS.iter().find_map(|lead| after(text, lead));
        named || plain.is_some_and(ends_or_goes_on)
    };
    one_line
        && opens()
        && !is_count(text)
        && !is_explanation(text)
        && classifier.judge(text).is_some()
}

/// Refusals that name something behind them.
const NAMED_REFUSALS: &[&str] = &[
    "missing required parameter",
    "missing required argument",
    "missing required field",
    "unknown tool",
    "unknown operation",
    "invalid parameter",
    "invalid argument",
];

const REFUSALS: &[&str] = &[
    "unauthorized",
    "forbidden",
    "permission denied",
    "access denied",
    "rate limit exceeded",
    "too many requests",
    "quota exceeded",
    "request timed out",
    "operation timed out",
    "connection timed out",
    "connection refused",
    "invalid api key",
    "invalid credentials",
    "authentication required",
    "authentication failed",
    "not authenticated",
    "not authorized",
    "service unavailable",
    "internal server error",
    "bad gateway",
    "gateway timeout",
];

/// Whether nothing follows, or a reason, or whom or what it is about. Any other word makes the words before it a part of
/// something: "permission denied events".
fn ends_or_goes_on(rest: &str) -> bool {
    let Some(next) = rest.trim_start().chars().next() else {
        return true;
    };
    let word = rest.split_whitespace().next().unwrap_or_default();
    let about = ["for", "to", "on", "when", "while", "at", "after", "because"];
    !next.is_alphanumeric() || (rest.starts_with(' ') && about.contains(&word))
}

fn is_one_name(rest: &str) -> bool {
    rest.starts_with(' ') && rest.split_whitespace().count() == 1
}

fn went_wrong(text: &str, _: &Classifier) -> bool {
    let one_line = !text.contains('\n') && text.len() <= 300;
    let sorry = [
        "i'm sorry, ",
        "we're sorry, ",
        "sorry, ",
        "oops, ",
        "oops! ",
    ];
    let plain = sorry
        .iter()
        .find_map(|lead| after(text, lead))
        .unwrap_or(text);
    let wrong = WENT_WRONG.iter().find_map(|lead| after(plain, lead));
    let failed = FAILED.iter().find_map(|lead| after(plain, lead));
    let is_reason = |rest: &str| rest.is_empty() || rest.starts_with([':', '.', '!', ',']);
    let is_doing = |rest: &str| {
        let mut words = rest.split_whitespace();
        let at = words.next().unwrap_or_default();
        let doing = words.next().unwrap_or_default();
        matches!(at, "while" | "when") && doing.ends_with("ing")
    };
    let told = wrong
        .is_some_and(|rest| is_reason(rest) || is_doing(rest) || rest.starts_with(" ("))
        || failed.is_some_and(is_reason);
    one_line && told && !is_count(text) && !is_share(text) && !is_explanation(text)
}

const WENT_WRONG: &[&str] = &[
    "an error occurred",
    "an error has occurred",
    "an unexpected error occurred",
    "an unexpected error has occurred",
    "an internal error occurred",
    "an unknown error occurred",
    "something went wrong",
];

/// What a tool does for its caller. What it may be asked about (a test, a build, a job, a command) is not among them.
const FAILED: &[&str] = &[
    "operation failed",
    "request failed",
    "query failed",
    "tool execution failed",
    "tool call failed",
    "api call failed",
    "api request failed",
    "http request failed",
];

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

/// What follows a beginning, in whatever case that is written.
fn after<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let head = text.get(..lead.len())?;
    head.eq_ignore_ascii_case(lead).then(|| &text[lead.len()..])
}
