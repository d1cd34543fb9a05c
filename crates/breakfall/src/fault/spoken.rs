//! The texts of a fault in the caller's language: where the public half asks the translator.

use std::borrow::Cow;

use super::Public;
use crate::code::RowText;
use crate::phrase::{Phrase, PhraseText};

/// The caller's language. Without the feature, always none.
#[cfg(feature = "locale")]
impl Public {
    pub(super) fn translated(&self, said: RowText) -> Option<Cow<'_, str>> {
        let wait = self.retry_after_seconds();
        let translator = self.translator.as_ref()?;
        translator.said(self.code, &self.details, wait, said)
    }

    pub(super) fn translated_user(&self) -> Option<&str> {
        self.translator.as_ref()?.user(self.code)
    }

    /// A sentence that belongs to no row.
    pub(crate) fn phrase(&self, phrase: Phrase) -> Cow<'_, str> {
        let own = self.translator.as_ref();
        own.and_then(|translator| translator.phrase(phrase))
            .unwrap_or(Cow::Borrowed(phrase.english))
    }

    /// Something we say, in the language of the fault.
    pub(super) fn said(&self, saying: &PhraseText) -> String {
        let own = self.translator.as_ref();
        let said = own.and_then(|translator| translator.say(saying));
        said.unwrap_or_else(|| saying.english().into_owned())
    }

    /// The message in English, if it is translatable.
    pub(super) fn said_in_english(&self) -> Option<Cow<'_, str>> {
        self.own_english()
    }

    /// Whether the message is translatable, so that its language is known.
    #[cfg(feature = "http")]
    pub(crate) fn says_it_itself(&self) -> bool {
        self.own_english().is_some()
    }

    /// Speaks as another fault does.
    pub(crate) fn speak_like(&mut self, other: &Self) {
        self.translator.clone_from(&other.translator);
    }
}

#[cfg(not(feature = "locale"))]
#[expect(
    clippy::unused_self,
    clippy::needless_pass_by_ref_mut,
    reason = "the shape they have with the feature"
)]
impl Public {
    pub(super) fn translated(&self, _: RowText) -> Option<Cow<'_, str>> {
        None
    }

    pub(super) fn translated_user(&self) -> Option<&str> {
        None
    }

    pub(crate) fn phrase(&self, phrase: Phrase) -> Cow<'_, str> {
        Cow::Borrowed(phrase.english)
    }

    pub(super) fn said(&self, saying: &PhraseText) -> String {
        saying.english().into_owned()
    }

    pub(super) fn said_in_english(&self) -> Option<Cow<'_, str>> {
        None
    }

    #[cfg(feature = "http")]
    pub(crate) fn says_it_itself(&self) -> bool {
        false
    }

    pub(crate) fn speak_like(&mut self, _: &Self) {}
}
