//! `mcp-aql`: `{success: false, error: {code, message, details}}`, warnings beside `data`, results of a batch.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::decode::{DecodeError, Object};
use super::document::{Document, Fields};
use super::{Options, foreign, reserved};
use crate::catalog::{self, codes, warning};
use crate::classify::status;
use crate::code::{Code, Severity, Status};
use crate::fault::{CorrelationId, Fault, Public};
use crate::outcome::{Batch, Elicitation, Item, ItemResult, Outcome, Success};
use crate::violation::Violation;
use crate::warning::{Message, Warning};

/// At most this many warnings; the rest is counted in one more.
pub const MAX_WARNINGS: usize = 10;

pub(super) fn encode<'a>(outcome: &'a Outcome, options: &Options) -> Document<'a> {
    let fields = match outcome {
        Outcome::Fault(fault) => failure(fault.public(), options),
        Outcome::Success(success) => {
            let mut fields = succeeded(success.data.clone(), &success.warnings);
            if let Some(id) = &success.correlation_id {
                fields.put(
                    "_meta",
                    Map::from_iter([("request_id".to_owned(), Value::from(id.as_str()))]),
                );
            }
            fields
        }
        Outcome::NeedsInput(question) => succeeded(question.to_value(), &[]),
        Outcome::Batch(batch) if options.aggregate && batch.tally().failed > 0 => {
            aggregated(batch, options)
        }
        Outcome::Batch(batch) => results(batch, options),
    };
    fields.into()
}

fn succeeded(data: Value, warnings: &[Warning]) -> Fields {
    let mut fields = Fields::default();
    fields.put("success", true).put("data", data);
    put_warnings(&mut fields, warnings);
    fields
}

fn put_warnings(fields: &mut Fields, warnings: &[Warning]) {
    if !warnings.is_empty() {
        fields.put(
            "warnings",
            curate(warnings)
                .iter()
                .map(warning_value)
                .collect::<Value>(),
        );
    }
}

fn failure(public: &Public, options: &Options) -> Fields {
    let mut fields = Fields::default();
    fields
        .put("success", false)
        .nest("error", error(public, options));
    fields
}

fn error(public: &Public, options: &Options) -> Fields {
    let mut error = Fields::default();
    error
        .put("code", code_name(public, options))
        .put("message", public.template_message());
    let details = details(public, options);
    error.put_some("details", (!details.is_empty()).then(|| details.to_map()));
    error
}

/// The registered name; to the letter, one of the first two registries.
pub(crate) fn code_name<'a>(public: &'a Public, options: &Options) -> &'a str {
    let entry = public.code.entry();
    match (options.strict, entry.status) {
        (true, _) => entry.names.mcp_aql_strict,
        (false, Status::Custom) => entry.name,
        (false, _) => as_it_came(public, options).unwrap_or(entry.names.mcp_aql),
    }
}

/// A foreign name that stands in place of a registered one.
fn as_it_came<'a>(public: &'a Public, options: &Options) -> Option<&'a str> {
    foreign::as_it_came(public, |name| by_foreign_name(name, options)).filter(|_| !options.strict)
}

fn details(public: &Public, options: &Options) -> crate::details::Details {
    let mut details = public.details.clone();
    if let Some(status) = http_status(public, options) {
        details.insert("http_status", status.into());
    }
    if let Some(seconds) = public.retry_after_seconds() {
        details.insert("retry_after_seconds", seconds.into());
    }
    let own = if options.strict {
        foreign::domain_code(public)
    } else {
        public
            .domain_code()
            .filter(|_| as_it_came(public, options).is_none())
    };
    if let Some(domain) = own {
        details.insert("domain_code", domain.into());
    }
    if options.strict {
        return details;
    }
    details.insert("remediation", public.remediation().into());
    if let Some(url) = public.docs_url() {
        details.insert("docs_url", url.into());
    }
    if !public.violations.is_empty() {
        details.insert(
            "violations",
            public.violations.iter().map(Violation::to_value).collect(),
        );
    }
    details
}

/// Codes that share a name here are told apart by their status, so it is written even if nobody upstream sent it.
pub(crate) fn http_status(public: &Public, options: &Options) -> Option<u16> {
    let entry = public.code.entry();
    let merged = is_merged(entry.names.mcp_aql)
        && entry.name != entry.names.mcp_aql
        && entry.status != Status::Custom
        && as_it_came(public, options).is_none();
    public.http_status.or(merged.then_some(entry.http))
}

