//! JSON that says it failed, in a result that does not.

use serde_json::{Map, Value};

use super::{DisguiseRule, DisguiseTest, disguises};
use crate::classify::rule::{RuleEffect, RuleRow};
use crate::classify::text;
use crate::fault::Confidence;

/// The rule on results.
pub(super) const RESULT: &str = "disguise.json-result";

/// The rule on denials without a word.
pub(super) const DENIAL: &str = "disguise.json-denial";

pub(super) static RULES: &[DisguiseRule] = disguises! {
    "disguise.json-success": Structural, Json(denies_success), "An object that says `success` or `ok` is false.";
    [
        r#"{"success": false, "message": "no such order"}"#, r#"{"ok": false, "error": "channel_not_found"}"#,
        r#"{"ok": false, "error_code": 400, "description": "Bad Request: chat not found"}"#,
    ];
    [r#"{"success": true}"#, r#"{"ok": false}"#, r#"{"checks": {"success": false}}"#];

    DENIAL: Structural, Json(denies_silently), "An object that says `success` is false and not why; or that does, where none of these rules looks: beside other blocks, or in a long text.";
    [
        r#"{"success": false}"#, r#"{"success": false, "data": null}"#,
        r#"{"success": false, "code": "E_STOCK"}"#,
    ];
    [r#"{"success": true}"#, r#"{"success": false, "rows": [1]}"#, r#"{"ok": false}"#];

    "disguise.json-status": Structural, Json(has_failing_status), "An object whose `status` is error, fail, failed or failure, with words and nothing that could be a result.";
    [r#"{"status": "error", "message": "timed out"}"#, r#"{"status": "fail", "data": null, "error": "no"}"#];
    [
        r#"{"id": 7, "status": "failed", "message": "build broke"}"#, r#"{"status": "error"}"#,
        r#"{"status": "ok", "message": "done"}"#,
    ];

    "disguise.json-http": Structural, Json(has_http_status), "An object with a failing HTTP status and words, and nothing that could be a result beside them.";
    [
        r#"{"message": "Not Found", "documentation_url": "https://docs.example.test", "status": "404"}"#,
        r#"{"statusCode": 429, "error": "Too Many Requests"}"#,
        r#"{"type": "about:blank", "title": "Forbidden", "status": 403}"#,
    ];
    [
        r#"{"status": 200, "message": "fine"}"#,
        r#"{"code": 500, "name": "Springfield", "message": "an area code"}"#,
        r#"{"code": 500, "description": "an area code"}"#,
    ];

    "disguise.json-code": Textual, Json(has_code_of_http), "The same by a `code`, which may be the code of anything.";
    [r#"{"code": 404, "message": "no such page"}"#];
    [r#"{"code": 500, "name": "Springfield", "message": "an area code"}"#, r#"{"code": 200, "message": "fine"}"#];

    "disguise.json-error": Structural, Json(has_error), "An object with an `error`, or an `errorCode` and an `errorMessage`, and nothing that could be a result beside it.";
    [
        r#"{"error": "Rate limit exceeded"}"#, r#"{"error": {"code": 404, "message": "Not Found"}}"#,
        r#"{"error": true, "detail": "The given service name does not exist: s4"}"#,
        r#"{"result": null, "error": "boom"}"#, r#"{"errorCode": "E_STOCK", "errorMessage": "nothing left"}"#,
        r#"{"error_code": 17, "error_message": "nothing left"}"#,
    ];
    [
        r#"{"error": "none"}"#, r#"{"error": "TypeError: x", "status": "resolved"}"#,
        r#"{"errorCode": 0, "errorMessage": "none"}"#, r#"{"errorMessage": "x"}"#,
        r#"{"error": null, "rows": []}"#, r#"{"error": "x", "rows": [1]}"#, r#"{"error": false}"#,
        r#"{"errors": []}"#, r#"{"error": 0.25}"#, r#"{"success": true, "error": "none"}"#,
        r#"{"ok": true, "error": {"code": 0, "message": "none"}}"#,
    ];

    "disguise.graphql": Structural, Json(is_graphql_failure), "A GraphQL answer with errors and without data.";
    [r#"{"data": null, "errors": [{"message": "Not signed in"}]}"#];
    [
        r#"{"data": {"a": 1}, "errors": [{"message": "b failed"}]}"#,
        r#"{"errors": [{"message": "unused import", "line": 3}]}"#,
    ];

    "disguise.json-detail": Textual, Json(is_detail_alone), "What web frameworks answer with: an object with nothing but a `detail`, in words of a refusal another rule knows or as a list of bad fields.";
    [
        r#"{"detail": "Not authenticated"}"#, r#"{"detail": "Not found."}"#,
        r#"{"detail": [{"loc": ["body", "id"], "msg": "Field required", "type": "missing"}]}"#,
    ];
    [
        r#"{"detail": "The shop opens at nine"}"#,
        r#"{"detail": "Not found in the cache, taken from the origin", "rows": 3}"#, r#"{"detail": []}"#,
        r#"{"detail": "Running 3 tests"}"#,
    ];

    RESULT: Structural, Json(is_failed_result), "A result that says it failed, written into the text of one that does not, or by the name `is_error`.";
    [
        r#"{"isError": true, "content": [{"type": "text", "text": "boom"}]}"#,
        r#"{"is_error": true, "content": [{"type": "text", "text": "boom"}]}"#,
    ];
    [r#"{"isError": false, "content": []}"#, r#"{"isError": true, "rows": 3}"#];
};

fn is_detail_alone(value: &Value) -> bool {
    let Some(map) = value.as_object().filter(|map| map.len() == 1) else {
        return false;
    };
    let is_field = |of: &Value| {
        let has = |key: &str| of.get(key).is_some();
        has("loc") && has("msg") && has("type")
    };
    match map.get("detail") {
        Some(Value::String(words)) => words.len() <= LONGEST_DETAIL && refuses(words),
        Some(Value::Array(fields)) => !fields.is_empty() && fields.iter().all(is_field),
        _ => false,
    }
}

/// Whether words refuse something. What a program prints is a result for the caller that ran it.
fn refuses(words: &str) -> bool {
    text::judge(words).is_some_and(|judged| judged.effect != RuleEffect::ReadWords)
}

/// Frameworks say in a few words what is wrong.
const LONGEST_DETAIL: usize = 160;

/// Whether a value is the result of a tool that says it failed.
pub(super) fn is_failed_result(value: &Value) -> bool {
    let says = |key: &str| value.get(key) == Some(&Value::Bool(true));
    (says("isError") || says("is_error")) && value.get("content").is_some_and(Value::is_array)
}

/// Whether a result says by another name that it failed, and nothing by the right one.
pub(super) fn is_misnamed(result: &Value) -> bool {
    result.get("is_error") == Some(&Value::Bool(true))
        && result.get("isError").is_none_or(Value::is_null)
        && result.get("content").is_some_and(Value::is_array)
}

fn denies_success(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let is_false = |key: &str| map.get(key) == Some(&Value::Bool(false));
    let denied = is_false("success") || is_false("ok");
    denied && (has_words(map) && only_about_failure(map) || is_described(map))
}

fn denies_silently(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let denied = map.get("success") == Some(&Value::Bool(false));
    denied && !has_words(map) && only_about_failure(map)
}

/// `error_code` and `description` beside a denial and nothing else: elsewhere a description is one of a thing.
fn is_described(map: &Map<String, Value>) -> bool {
    map.len() == 3
        && map.get("error_code").is_some_and(Value::is_number)
        && map.get("description").is_some_and(Value::is_string)
}

fn has_error(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let says = match map.get("error") {
        Some(Value::String(text)) => says_something(text),
        Some(Value::Object(error)) => ["message", "code", "type", "detail"]
            .iter()
            .any(|key| error.contains_key(*key)),
        Some(Value::Bool(true)) => has_words(map),
        _ => has_code_and_message(map),
    };
    says && !is_settled(map) && only_about_failure(map)
}

/// `errorCode` and `errorMessage`, however they are joined.
fn has_code_and_message(map: &Map<String, Value>) -> bool {
    let pairs = [
        ("errorCode", "errorMessage"),
        ("error_code", "error_message"),
    ];
    pairs.iter().any(|(code, message)| {
        let has_code = match map.get(*code) {
            Some(Value::String(code)) => says_something(code) && code != "0",
            Some(Value::Number(code)) => code.as_f64().is_some_and(|code| code != 0.0),
            _ => false,
        };
        let message = map.get(*message).and_then(Value::as_str);
        has_code && message.is_some_and(says_something)
    })
}

/// Whether the text is more than a placeholder for an empty value.
fn says_something(words: &str) -> bool {
    let words = words.trim().trim_end_matches('.');
    let nothing = [
        "", "none", "no", "no error", "null", "nil", "false", "n/a", "-",
    ];
    !nothing.iter().any(|have| words.eq_ignore_ascii_case(have))
}

/// Whether an object is an entry of a list of errors, and tells what became of this one.
fn is_settled(map: &Map<String, Value>) -> bool {
    #[rustfmt::skip]
    let settled = [
        "resolved", "closed", "fixed", "open", "ignored", "muted", "archived", "unresolved", "ok", "success",
        "done", "completed",
    ];
    let status = map.get("status").and_then(Value::as_str);
    status.is_some_and(|status| settled.iter().any(|have| status.eq_ignore_ascii_case(have)))
}

fn has_failing_status(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let status = map
        .get("status")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let failing = ["error", "fail", "failed", "failure"]
        .iter()
        .any(|word| status.eq_ignore_ascii_case(word));
    failing && has_words(map) && only_about_failure(map)
}

fn has_http_status(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let keys = ["status", "statusCode", "status_code"];
    let failing = keys.iter().any(|key| is_failing_status(map.get(*key)));
    failing && has_words(map) && only_about_failure(map)
}

fn has_code_of_http(value: &Value) -> bool {
    let map = value.as_object();
    map.is_some_and(|map| {
        is_failing_status(map.get("code")) && has_words(map) && only_about_failure(map)
    })
}

fn is_failing_status(value: Option<&Value>) -> bool {
    let status = match value {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) if text.len() == 3 => text.parse().ok(),
        _ => None,
    };
    status.is_some_and(|status| (400..=599).contains(&status))
}

fn is_graphql_failure(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let empty = map.get("data").is_some_and(Value::is_null);
    let errors = map.get("errors").and_then(Value::as_array);
    let told = |error: &Value| error.get("message").is_some_and(Value::is_string);
    empty && errors.is_some_and(|errors| !errors.is_empty() && errors.iter().all(told))
}

fn has_words(map: &Map<String, Value>) -> bool {
    let says = |key: &&str| match map.get(*key) {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Object(error)) => error.contains_key("message"),
        _ => false,
    };
    [
        "error",
        "message",
        "detail",
        "title",
        "error_message",
        "errorMessage",
        "reason",
        "msg",
    ]
    .iter()
    .any(says)
}

/// Whether every member belongs to an error, or is empty, and none says that all went well.
pub(crate) fn only_about_failure(map: &Map<String, Value>) -> bool {
    let is_true = |key: &str| map.get(key) == Some(&Value::Bool(true));
    let denied = is_true("success") || is_true("ok");
    !denied
        && map.iter().all(|(key, value)| {
            let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            empty || ABOUT_FAILURE.binary_search(&key.as_str()).is_ok()
        })
}

/// Members of error objects, sorted.
#[rustfmt::skip]
const ABOUT_FAILURE: &[&str] = &[
    "code", "correlation_id", "detail", "details", "documentation_url", "error", "errorCode", "errorMessage",
    "error_code", "error_description", "error_message", "error_type", "hint", "instance", "isError", "is_error",
    "message", "msg", "ok", "path", "reason", "requestId", "request_id", "retry_after", "retryable", "stack",
    "status", "statusCode", "status_code", "success", "suggestion", "timestamp", "title", "trace_id",
    "traceback", "type",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_are_sorted_for_the_search() {
        assert!(ABOUT_FAILURE.is_sorted());
    }
}
