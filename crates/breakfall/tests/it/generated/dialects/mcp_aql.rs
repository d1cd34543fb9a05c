//! `mcp-aql`: failures closed to other keys, warnings beside the data, results of a batch.

use breakfall::catalog::CODES;
use breakfall::catalog::warning::WARNINGS;
use breakfall::code::Detail;
use breakfall::wire::Dialect;
use breakfall::{Code, Severity};
use serde_json::json;

use super::{Spec, distinct, question_mark};
use crate::generated::common::{self, OWN_CODE, sparse};
use crate::generated::model::{
    Definition, Field, Rest, Tagged, Type, Variant, any_of, at_least, closed, define, fields, flag,
    free, http_status, list, may, need, of, open, pascal, pattern, said, some, tagged, text, word,
    words,
};

/// The keys any details may have, whatever the code.
const COMMON: &str = "McpAqlCommonDetails";

pub(super) fn spec() -> Spec {
    let mut definitions = define! {
        "McpAqlCode": words(names()), "The registered codes of the dialect.";
        "McpAqlWarningCode": words(warning_names()), "The registered warnings of the dialect.";
        "McpAqlSeverity": words(Severity::ALL.iter().map(|severity| severity.urgency())), "How bad a warning is; an absent one is medium.";
        "McpAqlCommonDetails": sparse(common_details(), None), "The keys any details may have, whatever the code.";
        "McpAqlError": tagged(error()), "A failure.";
        "McpAqlWarning": tagged(warning()), "What rides on a success: it worked, but the caller should know this.";
    };
    definitions.extend(names().iter().filter_map(|name| details_of(name)));
    definitions.extend(envelopes());
    definitions.extend(batch());
    let other = json!({"anyOf": [{"required": ["error"]}, {"required": ["results"]}]});
    Spec {
        dialect: Dialect::McpAql,
        about: "`{success, error: {code, message, details}}`, warnings beside the data, results of a batch.",
        root: "McpAqlDocument",
        definitions,
        rules: json!({"McpAqlSuccess": {"properties": {"data": question_mark()}, "not": other}}),
    }
}

/// Default and strict names: to the letter, a code of the first two registries stands in for the others.
fn names() -> Vec<String> {
    let names = CODES.iter().map(|code| code.entry().names);
    distinct(names.flat_map(|names| [names.mcp_aql, names.mcp_aql_strict]))
}

/// The rows that go by a name unless held to the letter.
fn rows(name: &str) -> Vec<Code> {
    let named = CODES
        .iter()
        .filter(|code| code.entry().names.mcp_aql == name);
    named.copied().collect()
}

fn error() -> Tagged {
    let variants = names().into_iter().map(|name| {
        let details = details_of(&name).map_or_else(|| COMMON.to_owned(), |details| details.name);
        Variant {
            fields: vec![may("details", Type::Ref(details), "The free part.")],
            promised: promised(&name),
            tag: name,
        }
    });
    Tagged {
        tag: need(
            "code",
            of("McpAqlCode"),
            "Which failure: a registered code or a server's own.",
        ),
        own: Some(pattern(OWN_CODE)),
        prefix: "",
        base: fields! { need "message": said(), "What happened, in the words of the code's template."; },
        general: fields! { may "details": of(COMMON), "The free part."; },
        variants: variants.collect(),
        rest: Rest::Closed,
    }
}

/// The details of all rows that go by a name: each key with every shape one of them gives it.
fn details_of(name: &str) -> Option<Definition> {
    let mut fields: Vec<Field> = Vec::new();
    for detail in rows(name).iter().flat_map(|code| code.entry().details) {
        let is_new = |known: &[Field]| known.iter().all(|field| field.name != detail.name);
        if is_new(&fields) && is_new(&common_details()) {
            fields.push(merged(name, detail));
        }
    }
    let about = format!("Details of `{name}`.");
    let named = format!("McpAql{}Details", pascal(name));
    (!fields.is_empty()).then(|| Definition::new(named, about, sparse(fields, Some(COMMON))))
}

fn merged(name: &str, first: &Detail) -> Field {
    let mut shapes = Vec::new();
    let mut required = true;
    for code in rows(name) {
        let mut details = code.entry().details.iter();
        let detail = details.find(|detail| detail.name == first.name);
        required &= detail.is_some_and(|detail| detail.required);
        shapes.extend(
            detail
                .map(|detail| detail.shape)
                .filter(|shape| !shapes.contains(shape)),
        );
    }
    let mut types: Vec<Type> = shapes
        .into_iter()
        .map(|shape| common::field(&Detail { shape, ..*first }).of)
        .collect();
    let of = match types.len() {
        1 => types.remove(0),
        _ => Type::Union(types),
    };
    Field {
        of,
        required,
        ..common::field(first)
    }
}

