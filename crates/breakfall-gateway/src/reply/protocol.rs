//! A failure as a JSON-RPC error.

use std::borrow::Cow;

use breakfall::redact::only_markers;
use breakfall::wire::native::{self, ERROR_KEY};
use breakfall::wire::{Options, Rpc};

use super::{CUT_FROM, ReplyContext, count, object as own, quoted, with_object};
use crate::classify::{ClassifiedFailure, text_of, unwrapped};
use breakfall_mcp::jsonrpc::splice::{Object, each};
use breakfall_mcp::protocol::error_code;

/// An error of the gateway.
pub(super) fn ours(rpc: Rpc, failure: &ClassifiedFailure, context: &ReplyContext<'_>) -> String {
    let shown = context.shown(&failure.fault, &[]);
    context.options.rpc_error(shown, Some(rpc)).to_string()
}

/// An error of the server: code, data and unknown members are kept, and the native object is added if `data` is an
/// object or absent.
pub(super) fn theirs(
    body: &str,
    failure: &ClassifiedFailure,
    context: &ReplyContext<'_>,
) -> String {
    let clean = context.redactor.members(body, |name| KEPT.contains(&name));
    let Some(object) = Object::of(&clean, KEPT) else {
        let rpc = Rpc::of(failure.fault.public());
        return ours(rpc, failure, context);
    };
    let code = object.get("code").and_then(|raw| raw.parse().ok());
    let words = object.get("message").map(text_of).unwrap_or_default();
    let (bare, inner) = unwrapped(&words);
    let inner = inner.filter(|inner| Some(*inner) != code);
    let cut = (bare.len() > context.options.text_limit).then(|| count(bare.len()));
    let details = [("inner_code", inner), (CUT_FROM, cut)];
    let details: Vec<_> = details
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect();
    let shown = context.shown(&failure.fault, &details);
    let mut message = context.redactor.text(bare);
    // The message of the fault has the sentence of its code in front.
    if only_markers(&message) {
        message = shown.public().message().into_owned().into();
    }
    let data = object.get("data").filter(|raw| *raw != "null");
    let data = data.map(|data| redacted(data, code, context));
    let data = match data.as_deref() {
        _ if context.options.strict => data,
        None => Some(format!(r#"{{"{ERROR_KEY}":{}}}"#, own(&shown)).into()),
        Some(given) if given.starts_with('{') => with_object(given, &own(&shown)).map(Into::into),
        // A string or a list has no member for the native object.
        Some(_) => data,
    };
    // An id means that another gateway has added everything else, too.
    let id = shown.public().correlation_id();
    let is_said = id.is_some_and(|id| message.contains(id.as_str()));
    if !context.options.strict && !is_said && !code.is_some_and(native::is_acted_on) {
        message = native::rpc_message(&message, shown.public(), &Options::new()).into();
    }
    let mut edit = object.edit();
    if *message != *words {
        edit = edit.put("message", quoted(&message));
    }
    if let Some(data) = data {
        edit = edit.put("data", data.into_owned());
    }
    edit.write()
}

const KEPT: &[&str] = &["code", "message", "data"];

/// The redacted data of an error. Members that a client acts on are not redacted: the URL of an elicitation and its id,
/// versions, capabilities.
fn redacted<'a>(data: &'a str, code: Option<i64>, context: &ReplyContext<'_>) -> Cow<'a, str> {
    let redactor = &context.redactor;
    match code.and_then(|code| i32::try_from(code).ok()) {
        Some(error_code::URL_ELICITATION_REQUIRED) => {
            let clean = redactor.members(data, |name| name == "elicitations");
            let list =
                Object::of(data, &["elicitations"]).and_then(|data| data.get("elicitations"));
            let mut all = Vec::new();
            let keep = |name: &str| matches!(name, "mode" | "elicitationId" | "url");
            let add = |one| all.push(redactor.members(one, keep).into_owned());
            let is_list = list.and_then(|list| each(list, add)).is_some();
            match Object::of(&clean, &["elicitations"]).filter(|_| is_list) {
                Some(data) => {
                    let all = format!("[{}]", all.join(","));
                    data.edit().put("elicitations", all).write().into()
                }
                None => redactor.json(data),
            }
        }
        Some(error_code::UNSUPPORTED_VERSION) => {
            redactor.members(data, |name| matches!(name, "supported" | "requested"))
        }
        Some(error_code::MISSING_CAPABILITY) => {
            redactor.members(data, |name| name == "requiredCapabilities")
        }
        _ => redactor.json(data),
    }
}
