//! Tools that take their time, or all of it.

use serde_json::{Value, json};

use super::{Call, Ends, Hints, Outcome, Tool, Try, nothing};
use crate::demo::message::text;
use crate::demo::running::Job;
use crate::demo::shop::Shop;

pub(super) const SLOW: Tool = Tool {
    name: "slow_report",
    title: "Count the shelves",
    description: "Takes as many seconds as you like, tells its progress every second and stops when cancelled.",
    hints: Hints::Reads,
    input: seconds,
    output: None,
    tries: &[Try {
        arguments: r#"{"seconds":3}"#,
        ends: Ends::Result,
        see: "progress three times, then a report; cancel it, and nothing comes",
    }],
    run: slow,
};

pub(super) const HANG: Tool = Tool {
    name: "hang",
    title: "Hang",
    description: "Never answers.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Silence,
        see: "nothing, until a deadline ends the wait",
    }],
    run: |_, _| Outcome::Silence,
};

pub(super) const DEAF: Tool = Tool {
    name: "ignores_cancel",
    title: "Ignore a cancellation",
    description: "Takes some seconds and answers even when it was cancelled meanwhile.",
    hints: Hints::Reads,
    input: seconds,
    output: None,
    tries: &[Try {
        arguments: r#"{"seconds":2}"#,
        ends: Ends::Result,
        see: "an answer nobody wants any more, if you cancel it",
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

fn slow(shop: &mut Shop, call: &Call<'_>) -> Outcome {
    let things: u64 = shop.products.iter().map(|product| product.stock).sum();
    Outcome::Later(Job {
        seconds: call.number("seconds").unwrap_or(10),
        tells: true,
        deaf: false,
        result: text(format!("There are {things} things on the shelves.")),
    })
}

fn deaf(_: &mut Shop, call: &Call<'_>) -> Outcome {
    Outcome::Later(Job {
        seconds: call.number("seconds").unwrap_or(10),
        tells: false,
        deaf: true,
        result: text("Here is what you asked for."),
    })
}
