//! A first look at a result: the members at the top as they are written, and how its texts open. It tells the many that are
//! plain successes from the few that have to be read, without parsing what is in them.

use memchr::memmem;
use serde_json::Value;

use super::lenient::{text_of, value_of};
use crate::envelope::splice::{Object, each, text};

/// What a result seems to be.
pub(super) enum Look {
    /// It worked.
    Success,
    /// It is no result yet.
    Asks,
    /// Something in it may say that it failed.
    Suspect,
    /// It is so short that it may be a failure by its words. This is all there is to read.
    Candidate(Value),
}

/// Looks at a result; for failures that call themselves successes too, if those are to be unmasked.
pub(super) fn look(result: &str, unmask: bool) -> Look {
    let Some(top) = Object::of(result, TOP) else {
        return Look::Suspect;
    };
    if is_set(top.get("isError")) {
        return Look::Suspect;
    }
    if is_no_result_yet(&top) {
        return Look::Asks;
    }
    let structured = top.get("structuredContent").filter(|raw| *raw != "null");
    let has_marks = |raw: &str| memmem::find(raw.as_bytes(), b"dev.breakfall").is_some();
    if top.get("_meta").is_some_and(has_marks) || structured.is_some_and(says_it_failed) {
        return Look::Suspect;
    }
    let content = top.get("content").unwrap_or("[]");
    let Some(blocks) = Blocks::of(content) else {
        return Look::Suspect;
    };
    if blocks.is_suspect {
        return Look::Suspect;
    }
    let is_short = blocks.is_short && structured.is_none_or(|raw| raw.len() <= LONGEST);
    if !unmask || !is_short || (blocks.count == 0 && structured.is_none()) {
        return Look::Success;
    }
    let structured = structured.unwrap_or("null");
    Look::Candidate(value_of(&format!(
        r#"{{"content":{content},"structuredContent":{structured}}}"#
    )))
}

const TOP: &[&str] = &[
    "_meta",
    "content",
    "inputRequests",
    "isError",
    "resultType",
    "structuredContent",
    "task",
];

/// The longest text, and the longest structured content, that are looked at for a failure that calls itself a success. The
/// rules take no longer ones.
const LONGEST: usize = 32 << 10;

/// Whether a flag is set. Nobody sets it to anything but false to say that all is well.
fn is_set(flag: Option<&str>) -> bool {
    flag.is_some_and(|raw| raw != "false" && raw != "null")
}

/// Input is asked for, or a task was begun.
fn is_no_result_yet(top: &Object<'_>) -> bool {
    let kind = top.text("resultType");
    let is_task = || {
        let is_object = top.get("task").is_some_and(|raw| raw.starts_with('{'));
        is_object && top.get("content").is_none()
    };
    match kind.as_deref() {
        Some("input_required" | "task") => true,
        Some(_) => false,
        None => top.get("inputRequests").is_some() || is_task(),
    }
}

/// What the blocks of a result look like.
#[derive(Default)]
struct Blocks {
    count: usize,
    is_suspect: bool,
    /// At most one, and that a text a rule on words could be about.
    is_short: bool,
}

impl Blocks {
    fn of(content: &str) -> Option<Self> {
        let mut blocks = Self {
            is_short: true,
            ..Self::default()
        };
        each(content, |block| blocks.add(block))?;
        Some(blocks)
    }

    fn add(&mut self, block: &str) {
        self.count += 1;
        self.is_short &= self.count == 1;
        let object = Object::of(block, &["text"]);
        match object.and_then(|object| object.get("text")) {
            Some(raw) => {
                self.is_suspect |= is_suspect(raw);
                self.is_short &= raw.len() <= LONGEST;
            }
            None => self.is_short = false,
        }
    }
}

/// Whether a text, as it is written, is a document that says it failed, or a failure in our own words.
fn is_suspect(raw: &str) -> bool {
    match opening(raw) {
        Some('{') => match text(raw) {
            Some(json) => says_it_failed(&json),
            None => says_it_failed(&text_of(raw)),
        },
        Some('[') => {
            let start = &raw.as_bytes()[..raw.len().min(OPENING)];
            memmem::find(start, br"\nFix: ").is_some()
        }
        _ => false,
    }
}

/// Our own words come to the point before this.
const OPENING: usize = 8 << 10;

/// The first character of a text that is not blank.
fn opening(raw: &str) -> Option<char> {
    let mut rest = raw.strip_prefix('"')?;
    loop {
        rest = rest.trim_ascii_start();
        match [r"\n", r"\r", r"\t"]
            .iter()
            .find_map(|gap| rest.strip_prefix(gap))
        {
            Some(more) => rest = more,
            None => return rest.chars().next(),
        }
    }
}

/// Whether an object may be a failure in one of our formats, by the members it has at the top.
fn says_it_failed(json: &str) -> bool {
    let json = json.trim_ascii();
    if !json.starts_with('{') {
        return false;
    }
    let Some(object) = Object::of(json, MARKS) else {
        return false;
    };
    let is_there = |name| object.get(name).is_some_and(|raw| raw != "null");
    object.get("success") == Some("false")
        || is_there("error")
        || is_there("kind")
        || is_there("recovery_actions")
        || (is_there("category") && is_there("retry"))
        || object
            .text("type")
            .is_some_and(|kind| kind.contains("breakfall"))
}

const MARKS: &[&str] = &[
    "category",
    "error",
    "kind",
    "recovery_actions",
    "retry",
    "success",
    "type",
];
