//! Too much, too fast.

use super::detail::{may, need};
use crate::code::{
    Category, Entry, Grpc, Hint, Names, Origin, Retry, Severity, Shape, Status, Text,
};

pub(super) static RATE_LIMIT_EXCEEDED: Entry = Entry {
    name: "RATE_LIMIT_EXCEEDED",
    category: Category::RateLimit,
    severity: Severity::Error,
    status: Status::Phase1,
    since: "0.1.0",
    meaning: "Too many calls in too short a time. The same call will work once the window has moved on.",
    when: "The limiter in between or the target itself refuses a call, usually with HTTP 429.",
    message: Text::fixed("API rate limit exceeded"),
    sentence: Some("Rate limit exceeded: {limit} requests per {window}"),
    details: &[
        need("limit", Shape::Integer, "How many calls the window allows."),
        need(
            "remaining",
            Shape::Integer,
            "How many are left, usually none.",
        ),
        need("window", Shape::OneOf(WINDOWS), "The length of the window."),
        need("resets_at", Shape::Timestamp, "When the window resets."),
        need(
            "retry_after_seconds",
            Shape::Integer,
            "Whole seconds to wait before the next try.",
        ),
    ],
    remediation: Text {
        template: "Wait {retry_after_seconds} seconds before retrying.",
        plain: "Wait for the limit to reset before retrying.",
    },
    user: "Too many requests were made; please try again in a moment.",
    retry: Retry::After,
    actions: &["wait_and_retry", "use_cached_data"],
    hint: Hint::RetryLater,
    hint_with_fallback: Hint::RetryLater,
    origin: Origin::Caller,
    http: 429,
    rpc: None,
    grpc: Grpc::ResourceExhausted,
    names: Names {
        response_v2: "RATE_LIMIT_EXCEEDED",
        error_type: "rate_limit",
        mcp_error: "RATE_LIMITED",
        error_model: 3001,
        tool_error: "CLIENT_ERROR",
        needs_input: None,
        mcp_aql: "RATE_LIMIT_EXCEEDED",
        mcp_aql_strict: "RATE_LIMIT_EXCEEDED",
    },
};

pub(super) static RATE_LIMIT_QUOTA_PAUSE: Entry = Entry {
    name: "RATE_LIMIT_QUOTA_PAUSE",
    category: Category::RateLimit,
    severity: Severity::Error,
    status: Status::Phase1,
    since: "0.1.0",
    meaning: "A quota has reached the point where a person should decide whether to go on.",
    when: "Usage reaches the pause threshold and stays below the hard stop.",
    message: Text::fixed("Quota pause threshold reached"),
    sentence: None,
    details: &[
        need(
            "metric",
            Shape::Text,
            "The metric that is counted, for example requests_per_hour.",
        ),
        need("current", Shape::Number, "Usage so far."),
        need("pause_threshold", Shape::Number, "Where the pause begins."),
        may(
            "hard_stop_threshold",
            Shape::Number,
            "Where everything stops, if there is such a point.",
        ),
        need(
            "confirmation_token",
            Shape::Text,
            "The token to send along once a person has agreed.",
        ),
        need("expires_at", Shape::Timestamp, "When the token expires."),
    ],
    remediation: Text {
        template: "Ask a person whether to go on; then send the same call with the token in '_quota_continue' before {expires_at}.",
        plain: "Ask a person whether to go on; then send the same call with the token in '_quota_continue'.",
    },
    user: "Your usage budget is nearly spent; do you want to go on?",
    retry: Retry::AfterChange,
    actions: &["escalate_to_human"],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Caller,
    http: 429,
    rpc: None,
    grpc: Grpc::ResourceExhausted,
    names: Names {
        response_v2: "QUOTA_EXCEEDED",
        error_type: "rate_limit",
        mcp_error: "RATE_LIMITED",
        error_model: 3001,
        tool_error: "CLIENT_ERROR",
        needs_input: Some("_quota_continue"),
        mcp_aql: "RATE_LIMIT_QUOTA_PAUSE",
        mcp_aql_strict: "RATE_LIMIT_QUOTA_PAUSE",
    },
};

pub(super) static RATE_LIMIT_QUOTA_EXHAUSTED: Entry = Entry {
    name: "RATE_LIMIT_QUOTA_EXHAUSTED",
    category: Category::RateLimit,
    severity: Severity::Error,
    status: Status::Phase1,
    since: "0.1.0",
    meaning: "A quota is used up. Nothing passes until it resets.",
    when: "Usage reaches the hard stop.",
    message: Text::fixed("Quota exhausted"),
    sentence: None,
    details: &[
        need(
            "metric",
            Shape::Text,
            "The metric that is counted, for example requests_per_hour.",
        ),
        need("current", Shape::Number, "Usage so far."),
        need(
            "hard_stop_threshold",
            Shape::Number,
            "Where everything stops.",
        ),
        need("resets_at", Shape::Timestamp, "When the quota resets."),
        may(
            "retry_after_seconds",
            Shape::Integer,
            "Whole seconds to wait before the next try.",
        ),
    ],
    remediation: Text {
        template: "Stop calling until {resets_at}, or ask the operator for a larger quota.",
        plain: "Stop calling until the quota resets, or ask the operator for a larger one.",
    },
    user: "Your usage budget is spent for now.",
    retry: Retry::After,
    actions: &["wait_and_retry", "escalate_to_human"],
    hint: Hint::RetryLater,
    hint_with_fallback: Hint::RetryLater,
    origin: Origin::Caller,
    http: 429,
    rpc: None,
    grpc: Grpc::ResourceExhausted,
    names: Names {
        response_v2: "QUOTA_EXCEEDED",
        error_type: "rate_limit",
        mcp_error: "RATE_LIMITED",
        error_model: 3001,
        tool_error: "CLIENT_ERROR",
        needs_input: None,
        mcp_aql: "RATE_LIMIT_QUOTA_EXHAUSTED",
        mcp_aql_strict: "RATE_LIMIT_QUOTA_EXHAUSTED",
    },
};

const WINDOWS: &[&str] = &["second", "minute", "hour", "day"];
