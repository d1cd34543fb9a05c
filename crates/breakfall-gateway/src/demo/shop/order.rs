//! An order, and what may be done with it.

use serde_json::{Value, json};

/// What somebody bought.
#[derive(Debug, Clone)]
pub(in crate::demo) struct Order {
    pub(in crate::demo) id: String,
    pub(in crate::demo) customer: String,
    pub(in crate::demo) items: Vec<(String, u64)>,
    pub(in crate::demo) total: u64,
    pub(in crate::demo) refunded: u64,
    pub(in crate::demo) status: Status,
    /// Goes up with every change.
    pub(in crate::demo) version: u64,
    /// The key the client gave so as not to order twice.
    pub(in crate::demo) key: Option<String>,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::demo) enum Status {
    Pending,
    Paid,
    Shipped,
    Refunded,
    Cancelled,
}

impl Order {
    pub(in crate::demo) fn new(
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
            status: Status::Paid,
            version: 1,
            key: key.map(str::to_owned),
        }
    }

    /// Whether money may go back.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(in crate::demo) fn may_refund(
        &self,
        amount: u64,
        version: Option<u64>,
    ) -> Result<(), String> {
        let (id, current) = (&self.id, self.version);
        if let Some(expected) = version.filter(|expected| *expected != current) {
            return Err(format!(
                "Conflict: order {id} was modified by another user (expected version {expected}, current version {current})"
            ));
        }
        match self.status {
            Status::Refunded => {
                return Err(format!(
                    "Invalid status: order {id} has already been refunded"
                ));
            }
            Status::Pending | Status::Cancelled => {
                let status = self.status.as_str();
                return Err(format!(
                    "Order {id} cannot be refunded in its current state ({status})"
                ));
            }
            Status::Paid | Status::Shipped => {}
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
    pub(in crate::demo) fn refund(&mut self, amount: u64) {
        self.refunded += amount;
        self.version += 1;
        if self.refunded >= self.total {
            self.status = Status::Refunded;
        }
    }

    /// Calls the order off.
    ///
    /// # Errors
    /// That it is too late.
    pub(in crate::demo) fn cancel(&mut self) -> Result<(), String> {
        let (id, status) = (&self.id, self.status.as_str());
        match self.status {
            Status::Pending | Status::Paid => {
                self.status = Status::Cancelled;
                self.version += 1;
                Ok(())
            }
            Status::Cancelled => Err(format!("Order {id} is already cancelled")),
            Status::Shipped | Status::Refunded => Err(format!(
                "Order {id} cannot be cancelled because it is {status}"
            )),
        }
    }

    pub(in crate::demo) fn to_value(&self) -> Value {
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

impl Status {
    pub(in crate::demo) const ALL: [Self; 5] = [
        Self::Pending,
        Self::Paid,
        Self::Shipped,
        Self::Refunded,
        Self::Cancelled,
    ];

    pub(in crate::demo) fn as_str(self) -> &'static str {
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
pub(in crate::demo) fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}
