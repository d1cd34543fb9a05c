//! The validator's errors in our words. Nothing else here knows what its errors look like.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::Location;
use jsonschema::{JsonType, JsonTypeSet, ValidationError};
use serde_json::{Number, Value};

use super::branch;
use super::edit::{self, child};
use super::error_kind::simple;
use super::finding::Kind;
use crate::phrase::Phrase;

/// One broken rule: where in the arguments, and what it asks for.
#[derive(Debug, Clone)]
pub(super) struct BrokenRule {
    /// The value it is about; for what is missing, where it should be.
    pub(super) at: String,
    pub(super) keyword: &'static str,
    pub(super) rule: RuleKind,
    /// Where in the schema, to tell one rule from another.
    pub(super) source: Location,
}

/// The requirement of a rule.
#[derive(Debug, Clone)]
pub(super) enum RuleKind {
    /// One of these names; nearly always there is one.
    Missing(Vec<Box<str>>),
    Type(JsonTypeSet),
    Unknown,
    /// An array of the values allowed.
    Enum(Arc<Value>),
    Bound {
        limit: Number,
        side: BoundSide,
        exclusive: bool,
    },
    Size {
        limit: u64,
        side: BoundSide,
        of: BoundUnit,
    },
    Pattern(Box<str>),
    Format(Box<str>),
    Multiple(f64),
    Unique,
    /// Fits none of these.
    Alternatives(Vec<String>),
    /// Not nested deeper than this.
    Depth(usize),
    /// Something in words.
    Other(Phrase),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundSide {
    Least,
    Most,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundUnit {
    Characters,
    Items,
    Members,
}

impl BrokenRule {
    pub(super) fn too_deep(limit: usize) -> Self {
        Self::new("", "depth", RuleKind::Depth(limit), &Location::new())
    }

    pub(super) fn unexplained() -> Self {
        let rule = RuleKind::Other(Phrase::RULE_UNEXPLAINED);
        Self::new("", "schema", rule, &Location::new())
    }

    pub(super) fn unjudged() -> Self {
        let rule = RuleKind::Other(Phrase::RULE_UNJUDGED);
        Self::new("", "schema", rule, &Location::new())
    }

    pub(super) fn undeclared(name: &str) -> Self {
        Self::new(
            child("", name),
            "additionalProperties",
            RuleKind::Unknown,
            &Location::new(),
        )
    }

    pub(super) fn new(
        at: impl Into<String>,
        keyword: &'static str,
        rule: RuleKind,
        source: &Location,
    ) -> Self {
        Self {
            at: at.into(),
            keyword,
            rule,
            source: source.clone(),
        }
    }

    /// What kind of mistake it is.
    pub(super) const fn kind(&self) -> Kind {
        match self.rule {
            RuleKind::Missing(_) => Kind::Missing,
            RuleKind::Type(_) => Kind::Type,
            RuleKind::Unknown => Kind::Unknown,
            RuleKind::Enum(_) => Kind::Enum,
            RuleKind::Bound { .. } => Kind::Range,
            RuleKind::Size { .. } | RuleKind::Depth(_) => Kind::Size,
            RuleKind::Pattern(_) => Kind::Pattern,
            RuleKind::Format(_) => Kind::Format,
            RuleKind::Multiple(_)
            | RuleKind::Unique
            | RuleKind::Alternatives(_)
            | RuleKind::Other(_) => Kind::Other,
        }
    }

    /// Whether it stands for a validation that was not carried out.
    pub(super) fn is_unjudged(&self) -> bool {
        match &self.rule {
            RuleKind::Depth(_) => true,
            RuleKind::Other(phrase) => phrase.id == Phrase::RULE_UNJUDGED.id,
            RuleKind::Missing(_)
            | RuleKind::Type(_)
            | RuleKind::Unknown
            | RuleKind::Enum(_)
            | RuleKind::Bound { .. }
            | RuleKind::Size { .. }
            | RuleKind::Pattern(_)
            | RuleKind::Format(_)
            | RuleKind::Multiple(_)
            | RuleKind::Unique
            | RuleKind::Alternatives(_) => false,
        }
    }

    /// The types it asks for, if it asks for types.
    pub(super) const fn types(&self) -> Option<JsonTypeSet> {
        if let RuleKind::Type(types) = self.rule {
            Some(types)
        } else {
            None
        }
    }

    /// Whether it is the same rule broken at the same place.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.at == other.at && self.keyword == other.keyword && self.source == other.source
    }
}

/// Every error in arguments as broken rules, in the order they came.
pub(super) fn all<'e>(
    arguments: &Value,
    errors: impl IntoIterator<Item = ValidationError<'e>>,
) -> Vec<BrokenRule> {
    let mut raws = Vec::new();
    for error in errors {
        add(arguments, &error, &mut raws);
    }
    raws
}

/// Rules in the order they are told, each once.
pub(super) fn sorted(mut raws: Vec<BrokenRule>) -> Vec<BrokenRule> {
    if raws.len() > 1 {
        raws.sort_by(|a, b| {
            let place = || by_place(&a.at, &b.at);
            (a.kind().cmp(&b.kind()))
                .then_with(place)
                .then_with(|| a.keyword.cmp(b.keyword))
                .then_with(|| a.source.as_str().cmp(b.source.as_str()))
        });
        // A name can be unknown for several reasons, and says so once.
        raws.dedup_by(|a, b| {
            a.at == b.at && (a.is(b) || a.kind() == Kind::Unknown && b.kind() == Kind::Unknown)
        });
        evaluated(&mut raws);
    }
    raws
}

