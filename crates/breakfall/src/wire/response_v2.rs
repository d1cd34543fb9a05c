//! `response-v2`: the `{success, data, error, meta}` envelope, with warnings and partial success.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::decode::{DecodeError, Object};
use super::document::{Document, Fields};
use super::{Options, foreign, native, reserved, response_v2_batch};
use crate::catalog::{self, codes, warning};
use crate::code::{Category, Code, Status};
use crate::fault::{Confidence, CorrelationId, Fault, Provenance, Public};
use crate::outcome::{Fidelity, Outcome, Success};
use crate::violation::Violation;
use crate::warning::Warning;

/// `meta.version`.
pub const VERSION: &str = "response-v2";

/// Details that stand beside the code rather than under `details`, with their names there.
pub(crate) const PROMOTED: &[(&str, &str)] = &[
    ("resource_type", "resource_type"),
    ("resource_id", "resource_id"),
    ("limit", "limit"),
    ("window", "period"),
    ("required_permission", "required_permission"),
];

pub(super) fn encode<'a>(outcome: &'a Outcome, options: &Options) -> Document<'a> {
    match outcome {
        Outcome::Fault(fault) => encode_fault(fault.public(), options).into(),
        Outcome::Success(success) => {
            let data = match &success.data {
                Value::Object(map) => map.clone(),
                other => wrap(other.clone()),
            };
            let mut meta = meta(success.correlation_id.as_ref());
            put_warnings(&mut meta, &success.warnings);
            if let Some(fidelity) = success.fidelity {
                meta.put("content_fidelity", fidelity.as_str());
                if !options.strict {
                    meta.put("content_fidelity_schema_version", "1.0");
                }
            }
            for (key, value) in success.meta.iter() {
                meta.put(key.to_owned(), value.clone());
            }
            envelope(data.into(), None, meta).into()
        }
        Outcome::NeedsInput(question) => envelope(question.to_value(), None, meta(None)).into(),
        Outcome::Batch(batch) => response_v2_batch::encode(batch, options).into(),
    }
}

pub(super) fn envelope(data: Value, error: Option<String>, meta: Fields) -> Fields {
    let mut fields = Fields::default();
    fields
        .put("success", error.is_none())
        .put("data", data)
        .put("error", error)
        .nest("meta", meta);
    fields
}

fn wrap(value: Value) -> Map<String, Value> {
    Map::from_iter([(RESULT_KEY.to_owned(), value)])
}

/// The data behind [`wrap`]. An object that only looks wrapped is taken for it: nothing tells the two apart.
pub(super) fn unwrap(mut data: Map<String, Value>) -> Value {
    match data.remove(RESULT_KEY) {
        Some(inner) if data.is_empty() && !inner.is_object() => inner,
        Some(inner) => {
            data.insert(RESULT_KEY.into(), inner);
            Value::Object(data)
        }
        None => Value::Object(data),
    }
}

/// Where data goes that is no object, which the envelope demands.
const RESULT_KEY: &str = "result";

pub(super) fn meta(id: Option<&CorrelationId>) -> Fields {
    let mut meta = Fields::default();
    meta.put("version", VERSION)
        .put_some("request_id", id.map(CorrelationId::as_str));
    meta
}

pub(super) fn put_warnings(meta: &mut Fields, warnings: &[Warning]) {
    if warnings.is_empty() {
        return;
    }
    meta.put(
        "warnings",
        warnings
            .iter()
            .map(|warning| Value::from(warning.text()))
            .collect::<Value>(),
    );
    if warnings.iter().any(|warning| warning.code().is_some()) {
        let details = warnings.iter().map(|warning| {
            let mut value = native::warning_value(warning);
            if let Some(known) = warning.code().and_then(warning::by_name) {
                value["code"] = known.entry().response_v2.into();
            }
            value
        });
        meta.put("warning_details", details.collect::<Value>());
    }
}

fn encode_fault(public: &Public, options: &Options) -> Fields {
    let mut data = Fields::default();
    let (code, kind) = stated(public, options);
    data.put_some("error_code", code)
        .put_some("error_type", kind);
    let mut details = public.details.clone();
    let field = details.remove("param_name");
    for (native, wire) in PROMOTED {
        data.put_some(wire, details.remove(native));
    }
    if let Some(field) = &field {
        data.put("field", field.clone());
        if !options.strict {
            details.insert("field", field.clone());
        }
    }
    put_violations(&mut data, &mut details, public, options);
    if let Some(status) = public.http_status {
        details.insert("http_status", status.into());
    }
    if !details.is_empty() {
        data.put("details", details.to_map());
    }
    data.put_some("retry_after_seconds", public.retry_after_seconds());
    let remedy = if options.strict { public.stated_remediation() } else { Some(public.remediation()) };
    data.put_some("remediation", remedy);
    data.put_some("docs_url", public.docs_url());
    let mut meta = meta(public.correlation_id());
    if !options.strict && public.category() == Category::RateLimit {
        meta.nest_some("rate_limit", rate_limit(public));
    }
    let mut fields = Fields::default();
    fields
        .put("success", false)
        .nest("data", data)
        .put("error", public.message())
        .nest("meta", meta);
    fields
}

