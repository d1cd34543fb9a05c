//! Definitions that more than one dialect uses: vocabularies, details by code, warnings, questions, batches.

use breakfall::catalog::CODES;
use breakfall::catalog::warning::{WARNINGS, WarningCode};
use breakfall::code::{Detail, Shape, Status};
use breakfall::{Category, Code, Confidence, Fault, Fidelity, Hint, Origin, Retry, Severity};

use super::model::{
    Definition, Field, Object, Rest, Tagged, Type, Variant, at_least, closed, define, fields, flag,
    list, map, may, need, of, open, pascal, some, text, timestamp, word, words,
};
use crate::sample::sample_value;

/// Names of a server's own rows: upper-case words joined by underscores.
pub(super) const OWN_CODE: &str = "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$";

pub(super) fn definitions() -> Vec<Definition> {
    let mut all = vocabularies();
    all.extend(parts());
    all.extend(CODES.iter().filter_map(|code| details_of(*code)));
    all.extend(WARNINGS.iter().filter_map(|code| context_of(*code)));
    all
}

fn vocabularies() -> Vec<Definition> {
    let confidences = [
        Confidence::Exact,
        Confidence::Structural,
        Confidence::Textual,
        Confidence::Default,
    ];
    define! {
        "Code": words(CODES.iter().map(|code| code.name())), "The built-in codes, by category and within it from the general to the particular.";
        "Category": words(Category::ALL.iter().map(|word| word.as_str())), "The closed class of a failure.";
        "Severity": words(Severity::ALL.iter().map(|word| word.as_str())), "How bad a warning is.";
        "RetryPolicy": words(Retry::ALL.iter().map(|word| word.as_str())), "May the call be repeated, and on what condition?";
        "RecoveryHint": words(Hint::ALL.iter().map(|word| word.as_str())), "One word on how to recover.";
        "Origin": words(Origin::ALL.iter().map(|word| word.as_str())), "Whose doing it was.";
        "Confidence": words(confidences.map(Confidence::as_str)), "How sure a classification is, surest first.";
        "Fidelity": words(Fidelity::ALL.iter().map(|word| word.as_str())), "How much of the full content a success carries.";
        "Status": words(Status::ALL.iter().map(|word| word.as_str())), "How firmly a code is promised.";
        "WarningCode": words(WARNINGS.iter().map(|code| code.name())), "The built-in warnings.";
    }
}

fn parts() -> Vec<Definition> {
    let advice = |repeat: bool| {
        let policies = Retry::ALL
            .iter()
            .filter(|retry| retry.is_retryable() == repeat);
        open(fields! {
            need "policy": words(policies.map(|retry| retry.as_str())), "On what condition the call may be repeated.";
            need "retryable": flag(repeat), "Whether simply repeating the call may help.";
            may "after_ms": at_least(0), "How long to wait first, in milliseconds.";
        })
    };
    define! {
        "RetryAdvice": Type::Union(vec![advice(false), advice(true)]), "Whether, when and on what condition to repeat the call.";
        "Violation": open(violation()), "One broken rule of one value.";
        "Provenance": open(fields! {
            need "rule": text(), "The rule.";
            need "confidence": of("Confidence"), "How sure it is.";
        }), "Which rule classified a bare failure, and how sure it was.";
        "Choice": closed(fields! {
            need "label": text(), "What the user sees.";
            need "value": text(), "What the tool gets.";
            may "description": text(), "More about it.";
            may "field": text(), "The field it answers.";
        }), "One answer to choose.";
        "NeedsInput": needs_input(), "A question to the user. A normal step of the conversation, not an error.";
    }
}

pub(super) fn violation() -> Vec<Field> {
    fields! {
        need "pointer": text(), "Where, as a JSON pointer into the arguments.";
        may "keyword": text(), "The schema keyword or named constraint.";
        may "message": text(), "What is wrong, in words.";
        may "expected": Type::Any, "What would have been right.";
        may "got": Type::Any, "What came.";
        may "suggestion": Type::Any, "A value that would do.";
    }
}

