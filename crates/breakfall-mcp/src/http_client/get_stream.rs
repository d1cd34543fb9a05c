//! The stream of messages that belong to no request, opened with GET.

use std::sync::Arc;

use http::Method;
use tokio::time::sleep;

use super::faults::{is_event_stream, media_type};
use super::message_headers::for_get;
use super::payload::Payload;
use super::response::{ReplyTarget, ResponseReader};
use super::session::UpstreamSession;
use super::stream_position::StreamPosition;
use super::transport::HttpTransport;
use crate::connection::Inbound;

/// Reads the stream, and opens it again when it ends, until the server says that it has none.
pub(super) async fn run(
    transport: Arc<HttpTransport>,
    inbound: Arc<Inbound>,
    session: UpstreamSession,
) {
    let mut position = StreamPosition::default();
    let mut failures = 0;
    loop {
        let headers = || for_get(&session.headers, position.last_event_id());
        let sent = transport
            .remote
            .send(&Method::GET, headers, Payload::default(), None);
        if let Ok(response) = sent.await {
            let (parts, body) = response.into_parts();
            let is_stream = media_type(&parts).is_some_and(is_event_stream);
            match parts.status.as_u16() {
                200 if is_stream => {
                    failures = 0;
                    let reader = ResponseReader {
                        remote: &transport.remote,
                        inbound: &inbound,
                        target: ReplyTarget::None,
                        headers: &session.headers,
                        is_in_session: session.has_id(),
                    };
                    // Whatever ends it, it is opened again.
                    let _ = reader
                        .read_events(&parts.headers, body, &mut position)
                        .await;
                }
                // It may be available later.
                429 | 500..=599 => {}
                // The server has no stream, or has forgotten the session, which the next request will notice.
                _ => return,
            }
        }
        sleep(position.wait(failures)).await;
        failures += 1;
    }
}
