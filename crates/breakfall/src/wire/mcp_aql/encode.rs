//! Writing the envelope.

use serde_json::{Map, Value};

use super::results::{aggregated, results};
use super::warnings::warning_value;
use super::{as_it_came, code_name, http_status};
use crate::details::Details;
use crate::fault::Public;
use crate::outcome::Outcome;
use crate::redact::Redacted;
use crate::warning::Warning;
use crate::wire::document::{Document, OrderedFields};
use crate::wire::{Options, foreign};

pub(crate) fn encode<'a>(outcome: Redacted<&'a Outcome>, options: &Options) -> Document<'a> {
    let fields = match outcome.into_inner() {
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

pub(super) fn succeeded(data: Value, warnings: &[Warning]) -> OrderedFields {
    let mut fields = OrderedFields::default();
    fields.put("success", true).put("data", data);
    put_warnings(&mut fields, warnings);
    fields
}

pub(super) fn put_warnings(fields: &mut OrderedFields, warnings: &[Warning]) {
    if !warnings.is_empty() {
        fields.put(
            "warnings",
            Warning::curated(warnings)
                .iter()
                .map(warning_value)
                .collect::<Value>(),
        );
    }
}

pub(super) fn failure(public: &Public, options: &Options) -> OrderedFields {
    let mut fields = OrderedFields::default();
    fields
        .put("success", false)
        .nest("error", error(public, options));
    fields
}

pub(super) fn error(public: &Public, options: &Options) -> OrderedFields {
    let mut error = OrderedFields::default();
    error
        .put("code", code_name(public, options))
        .put("message", public.template_message());
    let details = details(public, options);
    error.put_details("details", details);
    error
}

pub(super) fn details(public: &Public, options: &Options) -> Details {
    let mut details = public.details.clone();
    details.insert_some("http_status", http_status(public, options));
    details.insert_some("retry_after_seconds", public.retry_after_seconds());
    let own = if options.strict {
        foreign::domain_code(public)
    } else {
        let here = as_it_came(public, options);
        public.domain_code().filter(|_| here.is_none())
    };
    details.insert_some("domain_code", own);
    if !options.strict {
        details.insert("remediation", public.remediation().into());
        details.insert_some("docs_url", public.docs_url());
        details.insert_some("violations", public.violations_value());
    }
    details
}
