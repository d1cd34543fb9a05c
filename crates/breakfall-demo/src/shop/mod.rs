//! The shop: what it sells, what was ordered, and its rules.
//!
//! Refusals are sentences, as in most servers.

mod order;
mod catalog;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::log_level::ShopLogLevel;
use breakfall_mcp::protocol::method;
pub(crate) use order::{OrderStatus, ShopOrder, euros};

/// Everything there is. It begins the same every time.
#[derive(Debug)]
pub(crate) struct ShopState {
    pub(crate) products: Vec<ShopProduct>,
    pub(crate) orders: BTreeMap<String, ShopOrder>,
    /// What the shop can pay back, in cents.
    pub(crate) balance: u64,
    /// Whether the summer sale is on, and its tool there.
    pub(crate) sale: bool,
    /// How often `flaky_stock` was asked.
    pub(crate) stock_calls: u64,
    /// When `rate_limited` lets the next call pass.
    pub(crate) free_at: Option<Instant>,
    events: Vec<ShopEvent>,
}

/// A thing on the shelf.
#[derive(Debug, Clone)]
pub(crate) struct ShopProduct {
    pub(crate) sku: &'static str,
    pub(crate) name: &'static str,
    pub(crate) category: &'static str,
    pub(crate) price: u64,
    pub(crate) stock: u64,
}

/// Something a client may want to hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShopEvent {
    /// A line for the log.
    Log(ShopLogLevel, String),
    /// The resource at this address has changed.
    Updated(String),
    /// There are other resources than before.
    ResourcesChanged,
    /// There are other tools than before.
    ToolsChanged,
}

impl Default for ShopState {
    fn default() -> Self {
        Self {
            products: catalog::products(),
            orders: catalog::orders(),
            balance: 120_000,
            sale: false,
            stock_calls: 0,
            free_at: None,
            events: Vec::new(),
        }
    }
}

impl ShopState {
    /// The product with this number.
    pub(crate) fn product(&self, sku: &str) -> Option<&ShopProduct> {
        self.products.iter().find(|product| product.sku == sku)
    }

    /// The order with this number.
    ///
    /// # Errors
    /// When the order does not exist.
    pub(crate) fn order(&self, id: &str) -> Result<&ShopOrder, String> {
        let order = self.orders.get(id);
        order.ok_or_else(|| format!("Order {id} not found"))
    }

    /// Takes an order for things that are there, and takes them off the shelf.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn place(
        &mut self,
        customer: &str,
        items: &[(String, u64)],
        key: Option<&str>,
    ) -> Result<&ShopOrder, String> {
        if let Some(id) = self.placed_under(key, customer, items)? {
            return self.order(&id);
        }
        if self.orders.len() >= MAX_ORDERS {
            return Err("The order book is full; cancel an order first or restart the shop".into());
        }
        let mut total = 0;
        for (sku, quantity) in items {
            let product = self.product(sku);
            let product = product.ok_or_else(|| format!("Product {sku} does not exist"))?;
            let wanted: u64 = wanted(items, sku);
            if wanted > product.stock {
                let left = product.stock;
                return Err(format!(
                    "Insufficient stock for {sku}: {wanted} wanted, {left} left"
                ));
            }
            total += product.price * quantity;
        }
        for product in &mut self.products {
            product.stock -= wanted(items, product.sku);
        }
        let id = format!("ord-{}", FIRST_ORDER + self.orders.len());
        let order = ShopOrder::new(&id, customer, items.to_vec(), total, key);
        self.orders.insert(id.clone(), order);
        self.log(
            ShopLogLevel::Info,
            format!("order {id} placed for {}", euros(total)),
        );
        self.events.push(ShopEvent::ResourcesChanged);
        self.events
            .push(ShopEvent::Updated("shop://catalog".into()));
        self.order(&id)
    }

    /// An order was changed.
    pub(crate) fn touched(&mut self, id: &str, what: &str) {
        self.log(ShopLogLevel::Notice, format!("order {id} {what}"));
        self.events
            .push(ShopEvent::Updated(format!("shop://orders/{id}")));
    }

    /// Opens or closes the sale.
    pub(crate) fn set_sale(&mut self, on: bool) {
        if self.sale != on {
            self.sale = on;
            self.events.push(ShopEvent::ToolsChanged);
        }
    }

    pub(crate) fn log(&mut self, level: ShopLogLevel, words: impl Into<String>) {
        self.events.push(ShopEvent::Log(level, words.into()));
    }

    /// What has happened since the last time.
    pub(crate) fn take_events(&mut self) -> Vec<ShopEvent> {
        std::mem::take(&mut self.events)
    }

    /// The order that was placed under this key before.
    fn placed_under(
        &self,
        key: Option<&str>,
        customer: &str,
        items: &[(String, u64)],
    ) -> Result<Option<String>, String> {
        let Some(key) = key else {
            return Ok(None);
        };
        let mut orders = self.orders.values();
        let Some(order) = orders.find(|order| order.key.as_deref() == Some(key)) else {
            return Ok(None);
        };
        if order.customer == customer && order.items == items {
            return Ok(Some(order.id.clone()));
        }
        Err(format!(
            "Duplicate request: idempotency key '{key}' was already used for a different order"
        ))
    }
}

impl ShopProduct {
    pub(crate) fn to_value(&self) -> Value {
        json!({
            "sku": self.sku,
            "name": self.name,
            "category": self.category,
            "price_cents": self.price,
            "stock": self.stock,
        })
    }
}

impl ShopEvent {
    /// The notification, for what is told by one.
    pub(crate) fn notification(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Log(..) => None,
            Self::Updated(uri) => Some((method::RESOURCES_UPDATED, json!({"uri": uri}))),
            Self::ResourcesChanged => Some((method::RESOURCES_LIST_CHANGED, json!({}))),
            Self::ToolsChanged => Some((method::TOOLS_LIST_CHANGED, json!({}))),
        }
    }
}

fn wanted(items: &[(String, u64)], sku: &str) -> u64 {
    let same = items.iter().filter(|(item, _)| item == sku);
    same.map(|(_, quantity)| quantity).sum()
}

const FIRST_ORDER: usize = 1001;
const MAX_ORDERS: usize = 1000;
