//! Orders: looking at them, placing them, calling them off.

use serde_json::{Value, json};

use super::products::page;
use super::{BehaviourHints, ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::{failure, structured};
use crate::shop::{OrderStatus, ShopOrder, ShopState};

pub(crate) const GET: ShopTool = ShopTool {
    name: "get_order",
    title: "Get an order",
    description: "Looks up one order; an unknown number is told in a sentence, as most servers do.",
    input: get_input,
    output: Some(order_output),
    tries: &[
        TourStop::answers("an order").given(r#"{"order_id":"ord-1001"}"#),
        TourStop::fails("something that is not there").given(r#"{"order_id":"ord-9999"}"#),
        TourStop::fails("a number that is not written as one").given(r#"{"order_id":"1001"}"#),
    ],
    run: get,
    ..ShopTool::READ_ONLY
};

pub(crate) const LIST: ShopTool = ShopTool {
    name: "list_orders",
    title: "List orders",
    description: "Lists the orders, newest last, page by page.",
    input: list_input,
    tries: &[TourStop::answers("the orders on their way").given(r#"{"status":"shipped"}"#)],
    run: list,
    ..ShopTool::READ_ONLY
};

pub(crate) const PLACE: ShopTool = ShopTool {
    name: "place_order",
    title: "Place an order",
    description: "Buys something, which must never happen twice by accident; an idempotency key prevents that.",
    hints: BehaviourHints::Adds,
    input: place_input,
    output: Some(order_output),
    tries: &[
        TourStop::answers("a new order, and a notice that the list of resources changed")
            .given(r#"{"customer":"you@example.com","items":[{"sku":"belt-02","quantity":1}]}"#),
        TourStop::fails("a rule of the shop: nothing left of it")
            .given(r#"{"customer":"you@example.com","items":[{"sku":"gi-05","quantity":1}]}"#),
        TourStop::fails("mistakes deep inside the arguments")
            .given(r#"{"customer":"you","items":[{"sku":"belt-02","quantity":0},{"quantity":1}]}"#),
    ],
    run: place,
};

pub(crate) const CANCEL: ShopTool = ShopTool {
    name: "cancel_order",
    title: "Cancel an order",
    description: "Calls an order off, unless it is too late.",
    hints: BehaviourHints::Removes,
    input: get_input,
    output: Some(order_output),
    tries: &[
        TourStop::answers("a cancelled order").given(r#"{"order_id":"ord-1004"}"#),
        TourStop::fails("a state that does not allow it").given(r#"{"order_id":"ord-1003"}"#),
    ],
    run: cancel,
};

/// How an order is called.
pub(crate) fn order_id() -> Value {
    json!({"type": "string", "pattern": "^ord-[0-9]{4,6}$", "description": "Such as ord-1001"})
}

/// What tools that end with an order promise.
pub(crate) fn order_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "customer": {"type": "string"},
            "items": {"type": "array", "items": {"type": "object"}},
            "total_cents": {"type": "integer"},
            "refunded_cents": {"type": "integer"},
            "status": {"type": "string"},
            "version": {"type": "integer"},
        },
        "required": ["id", "customer", "items", "total_cents", "refunded_cents", "status", "version"],
    })
}

/// An order, or the sentence that says why not.
pub(crate) fn told(order: Result<&ShopOrder, String>) -> ShopOutcome {
    ShopOutcome::Answer(match order {
        Ok(order) => structured(order.to_value()),
        Err(words) => failure(words),
    })
}

fn get_input() -> Value {
    json!({
        "type": "object",
        "properties": {"order_id": order_id()},
        "required": ["order_id"],
        "additionalProperties": false,
    })
}

fn get(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    told(shop.order(call.text("order_id").unwrap_or_default()))
}

fn list_input() -> Value {
    let statuses = OrderStatus::ALL.map(OrderStatus::as_str);
    json!({
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": statuses},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
            "cursor": {"type": "string"},
        },
        "additionalProperties": false,
    })
}

fn list(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let status = call.text("status");
    let fitting = shop
        .orders
        .values()
        .filter(|order| status.is_none_or(|wanted| order.status.as_str() == wanted));
    let all = fitting.map(ShopOrder::to_value).collect();
    ShopOutcome::Answer(match page(all, call) {
        Ok((orders, next)) => structured(json!({"orders": orders, "next_cursor": next})),
        Err(words) => failure(words),
    })
}

fn place_input() -> Value {
    let item = json!({
        "type": "object",
        "properties": {
            "sku": {"type": "string"},
            "quantity": {"type": "integer", "minimum": 1, "maximum": 20},
        },
        "required": ["sku", "quantity"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": {
            "customer": {"type": "string", "format": "email", "maxLength": 100},
            "items": {"type": "array", "items": item, "minItems": 1, "maxItems": 10},
            "idempotency_key": {"type": "string", "minLength": 1, "maxLength": 64},
        },
        "required": ["customer", "items"],
        "additionalProperties": false,
    })
}

fn place(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let items = call.arguments["items"].as_array();
    let items: Vec<_> = items
        .into_iter()
        .flatten()
        .map(|item| {
            let sku = item["sku"].as_str().unwrap_or_default();
            let item = ShopCall {
                arguments: item,
                ..*call
            };
            (sku.to_owned(), item.number("quantity").unwrap_or_default())
        })
        .collect();
    let customer = call.text("customer").unwrap_or_default();
    told(shop.place(customer, &items, call.text("idempotency_key")))
}

fn cancel(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let id = call.text("order_id").unwrap_or_default();
    let Some(order) = shop.orders.get_mut(id) else {
        return told(shop.order(id));
    };
    if let Err(words) = order.cancel() {
        return told(Err(words));
    }
    shop.touched(id, "cancelled");
    told(shop.order(id))
}
