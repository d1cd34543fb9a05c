//! The rows of the warnings. Unlike faults they have three severities, and most say in which phase they arise.

use super::detail::{may, need};
use super::warning::{Phase, Source, WarningEntry};
use crate::code::{Severity, Shape, Text};

pub(super) static CONTENT_TRUNCATED: WarningEntry = WarningEntry {
    name: "CONTENT_TRUNCATED",
    severity: Severity::Info,
    phase: Some(Phase::ContentAssembly),
    meaning: "Content was cut to fit a token or size limit; the core of the result is there.",
    when: "A large response passes a soft limit.",
    message: Text::fixed("Content was truncated to fit the size limit"),
    context: &[
        may("total", Shape::Integer, "How much there was."),
        may("returned", Shape::Integer, "How much was kept."),
        may(
            "unit",
            Shape::Text,
            "What is counted, for example tokens or bytes.",
        ),
        may("field", Shape::Text, "The part of the result concerned."),
    ],
    source: Source::ResponseV2,
    response_v2: "CONTENT_TRUNCATED",
    mcp_aql: "CONTENT_TRUNCATED",
};

pub(super) static CONTENT_DROPPED: WarningEntry = WarningEntry {
    name: "CONTENT_DROPPED",
    severity: Severity::Info,
    phase: Some(Phase::ContentAssembly),
    meaning: "Whole items were left out of the result.",
    when: "Single items are dropped because the result would be too large with them.",
    message: Text {
        template: "Left out '{dropped_count}' item(s) to fit the size limit",
        plain: "Some items were left out to fit the size limit",
    },
    context: &[
        need(
            "dropped_count",
            Shape::Integer,
            "How many items are missing.",
        ),
        may(
            "dropped_ids",
            Shape::Texts,
            "Which ones, to fetch them singly.",
        ),
        may(
            "reason",
            Shape::Text,
            "Why, for example token_budget_exceeded.",
        ),
    ],
    source: Source::ResponseV2,
    response_v2: "CONTENT_DROPPED",
    mcp_aql: "CONTENT_DROPPED",
};

pub(super) static PRIORITY_SUMMARIZED: WarningEntry = WarningEntry {
    name: "PRIORITY_SUMMARIZED",
    severity: Severity::Info,
    phase: Some(Phase::Summarization),
    meaning: "Content of low priority was replaced by summaries.",
    when: "Compression in tiers was needed to keep within the limit.",
    message: Text::fixed("Content of low priority was replaced by summaries"),
    context: &[may(
        "summarized_count",
        Shape::Integer,
        "How many items were summarised.",
    )],
    source: Source::ResponseV2,
    response_v2: "PRIORITY_SUMMARIZED",
    mcp_aql: "PRIORITY_SUMMARIZED",
};

pub(super) static SUMMARY_PROVIDER_FAILED: WarningEntry = WarningEntry {
    name: "SUMMARY_PROVIDER_FAILED",
    severity: Severity::Warning,
    phase: Some(Phase::Summarization),
    meaning: "The summariser failed and something simpler took its place.",
    when: "The model or service that summarises is not available.",
    message: Text::fixed("Summaries could not be made; a fallback was used"),
    context: &[
        may("provider", Shape::Text, "The summariser that failed."),
        may(
            "fallback",
            Shape::Text,
            "What was used instead, for example raw content.",
        ),
    ],
    source: Source::ResponseV2,
    response_v2: "SUMMARY_PROVIDER_FAILED",
    mcp_aql: "SUMMARY_PROVIDER_FAILED",
};

pub(super) static TOKEN_BUDGET_FLOORED: WarningEntry = WarningEntry {
    name: "TOKEN_BUDGET_FLOORED",
    severity: Severity::Warning,
    phase: Some(Phase::BudgetAllocation),
    meaning: "The token budget hit its lower bound.",
    when: "The budget left is too small for meaningful content, so the minimum was used.",
    message: Text::fixed("The token budget was raised to its minimum"),
    context: &[
        may("requested", Shape::Integer, "The budget asked for."),
        may("floor", Shape::Integer, "The minimum used."),
    ],
    source: Source::ResponseV2,
    response_v2: "TOKEN_BUDGET_FLOORED",
    mcp_aql: "TOKEN_BUDGET_FLOORED",
};

