//! A tool that makes another one come and go.

use serde_json::{Value, json};

use super::{Call, Ends, Hints, Outcome, Tool, Try, nothing};
use crate::demo::message::text;
use crate::demo::shop::Shop;

pub(super) const SALE: Tool = Tool {
    name: "set_sale",
    title: "Open or close the sale",
    description: "Makes the tool sale_offer come or go; the client is told that the list of tools changed.",
    hints: Hints::Sets,
    input,
    output: None,
    tries: &[Try {
        arguments: r#"{"open":true}"#,
        ends: Ends::Result,
        see: "a notice that the list of tools changed",
    }],
    run: set,
};

pub(super) const OFFER: Tool = Tool {
    name: "sale_offer",
    title: "Today's offer",
    description: "Is only there while the sale is open; at other times it is an unknown tool.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[],
    run: |_, _| Outcome::Answer(text("All white belts at half price, today only.")),
};

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {"open": {"type": "boolean"}},
        "required": ["open"],
        "additionalProperties": false,
    })
}

fn set(shop: &mut Shop, call: &Call<'_>) -> Outcome {
    let open = call.flag("open");
    shop.set_sale(open);
    let words = if open {
        "The sale is open."
    } else {
        "The sale is over."
    };
    Outcome::Answer(text(words))
}
