//! A downstream service is unavailable. Most of these failures are transient.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Unavailable,
    status: Status::Extension,
    retry: Retry::Backoff,
    hint: Hint::RetryLater,
    origin: Origin::Upstream,
    rpc: Some(-32603),
    grpc: Grpc::Unavailable,
    names: Names {
        error_type: "unavailable",
        error_model: 4002,
        mcp_aql: "INTERNAL_ERROR",
        mcp_aql_strict: "INTERNAL_ERROR",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    UNAVAILABLE_SERVICE = "The service is down or refuses work for the moment." [
        may("service", Text, "The service that was called."),
        may("http_status", Integer, "The HTTP status the target answered with."),
        may("retry_after_seconds", Integer, "Whole seconds to wait before the next try."),
        may("upstream_error", Text, "What the target said, redacted and shortened."),
    ] {
        when = "The target answers with HTTP 503, is in maintenance, or its process is not running.";
        message.template = "Service '{service}' is unavailable";
        message.plain = "Service unavailable";
        remediation = Text::fixed("Wait a little, then retry with growing pauses in between.");
        user = "The service is not available right now; please try again later.";
        actions = &["wait_and_retry", "use_fallback"];
        hint_with_fallback = Hint::RetryLater;
        http = 503;
        names.response_v2 = "SERVICE_UNAVAILABLE";
        names.mcp_error = "SERVICE_UNAVAILABLE";
        names.tool_error = "SERVER_ERROR";
    }

    UNAVAILABLE_DEPENDENCY = "Something the service itself relies on has failed." [
        may("dependency", Text, "What failed."),
        may("service", Text, "The service that was called."),
        may("http_status", Integer, "The HTTP status the target answered with."),
        may("upstream_error", Text, "What the target said, redacted and shortened."),
    ] {
        when = "The target reports a failing backend, or a gateway on the way answers with HTTP 502.";
        message.template = "Service dependency '{dependency}' failed";
        message.plain = "Service dependency failed";
        remediation.template = "Use another tool for this step, or retry once '{dependency}' works again.";
        remediation.plain = "Use another tool for this step, or retry once the dependency works again.";
        user = "A part of the service is not working right now.";
        actions = &["use_fallback_service", "retry_later"];
        hint_with_fallback = Hint::TryAlternative;
        http = 502;
        names.response_v2 = "DEPENDENCY_FAILED";
        names.mcp_error = "DEPENDENCY_FAILED";
        names.tool_error = "SERVER_ERROR";
    }

    UNAVAILABLE_TIMEOUT = "No answer came in time. Whether the operation took effect is not known." [
        may("timeout_ms", Integer, "How long was waited, in milliseconds."),
        may("service", Text, "The service that was called."),
        may("operation", Text, "The operation that was called."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "A deadline passes before the target answers, or the target reports HTTP 408, 425 or 504.";
        message.template = "Service did not answer within '{timeout_ms}' ms";
        message.plain = "Service did not answer in time";
        sentence = Some("Operation '{operation}' did not finish within {timeout_ms} ms");
        remediation = Text::fixed("Check whether the call took effect; if not, retry with a longer timeout or a smaller request.");
        user = "The service took too long to answer.";
        actions = &["retry_with_timeout", "reduce_request_scope"];
        hint_with_fallback = Hint::RetryLater;
        http = 504;
        grpc = Grpc::DeadlineExceeded;
        names.response_v2 = "SERVICE_UNAVAILABLE";
        names.mcp_error = "TIMEOUT";
        names.error_model = 3002;
        names.tool_error = "NETWORK_ERROR";
    }

    UNAVAILABLE_CIRCUIT_OPEN = "The service has failed so often of late that calls are not passed on for a while." [
        may("service", Text, "The service that was called."),
        may("failures", Integer, "How many calls failed in a row."),
        may("retry_after_seconds", Integer, "Whole seconds to wait before the next try."),
    ] {
        when = "The circuit breaker in front of the target is open.";
        message.template = "Service '{service}' is paused after repeated failures";
        message.plain = "Service is paused after repeated failures";
        remediation.template = "Use a fallback now, or call again in {retry_after_seconds} seconds.";
        remediation.plain = "Use a fallback now, or call again when the service has recovered.";
        user = "The service has been failing and is being given a rest.";
        retry = Retry::After;
        actions = &["use_fallback_service", "check_service_status"];
        hint_with_fallback = Hint::TryAlternative;
        origin = Origin::Gateway;
        http = 503;
        names.response_v2 = "SERVICE_UNAVAILABLE";
        names.mcp_error = "CIRCUIT_OPEN";
        names.tool_error = "SERVER_ERROR";
    }

    UNAVAILABLE_OVERLOADED = "Too many calls are in flight; this one was turned away before it reached the service." [
        may("service", Text, "The service that was called."),
        may("in_flight", Integer, "Calls running when this one came."),
        may("limit", Integer, "How many may run."),
        may("retry_after_seconds", Integer, "Whole seconds to wait before the next try."),
    ] {
        when = "The number of concurrent calls to a target has reached its bound and the queue is full.";
        message.template = "Service '{service}' is overloaded";
        message.plain = "Service is overloaded";
        remediation = Text::fixed("Send fewer calls in parallel, and retry this one after a short pause.");
        user = "The service is very busy; please try again in a moment.";
        actions = &["wait_and_retry", "use_fallback"];
        hint_with_fallback = Hint::RetryLater;
        origin = Origin::Gateway;
        http = 503;
        names.response_v2 = "SERVICE_UNAVAILABLE";
        names.mcp_error = "SERVICE_UNAVAILABLE";
        names.tool_error = "SERVER_ERROR";
    }

    UNAVAILABLE_NETWORK = "The service could not be reached over the network." [
        may("service", Text, "The service that was called."),
        may("transport_code", OneOf(TRANSPORT_CODES), "What kind of network failure it was."),
    ] {
        when = "Name resolution fails, the connection is refused or reset, or the process behind it is gone.";
        message.template = "Service '{service}' cannot be reached";
        message.plain = "Service cannot be reached";
        remediation = Text::fixed("Check the network and the address of the service, then retry; use another service if there is one.");
        user = "The service could not be reached.";
        actions = &["use_fallback_service", "retry_later"];
        hint_with_fallback = Hint::TryAlternative;
        http = 502;
        names.response_v2 = "DEPENDENCY_FAILED";
        names.mcp_error = "DEPENDENCY_FAILED";
        names.tool_error = "NETWORK_ERROR";
    }

    UNAVAILABLE_TLS = "No secure connection to the service could be made. Retrying does not help: a certificate or a setting has to change." [
        may("service", Text, "The service that was called."),
        may("reason", Text, "Which check failed."),
    ] {
        when = "The TLS handshake fails, or the certificate is expired, self-signed or made out to another name.";
        message.template = "Service '{service}' failed the TLS handshake";
        message.plain = "Service failed the TLS handshake";
        remediation.template = "Do not retry; ask the operator to fix the certificate or TLS settings of '{service}'.";
        remediation.plain = "Do not retry; ask the operator to fix the certificate or TLS settings.";
        user = "A secure connection to the service could not be made.";
        retry = Retry::Never;
        actions = &["contact_support"];
        hint = Hint::ReportToUser;
        http = 502;
        grpc = Grpc::FailedPrecondition;
        names.response_v2 = "DEPENDENCY_FAILED";
        names.mcp_error = "DEPENDENCY_FAILED";
        names.error_model = 4001;
        names.tool_error = "NETWORK_ERROR";
    }
}

const TRANSPORT_CODES: &[&str] = &[
    "TRANSPORT_DNS_ERROR",
    "TRANSPORT_CONNECTION_REFUSED",
    "TRANSPORT_TIMEOUT",
    "TRANSPORT_TLS_ERROR",
    "TRANSPORT_NETWORK_ERROR",
];