fn needs_input() -> Type {
    let needs = fields! {
        need "fields": list(text()), "The fields that have to be filled.";
        need "reason": text(), "Why it is needed.";
        may "suggestions": map(some(text())), "Values that would do, by field.";
    };
    closed(fields! {
        need "kind": word("needsInput:v1"), "The discriminator.";
        need "type": word("elicitation"), "Always the same.";
        need "message": text(), "The question.";
        may "needsInput": closed(needs), "What is needed, and why.";
        may "options": some(of("Choice")), "Answers to choose from.";
    })
}

pub(super) fn severity() -> Field {
    need("severity", of("Severity"), "How bad it is.")
}

/// A warning whose code decides what its facts are. The key of the facts and the names of codes differ by dialect.
pub(super) fn warning(
    vocabulary: &str,
    facts: &'static str,
    name: fn(WarningCode) -> &'static str,
    severity: Field,
) -> Tagged {
    let mut variants: Vec<Variant> = Vec::new();
    for code in WARNINGS {
        let tag = name(*code);
        if variants.iter().any(|variant| variant.tag == tag) {
            continue;
        }
        let contexts: Vec<Type> = WARNINGS
            .iter()
            .filter(|other| name(**other) == tag)
            .filter_map(|other| context_of(*other))
            .map(|context| Type::Ref(context.name))
            .collect();
        let fields = match contexts.as_slice() {
            [] => Vec::new(),
            [one] => vec![may(facts, one.clone(), "Facts about it.")],
            _ => vec![may(facts, Type::Union(contexts), "Facts about it.")],
        };
        variants.push(Variant {
            tag: tag.to_owned(),
            fields,
            promised: Vec::new(),
        });
    }
    Tagged {
        tag: may(
            "code",
            of(vocabulary),
            "Which warning; a plain one has none.",
        ),
        own: Some(text()),
        prefix: "",
        base: vec![severity, need("message", text(), "Its words.")],
        general: vec![may(facts, map(Type::Any), "Facts about it.")],
        variants,
        rest: Rest::Extensible,
    }
}

fn context_of(code: WarningCode) -> Option<Definition> {
    let fields: Vec<Field> = code.entry().context.iter().map(field).collect();
    (!fields.is_empty()).then(|| {
        Definition::new(
            format!("{}Context", pascal(code.name())),
            format!("Facts about `{code}`."),
            sparse(fields, None),
        )
    })
}

/// The details of a native code, as far as they stay under `details`.
pub(super) fn details_of(code: Code) -> Option<Definition> {
    let stay = code.entry().details.iter();
    let fields: Vec<Field> = stay.filter(|one| stays(code, one)).map(field).collect();
    (!fields.is_empty()).then(|| {
        Definition::new(
            format!("{}Details", pascal(code.name())),
            format!("Details of `{code}`."),
            sparse(fields, None),
        )
    })
}

/// Whether a detail stays a detail: some keys name a part of the fault itself and are written there.
pub(super) fn stays(code: Code, detail: &Detail) -> bool {
    let value = match detail.name {
        "http_status" => code.entry().http.into(),
        _ => sample_value(detail),
    };
    let fault = Fault::new(code).detail(detail.name, value);
    fault.public().details().get(detail.name).is_some()
}

/// An object with the keys of a row and any others.
pub(super) fn sparse(fields: Vec<Field>, extends: Option<&str>) -> Type {
    Type::Object(Object {
        fields,
        rest: Rest::Free,
        extends: extends.map(str::to_owned),
        sparse: true,
    })
}

pub(super) fn field(detail: &Detail) -> Field {
    Field {
        name: detail.name.to_owned(),
        of: Type::Detail(Box::new(shape(detail))),
        required: detail.required,
        about: detail.about.to_owned(),
    }
}

fn shape(detail: &Detail) -> Type {
    match detail.shape {
        Shape::Text => text(),
        Shape::OneOf(all) => words(all.iter().copied()),
        Shape::Integer => Type::Integer {
            min: None,
            max: None,
        },
        Shape::Number => Type::Number,
        Shape::Flag => Type::Flag,
        Shape::Texts => list(text()),
        Shape::Timestamp => timestamp(),
        Shape::Object => map(Type::Any),
        Shape::Objects => list(map(Type::Any)),
        Shape::Any => Type::Any,
        other => panic!("no type for the shape {other:?} of '{}'", detail.name),
    }
}
