//! Translates results and errors of a modern server for a legacy client.

use breakfall::catalog::warning::RESULT_ADAPTED;
use breakfall::{Fault, Warning, codes};

use crate::bridge::say;
use crate::bridge::splice::{Object, each, text, with_body};
use breakfall_mcp::jsonrpc::{Frame, Kind, may_contain};

use super::input::RequestedInput;
use breakfall_mcp::protocol::{error_code, method};

/// The answer of a modern server.
#[derive(Debug)]
pub(in crate::bridge) enum TranslatedAnswer {
    /// A complete answer, translated.
    Whole(Vec<u8>),
    /// The server requests input.
    NeedsInput(RequestedInput),
    /// An answer that cannot be translated.
    Untranslatable(Box<Fault>),
}

/// Reads the answer to a method.
pub(in crate::bridge) fn answered(method: &str, answer: &Frame) -> TranslatedAnswer {
    let body = answer.body().unwrap_or_default();
    if answer.kind() == Kind::Error {
        return TranslatedAnswer::Whole(error(method, answer, body));
    }
    let Some(result) = Object::of(body, &["resultType"]) else {
        return TranslatedAnswer::Untranslatable(Box::new(odd(
            "it is written in a way that parsers read differently",
        )));
    };
    match result.text("resultType").as_deref() {
        None | Some("complete") => TranslatedAnswer::Whole(whole(method, answer, body)),
        Some("input_required") => match RequestedInput::of(body) {
            Ok(wanted) => TranslatedAnswer::NeedsInput(wanted),
            Err(why) => TranslatedAnswer::Untranslatable(Box::new(odd(why))),
        },
        Some("task") => TranslatedAnswer::Untranslatable(Box::new(task())),
        Some(_) => TranslatedAnswer::Untranslatable(Box::new(odd(
            "its type is one this client cannot know",
        ))),
    }
}