pub(super) static LIMITS_DEFAULTED: WarningEntry = WarningEntry {
    name: "LIMITS_DEFAULTED",
    severity: Severity::Info,
    phase: Some(Phase::BudgetAllocation),
    meaning: "Default limits are in force.",
    when: "The configuration of limits is missing or invalid, and the safe defaults are used.",
    message: Text::fixed("Default limits are in force"),
    context: &[may(
        "limits",
        Shape::Texts,
        "The limits that were not configured.",
    )],
    source: Source::ResponseV2,
    response_v2: "LIMITS_DEFAULTED",
    mcp_aql: "LIMITS_DEFAULTED",
};

pub(super) static ARCHIVE_WRITE_FAILED: WarningEntry = WarningEntry {
    name: "ARCHIVE_WRITE_FAILED",
    severity: Severity::Warning,
    phase: Some(Phase::Archival),
    meaning: "Content left out of the result could not be stored for later either.",
    when: "Writing to the archive fails; the content may be lost.",
    message: Text::fixed("Content left out could not be archived"),
    context: &[
        may("archive", Shape::Text, "Where it should have gone."),
        may("lost_ids", Shape::Texts, "The items concerned."),
    ],
    source: Source::ResponseV2,
    response_v2: "ARCHIVE_WRITE_FAILED",
    mcp_aql: "ARCHIVE_WRITE_FAILED",
};

pub(super) static PROTECTED_OVERFLOW: WarningEntry = WarningEntry {
    name: "PROTECTED_OVERFLOW",
    severity: Severity::Warning,
    phase: Some(Phase::ContentPrioritization),
    meaning: "Protected content alone took more than its share.",
    when: "Essential content passed its allotment and pushed other content out.",
    message: Text::fixed("Protected content passed its share and pushed other content out"),
    context: &[
        may("allocated", Shape::Integer, "The share it had."),
        may("used", Shape::Integer, "What it took."),
    ],
    source: Source::ResponseV2,
    response_v2: "PROTECTED_OVERFLOW",
    mcp_aql: "PROTECTED_OVERFLOW",
};

pub(super) static STATE_MIGRATION_RECOVERED: WarningEntry = WarningEntry {
    name: "STATE_MIGRATION_RECOVERED",
    severity: Severity::Info,
    phase: Some(Phase::StateManagement),
    meaning: "Stored state came from an older schema and was brought up to date.",
    when: "A migration ran by itself and succeeded.",
    message: Text::fixed("Stored state was migrated from an older version"),
    context: &[
        may("from_version", Shape::Text, "The version found."),
        may("to_version", Shape::Text, "The version now."),
    ],
    source: Source::ResponseV2,
    response_v2: "STATE_MIGRATION_RECOVERED",
    mcp_aql: "STATE_MIGRATION_RECOVERED",
};

pub(super) static TOKEN_COUNT_ESTIMATE_USED: WarningEntry = WarningEntry {
    name: "TOKEN_COUNT_ESTIMATE_USED",
    severity: Severity::Info,
    phase: Some(Phase::TokenEstimation),
    meaning: "Token counts are estimates.",
    when: "No tokenizer is available for the model, so a rule of thumb was used.",
    message: Text::fixed("Token counts are estimated"),
    context: &[
        may(
            "estimation_method",
            Shape::Text,
            "The rule of thumb, for example character_ratio.",
        ),
        may(
            "accuracy_estimate",
            Shape::Number,
            "How close it usually comes, 0 to 1.",
        ),
    ],
    source: Source::ResponseV2,
    response_v2: "TOKEN_COUNT_ESTIMATE_USED",
    mcp_aql: "TOKEN_COUNT_ESTIMATE_USED",
};

