//! Sentences that belong to no row and still reach callers: their English text, and the names under which
//! the bundles of `locale` have them in other languages.

mod ask;
mod call;
mod here;
mod rule;
mod saying;

pub(crate) use saying::PhraseText;
#[cfg(feature = "locale")]
pub(crate) use saying::{PhraseValue, RenderedPhrase, sentence};

/// A phrase. The English is the text, as a template; other languages are in the bundles, under the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// The name in a bundle. Lower case, so that it is never the name of a code.
    pub(crate) id: &'static str,
    /// What it says, as a template.
    pub(crate) english: &'static str,
}

impl Phrase {
    /// Every phrase, for the translator.
    #[cfg_attr(
        not(feature = "locale"),
        expect(dead_code, reason = "nobody translates them")
    )]
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let lists = [GENERAL, here::HERE, call::CALL, ask::ASK, rule::RULE];
        lists.into_iter().flatten().copied()
    }

    /// The remedy of what may be repeated or may not, where the text at hand says the opposite.
    pub(crate) const fn remedy(retryable: bool) -> Self {
        if retryable {
            Self::REPEAT_LATER
        } else {
            Self::DO_NOT_REPEAT
        }
    }
}

/// Constants of [`Phrase`], and the list of them.
macro_rules! phrases {
    ($all:ident: $($name:ident = $id:literal, $english:literal;)*) => {
        impl Phrase {
            $(pub(crate) const $name: Self = Self { id: $id, english: $english };)*
        }

        pub(super) const $all: &[Phrase] = &[$(Phrase::$name),*];
    };
}
use phrases;

phrases! {
    GENERAL:
    // The remedy of a fault that may be repeated although its row says no, and the other way round.
    REPEAT_LATER = "repeat-later", "Call again later, waiting longer each time.";
    REPEAT_ONCE = "repeat-once", "Call once more; if that fails too, use another tool, or ask whoever runs the server.";
    DO_NOT_REPEAT = "do-not-repeat", "Do not make the same call again; use another tool, or ask whoever runs the server.";

    // The answer that gives consent.
    CONFIRM = "confirm", "Confirm";

    // What became of a batch: some items failed, all did, all are done, some wait. English has a verb for what was done to
    // the items, where the server gave one; a verb cannot be translated, so other languages say it in general.
    BATCH_PARTIAL = "batch-partial", "{failed} of {total} items could not be processed";
    BATCH_FAILED = "batch-failed", "Failed to process all {total} items";
    BATCH_DONE = "batch-done", "All {total} items are done";
    BATCH_WAITS = "batch-waits", "{succeeded} of {total} items are done";
}
