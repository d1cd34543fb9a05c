//! Giving money back: every rule of the shop in one tool, and a question to a person.

use serde_json::{Value, json};

use super::orders::{order_id, order_output, told};
use super::{BehaviourHints, ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::elicitation::{FormAnswer, ShopQuestion};
use crate::shop::{ShopOrder, ShopState, euros};

pub(crate) const REFUND: ShopTool = ShopTool {
    name: "refund_order",
    title: "Refund an order",
    description: "Pays money back, which cannot be undone; business rules, conflicts and a question to the user.",
    hints: BehaviourHints::Takes,
    input,
    output: Some(order_output),
    tries: &[
        TourStop::answers("a refund")
            .given(r#"{"order_id":"ord-1001","amount_cents":1000,"reason":"late"}"#),
        TourStop::fails("a state that does not allow it: refunded already")
            .given(r#"{"order_id":"ord-1002","amount_cents":1000,"reason":"late"}"#),
        TourStop::fails("a business rule: more than was paid")
            .given(r#"{"order_id":"ord-1001","amount_cents":9900,"reason":"late"}"#),
        TourStop::fails("a balance that is too low")
            .given(r#"{"order_id":"ord-1006","amount_cents":189000,"reason":"damaged"}"#),
        TourStop::fails("a conflict: the order was changed meanwhile").given(
            r#"{"order_id":"ord-1001","amount_cents":1000,"reason":"late","expected_version":7}"#,
        ),
        TourStop::asks("a question to the user, if the client can ask one; a refusal if not")
            .given(r#"{"order_id":"ord-1003","amount_cents":24900,"reason":"wrong_item"}"#),
    ],
    run: refund,
};

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "order_id": order_id(),
            "amount_cents": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
            "reason": {"type": "string", "enum": ["damaged", "late", "wrong_item", "other"]},
            "expected_version": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1_000_000_000,
                "description": "Refuse if the order was changed since it had this version",
            },
        },
        "required": ["order_id", "amount_cents", "reason"],
        "additionalProperties": false,
    })
}

fn refund(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let id = call.text("order_id").unwrap_or_default();
    let amount = call.number("amount_cents").unwrap_or_default();
    if let Err(words) = allowed(shop, id, amount, call.number("expected_version")) {
        return told(Err(words));
    }
    let Some(order) = shop.orders.get_mut(id) else {
        return told(shop.order(id));
    };
    if amount > ALONE {
        let question = question(order, amount);
        match call.answers.to(question.key, &question.state) {
            Err(error) => return ShopOutcome::Refused(error),
            Ok(FormAnswer::Nothing) => return ShopOutcome::Ask(question),
            Ok(FormAnswer::Yes(form)) if form["confirm"] == true => {}
            Ok(FormAnswer::Yes(_) | FormAnswer::No) => {
                return told(Err("The user declined the refund; nothing was paid.".into()));
            }
        }
    }
    order.refund(amount);
    shop.balance -= amount;
    shop.touched(id, &format!("refunded by {}", euros(amount)));
    told(shop.order(id))
}

fn allowed(shop: &ShopState, id: &str, amount: u64, version: Option<u64>) -> Result<(), String> {
    shop.order(id)?.may_refund(amount, version)?;
    if amount > shop.balance {
        return Err(format!(
            "Insufficient balance: the refund needs {}, the account holds {}",
            euros(amount),
            euros(shop.balance)
        ));
    }
    Ok(())
}

fn question(order: &ShopOrder, amount: u64) -> ShopQuestion {
    ShopQuestion {
        key: "confirm_refund",
        message: format!(
            "Pay {} back to {} for order {}?",
            euros(amount),
            order.customer,
            order.id
        ),
        schema: json!({
            "type": "object",
            "properties": {
                "confirm": {"type": "boolean", "title": "Pay it back", "default": false},
                "note": {"type": "string", "title": "Note for the books", "maxLength": 200},
            },
            "required": ["confirm"],
        }),
        state: format!(
            "refund {} of {} at version {}",
            amount, order.id, order.version
        ),
        otherwise: "Business rule: refunds of more than 200.00 EUR need the word of a user, and this client cannot ask for it",
    }
}

/// The largest refund that needs no confirmation, in cents.
const ALONE: u64 = 20_000;
