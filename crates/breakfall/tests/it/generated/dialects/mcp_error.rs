//! `mcp-error`: one object with recovery actions. A success is the bare payload.

use breakfall::catalog::CODES;
use breakfall::wire::Dialect;
use serde_json::json;

use super::{Spec, batch_mark, distinct, question_mark};
use crate::generated::model::{
    Type, at_least, closed, define, detail, fields, free, http_status, list, of, pattern, said,
    some, text, words,
};

/// ISO 8601 in UTC with milliseconds.
const TIMESTAMP: &str = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$";

pub(super) fn spec() -> Spec {
    let names = CODES.iter().map(|code| code.entry().names.mcp_error);
    let documents = vec![
        of("McpErrorObject"),
        of("NeedsInput"),
        of("BatchReport"),
        Type::Data,
    ];
    let definitions = define! {
        "McpErrorCode": words(distinct(names)), "The codes of the dialect.";
        "McpErrorDetails": free(fields! {
            may "field": detail(text()), "The parameter at fault.";
            may "domain_code": said(), "The name the domain or another vocabulary has for it.";
            may "http_status": http_status(), "The HTTP status of an upstream's answer.";
            may "remediation": text(), "What the caller should do.";
            may "docs_url": text(), "Where to read more.";
            may "violations": some(of("Violation")), "Every broken rule.";
        }), "The free part, and what the object has no place for.";
        "McpErrorObject": closed(fields! {
            need "code": of("McpErrorCode"), "Which failure.";
            need "message": said(), "What happened, in a sentence.";
            may "details": of("McpErrorDetails"), "The free part.";
            may "retry_after_ms": at_least(0), "How long to wait before the next try, in milliseconds.";
            need "recovery_actions": list(text()), "Recovery actions, the preferred one first.";
            may "fallback_tool": text(), "A tool to call instead.";
            need "correlation_id": said(), "The id under which the operator finds the rest.";
            need "timestamp": pattern(TIMESTAMP), "When it happened.";
            may "recovery_hint": of("RecoveryHint"), "One word on how to recover. Absent, to the letter, unless it was set.";
            may "userMessage": text(), "What a person may be told. Absent, to the letter, unless it was set.";
            may "corrective_params": Type::Any, "Complete arguments that would do.";
        }), "A failure.";
        "McpErrorDocument": Type::Union(documents), "Any document of the dialect: an error, or the payload of a success as it is.";
    };
    // A code and a message alone are no error, unless the code is one of ours: any record may have those.
    let marked = json!({
        "if": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            "anyOf": [
                {"required": ["recovery_actions"]},
                {"required": ["recovery_hint"]},
                {"properties": {"code": {"$ref": "#/$defs/McpErrorCode"}}},
            ],
        },
        "then": {"$ref": "#/$defs/McpErrorObject"},
    });
    Spec {
        dialect: Dialect::McpError,
        about: "Errors with recovery actions, hint and correlation id; successes are the bare payload.",
        root: "McpErrorDocument",
        definitions,
        rules: json!({"McpErrorDocument": {"allOf": [marked, question_mark(), batch_mark()]}}),
    }
}
