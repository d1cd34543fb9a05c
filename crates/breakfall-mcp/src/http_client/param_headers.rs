//! Arguments that a tool requires in headers, too, for clients that send no headers.
//!
//! A schema marks such an argument with `x-mcp-header`. A modern client over HTTP repeats it in an `Mcp-Param` header, and
//! a modern server refuses a call without it. Clients on stdio and of the older protocol send no headers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::message_headers::header_value;
use crate::jsonrpc::may_contain;
use crate::protocol::method;

/// The marked arguments of a server's tools, from the lists that were seen.
#[derive(Debug, Default)]
pub(super) struct ParamHeaders(RwLock<HashMap<String, Arc<[ParamHeader]>>>);

/// A marked argument.
#[derive(Debug, PartialEq)]
struct ParamHeader {
    /// Its path in the arguments.
    path: Vec<String>,
    header: HeaderName,
}

impl ParamHeaders {
    /// Takes them from the answer to `tools/list`.
    pub(super) fn learn(&self, answer: &[u8]) {
        let has_marks = may_contain(answer, MARK);
        if !has_marks && self.read().is_empty() {
            return;
        }
        let Ok(answer) = serde_json::from_slice::<ToolsListAnswer<'_>>(answer) else {
            return;
        };
        let mut known = self.0.write().expect("no panic under this lock");
        for tool in answer.result.tools {
            let headers = tool.schema.map(marked).unwrap_or_default();
            if headers.is_empty() {
                known.remove(&*tool.name);
            } else if known.len() < MAX_TOOLS || known.contains_key(&*tool.name) {
                known.insert(tool.name.into_owned(), headers.into());
            }
        }
    }

    /// The headers of a call.
    pub(super) fn of_call(&self, call: &[u8]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if self.read().is_empty() {
            return headers;
        }
        let Ok(call) = serde_json::from_slice::<ToolCallMessage<'_>>(call) else {
            return headers;
        };
        let marked = self.read().get(&*call.params.name).cloned();
        let Some(arguments) = call
            .params
            .arguments
            .filter(|_| call.method == method::TOOLS_CALL)
        else {
            return headers;
        };
        for param in marked.iter().flat_map(|marked| marked.iter()) {
            if let Some(value) = param.value(arguments) {
                headers.insert(param.header.clone(), value);
            }
        }
        headers
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Arc<[ParamHeader]>>> {
        self.0.read().expect("no panic under this lock")
    }
}

impl ParamHeader {
    /// The argument as a header; nothing if it is absent, or not a scalar.
    fn value(&self, arguments: &RawValue) -> Option<HeaderValue> {
        let mut found = Cow::Borrowed(arguments);
        for step in &self.path {
            let mut object: HashMap<String, Box<RawValue>> =
                serde_json::from_str(found.get()).ok()?;
            found = Cow::Owned(object.remove(step)?);
        }
        match serde_json::from_str(found.get()).ok()? {
            Value::String(text) => Some(header_value(&text)),
            Value::Bool(_) | Value::Number(_) => Some(header_value(found.get())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// The arguments that a schema marks.
fn marked(schema: &RawValue) -> Vec<ParamHeader> {
    let mut marked = Vec::new();
    if may_contain(schema.get().as_bytes(), MARK)
        && let Ok(schema) = serde_json::from_str::<Value>(schema.get())
    {
        collect(&schema, &mut Vec::new(), &mut marked);
    }
    marked
}

/// Marks count along `properties` only: elsewhere the argument is ambiguous.
fn collect(schema: &Value, path: &mut Vec<String>, marked: &mut Vec<ParamHeader>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    for (name, schema) in properties {
        path.push(name.clone());
        let mark = schema.get(MARK).and_then(Value::as_str);
        let header = mark.filter(|mark| !mark.is_empty());
        let header = header.map(|mark| format!("mcp-param-{mark}").to_ascii_lowercase());
        if let Some(Ok(header)) = header.map(|header| header.parse())
            && marked.len() < MAX_HEADERS_PER_TOOL
        {
            let path = path.clone();
            marked.push(ParamHeader { path, header });
        }
        collect(schema, path, marked);
        path.pop();
    }
}

#[derive(Deserialize)]
struct ToolsListAnswer<'a> {
    #[serde(borrow)]
    result: ToolsListPage<'a>,
}

#[derive(Deserialize)]
struct ToolsListPage<'a> {
    #[serde(borrow)]
    tools: Vec<ListedToolSchema<'a>>,
}

#[derive(Deserialize)]
struct ListedToolSchema<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default, rename = "inputSchema")]
    schema: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ToolCallMessage<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: ToolCallParams<'a>,
}

