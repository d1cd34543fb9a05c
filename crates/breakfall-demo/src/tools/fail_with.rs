//! One tool that fails in any of many words.

use serde_json::{Value, json};

use super::{BehaviourHints, ExpectedEnd, ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::failure;
use crate::shop::ShopState;

pub(crate) const FAIL: ShopTool = ShopTool {
    name: "fail_with",
    title: "Fail in chosen words",
    description: "Fails with one of many texts that servers really send.",
    hints: BehaviourHints::Reads,
    input,
    output: None,
    tries: &[
        wording(r#"{"kind":"busy"}"#, "a server with no room for more work"),
        wording(r#"{"kind":"bad_gateway"}"#, "a failure two servers away"),
        wording(r#"{"kind":"exists"}"#, "something that is there already"),
        wording(r#"{"kind":"done"}"#, "something that was done before"),
        wording(r#"{"kind":"disabled"}"#, "a feature that is switched off"),
        wording(r#"{"kind":"no_key"}"#, "a call without credentials"),
        wording(r#"{"kind":"bad_key"}"#, "a call with wrong ones"),
        wording(r#"{"kind":"quota"}"#, "an allowance that is used up"),
        wording(
            r#"{"kind":"certificate"}"#,
            "a certificate that must not be trusted",
        ),
        wording(
            r#"{"kind":"misconfigured"}"#,
            "a server that was set up badly",
        ),
        wording(r#"{"kind":"unfinished"}"#, "a tool that is not written yet"),
        wording(r#"{"kind":"shrug"}"#, "words that say nothing at all"),
    ],
    run: fail,
};

const fn wording(arguments: &'static str, see: &'static str) -> TourStop {
    TourStop {
        arguments,
        ends: ExpectedEnd::Failure,
        see,
    }
}

fn input() -> Value {
    let kinds = WORDS.iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
    json!({
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": kinds}},
        "required": ["kind"],
        "additionalProperties": false,
    })
}

fn fail(_: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let kind = call.text("kind").unwrap_or_default();
    let row = WORDS.iter().find(|(known, _)| *known == kind);
    ShopOutcome::Answer(failure(row.map_or("Operation failed", |(_, words)| words)))
}

const WORDS: &[(&str, &str)] = &[
    (
        "busy",
        "Error calling tool: the server is busy, try again later",
    ),
    (
        "bad_gateway",
        "HTTP error 502 Bad Gateway while requesting the price service",
    ),
    (
        "exists",
        "sqlite3.IntegrityError: UNIQUE constraint failed: coupons.code",
    ),
    ("done", "Payment already processed"),
    (
        "disabled",
        "Tool export disabled: this feature is not enabled for your account",
    ),
    ("no_key", "Authentication required: no API key provided"),
    ("bad_key", "Invalid API key provided"),
    (
        "quota",
        "You exceeded your current quota, please check your plan and billing details",
    ),
    (
        "certificate",
        "SSL certificate problem: certificate has expired",
    ),
    ("misconfigured", "Missing environment variable SHOP_API_URL"),
    (
        "unfinished",
        "NotImplementedError: bulk orders are not implemented yet",
    ),
    ("shrug", "Operation failed"),
];
