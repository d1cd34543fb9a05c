//! Validators that complain about one thing in one sentence: the Python and JavaScript validators of JSON Schema, and
//! serde. Only sentences that name the parameter say more than the rules on words do.

use std::borrow::Cow;

use super::{MOST, at_path, quoted};
use crate::classify::rule::RuleRow;
use crate::violation::Violation;

pub(super) static ROW: RuleRow = RuleRow {
    id: "dump.sentence",
    about: "A validator's sentence that names a parameter: \"'q' is a required property\", \"missing field `q`\".",
    examples: &[
        "Input validation error: 'query' is a required property",
        "Additional properties are not allowed ('colour', 'size' were unexpected)",
        "must have required property 'query'",
        "failed to deserialize parameters: missing field `b`",
        "unknown field `colour`, expected one of `color`, `size`",
    ],
    counter_examples: &[
        "'query' is a required property of all good software",
        "missing field",
    ],
    ..RuleRow::STRUCTURAL
};

pub(super) fn from_text(text: &str) -> Option<Vec<Violation>> {
    let line = text[..text.floor_char_boundary(2048)]
        .lines()
        .next()?
        .trim();
    // Each of them has a name in quotes.
    memchr::memchr2(b'\'', b'`', line.as_bytes())?;
    SENTENCES.iter().find_map(|sentence| sentence.read(line))
}

struct SentenceForm {
    /// What it is known by.
    mark: &'static str,
    /// Whether names stand before the mark; else they follow it.
    before: bool,
    quote: char,
    keyword: &'static str,
    /// What may still follow.
    tail: &'static [&'static str],
}

impl SentenceForm {
    fn read(&self, line: &str) -> Option<Vec<Violation>> {
        let at = line.find(self.mark)?;
        let rest = &line[at + self.mark.len()..];
        let (head, rest) = if self.before {
            (&line[..at], rest)
        } else {
            (rest, "")
        };
        let names = match (self.before, self.tail) {
            (true, _) => quoted(head, self.quote)
                .into_iter()
                .last()
                .into_iter()
                .collect(),
            (false, []) => quoted(head, self.quote).into_iter().take(1).collect(),
            (false, tail) => {
                let end = tail.iter().find_map(|tail| head.find(tail))?;
                quoted(&head[..end], self.quote)
            }
        };
        let ends = rest.is_empty() || rest.starts_with(['.', ',', ';', '\n']);
        let fits = |name: &&str| !name.is_empty() && name.len() <= 200;
        let of = |name: &str| at_path([Cow::Borrowed(name)].into_iter()).keyword(self.keyword);
        let found: Vec<_> = names.into_iter().filter(fits).take(MOST).map(of).collect();
        (ends && !found.is_empty()).then_some(found)
    }
}

#[rustfmt::skip]
const SENTENCES: &[SentenceForm] = &[
    SentenceForm { mark: " is a required property", before: true, quote: '\'', keyword: "required", tail: &[] },
    SentenceForm { mark: "must have required property ", before: false, quote: '\'', keyword: "required", tail: &[] },
    SentenceForm {
        mark: "Additional properties are not allowed (",
        before: false,
        quote: '\'',
        keyword: "additionalProperties",
        tail: &[" was unexpected", " were unexpected"],
    },
    SentenceForm { mark: "missing field ", before: false, quote: '`', keyword: "required", tail: &[] },
    SentenceForm {
        mark: "unknown field ",
        before: false,
        quote: '`',
        keyword: "additionalProperties",
        tail: &[", expected", ", there are no fields"],
    },
];
