//! What is wrong with a schema: faults for its author, which is never the caller.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::document::SchemaNode;
use super::{edit, pattern, shown};
use crate::catalog::codes;
use crate::code::{Code, Origin};
use crate::fault::{Fault, LimitType};
use crate::suggest;
use crate::violation::Violation;

pub(super) fn too_deep(limit: usize, actual: usize) -> Fault {
    too_large(LimitType::NestingDepth, limit, actual)
}

pub(super) fn too_many(limit: usize, actual: usize) -> Fault {
    too_large(LimitType::ArrayElements, limit, actual)
}

pub(super) fn too_long(limit: usize, actual: usize) -> Fault {
    too_large(LimitType::RequestSize, limit, actual)
}

fn too_large(kind: LimitType, limit: usize, actual: usize) -> Fault {
    let fault = Fault::payload_too_large(kind, limit as u64, actual as u64);
    fault
        .origin(Origin::Upstream)
        .remediation("Make the schema of the tool smaller, or split it.")
}

/// An unsupported dialect.
pub(super) fn dialect(pointer: &str, name: &str) -> Fault {
    const SPOKEN: &str = "https://json-schema.org/draft/2020-12/schema";
    let at = edit::child(pointer, "$schema");
    wrong(
        codes::SCHEMA_VERSION_UNSUPPORTED,
        &at,
        "$schema",
        [SPOKEN.into(), shown::text(name).into()],
    )
}

/// A value of the wrong type.
pub(super) fn mistyped(pointer: &str, expected: &str, actual: &Value) -> Fault {
    let actual = JsonType::from(actual).as_str();
    wrong(
        codes::SCHEMA_INVALID_TYPE,
        pointer,
        "type",
        [expected.into(), actual.into()],
    )
}

/// A reference out of the document: nothing is fetched.
pub(super) fn foreign(pointer: &str, target: &str) -> Fault {
    let fault = reference(
        pointer,
        target,
        "a part of this document (`#/$defs/…`)".into(),
    );
    fault.detail(
        "suggestion",
        "Copy the schema into `$defs` and refer to it there; nothing is fetched from elsewhere.",
    )
}

/// A reference to what is not there.
pub(super) fn nowhere(pointer: &str, target: &str, root: &Value) -> Fault {
    let declared: Vec<String> = ["$defs", "definitions"]
        .iter()
        .filter_map(|key| Some((key, root.get(key)?.as_object()?)))
        .flat_map(|(key, map)| map.keys().map(move |name| format!("#/{key}/{name}")))
        .take(MOST_NAMES)
        .collect();
    let near = suggest::nearest(target, declared.iter().map(String::as_str)).map(str::to_owned);
    let fault = reference(pointer, target, declared.into());
    match near {
        Some(near) => fault.detail("suggestion", near),
        None => fault,
    }
}

/// References that lead back to where they began without going into the value.
pub(super) fn endless(nodes: &[SchemaNode]) -> Fault {
    let found = nodes.iter().find_map(|node| {
        let mut edges = node.edges.iter().filter(|edge| edge.step.stays());
        let to = edges.find(|edge| nodes[edge.to].pointer.len() <= node.pointer.len())?;
        Some((node.pointer.as_ref(), nodes[to.to].pointer.as_ref()))
    });
    let (at, to): (&str, &str) = found.unwrap_or_default();
    let target = format!("#{to}");
    let fault = reference(
        &edit::child(at, "$ref"),
        &target,
        "a schema other than the one it is in".into(),
    );
    let target = shown::text(&target);
    let fault = fault.message(format!("Schema reference '{target}' leads back to itself"));
    fault.detail(
        "suggestion",
        "Refer to the schema from a property or an item; a schema cannot consist of itself.",
    )
}

fn reference(pointer: &str, target: &str, expected: Value) -> Fault {
    wrong(
        codes::SCHEMA_UNRESOLVED_REF,
        pointer,
        "$ref",
        [expected, shown::text(target).into()],
    )
}

