//! How much work it would be to judge arguments, and to tell every broken rule.
//!
//! Schemas multiply: a definition used twice by one that is used twice applies four times, and each alternative of
//! `anyOf` is looked into when every error is asked for, with copies of what the errors are about. So a few lines of
//! schema can ask for more time and memory than there is. This walks schema and arguments side by side as the
//! validator would, and only counts.

use serde_json::{Map, Value};

use super::document::{Document, Step};

/// What is affordable, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Plan {
    /// Every error.
    All,
    /// The first error.
    First,
    /// Whether the arguments are valid.
    Judge,
    /// Nothing.
    None,
}

/// What is affordable for these arguments.
pub(super) fn plan(document: &Document, arguments: &Value) -> Plan {
    let copy = kilobytes(arguments);
    let quick = document
        .spread()
        .map(|spread| spread.saturating_mul(copy.saturating_mul(copy)));
    if quick.is_some_and(|bound| bound <= ENOUGH) {
        return Plan::All;
    }
    let mut walk = Walk {
        document,
        visits: 0,
        all: 0,
        site: 0,
        worst: 0,
    };
    walk.visit(0, arguments, None);
    if walk.is_over() {
        return if document.is_tame() {
            Plan::Judge
        } else {
            Plan::None
        };
    }
    match (walk.all <= ENOUGH, walk.worst <= ENOUGH) {
        (true, _) => Plan::All,
        (false, true) => Plan::First,
        (false, false) => Plan::Judge,
    }
}

struct Walk<'a> {
    document: &'a Document,
    visits: u64,
    /// What the errors would cost.
    all: u64,
    /// Since the outermost alternatives around here.
    site: u64,
    worst: u64,
}

impl Walk<'_> {
    /// Counts a schema on a value; `copied` is what a copy of the value costs, where errors are copied.
    fn visit(&mut self, node: usize, value: &Value, copied: Option<u64>) {
        let node = &self.document.nodes()[node];
        self.visits += 1;
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
                Step::Branch if copied.is_none() => {
                    here = here.saturating_add(self.alternative(edge.to, value));
                }
                Step::Here | Step::Branch => self.visit(edge.to, value, copied),
                Step::Member(name) => self.each(edge.to, value.get(&**name), copied),
                Step::Item(at) => self.each(edge.to, value.get(*at), copied),
                Step::Items => self.each(edge.to, value.as_array().into_iter().flatten(), copied),
                Step::Members => self.each(edge.to, members(), copied),
                Step::Names => {
                    let names = members().count() as u64;
                    self.visits += names;
                    self.all = self.all.saturating_add(names);
                }
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

    fn is_over(&self) -> bool {
        self.visits > MOST
    }
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
