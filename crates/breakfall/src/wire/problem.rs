//! `problem`: RFC 9457 problem details, for every HTTP surface. The members of the native object ride along as
//! extensions, so nothing is lost.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use super::decode::{DecodeError, ObjectReader};
use super::document::{Document, DocumentBody, EncodeError};
use super::native::{self, ErrorObject};
use super::{Options, batch, foreign};
use crate::catalog::status;
use crate::code::Category;
use crate::fault::{Confidence, Fault, Provenance, Public, reserved};
use crate::outcome::Outcome;
use crate::redact::Redacted;

/// The media type.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// What `type` starts with; the native code follows.
pub const TYPE_PREFIX: &str = "urn:breakfall:code:";

pub(super) fn encode<'a>(
    outcome: Redacted<&'a Outcome>,
    options: &Options,
) -> Result<Document<'a>, EncodeError> {
    match outcome.into_inner() {
        Outcome::Fault(fault) => Ok(of_fault(fault.public(), options)),
        Outcome::Batch(batch) => {
            let fault = batch::as_fault(batch).ok_or(EncodeError {
                what: "batch that did not fail as a whole",
            })?;
            let document = of_fault(fault.public(), options).to_value();
            Ok(Document(DocumentBody::Problem(ProblemBody::Ready(
                document,
            ))))
        }
        Outcome::Success(_) => Err(EncodeError { what: "success" }),
        Outcome::NeedsInput(_) => Err(EncodeError { what: "question" }),
    }
}

/// The problem of a fault, which there always is.
#[cfg(feature = "http")]
pub(crate) fn of_redacted<'a>(public: Redacted<&'a Public>, options: &Options) -> Document<'a> {
    of_fault(public.into_inner(), options)
}

fn of_fault<'a>(public: &'a Public, options: &Options) -> Document<'a> {
    Document(DocumentBody::Problem(ProblemBody::Fault {
        error: ErrorObject::new(public, options),
        name: type_name(public, options),
        strict: options.strict,
    }))
}

#[derive(Debug)]
pub(crate) enum ProblemBody<'a> {
    Fault {
        error: ErrorObject<'a>,
        name: &'a str,
        strict: bool,
    },
    Ready(Value),
}

impl Serialize for ProblemBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (error, name, strict) = match self {
            Self::Fault {
                error,
                name,
                strict,
            } => (error, name, *strict),
            Self::Ready(value) => return value.serialize(serializer),
        };
        let public = error.public;
        let entry = public.code.entry();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", &format_args!("{TYPE_PREFIX}{name}"))?;
        map.serialize_entry("title", &public.title())?;
        map.serialize_entry("status", &entry.http)?;
        map.serialize_entry("detail", &error.message)?;
        map.serialize_entry(
            "instance",
            &format_args!("{INSTANCE_PREFIX}{}", error.correlation_id()),
        )?;
        if !strict {
            map.serialize_entry("code", entry.name)?;
            map.serialize_entry("category", &public.category())?;
            error.serialize_rest(&mut map)?;
        }
        map.end()
    }
}

/// The name in `type`: the code's; to the letter, where it fits nowhere else, a foreign one.
pub(super) fn type_name<'a>(public: &'a Public, options: &Options) -> &'a str {
    let foreign = foreign::as_it_came(public, |name| foreign::named(name, None, options));
    foreign
        .filter(|_| options.strict)
        .unwrap_or(public.code.name())
}

const INSTANCE_PREFIX: &str = "urn:breakfall:fault:";

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let mut object = ObjectReader::new(document, "")?;
    if !["type", "title", "status", "detail"]
        .iter()
        .any(|member| object.map.contains_key(*member))
    {
        return Err(DecodeError::at(
            "",
            "no problem: expected type, title, status or detail",
        ));
    }
    let kind = object.text("type")?;
    let title = object.text("title")?;
    let number = object
        .map
        .remove("status")
        .and_then(|status| u16::try_from(status.as_u64()?).ok());
    let detail = object.text("detail")?;
    let instance = object.text("instance")?;
    let name = object.text("code")?.or_else(|| {
        kind.as_deref()?
            .strip_prefix(TYPE_PREFIX)
            .map(str::to_owned)
    });
    let category = object
        .text("category")?
        .as_deref()
        .and_then(Category::from_word);
    let mut fault = match (&name, number) {
        (Some(name), _) => foreign::named(name, category, options),
        (None, number) => foreign_problem(kind, number),
    };
    let public = fault.public_mut();
    let provenance = public.provenance.take();
    native::decode_rest(public, &mut object)?;
    public.provenance = public.provenance.take().or(provenance);
    public.message = detail
        .or(title)
        .filter(|text| !text.is_empty())
        .map(Into::into);
    if name.is_none() {
        reserved::absorb_all(public, object.map);
        reserved::field_to_param(public);
    }
    if let (None, Some(id)) = (&public.correlation_id, instance) {
        let id = id
            .strip_prefix(INSTANCE_PREFIX)
            .map_or(id.clone(), str::to_owned);
        reserved::absorb(public, "correlation_id".into(), id.into());
    }
    Ok(Outcome::Fault(fault))
}

/// A problem of another server: the status decides, the type is kept.
fn foreign_problem(kind: Option<String>, number: Option<u16>) -> Fault {
    let mut fault = Fault::new(status::code_for_status(number.unwrap_or_default()));
    if let Some(number) = number.filter(|number| (100..=599).contains(number)) {
        fault = fault.http_status(number);
    }
    if let Some(kind) = kind.filter(|kind| kind != "about:blank") {
        fault = fault.domain_code(kind);
    }
    fault.provenance(Provenance::new("problem: status", Confidence::Structural))
}
