//! Arguments that a tool wants to see in headers as well, for clients that do not send any.
//!
//! A schema marks such an argument with `x-mcp-header`. A modern client over HTTP repeats it beside its call, and a
//! modern server refuses a call where that is missing; a client of the older protocol, or one on standard streams,
//! knows nothing of headers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::heads::value;
use crate::jsonrpc::may_contain;

/// What the tools of one server want to see in headers, as far as their list went by.
#[derive(Debug, Default)]
pub(super) struct Mirrors(RwLock<HashMap<String, Arc<[Mirror]>>>);

/// One argument.
#[derive(Debug, PartialEq)]
struct Mirror {
    /// Where it is among the arguments.
    path: Vec<String>,
    header: HeaderName,
}

impl Mirrors {
    /// Looks at the answer to a list of tools.
    pub(super) fn learn(&self, answer: &[u8]) {
        let has_marks = may_contain(answer, MARK);
        if !has_marks && self.read().is_empty() {
            return;
        }
        let Ok(answer) = serde_json::from_slice::<Answer<'_>>(answer) else {
            return;
        };
        let mut known = self
            .0
            .write()
            .expect("nobody panics while holding this lock");
        for tool in answer.result.tools {
            let mirrors = tool.schema.map(mirrors).unwrap_or_default();
            if mirrors.is_empty() {
                known.remove(&*tool.name);
            } else if known.len() < MOST || known.contains_key(&*tool.name) {
                known.insert(tool.name.into_owned(), mirrors.into());
            }
        }
    }

    /// What belongs beside a call.
    pub(super) fn beside(&self, call: &[u8]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if self.read().is_empty() {
            return headers;
        }
        let Ok(call) = serde_json::from_slice::<Call<'_>>(call) else {
            return headers;
        };
        let mirrors = self.read().get(&*call.params.name).cloned();
        let Some(arguments) = call
            .params
            .arguments
            .filter(|_| call.method == "tools/call")
        else {
            return headers;
        };
        for mirror in mirrors.iter().flat_map(|mirrors| mirrors.iter()) {
            if let Some(value) = mirror.of(arguments) {
                headers.insert(mirror.header.clone(), value);
            }
        }
        headers
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Arc<[Mirror]>>> {
        self.0
            .read()
            .expect("nobody panics while holding this lock")
    }
}

impl Mirror {
    /// The argument as a header; nothing if it is not there, or is nothing a header can say.
    fn of(&self, arguments: &RawValue) -> Option<HeaderValue> {
        let mut found = Cow::Borrowed(arguments);
        for step in &self.path {
            let mut object: HashMap<String, Box<RawValue>> =
                serde_json::from_str(found.get()).ok()?;
            found = Cow::Owned(object.remove(step)?);
        }
        match serde_json::from_str(found.get()).ok()? {
            Value::String(text) => Some(value(&text)),
            Value::Bool(_) | Value::Number(_) => Some(value(found.get())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// What a schema marks.
fn mirrors(schema: &RawValue) -> Vec<Mirror> {
    let mut mirrors = Vec::new();
    if may_contain(schema.get().as_bytes(), MARK)
        && let Ok(schema) = serde_json::from_str::<Value>(schema.get())
    {
        collect(&schema, &mut Vec::new(), &mut mirrors);
    }
    mirrors
}

/// Marks count along `properties` only; elsewhere nobody knows which argument is meant.
fn collect(schema: &Value, path: &mut Vec<String>, mirrors: &mut Vec<Mirror>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    for (name, schema) in properties {
        path.push(name.clone());
        let mark = schema.get(MARK).and_then(Value::as_str);
        let header = mark.filter(|mark| !mark.is_empty());
        let header = header.map(|mark| format!("mcp-param-{mark}").to_ascii_lowercase());
        if let Some(Ok(header)) = header.map(|header| header.parse())
            && mirrors.len() < MOST_OF_ONE
        {
            let path = path.clone();
            mirrors.push(Mirror { path, header });
        }
        collect(schema, path, mirrors);
        path.pop();
    }
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    result: List<'a>,
}

#[derive(Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    tools: Vec<Tool<'a>>,
}

#[derive(Deserialize)]
struct Tool<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default, rename = "inputSchema")]
    schema: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

const MARK: &str = "x-mcp-header";
/// How many tools are kept of one server.
const MOST: usize = 1000;
/// How many arguments are kept of one tool.
const MOST_OF_ONE: usize = 100;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(properties: &Value) -> Mirrors {
        let schema = json!({"type": "object", "properties": properties});
        let tool = json!({"name": "t", "inputSchema": schema});
        let mirrors = Mirrors::default();
        mirrors.learn(answer(&[tool]).as_bytes());
        mirrors
    }

    fn answer(tools: &[Value]) -> String {
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}).to_string()
    }

    fn beside(mirrors: &Mirrors, arguments: &str) -> Vec<String> {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{arguments}}}}}"#
        );
        let headers = mirrors.beside(call.as_bytes());
        let mut said: Vec<_> = headers
            .iter()
            .map(|(name, value)| format!("{name}: {}", value.to_str().expect("plain")))
            .collect();
        said.sort();
        said
    }

    #[test]
    fn what_a_schema_marks_is_repeated_in_headers() {
        let mirrors = listed(&json!({
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "deep": {"type": "object", "properties": {"in": {"x-mcp-header": "In"}}},
            "plain": {"type": "string"},
        }));
        let arguments = r#"{"region":" öst","count":42,"deep":{"in":true},"plain":"x"}"#;
        assert_eq!(
            beside(&mirrors, arguments),
            [
                "mcp-param-count: 42",
                "mcp-param-in: true",
                "mcp-param-region: =?base64?IMO2c3Q=?=",
            ]
        );
    }

    #[test]
    fn what_is_not_there_or_cannot_be_said_is_left_out() {
        let mirrors = listed(&json!({
            "a": {"x-mcp-header": "A"}, "b": {"x-mcp-header": "B"}, "c": {"x-mcp-header": "C"},
        }));
        assert_eq!(beside(&mirrors, r#"{"a":null,"b":[1]}"#), [""; 0]);
        assert_eq!(beside(&mirrors, "[]"), [""; 0]);
        assert_eq!(beside(&mirrors, r#"{"c":""}"#), ["mcp-param-c: "]);
    }

    #[test]
    fn marks_that_mean_nothing_are_not_heeded() {
        let mirrors = listed(&json!({
            "a": {"x-mcp-header": ""},
            "b": {"x-mcp-header": "not a name"},
            "c": {"x-mcp-header": 7},
            "d": {"anyOf": [{"properties": {"e": {"x-mcp-header": "E"}}}]},
        }));
        assert_eq!(
            beside(&mirrors, r#"{"a":"1","b":"2","c":"3","d":{"e":"4"}}"#),
            [""; 0]
        );
    }

    #[test]
    fn the_latest_list_counts() {
        let mirrors = listed(&json!({"a": {"x-mcp-header": "A"}}));
        assert_eq!(beside(&mirrors, r#"{"a":"1"}"#), ["mcp-param-a: 1"]);
        mirrors.learn(answer(&[json!({"name": "t", "inputSchema": {}})]).as_bytes());
        assert_eq!(beside(&mirrors, r#"{"a":"1"}"#), [""; 0]);
    }
}
