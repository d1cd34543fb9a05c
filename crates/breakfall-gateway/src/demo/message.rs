//! What the server writes.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use breakfall_mcp::jsonrpc::Id;

/// Lines on their way to the client.
#[derive(Debug, Default)]
pub(super) struct Outbox(Vec<u8>);

impl Outbox {
    /// The good answer to a request.
    pub(super) fn result(&mut self, id: &Id, result: &Value) {
        self.write(&Message {
            id: Some(raw(id)),
            result: Some(result),
            ..Message::default()
        });
    }

    /// The bad answer to a request.
    pub(super) fn error(&mut self, id: &Id, error: &Refused) {
        self.write(&Message {
            id: Some(raw(id)),
            error: Some(error),
            ..Message::default()
        });
    }

    /// A complaint about something that has no id, or none that can be read. Versions differ on how to say that.
    pub(super) fn complaint(&mut self, null_id: bool, error: &Refused) {
        let null = || RawValue::from_string("null".into()).expect("null is JSON");
        self.write(&Message {
            id: null_id.then(null),
            error: Some(error),
            ..Message::default()
        });
    }

    /// A request of ours.
    pub(super) fn request(&mut self, id: &Id, method: &str, params: &Value) {
        self.write(&Message {
            id: Some(raw(id)),
            method: Some(method),
            params: Some(params),
            ..Message::default()
        });
    }

    /// A notification.
    pub(super) fn notification(&mut self, method: &str, params: &Value) {
        self.write(&Message {
            method: Some(method),
            params: Some(params),
            ..Message::default()
        });
    }

    /// Bytes that are no message.
    pub(super) fn noise(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Everything so far.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }

    fn write(&mut self, message: &Message<'_>) {
        serde_json::to_writer(&mut self.0, message).expect("values and raw ids become JSON");
        self.0.push(b'\n');
    }
}

/// An error of JSON-RPC.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Refused {
    code: i64,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Refused {
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub(super) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    pub(super) fn parse_error() -> Self {
        Self::new(-32700, "Parse error")
    }

    pub(super) fn invalid_request() -> Self {
        Self::new(-32600, "Invalid Request")
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        Self::new(-32601, format!("Method not found: {method}"))
    }

    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }
}

/// The result of a tool: some text.
pub(super) fn text(text: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": text.into()}]})
}

/// The result of a tool that failed and says so.
pub(super) fn failure(words: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": words.into()}], "isError": true})
}

/// The result of a tool with data: once for programs, once as text for clients that do not look.
pub(super) fn structured(data: Value) -> Value {
    let mut result = text(data.to_string());
    result["structuredContent"] = data;
    result
}

/// An object out of pairs, leaving out what is not there.
pub(super) fn object<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Map<String, Value> {
    let given = pairs.into_iter();
    given
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

/// An id as a value, for places that are compared and not echoed.
pub(super) fn value_of(id: &Id) -> Value {
    serde_json::from_str(id.as_json()).expect("an id is JSON")
}

#[derive(Serialize)]
struct Message<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Refused>,
}

impl Default for Message<'_> {
    fn default() -> Self {
        Self {
            jsonrpc: "2.0",
            id: None,
            method: None,
            params: None,
            result: None,
            error: None,
        }
    }
}

fn raw(id: &Id) -> Box<RawValue> {
    RawValue::from_string(id.as_json().to_owned()).expect("an id is JSON")
}
