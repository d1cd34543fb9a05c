//! Looking for things to buy.

use serde_json::{Value, json};

use super::{ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::{failure, structured};
use crate::shop::{ShopProduct, ShopState};

pub(crate) const SEARCH: ShopTool = ShopTool {
    name: "search_products",
    title: "Search products",
    description: "Searches the catalogue page by page; its parameters can be wrong in every way there is.",
    input: search_input,
    output: Some(search_output),
    tries: &[
        TourStop::answers("three belts, and a cursor for more")
            .given(r#"{"query":"belt","limit":3}"#),
        TourStop::fails("a required parameter that is missing"),
        TourStop::fails("a wrong type").given(r#"{"query":"gi","limit":"3"}"#),
        TourStop::fails("a number out of range").given(r#"{"query":"gi","limit":500}"#),
        TourStop::fails("a value that is not in the enum")
            .given(r#"{"query":"gi","sort":"cheapest"}"#),
        TourStop::fails(
            "four mistakes at once: too short, out of range, not one of the values, unknown",
        )
        .given(r#"{"query":"","limit":500,"sort":"cheapest","colour":"red"}"#),
        TourStop::fails("a cursor the server did not issue")
            .given(r#"{"query":"gi","cursor":"page-2"}"#),
    ],
    run: search,
    ..ShopTool::READ_ONLY
};

fn search_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 100, "description": "Words of the name"},
            "category": {"type": "string", "enum": ["gi", "belts", "mats", "books"]},
            "max_price_cents": {"type": "integer", "minimum": 0, "maximum": 1_000_000_000},
            "sort": {"type": "string", "enum": ["name", "price_asc", "price_desc"], "default": "name"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
            "cursor": {"type": "string", "pattern": "^[a-z0-9-]+$", "description": "From the page before"},
        },
        "required": ["query"],
        "additionalProperties": false,
    })
}

fn search_output() -> Value {
    let product = json!({
        "type": "object",
        "properties": {
            "sku": {"type": "string"},
            "name": {"type": "string"},
            "category": {"type": "string"},
            "price_cents": {"type": "integer"},
            "stock": {"type": "integer"},
        },
        "required": ["sku", "name", "category", "price_cents", "stock"],
    });
    json!({
        "type": "object",
        "properties": {
            "products": {"type": "array", "items": product},
            "total": {"type": "integer"},
            "next_cursor": {"type": "string"},
        },
        "required": ["products", "total"],
    })
}

fn search(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let query = call.text("query").unwrap_or_default().to_lowercase();
    let (category, most) = (call.text("category"), call.number("max_price_cents"));
    let mut found: Vec<&ShopProduct> = shop
        .products
        .iter()
        .filter(|product| product.name.to_lowercase().contains(&query) || product.category == query)
        .filter(|product| category.is_none_or(|wanted| product.category == wanted))
        .filter(|product| most.is_none_or(|most| product.price <= most))
        .collect();
    match call.text("sort") {
        Some("price_asc") => found.sort_by_key(|product| product.price),
        Some("price_desc") => found.sort_by_key(|product| std::cmp::Reverse(product.price)),
        Some(_) | None => found.sort_by_key(|product| product.name),
    }
    let total = found.len();
    let all = found.into_iter().map(ShopProduct::to_value).collect();
    ShopOutcome::Answer(match page(all, call) {
        Ok((products, next)) => {
            let mut data = json!({"products": products, "total": total});
            if let Some(next) = next {
                data["next_cursor"] = next.into();
            }
            structured(data)
        }
        Err(words) => failure(words),
    })
}

/// The page a call wants, and the cursor of the one after.
///
/// # Errors
/// When the cursor was not issued by the shop.
pub(crate) fn page(
    all: Vec<Value>,
    call: &ShopCall<'_>,
) -> Result<(Vec<Value>, Option<String>), String> {
    let limit = call.number("limit").unwrap_or(10);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let from = match call.text("cursor") {
        None => 0,
        Some(cursor) => cursor
            .strip_prefix("from-")
            .and_then(|from| from.parse().ok())
            .filter(|from: &usize| *from <= all.len())
            .ok_or_else(|| format!("Invalid cursor '{cursor}'"))?,
    };
    let end = from.saturating_add(limit);
    let next = (end < all.len()).then(|| format!("from-{end}"));
    Ok((all.into_iter().skip(from).take(limit).collect(), next))
}
