//! `tool-error`: a tool result whose blocks depend on the format.

use breakfall::catalog::CODES;
use breakfall::wire::Dialect;
use serde_json::json;

use super::{Spec, batch_mark, distinct, question_mark};
use crate::generated::model::{
    Field, Type, any_of, at_least, closed, define, detail, fields, flag, free, http_status, map,
    may, need, of, open, said, some, text, word, words,
};

pub(super) fn spec() -> Spec {
    let names = CODES.iter().map(|code| code.entry().names.tool_error);
    let blocks = |names: &[&str]| Type::Tuple(names.iter().copied().map(of).collect(), None);
    let formats = vec![
        blocks(&["MarkdownBlock"]),
        blocks(&["JsonBlock"]),
        blocks(&["MarkdownBlock", "JsonBlock"]),
    ];
    let error = need(
        "structuredContent",
        of("ToolErrorObject"),
        "The object, in every format.",
    );
    let question = need(
        "structuredContent",
        of("NeedsInput"),
        "The question, in every format.",
    );
    let data = may(
        "structuredContent",
        Type::DataObject,
        "The data, if it is an object.",
    );
    let definitions = define! {
        "ToolErrorCode": words(distinct(names)), "The codes of the dialect.";
        "ToolErrorDetails": free(details()), "The free part, and what the object has no place for.";
        "ToolErrorObject": closed(fields! {
            need "kind": word("toolError:v1"), "The discriminator.";
            need "code": of("ToolErrorCode"), "Which failure.";
            need "message": said(), "What happened, in a sentence.";
            need "retryable": Type::Flag, "Whether repeating the call may help.";
            may "details": of("ToolErrorDetails"), "The free part.";
        }), "A failure.";
        "MarkdownBlock": block("text/markdown"), "Words for a person.";
        "JsonBlock": block("application/json"), "The object as JSON, indented by two.";
        "ToolErrorContent": Type::Union(formats), "The blocks of a format: `markdown`, `json` or `both`. A JSON block comes last.";
        "ToolErrorWarning": free(fields! {
            may "code": said(), "Which warning.";
            need "severity": text(), "How much it matters.";
            need "message": text(), "What to know.";
            may "context": map(Type::Any), "The facts.";
        }), "What rides on a success.";
        "ToolErrorFailure": result(error, true), "A failed call.";
        "ToolErrorQuestion": result(question, false), "A call that needs something from the user first.";
        "ToolErrorSuccess": result(data, false), "A call that worked.";
        "ToolErrorDocument": any_of(["ToolErrorFailure", "ToolErrorQuestion", "ToolErrorSuccess"]), "Any document of the dialect.";
    };
    let no_error =
        json!({"not": {"properties": {"kind": {"const": "toolError:v1"}}, "required": ["kind"]}});
    let payload = json!({"allOf": [no_error, question_mark(), batch_mark()]});
    Spec {
        dialect: Dialect::ToolError,
        about: "Tool results with `toolError:v1` and `needsInput:v1` objects, gated by a format.",
        root: "ToolErrorDocument",
        definitions,
        rules: json!({
            "JsonBlock": {"properties": {"text": {"contentMediaType": "application/json"}}},
            "ToolErrorSuccess": {"properties": {"structuredContent": payload}},
        }),
    }
}

fn result(structured: Field, is_error: bool) -> Type {
    let mark = if is_error {
        need("isError", flag(true), "Marks a failure.")
    } else {
        may("isError", flag(false), "Never true here.")
    };
    let content = need(
        "content",
        of("ToolErrorContent"),
        "The blocks of the format.",
    );
    let meta = may(
        "_meta",
        free(
            fields! { may "dev.breakfall/warnings": some(of("ToolErrorWarning")), "What degraded the success."; },
        ),
        "What the object has no place for.",
    );
    open(vec![content, structured, mark, meta])
}

fn block(mime: &str) -> Type {
    let mirror = fields! {
        need "dev.breakfall/mimeType": word(mime), "The media type once more, for transports that strip the other.";
    };
    open(fields! {
        need "type": word("text"), "Always the same.";
        need "text": text(), "The text.";
        need "mimeType": word(mime), "The media type.";
        may "_meta": free(mirror), "Absent to the letter.";
    })
}

fn details() -> Vec<Field> {
    fields! {
        may "field": detail(text()), "The parameter at fault.";
        may "statusCode": http_status(), "The HTTP status, where one exists.";
        may "domainCode": said(), "The name the domain or another vocabulary has for it.";
        may "remediation": text(), "What the caller should do.";
        may "retryAfterMs": at_least(0), "How long to wait before the next try, in milliseconds.";
        may "correlationId": said(), "The id under which the operator finds the rest.";
        may "docsUrl": text(), "Where to read more.";
        may "violations": some(of("Violation")), "Every broken rule.";
    }
}