/// Code and type as they are written. To the letter, what nobody stated is not claimed.
pub(crate) fn stated<'a>(
    public: &'a Public,
    options: &Options,
) -> (Option<&'a str>, Option<&'static str>) {
    let names = &public.code.entry().names;
    let known = public
        .provenance()
        .map_or(Confidence::Exact, |provenance| provenance.confidence);
    let name = foreign::domain_code(public).unwrap_or(names.response_v2);
    (
        (!options.strict || known != Confidence::Default).then_some(name),
        (!options.strict || known == Confidence::Exact).then_some(names.error_type),
    )
}

/// One violation reads as `details`, several as a list; we write both unless held to the letter.
fn put_violations(
    data: &mut Fields,
    details: &mut crate::details::Details,
    public: &Public,
    options: &Options,
) {
    if let Some(first) = public.violations.first()
        && fits_details(public)
    {
        details.insert("field", first.field().into());
        for (key, text) in [
            ("constraint", first.keyword_text()),
            ("message", first.message_text()),
        ] {
            if let Some(text) = text {
                details.insert(key, text.into());
            }
        }
    }
    if is_listed(public) || (!options.strict && !public.violations.is_empty()) {
        let all = public
            .violations
            .iter()
            .map(|violation| violation_value(violation, options.strict));
        data.put("validation_errors", all.collect::<Value>());
    }
}

/// Whether the first violation can be told under `details`: it has a rule to tell, and nothing else has its keys.
fn fits_details(public: &Public) -> bool {
    let taken = |key| public.details.get(key).is_some();
    let first = public.violations.first();
    first.is_some_and(|first| first.keyword_text().or(first.message_text()).is_some())
        && !["param_name", "constraint", "message"]
            .into_iter()
            .any(taken)
}

/// Whether the format itself lists the violations.
pub(crate) fn is_listed(public: &Public) -> bool {
    match public.violations.as_slice() {
        [] => false,
        [_] => !fits_details(public),
        _ => true,
    }
}

fn violation_value(violation: &Violation, strict: bool) -> Value {
    let mut value = if strict {
        Value::Object(Map::new())
    } else {
        violation.to_value()
    };
    value["field"] = violation.field().into();
    if let Some(message) = violation.message_text() {
        value["message"] = message.into();
    }
    if let Some(got) = violation.received() {
        value["received"] = got.clone();
    }
    value
}

fn rate_limit(public: &Public) -> Fields {
    let mut fields = Fields::default();
    for (native, wire) in [
        ("limit", "limit"),
        ("remaining", "remaining"),
        ("resets_at", "reset_at"),
        ("window", "period"),
    ] {
        fields.put_some(wire, public.details.get(native).cloned());
    }
    fields.put_some("retry_after", public.retry_after_seconds());
    fields
}

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let mut root = Object::new(document, "")?;
    let success = root
        .flag("success")?
        .ok_or_else(|| DecodeError::at("/success", "missing"))?;
    let error = root.text("error")?.filter(|error| !error.is_empty());
    let mut meta = root
        .object("meta")?
        .map_or_else(|| Object::new(Value::Object(Map::new()), "/meta"), Ok)?;
    match (success, error) {
        (true, None) => decode_success(&mut root, meta, options),
        (false, Some(error)) => {
            let data = root
                .object("data")?
                .map_or_else(|| Object::new(Value::Object(Map::new()), "/data"), Ok)?;
            if let Some(batch) = response_v2_batch::decode(&data.map, Some(&error), &[], options)? {
                return Ok(Outcome::Batch(batch));
            }
            decode_fault(data, &mut meta, error, options).map(Outcome::Fault)
        }
        (true, Some(_)) => Err(DecodeError::at(
            "/error",
            "a success has no error: expected null",
        )),
        (false, None) => Err(DecodeError::at(
            "/error",
            "a failure says what went wrong: expected a sentence",
        )),
    }
}

