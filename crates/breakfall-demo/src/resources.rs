//! What can be read: the catalogue, the orders, a text and a picture.

use breakfall_mcp::protocol::error_code;
use serde_json::{Value, json};

use crate::message::ShopRpcError;
use crate::request::ShopRequest;
use crate::shop::{ShopProduct, ShopState};

/// Every resource.
pub(crate) fn list(shop: &ShopState) -> Value {
    let mut all = vec![
        json!({
            "uri": "shop://catalog",
            "name": "catalog",
            "title": "Catalogue",
            "description": "Everything the shop sells, with prices in cents and what is left",
            "mimeType": "application/json",
        }),
        json!({
            "uri": "shop://terms",
            "name": "terms",
            "title": "Terms",
            "description": "The rules for refunds and cancellations",
            "mimeType": "text/plain",
        }),
        json!({
            "uri": "shop://logo",
            "name": "logo",
            "title": "Logo",
            "description": "The sign above the door",
            "mimeType": "image/png",
        }),
    ];
    all.extend(shop.orders.keys().map(|id| {
        json!({
            "uri": format!("{ORDERS}{id}"),
            "name": id,
            "title": format!("Order {id}"),
            "mimeType": "application/json",
        })
    }));
    json!({"resources": all})
}

/// Every pattern of addresses.
pub(crate) fn templates() -> Value {
    json!({"resourceTemplates": [{
        "uriTemplate": ORDER_TEMPLATE,
        "name": "order",
        "title": "Order",
        "description": "One order by its number",
        "mimeType": "application/json",
    }]})
}

/// One resource.
pub(crate) fn read(request: &ShopRequest, shop: &ShopState) -> Result<Value, ShopRpcError> {
    let uri = request.text("uri")?;
    let contents = contents(uri, shop).ok_or_else(|| not_found(request, uri))?;
    Ok(json!({"contents": [contents]}))
}

/// That there is nothing at an address. The number for it has changed over the versions.
pub(crate) fn not_found(request: &ShopRequest, uri: &str) -> ShopRpcError {
    let code = if request.era.is_modern() {
        -32602
    } else {
        error_code::RESOURCE_NOT_FOUND
    };
    ShopRpcError::new(code, format!("Resource not found: {uri}")).with_data(json!({"uri": uri}))
}

/// Whether there is something at an address.
pub(crate) fn exists(uri: &str, shop: &ShopState) -> bool {
    contents(uri, shop).is_some()
}

fn contents(uri: &str, shop: &ShopState) -> Option<Value> {
    Some(match uri {
        "shop://catalog" => {
            let products: Value = shop.products.iter().map(ShopProduct::to_value).collect();
            json!({"uri": uri, "mimeType": "application/json", "text": products.to_string()})
        }
        "shop://terms" => json!({"uri": uri, "mimeType": "text/plain", "text": TERMS}),
        "shop://logo" => json!({"uri": uri, "mimeType": "image/png", "blob": LOGO}),
        _ => {
            let order = shop.orders.get(uri.strip_prefix(ORDERS)?)?;
            let text = order.to_value().to_string();
            json!({"uri": uri, "mimeType": "application/json", "text": text})
        }
    })
}

pub(crate) const ORDER_TEMPLATE: &str = "shop://orders/{id}";

const ORDERS: &str = "shop://orders/";

const TERMS: &str = "\
Paid and shipped orders can be refunded, in parts if you like.
Refunds of more than 200.00 EUR need the word of a person.
Orders can be cancelled until they are shipped.
";

/// One orange dot.
const LOGO: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
