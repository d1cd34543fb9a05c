//! Settings whose values are words of a closed set.

use breakfall::suggest::nearest;
use serde_json::{Value as Json, json};

use super::problem::ConfigProblem;
use super::reader::{Reader, listed};
use super::schema::Definitions;
use super::setting::Kind;
use super::tree::{YamlNode, YamlValue};

/// A word of a closed set.
pub(super) trait SettingWord: Copy + 'static {
    /// What the words are, in the plural.
    const PLURAL: &'static str;
    /// All of them.
    const WORDS: &'static [Self];

    /// The word of one.
    fn word(self) -> &'static str;
}

/// One of the words of a type.
pub(super) fn word<T: SettingWord>() -> WordKind<T> {
    one_of(T::WORDS, T::PLURAL)
}

/// One of some words.
pub(super) fn one_of<T: SettingWord>(words: &'static [T], plural: &'static str) -> WordKind<T> {
    WordKind { words, plural }
}

pub(super) struct WordKind<T: 'static> {
    words: &'static [T],
    plural: &'static str,
}

impl<T: SettingWord> WordKind<T> {
    fn names(&self) -> Vec<&'static str> {
        self.words.iter().map(|choice| choice.word()).collect()
    }
}

impl<T: SettingWord> Kind for WordKind<T> {
    type Value = T;

    fn read(&self, node: &YamlNode, _: Option<&T>, reader: &mut Reader<'_>) -> Option<T> {
        let names = self.names();
        let (YamlValue::Text(text) | YamlValue::Number(text)) = &node.value else {
            return reader.wrong(node, &format!("one of {}", names.join(", ")));
        };
        let found = self.words.iter().find(|choice| choice.word() == text);
        if let Some(found) = found {
            return Some(*found);
        }
        let problem = ConfigProblem::new(format!("'{text}' is none of the {}", self.plural));
        let problem = match nearest(text, names.iter().copied()) {
            Some(nearest) => problem.label(format!("did you mean '{nearest}'?")),
            None => problem,
        };
        reader.refuse(node, problem.hint(format!("they are {}", listed(&names))))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "string", "enum": self.names()})
    }

    fn default(&self, value: &T) -> Option<Json> {
        Some(json!(value.word()))
    }
}

/// Declares a closed set of words, and what they are in the plural.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident: $plural:literal { $(#[doc = $doc:literal] $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(clippy::exhaustive_enums, reason = "a closed set of words, matched in full")]
        pub enum $name { $(#[doc = $doc] $variant,)+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        $crate::config::word::word_of!($name, $plural);
    };
}

macro_rules! word_of {
    ($name:ty, $plural:literal) => {
        impl $crate::config::word::SettingWord for $name {
            const PLURAL: &'static str = $plural;
            const WORDS: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

pub(super) use {word_of, words};
