//! `response-v2`: the envelope, in its two legal states.

use breakfall::catalog::CODES;
use breakfall::catalog::warning::WARNINGS;
use breakfall::wire::Dialect;
use serde_json::json;

use super::{Spec, batch_mark, distinct, question_mark};
use crate::generated::common::{self, field, severity, violation};
use crate::generated::model::{
    Field, Type, any_of, at_least, closed, define, fields, flag, free, list, map, may, of, open,
    said, some, tagged, text, word, words,
};

pub(super) fn spec() -> Spec {
    let row = CODES.iter().map(|code| code.entry().names);
    let warning = common::warning(
        "ResponseV2WarningCode",
        "context",
        |code| code.entry().response_v2,
        severity(),
    );
    let id = || Type::Union(vec![text(), at_least(0)]);
    let definitions = define! {
        "ResponseV2Code": words(distinct(row.clone().map(|names| names.response_v2))), "The registry of `error_code`. A domain may bring names of its own.";
        "ResponseV2ErrorType": words(distinct(row.map(|names| names.error_type))), "The classes of `error_type`.";
        "ResponseV2WarningCode": words(distinct(WARNINGS.iter().map(|code| code.entry().response_v2))), "The registry of warnings.";
        "ResponseV2Warning": tagged(warning), "A structured warning.";
        "ResponseV2ValidationError": open(validation_error()), "One broken rule of one value. To the letter it has `field`, `message` and `received` only.";
        "ResponseV2FailedItem": closed(fields! {
            need "id": id(), "The caller's name for it, or its position.";
            need "reason": said(), "Why, in a short phrase.";
        }), "An item of a batch that failed.";
        "ResponseV2RateLimit": open(rate_limit()), "The state of a limit.";
        "ResponseV2FailureData": free(failure_data(list(id()))), "What is known about a failure. To the letter it may be empty.";
        "ResponseV2FailureMeta": free(fields! {
            need "version": word("response-v2"), "The version of the envelope.";
            may "request_id": said(), "The id under which the operator finds the rest.";
            may "rate_limit": of("ResponseV2RateLimit"), "The state of the limit that was hit.";
        }), "Metadata of a failure.";
        "ResponseV2SuccessMeta": free(success_meta()), "Metadata of a success.";
        "ResponseV2Success": envelope(true, Type::DataObject, "ResponseV2SuccessMeta"), "It worked.";
        "ResponseV2Question": envelope(true, of("NeedsInput"), "ResponseV2SuccessMeta"), "It needs something from the user first.";
        "ResponseV2Failure": envelope(false, of("ResponseV2FailureData"), "ResponseV2FailureMeta"), "It did not work.";
        "ResponseV2Document": any_of(["ResponseV2Success", "ResponseV2Question", "ResponseV2Failure"]), "Any document of the dialect: a success without an error, or a failure with one.";
    };
    let batch = json!({"properties": {"batch": batch_mark()}});
    Spec {
        dialect: Dialect::ResponseV2,
        about: "The `{success, data, error, meta}` envelope, with warnings and partial success.",
        root: "ResponseV2Document",
        definitions,
        rules: json!({
            "ResponseV2Success": {"properties": {"data": {"allOf": [question_mark(), batch]}}},
        }),
    }
}

fn envelope(success: bool, data: Type, meta: &str) -> Type {
    let error = if success { Type::Null } else { said() };
    closed(fields! {
        need "success": flag(success), "Which of the two states it is.";
        need "data": data, "The payload, or what is known about the failure.";
        need "error": error, "A sentence on what went wrong, and only then.";
        need "meta": of(meta), "Metadata.";
    })
}

fn failure_data(ids: Type) -> Vec<Field> {
    let code = Type::Union(vec![of("ResponseV2Code"), said()]);
    let mut fields = fields! {
        may "error_code": code, "Which failure. Absent, to the letter, where nobody said so.";
        may "error_type": of("ResponseV2ErrorType"), "The class of the failure.";
    };
    // These stand beside the code rather than under `details`.
    fields.extend([
        detail("resource_type", "resource_type"),
        detail("resource_id", "resource_id"),
        detail("limit", "limit"),
        detail("window", "period"),
        detail("param_name", "field"),
    ]);
    fields.extend(fields! {
        may "required_permission": Type::Any, "The permission that is missing.";
        may "details": map(Type::Any), "The free part.";
        may "validation_errors": some(of("ResponseV2ValidationError")), "Every broken rule.";
        may "retry_after_seconds": at_least(1), "Whole seconds to wait before the next try.";
        may "remediation": text(), "What the caller should do.";
        may "docs_url": text(), "Where to read more.";
        may "failed": some(of("ResponseV2FailedItem")), "The items of a batch, when all failed.";
        may "pending": ids, "The items that wait for a confirmation.";
        may "batch": of("BatchReport"), "The batch in full.";
    });
    fields
}

/// A detail under another name, in the shape the rows give it.
fn detail(native: &str, wire: &str) -> Field {
    let details = CODES.iter().flat_map(|code| code.entry().details);
    let mut named = details.filter(|detail| detail.name == native);
    let first = named.next().expect("the key is a detail of some row");
    assert!(
        named.all(|detail| detail.shape == first.shape),
        "rows differ in the shape of '{native}'"
    );
    may(wire, field(first).of, first.about)
}

fn validation_error() -> Vec<Field> {
    let mut fields = fields! {
        need "field": text(), "Where, as a dotted name.";
        may "received": Type::Any, "What came.";
    };
    fields.extend(violation().into_iter().map(|field| Field {
        required: false,
        ..field
    }));
    fields
}

fn rate_limit() -> Vec<Field> {
    vec![
        detail("limit", "limit"),
        detail("remaining", "remaining"),
        detail("resets_at", "reset_at"),
        detail("window", "period"),
        may(
            "retry_after",
            at_least(0),
            "Whole seconds to wait before the next try.",
        ),
    ]
}

fn success_meta() -> Vec<Field> {
    fields! {
        need "version": word("response-v2"), "The version of the envelope.";
        may "request_id": said(), "The id of the call.";
        may "warnings": some(text()), "What degraded the success, in words.";
        may "warning_details": some(of("ResponseV2Warning")), "The same, for programs.";
        may "content_fidelity": of("Fidelity"), "How much of the content is there.";
        may "content_fidelity_schema_version": text(), "The version of that vocabulary.";
        may "dropped_content_ids": list(text()), "Content that is not in the data, by its ids.";
        may "content_archive_hashes": map(text()), "Archives of that content, with their hashes.";
    }
}
