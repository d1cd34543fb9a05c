//! The metadata of a modern request, and the handshake made from it.

use breakfall::Fault;

use crate::bridge::capabilities;
use crate::bridge::level::McpLogLevel;
use crate::bridge::meta::{self, META, OF_REQUESTS};
use crate::bridge::splice::{Object, with_body};
use crate::session::ClientCapabilities;
use breakfall_mcp::connection::client_name;
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::protocol::meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION,
};
use breakfall_mcp::protocol::{LATEST_LEGACY, MODERN};

/// The metadata of a request.
#[derive(Debug)]
pub(in crate::bridge) struct ModernCaller<'a> {
    info: Option<&'a str>,
    capabilities: &'a str,
    /// The log level it wants.
    pub(in crate::bridge) level: Option<McpLogLevel>,
}

/// Why a request is not a valid modern one.
#[derive(Debug)]
pub(in crate::bridge) enum InvalidMetadata {
    /// Something is missing or malformed.
    Valid(Box<Fault>),
    /// The version is not supported.
    Spoken(Box<str>),
}

impl<'a> ModernCaller<'a> {
    /// Reads a request.
    pub(in crate::bridge) fn of(request: &'a Frame) -> Result<Self, InvalidMetadata> {
        let params = request.body().and_then(|body| Object::of(body, &[META]));
        let meta = params.and_then(|params| Object::of(params.get(META)?, &OF_REQUESTS));
        let meta = meta.ok_or_else(|| missing(PROTOCOL_VERSION))?;
        let version = meta
            .text(PROTOCOL_VERSION)
            .ok_or_else(|| missing(PROTOCOL_VERSION))?;
        if version != MODERN.as_str() {
            return Err(InvalidMetadata::Spoken(version.into()));
        }
        let capabilities = meta
            .get(CLIENT_CAPABILITIES)
            .filter(|json| json.starts_with('{'));
        let level = match meta.get(LOG_LEVEL) {
            Some(_) => {
                let level = meta
                    .text(LOG_LEVEL)
                    .and_then(|level| McpLogLevel::of(&level));
                Some(level.ok_or_else(|| {
                    InvalidMetadata::Valid(Box::new(McpLogLevel::unknown(LOG_LEVEL)))
                })?)
            }
            None => None,
        };
        Ok(Self {
            info: meta.get(CLIENT_INFO),
            capabilities: capabilities.ok_or_else(|| missing(CLIENT_CAPABILITIES))?,
            level,
        })
    }

    /// Whether the client can put a question to its user.
    pub(in crate::bridge) fn fills_forms(&self) -> bool {
        ClientCapabilities::of(Some(self.capabilities)).fills_forms
    }

    /// The name the client gives itself.
    pub(in crate::bridge) fn name(&self) -> Option<String> {
        client_name(self.info?)
    }

    /// A handshake on the client's behalf.
    pub(in crate::bridge) fn initialize(&self) -> Vec<u8> {
        let capabilities = capabilities::of_modern_client(Some(self.capabilities));
        let info = self.info.unwrap_or(concat!(
            r#"{"name":"breakfall","version":""#,
            env!("CARGO_PKG_VERSION"),
            r#""}"#
        ));
        format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{LATEST_LEGACY}","capabilities":{capabilities},"clientInfo":{info}}}}}"#
        )
        .into_bytes()
    }

    /// A `server/discover` with the metadata of the request.
    pub(in crate::bridge) fn discover(&self) -> Vec<u8> {
        let info = self
            .info
            .map_or_else(String::new, |info| format!(r#""{CLIENT_INFO}":{info},"#));
        format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{{"_meta":{{"{PROTOCOL_VERSION}":"{MODERN}",{info}"{CLIENT_CAPABILITIES}":{}}}}}}}"#,
            self.capabilities
        )
        .into_bytes()
    }
}