/// Places in the order people go through them: a whole before its parts, and the tenth item of a list after the second.
/// Numbers come before names, or three places could each come before the next.
fn by_place(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.split('/'), b.split('/'));
    loop {
        let (one, other) = match (left.next(), right.next()) {
            (Some(one), Some(other)) => (one, other),
            (Some(_), None) => return Ordering::Greater,
            (None, Some(_)) => return Ordering::Less,
            (None, None) => return Ordering::Equal,
        };
        let order = match (digits(one), digits(other)) {
            (Some(a), Some(b)) => (a.len(), a).cmp(&(b.len(), b)).then(one.cmp(other)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => one.cmp(other),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The digits of a number that count.
fn digits(name: &str) -> Option<&str> {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| name.trim_start_matches('0'))
}

/// What fails its own schema counts as unevaluated too, which would be the same mistake told twice.
fn evaluated(raws: &mut Vec<BrokenRule>) {
    const UNEVALUATED: &str = "unevaluatedProperties";
    if raws.iter().any(|raw| raw.keyword == UNEVALUATED) {
        let others: Vec<String> = raws
            .iter()
            .filter(|raw| raw.keyword != UNEVALUATED)
            .map(|raw| raw.at.clone())
            .collect();
        if others.len() <= MOST_COMPARED {
            raws.retain(|raw| {
                raw.keyword != UNEVALUATED || !others.iter().any(|at| edit::is_within(at, &raw.at))
            });
        }
    }
}

/// Adds what an error says.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "somebody else's list, which grows"
)]
pub(super) fn add(arguments: &Value, error: &ValidationError<'_>, raws: &mut Vec<BrokenRule>) {
    let (at, source) = (error.instance_path().as_str(), error.schema_path());
    match error.kind() {
        ValidationErrorKind::AnyOf { context } => {
            let whole = BrokenRule::new(at, "anyOf", RuleKind::Unknown, source);
            branch::add(arguments, whole, context, raws);
        }
        ValidationErrorKind::OneOfNotValid { context } => {
            let whole = BrokenRule::new(at, "oneOf", RuleKind::Unknown, source);
            branch::add(arguments, whole, context, raws);
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let rule = RuleKind::Missing(vec![name.into()]);
            let keyword = requiring(source.as_str());
            raws.push(BrokenRule::new(child(at, name), keyword, rule, source));
        }
        kind => {
            if let Some((keyword, names)) = unknown(arguments, error) {
                let names = names.into_iter().filter(|name| !name.starts_with('_'));
                raws.extend(names.map(|name| {
                    BrokenRule::new(child(at, name), keyword, RuleKind::Unknown, source)
                }));
            } else {
                let (keyword, rule) = simple(kind);
                raws.push(BrokenRule::new(at, keyword, rule, source));
            }
        }
    }
}

/// The names an error does not like, if it is about names.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "somebody else's list, which grows"
)]
fn unknown<'e>(
    arguments: &'e Value,
    error: &'e ValidationError<'_>,
) -> Option<(&'static str, Vec<&'e str>)> {
    let names = |names: &'e [String]| names.iter().map(String::as_str).collect();
    Some(match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            ("additionalProperties", names(unexpected))
        }
        ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            ("unevaluatedProperties", names(unexpected))
        }
        ValidationErrorKind::PropertyNames { error } => (
            "propertyNames",
            vec![error.instance().as_str().unwrap_or_default()],
        ),
        ValidationErrorKind::FalseSchema => {
            let at = error.instance_path().as_str();
            let keyword = forbids_names(at, error.schema_path().as_str())?;
            let object = edit::get(arguments, at)?.as_object()?;
            (keyword, object.keys().map(String::as_str).collect())
        }
        _ => return None,
    })
}

/// The keyword that allows no names at all, if it is that: the error then speaks of the object, not of a member.
fn forbids_names(at: &str, source: &str) -> Option<&'static str> {
    let keyword = ["additionalProperties", "propertyNames"]
        .into_iter()
        .find(|keyword| source.ends_with(keyword))?;
    (!at.ends_with(keyword)).then_some(keyword)
}

/// The keyword that requires a name: it is the last word of its place in the schema.
fn requiring(source: &str) -> &'static str {
    match source.rsplit('/').next() {
        Some("dependentRequired") => "dependentRequired",
        Some("dependencies") => "dependencies",
        _ => "required",
    }
}

/// Types as words, with an "or" between them.
pub(super) fn type_words(types: JsonTypeSet) -> Cow<'static, str> {
    let words = || types.iter().map(JsonType::as_str);
    if let (Some(only), 1) = (words().next(), words().count()) {
        return Cow::Borrowed(only);
    }
    let words: Vec<&str> = words().collect();
    Cow::Owned(words.join(" or "))
}

/// Places that are compared each with each.
const MOST_COMPARED: usize = 1000;
