//! The headers of requests: what every one has, what a session adds, and what the modern protocol says twice.

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

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// What every request says, besides what is configured.
pub(super) fn basic(configured: &HeaderMap, credentials: Option<&Credentials>) -> HeaderMap {
    let mut heads = configured.clone();
    if let Some(credentials) = credentials {
        heads.insert(AUTHORIZATION, credentials.authorization().clone());
    }
    let json = HeaderValue::from_static("application/json");
    let either = HeaderValue::from_static("application/json, text/event-stream");
    heads.insert(CONTENT_TYPE, json);
    heads.insert(ACCEPT, either);
    heads
}

/// What is said beside one message only.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Beside {
    /// In the place of whatever else there is of the same name.
    headers: HeaderMap,
    /// The message is of the protocol that has no sessions.
    pub(super) is_modern: bool,
}

impl Beside {
    /// Of a message outside of a session, which needs none. What came beside it goes on, and what did not is taken from the message.
    pub(super) fn of(message: &[u8], extra: Option<&TransportHeaders>) -> Self {
        let came = extra.map(|extra| &extra.headers);
        let mut beside = Self {
            headers: HeaderMap::new(),
            is_modern: Self::has_spoken(extra) || is_modern(message),
        };
        if !beside.is_modern {
            return beside;
        }
        for (name, value) in came.into_iter().flatten() {
            if name.as_str().starts_with("mcp-") && *name != SESSION {
                beside.headers.append(name, value.clone());
            }
        }
        let has = |name: &HeaderName| beside.headers.contains_key(name);
        if !(has(&VERSION) && has(&METHOD) && has(&NAME)) {
            beside.derive(message);
        }
        beside
    }

    fn derive(&mut self, message: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Envelope<'_>>(message) else {
            return;
        };
        let params = message
            .params
            .and_then(|params| object::<Params<'_>>(params.get()));
        let params = params.unwrap_or_default();
        let name = match &*message.method {
            "tools/call" | "prompts/get" => params.name,
            "resources/read" => params.uri,
            method if method.starts_with("tasks/") => params.task,
            _ => None,
        };
        let version = params.meta.and_then(|meta| object::<Meta<'_>>(meta.get()));
        let version = version.and_then(|meta| meta.version);
        let found = [
            (VERSION, version.and_then(parse::<Cow<'_, str>>)),
            (METHOD, Some(message.method)),
            (NAME, name.and_then(parse::<Cow<'_, str>>)),
        ];
        for (header, text) in found {
            if let Some(text) = text {
                self.headers.entry(header).or_insert_with(|| value(&text));
            }
        }
    }

    /// Whether whoever sent it speaks in headers, too, so that nothing is to be said for it.
    pub(super) fn has_spoken(extra: Option<&TransportHeaders>) -> bool {
        extra.is_some_and(TransportHeaders::has_spoken)
    }

    pub(super) fn add(&mut self, headers: HeaderMap) {
        self.headers.extend(headers);
    }

    /// All headers of the message.
    pub(super) fn on(&self, heads: &HeaderMap) -> HeaderMap {
        let mut all = heads.clone();
        if !self.headers.is_empty() {
            all.extend(self.headers.clone());
        }
        all
    }
}

/// Whether a message says the version of the protocol itself.
fn is_modern(message: &[u8]) -> bool {
    if !may_contain(message, "io.modelcontextprotocol/protocolVersion") {
        return false;
    }
    let message = serde_json::from_slice::<Envelope<'_>>(message).ok();
    let params = message.and_then(|message| message.params);
    let params = params.and_then(|params| object::<Params<'_>>(params.get()));
    let meta = params.and_then(|params| params.meta);
    let meta = meta.and_then(|meta| object::<Meta<'_>>(meta.get()));
    meta.is_some_and(|meta| meta.version.is_some())
}

/// A text as a header: what a header cannot carry is encoded, and so is what would read as if it were.
pub(super) fn value(text: &str) -> HeaderValue {
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
struct Envelope<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct Params<'a> {
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
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(beside: &Beside) -> Vec<String> {
        let all = beside.headers.iter();
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
    fn a_modern_message_says_in_headers_what_it_is() {
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
            let beside = Beside::of(modern(method, params).as_bytes(), None);
            assert!(beside.is_modern);
            let mut want = vec![
                format!("mcp-method: {method}"),
                "mcp-protocol-version: 2026-07-28".to_owned(),
            ];
            want.extend(name.map(str::to_owned));
            want.sort();
            assert_eq!(said(&beside), want);
        }
        let legacy = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
        assert!(said(&Beside::of(legacy, None)).is_empty());
    }

    #[test]
    fn what_came_beside_goes_on_but_for_sessions_and_tokens() {
        let mut extra = TransportHeaders::default();
        let came = [
            ("mcp-method", "tools/call"),
            ("mcp-name", "other"),
            ("mcp-param-region", "eu"),
            ("mcp-session-id", "theirs"),
            ("authorization", "Bearer t"),
        ];
        for (name, value) in came {
            extra.headers.insert(name, HeaderValue::from_static(value));
        }
        let message = modern("tools/call", r#""name":"add","#);
        let beside = Beside::of(message.as_bytes(), Some(&extra));
        let want = [
            "mcp-method: tools/call",
            "mcp-name: other",
            "mcp-param-region: eu",
            "mcp-protocol-version: 2026-07-28",
        ];
        assert_eq!(said(&beside), want);
    }
}
