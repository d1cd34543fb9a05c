//! Warning or error? Twelve situations in which a response is less than was hoped for, and the verdict on each.
//!
//! The rule behind the table: if the caller still gets what the call was for, it is a success with a warning;
//! if not, it is a failure, however much work was done on the way.

use super::codes;
use super::warning::{self, WarningCode};
use crate::code::Code;

/// A situation in which the server has to decide between a warning and an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Situation {
    /// Content was truncated, the core results are present.
    TruncatedWithCore,
    /// Everything was dropped, nothing is left to return.
    EverythingDropped,
    /// The summariser failed, raw content was returned.
    SummarizerFailedRawReturned,
    /// The budget is too small to process anything.
    BudgetTooSmall,
    /// The archive failed, the content was returned all the same.
    ArchiveFailedContentReturned,
    /// The archive failed and the content was not returned.
    ArchiveFailedContentLost,
    /// Configuration is missing, safe defaults were used.
    ConfigMissingDefaultsUsed,
    /// Configuration is invalid, so the intended behaviour is unknown.
    ConfigInvalid,
    /// Stored state was migrated.
    StateMigrated,
    /// Stored state could not be migrated and is corrupt.
    StateCorrupt,
    /// Some items were processed, others failed.
    SomeItemsFailed,
    /// All items failed.
    AllItemsFailed,
}

/// What a situation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two answers there are")]
pub enum Verdict {
    /// A success with this warning.
    Warning(WarningCode),
    /// A failure of this code.
    Error(Code),
}

impl Situation {
    /// Every situation, in the order of the table.
    pub const ALL: &'static [Self] = &[
        Self::TruncatedWithCore,
        Self::EverythingDropped,
        Self::SummarizerFailedRawReturned,
        Self::BudgetTooSmall,
        Self::ArchiveFailedContentReturned,
        Self::ArchiveFailedContentLost,
        Self::ConfigMissingDefaultsUsed,
        Self::ConfigInvalid,
        Self::StateMigrated,
        Self::StateCorrupt,
        Self::SomeItemsFailed,
        Self::AllItemsFailed,
    ];

    /// The situation in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::TruncatedWithCore => "content truncated, core results present",
            Self::EverythingDropped => "everything dropped, nothing to return",
            Self::SummarizerFailedRawReturned => "summariser failed, raw content returned",
            Self::BudgetTooSmall => "budget too small to process anything",
            Self::ArchiveFailedContentReturned => "archive write failed, content still returned",
            Self::ArchiveFailedContentLost => "archive write failed, content not returned",
            Self::ConfigMissingDefaultsUsed => "configuration missing, safe defaults used",
            Self::ConfigInvalid => "configuration invalid, behaviour undeterminable",
            Self::StateMigrated => "state migration succeeded",
            Self::StateCorrupt => "state migration failed, data corrupt",
            Self::SomeItemsFailed => "some items processed, others failed",
            Self::AllItemsFailed => "all items failed",
        }
    }

    /// Warning or error, and which.
    ///
    /// ```
    /// use breakfall::catalog::decision::{Situation, Verdict};
    /// use breakfall::catalog::warning;
    ///
    /// let verdict = Situation::SummarizerFailedRawReturned.verdict();
    /// assert_eq!(verdict, Verdict::Warning(warning::SUMMARY_PROVIDER_FAILED));
    /// ```
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::TruncatedWithCore => Verdict::Warning(warning::CONTENT_TRUNCATED),
            Self::EverythingDropped => Verdict::Error(codes::VALIDATION_PAYLOAD_TOO_LARGE),
            Self::SummarizerFailedRawReturned => Verdict::Warning(warning::SUMMARY_PROVIDER_FAILED),
            Self::BudgetTooSmall => Verdict::Error(codes::VALIDATION_OUT_OF_RANGE),
            Self::ArchiveFailedContentReturned => Verdict::Warning(warning::ARCHIVE_WRITE_FAILED),
            Self::ArchiveFailedContentLost => Verdict::Error(codes::UNAVAILABLE_DEPENDENCY),
            Self::ConfigMissingDefaultsUsed => Verdict::Warning(warning::LIMITS_DEFAULTED),
            Self::ConfigInvalid => Verdict::Error(codes::INTERNAL_CONFIGURATION),
            Self::StateMigrated => Verdict::Warning(warning::STATE_MIGRATION_RECOVERED),
            Self::StateCorrupt => Verdict::Error(codes::INTERNAL_ERROR),
            Self::SomeItemsFailed => Verdict::Warning(warning::PARTIAL_FAILURE),
            Self::AllItemsFailed => Verdict::Error(codes::BATCH_FAILED),
        }
    }

    /// Why the verdict is what it is.
    pub const fn why(self) -> &'static str {
        match self {
            Self::TruncatedWithCore => "What was asked for was delivered.",
            Self::EverythingDropped => "There is nothing meaningful to deliver.",
            Self::SummarizerFailedRawReturned => "The substitute is usable.",
            Self::BudgetTooSmall => "The work could not be done.",
            Self::ArchiveFailedContentReturned => "The response itself is complete.",
            Self::ArchiveFailedContentLost => "The content cannot be had any more.",
            Self::ConfigMissingDefaultsUsed => "The work went on with sound values.",
            Self::ConfigInvalid => "Going on would not be safe.",
            Self::StateMigrated => "The work was done after the recovery.",
            Self::StateCorrupt => "There is no valid state to go on with.",
            Self::SomeItemsFailed => "The items that succeeded are worth having.",
            Self::AllItemsFailed => "Nothing succeeded.",
        }
    }
}
