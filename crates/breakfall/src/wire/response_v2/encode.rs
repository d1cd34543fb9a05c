//! Writing the envelope.

use serde_json::{Map, Value};

use super::{RESULT_KEY, VERSION, partial, stated};
use crate::catalog::warning;
use crate::code::Category;
use crate::details::Details;
use crate::fault::{CorrelationId, Public};
use crate::outcome::Outcome;
use crate::redact::Redacted;
use crate::violation::Violation;
use crate::warning::Warning;
use crate::wire::document::{Document, OrderedFields};
use crate::wire::{Options, native};

pub(crate) fn encode<'a>(outcome: Redacted<&'a Outcome>, options: &Options) -> Document<'a> {
    match outcome.into_inner() {
        Outcome::Fault(fault) => encode_fault(fault.public(), options).into(),
        Outcome::Success(success) => {
            let object = success.data.as_object().cloned();
            let data = object.unwrap_or_else(|| wrap(success.data.clone()));
            let mut meta = meta(success.correlation_id.as_ref());
            put_warnings(&mut meta, &success.warnings);
            if let Some(fidelity) = success.fidelity {
                meta.put("content_fidelity", fidelity.as_str());
                if !options.strict {
                    meta.put("content_fidelity_schema_version", "1.0");
                }
            }
            for (key, value) in success
                .meta
                .iter()
                .filter(|(key, _)| !META_KEYS.contains(key))
            {
                meta.put(key.to_owned(), value.clone());
            }
            envelope(data.into(), None, meta).into()
        }
        Outcome::NeedsInput(question) => envelope(question.to_value(), None, meta(None)).into(),
        Outcome::Batch(batch) => partial::encode(batch, options).into(),
    }
}

pub(super) fn envelope(data: Value, error: Option<String>, meta: OrderedFields) -> OrderedFields {
    let mut fields = OrderedFields::default();
    fields
        .put("success", error.is_none())
        .put("data", data)
        .put("error", error)
        .nest("meta", meta);
    fields
}

/// Keys of `meta` that are ours to write.
const META_KEYS: &[&str] = &[
    "content_fidelity",
    "content_fidelity_schema_version",
    "request_id",
    "version",
    "warning_details",
    "warnings",
];

pub(super) fn wrap(value: Value) -> Map<String, Value> {
    Map::from_iter([(RESULT_KEY.to_owned(), value)])
}

pub(super) fn meta(id: Option<&CorrelationId>) -> OrderedFields {
    let mut meta = OrderedFields::default();
    meta.put("version", VERSION)
        .put_some("request_id", id.map(CorrelationId::as_str));
    meta
}

pub(super) fn put_warnings(meta: &mut OrderedFields, warnings: &[Warning]) {
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

pub(super) fn encode_fault(public: &Public, options: &Options) -> OrderedFields {
    let mut data = OrderedFields::default();
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
        if !options.strict && details.get("field").is_none() {
            details.insert("field", field.clone());
        }
    }
    put_violations(&mut data, &mut details, public, options);
    if let Some(status) = public.http_status {
        details.insert("http_status", status.into());
    }
    data.put_details("details", details);
    data.put_some("retry_after_seconds", public.retry_after_seconds());
    let remedy = if options.strict {
        public.stated_remediation()
    } else {
        Some(public.remediation())
    };
    data.put_some("remediation", remedy);
    data.put_some("docs_url", public.docs_url());
    let id = (!options.strict).then(|| options.stamp.id_of(public));
    let mut meta = meta(id.as_deref().or(public.correlation_id()));
    if !options.strict && public.category() == Category::RateLimit {
        meta.nest_some("rate_limit", rate_limit(public));
    }
    let mut fields = OrderedFields::default();
    fields
        .put("success", false)
        .nest("data", data)
        .put("error", public.message())
        .nest("meta", meta);
    fields
}

/// Details that stand beside the code rather than under `details`, with their names there.
pub(crate) const PROMOTED: &[(&str, &str)] = &[
    ("resource_type", "resource_type"),
    ("resource_id", "resource_id"),
    ("limit", "limit"),
    ("window", "period"),
    ("required_permission", "required_permission"),
];

/// One violation reads as `details`, several as a list; we write both unless held to the letter.
pub(super) fn put_violations(
    data: &mut OrderedFields,
    details: &mut Details,
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
pub(super) fn fits_details(public: &Public) -> bool {
    let taken = |key| public.details.get(key).is_some();
    let first = public.violations.first();
    first.is_some_and(|first| first.keyword_text().or(first.message_text()).is_some())
        && !["param_name", "field", "constraint", "message"]
            .into_iter()
            .any(taken)
}

/// Whether the format itself lists the violations.
fn is_listed(public: &Public) -> bool {
    match public.violations.as_slice() {
        [] => false,
        [_] => !fits_details(public),
        _ => true,
    }
}

pub(super) fn violation_value(violation: &Violation, strict: bool) -> Value {
    let mut value = if strict {
        Value::Object(Map::new())
    } else {
        violation.to_value()
    };
    value["field"] = violation.field().into();
    if let Some(message) = violation.message_text() {
        value["message"] = message.into();
    }
    if let Some(got) = violation.got_value() {
        value["received"] = got.clone();
    }
    value
}

pub(super) fn rate_limit(public: &Public) -> OrderedFields {
    let mut fields = OrderedFields::default();
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