pub(super) static STALE_CACHE: WarningEntry = WarningEntry {
    name: "STALE_CACHE",
    severity: Severity::Warning,
    phase: None,
    meaning: "The result comes from a cache and may be out of date.",
    when: "Fresh data could not be had or was not asked for.",
    message: Text {
        template: "Results may be stale: cache age '{age_seconds}' seconds",
        plain: "Results may be stale",
    },
    context: &[may(
        "age_seconds",
        Shape::Integer,
        "How old the cached data is.",
    )],
    source: Source::ResponseV2,
    response_v2: "STALE_CACHE",
    mcp_aql: "STALE_CACHE",
};

pub(super) static PARTIAL_FAILURE: WarningEntry = WarningEntry {
    name: "PARTIAL_FAILURE",
    severity: Severity::Warning,
    phase: None,
    meaning: "Some items failed while others succeeded.",
    when: "A batch or a fan-out ended with mixed results.",
    message: Text {
        template: "{failed} of {total} items failed",
        plain: "Some items failed",
    },
    context: &[
        need("failed", Shape::Integer, "How many failed."),
        need("total", Shape::Integer, "How many there were."),
        may("failed_ids", Shape::Texts, "Which ones."),
    ],
    source: Source::ResponseV2,
    response_v2: "PARTIAL_FAILURE",
    mcp_aql: "PARTIAL_FAILURE",
};

pub(super) static DEPRECATED_FIELD: WarningEntry = WarningEntry {
    name: "DEPRECATED_FIELD",
    severity: Severity::Info,
    phase: None,
    meaning: "A field in the call or the result is on its way out.",
    when: "A field marked as deprecated was used.",
    message: Text {
        template: "Field '{field}' is deprecated",
        plain: "A deprecated field was used",
    },
    context: &[
        need("field", Shape::Text, "The field."),
        may("replacement", Shape::Text, "What to use instead."),
    ],
    source: Source::ResponseV2,
    response_v2: "DEPRECATED_FIELD",
    mcp_aql: "DEPRECATED_FIELD",
};

pub(super) static RATE_LIMIT_APPROACHING: WarningEntry = WarningEntry {
    name: "RATE_LIMIT_APPROACHING",
    severity: Severity::Warning,
    phase: None,
    meaning: "Few calls are left before the rate limit bites.",
    when: "The remaining calls of the window fall below the margin set for it.",
    message: Text::fixed("Approaching the rate limit"),
    context: &[
        may("limit", Shape::Integer, "Calls the window allows."),
        may("remaining", Shape::Integer, "Calls left."),
        may("resets_at", Shape::Timestamp, "When the window resets."),
    ],
    source: Source::ResponseV2,
    response_v2: "RATE_LIMIT_APPROACHING",
    mcp_aql: "RATE_LIMIT_APPROACHING",
};

pub(super) static FALLBACK_USED: WarningEntry = WarningEntry {
    name: "FALLBACK_USED",
    severity: Severity::Info,
    phase: None,
    meaning: "The result comes from a substitute for the usual source.",
    when: "The first choice failed or was paused and another one answered.",
    message: Text {
        template: "Fallback '{fallback}' was used",
        plain: "A fallback was used",
    },
    context: &[
        may("fallback", Shape::Text, "What answered."),
        may("primary", Shape::Text, "What should have answered."),
    ],
    source: Source::ResponseV2,
    response_v2: "FALLBACK_USED",
    mcp_aql: "FALLBACK_USED",
};

pub(super) static RATE_LIMIT_QUOTA_WARNING: WarningEntry = WarningEntry {
    name: "RATE_LIMIT_QUOTA_WARNING",
    severity: Severity::Warning,
    phase: None,
    meaning: "A quota is nearly spent. The call itself went through.",
    when: "Usage is between the warn threshold and the pause threshold.",
    message: Text::fixed("Approaching quota limit"),
    context: &[
        need("metric", Shape::Text, "The metric that is counted."),
        need("current", Shape::Number, "Usage so far."),
        need("warn_threshold", Shape::Number, "Where warnings begin."),
        may("pause_threshold", Shape::Number, "Where the pause begins."),
    ],
    source: Source::McpAql,
    response_v2: "RATE_LIMIT_APPROACHING",
    mcp_aql: "RATE_LIMIT_QUOTA_WARNING",
};

