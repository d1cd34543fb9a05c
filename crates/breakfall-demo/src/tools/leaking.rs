//! Tools that say too much. Every secret in here is made up, and says so.

use serde_json::{Value, json};

use super::{ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::{ShopRpcError, failure};
use crate::shop::ShopState;

pub(crate) const LEAKY: ShopTool = ShopTool {
    name: "leaky_lookup",
    title: "Leak",
    description: "Fails with a stack trace, a path, a SQL statement and a credential in its text, all made up.",
    tries: &[TourStop::fails("what must never reach a model")],
    run: |_, _| ShopOutcome::Answer(failure(LEAK)),
    ..ShopTool::READ_ONLY
};

pub(crate) const PANIC: ShopTool = ShopTool {
    name: "panic",
    title: "Panic",
    description: "Fails inside, and answers with a bare internal error of the protocol.",
    tries: &[TourStop::is_refused(
        -32603,
        "an error of the protocol that says nothing to its reader, and its place in the code to everybody",
    )],
    run: panic,
    ..ShopTool::READ_ONLY
};

pub(crate) const BIG: ShopTool = ShopTool {
    name: "big_error",
    title: "Fail at length",
    description: "Fails with an error text as long as you like, as servers do that repeat their input.",
    input: big_input,
    tries: &[TourStop::fails("a quarter of a megabyte of error").given(r#"{"kilobytes":256}"#)],
    run: big,
    ..ShopTool::READ_ONLY
};

fn panic(_: &mut ShopState, _: &ShopCall<'_>) -> ShopOutcome {
    let data = json!({"panic": PANICKED});
    ShopOutcome::Refused(ShopRpcError::new(-32603, "Internal error").with_data(data))
}

fn big_input() -> Value {
    json!({
        "type": "object",
        "properties": {"kilobytes": {"type": "integer", "minimum": 1, "maximum": 16_384, "default": 1024}},
        "additionalProperties": false,
    })
}

fn big(_: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let kilobytes = call.number("kilobytes").unwrap_or(1024);
    let length = usize::try_from(kilobytes << 10).unwrap_or(usize::MAX);
    let mut words = String::with_capacity(length + CHORUS.len());
    words.push_str("Import failed: ");
    while words.len() < length {
        words.push_str(CHORUS);
    }
    words.truncate(length);
    ShopOutcome::Answer(failure(words))
}

const CHORUS: &str = "row skipped: column 'price' is not a number; ";

const PANICKED: &str = "thread 'worker-3' panicked at src/inventory/shelf.rs:118:14: index out of bounds: the len is 24 but the index is 24";

const LEAK: &str = r#"Traceback (most recent call last):
  File "/srv/demo-shop/app/private/customers.py", line 214, in lookup
    row = db.execute("SELECT id, email, card_last4 FROM customers WHERE email = 'jane.doe@example.com'")
  File "/srv/demo-shop/venv/lib/python3.12/site-packages/demodb/cursor.py", line 88, in execute
    raise OperationalError(message)
demodb.OperationalError: could not connect to postgres://shop:not-a-real-password@db.internal.example:5432/shop
config: {"api_key": "sk-demo-FAKEfake0000FAKEfake0000FAKEfake0000", "aws_access_key_id": "AKIAIOSFODNN7EXAMPLE"}"#;
