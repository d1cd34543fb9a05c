//! Translates results and errors of a legacy server for a modern client.

use std::borrow::Cow;

use breakfall::{Fault, codes};
use serde_json::Value;

use crate::bridge::capabilities::{self, ServerFeatures};
use crate::bridge::legacy_client::result::is_cacheable;
use crate::bridge::meta::with_meta;
use crate::bridge::splice::{Object, with_body};
use breakfall_mcp::jsonrpc::{Frame, Kind};
use breakfall_mcp::protocol::meta::SERVER_INFO;
use breakfall_mcp::protocol::{MODERN, error_code, method};

/// What a server declared in its handshake.
#[derive(Debug)]
pub(in crate::bridge) struct ServerHandshake {
    pub(in crate::bridge) server: ServerFeatures,
    capabilities: String,
    info: Option<String>,
    instructions: Option<String>,
}

impl ServerHandshake {
    /// Reads the result of `initialize`.
    pub(in crate::bridge) fn of(result: &str) -> Self {
        let names = ["capabilities", "serverInfo", "instructions"];
        let result = Object::of(result, &names);
        let get = |name| result.as_ref().and_then(|result| result.get(name));
        Self {
            server: ServerFeatures::of(get("capabilities")),
            capabilities: capabilities::of_server(get("capabilities")),
            info: get("serverInfo").map(ToOwned::to_owned),
            instructions: get("instructions").map(ToOwned::to_owned),
        }
    }

