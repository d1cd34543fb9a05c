//! How answers and streams are written as HTTP responses.

use std::sync::{Arc, Weak};

use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use tokio::time::timeout;

use super::connection_state::ConnectionState;
use super::event_queue::EventQueue;
use super::event_stream::{EventStream, KEEP_ALIVE, encode_event};
use super::exchange::{ExchangeReader, FirstReply};
use super::headers::EVENTS;
use super::http_session::SessionGuard;
use super::refusal::{HttpRefusal, JSON};
use super::response_body::ResponseBody;
use super::status::status;
use super::unread_answers::UnreadAnswers;
use crate::connection::FinalReply;

/// Waits for the first message: the answer, or else a response that streams.
pub(super) async fn first_reply(
    reader: ExchangeReader,
    session: Option<SessionGuard>,
) -> Result<FinalReply, Response<ResponseBody>> {
    let first = if let Ok(first) = timeout(KEEP_ALIVE, reader.first()).await {
        first
    } else {
        reader.exchange().start_stream();
        reader.first().await
    };
    match first {
        FirstReply::Answer(last) => Ok(last),
        FirstReply::Stream(queue) => {
            let on_close = move |taken_by: Option<Weak<ConnectionState>>| {
                if let Some(connection) = taken_by {
                    reader.set_delivered(connection);
                }
                drop((reader, session));
            };
            Err(stream(EventStream::new(queue, on_close)))
        }
        FirstReply::Nothing => {
            let queue = Arc::<EventQueue>::default();
            queue.end();
            Err(stream(EventStream::new(queue, |_| {})))
        }
    }
}

/// An answer as JSON, unless the client is closed because it does not read its answers.
pub(super) fn json(
    last: FinalReply,
    has_session: bool,
    unread: &Arc<UnreadAnswers>,
) -> Result<Response<ResponseBody>, HttpRefusal> {
    let body = ResponseBody::message(last.message, unread);
    let mut response = Response::new(body.ok_or_else(HttpRefusal::unread_answers)?);
    *response.status_mut() = status(last.code, has_session);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    if let Some(challenge) = last.challenge {
        if let Some(authenticate) = challenge.authenticate {
            headers.insert(WWW_AUTHENTICATE, authenticate);
        }
        *response.status_mut() = challenge.status;
    }
    let is_error = response.status() != StatusCode::OK;
    if let Some(seconds) = last.retry_after.filter(|_| is_error) {
        let seconds = HeaderValue::from(seconds);
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    Ok(response)
}

/// An answer as a stream of one event, for a client that prefers one.
pub(super) fn single_event(
    last: &FinalReply,
    unread: &Arc<UnreadAnswers>,
) -> Response<ResponseBody> {
    let queue = EventQueue::of(unread);
    queue.push(encode_event(None, &last.message));
    queue.end();
    stream(EventStream::new(queue, |_| {}))
}

pub(super) fn stream(events: EventStream) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::events(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// The response to a message that has no answer.
pub(super) fn accepted() -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// The response to a request that has been carried out and has no answer.
pub(super) fn no_content() -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// Tells nginx not to buffer a stream.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

#[cfg(test)]
mod tests {
    use super::super::unread_answers::AnswerBudget;
    use super::*;
    use crate::access::Principal;
    use crate::connection::AuthChallenge;

    #[test]
    fn an_error_status_carries_retry_after() {
        let last = |challenge| FinalReply {
            message: b"{}".to_vec().into(),
            code: Some(-32603),
            challenge,
            retry_after: Some(7),
        };
        let refusal = AuthChallenge {
            status: StatusCode::FORBIDDEN,
            authenticate: None,
        };
        let unread = UnreadAnswers::new(&AnswerBudget::new(usize::MAX), Principal::Anonymous);
        let json = |last| json(last, false, &unread).expect("the client is open");
        let response = json(last(Some(refusal)));
        assert_eq!(response.headers()[RETRY_AFTER], "7");
        let response = json(last(None));
        assert_eq!(response.status(), StatusCode::OK);
        assert!(!response.headers().contains_key(RETRY_AFTER));
    }
}
