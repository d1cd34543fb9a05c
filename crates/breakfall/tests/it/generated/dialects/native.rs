//! `native`: an MCP tool result.

use breakfall::catalog::CODES;
use breakfall::catalog::warning::WarningCode;
use breakfall::code::Detail;
use breakfall::wire::Dialect;
use breakfall::{Code, CorrelationId};
use serde_json::json;

use super::Spec;
use crate::generated::common::{OWN_CODE, details_of, severity, stays, warning};
use crate::generated::model::{
    Definition, Field, Rest, Tagged, Type, Variant, any_of, at_least, define, fields, flag, free,
    http_status, list, map, may, need, of, open, pattern, said, some, tagged, text, timestamp,
    word,
};

pub(super) fn spec() -> Spec {
    let mut definitions = define! {
        "NativeError": tagged(error()), "A failure, the same object in `_meta`, in `structuredContent` and in the `data` of JSON-RPC errors.";
        "Warning": tagged(warning("WarningCode", "context", WarningCode::name, severity())), "What rides on a success: it worked, but the caller should know this.";
        "TextBlock": open(fields! {
            need "type": word("text"), "Always the same.";
            need "text": text(), "The words.";
        }), "A text block of MCP.";
        "Block": free(fields! { need "type": text(), "The kind of block."; }), "A block of MCP, of any kind.";
        "SuccessNotes": open(fields! {
            may "warnings": some(of("Warning")), "What degraded the success.";
            may "content_fidelity": of("Fidelity"), "How much of the content is there.";
            may "correlation_id": said(), "The id of the call.";
            may "meta": map(Type::Any), "Operational metadata that came along.";
        }), "What rides on a success.";
        "NativeFailure": result("dev.breakfall/error", "NativeError", fields! {
            may "structuredContent": of("NativeError"), "The error once more, where the tool declares no output schema.";
            need "isError": flag(true), "Marks a failure.";
        }), "A failed call.";
        "NativeSuccess": result("dev.breakfall/success", "SuccessNotes", fields! {
            may "structuredContent": Type::DataObject, "The data.";
            may "isError": flag(false), "Never true here.";
        }), "A call that worked. The first block is the data; a second one has the warnings in words.";
        "NativeQuestion": result("dev.breakfall/needs_input", "NeedsInput", fields! {
            may "structuredContent": of("NeedsInput"), "The question once more, where the tool declares no output schema.";
            may "isError": flag(false), "Never true here.";
        }), "A call that needs something from the user first.";
        "NativeBatch": result("dev.breakfall/batch", "BatchReport", fields! {
            may "structuredContent": of("BatchReport"), "The batch once more, where the tool declares no output schema.";
            may "isError": Type::Flag, "Whether everything failed.";
        }), "A batch. It is an error if everything failed.";
        "NativeDocument": any_of(["NativeFailure", "NativeSuccess", "NativeQuestion", "NativeBatch"]), "Any document of the dialect.";
    };
    definitions.extend(batch());
    Spec {
        dialect: Dialect::Native,
        about: "MCP tool results as Breakfall writes them: text made for a model, the whole object in `_meta`.",
        root: "NativeDocument",
        definitions,
        rules: json!({}),
    }
}

/// The text comes first; the blocks of an upstream may follow.
fn result(key: &str, object: &str, fields: Vec<Field>) -> Type {
    let content = Type::Tuple(vec![of("TextBlock")], Some(Box::new(of("Block"))));
    let meta = free(vec![need(
        key,
        of(object),
        "The whole of it, for programs.",
    )]);
    let mut all = fields! {
        need "content": content, "Words for a model.";
        need "_meta": meta, "What is not meant for the model.";
    };
    all.extend(fields);
    open(all)
}

fn error() -> Tagged {
    let variants = CODES.iter().map(|code| Variant {
        tag: code.name().to_owned(),
        fields: variant_fields(*code),
        promised: promised(*code),
    });
    let mut base = fields! { need "message": said(), "What happened, in a sentence."; };
    base.extend(rest(true));
    Tagged {
        tag: need(
            "code",
            of("Code"),
            "Which failure: a built-in code or a server's own.",
        ),
        own: Some(pattern(OWN_CODE)),
        prefix: "",
        base,
        general: fields! {
            need "category": of("Category"), "The class of the code.";
            may "details": map(Type::Any), "The free part.";
        },
        variants: variants.collect(),
        rest: Rest::Extensible,
    }
}