pub(super) static DEPRECATION_WARNING: WarningEntry = WarningEntry {
    name: "DEPRECATION_WARNING",
    severity: Severity::Info,
    phase: None,
    meaning: "An operation, a parameter or a feature is on its way out.",
    when: "Something deprecated was used; the nearer its removal, the more severe.",
    message: Text {
        template: "'{deprecated_item}' is deprecated",
        plain: "Something deprecated was used",
    },
    context: &[
        need(
            "type",
            Shape::OneOf(&["operation", "parameter", "feature"]),
            "What kind of thing it is.",
        ),
        need("deprecated_item", Shape::Text, "Its name."),
        may("replacement", Shape::Text, "What to use instead."),
        may("removal_date", Shape::Text, "The day it goes."),
        may("migration_guide", Shape::Text, "Where to read on."),
    ],
    source: Source::McpAql,
    response_v2: "DEPRECATION_WARNING",
    mcp_aql: "DEPRECATION_WARNING",
};

pub(super) static VALIDATION_TRUNCATED_WARNING: WarningEntry = WarningEntry {
    name: "VALIDATION_TRUNCATED_WARNING",
    severity: Severity::Info,
    phase: None,
    meaning: "A list in the call or the result was shortened to its limit.",
    when: "More entries came than the field may have.",
    message: Text {
        template: "Field '{field}' was shortened to '{limit}' entries",
        plain: "A field was shortened to its limit",
    },
    context: &[
        need("field", Shape::Text, "The field."),
        need("original_count", Shape::Integer, "Entries before."),
        need("truncated_count", Shape::Integer, "Entries after."),
        need("limit", Shape::Integer, "The most it may have."),
    ],
    source: Source::McpAql,
    response_v2: "VALIDATION_TRUNCATED_WARNING",
    mcp_aql: "VALIDATION_TRUNCATED_WARNING",
};

pub(super) static PERFORMANCE_SLOW_QUERY_WARNING: WarningEntry = WarningEntry {
    name: "PERFORMANCE_SLOW_QUERY_WARNING",
    severity: Severity::Warning,
    phase: None,
    meaning: "The operation took longer than it should.",
    when: "The duration passes the threshold set for the operation; the further, the more severe.",
    message: Text {
        template: "Operation '{operation}' was slow: '{duration_ms}' ms",
        plain: "The operation was slow",
    },
    context: &[
        need("operation", Shape::Text, "The operation."),
        need("duration_ms", Shape::Integer, "How long it took."),
        need("threshold_ms", Shape::Integer, "How long it should take."),
        may("suggestions", Shape::Texts, "Ways to make it faster."),
    ],
    source: Source::McpAql,
    response_v2: "PERFORMANCE_SLOW_QUERY_WARNING",
    mcp_aql: "PERFORMANCE_SLOW_QUERY_WARNING",
};

pub(super) static ARGUMENTS_REPAIRED: WarningEntry = WarningEntry {
    name: "ARGUMENTS_REPAIRED",
    severity: Severity::Warning,
    phase: None,
    meaning: "The arguments did not fit the schema and were changed to fit before the call.",
    when: "A value was coerced or a parameter removed, in a mode that permits it.",
    message: Text {
        template: "Arguments were repaired: '{params}'",
        plain: "Arguments were repaired",
    },
    context: &[
        need("params", Shape::Texts, "The parameters that were changed."),
        may(
            "repairs",
            Shape::Objects,
            "What was done to each: param_name, from, to.",
        ),
    ],
    source: Source::Breakfall,
    response_v2: "ARGUMENTS_REPAIRED",
    mcp_aql: "ARGUMENTS_REPAIRED",
};

