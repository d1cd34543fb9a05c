//! Everything the tools share: the orders, the sessions, what was counted and what was agreed to.

use breakfall::{Fault, Timestamp};

use crate::confirm::Confirmations;
use crate::demo;
use crate::error::OrderError;
use crate::ids::{Body, InvalidId, OrderId, UserId};
use crate::limit::Limit;
use crate::session::Sessions;
use crate::store::Store;

#[derive(Debug)]
pub struct Desk {
    pub store: Store,
    pub sessions: Sessions,
    pub limit: Limit,
    confirmations: Confirmations,
}

impl Desk {
    /// A desk with the data of the demo.
    pub fn demo(now: Timestamp) -> Result<Self, InvalidId> {
        Ok(Self {
            store: demo::store()?,
            sessions: demo::sessions(now)?,
            limit: Limit::default(),
            confirmations: Confirmations::default(),
        })
    }

    /// Passes a deletion a person has agreed to, and asks for their consent otherwise.
    pub fn consent(
        &mut self,
        user: &UserId,
        orders: &[OrderId],
        token: Option<&str>,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let list: Vec<String> = orders.iter().map(OrderId::to_string).collect();
        let call = format!("delete_orders {} by {user}", list.join(" "));
        if let Some(token) = token {
            return Ok(self.confirmations.redeem(token, &call, now)?);
        }
        let token = format!("cnf_{}", Body::random()?);
        let expires_at = self.confirmations.issue(token.clone(), &call, now);
        let ask = Fault::confirmation_required("delete_orders", "destructive", &token, expires_at);
        Err(ask
            .detail("reasons", vec!["deleted orders cannot be had back"])
            .into())
    }
}