/// The keys that every row of a name requires.
fn promised(name: &str) -> Vec<(&'static str, Vec<String>)> {
    let details = rows(name)
        .first()
        .map_or(&[][..], |code| code.entry().details);
    let keys: Vec<String> = details
        .iter()
        .filter(|detail| merged(name, detail).required)
        .map(|detail| detail.name.to_owned())
        .collect();
    if keys.is_empty() {
        return Vec::new();
    }
    vec![("details", keys)]
}

fn common_details() -> Vec<Field> {
    fields! {
        may "http_status": http_status(), "The HTTP status somebody upstream answered with, or the one that tells codes of one name apart.";
        may "retry_after_seconds": at_least(1), "Whole seconds to wait before the next try.";
        may "domain_code": said(), "The name the domain or another vocabulary has for it.";
        may "remediation": text(), "What the caller should do.";
        may "docs_url": text(), "Where to read more.";
        may "violations": some(of("Violation")), "Every broken rule.";
    }
}

/// The registered names, and the one for a warning that has words but no code, which the format demands.
fn warning_names() -> Vec<String> {
    let registered = WARNINGS.iter().map(|code| code.entry().mcp_aql);
    distinct(registered.chain(["UNSPECIFIED_WARNING"]))
}

fn warning() -> Tagged {
    let severity = may("severity", of("McpAqlSeverity"), "How bad it is.");
    let name = |code: breakfall::catalog::warning::WarningCode| code.entry().mcp_aql;
    let mut warning = common::warning("McpAqlWarningCode", "details", name, severity);
    warning.tag.required = true;
    warning.variants.push(Variant {
        tag: "UNSPECIFIED_WARNING".to_owned(),
        fields: Vec::new(),
        promised: Vec::new(),
    });
    warning.rest = Rest::Closed;
    warning
}

/// Worst first, ten at most.
fn warnings() -> Field {
    let list = Type::List {
        of: Box::new(of("McpAqlWarning")),
        min: 1,
        max: Some(10),
    };
    may("warnings", list, "What degraded the success, worst first.")
}

fn envelopes() -> Vec<Definition> {
    let meta = free(fields! { may "request_id": said(), "The id of the call."; });
    let mut success = fields! {
        need "success": flag(true), "It worked.";
        need "data": Type::Data, "The payload.";
        may "_meta": meta, "Metadata.";
    };
    success.push(warnings());
    define! {
        "McpAqlSuccess": open(success), "A call that worked, or one that needs something from the user first.";
        "McpAqlFailure": closed(fields! {
            need "success": flag(false), "It did not work.";
            need "error": of("McpAqlError"), "Why.";
        }), "A failed call. Closed to other keys.";
        "McpAqlDocument": any_of(["McpAqlSuccess", "McpAqlBatch", "McpAqlFailure"]), "Any document of the dialect.";
    }
}

fn batch() -> Vec<Definition> {
    let summary = fields! {
        need "total": at_least(0), "How many items there were.";
        need "succeeded": at_least(0), "How many are done.";
        need "failed": at_least(0), "How many failed.";
        may "halted": flag(true), "The batch stopped at its first pending item.";
        may "pending_confirmation": at_least(1), "How many wait for a confirmation.";
    };
    let mut batch = fields! {
        need "success": flag(true), "The batch was processed.";
        need "data": Type::Null, "The results stand beside it.";
        need "results": list(of("McpAqlItem")), "The items, in the order they were asked for.";
        need "summary": open(summary), "How many came to what.";
    };
    batch.push(warnings());
    define! {
        "McpAqlItemSuccess": open(fields! {
            need "success": flag(true), "It worked.";
            need "data": Type::Any, "The payload.";
        }), "The result of an item that is done.";
        "McpAqlItem": open(fields! {
            need "index": at_least(0), "Its position in the request, from zero.";
            may "operation": text(), "Its operation.";
            may "id": text(), "The caller's name for it; absent to the letter.";
            need "result": any_of(["McpAqlItemSuccess", "McpAqlFailure"]), "What it came to.";
            may "status": word("pending_confirmation"), "Neither done nor failed: it waits for a person.";
        }), "One item of a batch.";
        "McpAqlBatch": open(batch), "A batch with the result of every item.";
    }
}
