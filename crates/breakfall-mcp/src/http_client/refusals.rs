//! Refusals that are not final: of a call that lacks headers, and of a handshake by a server that has none.

use std::sync::Arc;
use std::time::Duration;

use breakfall::wire::{Dialect, Options, Rpc, rpc_error_as};
use breakfall::{Origin, Stamp};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::message_headers::MessageHeaders;
use super::payload::Payload;
use super::session::UpstreamSession;
use super::transport::HttpTransport;
use crate::connection::{Inbound, LossReason};
use crate::error::REDACTOR;
use crate::jsonrpc::Kind;
use crate::list_pages::{ListPages, client_meta};
use crate::protocol::method;

impl HttpTransport {
    /// Lists the tools and returns the headers of a call; nothing if they are the same as before.
    pub(super) async fn learn_param_headers(
        &self,
        inbound: &Arc<Inbound>,
        session: &UpstreamSession,
        call: &Payload,
        before: &MessageHeaders,
    ) -> Option<MessageHeaders> {
        let call = call.bytes();
        let listing = timeout(LIST_TIMEOUT, self.list_tools(inbound, session, &call));
        listing.await.ok()??;
        let mut headers = before.clone();
        headers.add(self.remote.param_headers().of_call(&call));
        (headers != *before).then_some(headers)
    }

    /// Lists the tools with the `_meta` of a call; nothing if that fails.
    async fn list_tools(
        &self,
        inbound: &Arc<Inbound>,
        session: &UpstreamSession,
        call: &[u8],
    ) -> Option<()> {
        let call: Value = serde_json::from_slice(call).ok()?;
        let meta = client_meta(&call["params"]["_meta"].to_string());
        let mut pages = ListPages::new(method::TOOLS_LIST, Some(meta));
        loop {
            let frame = pages.request()?;
            let headers = MessageHeaders::of(frame.bytes(), None);
            let asked = self.ask_own(inbound, session, frame, &headers).await;
            let (_, answer, _) = asked
                .ok()
                .filter(|(_, answer, _)| answer.kind() == Kind::Result)?;
            self.remote.param_headers().learn(answer.bytes());
            let result: Value = serde_json::from_str(answer.body()?).ok()?;
            if !pages.advance(result["nextCursor"].as_str().map(str::to_owned)) {
                return Some(());
            }
        }
    }
}

/// The refusal of a handshake as an error of the protocol, so that the client may try another version: a server without
/// a handshake need not answer in JSON-RPC. Any other failure is given back.
pub(super) fn as_answer(reason: LossReason, number: u64) -> Result<Vec<u8>, LossReason> {
    let refused = match reason {
        LossReason::Refused(refused) => refused,
        LossReason::Unreadable(_)
        | LossReason::Late(_)
        | LossReason::Gone
        | LossReason::Unsent(_) => return Err(reason),
    };
    if !matches!(
        refused.fault.public().http_status(),
        Some(400 | 404 | 405 | 406 | 409 | 410 | 415 | 422 | 426)
    ) {
        return Err(LossReason::Refused(refused));
    }
    let (id, now) = Stamp::System.take();
    let fault = refused.fault.detail("executed", "no");
    let fault = fault.origin(Origin::Upstream).correlation_id(id).at(now);
    let (shown, options) = (REDACTOR.fault(fault), Options::new());
    let public = shown.public();
    let error = rpc_error_as(Rpc::InvalidRequest, public, Dialect::Native, &options);
    let error = serde_json::to_value(error).unwrap_or_default();
    let answer = json!({"jsonrpc": "2.0", "id": number, "error": error});
    Ok(answer.to_string().into_bytes())
}

const LIST_TIMEOUT: Duration = Duration::from_secs(10);
