//! Making faults: one constructor for each thing that goes wrong often, named for it.

use std::time::Duration;

use serde_json::Value;

use super::Fault;
use crate::catalog::codes;
use crate::code::{Retry, words};
use crate::elicitation::Elicitation;
use crate::phrase::{Phrase, PhraseText};

/// The input is wrong.
impl Fault {
    /// A value breaks a rule. Says what in a sentence of its own; add [`Fault::field`] where one is at fault.
    pub fn invalid(message: impl Into<Box<str>>) -> Self {
        Self::new(codes::VALIDATION_INVALID_VALUE).message(message)
    }

    /// A value breaks a rule; the reason in a few words.
    pub fn invalid_value(name: &str, reason: &str) -> Self {
        Self::new(codes::VALIDATION_INVALID_VALUE)
            .field(name)
            .detail("reason", reason)
    }

    /// A required parameter is missing.
    pub fn missing_param(name: &str) -> Self {
        Self::new(codes::VALIDATION_MISSING_PARAM).field(name)
    }

    /// A parameter has the wrong type.
    pub fn invalid_type(name: &str, expected: &str, actual: &str) -> Self {
        let fault = Self::new(codes::VALIDATION_INVALID_TYPE).field(name);
        fault
            .detail("expected_type", expected)
            .detail("actual_type", actual)
    }

    /// Parameters the operation does not have.
    pub fn unknown_params<S: Into<Value> + Clone>(
        operation: &str,
        unknown: &[S],
        valid: &[S],
    ) -> Self {
        let fault = Self::new(codes::VALIDATION_UNKNOWN_PARAM).in_operation(operation);
        fault
            .detail("unknown_params", unknown.to_vec())
            .detail("valid_params", valid.to_vec())
    }

    /// Fields of an update that the resource does not have.
    pub fn unknown_fields<S: Into<Value> + Clone>(operation: &str, unknown: &[S]) -> Self {
        Self::new(codes::VALIDATION_UNKNOWN_FIELD)
            .in_operation(operation)
            .detail("unknown_fields", unknown.to_vec())
    }

    /// A value that is not one of the allowed ones.
    pub fn invalid_enum<S: Into<Value> + Clone>(name: &str, allowed: &[S]) -> Self {
        Self::new(codes::VALIDATION_INVALID_ENUM)
            .field(name)
            .detail("allowed_values", allowed.to_vec())
    }

    /// A string that does not match its pattern or format.
    pub fn pattern_mismatch(name: &str, pattern: &str) -> Self {
        Self::new(codes::VALIDATION_PATTERN_MISMATCH)
            .field(name)
            .detail("pattern", pattern)
    }

    /// Bytes that are not UTF-8, and where the first bad one is.
    pub fn invalid_encoding(location: &str, byte_offset: u64) -> Self {
        let fault = Self::new(codes::VALIDATION_INVALID_ENCODING);
        fault
            .detail("location", location)
            .detail("byte_offset", byte_offset)
    }

    /// Too big, too many or too deep.
    pub fn payload_too_large(limit_type: LimitType, limit: u64, actual: u64) -> Self {
        let fault = Self::new(codes::VALIDATION_PAYLOAD_TOO_LARGE)
            .detail("limit_type", limit_type.as_str());
        fault
            .detail("limit_value", limit)
            .detail("actual_value", actual)
            .detail("unit", limit_type.unit())
    }
}

/// The thing, or the caller's right to it, is not there.
impl Fault {
    /// Nothing is found under an id.
    pub fn not_found(resource_type: &str, id: &str) -> Self {
        let fault = Self::new(codes::NOT_FOUND_RESOURCE);
        fault
            .detail("resource_type", resource_type)
            .detail("resource_id", id)
    }

    /// An unknown operation or tool. Knowing which exist is half the recovery.
    pub fn unknown_operation<S: Into<Value> + Clone>(name: &str, available: &[S]) -> Self {
        let fault = Self::new(codes::NOT_FOUND_OPERATION).in_operation(name);
        if available.is_empty() {
            fault
        } else {
            fault.detail("available", available.to_vec())
        }
    }

