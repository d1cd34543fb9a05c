//! The handshake of a legacy client, answered for a modern server, and what is kept of it.

use crate::bridge::capabilities::{self, ServerFeatures};
use crate::bridge::meta::{self, META, OF_REQUESTS};
use crate::bridge::splice::{Object, each, text, with_body};
use crate::session::ClientCapabilities;
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::protocol::meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO,
};
use breakfall_mcp::protocol::{MODERN, Version};

/// What a client declared in its handshake.
#[derive(Debug)]
pub(in crate::bridge) struct ClientHandshake {
    /// The negotiated version.
    pub(in crate::bridge) version: &'static str,
    /// The kinds of input it supports.
    pub(in crate::bridge) client: ClientCapabilities,
    capabilities: String,
    info: Option<String>,
}

impl ClientHandshake {
    /// Reads `initialize`.
    pub(in crate::bridge) fn of(initialize: &Frame) -> Self {
        let names = ["protocolVersion", "capabilities", "clientInfo"];
        let params = initialize.body().and_then(|body| Object::of(body, &names));
        let get = |name| params.as_ref().and_then(|params| params.get(name));
        let wanted = get("protocolVersion").and_then(text).unwrap_or_default();
        let capabilities = capabilities::of_legacy_client(get("capabilities"));
        Self {
            version: Version::negotiated(&wanted).as_str(),
            client: ClientCapabilities::of(Some(&capabilities)),
            capabilities,
            info: get("clientInfo").map(ToOwned::to_owned),
        }
    }

    /// A modern request: the client's, with the metadata of its handshake.
    pub(in crate::bridge) fn speak(&self, request: &Frame, level: Option<&str>) -> Vec<u8> {
        let body = meta::with_meta(request.body(), &OF_REQUESTS, |meta| {
            let meta = meta.drop(CLIENT_INFO).drop(LOG_LEVEL);
            let meta = meta.put(PROTOCOL_VERSION, quoted(MODERN.as_str()));
            let meta = match &self.info {
                Some(info) => meta.put(CLIENT_INFO, info.clone()),
                None => meta,
            };
            let meta = meta.put(CLIENT_CAPABILITIES, self.capabilities.clone());
            match level {
                Some(level) => meta.put(LOG_LEVEL, level.to_owned()),
                None => meta,
            }
        });
        with_body(request, &body)
    }
}

/// What a modern server declared.
#[derive(Debug)]
pub(in crate::bridge) struct DiscoveredServer {
    pub(in crate::bridge) server: ServerFeatures,
    capabilities: String,
    info: Option<String>,
    instructions: Option<String>,
}

impl DiscoveredServer {
    /// Reads the result of `server/discover`; `None` if it is malformed or has no known version.
    pub(in crate::bridge) fn of(result: &str) -> Option<Self> {
        let names = ["supportedVersions", "capabilities", "instructions", META];
        let result = Object::of(result, &names)?;
        let mut is_modern = false;
        each(result.get("supportedVersions")?, |version| {
            is_modern |= text(version).is_some_and(|version| version == MODERN.as_str());
        })?;
        if !is_modern {
            return None;
        }
        let meta = result.get(META);
        let meta = meta.and_then(|meta| Object::of(meta, &[SERVER_INFO]));
        Some(Self {
            server: ServerFeatures::of(result.get("capabilities")),
            capabilities: capabilities::of_server(result.get("capabilities")),
            info: meta.and_then(|meta| meta.get(SERVER_INFO).map(ToOwned::to_owned)),
            instructions: result.get("instructions").map(ToOwned::to_owned),
        })
    }

    /// The result of `initialize`. A server without `serverInfo` gets the name it has in the configuration.
    pub(in crate::bridge) fn welcome(&self, version: &str, name: &str) -> String {
        let info = self.info.clone().unwrap_or_else(|| {
            let name = serde_json::Value::from(name);
            format!(r#"{{"name":{name},"version":"unknown"}}"#)
        });
        let instructions = match &self.instructions {
            Some(instructions) => format!(r#","instructions":{instructions}"#),
            None => String::new(),
        };
        format!(
            r#"{{"protocolVersion":"{version}","capabilities":{},"serverInfo":{info}{instructions}}}"#,
            self.capabilities
        )
    }
}

fn quoted(plain: &str) -> String {
    format!("\"{plain}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    fn frame(text: &str) -> Frame {
        Frame::parse(text.into(), &FrameLimits::REQUEST).expect("a message")
    }

    fn hello() -> ClientHandshake {
        ClientHandshake::of(&frame(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{},"tasks":{}},"clientInfo":{"name":"c","version":"1","x":1.0}}}"#,
        ))
    }

    #[test]
    fn a_request_says_what_the_handshake_said() {
        let hello = hello();
        assert_eq!(hello.version, "2025-06-18");
        let cases = [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
                None,
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1","x":1.0},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{"_meta":{"progressToken":7.0e1,"a/b":[]},"name":"x","arguments":{"n":1e400}},"z":1}"#,
                Some("\"info\""),
                r#"{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{"_meta":{"progressToken":7.0e1,"a/b":[],"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1","x":1.0},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/logLevel":"info"},"name":"x","arguments":{"n":1e400}},"z":1}"#,
            ),
        ];
        for (request, level, want) in cases {
            let spoken = hello.speak(&frame(request), level);
            assert_eq!(String::from_utf8(spoken).expect("text"), want);
        }
    }

    #[test]
    fn a_handshake_that_says_nothing_is_one_too() {
        let hello =
            ClientHandshake::of(&frame(r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#));
        assert_eq!(hello.version, "2025-11-25");
        assert_eq!(hello.client, ClientCapabilities::default());
        let spoken = hello.speak(
            &frame(r#"{"jsonrpc":"2.0","id":0,"method":"m","params":{"_meta":7}}"#),
            None,
        );
        assert_eq!(
            String::from_utf8(spoken).expect("text"),
            r#"{"jsonrpc":"2.0","id":0,"method":"m","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#
        );
    }

    #[test]
    fn a_server_is_introduced_as_it_introduced_itself() {
        let discovered = DiscoveredServer::of(
            r#"{"resultType":"complete","supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"instructions":"be \u0041","ttlMs":1,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2","icons":[]}}}"#,
        )
        .expect("a modern server");
        assert!(discovered.server.tools_change);
        assert_eq!(
            discovered.welcome("2025-06-18", "shop"),
            r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"2","icons":[]},"instructions":"be \u0041"}"#
        );
        let shy =
            DiscoveredServer::of(r#"{"supportedVersions":["2026-07-28"]}"#).expect("a shy one");
        assert_eq!(
            shy.welcome("2024-11-05", "a\"b"),
            r#"{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"a\"b","version":"unknown"}}"#
        );
    }

    #[test]
    fn other_results_are_not_read_as_a_discovery() {
        let odd = [
            "{}",
            r#"{"supportedVersions":"2026-07-28"}"#,
            r#"{"supportedVersions":["2025-11-25"]}"#,
            r#"{"supportedVersions":[20260728]}"#,
            r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#,
        ];
        for odd in odd {
            assert!(DiscoveredServer::of(odd).is_none(), "{odd}");
        }
    }
}
