//! Warnings: what rides on a success. The registries of response-v2 and MCP-AQL, and our own.

use crate::code::{Detail, Severity, Text, by_name};

/// A pointer to one warning row. Two are equal when their names are.
#[derive(Clone, Copy)]
pub struct WarningCode(&'static WarningEntry);

impl WarningCode {
    /// Makes a code of a row. Rows of a server are `static`s made by [`WarningEntry::new`].
    ///
    /// # Panics
    /// When the row has the name of a built-in code or warning. In a `const` that is an error of the compiler.
    pub const fn new(entry: &'static WarningEntry) -> Self {
        assert!(
            !matches!(entry.source, Source::Server) || super::is_free(entry.name),
            "a built-in code or warning has this name"
        );
        Self(entry)
    }

    /// The row.
    pub const fn entry(self) -> &'static WarningEntry {
        self.0
    }

    /// The native name, for example `CONTENT_TRUNCATED`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }
}

by_name!(WarningCode);

/// Everything fixed about a warning.
///
/// ```
/// use breakfall::catalog::warning::{WarningCode, WarningEntry};
/// use breakfall::{Catalog, Warning};
///
/// static STOCK_LOW_ROW: WarningEntry =
///     WarningEntry::new("STOCK_LOW", "Only '{left}' of '{article}' left", "Few of these are left");
/// const STOCK_LOW: WarningCode = WarningCode::new(&STOCK_LOW_ROW);
///
/// let warning = Warning::new(STOCK_LOW).context("article", "tea").context("left", 3);
/// assert_eq!(warning.text(), "Only '3' of 'tea' left");
/// assert!(Catalog::builtin().with_warning(STOCK_LOW).is_ok());
/// ```
#[derive(Debug, Clone)]
#[must_use]
#[non_exhaustive]
pub struct WarningEntry {
    /// Native name.
    pub name: &'static str,
    /// How bad it is unless the warning says otherwise.
    pub severity: Severity,
    /// The phase of work it arises in, if it belongs to one.
    pub phase: Option<Phase>,
    /// What it means.
    pub meaning: &'static str,
    /// When it is raised.
    pub when: &'static str,
    /// The message, and its form when a value is missing.
    pub message: Text,
    /// The keys of its context.
    pub context: &'static [Detail],
    /// The registry it comes from.
    pub source: Source,
    /// Its `code` in response-v2.
    pub response_v2: &'static str,
    /// Its `code` in MCP-AQL.
    pub mcp_aql: &'static str,
}

/// A row of a server's own.
impl WarningEntry {
    /// A row with its message template, and the plain form used when one of its values is missing. It is of medium severity.
    pub const fn new(name: &'static str, template: &'static str, plain: &'static str) -> Self {
        Self {
            name,
            severity: Severity::Warning,
            phase: None,
            meaning: plain,
            when: "",
            message: Text { template, plain },
            context: &[],
            source: Source::Server,
            response_v2: name,
            mcp_aql: name,
        }
    }

    /// Sets how bad it is.
    pub const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets what it means.
    pub const fn meaning(mut self, meaning: &'static str) -> Self {
        self.meaning = meaning;
        self
    }

    /// Sets when it is raised.
    pub const fn when(mut self, when: &'static str) -> Self {
        self.when = when;
        self
    }

    /// Sets the keys of its context. Without them the values of the template are the keys.
    pub const fn context(mut self, context: &'static [Detail]) -> Self {
        self.context = context;
        self
    }
}

/// The registry a warning comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The registry of response-v2 and its standard extensions.
    ResponseV2,
    /// The warnings of MCP-AQL.
    McpAql,
    /// This library's.
    Breakfall,
    /// A server's own.
    Server,
}

impl Source {
    /// The registry's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ResponseV2 => "response-v2",
            Self::McpAql => "mcp-aql",
            Self::Breakfall => "breakfall",
            Self::Server => "server",
        }
    }
}

