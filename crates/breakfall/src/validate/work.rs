//! How much work it would be to tell every broken rule.
//!
//! Whether arguments are valid is always quick to say. Every error at once is another matter: each alternative of
//! `anyOf` is looked into, and the errors of alternatives hold copies of what they are about, so a few lines of schema
//! can ask for more than there is memory. This walks schema and arguments side by side as the validator would, and
//! only counts.

use serde_json::{Map, Value};

use super::document::{Document, Step};

/// How to look for errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// All of them.
    All,
    /// The first one.
    First,
    /// None: even one may cost too much.
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
        all: 0,
        site: 0,
        worst: 0,
    };
    walk.visit(0, arguments, None);
    if walk.all <= ENOUGH {
        Plan::All
    } else if walk.all <= MOST && walk.worst <= ENOUGH {
        Plan::First
    } else {
        Plan::None
    }
}

struct Walk<'a> {
    document: &'a Document,
    all: u64,
    /// Since the outermost alternatives around here.
    site: u64,
    worst: u64,
}

impl Walk<'_> {
    /// Counts a schema on a value; `copied` is what a copy of the value costs, where errors are copied.
    fn visit(&mut self, node: usize, value: &Value, copied: Option<u64>) {
        let node = &self.document.nodes()[node];
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
                Step::Names => self.all = self.all.saturating_add(members().count() as u64),
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
        self.all > MOST || self.site > MOST
    }
}

/// What a copy of a value takes, roughly and at least one. It counts no further than anybody can afford.
pub(super) fn kilobytes(value: &Value) -> u64 {
    const EACH: usize = 32;
    let mut bytes = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        bytes += EACH;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => {
                open.extend(map.values());
                bytes += map.keys().map(String::len).sum::<usize>();
            }
            Value::String(text) => bytes += text.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        if bytes as u64 > MOST {
            break;
        }
    }
    1 + (bytes / 1024) as u64
}

/// Errors, or kilobytes of copies, that are looked for at once.
const ENOUGH: u64 = 50_000;

/// Steps of this walk, which are cheap: some ten nanoseconds each.
const MOST: u64 = 2_000_000;