fn is_merged(name: &str) -> bool {
    name == codes::PERMISSION_DENIED.name() || name == codes::INTERNAL_ERROR.name()
}

fn results(batch: &Batch, options: &Options) -> Fields {
    let tally = batch.tally();
    let items = batch.items.iter().enumerate().map(|(index, item)| {
        let mut fields = Fields::default();
        fields
            .put("index", index)
            .put_some("operation", item.operation.as_deref());
        if !options.strict {
            fields.put_some("id", item.id.as_deref());
        }
        match &item.result {
            ItemResult::Done(data) => fields.nest("result", succeeded(data.clone(), &[])),
            ItemResult::Failed(fault) => fields.nest("result", failure(fault.public(), options)),
            ItemResult::Pending(fault) => fields
                .nest("result", failure(fault.public(), options))
                .put("status", "pending_confirmation"),
        };
        fields
    });
    let mut summary = Fields::default();
    summary
        .put("total", tally.total)
        .put("succeeded", tally.succeeded)
        .put("failed", tally.failed);
    summary.put_some("halted", batch.halted.then_some(true));
    summary.put_some(
        "pending_confirmation",
        (tally.pending > 0).then_some(tally.pending),
    );
    let mut fields = Fields::default();
    fields
        .put("success", true)
        .put("data", Value::Null)
        .list("results", items.collect())
        .nest("summary", summary);
    put_warnings(&mut fields, &batch.warnings);
    fields
}

fn aggregated(batch: &Batch, options: &Options) -> Fields {
    let tally = batch.tally();
    let errors = batch.faults().map(|(index, fault)| {
        let mut fields = Fields::default();
        fields
            .put("index", index)
            .put("code", code_name(fault.public(), options));
        fields.put("message", fault.public().template_message());
        fields
    });
    let mut details = Fields::default();
    details
        .put("total", tally.total)
        .put("succeeded", tally.succeeded)
        .put("failed", tally.failed);
    details.list("errors", errors.collect());
    let said = batch.message.as_deref().map(str::to_owned);
    let message = said.unwrap_or_else(|| aggregate_sentence(tally.failed, tally.total));
    let mut error = Fields::default();
    error
        .put("code", codes::BATCH_PARTIAL_FAILURE.name())
        .put("message", message)
        .nest("details", details);
    let mut fields = Fields::default();
    fields.put("success", false).nest("error", error);
    fields
}

fn aggregate_sentence(failed: usize, total: usize) -> String {
    format!("{failed} of {total} operations failed")
}

/// Worst first, each once, no more than the limit; what is left out is counted.
pub(crate) fn curate(warnings: &[Warning]) -> Vec<Warning> {
    let mut kept: Vec<Warning> = Vec::new();
    for warning in warnings {
        if !kept.iter().any(|have| {
            have.name == warning.name
                && have.context == warning.context
                && have.text() == warning.text()
        }) {
            kept.push(warning.clone());
        }
    }
    kept.sort_by_key(|warning| std::cmp::Reverse(warning.severity));
    if kept.len() > MAX_WARNINGS {
        let suppressed = kept.split_off(MAX_WARNINGS - 1).len();
        let notice =
            Warning::new(warning::WARNINGS_SUPPRESSED).context("suppressed_count", suppressed);
        kept.push(notice);
    }
    kept
}

/// The name for a warning that has words but no code, which the format demands.
const UNCODED: &str = "UNSPECIFIED_WARNING";

fn warning_name(warning: &Warning) -> &str {
    let name = warning.code().unwrap_or(UNCODED);
    warning::by_name(name).map_or(name, |known| known.entry().mcp_aql)
}

