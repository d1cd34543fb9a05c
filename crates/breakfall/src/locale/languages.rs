//! Who translates: the built-in texts of a language, and those a server adds for its own rows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::bundle::TextBundle;
use super::check::{Problem, TranslationError};
use super::rows::MessagePart;
use super::{Language, source};
use crate::catalog::is_free;
use crate::catalog::registry::Catalog;
use crate::code::{Code, RowText, Status};
use crate::details::Details;
use crate::phrase::{self, Phrase, PhraseText, sentence};
use crate::template;

/// The languages a server speaks: the built-in texts, and its own for its own codes.
///
/// ```
/// use breakfall::code::{Detail, Shape};
/// use breakfall::locale::{Language, Languages};
/// use breakfall::{Catalog, Code, Entry, Fault, codes};
///
/// static ROW: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
///     .message("Order '{order_id}' not found", "Order not found")
///     .details(&[Detail { name: "order_id", shape: Shape::Text, required: true, about: "The order." }])
///     .remediation("List the orders and pick an id from there.")
///     .user("There is no such order.");
/// const ORDER_NOT_FOUND: Code = Code::new(&ROW);
///
/// let languages = Languages::of(Catalog::builtin().with(ORDER_NOT_FOUND)?).with(
///     Language::German,
///     "ORDER_NOT_FOUND = Bestellung '{ $order_id }' nicht gefunden
///     .plain = Bestellung nicht gefunden
///     .remediation = Bestellungen auflisten und dort eine Nummer wählen.
///     .user = Diese Bestellung gibt es nicht.
/// ",
/// )?;
/// let fault = Fault::new(ORDER_NOT_FOUND).detail("order_id", "ord_7");
/// let fault = fault.in_language(languages.translator(Language::German));
/// assert_eq!(fault.public().message(), "Bestellung 'ord_7' nicht gefunden");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Languages {
    catalog: Catalog,
    own: BTreeMap<Language, Arc<TextBundle>>,
}

impl Languages {
    /// The built-in codes in the built-in languages.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// The codes of a catalogue; its own rows speak English until [`Self::with`] translates them.
    pub fn of(catalog: Catalog) -> Self {
        Self {
            catalog,
            own: BTreeMap::new(),
        }
    }

    /// Adds texts in Fluent's syntax: a message for each code, with the attributes [`Self::source`] shows. It may also
    /// put a built-in text into other words, except in English, where it is the row's. A text may contain values
    /// (`{ $name }`), numbers written as the language writes them (`{ NUMBER($name) }`) and choices by a value or its
    /// plural form.
    ///
    /// # Errors
    /// When the source is not Fluent, names a code the catalogue does not have, leaves a text of a row out, or says
    /// other values than the row does.
    pub fn with(mut self, language: Language, source: &str) -> Result<Self, TranslationError> {
        let (bundle, mut problems) = TextBundle::read(source, &self.catalog);
        let own = Arc::make_mut(self.own.entry(language).or_default());
        for name in bundle.names() {
            let (problem, fix) = if own.has(name) {
                ("the message was added before", "remove one of the two")
            } else if language == Language::English && !is_own(name) {
                ("its English is the row's", "leave it out")
            } else {
                continue;
            };
            problems.push(Problem::of_message(source, name, problem, fix));
        }
        TranslationError::unless_empty(language, problems)?;
        own.extend(bundle);
        Ok(self)
    }

    /// Who speaks a language.
    pub fn translator(&self, language: Language) -> Translator {
        Translator {
            language,
            own: self.own.get(&language).cloned(),
        }
    }

    /// The texts of the catalogue's own rows as Fluent source in the words of the rows: what a translation of them
    /// starts from.
    pub fn source(&self) -> String {
        source::own(&self.catalog)
    }

    /// The catalogue's own codes that have no text in a language.
    pub fn missing(&self, language: Language) -> impl Iterator<Item = Code> {
        let own = self.own.get(&language);
        let is_own = |code: &Code| matches!(code.entry().status, Status::Custom);
        let has = move |code: &Code| own.is_some_and(|own| own.has(code.name()));
        self.catalog
            .iter()
            .filter(move |code| is_own(code) && !has(code))
    }
}

fn is_own(name: &str) -> bool {
    is_free(name) && !Phrase::all().any(|phrase| phrase.id == name)
}

/// Who says things in one language. Cheap to clone; a [`Language`] is one by itself.
#[derive(Clone)]
pub struct Translator {
    language: Language,
    own: Option<Arc<TextBundle>>,
}

