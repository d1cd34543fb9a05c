//! What the server writes.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use breakfall_mcp::jsonrpc::Id;

/// Lines on their way to the client.
#[derive(Debug, Default)]
pub(crate) struct ShopOutbox(Vec<u8>);

impl ShopOutbox {
    /// A result for a request.
    pub(crate) fn result(&mut self, id: &Id, result: &Value) {
        self.write(&ShopMessage {
            id: Some(raw(id)),
            result: Some(result),
            ..ShopMessage::default()
        });
    }

    /// An error for a request.
    pub(crate) fn error(&mut self, id: &Id, error: &ShopRpcError) {
        self.write(&ShopMessage {
            id: Some(raw(id)),
            error: Some(error),
            ..ShopMessage::default()
        });
    }

    /// An error for a message without a readable id. Protocol versions differ on the `id` of such an error.
    pub(crate) fn complaint(&mut self, null_id: bool, error: &ShopRpcError) {
        let null = || RawValue::from_string("null".into()).expect("null is JSON");
        self.write(&ShopMessage {
            id: null_id.then(null),
            error: Some(error),
            ..ShopMessage::default()
        });
    }

    /// A request of the shop to the client.
    pub(crate) fn request(&mut self, id: &Id, method: &str, params: &Value) {
        self.write(&ShopMessage {
            id: Some(raw(id)),
            method: Some(method),
            params: Some(params),
            ..ShopMessage::default()
        });
    }

    /// A notification.
    pub(crate) fn notification(&mut self, method: &str, params: &Value) {
        self.write(&ShopMessage {
            method: Some(method),
            params: Some(params),
            ..ShopMessage::default()
        });
    }

    /// Bytes that are not a message.
    pub(crate) fn noise(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Everything so far.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }

    fn write(&mut self, message: &ShopMessage<'_>) {
        serde_json::to_writer(&mut self.0, message).expect("values and raw ids become JSON");
        self.0.push(b'\n');
    }
}

/// An error of JSON-RPC.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ShopRpcError {
    code: i64,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl ShopRpcError {
    pub(crate) fn new(code: impl Into<i64>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            data: None,
        }
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    pub(crate) fn parse_error() -> Self {
        Self::new(-32700, "Parse error")
    }

    pub(crate) fn invalid_request() -> Self {
        Self::new(-32600, "Invalid Request")
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        Self::new(-32601, format!("Method not found: {method}"))
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }
}

/// The result of a tool: some text.
pub(crate) fn text(text: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": text.into()}]})
}

/// The result of a tool that failed and says so.
pub(crate) fn failure(words: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": words.into()}], "isError": true})
}

/// The result of a tool with data: once for programs, once as text for clients that do not look.
pub(crate) fn structured(data: Value) -> Value {
    let mut result = text(data.to_string());
    result["structuredContent"] = data;
    result
}

/// An object out of pairs, leaving out what is not there.
pub(crate) fn object<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Map<String, Value> {
    let given = pairs.into_iter();
    given
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

/// Whether `value` of a message is this id.
pub(crate) fn is(id: &Id, value: &Value) -> bool {
    value_of(id) == *value
}

/// An id as a value that can be compared. It is not exact enough to be echoed.
pub(crate) fn value_of(id: &Id) -> Value {
    serde_json::from_str(id.as_json()).expect("an id is JSON")
}

#[derive(Serialize)]
struct ShopMessage<'a> {
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
    error: Option<&'a ShopRpcError>,
}

impl Default for ShopMessage<'_> {
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
