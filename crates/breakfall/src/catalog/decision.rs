//! Warning or error? Twelve situations in which a response is less than was hoped for, and the verdict on each.
//!
//! The rule behind the table: if the caller still gets what the call was for, it is a success with a warning;
//! if not, it is a failure, however much work was done on the way.

use super::codes;
use super::warning::{self, WarningCode};
use crate::code::Code;

/// The answer to a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two answers there are")]
pub enum Verdict {
    /// A success with this warning.
    Warning(WarningCode),
    /// A failure of this code.
    Error(Code),
}

/// Rows as `Situation: verdict, what it is, why;`.
macro_rules! situations {
    ($($(#[$doc:meta])+ $name:ident: $kind:ident $code:ident, $is:literal, $why:literal;)+) => {
        /// A situation in which the server has to decide between a warning and an error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Situation { $($(#[$doc])+ $name,)+ }

        impl Situation {
            /// Every situation, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The situation in words.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$name => $is,)+ }
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
                match self { $(Self::$name => situations!(@ $kind $code),)+ }
            }

            /// Why the verdict is what it is.
            pub const fn why(self) -> &'static str {
                match self { $(Self::$name => $why,)+ }
            }
        }
    };
    (@ Warning $code:ident) => { Verdict::Warning(warning::$code) };
    (@ Error $code:ident) => { Verdict::Error(codes::$code) };
}

situations! {
    /// Content was truncated, the core results are present.
    TruncatedWithCore: Warning CONTENT_TRUNCATED, "content truncated, core results present", "What was asked for was delivered.";
    /// Everything was dropped, nothing is left to return.
    EverythingDropped: Error VALIDATION_PAYLOAD_TOO_LARGE, "everything dropped, nothing to return", "There is nothing meaningful to deliver.";
    /// The summariser failed, raw content was returned.
    SummarizerFailedRawReturned: Warning SUMMARY_PROVIDER_FAILED, "summariser failed, raw content returned", "The substitute is usable.";
    /// The budget is too small to process anything.
    BudgetTooSmall: Error VALIDATION_OUT_OF_RANGE, "budget too small to process anything", "The work could not be done.";
    /// The archive failed, the content was returned all the same.
    ArchiveFailedContentReturned: Warning ARCHIVE_WRITE_FAILED, "archive write failed, content still returned", "The response itself is complete.";
    /// The archive failed and the content was not returned.
    ArchiveFailedContentLost: Error UNAVAILABLE_DEPENDENCY, "archive write failed, content not returned", "The content cannot be had any more.";
    /// Configuration is missing, safe defaults were used.
    ConfigMissingDefaultsUsed: Warning LIMITS_DEFAULTED, "configuration missing, safe defaults used", "The work went on with sound values.";
    /// Configuration is invalid, so the intended behaviour is unknown.
    ConfigInvalid: Error INTERNAL_CONFIGURATION, "configuration invalid, behaviour undeterminable", "Going on would not be safe.";
    /// Stored state was migrated.
    StateMigrated: Warning STATE_MIGRATION_RECOVERED, "state migration succeeded", "The work was done after the recovery.";
    /// Stored state could not be migrated and is corrupt.
    StateCorrupt: Error INTERNAL_ERROR, "state migration failed, data corrupt", "There is no valid state to go on with.";
    /// Some items were processed, others failed.
    SomeItemsFailed: Warning PARTIAL_FAILURE, "some items processed, others failed", "The items that succeeded are worth having.";
    /// All items failed.
    AllItemsFailed: Error BATCH_FAILED, "all items failed", "Nothing succeeded.";
}
