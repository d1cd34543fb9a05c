//! A failed call as the result of a tool.

use breakfall::wire::native::{ERROR_KEY, NEEDS_INPUT_KEY};
use breakfall::wire::{Dialect, tool_result};
use breakfall::{Fault, Outcome};
use serde_json::{Map, Value, json};

use super::{Teller, blocks, copy, object, with_object};
use crate::envelope::splice::Object;
use crate::verdict::Failure;

/// A failure of our own.
pub(super) fn ours(fault: &Fault, teller: &Teller<'_>) -> String {
    let Written {
        content,
        structured,
        is_error,
        meta,
    } = Written::of(&teller.shown(fault), teller);
    let mut result = json!({"content": content});
    if let Some(structured) = structured {
        result["structuredContent"] = structured;
    }
    if is_error {
        result["isError"] = true.into();
    }
    if !meta.is_empty() {
        result["_meta"] = meta.into();
    }
    if teller.manner.is_modern {
        result["resultType"] = "complete".into();
    }
    result.to_string()
}

/// A failure of a server: what it said, with ours in front.
pub(super) fn theirs(body: &str, failure: &Failure, teller: &Teller<'_>) -> String {
    let clean = teller.redactor.members(body, |name| KEPT.contains(&name));
    let Some(object) = Object::of(
        &clean,
        &["content", "structuredContent", "isError", "_meta"],
    ) else {
        // Nobody could say which of its members counts.
        return ours(&failure.fault, teller);
    };
    let theirs = blocks::theirs(object.get("content"), teller);
    let mut shown = teller.shown(&failure.fault);
    if let Some(all) = theirs.cut_from {
        shown = shown.detail("text_cut_from_bytes", all);
    }
    let written = Written::of(&shown, teller);
    // Whoever gives an id has said the rest as well; who only begins in a format of ours has not.
    let id = shown.public().correlation_id();
    let is_whole = || id.is_some_and(|id| theirs.blocks.iter().any(|b| b.contains(id.as_str())));
    let wanted = teller.manner.dialect;
    let is_said = failure.speaks.is_some_and(|speaks| {
        if wanted == Dialect::Native {
            is_whole()
        } else {
            wanted == speaks
        }
    });
    let mut content: Vec<String> = Vec::new();
    if theirs.blocks.is_empty() || !is_said {
        content.extend(written.content.iter().map(ToString::to_string));
    }
    content.extend(theirs.blocks);
    let mut meta = with_meta(object.get("_meta"), &written, teller);
    let given = object.get("structuredContent").filter(|raw| *raw != "null");
    let misfit = given.filter(|_| teller.manner.is_misfit && !teller.manner.strict);
    if let Some(misfit) = misfit {
        meta = Some(put_new(
            meta.as_deref().unwrap_or("{}"),
            MISFIT_KEY,
            &misfit,
        ));
    }
    let structured = written.structured.filter(|_| given.is_none());
    let mut edit = object
        .edit()
        .put("content", format!("[{}]", content.join(",")))
        .put("isError", if written.is_error { "true" } else { "false" });
    if let Some(structured) = structured {
        edit = edit.put("structuredContent", structured.to_string());
    }
    if misfit.is_some() {
        edit = edit.drop("structuredContent");
    }
    if let Some(meta) = meta {
        edit = edit.put("_meta", meta);
    }
    edit.write()
}

/// `_meta` key of a failure: what its server put into `structuredContent`, where that breaks the schema of successes.
const MISFIT_KEY: &str = "dev.breakfall/structured_content";

/// Members of a result that are looked at one by one, or are words of the protocol.
const KEPT: &[&str] = &["content", "isError", "resultType", "_meta"];

/// The metadata of a server, with ours.
fn with_meta(given: Option<&str>, written: &Written, teller: &Teller<'_>) -> Option<String> {
    let given = given.filter(|raw| raw.starts_with('{')).unwrap_or("{}");
    let mut meta = teller.redactor.members(given, is_protocol).into_owned();
    for (key, value) in &written.meta {
        meta = match &**key {
            ERROR_KEY => with_object(&meta, value)?,
            other => put_new(&meta, other, value),
        };
    }
    (meta != "{}").then_some(meta)
}

/// Metadata of the protocol itself, which has to come out as it went in.
fn is_protocol(key: &str) -> bool {
    key.starts_with("io.modelcontextprotocol/") || matches!(key, "traceparent" | "tracestate")
}

/// An object with one more member, unless it has it.
fn put_new(object: &str, key: &str, value: &impl std::fmt::Display) -> String {
    let mut has = false;
    let mut count = 0;
    let look = |name: &str, _: &str| {
        count += 1;
        has |= crate::verdict::text_of(name) == key;
    };
    if crate::envelope::splice::members(object, look).is_none() || has {
        return object.to_owned();
    }
    let end = object.trim_ascii_end().len() - 1;
    let comma = if count == 0 { "" } else { "," };
    format!("{}{comma}{}:{value}}}", &object[..end], Value::from(key))
}

/// A fault in the caller's format, in parts.
struct Written {
    content: Vec<Value>,
    structured: Option<Value>,
    is_error: bool,
    meta: Map<String, Value>,
}

impl Written {
    fn of(shown: &Fault, teller: &Teller<'_>) -> Self {
        let manner = teller.manner;
        let outcome = Outcome::Fault(copy(shown));
        let written = tool_result(&outcome, manner.dialect, &manner.options());
        let mut result = written.map(|result| result.to_value()).unwrap_or_default();
        let mut content = Vec::new();
        if let Value::Array(blocks) = result["content"].take() {
            content = blocks;
        }
        let mut meta = Map::new();
        if let Value::Object(own) = result["_meta"].take() {
            meta = own;
        }
        if !manner.strict {
            meta.insert(ERROR_KEY.to_owned(), object(shown));
        }
        let structured = result.get_mut("structuredContent").map(Value::take);
        let is_question = result.get("isError").is_none();
        let may_be = manner.may_be_structured();
        if !may_be
            && is_question
            && let Some(question) = &structured
        {
            meta.insert(NEEDS_INPUT_KEY.to_owned(), question.clone());
        }
        Self {
            content,
            structured: structured.filter(|_| may_be),
            // A result that is no error has to satisfy the schema the tool may have.
            is_error: !is_question || !may_be,
            meta,
        }
    }
}
