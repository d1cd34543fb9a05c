//! An MCP client of either era.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::connection::Connection;
use super::request::Request;
use super::response::Response;

/// The newest version with sessions.
pub const LEGACY: &str = "2025-11-25";
/// The version without.
pub const MODERN: &str = "2026-07-28";

/// A client of a server. Every request has a connection of its own, so that none waits for another.
#[derive(Debug, Clone)]
pub struct Client {
    address: SocketAddr,
    /// The endpoint.
    pub path: String,
    version: &'static str,
    headers: Vec<(String, String)>,
    /// The session, once there is one.
    pub session: Option<String>,
    /// What the server said to the handshake.
    pub greeting: Value,
}

impl Client {
    /// A client with a session, after its handshake. It can do everything.
    ///
    /// # Panics
    /// When the handshake fails.
    pub fn legacy(address: SocketAddr, path: &str) -> Self {
        let mut client = Self::silent(address, path, LEGACY);
        let response = client.initialize();
        client.greeting = response.answer("hello");
        client.session = response.header("Mcp-Session-Id").map(str::to_owned);
        let response =
            client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(response.status, 202, "{}", response.text());
        client
    }

    /// A client without a session.
    pub fn modern(address: SocketAddr, path: &str) -> Self {
        Self::silent(address, path, MODERN)
    }

    /// A client that has not said anything yet.
    pub fn silent(address: SocketAddr, path: &str, version: &'static str) -> Self {
        Self {
            address,
            path: path.to_owned(),
            version,
            headers: Vec::new(),
            session: None,
            greeting: Value::Null,
        }
    }

    /// Sends a header with every request.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The response to a handshake.
    ///
    /// # Panics
    /// Without a response.
    pub fn initialize(&self) -> Response {
        let capabilities =
            json!({"roots": {"listChanged": true}, "sampling": {}, "elicitation": {}});
        let info = json!({"name": "breakfall-tests", "version": "1.0.0"});
        let params = json!({"protocolVersion": self.version, "capabilities": capabilities, "clientInfo": info});
        self.send(&request("hello", "initialize", &params))
    }

    /// The answer to a request.
    ///
    /// # Panics
    /// Unless there is exactly one.
    pub fn ask(&self, id: impl Into<Value>, method: &str, params: &Value) -> Value {
        let id = id.into();
        let message = self.message(id.clone(), method, params);
        self.send(&message).answer(id)
    }

    /// The answer to a call of a tool.
    ///
    /// # Panics
    /// Unless there is exactly one.
    pub fn call(&self, id: impl Into<Value>, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.ask(id, "tools/call", &params)
    }

    /// The message of a request, with what its era wants in it.
    pub fn message(&self, id: impl Into<Value>, method: &str, params: &Value) -> Value {
        let mut params = params.clone();
        if self.version == MODERN {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        request(id, method, &params)
    }

    /// The response to any message.
    ///
    /// # Panics
    /// Without a response.
    pub fn send(&self, message: &Value) -> Response {
        self.open(message)
            .response()
            .unwrap_or_else(|error| panic!("no response to {message:.200}: {error}"))
    }

    /// Sends any message, and leaves the response to be read.
    ///
    /// # Panics
    /// When the server does not take it.
    pub fn open(&self, message: &Value) -> Connection {
        let mut connection = Connection::open(self.address);
        let sent = connection.request(&self.post(message));
        sent.unwrap_or_else(|error| panic!("the server does not take {message:.200}: {error}"));
        connection
    }

    /// Asks for the stream of a session, and leaves it to be read.
    ///
    /// # Panics
    /// When the server does not take the request.
    pub fn listen(&self) -> Connection {
        let mut connection = Connection::open(self.address);
        let request = Request::new("GET", &self.path).header("Accept", "text/event-stream");
        let sent = connection.request(&self.dressed(request));
        sent.unwrap_or_else(|error| panic!("the server does not take a GET: {error}"));
        connection
    }

    /// The request that carries a message, with all headers of the era.
    pub fn post(&self, message: &Value) -> Request {
        let mut request = self.dressed(Request::post(&self.path, message));
        if self.version == MODERN {
            let method = message["method"].as_str().unwrap_or_default();
            request = request.header("Mcp-Method", method);
            let name = match method {
                "tools/call" | "prompts/get" => &message["params"]["name"],
                "resources/read" => &message["params"]["uri"],
                _ => &Value::Null,
            };
            if let Some(name) = name.as_str() {
                request = request.header("Mcp-Name", name);
            }
        }
        request
    }

    fn dressed(&self, mut request: Request) -> Request {
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(session) = &self.session {
            request = request.header("Mcp-Session-Id", session);
        }
        if self.session.is_some() || self.version == MODERN {
            request = request.header("MCP-Protocol-Version", self.version);
        }
        request
    }
}

fn request(id: impl Into<Value>, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}
