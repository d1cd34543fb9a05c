//! Whether a source translates what there is to translate: every problem with its line, and what to do about it.

use std::collections::BTreeSet;
use std::fmt;

use fluent_syntax::ast::{Message, Pattern as Parsed};
use fluent_syntax::parser::ParserError;

use super::Language;
use super::bundle::MessageTexts;
use super::pattern::TextPattern;
use super::rows::{self, MessagePart, MessageRow};
use crate::catalog::registry::Catalog;
use crate::{suggest, template};

/// Why a translation was refused: everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslationError {
    language: Language,
    problems: Vec<Problem>,
}

impl TranslationError {
    pub(super) fn unless_empty(language: Language, problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self { language, problems })
        }
    }

    /// The language it was for.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The problems, by line; the first twenty if there are more.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the translation to '{}' cannot be used", self.language)?;
        for (index, problem) in self.problems.iter().enumerate() {
            f.write_str(if index == 0 { ": " } else { "; " })?;
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for TranslationError {}

/// One thing wrong with a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The line, counted from one.
    pub line: usize,
    /// The message or attribute concerned, as `ORDER_NOT_FOUND.user`; empty where nothing could be read.
    pub id: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub fix: String,
}

impl Problem {
    /// A problem with a whole message.
    pub(super) fn of_message(source: &str, name: &str, problem: &str, fix: &str) -> Self {
        Self {
            line: MessageChecker::new(source, &Catalog::builtin()).line(name, None),
            id: name.to_owned(),
            problem: problem.to_owned(),
            fix: fix.to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.id.is_empty() {
            write!(f, ", '{}'", self.id)?;
        }
        write!(f, ": {} ({})", self.problem, self.fix)
    }
}

/// Checks the messages of one source.
pub(super) struct MessageChecker<'a> {
    source: &'a str,
    catalog: &'a Catalog,
    seen: BTreeSet<String>,
    problems: Vec<Problem>,
}

impl<'a> MessageChecker<'a> {
    pub(super) fn new(source: &'a str, catalog: &'a Catalog) -> Self {
        Self {
            source,
            catalog,
            seen: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.line);
        self.problems
    }

    /// Whether enough has been found to refuse it.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    /// Whether the parser may see it: it recurses, and does not know when to stop.
    pub(super) fn is_readable(&mut self) -> bool {
        if self.source.len() > MOST_BYTES {
            let problem = format!("{} bytes are too many", self.source.len());
            self.note(1, String::new(), problem, "keep it below a mebibyte");
        } else if let Some(line) = deep_line(self.source) {
            let problem = "placeables are nested too deep".to_owned();
            self.note(line, String::new(), problem, "write the text flat");
        }
        self.problems.is_empty()
    }

    pub(super) fn syntax(&mut self, error: &ParserError) {
        if self.is_full() {
            return;
        }
        let before = self.source.floor_char_boundary(error.pos.start);
        let line = 1 + self.source[..before].matches('\n').count();
        let problem = format!("this is no Fluent: {error}");
        let fix = "correct the line, or the one before it";
        self.note(line, String::new(), problem, fix);
    }

    pub(super) fn term(&mut self, name: &str) {
        let problem = "terms are not used here".to_owned();
        let fix = "write its words where they belong";
        self.note_at(&format!("-{name}"), None, problem, fix);
    }

    /// The texts of a message, unless something is wrong with it.
    pub(super) fn message(&mut self, message: &Message<&str>) -> Option<MessageTexts> {
        let name = message.id.name;
        let before = self.problems.len();
        if !self.seen.insert(name.to_owned()) {
            let problem = "the message is there twice".to_owned();
            let line = self.last_line(name);
            self.note(line, name.to_owned(), problem, "remove one of the two");
            return None;
        }
        let Some(row) = rows::of_name(name, self.catalog) else {
            self.unknown(name);
            return None;
        };
        let mut texts = MessageTexts::default();
        let own = message
            .value
            .iter()
            .map(|text| (Some(MessagePart::Message), "", text));
        let attributes = message.attributes.iter().map(|attribute| {
            let name = attribute.id.name;
            (MessagePart::of_attribute(name), name, &attribute.value)
        });
        for (part, attribute, text) in own.chain(attributes) {
            let known = part.and_then(|part| row.iter().find(|(have, _)| *have == part));
            match known {
                Some((part, _)) if texts[*part as usize].is_some() => {
                    let problem = "the text is there twice".to_owned();
                    self.note_at(name, part.attribute(), problem, "remove one of the two");
                }
                Some((part, english)) => {
                    texts[*part as usize] = self.text(name, *part, text, english);
                }
                None => self.surplus(name, attribute, &row),
            }
        }
        for (part, _) in &row {
            if texts[*part as usize].is_none() && self.problems.len() == before {
                self.missing(name, *part);
            }
        }
        (self.problems.len() == before).then_some(texts)
    }

