//! Notifications are sent one after the other, a cancellation not before the request it cancels.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use tokio::time::timeout;

use super::in_flight::InFlight;
use super::message_headers::MessageHeaders;
use super::payload::Payload;
use super::response::{ReadOutcome, ReplyTarget, ResponseReader};
use super::session::UpstreamSession;
use super::transport::HttpTransport;
use crate::connection::{Inbound, LossReason};
use crate::jsonrpc::{Frame, FrameLimits, RawMessage, cancelled_id};
use crate::protocol::method;

/// An item of the queue of notifications.
#[derive(Debug)]
pub(super) enum NotificationItem {
    Send(QueuedNotification),
    Close,
}

/// A notification, or the reply to a request of the server.
#[derive(Debug)]
pub(super) struct QueuedNotification {
    pub(super) payload: Payload,
    pub(super) headers: MessageHeaders,
    pub(super) in_flight: Arc<InFlight>,
    pub(super) kind: NotificationKind,
}

/// The notifications that the transport treats differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotificationKind {
    /// The end of the handshake.
    Initialized,
    /// The cancellation of a request.
    Cancelled(u64),
    Other,
}

impl HttpTransport {
    /// Sends one notification and does what follows from it.
    pub(super) async fn deliver(
        self: &Arc<Self>,
        inbound: &Arc<Inbound>,
        notification: QueuedNotification,
    ) {
        let QueuedNotification {
            payload,
            headers,
            in_flight,
            kind,
        } = notification;
        let cancelled = match kind {
            NotificationKind::Cancelled(number) => self.in_flight(number),
            NotificationKind::Initialized | NotificationKind::Other => None,
        };
        if let Some(cancelled) = cancelled {
            // A request must not arrive after its cancellation.
            let _ = timeout(REQUEST_LEAVES_TIMEOUT, cancelled.left()).await;
        }
        let posting = self.post_renewing(inbound, payload, &headers, &in_flight);
        match timeout(NOTIFICATION_TIMEOUT, posting).await {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => self.log("the server did not accept a notification", &reason),
            Err(_) => tracing::warn!(
                upstream = self.remote.name(),
                "the server did not accept a notification in time"
            ),
        }
        match kind {
            NotificationKind::Initialized => {
                self.open_get_stream(inbound);
                self.release();
            }
            NotificationKind::Cancelled(number) => self.abandon(number),
            NotificationKind::Other => {}
        }
    }

    /// Posts a notification, in a new session if the server has forgotten the current one.
    async fn post_renewing(
        self: &Arc<Self>,
        inbound: &Arc<Inbound>,
        payload: Payload,
        headers: &MessageHeaders,
        in_flight: &Arc<InFlight>,
    ) -> Result<(), LossReason> {
        let kept = payload.kept();
        let session = self.session();
        let outcome = self.post_notification(inbound, &session, payload, headers, in_flight);
        if outcome.await? == ReadOutcome::Complete {
            return Ok(());
        }
        self.renew(inbound, session.generation).await?;
        if let Some(payload) = kept {
            let session = self.session();
            self.post_notification(inbound, &session, payload, headers, in_flight)
                .await?;
        }
        Ok(())
    }

    pub(super) async fn post_notification(
        &self,
        inbound: &Inbound,
        session: &UpstreamSession,
        payload: Payload,
        headers: &MessageHeaders,
        in_flight: &Arc<InFlight>,
    ) -> Result<ReadOutcome, LossReason> {
        let all = || headers.over(&session.headers);
        let sent = self
            .remote
            .send(&Method::POST, all, payload, Some(in_flight));
        let response = sent.await?;
        if response.status().is_success() {
            return Ok(ReadOutcome::Complete);
        }
        let reader = ResponseReader {
            remote: &self.remote,
            inbound,
            target: ReplyTarget::None,
            headers: &session.headers,
            is_in_session: session.has_id(),
        };
        reader.read(response).await
    }
}

/// The kind of a notification.
pub(super) fn notification_kind(message: &RawMessage) -> NotificationKind {
    if is_of(message, method::INITIALIZED) {
        return NotificationKind::Initialized;
    }
    if !is_of(message, method::CANCELLED) {
        return NotificationKind::Other;
    }
    let frame = Frame::parse(message.to_bytes(), &FrameLimits::REQUEST).ok();
    let id = frame.and_then(|frame| Some(cancelled_id(&frame)?.1));
    let number = id.and_then(|id| id.as_json().parse().ok());
    number.map_or(NotificationKind::Other, NotificationKind::Cancelled)
}

/// Whether a message has a method. It is parsed only if the name occurs in it.
pub(super) fn is_of(message: &RawMessage, method: &str) -> bool {
    let bytes = message.original();
    if bytes.len() > MAX_PROTOCOL_MESSAGE_BYTES || !message.may_contain(method) {
        return false;
    }
    let frame = Frame::parse(bytes.to_vec(), &FrameLimits::REQUEST);
    frame.is_ok_and(|frame| frame.method() == method)
}

/// Messages of the protocol itself are not longer.
const MAX_PROTOCOL_MESSAGE_BYTES: usize = 64 << 10;
/// How long a cancellation waits for its request to leave.
const REQUEST_LEAVES_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the server may take to accept a notification.
const NOTIFICATION_TIMEOUT: Duration = Duration::from_secs(30);
