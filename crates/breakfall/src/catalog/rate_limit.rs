//! Too much, too fast.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::RateLimit,
    status: Status::Phase1,
    retry: Retry::After,
    hint: Hint::RetryLater,
    hint_with_fallback: Hint::RetryLater,
    origin: Origin::Caller,
    http: 429,
    grpc: Grpc::ResourceExhausted,
    names: Names {
        response_v2: "QUOTA_EXCEEDED",
        error_type: "rate_limit",
        mcp_error: "RATE_LIMITED",
        error_model: 3001,
        tool_error: "CLIENT_ERROR",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    RATE_LIMIT_EXCEEDED = "Too many calls in too short a time. The same call will work once the window has moved on." [
        need("limit", Integer, "How many calls the window allows."),
        need("remaining", Integer, "How many are left, usually none."),
        need("window", OneOf(WINDOWS), "The length of the window."),
        need("resets_at", Timestamp, "When the window resets."),
        need("retry_after_seconds", Integer, "Whole seconds to wait before the next try."),
    ] {
        when = "The limiter in between or the target itself refuses a call, usually with HTTP 429.";
        message = Text::fixed("API rate limit exceeded");
        sentence = Some("Rate limit exceeded: {limit} requests per {window}");
        remediation.template = "Wait {retry_after_seconds} seconds before retrying.";
        remediation.plain = "Wait for the limit to reset before retrying.";
        user = "Too many requests were made; please try again in a moment.";
        actions = &["wait_and_retry", "use_cached_data"];
        names.response_v2 = "RATE_LIMIT_EXCEEDED";
        names.mcp_aql_strict = "RATE_LIMIT_EXCEEDED";
    }

    RATE_LIMIT_QUOTA_PAUSE = "A quota has reached the point where a person should decide whether to go on." [
        need("metric", Text, "The metric that is counted, for example requests_per_hour."),
        need("current", Number, "Usage so far."),
        need("pause_threshold", Number, "Where the pause begins."),
        may("hard_stop_threshold", Number, "Where everything stops, if there is such a point."),
        need("confirmation_token", Text, "The token to send along once a person has agreed."),
        need("expires_at", Timestamp, "When the token expires."),
    ] {
        when = "Usage reaches the pause threshold and stays below the hard stop.";
        message = Text::fixed("Quota pause threshold reached");
        remediation.template = "Ask a person whether to go on; then send the same call with the token in '_quota_continue' before {expires_at}.";
        remediation.plain = "Ask a person whether to go on; then send the same call with the token in '_quota_continue'.";
        user = "Your usage budget is nearly spent; do you want to go on?";
        retry = Retry::AfterChange;
        actions = &["escalate_to_human"];
        hint = Hint::ReportToUser;
        hint_with_fallback = Hint::ReportToUser;
        names.needs_input = Some("_quota_continue");
        names.mcp_aql_strict = "RATE_LIMIT_QUOTA_PAUSE";
    }

    RATE_LIMIT_QUOTA_EXHAUSTED = "A quota is used up. Nothing passes until it resets." [
        need("metric", Text, "The metric that is counted, for example requests_per_hour."),
        need("current", Number, "Usage so far."),
        need("hard_stop_threshold", Number, "Where everything stops."),
        need("resets_at", Timestamp, "When the quota resets."),
        may("retry_after_seconds", Integer, "Whole seconds to wait before the next try."),
    ] {
        when = "Usage reaches the hard stop.";
        message = Text::fixed("Quota exhausted");
        remediation.template = "Stop calling until {resets_at}, or ask the operator for a larger quota.";
        remediation.plain = "Stop calling until the quota resets, or ask the operator for a larger one.";
        user = "Your usage budget is spent for now.";
        actions = &["wait_and_retry", "escalate_to_human"];
        names.mcp_aql_strict = "RATE_LIMIT_QUOTA_EXHAUSTED";
    }
}

const WINDOWS: &[&str] = &["second", "minute", "hour", "day"];
