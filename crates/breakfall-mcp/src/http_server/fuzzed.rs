//! A request as the front judges it, without a connection: for the fuzz targets.

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use serde_json::Value;

use super::claim::{Claim, METHOD, claim};
use super::events::EventId;
use super::gate::Gate;
use super::head::{LAST_EVENT_ID, check_get, check_post, prefers_events, single};
use super::refused::Refused;
use crate::jsonrpc::{Frame, FrameLimits, Kind};

/// Judges a request: headers as lines of `name: value`, an empty line, a body.
///
/// # Panics
/// When something does not hold that has to: a refusal is an error of the protocol, what may come from here may not
/// come from elsewhere, and a request that stands for itself says in its headers what it says in its body.
pub fn judge(bytes: &[u8]) {
    let at = memchr::memmem::find(bytes, b"\n\n");
    let (heads, body) = at.map_or((bytes, &b""[..]), |at| (&bytes[..at], &bytes[at + 2..]));
    let headers = headers(heads);
    check_origin(&headers);
    let checks = [check_post(&headers), check_get(&headers)];
    checks.into_iter().for_each(refused);
    let _ = prefers_events(&headers);
    if let Ok(Some(last)) = single(&headers, &LAST_EVENT_ID)
        && let Some(id) = EventId::parse(last)
    {
        assert_eq!(EventId::parse(&id.to_string()), Some(id));
    }
    let Ok(frame) = Frame::parse(body.to_vec(), &FrameLimits::REQUEST) else {
        return;
    };
    match claim(&frame, &headers) {
        Ok(Claim::Modern) => {
            let said: Vec<_> = headers.get_all(METHOD).iter().collect();
            assert_eq!(said.len(), 1);
            let said = said[0].to_str().map(str::trim).ok();
            assert_eq!(said, Some(&*frame.method()));
        }
        Ok(Claim::Opening) => assert_eq!(frame.method(), "initialize"),
        Ok(Claim::Session) => {
            assert!(frame.kind() != Kind::Request || frame.method() != "server/discover");
        }
        Err(refusal) => refused(Err(refusal)),
    }
}

fn headers(lines: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines.split(|byte| *byte == b'\n').take(MOST) {
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
    let gate = Gate::new(here, ["gateway.test"], ["https://page.test"]);
    let uri = Uri::from_static("/mcp");
    let mut stolen = headers.clone();
    stolen.insert(ORIGIN, HeaderValue::from_static("https://elsewhere.test"));
    assert!(gate.check(&uri, &stolen).is_err());
    stolen.remove(ORIGIN);
    stolen.insert(HOST, HeaderValue::from_static("elsewhere.test"));
    assert!(gate.check(&uri, &stolen).is_err());
    refused(gate.check(&uri, headers));
}

/// Whatever is refused is an error of the protocol.
fn refused(judged: Result<(), Refused>) {
    if let Err(refusal) = judged {
        assert!(refusal.status().is_client_error());
        let body: Value = serde_json::from_slice(&refusal.message_bytes(None)).expect("JSON");
        assert!(body["error"]["code"].is_i64() && body["error"]["message"].is_string());
    }
}

const MOST: usize = 64;

#[cfg(test)]
mod tests {
    #[test]
    fn requests_of_every_kind_hold_what_has_to() {
        let requests: [&[u8]; 5] = [
            b"",
            b"host: 127.0.0.1:7332\naccept: */*\ncontent-type: application/json\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            b"host: localhost:7332\nmcp-protocol-version: 2026-07-28\nmcp-method: tools/call\nmcp-name: =?base64?eA==?=\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
            b"host: evil.test\norigin: null\nlast-event-id: 1_2\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}",
            b"mcp-session-id: a\nmcp-session-id: b\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        ];
        requests.into_iter().for_each(super::judge);
    }
}
