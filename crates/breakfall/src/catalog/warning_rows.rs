//! The rows of the warnings. Unlike faults they have three severities, and most say in which phase they arise.

use super::base::rows;
use super::warning::{Phase, Source, WarningCode, WarningEntry};
use crate::code::{Severity, Text};

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
    WarningCode of WarningEntry with context;

    CONTENT_TRUNCATED = "Content was cut to fit a token or size limit; the core of the result is there." [
        may("total", Integer, "How much there was."),
        may("returned", Integer, "How much was kept."),
        may("unit", Text, "What is counted, for example tokens or bytes."),
        may("field", Text, "The part of the result concerned."),
    ] {
        severity = Severity::Info;
        phase = Some(Phase::ContentAssembly);
        when = "A large response passes a soft limit.";
        message = Text::fixed("Content was truncated to fit the size limit");
        source = Source::ResponseV2;
    }

    CONTENT_DROPPED = "Whole items were left out of the result." [
        need("dropped_count", Integer, "How many items are missing."),
        may("dropped_ids", Texts, "Which ones, to fetch them singly."),
        may("reason", Text, "Why, for example token_budget_exceeded."),
    ] {
        severity = Severity::Info;
        phase = Some(Phase::ContentAssembly);
        when = "Single items are dropped because the result would be too large with them.";
        message.template = "Left out '{dropped_count}' item(s) to fit the size limit";
        message.plain = "Some items were left out to fit the size limit";
        source = Source::ResponseV2;
    }

    PRIORITY_SUMMARIZED = "Content of low priority was replaced by summaries." [
        may("summarized_count", Integer, "How many items were summarised."),
    ] {
        severity = Severity::Info;
        phase = Some(Phase::Summarization);
        when = "Compression in tiers was needed to keep within the limit.";
        message = Text::fixed("Content of low priority was replaced by summaries");
        source = Source::ResponseV2;
    }

    SUMMARY_PROVIDER_FAILED = "The summariser failed and something simpler took its place." [
        may("provider", Text, "The summariser that failed."),
        may("fallback", Text, "What was used instead, for example raw content."),
    ] {
        phase = Some(Phase::Summarization);
        when = "The model or service that summarises is not available.";
        message = Text::fixed("Summaries could not be made; a fallback was used");
        source = Source::ResponseV2;
    }

    TOKEN_BUDGET_FLOORED = "The token budget hit its lower bound." [
        may("requested", Integer, "The budget asked for."),
        may("floor", Integer, "The minimum used."),
    ] {
        phase = Some(Phase::BudgetAllocation);
        when = "The budget left is too small for meaningful content, so the minimum was used.";
        message = Text::fixed("The token budget was raised to its minimum");
        source = Source::ResponseV2;
    }

    LIMITS_DEFAULTED = "Default limits are in force." [
        may("limits", Texts, "The limits that were not configured."),
    ] {
        severity = Severity::Info;
        phase = Some(Phase::BudgetAllocation);
        when = "The configuration of limits is missing or invalid, and the safe defaults are used.";
        message = Text::fixed("Default limits are in force");
        source = Source::ResponseV2;
    }

    ARCHIVE_WRITE_FAILED = "Content left out of the result could not be stored for later either." [
        may("archive", Text, "Where it should have gone."),
        may("lost_ids", Texts, "The items concerned."),
    ] {
        phase = Some(Phase::Archival);
        when = "Writing to the archive fails; the content may be lost.";
        message = Text::fixed("Content left out could not be archived");
        source = Source::ResponseV2;
    }

    PROTECTED_OVERFLOW = "Protected content alone took more than its share." [
        may("allocated", Integer, "The share it had."),
        may("used", Integer, "What it took."),
    ] {
        phase = Some(Phase::ContentPrioritization);
        when = "Essential content passed its allotment and pushed other content out.";
        message = Text::fixed("Protected content passed its share and pushed other content out");
        source = Source::ResponseV2;
    }

    STATE_MIGRATION_RECOVERED = "Stored state came from an older schema and was brought up to date." [
        may("from_version", Text, "The version found."),
        may("to_version", Text, "The version now."),
    ] {
        severity = Severity::Info;
        phase = Some(Phase::StateManagement);
        when = "A migration ran by itself and succeeded.";
        message = Text::fixed("Stored state was migrated from an older version");
        source = Source::ResponseV2;
    }

    TOKEN_COUNT_ESTIMATE_USED = "Token counts are estimates." [
        may("estimation_method", Text, "The rule of thumb, for example character_ratio."),
        may("accuracy_estimate", Number, "How close it usually comes, 0 to 1."),
    ] {
        severity = Severity::Info;
        phase = Some(Phase::TokenEstimation);
        when = "No tokenizer is available for the model, so a rule of thumb was used.";
        message = Text::fixed("Token counts are estimated");
        source = Source::ResponseV2;
    }

    STALE_CACHE = "The result comes from a cache and may be out of date." [
        may("age_seconds", Integer, "How old the cached data is."),
    ] {
        when = "Fresh data could not be had or was not asked for.";
        message.template = "Results may be stale: cache age '{age_seconds}' seconds";
        message.plain = "Results may be stale";
        source = Source::ResponseV2;
    }

    PARTIAL_FAILURE = "Some items failed while others succeeded." [
        need("failed", Integer, "How many failed."),
        need("total", Integer, "How many there were."),
        may("failed_ids", Texts, "Which ones."),
    ] {
        when = "A batch or a fan-out ended with mixed results.";
        message.template = "{failed} of {total} items failed";
        message.plain = "Some items failed";
        source = Source::ResponseV2;
    }

    DEPRECATED_FIELD = "A field in the call or the result is on its way out." [
        need("field", Text, "The field."),
        may("replacement", Text, "What to use instead."),
    ] {
        severity = Severity::Info;
        when = "A field marked as deprecated was used.";
        message.template = "Field '{field}' is deprecated";
        message.plain = "A deprecated field was used";
        source = Source::ResponseV2;
    }

    RATE_LIMIT_APPROACHING = "Few calls are left before the rate limit bites." [
        may("limit", Integer, "Calls the window allows."),
        may("remaining", Integer, "Calls left."),
        may("resets_at", Timestamp, "When the window resets."),
    ] {
        when = "The remaining calls of the window fall below the margin set for it.";
        message = Text::fixed("Approaching the rate limit");
        source = Source::ResponseV2;
    }

    FALLBACK_USED = "The result comes from a substitute for the usual source." [
        may("fallback", Text, "What answered."),
        may("primary", Text, "What should have answered."),
    ] {
        severity = Severity::Info;
        when = "The first choice failed or was paused and another one answered.";
        message.template = "Fallback '{fallback}' was used";
        message.plain = "A fallback was used";
        source = Source::ResponseV2;
    }

    RATE_LIMIT_QUOTA_WARNING = "A quota is nearly spent. The call itself went through." [
        need("metric", Text, "The metric that is counted."),
        need("current", Number, "Usage so far."),
        need("warn_threshold", Number, "Where warnings begin."),
        may("pause_threshold", Number, "Where the pause begins."),
    ] {
        when = "Usage is between the warn threshold and the pause threshold.";
        message = Text::fixed("Approaching quota limit");
        source = Source::McpAql;
        response_v2 = "RATE_LIMIT_APPROACHING";
    }

    DEPRECATION_WARNING = "An operation, a parameter or a feature is on its way out." [
        need("type", OneOf(&["operation", "parameter", "feature"]), "What kind of thing it is."),
        need("deprecated_item", Text, "Its name."),
        may("replacement", Text, "What to use instead."),
        may("removal_date", Text, "The day it goes."),
        may("migration_guide", Text, "Where to read on."),
    ] {
        severity = Severity::Info;
        when = "Something deprecated was used; the nearer its removal, the more severe.";
        message.template = "'{deprecated_item}' is deprecated";
        message.plain = "Something deprecated was used";
        source = Source::McpAql;
    }

    VALIDATION_TRUNCATED_WARNING = "A list in the call or the result was shortened to its limit." [
        need("field", Text, "The field."),
        need("original_count", Integer, "Entries before."),
        need("truncated_count", Integer, "Entries after."),
        need("limit", Integer, "The most it may have."),
    ] {
        severity = Severity::Info;
        when = "More entries came than the field may have.";
        message.template = "Field '{field}' was shortened to '{limit}' entries";
        message.plain = "A field was shortened to its limit";
        source = Source::McpAql;
    }

    PERFORMANCE_SLOW_QUERY_WARNING = "The operation took longer than it should." [
        need("operation", Text, "The operation."),
        need("duration_ms", Integer, "How long it took."),
        need("threshold_ms", Integer, "How long it should take."),
        may("suggestions", Texts, "Ways to make it faster."),
    ] {
        when = "The duration passes the threshold set for the operation; the further, the more severe.";
        message.template = "Operation '{operation}' was slow: '{duration_ms}' ms";
        message.plain = "The operation was slow";
        source = Source::McpAql;
    }

    ARGUMENTS_REPAIRED = "The arguments did not fit the schema and were changed to fit before the call." [
        need("params", Texts, "The parameters that were changed."),
        may("repairs", Objects, "What was done to each: param_name, from, to."),
    ] {
        when = "A value was coerced or a parameter removed, in a mode that permits it.";
        message.template = "Arguments were repaired: '{params}'";
        message.plain = "Arguments were repaired";
    }

    ARGUMENTS_MISMATCH = "The arguments do not fit the schema of the tool; they went on as they were sent." [
        need("params", Texts, "The parameters that do not fit."),
        may("violations", Objects, "Each broken rule: pointer, keyword, message, expected, suggestion."),
    ] {
        when = "A broken rule is tolerated rather than refused, for example a number written as a text.";
        message.template = "Arguments do not fit the schema: '{params}'";
        message.plain = "Arguments do not fit the schema";
    }

    ARGUMENTS_UNCHECKED = "The arguments could not be checked; they were sent on as they came." [
        need("operation", Text, "The tool."),
        may("reason", Text, "Why they could not be checked."),
    ] {
        severity = Severity::Info;
        when = "The schema of the tool is invalid or too large, or the arguments are too large for it.";
        message.template = "Arguments of '{operation}' were not checked";
        message.plain = "Arguments were not checked";
    }

    OUTPUT_MISMATCH = "The result does not fit the schema the tool promises for it." [
        need("operation", Text, "The tool."),
        may("violations", Objects, "Each broken rule: pointer, keyword, message, expected."),
    ] {
        when = "The structured content of a success is missing or breaks a rule of the output schema.";
        message.template = "Result of '{operation}' does not fit its output schema";
        message.plain = "The result does not fit its output schema";
    }

    LOOKS_FAILED = "The server calls the result a success, and its text reads like a failure. It is passed on as it came." [
        need("operation", Text, "The tool."),
        need("rule", Text, "The rule that sees it."),
        need("looks_like", Text, "The code of the failure it reads like."),
        may("advice", Text, "What to do about it."),
    ] {
        when = "A rule on hidden failures sees a text that opens like an error, or a heading such as \"# Edit Failed\", and no structure says that the call failed.";
        message.template = "'{operation}' succeeded, says its server, but the text reads like a failure: '{looks_like}', by the rule '{rule}'. Unless you asked for this very text, the call failed. This is no reason to call again";
        message.plain = "The server calls this a success, but the text reads like a failure. Unless you asked for this very text, the call failed. This is no reason to call again";
    }

    TOOL_LIST_STALE = "The tools of a server may have changed since it was last asked for them." [
        need("upstream", Text, "The server."),
    ] {
        severity = Severity::Info;
        when = "A call was checked by what an older list of tools says.";
        message.template = "Tools of '{upstream}' may have changed since they were listed";
        message.plain = "The tools may have changed since they were listed";
    }

    UPSTREAM_LOST = "A server behind the gateway did not answer, so its part of the result is missing." [
        need("upstream", Text, "The upstream."),
        may("reason", Text, "Why it is missing."),
    ] {
        when = "A list or fan-out over several upstreams had to do without one of them.";
        message.template = "No answer from upstream '{upstream}'; its part is missing";
        message.plain = "An upstream did not answer; its part is missing";
    }

    NAMES_SHORTENED = "Some names were too long together with that of their server, so their ends were replaced." [
        need("shortened_count", Integer, "How many there are."),
        may("names", Texts, "What they are called in the list."),
        may("original_names", Texts, "What their servers call them, in the same order."),
    ] {
        severity = Severity::Info;
        when = "A list over several upstreams has names longer than clients take.";
        message.template = "Shortened '{shortened_count}' overlong name(s)";
        message.plain = "Overlong names were shortened";
    }

    RESULT_ADAPTED = "Parts of the result have a form that the client's version of the protocol does not know, and were changed or left out." [
        need("fields", Texts, "The members of the result that differ from what the server said."),
        may("tools", Texts, "The tools concerned, if it is a list of tools."),
    ] {
        severity = Severity::Info;
        when = "A client of an older version of the protocol speaks with a server of a newer one.";
        message.template = "Adapted to an older version of the protocol: '{fields}'";
        message.plain = "Parts were adapted to an older version of the protocol";
    }

    UNKNOWN_PARAM_IGNORED = "The arguments contained names the tool does not have; they were let through or removed." [
        need("unknown_params", Texts, "The unknown names."),
        may("valid_params", Texts, "The names the tool has."),
    ] {
        when = "Unknown parameters are tolerated rather than refused.";
        message.template = "Parameter(s) not in the schema: '{unknown_params}'";
        message.plain = "There are parameters the schema does not have";
    }

    RETRIED = "The call succeeded, but not the first time." [
        need("attempts", Integer, "How many attempts there were, the good one included."),
        may("waited_ms", Integer, "Time spent waiting between them."),
        may("last_code", Text, "The code of the last failure."),
    ] {
        severity = Severity::Info;
        when = "One or more attempts failed in a way safe to retry.";
        message.template = "Succeeded after '{attempts}' attempts";
        message.plain = "Succeeded after a retry";
    }

    WARNINGS_SUPPRESSED = "There were more warnings than a response carries; the most important were kept." [
        need("suppressed_count", Integer, "How many were left out."),
    ] {
        severity = Severity::Info;
        when = "The bound on warnings per response was reached.";
        message.template = "'{suppressed_count}' further warning(s) left out";
        message.plain = "Further warnings were left out";
    }
}
