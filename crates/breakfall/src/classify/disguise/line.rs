//! Single lines in which servers say that they did not do it.

use super::innocent::{is_count, is_explanation, is_finding, is_share};
use super::{DisguiseRule, DisguiseTest, after, disguises};
use crate::classify::classifier::Classifier;
use crate::classify::rule::{RuleEffect, RuleRow};
use crate::fault::Confidence;

pub(super) static RULES: &[DisguiseRule] = disguises! {
    "disguise.failed": Textual, Text(says_it_failed), "One line that begins with \"Failed to …\" or \"Could not …\" and says why in words another rule knows.";
    ["Failed to list issues: 403 Forbidden", "Could not connect to the database: connection refused"];
    [
        "Failed to compile 3 of 12 files", "Could not be better", "The deploy failed: timed out",
        "Unable to find any issues. Your code is clean.", "Failed to parse 2 of 100 lines; 98 lines imported.",
        "Cannot reproduce: the bug was closed as invalid", "Failed to connect: 0",
        "Could not compile the shader, so the plain one is used",
    ];

    "disguise.refusal": Textual, Text(refuses), "One short line that begins as servers refuse a call: \"missing required parameter: x\", \"Unknown tool: x\".";
    [
        "missing required parameter: owner", "Unknown tool: x", "Permission denied: x",
        "Permission denied for table orders", "Rate limit exceeded", "Request timed out", "Connection refused",
        "Invalid API key",
    ];
    [
        "Permission denied events in the audit log: 4", "Access denied: 4",
        "Permission denied? Here is how to fix it: chmod +x.", "Connection refused by 3 hosts",
        "Invalid API key rotated", "Missing required parameters are reported in red; see the manual.\nMore",
        "Unknown tools of the trade",
    ];

    "disguise.went-wrong": Textual, Text(went_wrong), "One short line that says that the call failed: \"An error occurred: …\", \"Query failed: …\", \"Something went wrong.\".";
    [
        "An error occurred: timeout", "I'm sorry, an error occurred while processing your request.",
        "Sorry, something went wrong.", "Operation failed", "Tool execution failed: boom",
        "Query failed: syntax error at or near \"SELEC\"",
    ];
    [
        "An error occurred in 3 of 7 trials", "Something went wrong with the plot in the second act",
        "Operation failed states are listed below", "Request failed: 3", "Command failed with exit code 1",
        "Tests failed: none of them",
    ];
};

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
            .is_some_and(|by| !matches!(by.effect, RuleEffect::Vague | RuleEffect::ReadWords))
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
    !next.is_alphanumeric() && next != '?' || (rest.starts_with(' ') && about.contains(&word))
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
