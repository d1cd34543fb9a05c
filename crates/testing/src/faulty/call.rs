//! One request, and how it is answered.

use serde_json::{Value, json};

use super::out;

/// A request of the client.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub id: Value,
    pub method: String,
    pub params: Value,
    /// The how-manieth call of a tool it is.
    pub number: u64,
}

impl Call {
    /// Whether it says of itself that it is of the modern era.
    pub(super) fn modern(&self) -> bool {
        !self.params["_meta"]["io.modelcontextprotocol/protocolVersion"].is_null()
    }

    pub(super) fn argument(&self, name: &str) -> &Value {
        &self.params["arguments"][name]
    }

    /// A number out of the arguments, else the default.
    pub(super) fn number(&self, name: &str, default: u64) -> u64 {
        self.argument(name).as_u64().unwrap_or(default)
    }

    /// The same, for sizes in memory.
    pub(super) fn size(&self, name: &str, default: u64) -> usize {
        usize::try_from(self.number(name, default)).unwrap_or(usize::MAX)
    }

    pub(super) fn token(&self) -> Option<&Value> {
        self.params["_meta"].get("progressToken")
    }

    /// The whole message that answers it, with what its era wants in a result.
    pub(super) fn answer(&self, result: Value) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id, "result": self.dressed(result)})
    }

    fn dressed(&self, mut result: Value) -> Value {
        if self.modern() {
            result["resultType"] = "complete".into();
            result["_meta"]["io.modelcontextprotocol/serverInfo"] = server_info();
            if self.method.ends_with("/list") || self.method == "server/discover" {
                result["ttlMs"] = 0.into();
                result["cacheScope"] = "private".into();
            }
        }
        result
    }

    pub(super) fn succeed(&self, result: Value) {
        out::send(&self.answer(result));
    }

    pub(super) fn fail(&self, code: i64, message: &str) {
        let error = json!({"code": code, "message": message});
        out::send(&json!({"jsonrpc": "2.0", "id": self.id, "error": error}));
    }

    pub(super) fn progress(&self, done: u64, total: u64) {
        if let Some(token) = self.token() {
            let params = json!({"progressToken": token, "progress": done, "total": total});
            notify("notifications/progress", &params);
        }
    }
}

/// The result of a tool that says the same twice, as text and as data.
pub(super) fn told(data: &Value) -> Value {
    json!({"content": [{"type": "text", "text": data.to_string()}], "structuredContent": data})
}

/// The result of a tool that only has words.
pub(super) fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

pub(super) fn notify(method: &str, params: &Value) {
    out::send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
}

pub(super) fn server_info() -> Value {
    json!({"name": "fault-server", "version": "1.0.0"})
}
