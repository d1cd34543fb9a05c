//! How dangerous an operation is, and which rule says so.

use std::fmt;

use super::name_patterns;
use super::operation::{OperationFacts, OperationKind};
use crate::ladder::{DangerLevel, TrustLevel};

/// The danger of an operation, and the rule that decided it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct DangerRating {
    /// How dangerous it is.
    pub level: DangerLevel,
    /// Why.
    pub rule: DangerRule,
}

/// The rule that decided how dangerous an operation is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DangerRule {
    /// The operator or the adapter declares it.
    Declared,
    /// It is that of its declared kind.
    Kind(OperationKind),
    /// Nothing is known about it.
    Unlabelled,
    /// Its name fits this pattern.
    NamePattern(&'static str),
    /// Its `destructiveHint` has this value.
    DestructiveHint(bool),
    /// Its `readOnlyHint` is true.
    ReadOnlyHint,
    /// The value of this argument raises it.
    Argument(Box<str>),
    /// It was called so often.
    Repetition(u64),
}

/// How dangerous an operation is.
///
/// A declaration decides. Otherwise it is the highest of three: what its kind says (`reversible` if no kind is declared),
/// its name, and its annotations. Below [`TrustLevel::CommunityReviewed`] annotations only raise; from there up they may
/// lower, too.
///
/// ```
/// use breakfall::gate::{DangerHints, DangerLevel, OperationFacts, TrustLevel, rate};
///
/// let reads = DangerHints { read_only: Some(true), ..DangerHints::default() };
/// let facts = OperationFacts::named("reset_view").hints(reads);
/// assert_eq!(rate(&facts, TrustLevel::Validated).level, DangerLevel::Forbidden);
/// assert_eq!(rate(&facts, TrustLevel::CommunityReviewed).level, DangerLevel::Safe);
/// ```
pub fn rate(facts: &OperationFacts<'_>, trust: TrustLevel) -> DangerRating {
    if let Some(level) = facts.declared {
        return DangerRating::new(level, DangerRule::Declared);
    }
    let named = name_patterns::highest(facts.name);
    let named =
        named.map(|(pattern, level)| DangerRating::new(level, DangerRule::NamePattern(pattern)));
    let known = match facts.kind {
        Some(kind) => DangerRating::new(kind.danger(), DangerRule::Kind(kind)),
        None => DangerRating::new(DangerLevel::Reversible, DangerRule::Unlabelled),
    };
    let hinted = hinted(facts);
    let raising = hinted.clone().filter(|hinted| !is_mild(hinted));
    let rating = [raising, named].into_iter().flatten();
    let rating = rating.fold(known, DangerRating::higher);
    let is_believed = trust >= TrustLevel::CommunityReviewed;
    match hinted.filter(|hinted| is_believed && is_mild(hinted)) {
        Some(hinted) if hinted.level < rating.level => hinted,
        Some(_) | None => rating,
    }
}

/// Whether annotations say that nothing is destroyed.
fn is_mild(hinted: &DangerRating) -> bool {
    hinted.level < DangerLevel::Destructive
}

/// What the annotations say that are there.
fn hinted(facts: &OperationFacts<'_>) -> Option<DangerRating> {
    let hints = facts.hints;
    // A tool that says it destroys is believed, whatever else it says.
    match (hints.destructive, hints.read_only) {
        (Some(true), _) => Some(DangerRating::new(
            DangerLevel::Destructive,
            DangerRule::DestructiveHint(true),
        )),
        (_, Some(true)) => Some(DangerRating::new(
            DangerLevel::Safe,
            DangerRule::ReadOnlyHint,
        )),
        (Some(false), _) => Some(DangerRating::new(
            DangerLevel::Reversible,
            DangerRule::DestructiveHint(false),
        )),
        (None, _) => None,
    }
}

impl DangerRating {
    pub(super) const fn new(level: DangerLevel, rule: DangerRule) -> Self {
        Self { level, rule }
    }

    /// The higher of two; the first of equals.
    pub(super) fn higher(self, other: Self) -> Self {
        if other.level > self.level {
            other
        } else {
            self
        }
    }
}

impl fmt::Display for DangerRating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.level, self.rule)
    }
}

impl fmt::Display for DangerRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared => f.write_str("by declaration"),
            Self::Kind(kind) => write!(f, "as an operation of the kind '{}'", kind.as_str()),
            Self::Unlabelled => f.write_str("as any tool of which nothing else is known"),
            Self::NamePattern(pattern) => write!(f, "by the name pattern '{pattern}'"),
            Self::DestructiveHint(value) => write!(f, "by its annotation destructiveHint: {value}"),
            Self::ReadOnlyHint => f.write_str("by its annotation readOnlyHint: true"),
            Self::Argument(name) => write!(f, "by the value of the argument '{name}'"),
            Self::Repetition(uses) => write!(f, "after {uses} calls"),
        }
    }
}
