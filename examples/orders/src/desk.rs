//! Everything the tools share: the orders, the sessions, what was counted and what was agreed to.

use breakfall::confirm::{
    ArgumentsHash, CallScope, ClockSkew, ConfirmationToken, TokenBook, TokenGrant, TokenPurpose,
    TokenRefusal,
};
use breakfall::gate::DangerLevel;
use breakfall::{Fault, Timestamp};
use serde_json::json;

use crate::demo;
use crate::error::OrderError;
use crate::ids::{InvalidId, OrderId, UserId};
use crate::limit::Limit;
use crate::session::Sessions;
use crate::store::Store;

#[derive(Debug)]
pub struct Desk {
    pub store: Store,
    pub sessions: Sessions,
    pub limit: Limit,
    tokens: TokenBook,
}

impl Desk {
    /// A desk with the data of the demo.
    pub fn demo(now: Timestamp) -> Result<Self, InvalidId> {
        Ok(Self {
            store: demo::store()?,
            sessions: demo::sessions(now)?,
            limit: Limit::default(),
            tokens: TokenBook::default(),
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
        let ids: Vec<String> = orders.iter().map(OrderId::to_string).collect();
        let arguments = json!({"order_ids": ids}).to_string();
        let arguments = ArgumentsHash::of(&arguments, None).map_err(internal)?;
        let user = user.to_string();
        let call = CallScope::new(Some(&user), "orders", DELETION, arguments);
        match token {
            Some(token) => {
                let refusal = self.redeem(token, &call, now).err();
                let fault = refusal.map(|refusal| refusal.fault(token, DELETION, now));
                fault.map_or(Ok(()), |fault| Err(fault.into()))
            }
            None => Err(self.ask(call, now)?.into()),
        }
    }

    fn redeem(
        &mut self,
        token: &str,
        call: &CallScope,
        now: Timestamp,
    ) -> Result<(), TokenRefusal> {
        let token = ConfirmationToken::parse(token).ok_or(TokenRefusal::Invalid)?;
        let purpose = TokenPurpose::Confirmation;
        self.tokens
            .consume(&token.hash(), purpose, call, now, ClockSkew::NONE)
    }

    fn ask(&mut self, call: CallScope, now: Timestamp) -> Result<Fault, Fault> {
        let token = ConfirmationToken::random(TokenPurpose::Confirmation).map_err(internal)?;
        let record = TokenGrant::new(call, DangerLevel::Destructive).at(now);
        let (danger, expires_at) = (record.danger.as_str(), record.expires_at);
        self.tokens.issue(token.hash(), record).map_err(internal)?;
        let ask = Fault::confirmation_required(DELETION, danger, token.reveal(), expires_at);
        Ok(ask.detail("reasons", vec!["deleted orders cannot be had back"]))
    }
}

fn internal(error: impl std::error::Error + Send + Sync + 'static) -> Fault {
    Fault::internal().caused_by(error)
}

const DELETION: &str = "delete_orders";
