//! Shapes with a definition of their own: google.rpc.Status, Amazon's, OAuth's.

use std::time::Duration;

use serde_json::{Map, Value};

use super::plain::{status, wait};
use super::{BodyExample, BodyShape, first_text, owned, text};
use crate::classify::body::{BodyReading, names};
use crate::details::Details;
use crate::violation::Violation;

/// `google.rpc.Status`, under `error` or by itself, with its typed details.
pub(super) const GOOGLE: BodyShape = BodyShape {
    name: "google-rpc",
    read: google,
    examples: &[
        BodyExample {
            body: r#"{"error":{"code":400,"message":"Invalid value at 'parent'","status":"INVALID_ARGUMENT","details":[
                {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"parent.name","description":"must not be empty"}]}]}}"#,
            message: "Invalid value at 'parent'",
            name: "INVALID_ARGUMENT",
            code: "VALIDATION_INVALID_VALUE",
            violations: &["/parent/name"],
        },
        BodyExample {
            body: r#"{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[
                {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7.5s"},
                {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"project:1","description":"reads"}]}]}}"#,
            message: "Quota exceeded",
            name: "RESOURCE_EXHAUSTED",
            code: "RATE_LIMIT_EXCEEDED",
            violations: &[],
        },
        BodyExample {
            body: r#"{"error":{"code":403,"message":"Cloud API is not enabled","status":"PERMISSION_DENIED","details":[
                {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED","domain":"googleapis.com"}]}}"#,
            message: "Cloud API is not enabled",
            name: "SERVICE_DISABLED",
            code: "PERMISSION_FEATURE_DISABLED",
            violations: &[],
        },
        BodyExample {
            body: r#"{"code":5,"message":"book not found","details":[{"@type":"type.googleapis.com/google.rpc.ResourceInfo","resourceType":"book","resourceName":"b1"}]}"#,
            message: "book not found",
            name: "5",
            code: "NOT_FOUND_RESOURCE",
            violations: &[],
        },
        BodyExample {
            body: r#"{"error":{"errors":[{"domain":"usageLimits","reason":"userRateLimitExceeded","message":"User Rate Limit Exceeded"}],"code":403,"message":"User Rate Limit Exceeded"}}"#,
            message: "User Rate Limit Exceeded",
            name: "userRateLimitExceeded",
            code: "RATE_LIMIT_EXCEEDED",
            violations: &[],
        },
    ],
};

fn google(map: &Map<String, Value>) -> Option<BodyReading> {
    let error = map.get("error").and_then(Value::as_object).unwrap_or(map);
    let message = text(error, "message")?;
    let number = error.get("code").and_then(Value::as_i64)?;
    let typed = details(error);
    let older = error
        .get("errors")
        .and_then(|errors| text(errors.get(0)?.as_object()?, "reason"));
    let word = text(error, "status").filter(|word| names::code_for(word).is_some());
    if word.is_none() && older.is_none() && typed.is_empty() {
        return None;
    }
    let mut said = BodyReading {
        message: Some(message.to_owned()),
        name: owned(word.or(older)),
        status: status(error),
        ..BodyReading::default()
    };
    for detail in typed {
        take(&mut said, detail);
    }
    if said.name.is_none() {
        said.code = names::code_for_grpc(number);
        said.name = Some(number.to_string());
    }
    Some(said)
}

fn details(error: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let details = error.get("details").and_then(Value::as_array);
    details
        .into_iter()
        .flatten()
        .take(32)
        .filter_map(Value::as_object)
        .filter(|detail| text(detail, "@type").is_some())
        .collect()
}

/// Takes what one of the typed details says.
fn take(said: &mut BodyReading, detail: &Map<String, Value>) {
    let kind = text(detail, "@type").unwrap_or_default();
    let listed = |key: &str| {
        let list = detail.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_object)
    };
    match kind.rsplit_once('.').map_or(kind, |(_, last)| last) {
        "BadRequest" => {
            for broken in listed("fieldViolations").chain(listed("field_violations")) {
                let at = Violation::of_field(text(broken, "field").unwrap_or_default());
                let words = text(broken, "description").unwrap_or("invalid");
                said.violations.push(at.message(words));
            }
        }
        "RetryInfo" => said.wait = detail.get("retryDelay").and_then(delay).or(said.wait),
        "QuotaFailure" => {
            let first = listed("violations").next();
            let metric = first.and_then(|first| first_text(first, &["quotaMetric", "subject"]));
            said.details.insert_some("metric", metric);
        }
        "ErrorInfo" => {
            // The reason says more than the status, if it is one we know; otherwise it stands beside it.
            let reason = text(detail, "reason");
            match reason.filter(|reason| names::code_for(reason).is_some()) {
                Some(known) => said.name = Some(known.to_owned()),
                None => said.details.insert_some("reason", reason),
            }
        }
        "ResourceInfo" => {
            let kind = text(detail, "resourceType");
            said.details.insert_some("resource_type", kind);
            let id = text(detail, "resourceName");
            said.details.insert_some("resource_id", id);
        }
        "Help" => {
            let url = listed("links").find_map(|link| text(link, "url"));
            said.docs_url = owned(url.filter(|url| url.starts_with("https://")));
        }
        _ => {}
    }
}

