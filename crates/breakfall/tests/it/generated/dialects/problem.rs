//! `problem`: RFC 9457. To the letter it has five members; otherwise those of the native error as well.

use breakfall::Code;
use breakfall::catalog::CODES;
use breakfall::wire::Dialect;
use serde_json::{Map, Value, json};

use super::Spec;
use super::native::{promised, rest, variant_fields};
use crate::generated::common::OWN_CODE;
use crate::generated::model::{
    Field, Rest, Tagged, Type, Variant, define, fields, http_status, map, need, of, pattern, said,
    tagged, word, words,
};

pub(super) fn spec() -> Spec {
    // Either none of our members or all of those that are always there.
    let always: Vec<String> = rest(true)
        .into_iter()
        .filter(|field| field.required)
        .map(|field| field.name)
        .chain(["code".to_owned(), "category".to_owned()])
        .collect();
    let dependent: Map<String, Value> = always
        .iter()
        .map(|name| (name.clone(), json!(always)))
        .collect();
    Spec {
        dialect: Dialect::Problem,
        about: "Problem details of RFC 9457, with the members of the native error as extensions.",
        root: "Problem",
        definitions: define! {
            "Problem": tagged(problem()), "A problem document, `application/problem+json`.";
        },
        rules: json!({"Problem": {"dependentRequired": dependent}}),
    }
}

fn problem() -> Tagged {
    let mut base = fields! {
        need "detail": said(), "What happened, in a sentence.";
        need "instance": pattern("^urn:breakfall:fault:[!-~]{1,128}$"), "This very failure.";
    };
    base.extend(rest(false));
    Tagged {
        tag: need(
            "type",
            words(CODES.iter().map(|code| urn(*code))),
            "Which failure: a built-in code or a server's own.",
        ),
        own: Some(pattern("^urn:breakfall:code:[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$")),
        prefix: PREFIX,
        base,
        general: fields! {
            need "title": said(), "What the code means, the same every time.";
            need "status": http_status(), "The HTTP status.";
            may "code": pattern(OWN_CODE), "The code.";
            may "category": of("Category"), "The class of the code.";
            may "details": map(Type::Any), "The free part.";
        },
        variants: CODES.iter().map(|code| variant(*code)).collect(),
        rest: Rest::Extensible,
    }
}

fn variant(code: Code) -> Variant {
    let entry = code.entry();
    let mut fields = fields! {
        need "title": word(entry.message.plain), "What the code means, the same every time.";
        need "status": Type::Numbers(vec![entry.http.into()]), "The HTTP status.";
        may "code": word(entry.name), "The code.";
    };
    let native = variant_fields(code).into_iter();
    fields.extend(native.map(|field| Field {
        required: false,
        ..field
    }));
    Variant {
        tag: urn(code),
        fields,
        promised: promised(code),
    }
}

const PREFIX: &str = "urn:breakfall:code:";

fn urn(code: Code) -> String {
    format!("{PREFIX}{code}")
}
