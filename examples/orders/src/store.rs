//! The orders, in memory, and the rules about them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::carrier::Carrier;
use crate::error::OrderError;
use crate::ids::{Body, OrderId, UserId};

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Order {
    pub id: OrderId,
    #[serde(skip)]
    pub owner: UserId,
    pub article: Article,
    pub quantity: u32,
    pub status: Status,
    /// Goes up with every change. Send it with a change, so that nobody overwrites what they have not seen.
    pub version: u32,
    pub carrier: Carrier,
    pub note: String,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Article {
    Coffee,
    Saffron,
    Tea,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Open,
    Shipped,
    Cancelled,
}

#[derive(Debug, Default)]
pub struct Store {
    orders: BTreeMap<OrderId, Order>,
    stock: BTreeMap<Article, u32>,
    archive: Archive,
    /// The version of the data this store was made from, if it was an older one.
    pub migrated_from: Option<u32>,
}

impl Store {
    pub fn stock(&mut self, article: Article, count: u32) {
        self.stock.insert(article, count);
    }

    pub fn insert(&mut self, order: Order) {
        self.orders.insert(order.id.clone(), order);
    }

    /// The orders of a customer. None is an answer, not a failure.
    pub fn of(&self, owner: &UserId) -> Vec<Order> {
        let orders = self.orders.values();
        orders
            .filter(|order| order.owner == *owner)
            .cloned()
            .collect()
    }

    /// One order of a customer. Somebody else's is not there, rather than forbidden.
    pub fn get(&self, owner: &UserId, id: &OrderId) -> Result<&Order, OrderError> {
        let order = self.orders.get(id).filter(|order| order.owner == *owner);
        order.ok_or_else(|| OrderError::NotFound {
            order_id: id.clone(),
        })
    }

    /// Any order, for staff.
    pub fn find(&self, id: &OrderId) -> Result<&Order, OrderError> {
        let order = self.orders.get(id);
        order.ok_or_else(|| OrderError::NotFound {
            order_id: id.clone(),
        })
    }

    pub fn place(
        &mut self,
        owner: &UserId,
        article: Article,
        quantity: u32,
    ) -> Result<Order, OrderError> {
        let id = OrderId::from(Body::random()?);
        let available = self.stock.entry(article).or_default();
        if *available < quantity {
            let available = *available;
            return Err(OrderError::OutOfStock { article, available });
        }
        *available -= quantity;
        let order = Order {
            id,
            owner: owner.clone(),
            article,
            quantity,
            status: Status::Open,
            version: 1,
            carrier: Carrier::Swift,
            note: String::new(),
        };
        self.insert(order.clone());
        Ok(order)
    }

    pub fn cancel(
        &mut self,
        owner: &UserId,
        id: &OrderId,
        version: u32,
    ) -> Result<Order, OrderError> {
        let order = self.changeable(owner, id)?;
        if order.version != version {
            return Err(OrderError::Stale {
                expected_version: version,
                actual_version: order.version,
            });
        }
        order.status = Status::Cancelled;
        order.version += 1;
        Ok(order.clone())
    }

    pub fn delete(&mut self, owner: &UserId, id: &OrderId) -> Result<(), OrderError> {
        self.changeable(owner, id)?;
        self.orders.remove(id);
        Ok(())
    }

    pub fn archive(&mut self) -> &mut Archive {
        &mut self.archive
    }

    fn changeable(&mut self, owner: &UserId, id: &OrderId) -> Result<&mut Order, OrderError> {
        let order_id = id.clone();
        let order = self.orders.get_mut(id);
        match order.filter(|order| order.owner == *owner) {
            None => Err(OrderError::NotFound { order_id }),
            Some(order) if order.status == Status::Shipped => {
                Err(OrderError::AlreadyShipped { order_id })
            }
            Some(order) => Ok(order),
        }
    }
}

/// Where orders go that did not fit into an answer. It has little room.
#[derive(Debug, Default)]
pub struct Archive(Vec<OrderId>);

impl Archive {
    const ROOM: usize = 3;

    /// Keeps the ids, and gives back those it had no room for.
    pub fn keep(&mut self, ids: Vec<OrderId>) -> Vec<OrderId> {
        let new = ids.into_iter().filter(|id| !self.0.contains(id));
        let mut new: Vec<OrderId> = new.collect();
        let room = Self::ROOM.saturating_sub(self.0.len()).min(new.len());
        let lost = new.split_off(room);
        self.0.append(&mut new);
        lost
    }
}
