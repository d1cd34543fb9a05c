//! A phrase with its values: said in English at once, and in another language as soon as there is one.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::Phrase;
use crate::template::{self, TemplatePiece};

/// Something we say.
#[derive(Clone)]
pub(crate) enum PhraseText {
    /// A phrase, and what stands in its places.
    Phrase(Phrase, Vec<(&'static str, PhraseValue)>),
    /// Words of others, which are the same in every language.
    Words(Box<str>),
    /// Several, one after the other.
    Several(Vec<Self>),
    /// Several, as a sentence with a capital and a stop.
    Sentence(Vec<Self>),
    /// In English these words, in other languages something plainer, or something that counts otherwise.
    InEnglish(Box<str>, Box<Self>),
}

/// The value of a placeholder.
#[derive(Clone)]
pub(crate) enum PhraseValue {
    Value(Value),
    Said(PhraseText),
}

impl PhraseText {
    /// Fills a place with a value.
    pub(crate) fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.and(name, PhraseValue::Value(value.into()))
    }

    /// Fills a place with something else we say.
    pub(crate) fn saying(self, name: &'static str, said: Self) -> Self {
        self.and(name, PhraseValue::Said(said))
    }

    fn and(mut self, name: &'static str, part: PhraseValue) -> Self {
        if let Self::Phrase(_, parts) = &mut self {
            parts.push((name, part));
        }
        self
    }

    /// In English.
    pub(crate) fn english(&self) -> Cow<'_, str> {
        match self {
            Self::Phrase(phrase, parts) if parts.is_empty() => Cow::Borrowed(phrase.english),
            Self::Phrase(phrase, parts) => Cow::Owned(filled(phrase.english, parts)),
            Self::Words(words) | Self::InEnglish(words, _) => Cow::Borrowed(words),
            Self::Several(all) => Cow::Owned(joined(all)),
            Self::Sentence(all) => Cow::Owned(sentence(&joined(all), ".")),
        }
    }
}

impl From<Phrase> for PhraseText {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase, Vec::new())
    }
}

/// Its name alone: values may be secrets, and debug output is not redacted.
impl fmt::Debug for PhraseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phrase(phrase, _) => f.write_str(phrase.english),
            Self::Words(_) => f.write_str("words"),
            Self::Several(all) | Self::Sentence(all) => f.debug_list().entries(all).finish(),
            Self::InEnglish(_, plainer) => plainer.fmt(f),
        }
    }
}

/// A template with its places filled. One without a value stays empty: the rest still says something.
fn filled(template: &str, parts: &[(&'static str, PhraseValue)]) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    for piece in template::pieces(template) {
        match piece {
            TemplatePiece::Literal(text) => out.push_str(text),
            TemplatePiece::Name(name) => match parts.iter().find(|(have, _)| *have == name) {
                Some((_, PhraseValue::Value(value))) => {
                    template::write_value(value, ", ", &mut out).unwrap_or_default();
                }
                Some((_, PhraseValue::Said(said))) => out.push_str(&said.english()),
                None => {}
            },
        }
    }
    out
}

fn joined(all: &[PhraseText]) -> String {
    let mut out = String::with_capacity(64 * all.len());
    for (at, one) in all.iter().enumerate() {
        if at > 0 {
            out.push_str("; ");
        }
        out.push_str(&one.english());
    }
    out
}

/// A text with a capital in front and a stop behind.
pub(crate) fn sentence(text: &str, stop: &str) -> String {
    let mut chars = text.chars();
    let mut out: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    out.push_str(chars.as_str());
    out.push_str(stop);
    out
}

/// A rendered text and its source: while the text is unchanged, it can be rendered again in another language.
#[cfg(feature = "locale")]
#[derive(Clone)]
pub(crate) struct RenderedPhrase {
    saying: PhraseText,
    text: Box<str>,
}

/// Without the text, which is somewhere else too, and may have been redacted there.
#[cfg(feature = "locale")]
impl fmt::Debug for RenderedPhrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.saying.fmt(f)
    }
}

#[cfg(feature = "locale")]
impl RenderedPhrase {
    pub(crate) const fn new(saying: PhraseText, text: Box<str>) -> Self {
        Self { saying, text }
    }

    /// Whether a text is still the one that was made.
    pub(crate) fn is(&self, text: &str) -> bool {
        *self.text == *text
    }

    /// The text in English, whatever it was last said in.
    pub(crate) fn english(&self) -> Cow<'_, str> {
        self.saying.english()
    }

    /// The text in another language, unless other words have been put in its place.
    pub(crate) fn again(
        &mut self,
        text: &str,
        say: impl FnOnce(&PhraseText) -> Option<String>,
    ) -> Option<&str> {
        if !self.is(text) {
            return None;
        }
        self.text = match say(&self.saying) {
            Some(said) => said.into(),
            None => self.saying.english().into(),
        };
        Some(&self.text)
    }
}
