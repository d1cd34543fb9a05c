//! An order, and what may be done with it.

use serde_json::{Value, json};

/// An order of a customer.
#[derive(Debug, Clone)]
pub(crate) struct ShopOrder {
    pub(crate) id: String,
    pub(crate) customer: String,
    pub(crate) items: Vec<(String, u64)>,
    pub(crate) total: u64,
    pub(crate) refunded: u64,
    pub(crate) status: OrderStatus,
    /// Goes up with every change.
    pub(crate) version: u64,
    /// The key the client gave so as not to order twice.
    pub(crate) key: Option<String>,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderStatus {
    Pending,
    Paid,
    Shipped,
    Refunded,
    Cancelled,
}

impl ShopOrder {
    pub(crate) fn new(
        id: &str,
        customer: &str,
        items: Vec<(String, u64)>,
        total: u64,
        key: Option<&str>,
    ) -> Self {
        Self {
            id: id.to_owned(),
            customer: customer.to_owned(),
            items,
            total,
            refunded: 0,
            status: OrderStatus::Paid,
            version: 1,
            key: key.map(str::to_owned),
        }
    }

    /// Whether money may go back.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn may_refund(&self, amount: u64, version: Option<u64>) -> Result<(), String> {
        let (id, current) = (&self.id, self.version);
        if let Some(expected) = version.filter(|expected| *expected != current) {
            return Err(format!(
                "Conflict: order {id} was modified by another user (expected version {expected}, current version {current})"
            ));
        }
        match self.status {
            OrderStatus::Refunded => {
                return Err(format!(
                    "Invalid status: order {id} has already been refunded"
                ));
            }
            OrderStatus::Pending | OrderStatus::Cancelled => {
                let status = self.status.as_str();
                return Err(format!(
                    "Order {id} cannot be refunded in its current state ({status})"
                ));
            }
            OrderStatus::Paid | OrderStatus::Shipped => {}
        }
        let left = self.total - self.refunded;
        if amount > left {
            return Err(format!(
                "Order {id} is not eligible: {} is more than the {} that can be refunded",
                euros(amount),
                euros(left)
            ));
        }
        Ok(())
    }

    /// Gives money back that [`Self::may_refund`] allows.
    pub(crate) fn refund(&mut self, amount: u64) {
        self.refunded += amount;
        self.version += 1;
        if self.refunded >= self.total {
            self.status = OrderStatus::Refunded;
        }
    }

    /// Calls the order off.
    ///
    /// # Errors
    /// That it is too late.
    pub(crate) fn cancel(&mut self) -> Result<(), String> {
        let (id, status) = (&self.id, self.status.as_str());
        match self.status {
            OrderStatus::Pending | OrderStatus::Paid => {
                self.status = OrderStatus::Cancelled;
                self.version += 1;
                Ok(())
            }
            OrderStatus::Cancelled => Err(format!("Order {id} is already cancelled")),
            OrderStatus::Shipped | OrderStatus::Refunded => Err(format!(
                "Order {id} cannot be cancelled because it is {status}"
            )),
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        let items = self.items.iter();
        let items: Vec<_> = items
            .map(|(sku, quantity)| json!({"sku": sku, "quantity": quantity}))
            .collect();
        json!({
            "id": self.id,
            "customer": self.customer,
            "items": items,
            "total_cents": self.total,
            "refunded_cents": self.refunded,
            "status": self.status.as_str(),
            "version": self.version,
        })
    }
}

impl OrderStatus {
    pub(crate) const ALL: [Self; 5] = [
        Self::Pending,
        Self::Paid,
        Self::Shipped,
        Self::Refunded,
        Self::Cancelled,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Shipped => "shipped",
            Self::Refunded => "refunded",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Cents as people write them.
pub(crate) fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}
