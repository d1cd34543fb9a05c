//! The shop: what it sells, what was ordered, and its rules.
//!
//! Refusals are sentences, as in most servers.

mod order;
mod seed;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::log::Level;
pub(super) use order::{Order, Status, euros};

/// Everything there is. It begins the same every time.
#[derive(Debug)]
pub(super) struct Shop {
    pub(super) products: Vec<Product>,
    pub(super) orders: BTreeMap<String, Order>,
    /// What the shop can pay back, in cents.
    pub(super) balance: u64,
    /// Whether the summer sale is on, and its tool there.
    pub(super) sale: bool,
    /// How often `flaky_stock` was asked.
    pub(super) stock_calls: u64,
    /// When `rate_limited` lets the next call pass.
    pub(super) free_at: Option<Instant>,
    events: Vec<Event>,
}

/// A thing on the shelf.
#[derive(Debug, Clone)]
pub(super) struct Product {
    pub(super) sku: &'static str,
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    pub(super) price: u64,
    pub(super) stock: u64,
}

/// Something a client may want to hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A line for the log.
    Log(Level, String),
    /// The resource at this address has changed.
    Updated(String),
    /// There are other resources than before.
    ResourcesChanged,
    /// There are other tools than before.
    ToolsChanged,
}

impl Default for Shop {
    fn default() -> Self {
        Self {
            products: seed::products(),
            orders: seed::orders(),
            balance: 120_000,
            sale: false,
            stock_calls: 0,
            free_at: None,
            events: Vec::new(),
        }
    }
}

impl Shop {
    /// The product with this number.
    pub(super) fn product(&self, sku: &str) -> Option<&Product> {
        self.products.iter().find(|product| product.sku == sku)
    }

    /// The order with this number.
    ///
    /// # Errors
    /// That there is none.
    pub(super) fn order(&self, id: &str) -> Result<&Order, String> {
        let order = self.orders.get(id);
        order.ok_or_else(|| format!("Order {id} not found"))
    }

    /// Takes an order for things that are there, and takes them off the shelf.
    ///
    /// # Errors
    /// What is missing.
    pub(super) fn place(
        &mut self,
        customer: &str,
        items: &[(String, u64)],
        key: Option<&str>,
    ) -> Result<&Order, String> {
        if let Some(id) = self.placed_under(key, customer, items)? {
            return self.order(&id);
        }
        if self.orders.len() >= MOST_ORDERS {
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
        let order = Order::new(&id, customer, items.to_vec(), total, key);
        self.orders.insert(id.clone(), order);
        self.log(
            Level::Info,
            format!("order {id} placed for {}", euros(total)),
        );
        self.events.push(Event::ResourcesChanged);
        self.events.push(Event::Updated("shop://catalog".into()));
        self.order(&id)
    }

    /// An order was changed.
    pub(super) fn touched(&mut self, id: &str, what: &str) {
        self.log(Level::Notice, format!("order {id} {what}"));
        self.events
            .push(Event::Updated(format!("shop://orders/{id}")));
    }

    /// Opens or closes the sale.
    pub(super) fn set_sale(&mut self, on: bool) {
        if self.sale != on {
            self.sale = on;
            self.events.push(Event::ToolsChanged);
        }
    }

    pub(super) fn log(&mut self, level: Level, words: impl Into<String>) {
        self.events.push(Event::Log(level, words.into()));
    }

    /// What has happened since the last time.
    pub(super) fn take_events(&mut self) -> Vec<Event> {
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

impl Product {
    pub(super) fn to_value(&self) -> Value {
        json!({
            "sku": self.sku,
            "name": self.name,
            "category": self.category,
            "price_cents": self.price,
            "stock": self.stock,
        })
    }
}

impl Event {
    /// The notification, for what is told by one.
    pub(super) fn notification(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Log(..) => None,
            Self::Updated(uri) => Some(("notifications/resources/updated", json!({"uri": uri}))),
            Self::ResourcesChanged => Some(("notifications/resources/list_changed", json!({}))),
            Self::ToolsChanged => Some(("notifications/tools/list_changed", json!({}))),
        }
    }
}

fn wanted(items: &[(String, u64)], sku: &str) -> u64 {
    let same = items.iter().filter(|(item, _)| item == sku);
    same.map(|(_, quantity)| quantity).sum()
}

const FIRST_ORDER: usize = 1001;
const MOST_ORDERS: usize = 1000;