pub(super) static ARGUMENTS_MISMATCH: WarningEntry = WarningEntry {
    name: "ARGUMENTS_MISMATCH",
    severity: Severity::Warning,
    phase: None,
    meaning: "The arguments do not fit the schema of the tool; they went on as they were sent.",
    when: "A broken rule is tolerated rather than refused, for example a number written as a text.",
    message: Text {
        template: "Arguments do not fit the schema: '{params}'",
        plain: "Arguments do not fit the schema",
    },
    context: &[
        need("params", Shape::Texts, "The parameters that do not fit."),
        may(
            "violations",
            Shape::Objects,
            "Each broken rule: pointer, keyword, message, expected, suggestion.",
        ),
    ],
    source: Source::Breakfall,
    response_v2: "ARGUMENTS_MISMATCH",
    mcp_aql: "ARGUMENTS_MISMATCH",
};

pub(super) static ARGUMENTS_UNCHECKED: WarningEntry = WarningEntry {
    name: "ARGUMENTS_UNCHECKED",
    severity: Severity::Info,
    phase: None,
    meaning: "Nobody could check the arguments; they went on as they were sent.",
    when: "The schema of the tool is invalid or too large, or the arguments are too large for it.",
    message: Text {
        template: "Arguments of '{operation}' were not checked",
        plain: "Arguments were not checked",
    },
    context: &[
        need("operation", Shape::Text, "The tool."),
        may("reason", Shape::Text, "Why they could not be checked."),
    ],
    source: Source::Breakfall,
    response_v2: "ARGUMENTS_UNCHECKED",
    mcp_aql: "ARGUMENTS_UNCHECKED",
};

pub(super) static OUTPUT_MISMATCH: WarningEntry = WarningEntry {
    name: "OUTPUT_MISMATCH",
    severity: Severity::Warning,
    phase: None,
    meaning: "The result does not fit the schema the tool promises for it.",
    when: "The structured content of a success is missing or breaks a rule of the output schema.",
    message: Text {
        template: "Result of '{operation}' does not fit its output schema",
        plain: "The result does not fit its output schema",
    },
    context: &[
        need("operation", Shape::Text, "The tool."),
        may(
            "violations",
            Shape::Objects,
            "Each broken rule: pointer, keyword, message, expected.",
        ),
    ],
    source: Source::Breakfall,
    response_v2: "OUTPUT_MISMATCH",
    mcp_aql: "OUTPUT_MISMATCH",
};

pub(super) static TOOL_LIST_STALE: WarningEntry = WarningEntry {
    name: "TOOL_LIST_STALE",
    severity: Severity::Info,
    phase: None,
    meaning: "The tools of a server may have changed since it was last asked for them.",
    when: "A call was checked by what an older list of tools says.",
    message: Text {
        template: "Tools of '{upstream}' may have changed since they were listed",
        plain: "The tools may have changed since they were listed",
    },
    context: &[need("upstream", Shape::Text, "The server.")],
    source: Source::Breakfall,
    response_v2: "TOOL_LIST_STALE",
    mcp_aql: "TOOL_LIST_STALE",
};

pub(super) static UPSTREAM_LOST: WarningEntry = WarningEntry {
    name: "UPSTREAM_LOST",
    severity: Severity::Warning,
    phase: None,
    meaning: "A server behind the gateway did not answer, so its part of the result is missing.",
    when: "A list or fan-out over several upstreams had to do without one of them.",
    message: Text {
        template: "No answer from upstream '{upstream}'; its part is missing",
        plain: "An upstream did not answer; its part is missing",
    },
    context: &[
        need("upstream", Shape::Text, "The upstream."),
        may("reason", Shape::Text, "Why it is missing."),
    ],
    source: Source::Breakfall,
    response_v2: "UPSTREAM_LOST",
    mcp_aql: "UPSTREAM_LOST",
};

