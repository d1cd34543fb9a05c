//! The tools. The guard has checked the arguments against their schemas by the time one of these is called.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use breakfall::catalog::warning;
use breakfall::{Batch, Fault, Success, Timestamp, Warning};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{Json, ServerHandler, tool, tool_handler, tool_router};
use serde_json::json;

use crate::arguments::{
    Cancel, Delete, Export, Format, Listed, Mine, NewOrder, OneOrder, SignIn, Signed, Summarize,
};
use crate::desk::Desk;
use crate::error::OrderError;
use crate::ids::{Body, InvalidId, SessionId, UserId};
use crate::limit::ORDERS_PER_MINUTE;
use crate::session::{Caller, SessionError};
use crate::store::Order;
use crate::summary;

const SESSION: Duration = Duration::from_hours(1);

/// The order desk, as the SDK sees it.
#[derive(Debug, Clone)]
pub struct Orders {
    desk: Arc<Mutex<Desk>>,
    now: fn() -> Timestamp,
}

impl Orders {
    /// The data of the demo, and a clock.
    pub fn demo(now: fn() -> Timestamp) -> Result<Self, InvalidId> {
        let desk = Arc::new(Mutex::new(Desk::demo(now())?));
        Ok(Self { desk, now })
    }

    /// The desk is whole even after a panic: every change to it is a single step.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose session it is, for the audit trail.
    pub fn user(&self, session: &str) -> Option<UserId> {
        let session = SessionId::new(session).ok()?;
        self.caller(&session).ok().map(|caller| caller.user)
    }

    fn caller(&self, session: &SessionId) -> Result<Caller, SessionError> {
        self.desk().sessions.caller(session, (self.now)())
    }
}

#[tool_router]
impl Orders {
    /// Starts a session of an hour.
    #[tool]
    fn sign_in(&self, Parameters(sent): Parameters<SignIn>) -> Result<Json<Signed>, OrderError> {
        let mut desk = self.desk();
        desk.sessions.check(&sent.user_id, &sent.pin)?;
        let session_id = SessionId::from(Body::random()?);
        desk.sessions
            .open(session_id.clone(), sent.user_id, (self.now)() + SESSION);
        Ok(Json(Signed { session_id }))
    }

    /// All orders of the caller. An empty list means that there are none; a failure is told as one.
    #[tool(annotations(read_only_hint = true))]
    fn list_orders(&self, Parameters(sent): Parameters<Mine>) -> Result<Json<Listed>, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let orders = self.desk().store.of(&caller.user);
        let total = orders.len();
        Ok(Json(Listed { orders, total }))
    }

    /// One order of the caller.
    #[tool(annotations(read_only_hint = true))]
    fn get_order(&self, Parameters(sent): Parameters<OneOrder>) -> Result<Json<Order>, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let desk = self.desk();
        Ok(Json(desk.store.get(&caller.user, &sent.order_id)?.clone()))
    }

    /// Orders an article. Three orders a minute at most.
    #[tool]
    fn place_order(&self, Parameters(sent): Parameters<NewOrder>) -> Result<Success, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let mut desk = self.desk();
        let left = desk.limit.take(&caller.user, (self.now)())?;
        let order = desk
            .store
            .place(&caller.user, sent.article, sent.quantity)?;
        let success = Success::of(&order)?;
        if left > 0 {
            return Ok(success);
        }
        let approaching = Warning::new(warning::RATE_LIMIT_APPROACHING);
        let approaching = approaching.context("limit", ORDERS_PER_MINUTE);
        Ok(success.warning(approaching.context("remaining", left)))
    }

    /// Cancels an order that has not been shipped.
    #[tool]
    fn cancel_order(
        &self,
        Parameters(sent): Parameters<Cancel>,
    ) -> Result<Json<Order>, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let mut desk = self.desk();
        let order = desk
            .store
            .cancel(&caller.user, &sent.order_id, sent.version)?;
        Ok(Json(order))
    }

    /// Deletes orders for good, as far as they can be deleted. Asks for a person's consent first.
    #[tool(annotations(destructive_hint = true))]
    fn delete_orders(&self, Parameters(sent): Parameters<Delete>) -> Result<Batch, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let mut desk = self.desk();
        let token = sent.confirmation.as_deref();
        desk.consent(&caller.user, &sent.order_ids, token, (self.now)())?;
        let mut batch = Batch::new("delete", "deleted");
        for id in sent.order_ids {
            batch = match desk.store.delete(&caller.user, &id) {
                Ok(()) => batch.done(id.to_string(), json!({"deleted": true})),
                Err(error) => batch.failed(id.to_string(), error.into()),
            };
        }
        Ok(batch)
    }

    /// Gives the money back. For staff.
    #[tool]
    fn refund_order(&self, Parameters(sent): Parameters<OneOrder>) -> Result<String, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        caller.must_be_staff("refunds are up to the staff")?;
        let desk = self.desk();
        let order = desk.store.find(&sent.order_id)?;
        Ok(format!("{} is refunded", order.id))
    }

    /// Where the parcel is, as far as its carrier knows.
    #[tool(annotations(read_only_hint = true))]
    async fn track_order(
        &self,
        Parameters(sent): Parameters<OneOrder>,
    ) -> Result<Success, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let carrier = self.desk().store.get(&caller.user, &sent.order_id)?.carrier;
        let position = carrier.locate().await?;
        let success = Success::new(json!({"place": position.place}));
        Ok(match position.age {
            None => success,
            Some(age) => {
                let stale = Warning::new(warning::STALE_CACHE);
                success.warning(stale.context("age_seconds", age.as_secs()))
            }
        })
    }

    /// All orders in few words, within a budget of tokens.
    #[tool(annotations(read_only_hint = true))]
    fn summarize_orders(
        &self,
        Parameters(sent): Parameters<Summarize>,
    ) -> Result<Success, OrderError> {
        let caller = self.caller(&sent.session_id)?;
        let mut desk = self.desk();
        let orders = desk.store.of(&caller.user);
        let migrated_from = desk.store.migrated_from;
        let archive = desk.store.archive();
        let (budget, style) = (sent.token_budget, sent.style);
        Ok(summary::summarize(
            &orders,
            budget,
            style,
            archive,
            migrated_from,
        ))
    }

    /// All orders as a file. It does not work yet, in three ways.
    #[tool(annotations(read_only_hint = true))]
    fn export_orders(&self, Parameters(sent): Parameters<Export>) -> Result<String, OrderError> {
        self.caller(&sent.session_id)?;
        match sent.format {
            Format::Csv => defect(),
            Format::Ledger => Err(OrderError::Ledger(io::Error::other(
                "/srv/orders/ledger.db: the disk is full",
            ))),
            Format::Pdf => Err(Fault::not_implemented("export_orders").into()),
        }
    }
}

#[tool_handler(
    name = "orders",
    instructions = "Call sign_in first; every other tool wants the session id it gives you."
)]
impl ServerHandler for Orders {}

#[expect(clippy::panic, reason = "a defect, for the sake of the example")]
fn defect() -> ! {
    panic!("the writer met a quotation mark in a note of /srv/orders/export.csv")
}
