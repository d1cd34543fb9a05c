//! The headers of a request: those of every request, and those in which the modern protocol repeats the message.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::access::Credentials;
use crate::connection::TransportHeaders;
use crate::jsonrpc::{may_contain, object};
use crate::protocol::{meta, method};

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The headers of every request, in addition to the configured ones.
pub(super) fn basic(configured: &HeaderMap, credentials: Option<&Credentials>) -> HeaderMap {
    let mut headers = configured.clone();
    if let Some(credentials) = credentials {
        headers.insert(AUTHORIZATION, credentials.authorization().clone());
    }
    let json = HeaderValue::from_static("application/json");
    let either = HeaderValue::from_static("application/json, text/event-stream");
    headers.insert(CONTENT_TYPE, json);
    headers.insert(ACCEPT, either);
    headers
}

/// The headers of a GET that opens a stream, or continues it after an event.
pub(super) fn for_get(session: &HeaderMap, last_event_id: Option<HeaderValue>) -> HeaderMap {
    let mut headers = session.clone();
    headers.remove(CONTENT_TYPE);
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let Some(id) = last_event_id {
        headers.insert(LAST_EVENT_ID, id);
    }
    headers
}

/// The headers of one message.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct MessageHeaders {
    /// They replace others of the same name.
    headers: HeaderMap,
    /// The message is of the protocol without sessions.
    pub(super) is_modern: bool,
}

impl MessageHeaders {
    /// The headers of a message outside a session: those the client sent, and otherwise those derived from the message.
    pub(super) fn of(message: &[u8], extra: Option<&TransportHeaders>) -> Self {
        let given = extra.map(|extra| &extra.headers);
        let mut all = Self {
            headers: HeaderMap::new(),
            is_modern: Self::are_given(extra) || is_modern(message),
        };
        if !all.is_modern {
            return all;
        }
        for (name, value) in given.into_iter().flatten() {
            if name.as_str().starts_with("mcp-") && *name != SESSION_ID {
                all.headers.append(name, value.clone());
            }
        }
        let has = |name: &HeaderName| all.headers.contains_key(name);
        if !(has(&PROTOCOL_VERSION) && has(&METHOD) && has(&NAME)) {
            all.derive(message);
        }
        all
    }

    fn derive(&mut self, message: &[u8]) {
        let Ok(message) = serde_json::from_slice::<MessageEnvelope<'_>>(message) else {
            return;
        };
        let params = message
            .params
            .and_then(|params| object::<NamedParams<'_>>(params.get()));
        let params = params.unwrap_or_default();
        let name = match &*message.method {
            method::TOOLS_CALL | method::PROMPTS_GET => params.name,
            method::RESOURCES_READ => params.uri,
            method if method.starts_with(method::TASKS_PREFIX) => params.task,
            _ => None,
        };
        let version = params
            .meta
            .and_then(|meta| object::<VersionMeta<'_>>(meta.get()));
        let version = version.and_then(|meta| meta.version);
        let found = [
            (PROTOCOL_VERSION, version.and_then(parse::<Cow<'_, str>>)),
            (METHOD, Some(message.method)),
            (NAME, name.and_then(parse::<Cow<'_, str>>)),
        ];
        for (header, text) in found {
            if let Some(text) = text {
                self.headers
                    .entry(header)
                    .or_insert_with(|| header_value(&text));
            }
        }
    }

    /// Whether the client sent headers, so that none are derived.
    pub(super) fn are_given(extra: Option<&TransportHeaders>) -> bool {
        extra.is_some_and(TransportHeaders::has_spoken)
    }

    pub(super) fn add(&mut self, headers: HeaderMap) {
        self.headers.extend(headers);
    }

    /// Those of the session with these over them.
    pub(super) fn over(&self, session: &HeaderMap) -> HeaderMap {
        let mut all = session.clone();
        if !self.headers.is_empty() {
            all.extend(self.headers.clone());
        }
        all
    }
}

/// Whether a message states its protocol version itself.
fn is_modern(message: &[u8]) -> bool {
    if !may_contain(message, meta::PROTOCOL_VERSION) {
        return false;
    }
    let message = serde_json::from_slice::<MessageEnvelope<'_>>(message).ok();
    let params = message.and_then(|message| message.params);
    let params = params.and_then(|params| object::<NamedParams<'_>>(params.get()));
    let meta = params.and_then(|params| params.meta);
    let meta = meta.and_then(|meta| object::<VersionMeta<'_>>(meta.get()));
    meta.is_some_and(|meta| meta.version.is_some())
}

/// A text as a header value. It is encoded if a header cannot carry it, or if it would read as encoded.
pub(super) fn header_value(text: &str) -> HeaderValue {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim_matches(' ') == text
        && !text.starts_with("=?base64?");
    let plain = is_plain.then(|| HeaderValue::from_str(text));
    if let Some(Ok(plain)) = plain {
        return plain;
    }
    let encoded = format!("=?base64?{}?=", STANDARD.encode(text));
    HeaderValue::try_from(encoded).expect("base64 is plain")
}

fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

#[derive(Deserialize)]
struct MessageEnvelope<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct NamedParams<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    task: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct VersionMeta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(message: &MessageHeaders) -> Vec<String> {
        let all = message.headers.iter();
        let mut all: Vec<_> = all
            .map(|(name, value)| format!("{name}: {}", value.to_str().expect("plain")))
            .collect();
        all.sort();
        all
    }

    fn modern(method: &str, params: &str) -> String {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{meta}}}}}"#)
    }

    #[test]
    fn a_modern_message_is_repeated_in_headers() {
        let cases = [
            ("tools/call", r#""name":"add","#, Some("mcp-name: add")),
            (
                "tools/call",
                r#""name":"größe","#,
                Some("mcp-name: =?base64?Z3LDtsOfZQ==?="),
            ),
            (
                "tools/call",
                r#""name":" a","#,
                Some("mcp-name: =?base64?IGE=?="),
            ),
            (
                "resources/read",
                r#""uri":"file:///x","name":"n","#,
                Some("mcp-name: file:///x"),
            ),
            ("tasks/get", r#""taskId":"7","#, Some("mcp-name: 7")),
            ("tools/list", "", None),
        ];
        for (method, params, name) in cases {
            let headers = MessageHeaders::of(modern(method, params).as_bytes(), None);
            assert!(headers.is_modern);
            let mut want = vec![
                format!("mcp-method: {method}"),
                "mcp-protocol-version: 2026-07-28".to_owned(),
            ];
            want.extend(name.map(str::to_owned));
            want.sort();
            assert_eq!(lines(&headers), want);
        }
        let legacy = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
        assert!(lines(&MessageHeaders::of(legacy, None)).is_empty());
    }

    #[test]
    fn headers_of_the_client_are_forwarded_but_not_its_session_or_token() {
        let mut extra = TransportHeaders::default();
        let given = [
            ("mcp-method", "tools/call"),
            ("mcp-name", "other"),
            ("mcp-param-region", "eu"),
            ("mcp-session-id", "theirs"),
            ("authorization", "Bearer t"),
        ];
        for (name, value) in given {
            extra.headers.insert(name, HeaderValue::from_static(value));
        }
        let message = modern("tools/call", r#""name":"add","#);
        let headers = MessageHeaders::of(message.as_bytes(), Some(&extra));
        let want = [
            "mcp-method: tools/call",
            "mcp-name: other",
            "mcp-param-region: eu",
            "mcp-protocol-version: 2026-07-28",
        ];
        assert_eq!(lines(&headers), want);
    }
}
