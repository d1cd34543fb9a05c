//! The checks of a request without a connection, for the fuzz targets.

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use serde_json::Value;

use super::event_stream::EventId;
use super::header_check::{METHOD, MessageScope, check_headers};
use super::headers::{LAST_EVENT_ID, check_get, check_post, prefers_events, single};
use super::origin_policy::OriginPolicy;
use super::refusal::HttpRefusal;
use crate::error::ReplyOptions;
use crate::jsonrpc::{Frame, FrameLimits, Kind};

/// Checks a request: headers as lines of `name: value`, an empty line, a body.
///
/// # Panics
/// When an invariant does not hold: a refusal is a JSON-RPC error, a foreign origin or host is refused, and a request
/// without a session has headers equal to its body.
pub fn check(bytes: &[u8]) {
    let at = memchr::memmem::find(bytes, b"\n\n");
    let (heads, body) = at.map_or((bytes, &b""[..]), |at| (&bytes[..at], &bytes[at + 2..]));
    let headers = headers(heads);
    check_origin(&headers);
    let checks = [check_post(&headers), check_get(&headers)];
    checks.into_iter().for_each(check_refusal);
    let _ = prefers_events(&headers);
    if let Ok(Some(last)) = single(&headers, &LAST_EVENT_ID)
        && let Some(id) = EventId::parse(last)
    {
        assert_eq!(EventId::parse(&id.to_string()), Some(id));
    }
    let Ok(frame) = Frame::parse(body.to_vec(), &FrameLimits::REQUEST) else {
        return;
    };
    match check_headers(&frame, &headers) {
        Ok(MessageScope::Stateless) => {
            let said: Vec<_> = headers.get_all(METHOD).iter().collect();
            assert_eq!(said.len(), 1);
            let said = said[0].to_str().map(str::trim).ok();
            assert_eq!(said, Some(&*frame.method()));
        }
        Ok(MessageScope::Handshake) => assert_eq!(frame.method(), "initialize"),
        Ok(MessageScope::Session) => {
            assert!(frame.kind() != Kind::Request || frame.method() != "server/discover");
        }
        Err(refusal) => check_refusal(Err(refusal)),
    }
}

fn headers(lines: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines.split(|byte| *byte == b'\n').take(MAX_HEADERS) {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let name = HeaderName::from_bytes(line[..colon].trim_ascii());
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    headers
}

fn check_origin(headers: &HeaderMap) {
    let here = ([127, 0, 0, 1], 7332).into();
    let policy = OriginPolicy::new(here, ["gateway.test"], ["https://page.test"]);
    let uri = Uri::from_static("/mcp");
    let mut foreign = headers.clone();
    foreign.insert(ORIGIN, HeaderValue::from_static("https://elsewhere.test"));
    assert!(policy.check(&uri, &foreign).is_err());
    foreign.remove(ORIGIN);
    foreign.insert(HOST, HeaderValue::from_static("elsewhere.test"));
    assert!(policy.check(&uri, &foreign).is_err());
    check_refusal(policy.check(&uri, headers));
}

/// A refusal is a JSON-RPC error.
fn check_refusal(checked: Result<(), HttpRefusal>) {
    if let Err(refusal) = checked {
        assert!(refusal.status().is_client_error());
        let message = refusal.message_bytes(None, &ReplyOptions::default());
        let body: Value = serde_json::from_slice(&message).expect("JSON");
        assert!(body["error"]["code"].is_i64() && body["error"]["message"].is_string());
    }
}

const MAX_HEADERS: usize = 64;

#[cfg(test)]
mod tests {
    #[test]
    fn requests_of_every_kind_hold_the_invariants() {
        let requests: [&[u8]; 5] = [
            b"",
            b"host: 127.0.0.1:7332\naccept: */*\ncontent-type: application/json\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            b"host: localhost:7332\nmcp-protocol-version: 2026-07-28\nmcp-method: tools/call\nmcp-name: =?base64?eA==?=\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
            b"host: evil.test\norigin: null\nlast-event-id: 1_2\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}",
            b"mcp-session-id: a\nmcp-session-id: b\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        ];
        requests.into_iter().for_each(super::check);
    }
}
