//! The table: which dialect says which part of a fault, by default and to the letter.

use crate::wire::Dialect;

/// Whether a dialect says a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there is no fourth way to say something"
)]
pub enum Says {
    /// Not at all.
    Never,
    /// Only what the fault itself says.
    WhenSet,
    /// The fault's value, or else the row's.
    Always,
}

/// How exactly a dialect says a duration or a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the precisions that occur")]
pub enum Times {
    /// Not at all.
    Never,
    /// In whole seconds, rounded up, at least one.
    Seconds,
    /// In milliseconds.
    Millis,
    /// As it is.
    Exact,
}

/// What a dialect says of a fault besides code, message and details, which all of them say.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Carries {
    /// The retry class: the class itself (`Always`), as true or false (`WhenSet`), or not.
    pub retry: Says,
    /// The wait before a retry.
    pub wait: Times,
    /// Remediation.
    pub remediation: Says,
    /// Recovery actions.
    pub actions: Says,
    /// Hint.
    pub hint: Says,
    /// User message.
    pub user_message: Says,
    /// Fallback tool and corrective parameters.
    pub alternatives: Says,
    /// Violations: in full, or cut to the format's own keys.
    pub violations: Says,
    /// Origin, provenance, and the question to ask instead.
    pub origin: Says,
    /// The upstream's HTTP status.
    pub http_status: Says,
    /// The correlation id; `Always` makes one up.
    pub correlation_id: Says,
    /// When it happened.
    pub timestamp: Times,
    /// The documentation link.
    pub docs_url: Says,
}

impl Carries {
    /// What a dialect carries under these options.
    #[expect(clippy::too_many_lines, reason = "a table")]
    pub const fn of(dialect: Dialect, strict: bool) -> Self {
        match (dialect, strict) {
            (Dialect::Native, _) | (Dialect::Problem, false) => EVERYTHING,
            (Dialect::Problem, true) => Self {
                correlation_id: Says::Always,
                ..NOTHING
            },
            (Dialect::ResponseV2, false) => Self {
                correlation_id: Says::Always,
                ..EXTENDED
            },
            (Dialect::ResponseV2, true) => Self {
                wait: Times::Seconds,
                remediation: Says::WhenSet,
                violations: Says::WhenSet,
                http_status: Says::WhenSet,
                correlation_id: Says::WhenSet,
                docs_url: Says::WhenSet,
                ..NOTHING
            },
            (Dialect::McpError, false) => Self {
                wait: Times::Millis,
                actions: Says::Always,
                hint: Says::Always,
                user_message: Says::Always,
                alternatives: Says::WhenSet,
                correlation_id: Says::Always,
                timestamp: Times::Millis,
                ..EXTENDED
            },
            (Dialect::McpError, true) => Self {
                wait: Times::Millis,
                actions: Says::Always,
                hint: Says::WhenSet,
                user_message: Says::WhenSet,
                alternatives: Says::WhenSet,
                http_status: Says::WhenSet,
                correlation_id: Says::Always,
                timestamp: Times::Millis,
                ..NOTHING
            },
            (Dialect::ErrorModel | Dialect::ToolError, false) => Self {
                retry: Says::WhenSet,
                wait: Times::Millis,
                correlation_id: Says::Always,
                ..EXTENDED
            },
            (Dialect::ErrorModel, true) => Self {
                retry: Says::WhenSet,
                remediation: Says::WhenSet,
                ..NOTHING
            },
            (Dialect::ToolError, true) => Self {
                retry: Says::WhenSet,
                http_status: Says::WhenSet,
                ..NOTHING
            },
            (Dialect::McpAql, false) => EXTENDED,
            (Dialect::McpAql, true) => Self {
                wait: Times::Seconds,
                http_status: Says::WhenSet,
                ..NOTHING
            },
        }
    }
}

const NOTHING: Carries = Carries {
    retry: Says::Never,
    wait: Times::Never,
    remediation: Says::Never,
    actions: Says::Never,
    hint: Says::Never,
    user_message: Says::Never,
    alternatives: Says::Never,
    violations: Says::Never,
    origin: Says::Never,
    http_status: Says::Never,
    correlation_id: Says::Never,
    timestamp: Times::Never,
    docs_url: Says::Never,
};

/// What the extensions we write into `details` carry.
const EXTENDED: Carries = Carries {
    wait: Times::Seconds,
    remediation: Says::Always,
    violations: Says::Always,
    http_status: Says::WhenSet,
    docs_url: Says::WhenSet,
    ..NOTHING
};

const EVERYTHING: Carries = Carries {
    retry: Says::Always,
    wait: Times::Millis,
    remediation: Says::Always,
    actions: Says::Always,
    hint: Says::Always,
    user_message: Says::Always,
    alternatives: Says::WhenSet,
    violations: Says::Always,
    origin: Says::WhenSet,
    http_status: Says::WhenSet,
    correlation_id: Says::Always,
    timestamp: Times::Exact,
    docs_url: Says::WhenSet,
};
