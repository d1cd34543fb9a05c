//! One prompt with arguments, and completions for it and for the addresses of orders.

use serde_json::{Value, json};

use crate::message::ShopRpcError;
use crate::request::ShopRequest;
use crate::resources::ORDER_TEMPLATE;
use crate::shop::{ShopState, euros};

/// Every prompt.
pub(crate) fn list() -> Value {
    json!({"prompts": [{
        "name": PROMPT,
        "title": "Reply about a refund",
        "description": "Drafts a reply to a customer who wants money back",
        "arguments": [
            {"name": "order_id", "description": "The order it is about", "required": true},
            {"name": "tone", "description": "friendly, formal or brief", "required": false},
        ],
    }]})
}

/// One prompt, filled in.
pub(crate) fn get(request: &ShopRequest, shop: &ShopState) -> Result<Value, ShopRpcError> {
    let name = request.text("name")?;
    if name != PROMPT {
        return Err(ShopRpcError::invalid_params(format!(
            "Unknown prompt: {name}"
        )));
    }
    let argument = |name: &str| request.params.get("arguments")?.get(name)?.as_str();
    let Some(id) = argument("order_id") else {
        return Err(ShopRpcError::invalid_params(format!(
            "Missing required argument 'order_id' of prompt {PROMPT}"
        )));
    };
    let order = shop.order(id).map_err(ShopRpcError::invalid_params)?;
    let tone = argument("tone").unwrap_or("friendly");
    if !TONES.contains(&tone) {
        let message = format!("Argument 'tone' must be one of {}", TONES.join(", "));
        return Err(ShopRpcError::invalid_params(message));
    }
    let text = format!(
        "Write a {tone} reply to {}, who wants a refund of order {id}. It is {} and cost {}; {} of it were paid back.",
        order.customer,
        order.status.as_str(),
        euros(order.total),
        euros(order.refunded),
    );
    Ok(json!({
        "description": format!("A {tone} reply about order {id}"),
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }))
}

/// What could come after what was typed so far.
pub(crate) fn complete(request: &ShopRequest, shop: &ShopState) -> Result<Value, ShopRpcError> {
    let part = |object: &str, name: &str| {
        let value = request.params.get(object)?.get(name)?.as_str();
        value.map(str::to_owned)
    };
    let missing = || ShopRpcError::invalid_params("params.ref and params.argument are required");
    let kind = part("ref", "type").ok_or_else(missing)?;
    let name = part("argument", "name").ok_or_else(missing)?;
    let typed = part("argument", "value").ok_or_else(missing)?;
    let target = part("ref", if kind == "ref/prompt" { "name" } else { "uri" });
    let ids = || shop.orders.keys().map(String::as_str);
    let all: Vec<&str> = match (kind.as_str(), target.as_deref(), name.as_str()) {
        ("ref/prompt", Some(PROMPT), "order_id") | ("ref/resource", Some(ORDER_TEMPLATE), "id") => {
            ids().collect()
        }
        ("ref/prompt", Some(PROMPT), "tone") => TONES.to_vec(),
        _ => {
            let message = format!("Nothing to complete for argument '{name}' of {kind}");
            return Err(ShopRpcError::invalid_params(message));
        }
    };
    let fitting: Vec<_> = all
        .into_iter()
        .filter(|value| value.starts_with(&typed))
        .collect();
    let (total, more) = (fitting.len(), fitting.len() > MAX_COMPLETIONS);
    let values: Vec<_> = fitting.into_iter().take(MAX_COMPLETIONS).collect();
    Ok(json!({"completion": {"values": values, "total": total, "hasMore": more}}))
}

const PROMPT: &str = "refund_reply";
const TONES: [&str; 3] = ["friendly", "formal", "brief"];
/// The protocol allows no more in one answer.
const MAX_COMPLETIONS: usize = 100;
