//! Texts from the phrase table, which exist in every language. English comes first; the caller's language replaces it
//! unless other words have been put in its place meanwhile, so a text that had to be redacted stays as it was left.

use super::Fault;
use crate::code::{Hint, Retry};
use crate::phrase::{Phrase, PhraseText};

impl Fault {
    /// [`Self::message`], translatable.
    pub(crate) fn say(self, saying: impl Into<PhraseText>) -> Self {
        self.put(TextSlot::Message, saying.into())
    }

    /// [`Self::remediation`], translatable.
    pub(crate) fn advise(self, saying: impl Into<PhraseText>) -> Self {
        self.put(TextSlot::Remediation, saying.into())
    }

    /// [`Self::user_message`], translatable.
    pub(crate) fn tell_user(self, saying: impl Into<PhraseText>) -> Self {
        self.put(TextSlot::User, saying.into())
    }

    /// Advice on a failure of which only the text is known: its reader learns more from the text than from the code.
    pub(crate) fn read_its_words(self) -> Self {
        self.advise(Phrase::CALL_READ_WORDS)
            .retry(Retry::AfterChange)
            .hint(Hint::CheckInput)
    }

    /// [`Self::detail`], translatable.
    #[cfg(any(feature = "rmcp", feature = "validate"))]
    pub(crate) fn tell(self, key: &'static str, saying: impl Into<PhraseText>) -> Self {
        self.put(TextSlot::Detail(key), saying.into())
    }

    fn put(mut self, slot: TextSlot, saying: PhraseText) -> Self {
        let public = self.public_mut();
        if let PhraseText::Words(words) = saying {
            slot.set(public, words);
            return self;
        }
        let text: Box<str> = saying.english().into();
        slot.set(public, text.clone());
        #[cfg(feature = "locale")]
        public.remember(slot, saying, text);
        self
    }
}

/// The place of a translatable text in a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSlot {
    Message,
    Remediation,
    User,
    #[cfg(any(feature = "rmcp", feature = "validate"))]
    Detail(&'static str),
}

impl TextSlot {
    fn set(self, public: &mut super::Public, text: Box<str>) {
        match self {
            Self::Message => public.message = Some(text),
            Self::Remediation => public.remediation = Some(text),
            Self::User => public.user_message = Some(text),
            #[cfg(any(feature = "rmcp", feature = "validate"))]
            Self::Detail(key) => public.details.insert(key, String::from(text).into()),
        }
    }
}

#[cfg(feature = "locale")]
mod again {
    use std::borrow::Cow;

    use super::TextSlot;
    use crate::fault::Public;
    use crate::phrase::{PhraseText, RenderedPhrase};

    impl TextSlot {
        fn text(self, public: &Public) -> Option<&str> {
            match self {
                Self::Message => public.message.as_deref(),
                Self::Remediation => public.remediation.as_deref(),
                Self::User => public.user_message.as_deref(),
                #[cfg(any(feature = "rmcp", feature = "validate"))]
                Self::Detail(key) => public.details.text(key),
            }
        }
    }

    impl Public {
        pub(super) fn remember(&mut self, slot: TextSlot, saying: PhraseText, text: Box<str>) {
            self.sayings.retain(|(have, _)| *have != slot);
            self.sayings.push((slot, RenderedPhrase::new(saying, text)));
        }

        /// Renders every translatable text again.
        pub(crate) fn say_again(&mut self, say: &dyn Fn(&PhraseText) -> Option<String>) {
            let mut sayings = std::mem::take(&mut self.sayings);
            for (slot, spoken) in &mut sayings {
                let now = slot.text(self).and_then(|text| spoken.again(text, say));
                if let Some(now) = now {
                    slot.set(self, now.into());
                }
            }
            self.sayings = sayings;
            for violation in &mut self.violations {
                violation.say_again(say);
            }
        }

        /// The message in English, if it is translatable.
        pub(crate) fn own_english(&self) -> Option<Cow<'_, str>> {
            let text = self.message.as_deref()?;
            let own = |(slot, _): &&(TextSlot, _)| *slot == TextSlot::Message;
            let (_, spoken) = self.sayings.iter().find(own)?;
            spoken.is(text).then(|| spoken.english())
        }
    }
}
