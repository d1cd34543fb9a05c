//! The kinds of errors the validator has, as rules.

use std::sync::Arc;

use jsonschema::JsonTypeSet;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use super::raw::{BoundSide, BoundUnit, RuleKind};
use crate::phrase::Phrase;

/// The rules that speak of one value as it is.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "somebody else's list, which grows"
)]
pub(super) fn simple(kind: &ValidationErrorKind) -> (&'static str, RuleKind) {
    use ValidationErrorKind as E;
    let size = |limit: &u64, side, of| RuleKind::Size {
        limit: *limit,
        side,
        of,
    };
    match kind {
        E::Type { kind } => ("type", RuleKind::Type(types(kind))),
        E::Enum { options } => ("enum", RuleKind::Enum(Arc::clone(options))),
        E::Constant { expected_value } => (
            "const",
            RuleKind::Enum(Arc::new(Value::Array(vec![(**expected_value).clone()]))),
        ),
        E::Minimum { limit } => ("minimum", bound(limit, BoundSide::Least, false)),
        E::Maximum { limit } => ("maximum", bound(limit, BoundSide::Most, false)),
        E::ExclusiveMinimum { limit } => ("exclusiveMinimum", bound(limit, BoundSide::Least, true)),
        E::ExclusiveMaximum { limit } => ("exclusiveMaximum", bound(limit, BoundSide::Most, true)),
        E::MinLength { limit } => (
            "minLength",
            size(limit, BoundSide::Least, BoundUnit::Characters),
        ),
        E::MaxLength { limit } => (
            "maxLength",
            size(limit, BoundSide::Most, BoundUnit::Characters),
        ),
        E::MinItems { limit } => ("minItems", size(limit, BoundSide::Least, BoundUnit::Items)),
        E::MaxItems { limit } => ("maxItems", size(limit, BoundSide::Most, BoundUnit::Items)),
        E::MinProperties { limit } => (
            "minProperties",
            size(limit, BoundSide::Least, BoundUnit::Members),
        ),
        E::MaxProperties { limit } => (
            "maxProperties",
            size(limit, BoundSide::Most, BoundUnit::Members),
        ),
        E::AdditionalItems { limit } => (
            "additionalItems",
            size(&(*limit as u64), BoundSide::Most, BoundUnit::Items),
        ),
        E::Pattern { pattern } => ("pattern", RuleKind::Pattern(pattern.as_str().into())),
        E::Format { format } => ("format", RuleKind::Format(format.as_str().into())),
        E::MultipleOf { multiple_of } => ("multipleOf", RuleKind::Multiple(*multiple_of)),
        E::UniqueItems => ("uniqueItems", RuleKind::Unique),
        E::Contains => ("contains", RuleKind::Other(Phrase::RULE_CONTAINS)),
        E::FalseSchema => ("false", RuleKind::Other(Phrase::RULE_FALSE)),
        E::Not { .. } => ("not", RuleKind::Other(Phrase::RULE_NOT)),
        E::UnevaluatedItems { .. } => ("unevaluatedItems", RuleKind::Other(Phrase::RULE_ITEMS)),
        E::OneOfMultipleValid { .. } => ("oneOf", RuleKind::Other(Phrase::RULE_SEVERAL)),
        _ => ("schema", RuleKind::Other(Phrase::RULE_SCHEMA)),
    }
}

fn bound(limit: &Value, side: BoundSide, exclusive: bool) -> RuleKind {
    match limit {
        Value::Number(limit) => RuleKind::Bound {
            limit: limit.clone(),
            side,
            exclusive,
        },
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            RuleKind::Other(Phrase::RULE_RANGE)
        }
    }
}

fn types(kind: &TypeKind) -> JsonTypeSet {
    match kind {
        TypeKind::Single(kind) => (*kind).into(),
        TypeKind::Multiple(kinds) => *kinds,
    }
}