/// What the validator did not like.
pub(super) fn build(error: &ValidationError<'_>) -> Fault {
    let at = error.instance_path().as_str();
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "somebody else's list, which grows"
    )]
    match error.kind() {
        ValidationErrorKind::Type { kind } => mistyped(at, &types(kind), error.instance()),
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let field = edit::child(at, name);
            wrong(
                codes::SCHEMA_MISSING_FIELD,
                &field,
                "required",
                ["a value".into(), "missing".into()],
            )
        }
        ValidationErrorKind::Format { format } if format == "regex" => expression(at),
        ValidationErrorKind::AnyOf { context } => chosen(at, context, error.instance()),
        ValidationErrorKind::Enum { options } => named(at, options, error.instance()),
        ValidationErrorKind::Referencing(cause) => {
            let fault = reference(at, "$ref", "a part of this document (`#/$defs/…`)".into());
            fault.note(cause.to_string())
        }
        kind => wrong(
            codes::SCHEMA_INVALID_TYPE,
            at,
            kind.keyword(),
            [
                format!("a value its `{}` allows", kind.keyword()).into(),
                JsonType::from(&**error.instance()).as_str().into(),
            ],
        ),
    }
}

/// A pattern of a schema, or one for the names of its members, that is too long or malformed.
pub(super) fn pattern(pointer: &str, source: &str, names: bool, most: usize) -> Fault {
    let at = if names {
        edit::child(&edit::child(pointer, "patternProperties"), source)
    } else {
        edit::child(pointer, "pattern")
    };
    if !pattern::is_large(source) {
        return expression(&at);
    }
    let most = most.div_ceil(1024);
    let told = [
        format!("a regular expression of at most {most} KiB once compiled").into(),
        "a larger one".into(),
    ];
    let fault = wrong(codes::SCHEMA_INVALID_TYPE, &at, "pattern", told);
    fault.detail(
        "suggestion",
        "Repeat less in the pattern, or check this in the tool.",
    )
}

/// A pattern that is not a regular expression, or one whose time is unbounded.
fn expression(at: &str) -> Fault {
    let expected = "a regular expression without lookaround and backreferences";
    let fault = wrong(
        codes::SCHEMA_INVALID_TYPE,
        at,
        "pattern",
        [expected.into(), "string".into()],
    );
    fault.detail(
        "suggestion",
        "Write the pattern so that it can be matched in one pass, or check this in the tool.",
    )
}

/// None of the alternatives: the one that lists names says most.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "somebody else's list, which grows"
)]
fn chosen(at: &str, context: &[Vec<ValidationError<'_>>], actual: &Value) -> Fault {
    let errors = || {
        context
            .iter()
            .flatten()
            .filter(|error| error.instance_path().as_str() == at)
    };
    let options = errors().find_map(|error| match error.kind() {
        ValidationErrorKind::Enum { options } => Some(options),
        _ => None,
    });
    if let Some(options) = options.filter(|_| actual.is_string()) {
        return named(at, options, actual);
    }
    let kinds = errors().filter_map(|error| match error.kind() {
        ValidationErrorKind::Type { kind } => Some(types(kind)),
        _ => None,
    });
    let mut kinds: Vec<String> = kinds.collect();
    if options.is_some() {
        kinds.insert(0, "string".into());
    }
    mistyped(at, &kinds.join(" or "), actual)
}

/// A word that its keyword does not allow.
fn named(at: &str, options: &Value, actual: &Value) -> Fault {
    let words = || {
        options
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    };
    let near = actual
        .as_str()
        .and_then(|word| suggest::nearest(word, words()));
    let fault = wrong(
        codes::SCHEMA_INVALID_NAME,
        at,
        "enum",
        [options.clone(), shown::value(None, actual)],
    );
    match near {
        Some(near) => fault.detail("suggestion", near.to_owned()),
        None => fault,
    }
}

/// A fault of a row of schema faults; which of the two pairs of details it has is the row's affair.
fn wrong(code: Code, pointer: &str, keyword: &str, [expected, actual]: [Value; 2]) -> Fault {
    let violation = Violation::at(pointer)
        .keyword(keyword)
        .expected(expected.clone())
        .got(actual.clone());
    let (expected_key, actual_key) = if code
        .entry()
        .details
        .iter()
        .any(|detail| detail.name == "expected_type")
    {
        ("expected_type", "actual_type")
    } else {
        ("expected_value", "actual_value")
    };
    let field = if pointer.is_empty() {
        "schema".into()
    } else {
        violation.field()
    };
    Fault::new(code)
        .origin(Origin::Upstream)
        .detail("field_path", field)
        .detail(expected_key, expected)
        .detail(actual_key, actual)
        .violation(violation)
}

/// Types as words.
fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind.as_str().to_owned(),
        TypeKind::Multiple(kinds) => {
            let words: Vec<&str> = kinds.iter().map(JsonType::as_str).collect();
            words.join(" or ")
        }
    }
}

/// Declared names listed in a fault.
const MOST_NAMES: usize = 32;