/// The code of a warning's name.
fn warning_code(name: Cow<'static, str>) -> Option<Cow<'static, str>> {
    let known = warning::by_mcp_aql_name(&name).map(|known| Cow::Borrowed(known.entry().name));
    (name != UNCODED).then(|| known.unwrap_or(name))
}

/// What is left of a warning.
pub(crate) fn warning_left(warning: &Warning) -> Warning {
    Warning {
        name: warning_code(warning_name(warning).to_owned().into()),
        message: Message::Own(warning.text().into()),
        ..warning.clone()
    }
}

fn warning_value(warning: &Warning) -> Value {
    let mut map = Map::new();
    map.insert("code".into(), warning_name(warning).into());
    map.insert("message".into(), warning.text().into());
    if !warning.context.is_empty() {
        map.insert("details".into(), warning.context.to_map().into());
    }
    // Medium is what an absent severity means.
    if warning.severity != Severity::Warning {
        map.insert("severity".into(), warning.severity.urgency().into());
    }
    Value::Object(map)
}

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let mut root = Object::new(document, "")?;
    let success = root
        .flag("success")?
        .ok_or_else(|| DecodeError::at("/success", "missing"))?;
    if success {
        return decode_success(root, options);
    }
    if root.map.get("error").is_some_and(is_aggregated) {
        return decode_aggregated(root.need_object("error")?, options).map(Outcome::Batch);
    }
    decode_failure(root, options).map(Outcome::Fault)
}

fn decode_success(mut root: Object, options: &Options) -> Result<Outcome, DecodeError> {
    if root.map.get("error").is_some_and(|error| !error.is_null()) {
        return Err(DecodeError::at("/error", "a success has no error"));
    }
    let warnings = root
        .list("warnings")?
        .into_iter()
        .filter_map(warning_from_value)
        .collect();
    if root.map.contains_key("results") || root.map.contains_key("halted_at") {
        let mut batch = decode_results(&mut root, options)?;
        batch.warnings = warnings;
        return Ok(Outcome::Batch(batch));
    }
    let data = root.need("data")?;
    if let Some(question) = Elicitation::from_value(&data) {
        return Ok(Outcome::NeedsInput(question));
    }
    let mut success = Success {
        warnings,
        ..Success::new(data)
    };
    if let Some(mut meta) = root.object("_meta")? {
        let id = meta.text("request_id")?.or(meta.text("requestId")?);
        success.correlation_id = id.and_then(|id| CorrelationId::new(id).ok());
    }
    Ok(Outcome::Success(success))
}

fn warning_from_value(value: Value) -> Option<Warning> {
    let Value::Object(mut map) = value else {
        return None;
    };
    let (Some(Value::String(name)), Some(Value::String(message))) =
        (map.remove("code"), map.remove("message"))
    else {
        return None;
    };
    let mut warning = Warning::plain(message);
    warning.name = warning_code(name.into());
    let severity = map
        .remove("severity")
        .and_then(|word| Severity::from_any_word(word.as_str()?));
    warning.severity = severity.unwrap_or(Severity::Warning);
    if let Some(Value::Object(details)) = map.remove("details") {
        warning.context = details.into_iter().collect();
    }
    Some(warning)
}

fn decode_failure(mut root: Object, options: &Options) -> Result<Fault, DecodeError> {
    // An older shape has the code beside a plain sentence.
    if let Some(Value::String(message)) = root.map.get("error").cloned() {
        let name = root.text("errorCode")?.or(root.text("code")?);
        let name = name
            .ok_or_else(|| DecodeError::at("/error", "expected an object with code and message"))?;
        let mut fault = by_foreign_name(&name, options).message(message);
        decode_confirmation(fault.public_mut(), &mut root)?;
        return Ok(fault);
    }
    let error = root.need_object("error")?;
    let mut fault = decode_error(error, options)?;
    decode_confirmation(fault.public_mut(), &mut root)?;
    Ok(fault)
}

/// Reads the `{code, message, details}` object.
pub(crate) fn decode_error(mut error: Object, options: &Options) -> Result<Fault, DecodeError> {
    let name = error.need_text("code")?;
    let message = error.need_text("message")?;
    let mut fault = by_foreign_name(&name, options);
    let public = fault.public_mut();
    public.message = Some(message.into()).filter(|text: &Box<str>| !text.is_empty());
    if let Some(details) = error.object("details")? {
        for (key, value) in details.map {
            reserved::absorb(public, Cow::Owned(key), value);
        }
    }
    if let Some(domain) = public.domain_code.take() {
        foreign::set_domain_code(public, &domain, options);
    }
    public.code = refine(public.code, public.http_status);
    Ok(fault)
}