    /// [`Self::unknown_operation`] with the first of many names, and how many were left out: a reader takes a list for
    /// complete.
    #[cfg(any(feature = "rmcp", feature = "validate"))]
    pub(crate) fn unknown_among(name: &str, listed: &[String], omitted: usize) -> Self {
        let fault = Self::unknown_operation(name, listed);
        if omitted == 0 {
            return fault;
        }
        // Texts have little room, and the number comes last in it.
        let mut length = 0;
        let fits = |name: &&String| {
            length += name.len() + ", ".len();
            length <= LONGEST_NAMES
        };
        let fitting = listed.iter().take_while(fits).count();
        let (told, untold) = listed.split_at(fitting.max(1).min(listed.len()));
        let advice = PhraseText::from(Phrase::CALL_ONE_OF_MORE)
            .with("available", told)
            .with("count", untold.len() + omitted);
        fault.detail("available_omitted", omitted).advise(advice)
    }

    /// The caller is not authenticated.
    pub fn unauthenticated() -> Self {
        Self::new(codes::AUTHENTICATION_REQUIRED)
    }

    /// The caller may not; the reason in a few words.
    pub fn permission_denied(reason: &str) -> Self {
        Self::new(codes::PERMISSION_DENIED).detail("reason", reason)
    }

    /// A person has to agree first.
    pub fn confirmation_required(
        operation: &str,
        danger_level: &str,
        token: &str,
        expires_at: jiff::Timestamp,
    ) -> Self {
        let fault = Self::new(codes::CONFIRMATION_REQUIRED)
            .in_operation(operation)
            .detail("danger_level", danger_level);
        fault
            .detail("confirmation_token", token)
            .detail("expires_at", expires_at.to_string())
    }

    /// There already.
    pub fn already_exists(resource_type: &str, id: &str) -> Self {
        let fault = Self::new(codes::CONFLICT_ALREADY_EXISTS);
        fault
            .detail("resource_type", resource_type)
            .detail("resource_id", id)
    }

    /// Another caller changed it meanwhile.
    pub fn version_mismatch(expected: &str, actual: &str) -> Self {
        let fault = Self::new(codes::CONFLICT_VERSION_MISMATCH);
        fault
            .detail("expected_version", expected)
            .detail("actual_version", actual)
    }

    /// Not possible in the state it is in.
    pub fn invalid_state(operation: &str, current_state: &str) -> Self {
        Self::new(codes::CONFLICT_INVALID_STATE)
            .in_operation(operation)
            .detail("current_state", current_state)
    }

    /// A rule of the domain forbids it.
    pub fn business_rule(rule: &str) -> Self {
        Self::new(codes::BUSINESS_RULE_VIOLATION).detail("rule", rule)
    }

    /// The id is the user's to correct: dialects that can ask do so, offering these.
    pub fn or_ask<S: Into<String>>(
        self,
        field: &str,
        suggestions: impl IntoIterator<Item = S>,
    ) -> Self {
        let message = self.public().message().into_owned();
        let question = Elicitation::new(message.clone())
            .field(field)
            .reason(message)
            .suggest(field, suggestions);
        self.ask(question)
    }
}

/// Too much, too fast.
impl Fault {
    /// A rate limit.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall::{Fault, Window};
    ///
    /// let fault = Fault::rate_limited(100, Window::Minute).retry_after(Duration::from_secs(45));
    /// assert_eq!(fault.public().message(), "Rate limit exceeded: 100 requests per minute");
    /// assert_eq!(fault.public().remediation(), "Wait 45 seconds before retrying.");
    /// ```
    pub fn rate_limited(limit: u64, window: Window) -> Self {
        Self::new(codes::RATE_LIMIT_EXCEEDED)
            .detail("limit", limit)
            .detail("window", window.as_str())
    }

    /// A quota is used up.
    pub fn quota_exhausted(metric: &str, current: u64, hard_stop: u64) -> Self {
        let fault = Self::new(codes::RATE_LIMIT_QUOTA_EXHAUSTED).detail("metric", metric);
        fault
            .detail("current", current)
            .detail("hard_stop_threshold", hard_stop)
    }
}

