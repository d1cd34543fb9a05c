//! How much work it would be to judge arguments, and to tell every broken rule.
//!
//! Schemas multiply: a definition used twice by one that is used twice applies four times, and each alternative of
//! `anyOf` is looked into when every error is asked for, with copies of what the errors are about. So a few lines of
//! schema can ask for more time and memory than there is. This walks schema and arguments side by side as the
//! validator would, and only counts.

use serde_json::{Map, Value};

use super::document::{SchemaDocument, SchemaNode, SchemaStep};

/// How much validation is affordable, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WorkPlan {
    /// Every error.
    All,
    /// The first error.
    First,
    /// Whether the arguments are valid.
    Judge,
    /// Nothing.
    None,
}

/// The length of the longest text in a value, unless it is nested deeper than so many levels.
pub(super) fn longest(value: &Value, levels: usize) -> Option<usize> {
    let inside = |value: &Value| {
        levels
            .checked_sub(1)
            .and_then(|levels| longest(value, levels))
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(0),
        Value::String(text) => Some(text.len()),
        Value::Array(items) => items
            .iter()
            .try_fold(0, |most, item| Some(most.max(inside(item)?))),
        Value::Object(map) => map.iter().try_fold(0, |most, (name, value)| {
            Some(most.max(name.len()).max(inside(value)?))
        }),
    }
}

/// Whether judging arguments takes no time worth counting: the schema does not multiply, and no text is long for its
/// patterns.
pub(super) fn is_easy(document: &SchemaDocument, longest: usize) -> bool {
    document.is_tame() && document.heaviest().saturating_mul(longest as u64) <= MOST_MATCHED
}

/// What is affordable for these arguments.
pub(super) fn plan(document: &SchemaDocument, arguments: &Value, easy: bool) -> WorkPlan {
    let copy = kilobytes(arguments);
    let bound = document
        .spread()
        .map(|spread| spread.saturating_mul(copy.saturating_mul(copy)));
    if easy && bound.is_some_and(|bound| bound <= ENOUGH) {
        return WorkPlan::All;
    }
    let mut walk = WorkEstimate {
        document,
        visits: 0,
        matched: 0,
        all: 0,
        site: 0,
        worst: 0,
    };
    walk.visit(0, arguments, None);
    if walk.is_over() {
        return if easy {
            WorkPlan::Judge
        } else {
            WorkPlan::None
        };
    }
    match (walk.all <= ENOUGH, walk.worst <= ENOUGH) {
        (true, _) => WorkPlan::All,
        (false, true) => WorkPlan::First,
        (false, false) => WorkPlan::Judge,
    }
}

struct WorkEstimate<'a> {
    document: &'a SchemaDocument,
    visits: u64,
    /// Bytes of text times bytes of pattern.
    matched: u64,
    /// What the errors would cost.
    all: u64,
    /// Since the outermost alternatives around here.
    site: u64,
    worst: u64,
}

impl WorkEstimate<'_> {
    /// Counts a schema on a value; `copied` is what a copy of the value costs, where errors are copied.
    fn visit(&mut self, node: usize, value: &Value, copied: Option<u64>) {
        let node = &self.document.nodes()[node];
        self.visits += 1;
        self.matches(node, value);
        let cost = node.weight.saturating_add(copied.unwrap_or(0));
        self.all = self.all.saturating_add(cost);
        if copied.is_some() {
            self.site = self.site.saturating_add(cost);
        }
        // The alternatives for one value add up, since all are looked into at once.
        let mut here = 0_u64;
        for edge in &node.edges {
            if self.is_over() {
                break;
            }
            let members = || value.as_object().into_iter().flat_map(Map::values);
            match &edge.step {
                SchemaStep::Branch if copied.is_none() => {
                    here = here.saturating_add(self.alternative(edge.to, value));
                }
                SchemaStep::Here | SchemaStep::Branch => self.visit(edge.to, value, copied),
                SchemaStep::Member(name) => self.each(edge.to, value.get(&**name), copied),
                SchemaStep::Item(at) => self.each(edge.to, value.get(*at), copied),
                SchemaStep::Items => {
                    self.each(edge.to, value.as_array().into_iter().flatten(), copied);
                }
                SchemaStep::Members => self.each(edge.to, members(), copied),
                SchemaStep::Names => self.names(edge.to, value),
            }
        }
        self.worst = self.worst.max(here);
    }

    /// Counts one of the outermost alternatives.
    fn alternative(&mut self, node: usize, value: &Value) -> u64 {
        self.site = 0;
        self.visit(node, value, Some(kilobytes(value)));
        std::mem::take(&mut self.site)
    }

    fn each<'v>(
        &mut self,
        node: usize,
        values: impl IntoIterator<Item = &'v Value>,
        copied: Option<u64>,
    ) {
        for value in values {
            if self.is_over() {
                return;
            }
            self.visit(node, value, copied);
        }
    }

    fn names(&mut self, node: usize, value: &Value) {
        let (count, bytes) = names(value);
        let pattern = self.document.nodes()[node].pattern;
        self.visits = self.visits.saturating_add(count);
        self.all = self.all.saturating_add(count);
        self.matched = self.matched.saturating_add(pattern.saturating_mul(bytes));
    }

    fn matches(&mut self, node: &SchemaNode, value: &Value) {
        let work = match value {
            Value::String(text) => node.pattern.saturating_mul(text.len() as u64),
            Value::Object(_) if node.names > 0 => node.names.saturating_mul(names(value).1),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => 0,
        };
        self.matched = self.matched.saturating_add(work);
    }

    fn is_over(&self) -> bool {
        self.visits > MOST || self.matched > MOST_MATCHED
    }
}

/// How many names an object has, and how long they are together.
fn names(value: &Value) -> (u64, u64) {
    let names = value.as_object().into_iter().flat_map(Map::keys);
    names.fold((0, 0), |(count, bytes), name| {
        (count + 1, bytes + name.len() as u64)
    })
}

/// What a copy of a value takes, roughly and at least one.
pub(super) fn kilobytes(value: &Value) -> u64 {
    1 + (bytes(value) / 1024) as u64
}

/// Arguments are not deeper than validation may go, so recursion is safe.
fn bytes(value: &Value) -> usize {
    const EACH: usize = 32;
    EACH + match value {
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| name.len() + bytes(value))
            .sum(),
        Value::String(text) => text.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Errors, or kilobytes of copies, that are looked for at once.
const ENOUGH: u64 = 50_000;

/// Schemas that are applied to values in one validation. Each takes some ten nanoseconds.
const MOST: u64 = 2_000_000;

/// Bytes of text times bytes of pattern in one validation: less than a second where every byte is tried, and
/// next to nothing where not.
const MOST_MATCHED: u64 = 10_000_000_000;