/// The sibling some adapters send for a confirmation.
fn decode_confirmation(public: &mut Public, root: &mut Object) -> Result<(), DecodeError> {
    let Some(confirmation) = root.object("confirmation")? else {
        return Ok(());
    };
    for (key, value) in confirmation.map {
        let key = match key.as_str() {
            "token" => "confirmation_token".to_owned(),
            "message" => "confirmation_message".to_owned(),
            _ => key,
        };
        if public.details.get(&key).is_none() {
            reserved::absorb(public, Cow::Owned(key), value);
        }
    }
    Ok(())
}

pub(crate) fn by_foreign_name(name: &str, options: &Options) -> Fault {
    if let Some(code) = by_name(name).or_else(|| options.code(name)) {
        return Fault::new(code);
    }
    match alias(name) {
        Some((code, true)) => Fault::new(code).domain_code(name),
        Some((code, false)) => Fault::new(code),
        None => foreign::unknown(name, None),
    }
}

/// The code of a companion document's name, and whether the name says more than the code.
pub(crate) fn alias(name: &str) -> Option<(Code, bool)> {
    let known = ALIASES
        .iter()
        .find(|(have, ..)| name == *have || (have.ends_with('_') && name.starts_with(have)));
    known.map(|(_, code, says_more)| (*code, *says_more))
}

/// The code of a registered name: the one of that very name, or the first that goes by it.
pub(crate) fn by_name(name: &str) -> Option<Code> {
    let mut named = catalog::CODES
        .iter()
        .filter(|code| code.entry().names.mcp_aql == name);
    let first = named.clone().next();
    named.find(|code| code.name() == name).or(first).copied()
}

/// Names of companion documents, and whether they say more than the code they become.
const ALIASES: &[(&str, Code, bool)] = &[
    (
        "VALIDATION_UNKNOWN_OPERATION",
        codes::NOT_FOUND_OPERATION,
        false,
    ),
    (
        "VALIDATION_WRONG_ENDPOINT",
        codes::VALIDATION_ENDPOINT_MISMATCH,
        false,
    ),
    (
        "SERIALIZATION_PARSE_ERROR",
        codes::INTERNAL_BAD_UPSTREAM,
        false,
    ),
    ("UPSTREAM_TOOL_ERROR", codes::UNAVAILABLE_DEPENDENCY, true),
    ("TRANSPORT_TIMEOUT", codes::UNAVAILABLE_TIMEOUT, true),
    ("TRANSPORT_TLS_ERROR", codes::UNAVAILABLE_TLS, true),
    ("TRANSPORT_", codes::UNAVAILABLE_NETWORK, true),
    ("PLUGIN_", codes::INTERNAL_CONFIGURATION, true),
    ("AUTH_", codes::INTERNAL_CONFIGURATION, true),
];

/// A status tells codes apart that share a name.
pub(crate) fn refine(code: Code, status: Option<u16>) -> Code {
    let exact = status
        .filter(|_| is_merged(code.name()))
        .map(status::code_for_status);
    exact
        .filter(|exact| exact.entry().names.mcp_aql == code.name())
        .unwrap_or(code)
}

fn decode_results(root: &mut Object, options: &Options) -> Result<Batch, DecodeError> {
    let mut batch = Batch::default();
    for (index, value) in root.list("results")?.into_iter().enumerate() {
        batch
            .items
            .push(decode_item(value, &format!("/results/{index}"), options)?);
    }
    if let Some(mut summary) = root.object("summary")? {
        batch.halted = summary
            .map
            .remove("halted")
            .is_some_and(|halted| halted != Value::Bool(false));
    }
    if let Some(halted) = root.map.remove("halted_at") {
        let mut item = decode_item(halted, "/halted_at", options)?;
        if let ItemResult::Failed(fault) = item.result {
            item.result = ItemResult::Pending(fault);
        }
        batch.items.push(item);
        batch.halted = true;
    }
    for value in root.list("pending_operations")? {
        let operation = value
            .get("operation")
            .and_then(Value::as_str)
            .map(Into::into);
        let waiting = Fault::new(codes::CONFIRMATION_REQUIRED);
        batch.items.push(Item {
            id: None,
            operation,
            result: ItemResult::Pending(waiting),
        });
    }
    Ok(batch)
}

