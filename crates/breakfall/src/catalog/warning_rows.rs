//! The rows of the warnings. Unlike faults they have three severities, and most say in which phase they arise.

use super::base::rows;
use super::detail::{may, need};
use super::warning::{Phase, Source, WarningCode, WarningEntry};
use crate::code::{Severity, Shape, Text};

/// What the rows share unless they say otherwise.
const BASE: WarningEntry = WarningEntry {
    name: "",
    severity: Severity::Warning,
    phase: None,
    meaning: "",
    when: "",
    message: Text::fixed(""),
    context: &[],
    source: Source::Breakfall,
    response_v2: "",
    mcp_aql: "",
};

impl WarningEntry {
    /// The row under a name, which other registries take over unless the row says otherwise.
    const fn named(mut self, name: &'static str, meaning: &'static str) -> Self {
        (self.name, self.meaning) = (name, meaning);
        (self.response_v2, self.mcp_aql) = (name, name);
        self
    }
}

rows! {
    WarningCode of WarningEntry;

    CONTENT_TRUNCATED = "Content was cut to fit a token or size limit; the core of the result is there." {
        severity = Severity::Info;
        phase = Some(Phase::ContentAssembly);
        when = "A large response passes a soft limit.";
        message = Text::fixed("Content was truncated to fit the size limit");
        context = &[
            may("total", Shape::Integer, "How much there was."),
            may("returned", Shape::Integer, "How much was kept."),
            may("unit", Shape::Text, "What is counted, for example tokens or bytes."),
            may("field", Shape::Text, "The part of the result concerned."),
        ];
        source = Source::ResponseV2;
    }

    CONTENT_DROPPED = "Whole items were left out of the result." {
        severity = Severity::Info;
        phase = Some(Phase::ContentAssembly);
        when = "Single items are dropped because the result would be too large with them.";
        message.template = "Left out '{dropped_count}' item(s) to fit the size limit";
        message.plain = "Some items were left out to fit the size limit";
        context = &[
            need("dropped_count", Shape::Integer, "How many items are missing."),
            may("dropped_ids", Shape::Texts, "Which ones, to fetch them singly."),
            may("reason", Shape::Text, "Why, for example token_budget_exceeded."),
        ];
        source = Source::ResponseV2;
    }

    PRIORITY_SUMMARIZED = "Content of low priority was replaced by summaries." {
        severity = Severity::Info;
        phase = Some(Phase::Summarization);
        when = "Compression in tiers was needed to keep within the limit.";
        message = Text::fixed("Content of low priority was replaced by summaries");
        context = &[may("summarized_count", Shape::Integer, "How many items were summarised.")];
        source = Source::ResponseV2;
    }

    SUMMARY_PROVIDER_FAILED = "The summariser failed and something simpler took its place." {
        phase = Some(Phase::Summarization);
        when = "The model or service that summarises is not available.";
        message = Text::fixed("Summaries could not be made; a fallback was used");
        context = &[
            may("provider", Shape::Text, "The summariser that failed."),
            may("fallback", Shape::Text, "What was used instead, for example raw content."),
        ];
        source = Source::ResponseV2;
    }

    TOKEN_BUDGET_FLOORED = "The token budget hit its lower bound." {
        phase = Some(Phase::BudgetAllocation);
        when = "The budget left is too small for meaningful content, so the minimum was used.";
        message = Text::fixed("The token budget was raised to its minimum");
        context = &[
            may("requested", Shape::Integer, "The budget asked for."),
            may("floor", Shape::Integer, "The minimum used."),
        ];
        source = Source::ResponseV2;
    }

    LIMITS_DEFAULTED = "Default limits are in force." {
        severity = Severity::Info;
        phase = Some(Phase::BudgetAllocation);
        when = "The configuration of limits is missing or invalid, and the safe defaults are used.";
        message = Text::fixed("Default limits are in force");
        context = &[may("limits", Shape::Texts, "The limits that were not configured.")];
        source = Source::ResponseV2;
    }

    ARCHIVE_WRITE_FAILED = "Content left out of the result could not be stored for later either." {
        phase = Some(Phase::Archival);
        when = "Writing to the archive fails; the content may be lost.";
        message = Text::fixed("Content left out could not be archived");
        context = &[
            may("archive", Shape::Text, "Where it should have gone."),
            may("lost_ids", Shape::Texts, "The items concerned."),
        ];
        source = Source::ResponseV2;
    }

    PROTECTED_OVERFLOW = "Protected content alone took more than its share." {
        phase = Some(Phase::ContentPrioritization);
        when = "Essential content passed its allotment and pushed other content out.";
        message = Text::fixed("Protected content passed its share and pushed other content out");
        context = &[
            may("allocated", Shape::Integer, "The share it had."),
            may("used", Shape::Integer, "What it took."),
        ];
        source = Source::ResponseV2;
    }

    STATE_MIGRATION_RECOVERED = "Stored state came from an older schema and was brought up to date." {
        severity = Severity::Info;
        phase = Some(Phase::StateManagement);
        when = "A migration ran by itself and succeeded.";
        message = Text::fixed("Stored state was migrated from an older version");
        context = &[
            may("from_version", Shape::Text, "The version found."),
            may("to_version", Shape::Text, "The version now."),
        ];
        source = Source::ResponseV2;
    }

    TOKEN_COUNT_ESTIMATE_USED = "Token counts are estimates." {
        severity = Severity::Info;
        phase = Some(Phase::TokenEstimation);
        when = "No tokenizer is available for the model, so a rule of thumb was used.";
        message = Text::fixed("Token counts are estimated");
        context = &[
            may("estimation_method", Shape::Text, "The rule of thumb, for example character_ratio."),
            may("accuracy_estimate", Shape::Number, "How close it usually comes, 0 to 1."),
        ];
        source = Source::ResponseV2;
    }

    STALE_CACHE = "The result comes from a cache and may be out of date." {
        when = "Fresh data could not be had or was not asked for.";
        message.template = "Results may be stale: cache age '{age_seconds}' seconds";
        message.plain = "Results may be stale";
        context = &[may("age_seconds", Shape::Integer, "How old the cached data is.")];
        source = Source::ResponseV2;
    }

    PARTIAL_FAILURE = "Some items failed while others succeeded." {
        when = "A batch or a fan-out ended with mixed results.";
        message.template = "{failed} of {total} items failed";
        message.plain = "Some items failed";
        context = &[
            need("failed", Shape::Integer, "How many failed."),
            need("total", Shape::Integer, "How many there were."),
            may("failed_ids", Shape::Texts, "Which ones."),
        ];
        source = Source::ResponseV2;
    }

    DEPRECATED_FIELD = "A field in the call or the result is on its way out." {
        severity = Severity::Info;
        when = "A field marked as deprecated was used.";
        message.template = "Field '{field}' is deprecated";
        message.plain = "A deprecated field was used";
        context = &[
            need("field", Shape::Text, "The field."),
            may("replacement", Shape::Text, "What to use instead."),
        ];
        source = Source::ResponseV2;
    }

    RATE_LIMIT_APPROACHING = "Few calls are left before the rate limit bites." {
        when = "The remaining calls of the window fall below the margin set for it.";
        message = Text::fixed("Approaching the rate limit");
        context = &[
            may("limit", Shape::Integer, "Calls the window allows."),
            may("remaining", Shape::Integer, "Calls left."),
            may("resets_at", Shape::Timestamp, "When the window resets."),
        ];
        source = Source::ResponseV2;
    }

    FALLBACK_USED = "The result comes from a substitute for the usual source." {
        severity = Severity::Info;
        when = "The first choice failed or was paused and another one answered.";
        message.template = "Fallback '{fallback}' was used";
        message.plain = "A fallback was used";
        context = &[
            may("fallback", Shape::Text, "What answered."),
            may("primary", Shape::Text, "What should have answered."),
        ];
        source = Source::ResponseV2;
    }

    RATE_LIMIT_QUOTA_WARNING = "A quota is nearly spent. The call itself went through." {
        when = "Usage is between the warn threshold and the pause threshold.";
        message = Text::fixed("Approaching quota limit");
        context = &[
            need("metric", Shape::Text, "The metric that is counted."),
            need("current", Shape::Number, "Usage so far."),
            need("warn_threshold", Shape::Number, "Where warnings begin."),
            may("pause_threshold", Shape::Number, "Where the pause begins."),
        ];
        source = Source::McpAql;
        response_v2 = "RATE_LIMIT_APPROACHING";
    }

    DEPRECATION_WARNING = "An operation, a parameter or a feature is on its way out." {
        severity = Severity::Info;
        when = "Something deprecated was used; the nearer its removal, the more severe.";
        message.template = "'{deprecated_item}' is deprecated";
        message.plain = "Something deprecated was used";
        context = &[
            need("type", Shape::OneOf(&["operation", "parameter", "feature"]), "What kind of thing it is."),
            need("deprecated_item", Shape::Text, "Its name."),
            may("replacement", Shape::Text, "What to use instead."),
            may("removal_date", Shape::Text, "The day it goes."),
            may("migration_guide", Shape::Text, "Where to read on."),
        ];
        source = Source::McpAql;
    }

    VALIDATION_TRUNCATED_WARNING = "A list in the call or the result was shortened to its limit." {
        severity = Severity::Info;
        when = "More entries came than the field may have.";
        message.template = "Field '{field}' was shortened to '{limit}' entries";
        message.plain = "A field was shortened to its limit";
        context = &[
            need("field", Shape::Text, "The field."),
            need("original_count", Shape::Integer, "Entries before."),
            need("truncated_count", Shape::Integer, "Entries after."),
            need("limit", Shape::Integer, "The most it may have."),
        ];
        source = Source::McpAql;
    }

    PERFORMANCE_SLOW_QUERY_WARNING = "The operation took longer than it should." {
        when = "The duration passes the threshold set for the operation; the further, the more severe.";
        message.template = "Operation '{operation}' was slow: '{duration_ms}' ms";
        message.plain = "The operation was slow";
        context = &[
            need("operation", Shape::Text, "The operation."),
            need("duration_ms", Shape::Integer, "How long it took."),
            need("threshold_ms", Shape::Integer, "How long it should take."),
            may("suggestions", Shape::Texts, "Ways to make it faster."),
        ];
        source = Source::McpAql;
    }

    ARGUMENTS_REPAIRED = "The arguments did not fit the schema and were changed to fit before the call." {
        when = "A value was coerced or a parameter removed, in a mode that permits it.";
        message.template = "Arguments were repaired: '{params}'";
        message.plain = "Arguments were repaired";
        context = &[
            need("params", Shape::Texts, "The parameters that were changed."),
            may("repairs", Shape::Objects, "What was done to each: param_name, from, to."),
        ];
    }

    ARGUMENTS_MISMATCH = "The arguments do not fit the schema of the tool; they went on as they were sent." {
        when = "A broken rule is tolerated rather than refused, for example a number written as a text.";
        message.template = "Arguments do not fit the schema: '{params}'";
        message.plain = "Arguments do not fit the schema";
        context = &[
            need("params", Shape::Texts, "The parameters that do not fit."),
            may("violations", Shape::Objects, "Each broken rule: pointer, keyword, message, expected, suggestion."),
        ];
    }

    ARGUMENTS_UNCHECKED = "The arguments could not be checked; they were sent on as they came." {
        severity = Severity::Info;
        when = "The schema of the tool is invalid or too large, or the arguments are too large for it.";
        message.template = "Arguments of '{operation}' were not checked";
        message.plain = "Arguments were not checked";
        context = &[
            need("operation", Shape::Text, "The tool."),
            may("reason", Shape::Text, "Why they could not be checked."),
        ];
    }

    OUTPUT_MISMATCH = "The result does not fit the schema the tool promises for it." {
        when = "The structured content of a success is missing or breaks a rule of the output schema.";
        message.template = "Result of '{operation}' does not fit its output schema";
        message.plain = "The result does not fit its output schema";
        context = &[
            need("operation", Shape::Text, "The tool."),
            may("violations", Shape::Objects, "Each broken rule: pointer, keyword, message, expected."),
        ];
    }

    LOOKS_FAILED = "The server calls the result a success, and its text reads like a failure. It is passed on as it came." {
        when = "A rule on hidden failures sees a text that opens like an error, or a heading such as \"# Edit Failed\", and no structure says that the call failed.";
        message.template = "'{operation}' succeeded, says its server, but the text reads like a failure: '{looks_like}', by the rule '{rule}'. Unless you asked for this very text, the call failed. This is no reason to call again";
        message.plain = "The server calls this a success, but the text reads like a failure. Unless you asked for this very text, the call failed. This is no reason to call again";
        context = &[
            need("operation", Shape::Text, "The tool."),
            need("rule", Shape::Text, "The rule that sees it."),
            need("looks_like", Shape::Text, "The code of the failure it reads like."),
            may("advice", Shape::Text, "What to do about it."),
        ];
    }

    TOOL_LIST_STALE = "The tools of a server may have changed since it was last asked for them." {
        severity = Severity::Info;
        when = "A call was checked by what an older list of tools says.";
        message.template = "Tools of '{upstream}' may have changed since they were listed";
        message.plain = "The tools may have changed since they were listed";
        context = &[need("upstream", Shape::Text, "The server.")];
    }

    UPSTREAM_LOST = "A server behind the gateway did not answer, so its part of the result is missing." {
        when = "A list or fan-out over several upstreams had to do without one of them.";
        message.template = "No answer from upstream '{upstream}'; its part is missing";
        message.plain = "An upstream did not answer; its part is missing";
        context = &[
            need("upstream", Shape::Text, "The upstream."),
            may("reason", Shape::Text, "Why it is missing."),
        ];
    }

    NAMES_SHORTENED = "Some names were too long together with that of their server, so their ends were replaced." {
        severity = Severity::Info;
        when = "A list over several upstreams has names longer than clients take.";
        message.template = "Shortened '{shortened_count}' overlong name(s)";
        message.plain = "Overlong names were shortened";
        context = &[
            need("shortened_count", Shape::Integer, "How many there are."),
            may("names", Shape::Texts, "What they are called in the list."),
            may("original_names", Shape::Texts, "What their servers call them, in the same order."),
        ];
    }

    RESULT_ADAPTED = "Parts of the result have a form that the client's version of the protocol does not know, and were changed or left out." {
        severity = Severity::Info;
        when = "A client of an older version of the protocol speaks with a server of a newer one.";
        message.template = "Adapted to an older version of the protocol: '{fields}'";
        message.plain = "Parts were adapted to an older version of the protocol";
        context = &[
            need("fields", Shape::Texts, "The members of the result that differ from what the server said."),
            may("tools", Shape::Texts, "The tools concerned, if it is a list of tools."),
        ];
    }

    UNKNOWN_PARAM_IGNORED = "The arguments contained names the tool does not have; they were let through or removed." {
        when = "Unknown parameters are tolerated rather than refused.";
        message.template = "Parameter(s) not in the schema: '{unknown_params}'";
        message.plain = "There are parameters the schema does not have";
        context = &[
            need("unknown_params", Shape::Texts, "The unknown names."),
            may("valid_params", Shape::Texts, "The names the tool has."),
        ];
    }

    RETRIED = "The call succeeded, but not the first time." {
        severity = Severity::Info;
        when = "One or more attempts failed in a way safe to retry.";
        message.template = "Succeeded after '{attempts}' attempts";
        message.plain = "Succeeded after a retry";
        context = &[
            need("attempts", Shape::Integer, "How many attempts there were, the good one included."),
            may("waited_ms", Shape::Integer, "Time spent waiting between them."),
            may("last_code", Shape::Text, "The code of the last failure."),
        ];
    }

    WARNINGS_SUPPRESSED = "There were more warnings than a response carries; the most important were kept." {
        severity = Severity::Info;
        when = "The bound on warnings per response was reached.";
        message.template = "'{suppressed_count}' further warning(s) left out";
        message.plain = "Further warnings were left out";
        context = &[need("suppressed_count", Shape::Integer, "How many were left out.")];
    }
}
