//! Warnings on a success.
//!
//! They are in `_meta`, where clients do not take them for the result. A result that is an envelope in the caller's
//! format gets them there, too.

use breakfall::catalog::warning::LOOKS_FAILED;
use breakfall::redact::Redacted;
use breakfall::wire::native::SUCCESS_KEY;
use breakfall::wire::{Dialect, Options, encode, tool_result};
use breakfall::{Outcome, Success, Warning};
use serde_json::Value;

use super::{ReplyOptions, blocks};
use crate::classify::text_of;
use breakfall_mcp::jsonrpc::splice::{Object, each};

/// A result with warnings added where its caller reads them, and otherwise unchanged: worst first, without duplicates,
/// at most ten.
///
/// ```
/// use breakfall::Warning;
/// use breakfall_gateway::reply::{ReplyOptions, warned};
///
/// let result = r#"{"content":[],"n":1e400}"#;
/// let told = warned(result, &[Warning::plain("slow")], &ReplyOptions::default());
/// assert!(told.starts_with(r#"{"content":[],"n":1e400,"_meta":{"dev.breakfall/success":{"warnings":["#), "{told}");
/// ```
pub fn warned(result: &str, warnings: &[Warning], options: &ReplyOptions) -> String {
    let Some(top) = Object::of(result, &["_meta", "content", "structuredContent"]) else {
        return result.to_owned();
    };
    let meta = top.get("_meta").filter(|raw| raw.starts_with('{'));
    let Some(found) = Object::of(meta.unwrap_or("{}"), &[SUCCESS_KEY]) else {
        return result.to_owned();
    };
    if warnings.is_empty() {
        return result.to_owned();
    }
    let outcome = spoken(warnings, options);
    let content = top
        .get("content")
        .and_then(|content| enveloped(content, &outcome, options));
    let is_enveloped = content.is_some();
    let ours = native_warnings(&outcome);
    let content = with_notice(content.as_deref().or(top.get("content")), &ours).or(content);
    let structured = top.get("structuredContent");
    let structured = structured.filter(|_| options.has_output_schema == Some(false));
    let structured = structured.and_then(|raw| envelope(raw, &outcome, options.dialect));
    let success = found.get(SUCCESS_KEY).filter(|raw| raw.starts_with('{'));
    let is_told = options.strict && is_enveloped;
    let meta = (!is_told).then(|| {
        let success = told(success.unwrap_or("{}"), &ours);
        found.edit().put(SUCCESS_KEY, success).write()
    });
    let mut edit = top.edit();
    for (name, value) in [
        ("content", content),
        ("structuredContent", structured),
        ("_meta", meta),
    ] {
        if let Some(value) = value {
            edit = edit.put(name, value);
        }
    }
    edit.write()
}

/// The redacted warnings, in the language of the caller.
fn spoken(warnings: &[Warning], options: &ReplyOptions) -> Redacted<Outcome> {
    let curated = Warning::curated(warnings);
    let success = curated
        .into_iter()
        .fold(Success::new(Value::Null), Success::warning);
    let outcome = options.redactor().outcome(success);
    match options.language {
        Some(language) => outcome.in_language(language),
        None => outcome,
    }
}

/// The warnings in the native format.
fn native_warnings(outcome: &Redacted<Outcome>) -> Value {
    let result = tool_result(outcome.as_ref(), Dialect::Native, &Options::new());
    let mut result = result.map(|result| result.to_value()).unwrap_or_default();
    result["_meta"][SUCCESS_KEY]["warnings"].take()
}

/// The content with a block that says to the model what only the metadata says otherwise: that the text before it may be
/// that of a failure. `None` without such a warning.
fn with_notice(content: Option<&str>, ours: &Value) -> Option<String> {
    let is_notice = |one: &&Value| one["code"] == LOOKS_FAILED.name();
    let notice = ours.as_array()?.iter().find(is_notice)?;
    let list = content?.trim_ascii_end().strip_suffix(']')?;
    let comma = if list.trim_ascii_end().ends_with('[') {
        ""
    } else {
        ","
    };
    let words = notice["message"].as_str().unwrap_or_default();
    let block = blocks::block(&format!("[{}] {words}", LOOKS_FAILED.name()));
    Some(format!("{list}{comma}{block}]"))
}

