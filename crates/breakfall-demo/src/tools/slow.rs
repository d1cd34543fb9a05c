//! Tools that take their time, or all of it.

use serde_json::{Value, json};

use super::{BehaviourHints, ExpectedEnd, ShopCall, ShopOutcome, ShopTool, TourStop, nothing};
use crate::delayed::DelayedResult;
use crate::message::text;
use crate::shop::ShopState;

pub(crate) const SLOW: ShopTool = ShopTool {
    name: "slow_report",
    title: "Count the shelves",
    description: "Takes as many seconds as you like, tells its progress every second and stops when cancelled.",
    hints: BehaviourHints::Reads,
    input: seconds,
    output: None,
    tries: &[TourStop {
        arguments: r#"{"seconds":3}"#,
        ends: ExpectedEnd::Result,
        see: "progress three times, then a report; cancel it, and nothing comes",
    }],
    run: slow,
};

pub(crate) const HANG: ShopTool = ShopTool {
    name: "hang",
    title: "Hang",
    description: "Never answers.",
    hints: BehaviourHints::Reads,
    input: nothing,
    output: None,
    tries: &[TourStop {
        arguments: "{}",
        ends: ExpectedEnd::Silence,
        see: "nothing, until a deadline ends the wait",
    }],
    run: |_, _| ShopOutcome::Silence,
};

pub(crate) const DEAF: ShopTool = ShopTool {
    name: "ignores_cancel",
    title: "Ignore a cancellation",
    description: "Takes some seconds and answers even when it was cancelled meanwhile.",
    hints: BehaviourHints::Reads,
    input: seconds,
    output: None,
    tries: &[TourStop {
        arguments: r#"{"seconds":2}"#,
        ends: ExpectedEnd::Result,
        see: "an answer that comes after a cancellation",
    }],
    run: deaf,
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
