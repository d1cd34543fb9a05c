//! How often a customer may order.

use std::collections::HashMap;
use std::time::Duration;

use breakfall::{Timestamp, Window};

use crate::error::OrderError;
use crate::ids::UserId;

pub const ORDERS_PER_MINUTE: u32 = 3;

const MINUTE: Duration = Duration::from_mins(1);

/// The orders of the last minute, by customer.
#[derive(Debug, Default)]
pub struct Limit(HashMap<UserId, Vec<Timestamp>>);

impl Limit {
    /// Counts an order, and says how many more the minute holds.
    pub fn take(&mut self, user: &UserId, now: Timestamp) -> Result<u32, OrderError> {
        let recent = self.0.entry(user.clone()).or_default();
        recent.retain(|at| now < *at + MINUTE);
        let used = u32::try_from(recent.len()).unwrap_or(u32::MAX);
        if let Some(oldest) = recent.first()
            && used >= ORDERS_PER_MINUTE
        {
            let resets_at = *oldest + MINUTE;
            return Err(OrderError::TooFast {
                limit: ORDERS_PER_MINUTE,
                window: Window::Minute.as_str(),
                resets_at,
                wait: resets_at.duration_since(now).unsigned_abs(),
            });
        }
        recent.push(now);
        Ok(ORDERS_PER_MINUTE - used - 1)
    }
}