/// `"7.5s"`, or `{"seconds": 7, "nanos": 500000000}`.
fn delay(value: &Value) -> Option<Duration> {
    match value {
        Value::String(text) => {
            let seconds = text.strip_suffix('s')?.parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        }
        Value::Object(parts) => {
            let seconds = parts
                .get("seconds")
                .and_then(|count| count.as_u64().or_else(|| count.as_str()?.parse().ok()));
            let nanos = parts.get("nanos").and_then(Value::as_u64);
            let nanos = u32::try_from(nanos.unwrap_or_default()).ok()?;
            Some(Duration::new(
                seconds.unwrap_or_default(),
                nanos.min(999_999_999),
            ))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// Amazon's: `__type`, or `Code` and `Message` with capitals.
pub(super) const AMAZON: BodyShape = BodyShape {
    name: "amazon",
    read: amazon,
    examples: &[
        BodyExample {
            body: r#"{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"Rate exceeded"}"#,
            message: "Rate exceeded",
            name: "ProvisionedThroughputExceededException",
            code: "RATE_LIMIT_EXCEEDED",
            violations: &[],
        },
        BodyExample {
            body: r#"{"Error":{"Code":"NoSuchKey","Message":"The specified key does not exist."},"RequestId":"1"}"#,
            message: "The specified key does not exist.",
            name: "NoSuchKey",
            code: "NOT_FOUND_RESOURCE",
            violations: &[],
        },
        BodyExample {
            body: r#"{"Code":"AccessDenied","Message":"User is not authorized"}"#,
            message: "User is not authorized",
            name: "AccessDenied",
            code: "PERMISSION_DENIED",
            violations: &[],
        },
    ],
};

fn amazon(map: &Map<String, Value>) -> Option<BodyReading> {
    let error = map.get("Error").and_then(Value::as_object).unwrap_or(map);
    let name = text(error, "__type").or_else(|| {
        let both = text(error, "Message").and(text(error, "Code"));
        both.filter(|code| !code.contains(' '))
    })?;
    let name = name.rsplit_once('#').map_or(name, |(_, last)| last);
    let name = name.split_once(':').map_or(name, |(first, _)| first);
    Some(BodyReading {
        message: owned(first_text(error, &["message", "Message", "errorMessage"])),
        name: Some(name.to_owned()),
        wait: wait(error),
        ..BodyReading::default()
    })
}

/// RFC 6749 and those that follow it: a name in `error`, words in `error_description`.
pub(super) const OAUTH: BodyShape = BodyShape {
    name: "oauth",
    read: oauth,
    examples: &[
        BodyExample {
            body: r#"{"error":"invalid_grant","error_description":"Token has been expired or revoked."}"#,
            message: "Token has been expired or revoked.",
            name: "invalid_grant",
            code: "AUTHENTICATION_INVALID_CREDENTIALS",
            violations: &[],
        },
        BodyExample {
            body: r#"{"error":"temporarily_unavailable","error_uri":"https://id.example.test/e"}"#,
            message: "",
            name: "temporarily_unavailable",
            code: "UNAVAILABLE_SERVICE",
            violations: &[],
        },
    ],
};

fn oauth(map: &Map<String, Value>) -> Option<BodyReading> {
    let word = text(map, "error").filter(|word| !word.contains(char::is_whitespace))?;
    let words = text(map, "error_description");
    let uri = text(map, "error_uri");
    if words.is_none() && uri.is_none() {
        return None;
    }
    let mut details = Details::default();
    details.insert_some("scope", text(map, "scope"));
    Some(BodyReading {
        message: owned(words),
        name: Some(word.to_owned()),
        docs_url: owned(uri.filter(|uri| uri.starts_with("https://"))),
        details,
        ..BodyReading::default()
    })
}