impl Translator {
    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The message of a row, if the details fill it.
    pub(crate) fn message_text(&self, code: Code, details: &Details) -> Option<Cow<'_, str>> {
        let name = code.name();
        let value = |name: &str| template::lookup(name, details).map(Cow::Borrowed);
        self.find(name, |bundle| {
            let text = bundle.text(name, MessagePart::Message)?;
            text.format(self.language, &value)
        })
    }

    /// Whether it says anything the rows do not.
    pub(crate) fn is_needed(&self) -> bool {
        self.language != Language::English || self.own.is_some()
    }

    pub(crate) fn said(
        &self,
        code: Code,
        details: &Details,
        wait_seconds: Option<u64>,
        said: RowText,
    ) -> Option<Cow<'_, str>> {
        let name = code.name();
        let value = |name: &str| match (name, wait_seconds) {
            ("retry_after_seconds", Some(seconds)) => Some(Cow::Owned(Value::from(seconds))),
            _ => template::lookup(name, details).map(Cow::Borrowed),
        };
        let say = |parts| {
            self.find(name, |bundle| {
                bundle.format(name, parts, self.language, &value)
            })
        };
        match said {
            RowText::Message => say([MessagePart::Sentence; 2])
                .or_else(|| say([MessagePart::Message, MessagePart::Plain])),
            RowText::Template => say([MessagePart::Message, MessagePart::Plain]),
            RowText::Title => self
                .find(name, |bundle| {
                    let text = bundle.text(name, MessagePart::Plain);
                    text.or_else(|| bundle.text(name, MessagePart::Message))?
                        .fixed()
                })
                .map(Cow::Borrowed),
            RowText::Remediation => say([MessagePart::Remediation, MessagePart::RemediationPlain]),
        }
    }

    pub(crate) fn user(&self, code: Code) -> Option<&str> {
        let name = code.name();
        self.find(name, |bundle| bundle.text(name, MessagePart::User)?.fixed())
    }

    pub(crate) fn warning(&self, name: &str, context: &Details) -> Option<Cow<'_, str>> {
        let value = |name: &str| template::lookup(name, context).map(Cow::Borrowed);
        self.find(name, |bundle| {
            bundle.format(
                name,
                [MessagePart::Message, MessagePart::Plain],
                self.language,
                &value,
            )
        })
    }

    pub(crate) fn phrase(&self, phrase: Phrase) -> Option<Cow<'_, str>> {
        self.counted(phrase, &[])
    }

    /// A phrase with its counts.
    pub(crate) fn counted(&self, phrase: Phrase, counts: &[(&str, usize)]) -> Option<Cow<'_, str>> {
        let name = phrase.id;
        let value = |name: &str| {
            let count = counts.iter().find(|(have, _)| *have == name);
            count.map(|(_, count)| Cow::Owned(Value::from(*count)))
        };
        self.find(name, |bundle| {
            bundle
                .text(name, MessagePart::Message)?
                .format(self.language, &value)
        })
    }

    /// Whatever we say, with everything in it. Nothing in a language that does not have it: then it is said in English.
    pub(crate) fn say(&self, saying: &PhraseText) -> Option<String> {
        match saying {
            PhraseText::Phrase(phrase, parts) => self.filled(*phrase, parts),
            PhraseText::Words(words) => Some(words.to_string()),
            PhraseText::Several(all) => self.joined(all, self.language.between()),
            PhraseText::Sentence(all) => {
                let (between, stop) = self.language.stops();
                Some(sentence(&self.joined(all, between)?, stop))
            }
            PhraseText::InEnglish(..) if self.language == Language::English => None,
            PhraseText::InEnglish(_, other) => self.say(other),
        }
    }

    fn joined(&self, all: &[PhraseText], between: &str) -> Option<String> {
        let all: Option<Vec<String>> = all.iter().map(|one| self.say(one)).collect();
        Some(all?.join(between))
    }

    fn filled(
        &self,
        phrase: Phrase,
        parts: &[(&'static str, phrase::PhraseValue)],
    ) -> Option<String> {
        let value = |name: &str| {
            let (_, part) = parts.iter().find(|(have, _)| *have == name)?;
            Some(match part {
                phrase::PhraseValue::Value(value) => Cow::Borrowed(value),
                phrase::PhraseValue::Said(said) => Cow::Owned(Value::from(self.say(said)?)),
            })
        };
        let name = phrase.id;
        self.find(name, |bundle| {
            let text = bundle.text(name, MessagePart::Message)?;
            Some(text.format(self.language, &value)?.into_owned())
        })
    }

    /// Looks a text up where the name is translated: in the server's own texts, then in the built-in ones.
    fn find<'a, T>(&'a self, name: &str, text: impl Fn(&'a TextBundle) -> Option<T>) -> Option<T> {
        match self.own.as_deref().filter(|own| own.has(name)) {
            Some(own) => text(own),
            None => text(TextBundle::builtin(self.language)?),
        }
    }
}

impl From<Language> for Translator {
    fn from(language: Language) -> Self {
        Self {
            language,
            own: None,
        }
    }
}

impl fmt::Debug for Translator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Translator({})", self.language)
    }
}