fn missing(key: &'static str) -> InvalidMetadata {
    let fault = Fault::missing_param(key)
        .remediation("Say the version of the protocol and what the client can do in `_meta` of every request; the method was not called.");
    InvalidMetadata::Valid(Box::new(fault))
}

/// The request without metadata, as a legacy server expects it.
pub(in crate::bridge) fn plain(request: &Frame) -> Vec<u8> {
    let body = meta::with_meta(request.body(), &OF_REQUESTS, |meta| {
        OF_REQUESTS
            .into_iter()
            .fold(meta, crate::bridge::splice::ObjectEdit::drop)
    });
    with_body(request, &body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    fn frame(text: &str) -> Frame {
        Frame::parse(text.into(), &FrameLimits::REQUEST).expect("a message")
    }

    const CALL: &str = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"pay","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":1,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1","z":1.0},"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{"form":{}},"experimental":{"x":{}}},"a/b":{"n":1e2},"io.modelcontextprotocol/logLevel":"debug"},"arguments":{"io.modelcontextprotocol/protocolVersion":1.0}},"z":[]}"#;

    #[test]
    fn a_request_says_nothing_for_itself_any_more_and_all_else() {
        let told = String::from_utf8(plain(&frame(CALL))).expect("text");
        assert_eq!(
            told,
            r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"pay","_meta":{"progressToken":1,"a/b":{"n":1e2}},"arguments":{"io.modelcontextprotocol/protocolVersion":1.0}},"z":[]}"#
        );
        let bare = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"cursor":"c"}}"#;
        let told = String::from_utf8(plain(&frame(bare))).expect("text");
        assert_eq!(
            told,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"c"}}"#
        );
    }

    #[test]
    fn the_handshake_promises_nothing_that_would_have_to_be_asked() {
        let frame = frame(CALL);
        let caller = ModernCaller::of(&frame).expect("a modern request");
        assert_eq!(caller.level, McpLogLevel::of("debug"));
        assert_eq!(
            String::from_utf8(caller.initialize()).expect("text"),
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":{}}},"clientInfo":{"name":"c","version":"1","z":1.0}}}"#
        );
        let discover = Frame::parse(caller.discover(), &FrameLimits::REQUEST).expect("a request");
        let again = ModernCaller::of(&discover).expect("a modern request");
        assert_eq!(
            (again.info, again.capabilities),
            (caller.info, caller.capabilities)
        );
    }

    #[test]
    fn what_does_not_speak_for_itself_is_told_what_it_lacks() {
        let with = |meta: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"_meta":{meta}}}}}"#)
        };
        let version = format!(r#""{PROTOCOL_VERSION}":"2026-07-28""#);
        let cases = [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#.to_owned(),
                PROTOCOL_VERSION,
            ),
            (with("{}"), PROTOCOL_VERSION),
            (with("7"), PROTOCOL_VERSION),
            (with(&format!("{{{version}}}")), CLIENT_CAPABILITIES),
            (
                with(&format!(r#"{{{version},"{CLIENT_CAPABILITIES}":[]}}"#)),
                CLIENT_CAPABILITIES,
            ),
            (
                with(&format!(
                    r#"{{{version},"{CLIENT_CAPABILITIES}":{{}},"{LOG_LEVEL}":"loud"}}"#
                )),
                LOG_LEVEL,
            ),
        ];
        for (request, want) in cases {
            let frame = frame(&request);
            let Err(InvalidMetadata::Valid(fault)) = ModernCaller::of(&frame) else {
                panic!("{request}");
            };
            let details = format!("{:?}", fault.public().details());
            assert!(details.contains(want), "{request}: {details}");
        }
        let old = frame(&with(&format!(r#"{{"{PROTOCOL_VERSION}":"1999-01-01"}}"#)));
        assert!(
            matches!(ModernCaller::of(&old), Err(InvalidMetadata::Spoken(version)) if *version == *"1999-01-01")
        );
    }
}