/// Removes members that only modern clients know.
fn whole(method: &str, answer: &Frame, body: &str) -> Vec<u8> {
    const NAMES: [&str; 6] = [
        "_meta",
        "resultType",
        "ttlMs",
        "cacheScope",
        "structuredContent",
        "tools",
    ];
    let Some(result) = Object::of(body, &NAMES) else {
        return answer.bytes().to_vec();
    };
    let structured = result.get("structuredContent");
    let tools = result.get("tools").and_then(with_plain_schemas);
    let meta = result.get("_meta");
    let mut warning = None;
    let mut edit = result.edit().drop("resultType");
    if is_cacheable(method) {
        edit = edit.drop("ttlMs").drop("cacheScope");
    }
    if let (Some((tools, names)), method::TOOLS_LIST) = (tools, method) {
        edit = edit.put("tools", tools);
        let told = Warning::new(RESULT_ADAPTED).context("fields", vec!["outputSchema"]);
        warning = Some(told.context("tools", names));
    }
    // Modern results may be of any type; legacy clients reject a result whose structured content is not an object.
    if let (Some(structured), method::TOOLS_CALL) = (structured, method)
        && !structured.starts_with('{')
    {
        edit = edit.put("structuredContent", format!(r#"{{"result":{structured}}}"#));
        warning = Some(Warning::new(RESULT_ADAPTED).context("fields", vec!["structuredContent"]));
    }
    if let Some(meta) = warning.and_then(|warning| with_warning(meta, warning)) {
        edit = edit.put("_meta", meta);
    }
    with_body(answer, &edit.write())
}

/// Adds a warning to `_meta`, unless there are others already.
fn with_warning(meta: Option<&str>, warning: Warning) -> Option<String> {
    const KEY: &str = breakfall::wire::native::SUCCESS_KEY;
    let told = say::warned(vec![warning]).remove(KEY)?;
    let meta = Object::of(meta.unwrap_or("{}"), &[KEY])?;
    Some(meta.edit().put_new(KEY, told.to_string()).write())
}

/// The methods whose results may be cached.
pub(in crate::bridge) fn is_cacheable(method: &str) -> bool {
    matches!(
        method,
        method::TOOLS_LIST
            | method::PROMPTS_LIST
            | method::RESOURCES_LIST
            | method::RESOURCES_TEMPLATES_LIST
            | method::RESOURCES_READ
            | method::DISCOVER
    )
}

/// Removes output schemas whose type is not an object: a legacy client would reject the whole list. `None` if no schema
/// has to go; else also the names of the first tools affected.
fn with_plain_schemas(tools: &str) -> Option<(String, Vec<String>)> {
    if !may_contain(tools.as_bytes(), "outputSchema") {
        return None;
    }
    let mut has_changed = false;
    let mut names = Vec::new();
    let mut written = String::from("[");
    each(tools, |tool| {
        if written.len() > 1 {
            written.push(',');
        }
        match without_odd_schema(tool) {
            Some(plain) => {
                has_changed = true;
                written.push_str(&plain);
                let name = Object::of(tool, &["name"])
                    .and_then(|tool| Some(tool.text("name")?.into_owned()));
                names.extend(name.filter(|_| names.len() < MAX_NAMED_TOOLS));
            }
            None => written.push_str(tool),
        }
    })?;
    written.push(']');
    has_changed.then_some((written, names))
}

fn without_odd_schema(tool: &str) -> Option<String> {
    let tool = Object::of(tool, &["outputSchema"])?;
    let schema = Object::of(tool.get("outputSchema")?, &["type"]);
    let is_plain =
        schema.is_some_and(|schema| schema.text("type").is_some_and(|is| is == "object"));
    (!is_plain).then(|| tool.edit().drop("outputSchema").write())
}

/// Legacy versions have a separate code for "not found".
fn error(method: &str, answer: &Frame, body: &str) -> Vec<u8> {
    let error = Object::of(body, &["code", "data"]);
    let is_not_found = error.as_ref().is_some_and(|error| {
        let data = error.get("data");
        let data = data.and_then(|data| Object::of(data, &["uri"]));
        let uri = data.and_then(|data| data.get("uri"));
        method == method::RESOURCES_READ
            && error.get("code") == Some("-32602")
            && uri.and_then(text).is_some()
    });
    match error {
        Some(error) if is_not_found => {
            let code = error_code::RESOURCE_NOT_FOUND.to_string();
            with_body(answer, &error.edit().put("code", code).write())
        }
        Some(_) | None => answer.bytes().to_vec(),
    }
}

fn task() -> Fault {
    Fault::new(codes::INTERNAL_NOT_IMPLEMENTED)
        .message("The server does this in the background, as a task of a later version of the protocol")
        .remediation("Use a client that speaks version 2026-07-28 of the protocol for this tool; tasks are not translated.")
        .detail("executed", "unknown")
}

fn odd(why: &'static str) -> Fault {
    Fault::new(codes::INTERNAL_BAD_UPSTREAM).note(format!("a result of a modern server: {why}"))
}

/// How many tools a warning names.
const MAX_NAMED_TOOLS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;
    use serde_json::{Value, json};

    fn told(method: &str, answer: &str) -> String {
        let frame = Frame::parse(answer.into(), &FrameLimits::RESPONSE).expect("an answer");
        match answered(method, &frame) {
            TranslatedAnswer::Whole(bytes) => String::from_utf8(bytes).expect("text"),
            other @ (TranslatedAnswer::NeedsInput(_) | TranslatedAnswer::Untranslatable(_)) => {
                panic!("{other:?}")
            }
        }
    }

    #[test]
    fn what_is_modern_goes_and_all_else_stays() {
        let cases = [
            (
                "tools/call",
                r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"ttlMs":1,"x":1.0,"_meta":{"a":1}}}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"ttlMs":1,"x":1.0,"_meta":{"a":1}}}"#,
            ),
            (
                "resources/read",
                r#"{"id":1,"result":{"contents":[], "ttlMs":0,"cacheScope":"public","resultType":"complete"},"jsonrpc":"2.0"}"#,
                r#"{"id":1,"result":{"contents":[]},"jsonrpc":"2.0"}"#,
            ),
            (
                "vendor/x",
                r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            ),
        ];
        for (method, answer, want) in cases {
            assert_eq!(told(method, answer), want);
        }
    }

    #[test]
    fn what_is_changed_for_older_clients_is_said() {
        let cases = [
            (
                "tools/call",
                r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":[1, 2],"content":[],"_meta":{"a":1.0},"resultType":"complete"}}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"result":[1, 2]},"content":[],"_meta":{"a":1.0,"dev.breakfall/success":"#,
                ("structuredContent", Value::Null),
            ),
            (
                "tools/list",
                r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"a","outputSchema":{"type":"array"}},{"name":"b", "outputSchema":{"type":"object"}}],"nextCursor":"n"}}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},{"name":"b", "outputSchema":{"type":"object"}}],"nextCursor":"n","_meta":{"dev.breakfall/success":"#,
                ("outputSchema", json!(["a"])),
            ),
        ];
        for (method, answer, start, (field, tools)) in cases {
            let told = told(method, answer);
            assert!(told.starts_with(start), "{told}");
            let told: Value = serde_json::from_str(&told).expect("JSON");
            let warnings = &told["result"]["_meta"]["dev.breakfall/success"]["warnings"];
            assert_eq!(warnings[0]["code"], "RESULT_ADAPTED", "{told}");
            assert_eq!(warnings[0]["context"]["fields"], json!([field]), "{told}");
            assert_eq!(warnings[0]["context"]["tools"], tools, "{told}");
        }
    }

    #[test]
    fn not_found_has_its_old_code_only_if_that_is_what_it_is() {
        let not_found = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"uri":"a:b","z":1.0}}}"#;
        let old = not_found.replace("-32602", "-32002");
        assert_eq!(told("resources/read", not_found), old);
        assert_eq!(told("tools/call", not_found), not_found);
        let bad = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}"#;
        assert_eq!(told("resources/read", bad), bad);
    }

    #[test]
    fn a_task_is_told_as_what_it_is() {
        let task = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t"}}"#;
        let frame = Frame::parse(task.into(), &FrameLimits::RESPONSE).expect("an answer");
        let TranslatedAnswer::Untranslatable(fault) = answered("tools/call", &frame) else {
            panic!("a client cannot be told of it");
        };
        assert_eq!(fault.code(), codes::INTERNAL_NOT_IMPLEMENTED);
    }
}