#[derive(Deserialize)]
struct ToolCallParams<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

const MARK: &str = "x-mcp-header";
/// How many tools of one server are kept.
const MAX_TOOLS: usize = 1000;
const MAX_HEADERS_PER_TOOL: usize = 100;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(properties: &Value) -> ParamHeaders {
        let schema = json!({"type": "object", "properties": properties});
        let tool = json!({"name": "t", "inputSchema": schema});
        let param_headers = ParamHeaders::default();
        param_headers.learn(answer(&[tool]).as_bytes());
        param_headers
    }

    fn answer(tools: &[Value]) -> String {
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}).to_string()
    }

    fn headers_of_call(known: &ParamHeaders, arguments: &str) -> Vec<String> {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{arguments}}}}}"#
        );
        let headers = known.of_call(call.as_bytes());
        let mut lines: Vec<_> = headers
            .iter()
            .map(|(name, value)| format!("{name}: {}", value.to_str().expect("plain")))
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn marked_arguments_are_repeated_in_headers() {
        let known = listed(&json!({
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "deep": {"type": "object", "properties": {"in": {"x-mcp-header": "In"}}},
            "plain": {"type": "string"},
        }));
        let arguments = r#"{"region":" öst","count":42,"deep":{"in":true},"plain":"x"}"#;
        assert_eq!(
            headers_of_call(&known, arguments),
            [
                "mcp-param-count: 42",
                "mcp-param-in: true",
                "mcp-param-region: =?base64?IMO2c3Q=?=",
            ]
        );
    }

    #[test]
    fn absent_and_structured_arguments_are_left_out() {
        let known = listed(&json!({
            "a": {"x-mcp-header": "A"}, "b": {"x-mcp-header": "B"}, "c": {"x-mcp-header": "C"},
        }));
        assert_eq!(headers_of_call(&known, r#"{"a":null,"b":[1]}"#), [""; 0]);
        assert_eq!(headers_of_call(&known, "[]"), [""; 0]);
        assert_eq!(headers_of_call(&known, r#"{"c":""}"#), ["mcp-param-c: "]);
    }

    #[test]
    fn invalid_marks_are_ignored() {
        let known = listed(&json!({
            "a": {"x-mcp-header": ""},
            "b": {"x-mcp-header": "not a name"},
            "c": {"x-mcp-header": 7},
            "d": {"anyOf": [{"properties": {"e": {"x-mcp-header": "E"}}}]},
        }));
        assert_eq!(
            headers_of_call(&known, r#"{"a":"1","b":"2","c":"3","d":{"e":"4"}}"#),
            [""; 0]
        );
    }

    #[test]
    fn the_latest_list_replaces_earlier_ones() {
        let known = listed(&json!({"a": {"x-mcp-header": "A"}}));
        assert_eq!(headers_of_call(&known, r#"{"a":"1"}"#), ["mcp-param-a: 1"]);
        known.learn(answer(&[json!({"name": "t", "inputSchema": {}})]).as_bytes());
        assert_eq!(headers_of_call(&known, r#"{"a":"1"}"#), [""; 0]);
    }
}
