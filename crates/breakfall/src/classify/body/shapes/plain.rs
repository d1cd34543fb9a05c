//! One error in one object: problems, `{"error": {…}}`, `{"message": …}` and their many spellings.

use std::time::Duration;

use serde_json::{Map, Value};

use super::violations::{field_violations, item_violations};
use super::{BodyExample, BodyShape, first_text, owned, text};
use crate::classify::body::{BodyReading, code_of};
use crate::details::Details;
use crate::violation::Violation;

/// RFC 9457, from any server.
pub(super) const PROBLEM: BodyShape = BodyShape {
    name: "problem",
    read: problem,
    examples: &[
        BodyExample {
            body: r#"{"type":"https://example.test/probs/out-of-credit","title":"You do not have enough credit.","status":403,
                "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc","balance":30}"#,
            message: "Your current balance is 30, but that costs 50.",
            name: "https://example.test/probs/out-of-credit",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"title":"One or more validation errors occurred.","status":400,"errors":{"Email":["The Email field is required."]}}"#,
            message: "One or more validation errors occurred.",
            name: "",
            code: "",
            violations: &["/Email"],
        },
        BodyExample {
            body: r#"{"type":"about:blank","title":"Not Found","status":404}"#,
            message: "Not Found",
            name: "",
            code: "",
            violations: &[],
        },
    ],
};

fn problem(map: &Map<String, Value>) -> Option<BodyReading> {
    let title = text(map, "title")?;
    let kind = text(map, "type").filter(|kind| *kind != "about:blank");
    let is_one = map.contains_key("status")
        || map.contains_key("detail")
        || kind.is_some_and(|kind| kind.contains(':'));
    if !is_one {
        return None;
    }
    let violations = listed(map, &["errors", "invalid_params", "invalid-params"]);
    // Extension members are there for the caller.
    let mut details = Details::default();
    for (key, value) in map.iter().take(MOST_EXTENSIONS) {
        let taken = ["status", "code", "retry_after"].contains(&key.as_str());
        if !taken && key.len() <= 64 && (value.is_number() || value.is_boolean()) {
            details.insert(key.clone(), value.clone());
        }
    }
    let name = first_text(map, &["code", "error_code", "errorCode"]).or(kind);
    Some(BodyReading {
        message: owned(text(map, "detail").or(Some(title))),
        name: owned(name),
        code: code_of(&violations),
        violations,
        wait: wait(map),
        status: status(map),
        details,
        ..BodyReading::default()
    })
}

const MOST_EXTENSIONS: usize = 32;

/// An object under `error`, once or twice.
pub(super) const NESTED: BodyShape = BodyShape {
    name: "error-object",
    read: nested,
    examples: &[
        BodyExample {
            body: r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            message: "You exceeded your current quota",
            name: "insufficient_quota",
            code: "RATE_LIMIT_QUOTA_EXHAUSTED",
            violations: &[],
        },
        BodyExample {
            body: r#"{"error":{"code":"resource_missing","message":"No such customer: 'cus_9'","param":"customer","type":"invalid_request_error"}}"#,
            message: "No such customer: 'cus_9'",
            name: "resource_missing",
            code: "NOT_FOUND_RESOURCE",
            violations: &[],
        },
        BodyExample {
            body: r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            message: "Overloaded",
            name: "overloaded_error",
            code: "UNAVAILABLE_OVERLOADED",
            violations: &[],
        },
        BodyExample {
            body: r#"{"error":{"code":"Request_ResourceNotFound","message":"Resource 'x' does not exist.","innerError":{"request-id":"1"}}}"#,
            message: "Resource 'x' does not exist.",
            name: "Request_ResourceNotFound",
            code: "NOT_FOUND_RESOURCE",
            violations: &[],
        },
        BodyExample {
            body: r#"{"fault":{"faultstring":"Rate limit quota violation.","detail":{"errorcode":"policies.ratelimit.QuotaViolation"}}}"#,
            message: "Rate limit quota violation.",
            name: "policies.ratelimit.QuotaViolation",
            code: "",
            violations: &[],
        },
    ],
};

fn nested(map: &Map<String, Value>) -> Option<BodyReading> {
    let outer = ["error", "Error", "fault"]
        .iter()
        .find_map(|key| map.get(*key)?.as_object())?;
    let inner = outer.get("error").and_then(Value::as_object);
    let error = inner.unwrap_or(outer);
    let message = first_text(error, WORDS).or_else(|| first_text(map, WORDS));
    let fault = error.get("detail").and_then(Value::as_object);
    let name = name(error).or_else(|| owned(text(fault?, "errorcode")));
    let violations = listed(error, &["errors", "details", "fields"]);
    if message.is_none() && name.is_none() && violations.is_empty() {
        return None;
    }
    let mut details = Details::default();
    details.insert_some("param_name", first_text(error, &["param", "field"]));
    Some(BodyReading {
        message: owned(message),
        name,
        code: code_of(&violations),
        violations,
        wait: wait(error).or_else(|| wait(map)),
        status: status(error).or_else(|| status(map)),
        docs_url: docs_url(error),
        details,
        ..BodyReading::default()
    })
}