    /// A text that says and chooses by the values its English says, and no others.
    fn text(
        &mut self,
        name: &str,
        part: MessagePart,
        parsed: &Parsed<&str>,
        english: &str,
    ) -> Option<TextPattern> {
        let attribute = part.attribute();
        let pattern = match TextPattern::of(parsed) {
            Ok(pattern) => pattern,
            Err(unfit) => {
                self.note_at(name, attribute, unfit.problem, unfit.fix);
                return None;
            }
        };
        let wanted: BTreeSet<&str> = template::placeholders(english).collect();
        let said = pattern.names();
        for value in said.difference(&wanted) {
            let near = suggest::nearest(value, wanted.iter().copied());
            let fix = near.map_or("leave it out".to_owned(), |near| {
                format!("did you mean ${near}?")
            });
            let problem = format!("the English has no value ${value}");
            self.note_at(name, attribute, problem, fix);
        }
        for value in wanted.difference(&said) {
            let problem = format!("the value ${value} of the English is missing");
            let fix = format!("write {{ ${value} }} where it belongs");
            self.note_at(name, attribute, problem, fix);
        }
        Some(pattern)
    }

    fn unknown(&mut self, name: &str) {
        let near = suggest::nearest(name, rows::names(self.catalog));
        let fix = near.map_or("register the code first".to_owned(), |near| {
            format!("did you mean {near}?")
        });
        self.note_at(name, None, "no code has this name".to_owned(), fix);
    }

    fn surplus(&mut self, name: &str, attribute: &str, row: &MessageRow) {
        let parts = row.iter().filter_map(|(part, _)| part.attribute());
        let fix = match suggest::nearest(attribute, parts) {
            Some(near) => format!("did you mean .{near}?"),
            None => "remove it".to_owned(),
        };
        let problem = "the row has no such text".to_owned();
        self.note_at(name, Some(attribute), problem, fix);
    }

    fn missing(&mut self, name: &str, part: MessagePart) {
        let (problem, fix) = match part.attribute() {
            None => (
                "the text itself is missing".to_owned(),
                format!("write {name} = …"),
            ),
            Some(attribute) => (
                format!(".{attribute} is missing"),
                format!("write .{attribute} = …"),
            ),
        };
        self.note_at(name, None, problem, fix);
    }

    fn note_at(
        &mut self,
        name: &str,
        attribute: Option<&str>,
        problem: String,
        fix: impl Into<String>,
    ) {
        let line = self.line(name, attribute);
        let id = attribute.map_or_else(|| name.to_owned(), |it| format!("{name}.{it}"));
        self.note(line, id, problem, fix);
    }

    fn note(&mut self, line: usize, id: String, problem: String, fix: impl Into<String>) {
        if !self.is_full() {
            self.problems.push(Problem {
                line,
                id,
                problem,
                fix: fix.into(),
            });
        }
    }

    /// The line a message or one of its attributes begins on. The parser does not say.
    fn line(&self, name: &str, attribute: Option<&str>) -> usize {
        let mut lines = self.source.lines().enumerate();
        let message = lines.find(|(_, line)| begins(line, name));
        let Some((start, _)) = message else { return 1 };
        let Some(attribute) = attribute else {
            return start + 1;
        };
        let within = lines.take_while(|(_, line)| !line.starts_with(|c: char| c.is_alphanumeric()));
        let found = within.map(|(at, line)| (at, line.trim_start().strip_prefix('.')));
        let mut found = found.filter(|(_, line)| line.is_some_and(|it| begins(it, attribute)));
        found.next().map_or(start + 1, |(at, _)| at + 1)
    }

    fn last_line(&self, name: &str) -> usize {
        let lines = self.source.lines().enumerate();
        lines
            .filter(|(_, line)| begins(line, name))
            .last()
            .map_or(1, |(at, _)| at + 1)
    }
}

fn begins(line: &str, name: &str) -> bool {
    line.strip_prefix(name)
        .is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The first line on which placeables or calls are nested deeper than any text needs.
fn deep_line(source: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, line) in source.lines().enumerate() {
        // A new message begins here, whatever the one before left open.
        let name = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-".contains(c));
        if name.len() < line.len() && name.trim_start().starts_with('=') {
            depth = 0;
        }
        for byte in line.bytes() {
            match byte {
                b'{' => depth += 1,
                b'(' if depth > 0 => depth += 1,
                b'}' | b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST {
                return Some(at + 1);
            }
        }
    }
    None
}

const MOST_BYTES: usize = 1 << 20;
const MOST_PROBLEMS: usize = 20;
const DEEPEST: usize = 32;