/// The phases of preparing a response, in the order they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the seven phases of the registry")]
pub enum Phase {
    /// Counting what content will cost.
    TokenEstimation,
    /// Dividing the budget.
    BudgetAllocation,
    /// Ranking content.
    ContentPrioritization,
    /// Shortening content by summaries.
    Summarization,
    /// Putting the response together.
    ContentAssembly,
    /// Storing what was left out.
    Archival,
    /// Loading and saving state.
    StateManagement,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: &'static [Self] = &[
        Self::TokenEstimation,
        Self::BudgetAllocation,
        Self::ContentPrioritization,
        Self::Summarization,
        Self::ContentAssembly,
        Self::Archival,
        Self::StateManagement,
    ];

    /// The phase's name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::TokenEstimation => "Token Estimation",
            Self::BudgetAllocation => "Budget Allocation",
            Self::ContentPrioritization => "Content Prioritization",
            Self::Summarization => "Summarization",
            Self::ContentAssembly => "Content Assembly",
            Self::Archival => "Archival",
            Self::StateManagement => "State Management",
        }
    }

    /// What makes the phase warn.
    pub const fn trigger(self) -> &'static str {
        match self {
            Self::TokenEstimation => "The tokenizer is unavailable and a heuristic is used.",
            Self::BudgetAllocation => {
                "The budget is below its minimum, or its configuration is missing."
            }
            Self::ContentPrioritization => "Protected content takes more than its allocation.",
            Self::Summarization => {
                "The provider of summaries fails, or content is compressed in tiers."
            }
            Self::ContentAssembly => "The finished content is larger than the output limit.",
            Self::Archival => "Writing to storage fails.",
            Self::StateManagement => "State of an older schema version was loaded.",
        }
    }

    /// The warnings that can arise in it.
    pub fn warnings(self) -> impl Iterator<Item = WarningCode> {
        WARNINGS
            .iter()
            .copied()
            .filter(move |code| code.entry().phase == Some(self))
    }
}

/// The built-in warning of a native name.
pub fn by_name(name: &str) -> Option<WarningCode> {
    WARNINGS.iter().copied().find(|code| code.name() == name)
}

/// The warning of a name in response-v2. Where two share it, the one that also goes by it here.
pub fn by_response_v2_name(name: &str) -> Option<WarningCode> {
    let named = |code: &&WarningCode| code.entry().response_v2 == name;
    by_name(name).or_else(|| WARNINGS.iter().find(named).copied())
}

/// The warning of a name in MCP-AQL.
pub fn by_mcp_aql_name(name: &str) -> Option<WarningCode> {
    let named = |code: &&WarningCode| code.entry().mcp_aql == name;
    by_name(name).or_else(|| WARNINGS.iter().find(named).copied())
}

/// How severe it is that a quota stands where it stands: nothing below `warn`, high above nine tenths of
/// `hard_stop`. A quota without a hard stop never becomes severe.
pub fn quota_severity(current: f64, warn: f64, hard_stop: Option<f64>) -> Option<Severity> {
    if hard_stop.is_some_and(|limit| current > 0.9 * limit) {
        Some(Severity::Error)
    } else if current >= warn {
        Some(Severity::Warning)
    } else {
        None
    }
}

/// How severe a slow operation is: up to twice its threshold hardly, beyond ten times very.
pub const fn slow_query_severity(duration_ms: u64, threshold_ms: u64) -> Severity {
    if duration_ms > threshold_ms.saturating_mul(10) {
        Severity::Error
    } else if duration_ms >= threshold_ms.saturating_mul(2) {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// How severe a truncation is: losing more than half matters.
pub const fn truncation_severity(original: u64, kept: u64) -> Severity {
    let lost = original.saturating_sub(kept);
    if lost > original / 2 {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// How severe the use of something deprecated is: thirty days before its removal the time to act has come.
pub const fn deprecation_severity(days_to_removal: Option<i64>) -> Severity {
    match days_to_removal {
        Some(days) if days <= 30 => Severity::Error,
        Some(_) => Severity::Warning,
        None => Severity::Info,
    }
}

pub use super::warning_rows::*;

/// Every built-in warning: response-v2's registry, MCP-AQL's, then ours.
pub static WARNINGS: &[WarningCode] = ROWS;
