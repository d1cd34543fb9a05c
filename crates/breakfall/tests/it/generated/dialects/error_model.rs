//! `error-model`: a number, a message, a boolean. A success is the bare payload.

use breakfall::catalog::CODES;
use breakfall::wire::Dialect;
use serde_json::json;

use super::{Spec, batch_mark, question_mark};
use crate::generated::model::{
    Type, at_least, closed, define, detail, fields, free, http_status, of, said, some, text,
};

pub(super) fn spec() -> Spec {
    let documents = vec![
        of("ErrorModelFailure"),
        of("NeedsInput"),
        of("BatchReport"),
        Type::Data,
    ];
    let definitions = define! {
        "ErrorModelCode": Type::Numbers(numbers()), "The numbers of the dialect.";
        "ErrorModelContext": free(fields! {
            may "retryAfterMs": at_least(0), "How long to wait before the next try, in milliseconds.";
            may "correlationId": said(), "The id under which the operator finds the rest.";
            may "httpStatus": http_status(), "The HTTP status of an upstream's answer.";
            may "docsUrl": text(), "Where to read more.";
            may "violations": some(of("Violation")), "Every broken rule.";
        }), "Anything else that is safe to show.";
        "ErrorModelDetails": closed(fields! {
            may "originalError": said(), "The name the domain has for it, or ours where the number says too little.";
            may "field": detail(text()), "The parameter at fault.";
            may "reason": text(), "A short machine-readable reason.";
            may "suggestion": text(), "What the caller should do.";
            may "context": of("ErrorModelContext"), "Anything else that is safe to show.";
        }), "More about a failure.";
        "ErrorModelError": closed(fields! {
            need "code": of("ErrorModelCode"), "Which failure.";
            need "message": said(), "What happened, in a sentence.";
            need "retryable": Type::Flag, "Whether repeating the call may help.";
            may "details": of("ErrorModelDetails"), "More about it.";
        }), "A failure.";
        "ErrorModelFailure": closed(fields! { need "error": of("ErrorModelError"), "Why."; }), "A failed call.";
        "ErrorModelDocument": Type::Union(documents), "Any document of the dialect: a failure, or the payload of a success as it is.";
    };
    let marked = json!({
        "if": {"type": "object", "required": ["error"], "properties": {"error": {"type": "object"}}},
        "then": {"$ref": "#/$defs/ErrorModelFailure"},
    });
    Spec {
        dialect: Dialect::ErrorModel,
        about: "Numeric errors with a boolean for retries; successes are the bare payload.",
        root: "ErrorModelDocument",
        definitions,
        rules: json!({"ErrorModelDocument": {"allOf": [marked, question_mark(), batch_mark()]}}),
    }
}

fn numbers() -> Vec<i64> {
    let mut numbers: Vec<i64> = CODES
        .iter()
        .map(|code| code.entry().names.error_model.into())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