/// The metadata of a success with more warnings.
fn told(given: &str, ours: &Value) -> String {
    let object = Object::of(given, &["warnings"]);
    let list = joined(
        object.as_ref().and_then(|object| object.get("warnings")),
        ours,
    );
    match object {
        Some(object) => object.edit().put("warnings", list).write(),
        None => format!(r#"{{"warnings":{list}}}"#),
    }
}

/// The server's warnings with those of the gateway, the worst first. All warnings of the server are kept.
fn joined(given: Option<&str>, ours: &Value) -> String {
    let mut all: Vec<(u8, String)> = Vec::new();
    if let Some(list) = given {
        each(list, |one| all.push((rank(one), one.to_owned())));
    }
    let room = MAX_WARNINGS.saturating_sub(all.len()).max(1);
    let ours = ours
        .as_array()
        .into_iter()
        .flatten()
        .map(ToString::to_string);
    for one in ours.take(room) {
        if all.iter().all(|(_, have)| *have != one) {
            all.push((rank(&one), one));
        }
    }
    all.sort_by_key(|(rank, _)| *rank);
    let all: Vec<String> = all.into_iter().map(|(_, one)| one).collect();
    format!("[{}]", all.join(","))
}

/// The rank of a warning: the worst is lowest. A warning without a severity is in the middle.
fn rank(warning: &str) -> u8 {
    let object = Object::of(warning, &["severity"]);
    let severity = object.as_ref().and_then(|one| one.text("severity"));
    match severity.as_deref() {
        Some("error" | "high" | "critical") => 0,
        Some("info" | "low") => 2,
        Some(_) | None => 1,
    }
}

/// The number of warnings.
const MAX_WARNINGS: usize = 10;

/// Content whose last text is an envelope in the caller's format, with warnings added; `None` if it is not such an
/// envelope.
fn enveloped(content: &str, outcome: &Redacted<Outcome>, options: &ReplyOptions) -> Option<String> {
    if !matches!(options.dialect, Dialect::ResponseV2 | Dialect::McpAql) {
        return None;
    }
    let mut blocks = Vec::new();
    each(content, |block| blocks.push(block.to_owned()))?;
    for block in blocks.iter_mut().rev() {
        let Some(object) = Object::of(block, &["text"]) else {
            continue;
        };
        let text = object
            .get("text")
            .filter(|raw| raw.starts_with('"'))
            .map(text_of);
        let changed = text.and_then(|text| envelope(&text, outcome, options.dialect));
        if let Some(changed) = changed {
            let changed = Value::from(changed).to_string();
            *block = object.edit().put("text", changed).write();
            return Some(format!("[{}]", blocks.join(",")));
        }
    }
    None
}

/// An envelope of a success with warnings added; `None` if it is not an envelope of this format.
fn envelope(json: &str, outcome: &Redacted<Outcome>, dialect: Dialect) -> Option<String> {
    let json = json.trim_ascii();
    let object = Object::of(json, &["success", "meta", "warnings"])?;
    if object.get("success")? != "true" {
        return None;
    }
    let ours = encode(outcome.as_ref(), dialect, &Options::new())
        .ok()?
        .to_value();
    match dialect {
        Dialect::McpAql => {
            let list = joined(object.get("warnings"), &ours["warnings"]);
            Some(object.edit().put("warnings", list).write())
        }
        Dialect::ResponseV2 => {
            let meta = Object::of(object.get("meta")?, &["warnings", "warning_details"])?;
            let mut lists = Vec::new();
            // Both lists describe the same warnings, in the same order.
            for name in ["warnings", "warning_details"] {
                let mut all = Vec::new();
                each(meta.get(name).unwrap_or("[]"), |one| {
                    all.push(one.to_owned());
                });
                let more = ours["meta"][name].as_array().into_iter().flatten();
                all.extend(more.map(ToString::to_string));
                lists.push((name, all));
            }
            let mut edit = meta.edit();
            for (name, all) in lists.iter().filter(|(_, all)| !all.is_empty()) {
                edit = edit.put(name, format!("[{}]", all.join(",")));
            }
            let meta = edit.write();
            Some(object.edit().put("meta", meta).write())
        }
        Dialect::Native
        | Dialect::McpError
        | Dialect::ErrorModel
        | Dialect::ToolError
        | Dialect::Problem => None,
    }
}