fn decode_success(
    root: &mut Object,
    mut meta: Object,
    options: &Options,
) -> Result<Outcome, DecodeError> {
    let warnings = decode_warnings(&mut meta)?;
    let data = root.need_object("data")?;
    if let Some(batch) = response_v2_batch::decode(&data.map, None, &warnings, options)? {
        return Ok(Outcome::Batch(batch));
    }
    let data = unwrap(data.map);
    if let Some(question) = crate::outcome::Elicitation::from_value(&data) {
        return Ok(Outcome::NeedsInput(question));
    }
    let mut success = Success::new(data);
    success.warnings = warnings;
    success.fidelity = meta
        .text("content_fidelity")?
        .as_deref()
        .and_then(Fidelity::from_word);
    success.correlation_id = meta
        .text("request_id")?
        .and_then(|id| CorrelationId::new(id).ok());
    for known in ["version", "content_fidelity_schema_version"] {
        meta.map.remove(known);
    }
    success.meta = meta.map.into_iter().collect();
    Ok(Outcome::Success(success))
}

/// The strings decide the order; a structured warning joins the string with its words.
fn decode_warnings(meta: &mut Object) -> Result<Vec<Warning>, DecodeError> {
    let mut structured: Vec<Warning> = meta
        .list("warning_details")?
        .into_iter()
        .filter_map(structured_warning)
        .collect();
    let mut warnings = Vec::new();
    for text in meta.list("warnings")? {
        let Value::String(text) = text else {
            return Err(meta.wrong("warnings", "a list of strings", &text));
        };
        match structured.iter().position(|warning| warning.text() == text) {
            Some(at) => warnings.push(structured.remove(at)),
            None => warnings.push(Warning::plain(text)),
        }
    }
    warnings.append(&mut structured);
    Ok(warnings)
}

fn structured_warning(value: Value) -> Option<Warning> {
    let mut warning = native::warning_from_value(value)?;
    let known = warning.code().and_then(warning::by_response_v2_name);
    if let Some(known) = known {
        warning.name = Some(Cow::Borrowed(known.entry().name));
    }
    Some(warning)
}

fn decode_fault(
    mut data: Object,
    meta: &mut Object,
    error: String,
    options: &Options,
) -> Result<Fault, DecodeError> {
    // Some servers put the code into `meta`; it is read from there, never written there.
    let mut either = |key| match data.text(key)? {
        Some(text) => Ok(Some(text)),
        None => meta.text(key),
    };
    let (code, kind, remediation) = (
        either("error_code")?,
        either("error_type")?,
        either("remediation")?,
    );
    let mut fault = fault_of(code.as_deref(), kind.as_deref(), options);
    let public = fault.public_mut();
    public.message = Some(error.into());
    public.remediation = remediation.map(Into::into);
    let validation_errors = data.list("validation_errors")?;
    let nested = data
        .object("details")?
        .map(|details| details.map)
        .unwrap_or_default();
    let has_field = data.map.contains_key("field");
    for (key, value) in data.map {
        reserved::absorb(public, Cow::Owned(key), value);
    }
    public.violations = validation_errors
        .into_iter()
        .filter_map(Violation::from_value)
        .collect();
    decode_details(public, nested, has_field);
    if let Some(id) = meta.text("request_id")? {
        reserved::absorb(public, Cow::Borrowed("correlation_id"), id.into());
    }
    if let Some(mut limit) = meta.object("rate_limit")? {
        decode_rate_limit(public, &mut limit);
    }
    Ok(fault)
}

fn decode_details(public: &mut Public, mut nested: Map<String, Value>, has_field: bool) {
    let names_a_rule = nested.contains_key("constraint") || nested.contains_key("message");
    if !has_field
        && nested.get("field").is_some_and(Value::is_string)
        && (names_a_rule || !public.violations.is_empty())
    {
        let mut parts = Map::new();
        for key in ["field", "constraint", "message"] {
            if let Some(value) = nested.remove(key) {
                parts.insert(key.into(), value);
            }
        }
        if public.violations.is_empty() {
            public
                .violations
                .extend(Violation::from_value(Value::Object(parts)));
        }
    }
    for (key, value) in nested {
        reserved::absorb(public, Cow::Owned(key), value);
    }
}

fn decode_rate_limit(public: &mut Public, limit: &mut Object) {
    if let (None, Some(wait)) = (
        public.wait,
        limit
            .map
            .remove("retry_after")
            .or_else(|| limit.map.remove("retry_after_seconds")),
    ) {
        reserved::absorb(public, Cow::Borrowed("retry_after_seconds"), wait);
    }
    for (wire, native) in [
        ("limit", "limit"),
        ("remaining", "remaining"),
        ("reset_at", "resets_at"),
        ("period", "window"),
    ] {
        if let (Some(value), None) = (limit.map.remove(wire), public.details.get(native)) {
            public.details.insert(native, value);
        }
    }
}

