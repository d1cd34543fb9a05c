//! What the compiler checks of a derived error. The functions that panic do so in a `const`, where a panic is an error of
//! the compiler.

#![expect(clippy::panic, reason = "it is an error of the compiler")]

use crate::catalog::agree as rows;
use crate::catalog::{same, words};
use crate::code::{Code, Retry};
use crate::template::ALIASES;

/// Whether advice for the base's retry class does for another.
pub const fn agree(base: Code, retry: Retry) -> bool {
    rows::agree(base, retry)
}

/// Whether a failure of the code may have the retry class.
pub const fn may_have(code: Code, retry: Retry) -> bool {
    rows::may_have(code.category(), retry)
}

/// Whether a failure that extends the code may have the HTTP status.
pub const fn http_fits(base: Code, status: u16) -> bool {
    rows::http_fits(base.category(), status)
}

/// Whether a text says nothing.
pub const fn is_vague(text: &str) -> bool {
    words::is_vague(text)
}

/// # Panics
///
/// When a detail is missing that the row of the code requires.
#[track_caller]
pub const fn require_details(code: Code, keys: &[&str]) {
    let details = code.entry().details;
    let mut at = 0;
    while at < details.len() {
        let detail = details[at];
        if detail.required && !contains(keys, detail.name) {
            let text = ConstText::new("this code requires the detail '")
                .push(detail.name)
                .push("': add a field of this name, or details(")
                .push(detail.name)
                .push(" = …) for a value that is always the same");
            panic!("{}", text.as_str());
        }
        at += 1;
    }
}

/// # Panics
///
/// When the message of the code has a value that no detail fills, beside another that one does: the message would show
/// neither. A value that the row requires is left to [`require_details`].
#[track_caller]
pub const fn require_all_values(code: Code, keys: &[&str]) {
    let template = code.entry().message.template;
    let (filled, missing) = values(template, keys);
    if let (true, Some(name)) = (filled, missing)
        && !is_required(code, name)
    {
        let text = ConstText::new("the message of this code also names '")
            .push(name)
            .push("', so that it shows neither value: add a field of this name, or details(")
            .push(name)
            .push(" = …) for a value that is always the same");
        panic!("{}", text.as_str());
    }
}

const fn is_required(code: Code, name: &str) -> bool {
    let details = code.entry().details;
    let mut at = 0;
    while at < details.len() {
        if details[at].required && same(details[at].name, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// # Panics
///
/// When the message that a row has from the code it extends has a value that no detail fills.
#[track_caller]
pub const fn require_values(base: Code, keys: &[&str]) {
    let (_, missing) = values(base.entry().message.template, keys);
    if let Some(name) = missing {
        let text = ConstText::new("the message of the code this one extends names '")
            .push(name)
            .push("', which no field fills: add message = \"…\", or a field of this name");
        panic!("{}", text.as_str());
    }
}

/// Whether a detail fills a value of the template, and the name of one that none fills.
const fn values<'a>(template: &'a str, keys: &[&str]) -> (bool, Option<&'a str>) {
    let mut rest = template.as_bytes();
    let (mut filled, mut missing) = (false, None);
    while let Some((name, after)) = next_name(rest) {
        if contains(keys, aliased(name)) {
            filled = true;
        } else {
            missing = Some(name);
        }
        rest = after;
    }
    (filled, missing)
}

/// The first name in braces, and what follows it.
const fn next_name(text: &[u8]) -> Option<(&str, &[u8])> {
    if let Some((_, inside)) = split_at_byte(text, b'{')
        && let Some((name, after)) = split_at_byte(inside, b'}')
        && let Ok(name) = str::from_utf8(name)
    {
        return Some((name, after));
    }
    None
}

const fn split_at_byte(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    while at < text.len() {
        if text[at] == byte {
            let (before, rest) = text.split_at(at);
            return Some((before, rest.split_at(1).1));
        }
        at += 1;
    }
    None
}

/// The key of a name that a registered template has instead.
const fn aliased(name: &str) -> &str {
    let mut at = 0;
    while at < ALIASES.len() {
        let (alias, key) = ALIASES[at];
        if same(alias, name) {
            return key;
        }
        at += 1;
    }
    name
}

const fn contains(keys: &[&str], name: &str) -> bool {
    let mut at = 0;
    while at < keys.len() {
        // A detail called `field` is kept as `param_name`.
        if same(keys[at], name) || (same(name, "param_name") && same(keys[at], "field")) {
            return true;
        }
        at += 1;
    }
    false
}

/// A text that the compiler puts together.
struct ConstText {
    bytes: [u8; Self::SIZE],
    len: usize,
}

impl ConstText {
    /// Holds the longest of the texts above with the longest name in the catalogue.
    const SIZE: usize = 512;

    const fn new(text: &str) -> Self {
        let empty = Self {
            bytes: [0; Self::SIZE],
            len: 0,
        };
        empty.push(text)
    }

    const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() && self.len < Self::SIZE {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
