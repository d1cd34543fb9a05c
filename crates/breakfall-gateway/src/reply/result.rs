//! A failed call as a tool result.

use std::borrow::Cow;

use breakfall::redact::Redacted;
use breakfall::wire::native::{self, ERROR_KEY, NEEDS_INPUT_KEY};
use breakfall::wire::{Dialect, tool_result};
use breakfall::{Fault, Outcome};
use serde_json::Value;

use super::{CUT_FROM, ReplyContext, ReplyOptions, blocks, count, object, quoted, with_object};
use crate::classify::ClassifiedFailure;
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::protocol::meta;
use breakfall_mcp::protocol::meta::STRUCTURED_CONTENT;

/// A failure of the gateway.
pub(super) fn ours(fault: &Fault, context: &ReplyContext<'_>) -> String {
    let FormattedFault {
        content,
        structured,
        is_error,
        meta,
    } = FormattedFault::of(&context.shown(fault, &[]), context, false);
    let mut result = format!(r#"{{"content":[{}]"#, content.join(","));
    let mut put = |name: &str, value: &str| {
        result.extend([",\"", name, "\":", value]);
    };
    if let Some(structured) = structured {
        put("structuredContent", &structured);
    }
    if is_error {
        put("isError", "true");
    }
    if !meta.is_empty() {
        put("_meta", &joined(&meta));
    }
    if context.options.is_modern {
        put("resultType", "\"complete\"");
    }
    result.push('}');
    result
}

/// A failure of the server: its content, with the text of the gateway in front.
pub(super) fn theirs(
    body: &str,
    failure: &ClassifiedFailure,
    context: &ReplyContext<'_>,
) -> String {
    let clean;
    let mut found = Object::of(body, LOOKED_AT);
    // Usually there are only the members read below, and no structured content.
    if !found.as_ref().is_some_and(is_plain) {
        clean = context.redactor.members(body, |name| KEPT.contains(&name));
        found = Object::of(&clean, LOOKED_AT);
    }
    let Some(object) = found else {
        // It is ambiguous which of two members by the same name counts.
        return ours(&failure.fault, context);
    };
    let theirs = blocks::theirs(object.get("content"), context);
    let cut = theirs.cut_from.map(|bytes| (CUT_FROM, count(bytes)));
    let shown = context.shown(&failure.fault, cut.as_slice());
    let written = FormattedFault::of(&shown, context, !theirs.blocks.is_empty());
    // An id means that another gateway has added everything else, too; a text that only opens like a known format has
    // none.
    let id = shown.public().correlation_id();
    let is_whole = || id.is_some_and(|id| theirs.blocks.iter().any(|b| b.contains(id.as_str())));
    let wanted = context.options.dialect;
    let is_said = failure.speaks.is_some_and(|speaks| {
        if wanted == Dialect::Native {
            is_whole()
        } else {
            wanted == speaks
        }
    });
    let mut content: Vec<String> = Vec::new();
    if theirs.blocks.is_empty() || !is_said {
        content.extend(written.content);
    }
    content.extend(theirs.blocks);
    let mut meta = with_meta(object.get("_meta"), &written.meta, context);
    let given = object.get("structuredContent").filter(|raw| *raw != "null");
    let misfit = given.filter(|_| context.options.is_misfit && !context.options.strict);
    if let Some(misfit) = misfit {
        meta = Some(put_new(
            meta.as_deref().unwrap_or("{}"),
            STRUCTURED_CONTENT,
            misfit,
        ));
    }
    // Legacy clients reject structured content that is not an object.
    let boxed = given.filter(|raw| !raw.starts_with('{') && !context.options.is_modern);
    let boxed = boxed.map(|raw| format!(r#"{{"result":{raw}}}"#));
    let structured = boxed.or(written.structured.filter(|_| given.is_none()));
    let mut edit = object
        .edit()
        .put("content", format!("[{}]", content.join(",")))
        .put("isError", if written.is_error { "true" } else { "false" });
    if let Some(structured) = structured {
        edit = edit.put("structuredContent", structured);
    }
    if misfit.is_some() {
        edit = edit.drop("structuredContent");
    }
    if let Some(meta) = meta {
        edit = edit.put("_meta", meta);
    }
    edit.write()
}

/// Members of a result that are handled one by one, or have values that the protocol defines.
const KEPT: &[&str] = &["content", "isError", "resultType", "_meta"];

/// Members of a result that are read here.
const LOOKED_AT: &[&str] = &["content", "structuredContent", "isError", "_meta"];

/// Whether only the members that are handled one by one need redaction.
fn is_plain(result: &Object<'_>) -> bool {
    result.has_no_others() && result.get("structuredContent").is_none()
}

/// Metadata by key, as JSON.
type Meta = Vec<(Cow<'static, str>, String)>;

/// The metadata of the server, with that of the gateway.
fn with_meta(given: Option<&str>, own: &Meta, context: &ReplyContext<'_>) -> Option<String> {
    let Some(given) = given.filter(|raw| raw.starts_with('{')) else {
        return (!own.is_empty()).then(|| joined(own));
    };
    let mut meta = context.redactor.members(given, is_protocol).into_owned();
    for (key, value) in own {
        meta = match &**key {
            ERROR_KEY => with_object(&meta, value)?,
            other => put_new(&meta, other, value),
        };
    }
    (meta != "{}").then_some(meta)
}

/// The metadata as an object.
fn joined(meta: &Meta) -> String {
    let mut out = String::with_capacity(
        meta.iter()
            .map(|(key, value)| key.len() + value.len() + 6)
            .sum(),
    );
    for (key, value) in meta {
        out.push(if out.is_empty() { '{' } else { ',' });
        out.extend([&*quoted(key), ":", value]);
    }
    out.push('}');
    out
}

/// Whether a metadata key belongs to the protocol, whose values are passed on unchanged.
fn is_protocol(key: &str) -> bool {
    key.starts_with(meta::PROTOCOL_PREFIX) || matches!(key, "traceparent" | "tracestate")
}

/// An object with a member added, unless it has one by that name.
fn put_new(object: &str, key: &str, value: &str) -> String {
    let mut has = false;
    let mut count = 0;
    let look = |name: &str, _: &str| {
        count += 1;
        has |= crate::classify::text_of(name) == key;
    };
    if breakfall_mcp::jsonrpc::splice::members(object, look).is_none() || has {
        return object.to_owned();
    }
    let end = object.trim_ascii_end().len() - 1;
    let comma = if count == 0 { "" } else { "," };
    format!("{}{comma}{}:{value}}}", &object[..end], quoted(key))
}

/// A fault in the caller's format, in parts, each of them JSON.
struct FormattedFault {
    content: Vec<String>,
    structured: Option<String>,
    is_error: bool,
    meta: Meta,
}

impl FormattedFault {
    /// `is_preamble` if the content of the server follows.
    fn of(shown: &Redacted<Fault>, context: &ReplyContext<'_>, is_preamble: bool) -> Self {
        match context.options.dialect {
            Dialect::Native => Self::native(shown, context.options, is_preamble),
            dialect @ (Dialect::ResponseV2
            | Dialect::McpError
            | Dialect::ErrorModel
            | Dialect::ToolError
            | Dialect::McpAql
            | Dialect::Problem) => Self::foreign(shown, dialect, context.options),
        }
    }

    /// The native format.
    fn native(shown: &Redacted<Fault>, options: &ReplyOptions, is_preamble: bool) -> Self {
        let object = native::object(shown.public(), &options.wire());
        let json = object.to_json();
        let text = if is_preamble {
            object.preamble()
        } else {
            object.text()
        };
        Self {
            content: vec![blocks::block(&text)],
            structured: options.may_be_structured().then(|| json.clone()),
            is_error: true,
            meta: vec![(ERROR_KEY.into(), json)],
        }
    }

    fn foreign(shown: &Redacted<Fault>, dialect: Dialect, options: &ReplyOptions) -> Self {
        let outcome = Redacted::<Outcome>::from(shown.clone());
        let written = tool_result(outcome.as_ref(), dialect, &options.wire());
        let mut result = written.map(|result| result.to_value()).unwrap_or_default();
        let mut content = Vec::new();
        if let Value::Array(blocks) = result["content"].take() {
            content = blocks.iter().map(Value::to_string).collect();
        }
        let mut meta = Meta::new();
        if let Value::Object(own) = result["_meta"].take() {
            let own = own.into_iter();
            meta.extend(own.map(|(key, value)| (key.into(), value.to_string())));
        }
        if !options.strict {
            meta.retain(|(key, _)| key != ERROR_KEY);
            meta.push((ERROR_KEY.into(), object(shown)));
        }
        let structured = result.get("structuredContent").map(Value::to_string);
        let is_question = result.get("isError").is_none();
        let may_be = options.may_be_structured();
        if !may_be
            && is_question
            && let Some(question) = &structured
        {
            meta.push((NEEDS_INPUT_KEY.into(), question.clone()));
        }
        Self {
            content,
            structured: structured.filter(|_| may_be),
            // A result that is not an error must satisfy the output schema of the tool.
            is_error: !is_question || !may_be,
            meta,
        }
    }
}
