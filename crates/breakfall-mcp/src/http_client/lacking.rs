//! Refusals that are not the last word: of a call that lacks headers nobody knew of, and of a handshake by a server that
//! may have none.

use std::sync::Arc;
use std::time::Duration;

use breakfall::wire::{Dialect, Options, Rpc, rpc_error_as};
use breakfall::{Origin, Stamp};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::courier::Courier;
use super::heads::Beside;
use super::load::Load;
use super::session::Session;
use crate::connection::{Inbound, LossReason};
use crate::jsonrpc::{Frame, FrameLimits, Kind};

impl Courier {
    /// What belongs beside a call, once the tools are listed anew; nothing if that is no more than was there before.
    pub(super) async fn dress(
        &self,
        ear: &Arc<Inbound>,
        session: &Session,
        call: &Load,
        before: &Beside,
    ) -> Option<Beside> {
        let call = call.bytes();
        let learning = timeout(LEARNING, self.learn(ear, session, &call));
        learning.await.ok()??;
        let mut beside = before.clone();
        beside.add(self.remote.0.mirrors.beside(&call));
        (beside != *before).then_some(beside)
    }

    /// Lists the tools, in the name of whoever calls one. Nothing if that fails.
    async fn learn(&self, ear: &Arc<Inbound>, session: &Session, call: &[u8]) -> Option<()> {
        let call: Value = serde_json::from_slice(call).ok()?;
        let meta = call["params"]["_meta"].as_object()?;
        let is_of_protocol = |key: &str| key.starts_with("io.modelcontextprotocol/");
        let meta = meta.iter().filter(|(key, _)| is_of_protocol(key));
        let meta: Map<String, Value> = meta
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let mut params = json!({"_meta": meta});
        for _ in 0..MOST_PAGES {
            let list = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list", "params": params});
            let frame = Frame::parse(list.to_string().into_bytes(), &FrameLimits::REQUEST).ok()?;
            let beside = Beside::of(frame.bytes(), None);
            let asked = self.ask_own(ear, session, frame, &beside).await;
            let (_, answer, _) = asked
                .ok()
                .filter(|(_, answer, _)| answer.kind() == Kind::Result)?;
            self.remote.0.mirrors.learn(answer.bytes());
            let result: Value = serde_json::from_str(answer.body()?).ok()?;
            match result["nextCursor"].as_str() {
                Some(next) => params["cursor"] = next.into(),
                None => break,
            }
        }
        Some(())
    }
}

/// A refusal as an answer in words, so that whoever asked may ask otherwise: a server that has no handshake need not
/// have words of the protocol for that. Any other failure is given back.
pub(super) fn in_words(why: LossReason, number: u64) -> Result<Vec<u8>, LossReason> {
    let status = match &why {
        LossReason::Refused(refused) => refused.fault.public().http_status(),
        LossReason::Unreadable(_)
        | LossReason::Late(_)
        | LossReason::Gone
        | LossReason::Unsent(_) => None,
    };
    let is_about_form = matches!(
        status,
        Some(400 | 404 | 405 | 406 | 409 | 410 | 415 | 422 | 426)
    );
    let refused = match why {
        LossReason::Refused(refused) if is_about_form => refused,
        LossReason::Refused(_)
        | LossReason::Unreadable(_)
        | LossReason::Late(_)
        | LossReason::Gone
        | LossReason::Unsent(_) => {
            return Err(why);
        }
    };
    let (id, now) = Stamp::System.take();
    let fault = refused.fault.detail("executed", "no");
    let fault = fault.origin(Origin::Upstream).correlation_id(id).at(now);
    let (public, options) = (fault.public(), Options::new());
    let error = rpc_error_as(Rpc::InvalidRequest, public, Dialect::Native, &options);
    let error = serde_json::to_value(error).unwrap_or_default();
    let answer = json!({"jsonrpc": "2.0", "id": number, "error": error});
    Ok(answer.to_string().into_bytes())
}

/// How long it may take to list the tools.
const LEARNING: Duration = Duration::from_secs(10);
const MOST_PAGES: usize = 100;
