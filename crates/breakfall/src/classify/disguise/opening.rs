//! Texts that open like a failure, in a result that does not say it is one.

use super::innocent::{is_count, is_explanation, is_quotation};
use super::{DisguiseRule, DisguiseTest, after, disguises};
use crate::classify::classifier::Classifier;
use crate::classify::rule::RuleRow;
use crate::classify::text::{self, head};
use crate::classify::{dump, prefix};
use crate::fault::Confidence;

pub(super) static RULES: &[DisguiseRule] = disguises! {
    "disguise.mcp-error": Structural, Text(is_mcp_error), "An SDK's text for a JSON-RPC error: \"MCP error -32602: …\".";
    ["MCP error -32602: nope", "McpError: MCP error -32603: it broke"];
    ["MCP error codes: an overview", "MCP error 5: boom", "It said MCP error -32602: nope"];

    "disguise.prefix": Textual, Text(is_wrapped), "A framework's words around an error: \"Error executing tool x: …\". Structural where they name the tool that was called.";
    ["Error executing tool add: division by zero", "Input validation error: 'q' is a required property"];
    ["The tool failed", "Tools of the trade"];

    "disguise.dump": Textual, Text(is_dump), "What pydantic prints. Structural where it names the tool that was called.";
    [
        "1 validation error for addArguments\na\n  Field required [type=missing, input_value={}, input_type=dict]",
    ];
    ["1 validation error for you to find"];

    "disguise.heading": Textual, Text(is_headed), "A heading that says that something failed: \"# Edit Failed\".";
    ["# Edit Failed\n\nThe text to replace was not found.", "## ❌ Build failed\nsee below", "# Error\nNo such page."];
    [
        "# Tasks\n- failed", "# Why the launch failed\nA postmortem.", "# Failed tests\n- a", "# Error handling\nUse `?`.",
        "Edit Failed",
    ];

    "disguise.error-tag": Textual, Text(is_tagged), "`<error>…</error>`, alone or below one line of heading.";
    [
        "<error>No more content available.</error>",
        "Contents of https://x.example/:\n<error>Page failed to be simplified from HTML</error>",
    ];
    [
        "A page\n\n<error>Content truncated. Ask for more.</error>",
        "<error>a</error> is how an element begins", "<errors></errors>",
    ];

    "disguise.error-opening": Textual, Text(opens_as_error), "A short text that begins with `Error:`, or with \"Error opening x: …\" and the like.";
    [
        "Error: Unknown tool: x", "ERROR - the disk is on fire", "❌ Error: it broke", "**Error:** no luck",
        "**Error**: permission denied", "\"Error: not found\"",
        "Error opening project: list index out of range",
    ];
    [
        "Error handling guide", "Error handling: a guide", "Error: none", "Errors: 0", "No errors found",
        "ERROR: a\nINFO: b\nERROR: c", "2026-01-01 Error: disk full", "ERROR: 0 rows",
        "\"Error: not found\" is the message you'll see when the id is wrong.",
        "Error: Permission denied (publickey). is a common SSH message. To fix it add your key.",
    ];

    "disguise.named-error": Textual, Text(opens_as_named_error), "A short text that begins with a kind of error and a colon: `Database error:`, `ValueError:`.";
    [
        "Database error: no such table: orders", "ValueError: invalid literal for int() with base 10: 'x'",
        "psycopg2.OperationalError: server closed", "❌ A2A Node Error: Unknown tool: x",
    ];
    ["Mean squared error: 0.02", "Margin of error: 5%", "Standard error: 1.2", "Last error: none"];

    "disguise.status-line": Textual, Text(is_status_line), "An HTTP status and nothing else: \"404 Not Found\".";
    ["404 Not Found", "HTTP 500: Internal Server Error", "429 Too Many Requests"];
    [
        "200 OK", "404 Not Found means that the page you asked for is not there any more", "500 items",
        "500 Internal Server Error responses: 0",
    ];
};

fn is_mcp_error(text: &str, _: &Classifier) -> bool {
    let bare = prefix::after_opening(text).unwrap_or(text);
    let number = after(bare, "mcp error -32");
    let behind = number.map(|number| number.trim_start_matches(|c: char| c.is_ascii_digit()));
    behind.is_some_and(|behind| behind.starts_with(':')) && few_lines(text)
}

/// Whether a framework's words around an error name a tool: "Error executing tool x: …", "1 validation error for call[x]".
pub(super) fn names_tool(text: &str, tool: &str) -> bool {
    if tool.is_empty() {
        return false;
    }
    let is_named = || {
        let first = text.lines().next().unwrap_or_default().trim_end();
        let model = first.rsplit(' ').next().unwrap_or_default();
        let called = model
            .strip_prefix("call[")
            .and_then(|name| name.strip_suffix(']'));
        called.or_else(|| model.strip_suffix("Arguments")) == Some(tool)
    };
    prefix::unwrap(text, &|_| true).tool == Some(tool) || (is_pydantic(text) && is_named())
}

fn is_headed(text: &str, _: &Classifier) -> bool {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let heading = first.trim_start_matches('#');
    let depth = first.len() - heading.len();
    if !(1..=3).contains(&depth) || !heading.starts_with(' ') || rest.trim().is_empty() {
        return false;
    }
    let words: Vec<&str> = heading
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let says = |word: &str| {
        ["failed", "error"]
            .iter()
            .any(|have| word.eq_ignore_ascii_case(have))
    };
    match words.as_slice() {
        [only] => only.eq_ignore_ascii_case("error"),
        [_, last] | [_, _, last] => says(last),
        _ => false,
    }
}

fn is_wrapped(text: &str, _: &Classifier) -> bool {
    let layers = prefix::unwrap(text, &|_| true);
    (layers.code.is_some() || layers.tool.is_some()) && few_lines(text)
}

fn is_dump(text: &str, _: &Classifier) -> bool {
    is_pydantic(text)
}

fn is_pydantic(text: &str) -> bool {
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