fn decode_item(value: Value, place: &str, options: &Options) -> Result<Item, DecodeError> {
    let mut object = Object::new(value, place)?;
    let (id, operation) = (
        object.text("id")?.map(Into::into),
        object.text("operation")?.map(Into::into),
    );
    let pending = object.text("status")?.as_deref() == Some("pending_confirmation");
    let mut result = object.need_object("result")?;
    let success = result
        .flag("success")?
        .ok_or_else(|| DecodeError::at(result.place("success"), "missing"))?;
    let result = match (success, pending) {
        (true, _) => ItemResult::Done(result.map.remove("data").unwrap_or_default()),
        (false, true) => ItemResult::Pending(decode_error(result.need_object("error")?, options)?),
        (false, false) => ItemResult::Failed(decode_error(result.need_object("error")?, options)?),
    };
    Ok(Item {
        id,
        operation,
        result,
    })
}

/// A batch by its code and its counts. The code alone is a fault like any other.
fn is_aggregated(error: &Value) -> bool {
    let code = error.get("code").and_then(Value::as_str);
    let details = error.get("details");
    code == Some(codes::BATCH_PARTIAL_FAILURE.name())
        && details.and_then(|details| details.get("total")).is_some()
        && details.and_then(|details| details.get("errors")).is_some()
}

/// The most items an aggregate may speak of: its total is a claim, and items are made of it.
const MAX_ITEMS: u64 = 10_000;

fn decode_aggregated(mut error: Object, options: &Options) -> Result<Batch, DecodeError> {
    let message = error.need_text("message")?;
    let mut details = error.need_object("details")?;
    let total = details.need("total")?;
    let total = total.as_u64().filter(|total| *total <= MAX_ITEMS);
    let total = total
        .ok_or_else(|| DecodeError::at("/error/details/total", "expected a count up to 10000"))?;
    let blank = || Item {
        id: None,
        operation: None,
        result: ItemResult::Done(Value::Null),
    };
    let mut batch = Batch {
        items: (0..total).map(|_| blank()).collect(),
        ..Batch::default()
    };
    for (at, value) in details.list("errors")?.into_iter().enumerate() {
        let place = format!("/error/details/errors/{at}");
        let index = value
            .get("index")
            .and_then(Value::as_u64)
            .and_then(|index| usize::try_from(index).ok());
        let fault = decode_error(Object::new(value, place.clone())?, options)?;
        let item = index.and_then(|index| batch.items.get_mut(index));
        item.ok_or_else(|| {
            DecodeError::at(format!("{place}/index"), "expected the position of an item")
        })?
        .result = ItemResult::Failed(fault);
    }
    let tally = batch.tally();
    batch.message = Some(message)
        .filter(|said| *said != aggregate_sentence(tally.failed, tally.total))
        .map(Into::into);
    Ok(batch)
}

/// Codes its integration guide calls recoverable and sends without `isError`.
pub(crate) fn is_recoverable(code: Code) -> bool {
    let name = code.entry().names.mcp_aql;
    name.starts_with("NOT_FOUND_") || RECOVERABLE.contains(&name)
}

const RECOVERABLE: &[&str] = &[
    "VALIDATION_MISSING_PARAM",
    "VALIDATION_INVALID_TYPE",
    "VALIDATION_INVALID_VALUE",
    "PERMISSION_DENIED",
    "RATE_LIMIT_EXCEEDED",
    "RATE_LIMIT_QUOTA_PAUSE",
    "CONFIRMATION_REQUIRED",
];

/// What is left of a batch: results in full, or by the aggregate where and how each item failed.
pub(crate) fn project_batch(batch: &Batch, options: &Options) -> Batch {
    let aggregated = options.aggregate && batch.tally().failed > 0;
    let mut left = super::project::copy(batch, |fault| {
        if !aggregated {
            return super::project::item_fault(fault, super::Dialect::McpAql, options);
        }
        let public = fault.public();
        by_foreign_name(code_name(public, options), options).message(public.template_message())
    });
    left.verb = None;
    left.warnings = curate(&batch.warnings).iter().map(warning_left).collect();
    for item in &mut left.items {
        if aggregated || options.strict {
            item.id = None;
        }
        if aggregated {
            item.operation = None;
            if !matches!(item.result, ItemResult::Failed(_)) {
                item.result = ItemResult::Done(Value::Null);
            }
        }
    }
    if aggregated {
        (left.halted, left.warnings) = (false, Vec::new());
    } else {
        left.message = None;
    }
    left
}