    /// The result of `server/discover`.
    pub(in crate::bridge) fn discovered(&self) -> String {
        let instructions = match &self.instructions {
            Some(instructions) => format!(r#","instructions":{instructions}"#),
            None => String::new(),
        };
        let result = format!(
            r#"{{"supportedVersions":["{MODERN}"],"capabilities":{}{instructions}}}"#,
            self.capabilities
        );
        self.complete(method::DISCOVER, &result)
    }

    /// A result with all members a modern one requires.
    pub(in crate::bridge) fn complete(&self, method: &str, result: &str) -> String {
        let with_info = self.info.as_ref().map(|info| {
            with_meta(Some(result), &[SERVER_INFO], |meta| {
                meta.put_new(SERVER_INFO, info.clone())
            })
        });
        let result = with_info.as_deref().unwrap_or(result);
        let names = ["resultType", "ttlMs", "cacheScope"];
        let Some(result) = Object::of(result, &names) else {
            return result.to_owned();
        };
        let edit = result.edit().put_new("resultType", r#""complete""#);
        let edit = if is_cacheable(method) {
            // A legacy server does not say how long its result is valid.
            edit.put_new("ttlMs", "0")
                .put_new("cacheScope", r#""private""#)
        } else {
            edit
        };
        edit.write()
    }

    /// Translates the answer to a request.
    ///
    /// # Errors
    /// When a modern client has no use for the answer.
    pub(in crate::bridge) fn answer(
        &self,
        method: &str,
        uri: Option<&str>,
        answer: &Frame,
    ) -> Result<Vec<u8>, Box<Fault>> {
        let body = answer.body().unwrap_or_default();
        if answer.kind() == Kind::Error {
            return error(method, uri, answer, body);
        }
        Ok(with_body(answer, &self.complete(method, body)))
    }
}

fn error(
    method: &str,
    uri: Option<&str>,
    answer: &Frame,
    body: &str,
) -> Result<Vec<u8>, Box<Fault>> {
    let Some(error) = Object::of(body, &["code", "data", "message"]) else {
        return Ok(answer.bytes().to_vec());
    };
    match error.get("code").and_then(|code| code.parse().ok()) {
        Some(error_code::RESOURCE_NOT_FOUND) if method == method::RESOURCES_READ => {
            let data = error.get("data");
            let data = not_found(data, uri);
            let edit = error.edit().put("code", "-32602");
            let edit = match data {
                Some(data) => edit.put("data", data),
                None => edit,
            };
            Ok(with_body(answer, &edit.write()))
        }
        Some(error_code::URL_ELICITATION_REQUIRED) => Err(Box::new(page(error.get("data")))),
        Some(_) | None => Ok(answer.bytes().to_vec()),
    }
}

/// The data of a "not found" error, which must name the resource.
fn not_found(data: Option<&str>, uri: Option<&str>) -> Option<Cow<'static, str>> {
    let uri = Value::from(uri?).to_string();
    match data {
        None | Some("null") => Some(format!(r#"{{"uri":{uri}}}"#).into()),
        Some(data) => {
            let data = Object::of(data, &["uri"])?;
            Some(data.edit().put_new("uri", uri).write().into())
        }
    }
}

/// The server wants a user to open a page first, though the handshake declared no support for it. The caller can
/// still open the page and call again.
fn page(data: Option<&str>) -> Fault {
    let fault = Fault::new(codes::PERMISSION_DENIED)
        .message("The server wants a person to open a page first")
        .detail("executed", "no")
        .remediation(
            "Show the person the pages in `pages`, and call again once they are done there.",
        );
    let data: Option<Value> = data.and_then(|data| serde_json::from_str(data).ok());
    let wanted = data
        .as_ref()
        .and_then(|data| data["elicitations"].as_array());
    let pages = wanted.into_iter().flatten().take(MAX_LISTED_PAGES);
    let pages = pages.filter_map(|one| one["url"].as_str().map(Value::from));
    fault.detail("pages", pages.collect::<Vec<_>>())
}

/// How many pages are listed.
const MAX_LISTED_PAGES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    fn welcome() -> ServerHandshake {
        ServerHandshake::of(
            r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"do"}"#,
        )
    }

    fn told(method: &str, answer: &str) -> String {
        let frame = Frame::parse(answer.into(), &FrameLimits::RESPONSE).expect("an answer");
        let answer = welcome().answer(method, Some("a:\"b"), &frame);
        String::from_utf8(answer.expect("one to be told")).expect("text")
    }

    #[test]
    fn results_get_what_modern_ones_have_and_keep_all_else() {
        let cases = [
            (
                "tools/call",
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":1.0},"z":1}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":1.0,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"resultType":"complete"},"z":1}"#,
            ),
            (
                "tools/list",
                r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a/b":1e2},"tools":[]}}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a/b":1e2,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}}"#,
            ),
        ];
        for (method, answer, want) in cases {
            assert_eq!(told(method, answer), want);
        }
    }

    #[test]
    fn a_server_is_discovered_as_it_welcomed() {
        assert_eq!(
            welcome().discovered(),
            r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"do","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"resultType":"complete","ttlMs":0,"cacheScope":"private"}"#
        );
        assert_eq!(
            ServerHandshake::of("{}").discovered(),
            r#"{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete","ttlMs":0,"cacheScope":"private"}"#
        );
    }

    #[test]
    fn not_found_says_what_in_its_new_code() {
        let cases = [
            (
                r#"{"code":-32002,"message":"no"}"#,
                r#"{"code":-32602,"message":"no","data":{"uri":"a:\"b"}}"#,
            ),
            (
                r#"{"code":-32002,"data":{"uri":"c:d","x":1.0},"message":"no"}"#,
                r#"{"code":-32602,"data":{"uri":"c:d","x":1.0},"message":"no"}"#,
            ),
            (
                r#"{"code":-32002,"data":{"x":1.0},"message":"no"}"#,
                r#"{"code":-32602,"data":{"x":1.0,"uri":"a:\"b"},"message":"no"}"#,
            ),
            (
                r#"{"code":-32002,"data":"x","message":"no"}"#,
                r#"{"code":-32602,"data":"x","message":"no"}"#,
            ),
            (
                r#"{"code":-32601,"message":"no"}"#,
                r#"{"code":-32601,"message":"no"}"#,
            ),
        ];
        for (error, want) in cases {
            let whole = |error| format!(r#"{{"jsonrpc":"2.0","id":1,"error":{error}}}"#);
            assert_eq!(told("resources/read", &whole(error)), whole(want));
        }
    }

    #[test]
    fn a_page_to_open_is_told_as_what_it_is() {
        let wanted = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"no","data":{"elicitations":[{"mode":"url","url":"https://example.test/a","elicitationId":"e","message":"m"}]}}}"#;
        let frame = Frame::parse(wanted.into(), &FrameLimits::RESPONSE).expect("an answer");
        let fault = welcome()
            .answer("tools/call", None, &frame)
            .expect_err("not as it is");
        let details = format!("{:?}", fault.public().details());
        assert!(details.contains("https://example.test/a"), "{details}");
    }
}