/// The code of a name and a type. What is missing is inferred, and the provenance says so.
pub(crate) fn fault_of(name: Option<&str>, kind: Option<&str>, options: &Options) -> Fault {
    let of_type = kind.and_then(code_of_type);
    let Some(name) = name else {
        let fault = Fault::new(of_type.unwrap_or(codes::INTERNAL_ERROR));
        return fault.provenance(Provenance::new(
            "response-v2: no error_code",
            Confidence::Default,
        ));
    };
    let known = CODES.iter().filter(|(have, ..)| *have == name);
    let known = known
        .clone()
        .find(|(_, of, _)| Some(*of) == kind)
        .or(known.clone().next());
    let custom = |code: &Code| code.entry().status == Status::Custom;
    let fault = match (known, options.code(name).filter(custom)) {
        (Some((_, _, code)), _) => Fault::new(*code),
        (None, Some(code)) => Fault::new(code),
        (None, None) => foreign_fault(name, of_type),
    };
    match kind {
        Some(_) => fault,
        None => fault.provenance(Provenance::new(
            "response-v2: no error_type",
            Confidence::Structural,
        )),
    }
}

/// A name outside the registry, kept beside the code it comes nearest to.
fn foreign_fault(name: &str, of_type: Option<Code>) -> Fault {
    let live = LIVE
        .iter()
        .find(|(have, _)| *have == name)
        .map(|(_, code)| *code);
    let agrees = |code: &Code| of_type.is_none_or(|of_type| of_type.category() == code.category());
    match live.filter(agrees).or(of_type) {
        Some(code) => Fault::new(code).domain_code(name),
        None => foreign::unknown(name, None),
    }
}

fn code_of_type(kind: &str) -> Option<Code> {
    match kind {
        "feature_flag" => Some(codes::PERMISSION_FEATURE_DISABLED),
        "ai_provider" => Some(codes::UNAVAILABLE_DEPENDENCY),
        other => Category::from_word(other).map(catalog::usual),
    }
}

/// Names of servers in use that say more than their type.
const LIVE: &[(&str, Code)] = &[
    ("DUPLICATE_ENTRY", codes::CONFLICT_ALREADY_EXISTS),
    ("FEATURE_DISABLED", codes::PERMISSION_FEATURE_DISABLED),
    ("TIMEOUT", codes::UNAVAILABLE_TIMEOUT),
    ("VERSION_CONFLICT", codes::CONFLICT_VERSION_MISMATCH),
];

/// The registry, with the native code each name stands for when nothing more is said.
pub(crate) const CODES: &[(&str, &str, Code)] = &[
    (
        "VALIDATION_ERROR",
        "validation",
        codes::VALIDATION_INVALID_VALUE,
    ),
    (
        "INVALID_FORMAT",
        "validation",
        codes::VALIDATION_PATTERN_MISMATCH,
    ),
    (
        "MISSING_REQUIRED",
        "validation",
        codes::VALIDATION_MISSING_PARAM,
    ),
    (
        "VALUE_OUT_OF_RANGE",
        "validation",
        codes::VALIDATION_OUT_OF_RANGE,
    ),
    (
        "AUTHENTICATION_REQUIRED",
        "authentication",
        codes::AUTHENTICATION_REQUIRED,
    ),
    (
        "INVALID_CREDENTIALS",
        "authentication",
        codes::AUTHENTICATION_INVALID_CREDENTIALS,
    ),
    (
        "TOKEN_EXPIRED",
        "authentication",
        codes::AUTHENTICATION_EXPIRED,
    ),
    (
        "PERMISSION_DENIED",
        "authorization",
        codes::PERMISSION_DENIED,
    ),
    (
        "QUOTA_EXCEEDED",
        "rate_limit",
        codes::RATE_LIMIT_QUOTA_EXHAUSTED,
    ),
    ("RESOURCE_NOT_FOUND", "not_found", codes::NOT_FOUND_RESOURCE),
    (
        "RESOURCE_ALREADY_EXISTS",
        "conflict",
        codes::CONFLICT_ALREADY_EXISTS,
    ),
    (
        "RESOURCE_CONFLICT",
        "conflict",
        codes::CONFLICT_INVALID_STATE,
    ),
    (
        "RATE_LIMIT_EXCEEDED",
        "rate_limit",
        codes::RATE_LIMIT_EXCEEDED,
    ),
    ("INTERNAL_ERROR", "internal", codes::INTERNAL_ERROR),
    (
        "SERVICE_UNAVAILABLE",
        "unavailable",
        codes::UNAVAILABLE_SERVICE,
    ),
    (
        "DEPENDENCY_FAILED",
        "unavailable",
        codes::UNAVAILABLE_DEPENDENCY,
    ),
    (
        "DEPENDENCY_FAILED",
        "internal",
        codes::INTERNAL_BAD_UPSTREAM,
    ),
];
