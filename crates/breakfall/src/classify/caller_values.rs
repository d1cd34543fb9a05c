//! What the caller sent in its call. An answer that repeats it says nothing by it: "unknown operator: 'Rate limit
//! exceeded'" is no rate limit.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;
use serde_json::Value;

/// The call whose answer is classified.
#[derive(Debug)]
pub(crate) struct CallFacts {
    tool: Box<str>,
    arguments: Box<str>,
    values: OnceLock<CallerValues>,
}

impl CallFacts {
    pub(crate) fn new(tool: &str, arguments: &str) -> Self {
        let is_small = arguments.len() <= MAX_ARGUMENT_BYTES;
        Self {
            tool: tool.into(),
            arguments: if is_small {
                arguments.into()
            } else {
                "".into()
            },
            values: OnceLock::new(),
        }
    }

    /// The name of the tool; empty if it is unknown.
    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    /// The text with the caller's values made unreadable. Lines stay lines.
    pub(crate) fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // `{}` and `[]` hold nothing.
        if self.arguments.len() <= 2 {
            return Cow::Borrowed(text);
        }
        let values = self
            .values
            .get_or_init(|| CallerValues::of_json(&self.arguments));
        values.mask(text)
    }
}

/// Larger arguments are not searched.
const MAX_ARGUMENT_BYTES: usize = 64 << 10;

#[derive(Debug, Default)]
struct CallerValues {
    /// The values, the longest first.
    whole: Vec<String>,
    /// The values of more than one word, which a text may repeat in part. A line end separates them.
    phrases: String,
}

impl CallerValues {
    fn of_json(arguments: &str) -> Self {
        let mut values = Self::default();
        if let Ok(arguments) = serde_json::from_str::<Value>(arguments) {
            values.collect(&arguments);
        }
        values
            .whole
            .sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.whole.dedup();
        values
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text.trim()),
            Value::Number(number) => self.add(&number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(members) => members.values().for_each(|member| self.collect(member)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn add(&mut self, value: &str) {
        if value.len() < MIN_VALUE_BYTES || self.whole.len() >= MAX_VALUES {
            return;
        }
        self.whole.push(value.to_owned());
        let has_words = value.contains(|c: char| !c.is_alphanumeric());
        if has_words && self.phrases.len() + value.len() <= MAX_PHRASE_BYTES {
            self.phrases.push_str(value);
            self.phrases.push('\n');
        }
    }

    fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.whole.is_empty() {
            return Cow::Borrowed(text);
        }
        let end = text.floor_char_boundary(MAX_TEXT_BYTES);
        let mut hidden: Vec<Range<usize>> = Vec::new();
        for value in &self.whole {
            hidden.extend(occurrences(&text[..end], value));
        }
        if !self.phrases.is_empty() {
            self.hide_parts(&text[..end], &mut hidden);
        }
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        hidden.sort_by_key(|range| range.start);
        let mut masked = String::with_capacity(text.len());
        let mut at = 0;
        for range in hidden {
            let start = range.start.max(at);
            if start >= range.end {
                continue;
            }
            masked.push_str(&text[at..start]);
            let hide = |c: char| if c == '\n' { c } else { 'x' };
            masked.extend(text[start..range.end].chars().map(hide));
            at = range.end;
        }
        masked.push_str(&text[at..]);
        Cow::Owned(masked)
    }

    /// Two words or more in the order of a value, and what stands in quotes and in a value.
    fn hide_parts(&self, text: &str, hidden: &mut Vec<Range<usize>>) {
        let words = words(text);
        let mut at = 0;
        while let Some(first) = words.get(at) {
            let longest = words[at..].iter().take(MAX_PART_WORDS).enumerate();
            let longest = longest
                .skip(1)
                .map(|(more, last)| (more, first.start..last.end))
                .take_while(|(_, range)| contains(&self.phrases, &text[range.clone()]))
                .last();
            if let Some((more, range)) = longest.filter(|(_, range)| range.len() >= MIN_PART_BYTES)
            {
                hidden.push(range);
                at += more;
            } else if is_quoted(text, first)
                && first.len() >= MIN_VALUE_BYTES
                && contains(&self.phrases, &text[first.clone()])
            {
                hidden.push(first.clone());
            }
            at += 1;
        }
    }
}

/// The words of a text: runs of letters and digits.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        match words.last_mut() {
            Some(last) if last.end == at => last.end += c.len_utf8(),
            Some(_) | None => words.push(at..at + c.len_utf8()),
        }
    }
    words
}

/// Where a value stands in a text, as words of its own.
fn occurrences<'a>(text: &'a str, value: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    memmem::find_iter(text.as_bytes(), value)
        .map(move |start| start..start + value.len())
        .filter(move |range| is_at_boundaries(text, range))
}

fn contains(text: &str, part: &str) -> bool {
    occurrences(text, part).next().is_some()
}

/// Whether a range does not begin or end inside a word.
fn is_at_boundaries(text: &str, range: &Range<usize>) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (before, part, after) = (
        &text[..range.start],
        &text[range.clone()],
        &text[range.end..],
    );
    let is_cut_before = is_word(before.chars().next_back()) && is_word(part.chars().next());
    let is_cut_after = is_word(part.chars().next_back()) && is_word(after.chars().next());
    !is_cut_before && !is_cut_after
}

fn is_quoted(text: &str, word: &Range<usize>) -> bool {
    let quotes = ['\'', '"', '`', '’', '”'];
    let before = text[..word.start].chars().next_back();
    let after = text[word.end..].chars().next();
    before.is_some_and(|c| quotes.contains(&c) || c == '‘' || c == '“')
        && after.is_some_and(|c| quotes.contains(&c))
}

/// Shorter values are in too many words.
const MIN_VALUE_BYTES: usize = 4;
/// The same for a part of a value.
const MIN_PART_BYTES: usize = 8;
const MAX_PART_WORDS: usize = 32;
const MAX_VALUES: usize = 256;
const MAX_PHRASE_BYTES: usize = 16 << 10;
/// The rules look at the beginning of a long text.
const MAX_TEXT_BYTES: usize = 8 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_masked_at_word_boundaries_and_parts_of_them_too() {
        let cases = [
            (
                r#"{"q":"timeout"}"#,
                "no match for 'timeout'",
                "no match for 'xxxxxxx'",
            ),
            (
                r#"{"q":"time"}"#,
                "no timeout, no time",
                "no timeout, no xxxx",
            ),
            (r#"{"q":"not"}"#, "not found", "not found"),
            (r#"{"n":5432}"#, "port 5432, 54321", "port xxxx, 54321"),
            (
                r#"{"command":"echo 'Rate limit exceeded' && ls"}"#,
                "Unexpected shell operator: '&&' in 'Rate limit exceeded'",
                "Unexpected shell operator: '&&' in 'xxxxxxxxxxxxxxxxxxx'",
            ),
            (
                r#"{"command":"grep timeout a.log"}"#,
                "grep: 'timeout' or timeout",
                "grep: 'xxxxxxx' or timeout",
            ),
            (
                r#"{"a":{"b":["line one\nline two"]}}"#,
                "> line one\nline two",
                "> xxxxxxxx\nxxxxxxxx",
            ),
            ("{}", "as it is", "as it is"),
            ("not JSON", "as it is", "as it is"),
        ];
        for (arguments, text, want) in cases {
            assert_eq!(
                CallFacts::new("t", arguments).mask(text),
                want,
                "{arguments}"
            );
        }
    }
}
