//! What the caller sent or knows, and may therefore read.

use std::collections::HashSet;
use std::sync::OnceLock;

use serde_json::Value;

use super::Audience;
use super::bytes::run;
use super::engine;
use super::known::{KnownValues, climbs, is_separator, is_specific, without_port};
use super::mark::{Mark, MarkClass};
use super::raw::{string_end, unquoted};

/// Texts that the reader sent or owns, which stay unredacted.
#[derive(Debug, Clone, Default)]
pub(super) struct AllowList {
    /// The arguments of a call, parsed on first use: most texts have nothing in them that could be spared.
    arguments: SentArguments,
    /// No text in them is longer.
    longest: usize,
    /// Texts out of them, and what the rules find in those.
    texts: OnceLock<HashSet<Box<str>>>,
    /// A secret that was made for this reader.
    presented: Option<Box<str>>,
    /// What the reader knows besides.
    known: KnownValues,
}

/// The arguments a caller sent.
#[derive(Debug, Clone)]
enum SentArguments {
    Value(Value),
    /// As it was written.
    Json(Box<str>),
}

impl Default for SentArguments {
    fn default() -> Self {
        Self::Value(Value::Null)
    }
}

impl AllowList {
    /// Takes what arguments hold for sent.
    pub(super) fn send(&mut self, arguments: &Value) {
        self.longest = longest(arguments);
        self.arguments = SentArguments::Value(arguments.clone());
        self.texts = OnceLock::new();
    }

    /// Takes what arguments hold that are not parsed for sent.
    pub(super) fn send_json(&mut self, arguments: &str) {
        self.longest = arguments.len();
        self.arguments = SentArguments::Json(arguments.into());
        self.texts = OnceLock::new();
    }

    /// Adds what the reader knows besides.
    pub(super) fn know(&mut self, known: &KnownValues) {
        self.known = std::mem::take(&mut self.known).and(known);
    }

    /// Makes a secret one that was made for this reader.
    pub(super) fn present(&mut self, secret: &str) {
        self.presented = (!secret.is_empty()).then(|| secret.into());
    }

    /// Whether a text was made for this reader.
    pub(super) fn presents(&self, text: &str) -> bool {
        self.presented.as_deref() == Some(text)
    }

    /// Whether a find may stay: it was made for this reader, or the caller sent or knows it and it is not a secret.
    pub(super) fn has(&self, text: &str, mark: Mark) -> bool {
        if self.presents(text) {
            return true;
        }
        if mark.class() == MarkClass::Secret {
            return false;
        }
        self.known.has(text, mark)
            || self.is_sent(text)
            || mark == Mark::Path && self.is_below(text)
            || matches!(mark, Mark::Host | Mark::Address)
                && without_port(text).is_some_and(|host| self.is_sent(host))
    }

    /// Whether a path lies below a directory that stands in the arguments: who named the directory knows all of the path
    /// but what it is told about its own files.
    fn is_below(&self, path: &str) -> bool {
        let mut separators = path.match_indices(is_separator).map(|(at, _)| at);
        !climbs(path)
            && separators.any(|at| {
                let (bare, closed) = (&path[..at], &path[..=at]);
                is_specific(bare) && (self.is_sent(bare) || self.is_sent(closed))
            })
    }

    /// Whether a text stands in the arguments.
    fn is_sent(&self, text: &str) -> bool {
        if text.len() > self.longest {
            return false;
        }
        let texts = self.texts.get_or_init(|| {
            let mut texts = AllowedTexts {
                all: HashSet::new(),
                room: MOST_BYTES,
            };
            match &self.arguments {
                SentArguments::Value(value) => texts.add(value),
                SentArguments::Json(json) => texts.add_json(json),
            }
            texts.all
        });
        texts.contains(text)
    }
}

/// The length of the longest text in a value.
fn longest(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(longest).max().unwrap_or_default(),
        Value::Object(map) => {
            let each = map.iter().map(|(key, value)| key.len().max(longest(value)));
            each.max().unwrap_or_default()
        }
        Value::Number(_) => LONGEST_NUMBER,
        Value::Null | Value::Bool(_) => 0,
    }
}

/// `-2.2250738585072014e-308`
const LONGEST_NUMBER: usize = 24;

/// Texts collected from the arguments, up to a size.
struct AllowedTexts {
    all: HashSet<Box<str>>,
    /// How many bytes may still be added.
    room: usize,
}

impl AllowedTexts {
    /// Every string and every number, wherever they stand.
    fn add_json(&mut self, json: &str) {
        let bytes = json.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let end = match byte {
                b'"' => {
                    let Some(end) = string_end(bytes, at) else {
                        return;
                    };
                    self.add_text(&unquoted(&json[at..end]));
                    end
                }
                b'-' | b'0'..=b'9' => {
                    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
                    let end = run(bytes, at, usize::MAX, is_part);
                    self.add_text(&json[at..end]);
                    end
                }
                _ => at + 1,
            };
            at = end;
        }
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add_text(text),
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(map) => {
                for (key, value) in map {
                    self.add_text(key);
                    self.add(value);
                }
            }
            Value::Number(number) => self.add_text(&number.to_string()),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        let whole = text.trim();
        if whole.is_empty() || whole.len() > self.room || self.all.contains(whole) {
            return;
        }
        self.room -= whole.len();
        for span in engine::spans(whole, Audience::Client) {
            let text = &whole[span.start..span.end];
            if span.mark.class() != MarkClass::Secret {
                self.all.insert(text.into());
            }
            if matches!(span.mark, Mark::Host | Mark::Address)
                && let Some(host) = without_port(text)
            {
                self.all.insert(host.into());
            }
            if let Some(path) = text.strip_prefix("file://") {
                self.all.insert(path.into());
            }
        }
        self.all.insert(whole.into());
    }
}

/// Arguments beyond this are not remembered: who sends so much does not need it echoed.
const MOST_BYTES: usize = 256 * 1024;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_as_they_are_written_are_spared_like_values() {
        let arguments = json!({
            "path": "/srv/app/a.txt", "list": ["10.0.0.7", {"/etc/app.conf": true}], "n": 192,
            "quoted \" and \\": "\u{1f980} at /opt/x/y.js\n", "none": null, "half": -1.5,
        });
        let of_json = |json: &str| {
            let mut list = AllowList::default();
            list.send_json(json);
            list
        };
        let mut parsed = AllowList::default();
        parsed.send(&arguments);
        for text in [arguments.to_string(), format!("{arguments:#}")] {
            let written = of_json(&text);
            assert!(!written.is_sent("nothing") && !parsed.is_sent("nothing"));
            assert_eq!(written.texts.get(), parsed.texts.get());
        }
        for odd in [
            "",
            "{",
            "\"",
            "\"\\",
            "[1e400, \"/a/b.txt\", \"\\ud800\"",
            "-",
        ] {
            assert!(!of_json(odd).is_sent("nothing"), "{odd}");
        }
        assert!(of_json("[1e400, \"/a/b.txt\", \"").is_sent("/a/b.txt"));
    }
}
