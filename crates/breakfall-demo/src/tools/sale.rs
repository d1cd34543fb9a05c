//! A tool that makes another one come and go.

use serde_json::{Value, json};

use super::{BehaviourHints, ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::text;
use crate::shop::ShopState;

pub(crate) const SALE: ShopTool = ShopTool {
    name: "set_sale",
    title: "Open or close the sale",
    description: "Makes the tool sale_offer come or go; the client is told that the list of tools changed.",
    hints: BehaviourHints::Sets,
    input,
    tries: &[TourStop::answers("a notice that the list of tools changed").given(r#"{"open":true}"#)],
    run: set,
    ..ShopTool::READ_ONLY
};

pub(crate) const OFFER: ShopTool = ShopTool {
    name: "sale_offer",
    title: "Today's offer",
    description: "Is only there while the sale is open; at other times it is an unknown tool.",
    tries: &[],
    run: |_, _| ShopOutcome::Answer(text("All white belts at half price, today only.")),
    ..ShopTool::READ_ONLY
};

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {"open": {"type": "boolean"}},
        "required": ["open"],
        "additionalProperties": false,
    })
}

fn set(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let open = call.flag("open");
    shop.set_sale(open);
    let words = if open {
        "The sale is open."
    } else {
        "The sale is over."
    };
    ShopOutcome::Answer(text(words))
}
