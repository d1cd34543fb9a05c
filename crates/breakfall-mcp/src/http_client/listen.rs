//! Hears what the server says of its own accord, if it has a stream for that.

use std::sync::Arc;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use tokio::time::sleep;

use super::answer::{Hearing, Place, To};
use super::courier::Courier;
use super::failure::media_type;
use super::heads::LAST_EVENT;
use super::load::Load;
use super::session::Session;
use crate::connection::Inbound;

/// Listens until told otherwise, or until the server says that there is nothing to hear.
pub(super) async fn run(courier: Arc<Courier>, ear: Arc<Inbound>, session: Session) {
    let mut place = Place::default();
    let mut failures = 0;
    loop {
        let heads = || heads(&session.heads, &place);
        let asked = courier
            .remote
            .send(&Method::GET, heads, Load::default(), None);
        if let Ok(response) = asked.await {
            let (parts, body) = response.into_parts();
            let kind = media_type(&parts).unwrap_or_default();
            let is_stream = kind.eq_ignore_ascii_case("text/event-stream");
            match parts.status.as_u16() {
                200 if is_stream => {
                    failures = 0;
                    let hearing = Hearing {
                        remote: &courier.remote,
                        ear: &ear,
                        to: To::Nobody,
                        heads: &session.heads,
                        is_in_session: session.is_named(),
                    };
                    // However it ends, it is begun again.
                    let _ = hearing.events(&parts.headers, body, &mut place).await;
                }
                // It may have no such thing now, and have it later.
                429 | 500..=599 => {}
                // It has no such thing, or does not know the session: the next request will tell.
                _ => return,
            }
        }
        sleep(place.wait(failures)).await;
        failures += 1;
    }
}

fn heads(session: &HeaderMap, place: &Place) -> HeaderMap {
    let mut heads = session.clone();
    heads.remove(CONTENT_TYPE);
    heads.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let Some(id) = HeaderValue::from_bytes(&place.id)
        .ok()
        .filter(|id| !id.is_empty())
    {
        heads.insert(LAST_EVENT, id);
    }
    heads
}
