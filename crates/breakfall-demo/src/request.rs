//! A request with what its era says about it.

use serde_json::{Map, Value, json};

use crate::log_level::ShopLogLevel;
use crate::message::{ShopRpcError, object};
use breakfall_mcp::jsonrpc::{Frame, Id};
use breakfall_mcp::protocol::meta::{
    CLIENT_CAPABILITIES, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO,
};
use breakfall_mcp::protocol::{MODERN, Version, error_code, method};

/// One request, read.
#[derive(Debug, Clone)]
pub(crate) struct ShopRequest {
    pub(crate) id: Id,
    pub(crate) method: String,
    pub(crate) params: Map<String, Value>,
    pub(crate) era: ClientEra,
}

/// How the client talks.
#[derive(Debug, Clone)]
pub(crate) enum ClientEra {
    /// After `initialize`, in one of the versions that have it.
    Legacy {
        /// What the client declared then.
        capabilities: Value,
        /// The level it set, if it did.
        level: Option<ShopLogLevel>,
    },
    /// Every request says for itself what there is to know.
    Modern {
        /// What the client declares with this request.
        capabilities: Value,
        /// The level it wants for this request.
        level: Option<ShopLogLevel>,
    },
}

impl ShopRequest {
    /// Reads a request. `session` is what `initialize` agreed on, if there was one.
    pub(crate) fn read(
        frame: &Frame,
        id: Id,
        session: Option<&ClientEra>,
    ) -> Result<Self, ShopRpcError> {
        let params = match frame.body().map(serde_json::from_str) {
            None => Map::new(),
            Some(Ok(Value::Object(params))) => params,
            Some(Ok(_) | Err(_)) => {
                return Err(ShopRpcError::invalid_params("params must be an object"));
            }
        };
        let method = frame.method().into_owned();
        let era = match declared(&params) {
            Some(version) => modern(version, &params)?,
            None if OPENINGS.contains(&method.as_str()) => ClientEra::before(),
            None => session.cloned().ok_or_else(not_opened)?,
        };
        Ok(Self {
            id,
            method,
            params,
            era,
        })
    }

    /// A parameter that must be a text.
    pub(crate) fn text(&self, name: &str) -> Result<&str, ShopRpcError> {
        let value = self.params.get(name).and_then(Value::as_str);
        value.ok_or_else(|| {
            ShopRpcError::invalid_params(format!("params.{name} is required and must be a string"))
        })
    }

    /// The token under which progress is wanted.
    pub(crate) fn progress_token(&self) -> Option<&Value> {
        let token = self.params.get("_meta")?.get("progressToken")?;
        (token.is_string() || token.is_number()).then_some(token)
    }
}

impl ClientEra {
    /// A client of the older kind that has not said anything yet.
    fn before() -> Self {
        Self::Legacy {
            capabilities: json!({}),
            level: None,
        }
    }

    pub(crate) fn is_modern(&self) -> bool {
        matches!(self, Self::Modern { .. })
    }

    /// Whether the client can show a form to a person.
    pub(crate) fn can_ask(&self) -> bool {
        let (Self::Legacy { capabilities, .. } | Self::Modern { capabilities, .. }) = self;
        // An empty declaration means forms; one that names other ways only does not.
        match capabilities.get("elicitation") {
            Some(Value::Object(ways)) => ways.is_empty() || ways.contains_key("form"),
            Some(_) | None => false,
        }
    }

    /// The least level of log messages the client wants; nothing unless it said so.
    pub(crate) fn level(&self) -> Option<ShopLogLevel> {
        let (Self::Legacy { level, .. } | Self::Modern { level, .. }) = self;
        *level
    }

    /// A result as the era wants it.
    pub(crate) fn dress(&self, mut result: Value) -> Value {
        if let (Self::Modern { .. }, Value::Object(members)) = (self, &mut result) {
            let kind = members.entry("resultType");
            kind.or_insert_with(|| "complete".into());
            let meta = members.entry("_meta").or_insert_with(|| json!({}));
            meta[SERVER_INFO] = server_info();
        }
        result
    }

    /// The same for a result that a client may keep for a while.
    pub(crate) fn dress_cacheable(&self, mut result: Value, fresh: CacheHint) -> Value {
        if let (Self::Modern { .. }, Value::Object(members)) = (self, &mut result) {
            let (milliseconds, scope) = match fresh {
                CacheHint::Public => (60_000, "public"),
                CacheHint::Private => (0, "private"),
            };
            members.append(&mut object([
                ("ttlMs", Some(milliseconds.into())),
                ("cacheScope", Some(scope.into())),
            ]));
        }
        self.dress(result)
    }
}

/// How long a result stays true, and for whom.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CacheHint {
    /// What does not change, and is the same for all clients.
    Public,
    /// What may change with the next call.
    Private,
}

/// Who we are.
pub(crate) fn server_info() -> Value {
    json!({
        "name": "breakfall-demo-shop",
        "title": "Breakfall demo shop",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn declared(params: &Map<String, Value>) -> Option<&Value> {
    params.get("_meta")?.get(PROTOCOL_VERSION)
}

fn modern(version: &Value, params: &Map<String, Value>) -> Result<ClientEra, ShopRpcError> {
    if version != MODERN.as_str() {
        let supported: Vec<_> = Version::all().rev().map(Version::as_str).collect();
        let data = json!({"supported": supported, "requested": version});
        let code = error_code::UNSUPPORTED_VERSION;
        return Err(ShopRpcError::new(code, "Unsupported protocol version").with_data(data));
    }
    let meta = &params["_meta"];
    let Some(capabilities @ Value::Object(_)) = meta.get(CLIENT_CAPABILITIES) else {
        let message = format!("_meta[\"{CLIENT_CAPABILITIES}\"] is required and must be an object");
        return Err(ShopRpcError::invalid_params(message));
    };
    let level = match meta.get(LOG_LEVEL) {
        None => None,
        Some(word) => Some(ShopLogLevel::read(word)?),
    };
    Ok(ClientEra::Modern {
        capabilities: capabilities.clone(),
        level,
    })
}

fn not_opened() -> ShopRpcError {
    let message = format!(
        "Send initialize first, or name the protocol version in _meta[\"{PROTOCOL_VERSION}\"] of every request"
    );
    ShopRpcError::invalid_params(message)
}

/// What may come before anything else.
const OPENINGS: [&str; 2] = [method::INITIALIZE, method::PING];