/// Words and a name at the top.
pub(super) const MESSAGE: BodyShape = BodyShape {
    name: "message",
    read: message,
    examples: &[
        BodyExample {
            body: r#"{"message":"Not Found","documentation_url":"https://docs.example.test/rest"}"#,
            message: "Not Found",
            name: "",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"error":"Repository is archived"}"#,
            message: "Repository is archived",
            name: "",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"ok":false,"error":"channel_not_found"}"#,
            message: "channel_not_found",
            name: "channel_not_found",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"detail":"Authentication credentials were not provided."}"#,
            message: "Authentication credentials were not provided.",
            name: "",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"timestamp":"2026-01-28T12:00:00Z","status":404,"error":"Not Found","message":"No handler","path":"/x"}"#,
            message: "No handler",
            name: "",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"message":"You are being rate limited.","retry_after":1.5,"global":false,"code":20028}"#,
            message: "You are being rate limited.",
            name: "20028",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"errorCode":"ORDER_NOT_FOUND","errorMessage":"No order 7"}"#,
            message: "No order 7",
            name: "ORDER_NOT_FOUND",
            code: "",
            violations: &[],
        },
    ],
};

fn message(map: &Map<String, Value>) -> Option<BodyReading> {
    let name = name(map).or_else(|| owned(text(map, "error").filter(|word| is_name(word))));
    let words = first_text(map, WORDS).or_else(|| text(map, "error"));
    if words.is_none() && name.is_none() {
        return None;
    }
    let mut details = Details::default();
    details.insert_some("param_name", first_text(map, &["param", "field"]));
    Some(BodyReading {
        message: owned(words),
        name,
        wait: wait(map),
        status: status(map),
        docs_url: docs_url(map),
        details,
        ..BodyReading::default()
    })
}

/// Where words stand, the fullest first.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "message", "detail", "error_description", "errorMessage", "error_message", "description", "msg", "Message",
    "faultstring", "title", "reason",
];

/// The broken rules under the first of some members that lists any.
fn listed(map: &Map<String, Value>, keys: &[&str]) -> Vec<Violation> {
    let mut lists = keys.iter().filter_map(|key| map.get(*key));
    lists
        .find_map(|list| field_violations(list).or_else(|| item_violations(list)))
        .unwrap_or_default()
}

fn docs_url(map: &Map<String, Value>) -> Option<String> {
    const KEYS: &[&str] = &["documentation_url", "doc_url", "docs_url", "help_url"];
    owned(first_text(map, KEYS).filter(|url| url.starts_with("https://")))
}

/// The API's own name for the error. A number between 400 and 599 is the status once more.
pub(super) fn name(map: &Map<String, Value>) -> Option<String> {
    #[rustfmt::skip]
    const KEYS: &[&str] = &[
        "code", "Code", "error_code", "errorCode", "err_code", "reason", "type", "status", "name",
    ];
    KEYS.iter().find_map(|key| match map.get(*key)? {
        Value::String(word) if is_name(word) => Some(word.clone()),
        Value::Number(number) if *key != "status" => {
            let number = number.as_i64()?;
            let echo = (400..=599).contains(&number) || number == 0;
            (!echo).then(|| number.to_string())
        }
        Value::String(_)
        | Value::Number(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Array(_)
        | Value::Object(_) => None,
    })
}

/// One word that could be the name of an error, and does more than say that there is one.
fn is_name(word: &str) -> bool {
    let harmless = |b: u8| b.is_ascii_graphic() && !b"<>\"'".contains(&b);
    let says_more = !["error", "fail", "failed", "failure", "false"]
        .iter()
        .any(|bare| word.eq_ignore_ascii_case(bare));
    let number = word.bytes().all(|b| b.is_ascii_digit());
    !word.is_empty() && word.len() <= 128 && word.bytes().all(harmless) && says_more && !number
}

pub(super) fn status(map: &Map<String, Value>) -> Option<u16> {
    ["status", "statusCode", "status_code", "code"]
        .iter()
        .find_map(|key| {
            let value = map.get(*key)?;
            let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
            u16::try_from(number)
                .ok()
                .filter(|status| (400..=599).contains(status))
        })
}

/// A wait, in the units its key says.
pub(super) fn wait(map: &Map<String, Value>) -> Option<Duration> {
    const KEYS: &[(&str, f64)] = &[
        ("retry_after", 1.0),
        ("retryAfter", 1.0),
        ("retry_after_seconds", 1.0),
        ("retryAfterSeconds", 1.0),
        ("retry_after_ms", 0.001),
        ("retryAfterMs", 0.001),
    ];
    KEYS.iter().find_map(|(key, unit)| {
        let value = map.get(*key)?;
        let count = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
        Duration::try_from_secs_f64(count * unit).ok()
    })
}
