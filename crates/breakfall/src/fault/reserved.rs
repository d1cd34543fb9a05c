//! Keys of `details` that are not free: each names a part of the fault itself, in the spelling of some dialect.
//!
//! One function serves builders and decoders alike, so a part has one place however it was spelled. A value that
//! does not fit its part is kept, under `x_` and the key, rather than lost or believed.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::{Map, Value};

use super::{CorrelationId, Public};
use crate::details::Details;
use crate::violation::Violation;

/// Puts a detail where it belongs.
pub(crate) fn absorb(public: &mut Public, key: Cow<'static, str>, value: Value) {
    let Err(value) = take(public, &key, value) else {
        return;
    };
    if is_reserved(&key) {
        public.details.insert(format!("x_{key}"), value);
    } else {
        public.details.insert(key, value);
    }
}

/// Puts all details of a document where they belong.
pub(crate) fn absorb_all(public: &mut Public, details: Map<String, Value>) {
    for (key, value) in details {
        absorb(public, Cow::Owned(key), value);
    }
}

/// Keeps what a document says beyond its format: nothing that came is lost, and nothing is overwritten by it.
pub(crate) fn keep_rest(public: &mut Public, rest: Map<String, Value>) {
    for (key, value) in rest.into_iter().filter(|(_, value)| !value.is_null()) {
        if public.details.get(&key).is_none() {
            absorb(public, Cow::Owned(key), value);
        }
    }
}

/// Every spelling of a part that a dialect writes into its details.
const RESERVED: &[&str] = &[
    "correlationId",
    "correlation_id",
    "docsUrl",
    "docs_url",
    "domainCode",
    "domain_code",
    "httpStatus",
    "http_status",
    "remediation",
    "retryAfter",
    "retryAfterMs",
    "retry_after_ms",
    "retry_after_seconds",
    "statusCode",
    "violations",
];

fn is_reserved(key: &str) -> bool {
    RESERVED.binary_search(&key).is_ok()
}

/// Sets the part a key names, or gives the value back.
fn take(public: &mut Public, key: &str, value: Value) -> Result<(), Value> {
    match key {
        "domain_code" | "domainCode" => public.domain_code = Some(text(value)?),
        "remediation" => public.remediation = Some(text(value)?),
        "docs_url" | "docsUrl" => public.docs_url = Some(text(value)?),
        "http_status" | "httpStatus" | "statusCode" => public.http_status = Some(status(value)?),
        "retry_after_seconds" => public.wait = wait(value, 1000)?,
        "retry_after_ms" | "retryAfterMs" | "retryAfter" => public.wait = wait(value, 1)?,
        "correlation_id" | "correlationId" => {
            let id = text(value)?;
            public.correlation_id =
                Some(CorrelationId::new(id.clone()).map_err(|_| Value::from(&*id))?);
        }
        "violations" => public.violations = violations(value)?,
        _ => return Err(value),
    }
    Ok(())
}

fn text(value: Value) -> Result<Box<str>, Value> {
    match value.as_str() {
        Some(text) if !text.trim().is_empty() => Ok(text.into()),
        _ => Err(value),
    }
}

fn status(value: Value) -> Result<u16, Value> {
    let status = value.as_u64().and_then(|status| u16::try_from(status).ok());
    status
        .filter(|status| (100..=599).contains(status))
        .ok_or(value)
}

/// A hundred years: who says more made a mistake.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_hours(100 * 365 * 24);

/// A wait, whole or fractional, in units of `unit` milliseconds. Zero counts as absent.
fn wait(value: Value, unit: u32) -> Result<Option<Duration>, Value> {
    let one = Duration::from_millis(unit.into());
    let wait = match value.as_u64() {
        Some(count) => u32::try_from(count)
            .ok()
            .and_then(|count| one.checked_mul(count))
            .or_else(|| {
                // Too many units for the multiplication above still fit when a unit is a millisecond.
                (unit == 1).then(|| Duration::from_millis(count))
            }),
        None => value
            .as_f64()
            .and_then(|count| Duration::try_from_secs_f64(count * one.as_secs_f64()).ok()),
    };
    let wait = wait.filter(|wait| *wait <= LONGEST_WAIT).ok_or(value)?;
    Ok((!wait.is_zero()).then_some(wait))
}

fn violations(value: Value) -> Result<Vec<Violation>, Value> {
    let Value::Array(items) = &value else {
        return Err(value);
    };
    let read: Option<Vec<_>> = items.iter().cloned().map(Violation::from_value).collect();
    read.ok_or(value)
}

/// `field`, as most formats call the parameter at fault.
pub(crate) const FIELD: &str = "field";

/// The detail that has the name of the parameter at fault.
pub(crate) const PARAM: &str = "param_name";

/// Writes the parameter at fault as [`FIELD`], unless another detail has that name.
pub(crate) fn param_to_field(details: &mut Details) {
    if details.get(FIELD).is_none()
        && let Some(name) = details.remove(PARAM)
    {
        details.insert(FIELD, name);
    }
}

/// Reads [`FIELD`] as the parameter at fault, unless the row has a detail of that name.
pub(crate) fn field_to_param(public: &mut Public) {
    let mut declared = public.code.entry().details.iter();
    if public.details.get(PARAM).is_none()
        && declared.all(|detail| detail.name != FIELD)
        && let Some(name) = public.details.remove(FIELD)
    {
        public.details.insert(PARAM, name);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Fault;
    use crate::catalog::codes;

    #[test]
    fn the_list_is_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn a_reserved_key_sets_its_part_in_any_spelling() {
        for key in ["http_status", "httpStatus", "statusCode"] {
            let fault = Fault::new(codes::INTERNAL_ERROR).detail(key, 503);
            assert_eq!(fault.public().http_status(), Some(503));
            assert!(fault.public().details().is_empty());
        }
    }

    #[test]
    fn details_keep_the_names_that_formats_have_for_others() {
        let fault = Fault::invalid("no")
            .detail("period", "Q3")
            .detail("field", "north");
        let fault = fault
            .detail("window", "hour")
            .detail("param_name", "region");
        let names: Vec<_> = fault
            .public()
            .details()
            .iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["field", "param_name", "period", "window"]);
    }

    #[test]
    fn a_value_that_does_not_fit_is_kept_beside() {
        let fault = Fault::new(codes::INTERNAL_ERROR).detail("retry_after_seconds", "soon");
        assert_eq!(fault.public().retry_after(), None);
        assert_eq!(
            fault.public().details().get("x_retry_after_seconds"),
            Some(&json!("soon"))
        );
    }
}
