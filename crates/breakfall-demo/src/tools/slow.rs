//! Tools that take their time, or all of it.

use serde_json::{Value, json};

use super::{ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::delayed::DelayedResult;
use crate::message::text;
use crate::shop::ShopState;

pub(crate) const SLOW: ShopTool = ShopTool {
    name: "slow_report",
    title: "Count the shelves",
    description: "Takes as many seconds as you like, tells its progress every second and stops when cancelled.",
    input: seconds,
    tries: &[TourStop::answers(
        "progress three times, then a report; cancel it, and nothing comes",
    )
    .given(r#"{"seconds":3}"#)],
    run: slow,
    ..ShopTool::READ_ONLY
};

pub(crate) const HANG: ShopTool = ShopTool {
    name: "hang",
    title: "Hang",
    description: "Never answers.",
    tries: &[TourStop::hangs("nothing, until a deadline ends the wait")],
    run: |_, _| ShopOutcome::Silence,
    ..ShopTool::READ_ONLY
};

pub(crate) const DEAF: ShopTool = ShopTool {
    name: "ignores_cancel",
    title: "Ignore a cancellation",
    description: "Takes some seconds and answers even when it was cancelled meanwhile.",
    input: seconds,
    tries: &[
        TourStop::answers("an answer that comes after a cancellation").given(r#"{"seconds":2}"#),
    ],
    run: deaf,
    ..ShopTool::READ_ONLY
};

fn seconds() -> Value {
    json!({
        "type": "object",
        "properties": {"seconds": {"type": "integer", "minimum": 1, "maximum": 3600, "default": 10}},
        "additionalProperties": false,
    })
}

fn slow(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let things: u64 = shop.products.iter().map(|product| product.stock).sum();
    ShopOutcome::Later(DelayedResult {
        seconds: call.number("seconds").unwrap_or(10),
        tells: true,
        deaf: false,
        result: text(format!("There are {things} things on the shelves.")),
    })
}

fn deaf(_: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    ShopOutcome::Later(DelayedResult {
        seconds: call.number("seconds").unwrap_or(10),
        tells: false,
        deaf: true,
        result: text("Here is what you asked for."),
    })
}
