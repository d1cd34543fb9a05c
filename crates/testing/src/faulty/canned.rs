//! What servers say when something fails, ready to be said: the tools `say` and `typed`.
//!
//! A caller may read again what it sent itself, so what must not be read cannot come from the arguments.

use serde_json::{Value, json};

use super::call::{Call, said, told};
use super::out;
use super::start::{FAKE_SECRET, trace};

/// Everything `say` can say.
pub(super) const SAID: [&str; 10] = [
    "a trace",
    "a compiler",
    "a limit",
    "a quota",
    "a login",
    "a wrapped error",
    "everything",
    "a table",
    "an envelope",
    "a page",
];

/// Everything `typed` can answer with, whose results have a schema.
pub(super) const TYPED: [&str; 5] = [
    "what fits",
    "what does not fit",
    "a failure",
    "a failure with data",
    "a table",
];

/// Sends the requested one; false if it does not exist.
pub(super) fn say(call: &Call) -> bool {
    let result = match call.argument("what").as_str().unwrap_or_default() {
        "a trace" => failed(&trace()),
        "a compiler" => failed(&compiler()),
        "a limit" => failed("429 Too Many Requests: rate limit exceeded. Retry-After: 7"),
        "a quota" => return error(call, &quota()),
        "a login" => return error(call, &login()),
        "a wrapped error" => {
            let message = "MCP error -32603: MCP error -32602: No such order: 7";
            return error(call, &json!({"code": -32603, "message": message}));
        }
        "everything" => everything(),
        "a table" => said("MCP error -32603: no such table: orders"),
        "an envelope" => said(
            r#"{"success":false,"error":{"code":"ORDER_LOCKED","message":"Order 7 is locked"}}"#,
        ),
        "a page" => {
            said("MCP error -32603: <error>Page failed to load: 503 Service Unavailable</error>")
        }
        _ => return false,
    };
    call.succeed(result);
    true
}

/// Answers with the requested one; false if it does not exist.
pub(super) fn typed(call: &Call) -> bool {
    let result = match call.argument("with").as_str().unwrap_or_default() {
        "what fits" => told(&json!({"degrees": 21.5})),
        "what does not fit" => told(&json!({"degrees": "warm"})),
        "a failure" => failed("No such place: Atlantis"),
        "a failure with data" => {
            let data = json!({"degrees": null, "place": "Atlantis"});
            json!({"isError": true, "structuredContent": data, "content": [{"type": "text", "text": "No such place: Atlantis"}]})
        }
        "a table" => said("MCP error -32603: no such table: weather"),
        _ => return false,
    };
    call.succeed(result);
    true
}

/// The schema of the results of `typed`.
pub(super) fn schema() -> Value {
    let properties = json!({"degrees": {"type": "number"}});
    json!({"type": "object", "properties": properties, "required": ["degrees"]})
}

fn failed(text: &str) -> Value {
    let mut result = said(text);
    result["isError"] = true.into();
    result
}

fn error(call: &Call, error: &Value) -> bool {
    out::send(&json!({"jsonrpc": "2.0", "id": call.id, "error": error}));
    true
}

/// Well-chosen code and data.
fn quota() -> Value {
    let data =
        json!({"plan": "free", "limit": 100, "retryAfterMs": 1500, "more": [1, {"deep": null}]});
    json!({"code": 429_001, "message": "Quota exhausted", "data": data})
}

/// The same, with private data in it.
fn login() -> Value {
    let dsn = format!("postgresql://app:{FAKE_SECRET}@db.internal:5432/orders");
    let data = json!({"attempt": 3, "dsn": dsn});
    json!({"code": -32603, "message": format!("cannot connect to {dsn}"), "data": data})
}

/// Every place there is for something.
fn everything() -> Value {
    let text =
        json!({"type": "text", "text": "Order 7 is locked", "annotations": {"priority": 1.0}});
    let image = json!({"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="});
    json!({
        "content": [text, image],
        "structuredContent": {"order": 7, "holder": "warehouse"},
        "isError": true,
        "_meta": {"shop.example/request": "r-17", "shop.example/costs": [1.0, 2e3]},
        "vendor": {"kept": true},
    })
}

/// Five kilobytes, of which an agent that writes code needs every line.
fn compiler() -> String {
    let one = |number: usize| {
        let line = 10 + 7 * number;
        format!(
            "error[E0308]: mismatched types\n  --> src/orders/total_{number}.rs:{line}:22\n   |\n\
             {line:2} |     let total: u64 = items.iter().map(|item| item.price).sum::<f64>();\n   \
             |                ---   ^^^^^^^ expected `u64`, found `f64`\n   |                |\n   \
             |                expected due to this\n\n"
        )
    };
    let errors: String = (0..19).map(one).collect();
    format!("{errors}error: could not compile `orders` (lib) due to 19 previous errors")
}

#[cfg(test)]
mod tests {
    use super::compiler;

    #[test]
    fn the_compiler_says_five_kilobytes() {
        assert!(
            (5_000..5_500).contains(&compiler().len()),
            "{}",
            compiler().len()
        );
    }
}
