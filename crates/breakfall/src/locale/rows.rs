//! What there is to translate: the texts of codes, warnings and phrases, each under its name in a bundle.

use crate::catalog::registry::Catalog;
use crate::catalog::warning::{WARNINGS, WarningCode, WarningEntry};
use crate::code::{Code, Entry, Text};
use crate::phrase::Phrase;

/// The places of a message in a bundle. The first is the message itself, the others are its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessagePart {
    Message,
    Plain,
    Sentence,
    Remediation,
    RemediationPlain,
    User,
}

impl MessagePart {
    pub(super) const ALL: [Self; 6] = [
        Self::Message,
        Self::Plain,
        Self::Sentence,
        Self::Remediation,
        Self::RemediationPlain,
        Self::User,
    ];

    /// The attribute's name. The message itself has none.
    pub(super) const fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Message => None,
            Self::Plain => Some("plain"),
            Self::Sentence => Some("sentence"),
            Self::Remediation => Some("remediation"),
            Self::RemediationPlain => Some("remediation-plain"),
            Self::User => Some("user"),
        }
    }

    pub(super) fn of_attribute(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|part| part.attribute() == Some(name))
    }
}

/// A text, and where it goes.
pub(super) type MessageRow = Vec<(MessagePart, &'static str)>;

/// The texts under a name, if the name is one.
pub(super) fn of_name(name: &str, catalog: &Catalog) -> Option<MessageRow> {
    let code = catalog.get(name).map(|code| of_code(code.entry()));
    code.or_else(|| catalog.warning(name).map(|code| of_warning(code.entry())))
        .or_else(|| {
            let phrase = Phrase::all().find(|phrase| phrase.id == name);
            phrase.map(of_phrase)
        })
}

/// Every name there is.
pub(super) fn names(catalog: &Catalog) -> impl Iterator<Item = &'static str> {
    let codes = catalog.iter().map(Code::name);
    let warnings = WARNINGS.iter().copied().chain(catalog.own_warnings());
    let warnings = warnings.map(WarningCode::name);
    codes
        .chain(warnings)
        .chain(Phrase::all().map(|phrase| phrase.id))
}

pub(super) fn of_code(entry: &Entry) -> MessageRow {
    let mut row = MessageRow::new();
    push(
        &mut row,
        MessagePart::Message,
        MessagePart::Plain,
        entry.message,
    );
    row.extend(
        entry
            .sentence
            .map(|sentence| (MessagePart::Sentence, sentence)),
    );
    push(
        &mut row,
        MessagePart::Remediation,
        MessagePart::RemediationPlain,
        entry.remediation,
    );
    row.push((MessagePart::User, entry.user));
    row
}

pub(super) fn of_warning(entry: &WarningEntry) -> MessageRow {
    let mut row = MessageRow::new();
    push(
        &mut row,
        MessagePart::Message,
        MessagePart::Plain,
        entry.message,
    );
    row
}

pub(super) fn of_phrase(phrase: Phrase) -> MessageRow {
    vec![(MessagePart::Message, phrase.english)]
}

/// A text without places is its own plain form.
fn push(row: &mut MessageRow, part: MessagePart, plain: MessagePart, text: Text) {
    row.push((part, text.template));
    if text.template != text.plain {
        row.push((plain, text.plain));
    }
}