pub(super) static NAMES_SHORTENED: WarningEntry = WarningEntry {
    name: "NAMES_SHORTENED",
    severity: Severity::Info,
    phase: None,
    meaning: "Some names were too long together with that of their server, so their ends were replaced.",
    when: "A list over several upstreams has names longer than clients take.",
    message: Text {
        template: "Shortened '{shortened_count}' overlong name(s)",
        plain: "Overlong names were shortened",
    },
    context: &[
        need("shortened_count", Shape::Integer, "How many there are."),
        may("names", Shape::Texts, "What they are called in the list."),
        may(
            "original_names",
            Shape::Texts,
            "What their servers call them, in the same order.",
        ),
    ],
    source: Source::Breakfall,
    response_v2: "NAMES_SHORTENED",
    mcp_aql: "NAMES_SHORTENED",
};

pub(super) static RESULT_ADAPTED: WarningEntry = WarningEntry {
    name: "RESULT_ADAPTED",
    severity: Severity::Info,
    phase: None,
    meaning: "Parts of the result have a form that the client's version of the protocol does not know, and were changed or left out.",
    when: "A client of an older version of the protocol speaks with a server of a newer one.",
    message: Text {
        template: "Adapted to an older version of the protocol: '{fields}'",
        plain: "Parts were adapted to an older version of the protocol",
    },
    context: &[
        need(
            "fields",
            Shape::Texts,
            "The members of the result that differ from what the server said.",
        ),
        may(
            "tools",
            Shape::Texts,
            "The tools concerned, if it is a list of tools.",
        ),
    ],
    source: Source::Breakfall,
    response_v2: "RESULT_ADAPTED",
    mcp_aql: "RESULT_ADAPTED",
};

pub(super) static UNKNOWN_PARAM_IGNORED: WarningEntry = WarningEntry {
    name: "UNKNOWN_PARAM_IGNORED",
    severity: Severity::Warning,
    phase: None,
    meaning: "The arguments contained names the tool does not have; they were let through or removed.",
    when: "Unknown parameters are tolerated rather than refused.",
    message: Text {
        template: "Parameter(s) not in the schema: '{unknown_params}'",
        plain: "There are parameters the schema does not have",
    },
    context: &[
        need("unknown_params", Shape::Texts, "The names nobody knows."),
        may("valid_params", Shape::Texts, "The names the tool has."),
    ],
    source: Source::Breakfall,
    response_v2: "UNKNOWN_PARAM_IGNORED",
    mcp_aql: "UNKNOWN_PARAM_IGNORED",
};

pub(super) static RETRIED: WarningEntry = WarningEntry {
    name: "RETRIED",
    severity: Severity::Info,
    phase: None,
    meaning: "The call succeeded, but not the first time.",
    when: "One or more attempts failed in a way safe to retry.",
    message: Text {
        template: "Succeeded after '{attempts}' attempts",
        plain: "Succeeded after a retry",
    },
    context: &[
        need(
            "attempts",
            Shape::Integer,
            "How many attempts there were, the good one included.",
        ),
        may(
            "waited_ms",
            Shape::Integer,
            "Time spent waiting between them.",
        ),
        may("last_code", Shape::Text, "The code of the last failure."),
    ],
    source: Source::Breakfall,
    response_v2: "RETRIED",
    mcp_aql: "RETRIED",
};

pub(super) static WARNINGS_SUPPRESSED: WarningEntry = WarningEntry {
    name: "WARNINGS_SUPPRESSED",
    severity: Severity::Info,
    phase: None,
    meaning: "There were more warnings than a response carries; the most important were kept.",
    when: "The bound on warnings per response was reached.",
    message: Text {
        template: "'{suppressed_count}' further warning(s) left out",
        plain: "Further warnings were left out",
    },
    context: &[need(
        "suppressed_count",
        Shape::Integer,
        "How many were left out.",
    )],
    source: Source::Breakfall,
    response_v2: "WARNINGS_SUPPRESSED",
    mcp_aql: "WARNINGS_SUPPRESSED",
};