/// Failures downstream, or of this server.
impl Fault {
    /// A defect. The cause goes to the log, the caller gets a general sentence and an id.
    pub fn internal() -> Self {
        Self::new(codes::INTERNAL_ERROR)
    }

    /// A service is not there.
    pub fn unavailable(service: &str) -> Self {
        Self::new(codes::UNAVAILABLE_SERVICE).detail("service", service)
    }

    /// Something the tool depends on failed.
    pub fn dependency_failed(dependency: &str) -> Self {
        Self::new(codes::UNAVAILABLE_DEPENDENCY).detail("dependency", dependency)
    }

    /// No connection to a service.
    pub fn connection(service: &str) -> Self {
        Self::new(codes::UNAVAILABLE_NETWORK).detail("service", service)
    }

    /// An operation took longer than it may.
    pub fn timeout(operation: &str, after: Duration) -> Self {
        let millis = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        Self::new(codes::UNAVAILABLE_TIMEOUT)
            .in_operation(operation)
            .detail("timeout_ms", millis)
    }

    /// A breaker is open; the call was not made.
    pub fn circuit_open(service: &str) -> Self {
        Self::new(codes::UNAVAILABLE_CIRCUIT_OPEN).detail("service", service)
    }

    /// The breaker of one tool is open; the call was not made, and the other tools of the service work.
    ///
    /// ```
    /// use breakfall::Fault;
    ///
    /// let fault = Fault::tool_paused("shop", "search");
    /// assert_eq!(fault.public().message(), "Tool 'search' of service 'shop' is paused after repeated failures");
    /// ```
    pub fn tool_paused(service: &str, tool: &str) -> Self {
        let said = PhraseText::from(Phrase::CALL_PAUSED)
            .with("tool", tool)
            .with("service", service);
        Self::circuit_open(service).in_operation(tool).say(said)
    }

    /// An adapter failed in a way that has a name in its domain. Whether to retry is the adapter's to say.
    pub fn adapter(original_error: &str, retryable: bool) -> Self {
        let fault = Self::new(codes::INTERNAL_ADAPTER).domain_code(original_error);
        if retryable {
            fault.retry(Retry::Backoff)
        } else {
            fault
        }
    }

    /// An adapter was used before it was set up.
    pub fn adapter_not_initialized(adapter: &str) -> Self {
        Self::new(codes::INTERNAL_ADAPTER)
            .detail("adapter", adapter)
            .domain_code("ADAPTER_NOT_INITIALIZED")
    }

    /// Not supported here, and repeating it will not change that.
    pub fn not_implemented(operation: &str) -> Self {
        Self::new(codes::INTERNAL_NOT_IMPLEMENTED).in_operation(operation)
    }

    /// The server is set up wrongly.
    pub fn configuration(setting: &str) -> Self {
        Self::new(codes::INTERNAL_CONFIGURATION).detail("setting", setting)
    }
}

words! {
    /// The length of a rate limit's window.
    Window {
        /// A second.
        Second = "second",
        /// A minute.
        Minute = "minute",
        /// An hour.
        Hour = "hour",
        /// A day.
        Day = "day",
    }
}

words! {
    /// Which size limit was passed.
    LimitType {
        /// Bytes of a request.
        RequestSize = "request_size",
        /// Bytes of a response.
        ResponseSize = "response_size",
        /// Bytes of one string.
        StringLength = "string_length",
        /// Elements of one list.
        ArrayElements = "array_elements",
        /// Levels of nesting.
        NestingDepth = "nesting_depth",
    }
}

impl LimitType {
    /// What is counted.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::RequestSize | Self::ResponseSize | Self::StringLength => "bytes",
            Self::ArrayElements => "elements",
            Self::NestingDepth => "levels",
        }
    }
}

/// How long names are in a sentence, taken together.
#[cfg(any(feature = "rmcp", feature = "validate"))]
const LONGEST_NAMES: usize = 160;
