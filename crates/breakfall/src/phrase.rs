//! Sentences of ours that belong to no row and still reach callers.

/// One of them. The English is the text; other languages are in the bundles of `locale`, under the phrase's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "locale"),
    expect(dead_code, reason = "a batch says its English sentences itself")
)]
pub(crate) enum Phrase {
    /// The remedy of a fault that may be repeated although its row says no.
    RepeatLater,
    /// The remedy of a fault that may not be repeated although its row says yes.
    DoNotRepeat,
    /// The answer that gives consent.
    Confirm,
    /// Some items of a batch failed.
    BatchPartial,
    /// All items of a batch failed.
    BatchFailed,
    /// All items of a batch are done.
    BatchDone,
    /// Nothing of a batch failed, and some items wait.
    BatchWaits,
}

impl Phrase {
    /// Every phrase, for whoever translates them.
    #[cfg(feature = "locale")]
    pub(crate) const ALL: &'static [Self] = &[
        Self::RepeatLater,
        Self::DoNotRepeat,
        Self::Confirm,
        Self::BatchPartial,
        Self::BatchFailed,
        Self::BatchDone,
        Self::BatchWaits,
    ];

    /// The remedy of what may be repeated or may not, where the text at hand says the opposite.
    pub(crate) const fn remedy(retryable: bool) -> Self {
        if retryable {
            Self::RepeatLater
        } else {
            Self::DoNotRepeat
        }
    }

    /// The name in a bundle. Lower case, so that it is never the name of a code.
    #[cfg(feature = "locale")]
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::RepeatLater => "repeat-later",
            Self::DoNotRepeat => "do-not-repeat",
            Self::Confirm => "confirm",
            Self::BatchPartial => "batch-partial",
            Self::BatchFailed => "batch-failed",
            Self::BatchDone => "batch-done",
            Self::BatchWaits => "batch-waits",
        }
    }

    /// What it says, as a template. English has a verb for what was done to the items of a batch, where the server
    /// gave one; a verb cannot be translated, so other languages say it in general.
    pub(crate) const fn english(self) -> &'static str {
        match self {
            Self::RepeatLater => "Call again later, waiting longer each time.",
            Self::DoNotRepeat => {
                "Do not make the same call again; use another tool, or ask whoever runs the server."
            }
            Self::Confirm => "Confirm",
            Self::BatchPartial => "{failed} of {total} items could not be processed",
            Self::BatchFailed => "Failed to process all {total} items",
            Self::BatchDone => "All {total} items are done",
            Self::BatchWaits => "{succeeded} of {total} items are done",
        }
    }
}
