//! Repairs messages that break the protocol in a known way: errors with a name for a code, without a message, or of plain
//! text, and members that are `null`.
//!
//! Clients ignore such an answer and wait on. Repaired, it reaches the caller.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::splice::{Object, ObjectEdit, text};

/// A message without those of `method`, `result` and `error` that are `null`, as some libraries write them. `None` unless some
/// are `null` and one is not.
pub(super) fn without_nulls(message: &str) -> Option<String> {
    let members = Object::of(message, MEANINGS)?;
    let is_null = |name: &&&str| members.get(name) == Some("null");
    let nulls: Vec<&'static str> = MEANINGS.iter().filter(is_null).copied().collect();
    let is_other = |name: &&str| members.get(name).is_some() && !nulls.contains(name);
    let is_sure =
        MEANINGS.iter().any(is_other) && !MEANINGS.iter().any(|name| members.has_twice(name));
    (is_sure && !nulls.is_empty()).then(|| {
        let edit = nulls.into_iter().fold(members.edit(), ObjectEdit::drop);
        edit.write()
    })
}

/// The members of which a message has exactly one.
const MEANINGS: &[&str] = &["method", "result", "error"];

/// An error in the shape of JSON-RPC, with all its content. `None` if it is neither an object nor a string.
pub(super) fn error(raw: &str) -> Option<String> {
    if let Some(words) = text(raw) {
        return Some(json!({"code": UNNAMED, "message": words}).to_string());
    }
    let object = Object::of(raw, NAMES)?;
    let code = object.get("code").filter(|code| *code != "null");
    let number = code.and_then(number);
    let message = Value::from(&*message(&object)).to_string();
    // The value that is not a number is kept in `data`.
    let data = match (code.filter(|_| number.is_none()), object.get("data")) {
        (Some(name), None | Some("null")) => Some(format!(r#"{{"code":{name}}}"#)),
        (Some(name), Some(data)) => {
            let data = Object::of(data, &["code"]);
            data.map(|data| data.edit().put_new("code", name).write())
        }
        (None, _) => None,
    };
    let number = number.unwrap_or(UNNAMED).to_string();
    // Even if it has them twice.
    let edit = object.edit().drop("code").drop("message");
    let edit = edit.put("code", number).put("message", message);
    Some(match data {
        Some(data) => edit.drop("data").put("data", data).write(),
        None => edit.write(),
    })
}

/// The code of an error without one.
const UNNAMED: i64 = -32603;

/// An integer, also as a string or with a fraction of zero.
fn number(raw: &str) -> Option<i64> {
    let spelt = text(raw);
    let digits = spelt.as_deref().unwrap_or(raw).trim();
    let whole = digits.strip_suffix(".0").unwrap_or(digits);
    whole.parse().ok()
}

/// The text of an error, from whichever member; else its code.
fn message<'a>(object: &Object<'a>) -> Cow<'a, str> {
    let words = WORDS.iter().find_map(|name| object.text(name));
    let other = || {
        object
            .get("message")
            .filter(|raw| *raw != "null")
            .map(Cow::Borrowed)
    };
    words
        .or_else(other)
        .or_else(|| object.text("code"))
        .unwrap_or(Cow::Borrowed("The server gave no reason"))
}

/// The members in which servers put the text, the best first.
const WORDS: &[&str] = &["message", "error", "msg", "detail", "title", "reason"];

const NAMES: &[&str] = &[
    "code", "message", "data", "error", "msg", "detail", "title", "reason",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_members_are_removed_beside_one_that_is_not() {
        let cases = [
            (
                r#"{"id":1,"result":{},"error":null}"#,
                Some(r#"{"id":1,"result":{}}"#),
            ),
            (
                r#" {"error" : null , "id":1,"result":{}} "#,
                Some(r#" {"id":1,"result":{}} "#),
            ),
            (
                r#"{"result":null,"error":{},"id":1}"#,
                Some(r#"{"error":{},"id":1}"#),
            ),
            (
                r#"{"method":null,"params":null,"result":{},"error":null}"#,
                Some(r#"{"params":null,"result":{}}"#),
            ),
            (r#"{"result":null,"error":null}"#, None),
            (r#"{"result":null}"#, None),
            (r#"{"result":{},"error":{}}"#, None),
            (r#"{"result":{},"error":null,"error":{}}"#, None),
            (r#"[{"result":{},"error":null}]"#, None),
            (r#"{"result":{},"error":null"#, None),
        ];
        for (message, want) in cases {
            assert_eq!(without_nulls(message).as_deref(), want, "{message}");
        }
    }

    #[test]
    fn errors_of_any_shape_become_json_rpc_errors() {
        let cases = [
            (
                r#"{"code":"E_FOO","message":"x"}"#,
                json!({"code": -32603, "message": "x", "data": {"code": "E_FOO"}}),
            ),
            (
                r#"{"code":"E_FOO","message":"x","data":{"a":1},"more":2}"#,
                json!({"code": -32603, "message": "x", "data": {"a": 1, "code": "E_FOO"}, "more": 2}),
            ),
            (
                r#"{"code":"E_FOO","message":"x","data":[1]}"#,
                json!({"code": -32603, "message": "x", "data": [1]}),
            ),
            (
                r#"{"code":"-32602","message":"x"}"#,
                json!({"code": -32602, "message": "x"}),
            ),
            (
                r#"{"code":-32602.0,"message":"x"}"#,
                json!({"code": -32602, "message": "x"}),
            ),
            (
                r#"{"code":-32001}"#,
                json!({"code": -32001, "message": "The server gave no reason"}),
            ),
            (
                r#"{"code":"E_FOO"}"#,
                json!({"code": -32603, "message": "E_FOO", "data": {"code": "E_FOO"}}),
            ),
            (
                r#"{"code":7,"detail":"no"}"#,
                json!({"code": 7, "message": "no", "detail": "no"}),
            ),
            (
                r#"{"code":7,"message":{"en":"no"}}"#,
                json!({"code": 7, "message": r#"{"en":"no"}"#}),
            ),
            (
                r#"{"message":"x"}"#,
                json!({"code": -32603, "message": "x"}),
            ),
            (r#""boom""#, json!({"code": -32603, "message": "boom"})),
            (
                "{}",
                json!({"code": -32603, "message": "The server gave no reason"}),
            ),
        ];
        for (raw, want) in cases {
            let repaired = error(raw).unwrap_or_else(|| panic!("{raw} says something"));
            let repaired: Value = serde_json::from_str(&repaired).expect("JSON");
            assert_eq!(repaired, want, "{raw}");
        }
        for raw in ["null", "7", "[]", "true"] {
            assert_eq!(error(raw), None, "{raw}");
        }
    }
}
