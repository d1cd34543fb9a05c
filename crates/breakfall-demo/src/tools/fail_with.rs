//! One tool that fails in any of many words.

use serde_json::{Value, json};

use super::{ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::failure;
use crate::shop::ShopState;

pub(crate) const FAIL: ShopTool = ShopTool {
    name: "fail_with",
    title: "Fail in chosen words",
    description: "Fails with one of many texts that servers really send.",
    input,
    tries: &[
        TourStop::fails("a server with no room for more work").given(r#"{"kind":"busy"}"#),
        TourStop::fails("a failure two servers away").given(r#"{"kind":"bad_gateway"}"#),
        TourStop::fails("something that is there already").given(r#"{"kind":"exists"}"#),
        TourStop::fails("something that was done before").given(r#"{"kind":"done"}"#),
        TourStop::fails("a feature that is switched off").given(r#"{"kind":"disabled"}"#),
        TourStop::fails("a call without credentials").given(r#"{"kind":"no_key"}"#),
        TourStop::fails("a call with wrong ones").given(r#"{"kind":"bad_key"}"#),
        TourStop::fails("an allowance that is used up").given(r#"{"kind":"quota"}"#),
        TourStop::fails("a certificate that must not be trusted")
            .given(r#"{"kind":"certificate"}"#),
        TourStop::fails("a server that was set up badly").given(r#"{"kind":"misconfigured"}"#),
        TourStop::fails("a tool that is not written yet").given(r#"{"kind":"unfinished"}"#),
        TourStop::fails("words that say nothing at all").given(r#"{"kind":"shrug"}"#),
    ],
    run: fail,
    ..ShopTool::READ_ONLY
};

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