pub(super) fn variant_fields(code: Code) -> Vec<Field> {
    let category = word(code.category().as_str());
    let mut fields = vec![need("category", category, "The class of the code.")];
    if let Some(details) = details_of(code) {
        fields.push(may("details", Type::Ref(details.name), "The free part."));
    }
    fields
}

/// What a row requires, where it is written: under `details`, or in the part of the fault it names.
pub(super) fn promised(code: Code) -> Vec<(&'static str, Vec<String>)> {
    let required = code.entry().details.iter().filter(|detail| detail.required);
    let (stay, moved): (Vec<&Detail>, Vec<&Detail>) =
        required.partition(|detail| stays(code, detail));
    let mut promised = Vec::new();
    if !stay.is_empty() {
        let names = stay.iter().map(|detail| detail.name.to_owned());
        promised.push(("details", names.collect()));
    }
    for detail in moved {
        match detail.name {
            "retry_after_seconds" => promised.push(("retry", vec!["after_ms".to_owned()])),
            other => {
                panic!("{code} requires '{other}', and nobody has said where native writes it")
            }
        }
    }
    promised
}

/// The members a native error and a problem share. Only a problem to the letter goes without them.
pub(super) fn rest(always: bool) -> Vec<Field> {
    assert_eq!(CorrelationId::MAX_LEN, 128, "the pattern below says so too");
    let mut fields = fields! {
        may "domain_code": said(), "The name the domain or another vocabulary has for it.";
        may "violations": some(of("Violation")), "Every broken rule.";
        need "retry": of("RetryAdvice"), "May the call be repeated?";
        need "remediation": text(), "What the caller should do.";
        need "recovery_actions": list(text()), "Recovery actions, the preferred one first.";
        need "recovery_hint": of("RecoveryHint"), "One word on how to recover.";
        need "user_message": text(), "What a person may be told.";
        may "fallback_tool": text(), "A tool to call instead.";
        may "corrective_params": Type::Any, "Complete arguments that would do.";
        need "origin": of("Origin"), "Whose doing it was.";
        may "provenance": of("Provenance"), "Which rule classified a bare failure.";
        may "http_status": http_status(), "The HTTP status of an upstream's answer.";
        may "docs_url": text(), "Where to read more.";
        may "needs_input": of("NeedsInput"), "The question to put to a person, if it is theirs to answer.";
        need "correlation_id": pattern("^[!-~]{1,128}$"), "The id under which the operator finds the rest.";
        need "timestamp": timestamp(), "When it happened.";
    };
    for field in &mut fields {
        field.required &= always;
    }
    fields
}

fn batch() -> Vec<Definition> {
    let item = |status: &str, result: Field| {
        let mut fields = fields! {
            need "index": at_least(0), "Its position in the request, from zero.";
            may "id": text(), "The caller's name for it.";
            may "operation": text(), "Its operation.";
            need "status": word(status), "What it came to.";
        };
        fields.push(result);
        open(fields)
    };
    let error = || need("error", of("NativeError"), "Why.");
    let items = vec![
        item("succeeded", need("data", Type::Any, "Its result.")),
        item("failed", error()),
        item("pending", error()),
    ];
    define! {
        "BatchItem": Type::Union(items), "One item of a batch.";
        "BatchReport": open(fields! {
            need "total": at_least(0), "How many items there were.";
            need "succeeded": at_least(0), "How many are done.";
            need "failed": at_least(0), "How many failed.";
            may "pending": at_least(1), "How many wait for a confirmation, if any.";
            may "halted": flag(true), "The batch stopped at its first pending item.";
            may "verb": Type::Tuple(vec![text(), text()], None), "What was done to the items, as infinitive and participle.";
            may "message": said(), "A sentence on what failed, if anything.";
            may "warnings": some(of("Warning")), "What else to know.";
            need "results": list(of("BatchItem")), "The items, in the order they were asked for.";
        }), "A batch in the common form, for dialects that have none of their own.";
    }
}
