//! Texts that are a failure from the first line to the last: a traceback, a proxy's error page.

use super::{DisguiseRule, DisguiseTest, disguises};
use crate::classify::classifier::Classifier;
use crate::classify::rule::RuleRow;
use crate::classify::{page, text};
use crate::fault::Confidence;

pub(super) static RULES: &[DisguiseRule] = disguises! {
    "disguise.traceback": Textual, Text(is_traceback), "A Python traceback and nothing else.";
    ["Traceback (most recent call last):\n  File \"app.py\", line 3, in f\n    a\nKeyError: 'a'"];
    [
        "Traceback (most recent call last):\n  File \"app.py\", line 3\nKeyError: 'a'\nAll 3 jobs were restarted.",
        "Traceback (most recent call last) is how it begins",
    ];

    "disguise.panic": Textual, Text(is_panic), "A panic of Go or Rust with the frames below it and nothing else.";
    [
        "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/srv/main.go:7 +0x1d",
        "thread 'main' panicked at src/main.rs:4:5:\nboom\nstack backtrace:\n   0: shop::main",
    ];
    [
        "panic: is it time to?", "goroutine 1 [running]:\nmain.main()",
        "thread 'tests::adds' panicked at src/lib.rs:4:5:\nboom\ntest result: FAILED. 0 passed; 1 failed",
    ];

    "disguise.xml-error": Structural, Text(is_xml_error), "What storage in the manner of S3 answers with: `<Error><Code>…</Code>…</Error>`.";
    [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>",
    ];
    [
        "<Error><Message>x</Message></Error>", "<Errors><Error><Code>a</Code></Error></Errors>",
        "<Error><Code>a</Code></Error> is how they answer",
    ];

    "disguise.page": Textual, Text(is_error_page), "A short page for people whose title is an HTTP status and its reason.";
    ["<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"];
    [
        "<html><head><title>404 Not Found: a song</title></head><body>la la</body></html>",
        "<html><head><title>Home</title></head><body>502 Bad Gateway</body></html>",
    ];
};

fn is_traceback(text: &str, _: &Classifier) -> bool {
    let Some(frames) = text.strip_prefix("Traceback (most recent call last):") else {
        return false;
    };
    let last = frames.lines().next_back().unwrap_or_default();
    let class = last.split(':').next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    frames.starts_with(['\n', '\r']) && !class.is_empty() && class.chars().all(is_name)
}

fn is_panic(text: &str, _: &Classifier) -> bool {
    let goes = text.starts_with("panic: ") && text.contains("\n\ngoroutine ");
    let rusts = text.starts_with("thread '")
        && text
            .lines()
            .next()
            .is_some_and(|line| line.contains(" panicked at "))
        && text.contains("\nstack backtrace:\n");
    (goes || rusts) && !text.contains("test result:") && !text.contains("--- FAIL")
}

fn is_xml_error(text: &str, _: &Classifier) -> bool {
    let body = match text.split_once("?>") {
        Some((head, body)) if head.starts_with("<?xml") => body.trim_start(),
        _ => text,
    };
    let inner = body
        .strip_prefix("<Error>")
        .and_then(|rest| rest.trim_end().strip_suffix("</Error>"));
    inner
        .is_some_and(|inner| inner.trim_start().starts_with("<Code>") && !inner.contains("<Error>"))
}

fn is_error_page(text: &str, _: &Classifier) -> bool {
    let is_page = ["<!doctype html", "<html"].iter().any(|tag| {
        text.get(..tag.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(tag))
    });
    let is_status = |title: String| {
        let words = title.split_whitespace().count();
        let number = title.starts_with(|c: char| c.is_ascii_digit());
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-');
        number
            && title.chars().all(plain)
            && words <= LONGEST_REASON
            && text::status_in(&title).is_some()
    };
    is_page && page::title(text).is_some_and(is_status)
}

/// The number, and up to four words of reason: "413 Request Entity Too Large".
const LONGEST_REASON: usize = 5;
