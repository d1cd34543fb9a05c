//! The texts of one language by name, made of a Fluent source and checked against the rows they translate.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use fluent_syntax::ast::Entry;
use fluent_syntax::parser::parse_runtime;
use serde_json::Value;

use super::Language;
use super::check::{MessageChecker, Problem};
use super::pattern::TextPattern;
use super::rows::MessagePart;
use crate::catalog::registry::Catalog;

/// The texts of one language.
#[derive(Debug, Clone, Default)]
pub(super) struct TextBundle(BTreeMap<Box<str>, MessageTexts>);

/// The texts under one name.
pub(super) type MessageTexts = [Option<TextPattern>; MessagePart::ALL.len()];

impl TextBundle {
    /// The built-in texts of a language. English has none: it is the rows.
    pub(super) fn builtin(language: Language) -> Option<&'static Self> {
        static SPANISH: LazyLock<TextBundle> = LazyLock::new(|| TextBundle::trusted(ES));
        static GERMAN: LazyLock<TextBundle> = LazyLock::new(|| TextBundle::trusted(DE));
        static JAPANESE: LazyLock<TextBundle> = LazyLock::new(|| TextBundle::trusted(JA));
        match language {
            Language::English => None,
            Language::Spanish => Some(&SPANISH),
            Language::German => Some(&GERMAN),
            Language::Japanese => Some(&JAPANESE),
        }
    }

    /// Reads a built-in source. Tests see to it that it has no problem; a text that had one would be missing.
    fn trusted(source: &str) -> Self {
        Self::read(source, &Catalog::builtin()).0
    }

    /// Reads a source: the texts that are right, and everything that is wrong.
    pub(super) fn read(source: &str, catalog: &Catalog) -> (Self, Vec<Problem>) {
        let mut bundle = Self::default();
        let mut checker = MessageChecker::new(source, catalog);
        if !checker.is_readable() {
            return (bundle, checker.finish());
        }
        let parsed = parse_runtime(source).unwrap_or_else(|(parsed, errors)| {
            for error in errors {
                checker.syntax(&error);
            }
            parsed
        });
        for entry in &parsed.body {
            if checker.is_full() {
                break;
            }
            match entry {
                Entry::Message(message) => {
                    if let Some(texts) = checker.message(message) {
                        bundle.0.insert(message.id.name.into(), texts);
                    }
                }
                Entry::Term(term) => checker.term(term.id.name),
                // Junk has been reported as an error of syntax.
                Entry::Comment(_)
                | Entry::GroupComment(_)
                | Entry::ResourceComment(_)
                | Entry::Junk { .. } => {}
            }
        }
        (bundle, checker.finish())
    }

    /// Adds texts of another source.
    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(AsRef::as_ref)
    }

    pub(super) fn text(&self, name: &str, part: MessagePart) -> Option<&TextPattern> {
        self.0.get(name)?[part as usize].as_ref()
    }

    /// A text with its values, or its plain form where one is missing.
    pub(super) fn format<'v>(
        &self,
        name: &str,
        [part, plain]: [MessagePart; 2],
        language: Language,
        value: &dyn Fn(&str) -> Option<Cow<'v, Value>>,
    ) -> Option<Cow<'_, str>> {
        let texts = self.0.get(name)?;
        let filled = texts[part as usize].as_ref()?.format(language, value);
        filled.or_else(|| texts[plain as usize].as_ref()?.fixed().map(Cow::Borrowed))
    }
}

const ES: &str = include_str!("../../locales/es.ftl");
const DE: &str = include_str!("../../locales/de.ftl");
const JA: &str = include_str!("../../locales/ja.ftl");

/// The source of a language's built-in texts.
#[cfg(test)]
pub(super) const fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../../locales/en.ftl"),
        Language::Spanish => ES,
        Language::German => DE,
        Language::Japanese => JA,
    }
}
