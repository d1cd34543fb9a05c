//! From broken rules to what was meant. A repair is proposed by the rule, and kept only if the schema agrees.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::coerce::{coercions, whole};
use super::edit::{self, child};
use super::finding::Repair;
use super::raw::{Raw, Rule, Side};
use super::schema::Schema;
use super::{shown, work};
use crate::suggest;

/// The repair of each rule, and arguments that break none, if there is one for all.
pub(super) fn find(
    schema: &Schema,
    arguments: &Value,
    raws: &[Raw],
) -> (Vec<Option<Repair>>, Option<Value>) {
    if raws.len() > MOST_REPAIRED {
        return (vec![None; raws.len()], None);
    }
    let all = Edits::proposed(schema, arguments, raws);
    let settled = all.clone().settled(schema, arguments, raws).or_else(|| {
        // Something went wrong: keep what stands by itself, if it also stands together.
        let each = all
            .each()
            .filter(|one| one.clone().settled(schema, arguments, raws).is_some());
        each.reduce(Edits::and)?.settled(schema, arguments, raws)
    });
    let Some((edits, value, left)) = settled else {
        return (vec![None; raws.len()], None);
    };
    let repairs = raws.iter().map(|raw| edits.0.get(&raw.at).cloned());
    let complete = left == 0 && may_be_sent(&value);
    (repairs.collect(), complete.then_some(value))
}

/// The arguments with some of the rules kept and the others ignored.
pub(super) fn correct(
    schema: &Schema,
    arguments: &Value,
    kept: &[(Raw, Option<Repair>)],
    ignored: &[(Raw, Option<Repair>)],
) -> Option<Value> {
    if kept.is_empty() || ignored.len() > MOST_REPAIRED {
        return None;
    }
    let repairs: Option<Vec<_>> = kept
        .iter()
        .map(|(raw, repair)| Some((raw.at.as_str(), repair.as_ref()?)))
        .collect();
    let value = edit::repaired(arguments, repairs?);
    let left = schema.raws(&value);
    let expected = left
        .iter()
        .all(|raw| ignored.iter().any(|(ignored, _)| ignored.is(raw)));
    (expected && may_be_sent(&value)).then_some(value)
}

/// Whether arguments may go back to whoever sent them: not if they hold a secret, which has to be taken out of an
/// answer and would make them useless, and not if they are larger than any answer should be.
fn may_be_sent(arguments: &Value) -> bool {
    work::kilobytes(arguments) <= LARGEST && shown::is_clean(None, arguments)
}

/// Repairs by pointer.
#[derive(Clone, Default)]
struct Edits(BTreeMap<String, Repair>);

impl Edits {
    /// One for each place where the rules leave one possibility.
    fn proposed(schema: &Schema, arguments: &Value, raws: &[Raw]) -> Self {
        let mut places: BTreeMap<&str, Vec<&Raw>> = BTreeMap::new();
        for raw in raws {
            places.entry(&raw.at).or_default().push(raw);
        }
        let mut edits = Self::default();
        for (at, rules) in places {
            let mut proposals = proposals(schema, arguments, at, &rules);
            if proposals.len() > 1 {
                let fits = |proposal: &Repair| {
                    Self::one(at, proposal.clone())
                        .settled(schema, arguments, raws)
                        .is_some()
                };
                proposals.retain(fits);
            }
            if let [_] = proposals.as_slice() {
                edits
                    .0
                    .extend(proposals.pop().map(|proposal| (at.to_owned(), proposal)));
            }
        }
        edits.moved(arguments, raws)
    }

    /// What is missing under one name may be there under another.
    fn moved(mut self, arguments: &Value, raws: &[Raw]) -> Self {
        let mut targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (at, repair) in &self.0 {
            if let (Repair::Rename(name), Some((parent, _))) = (repair, edit::parent(at)) {
                targets
                    .entry(child(parent, name))
                    .or_default()
                    .push(at.clone());
            }
        }
        for (target, sources) in targets {
            match sources.as_slice() {
                [source] if raws.iter().any(|raw| raw.at == target) => {
                    let value = arguments.pointer(source).cloned().unwrap_or_default();
                    self.0.insert(target, Repair::Insert(value));
                }
                [_] => {}
                // Two names for one parameter: which of them counts is not ours to say.
                _ => self.0.retain(|at, _| !sources.contains(at)),
            }
        }
        self
    }

    fn one(at: &str, repair: Repair) -> Self {
        Self([(at.to_owned(), repair)].into())
    }

    /// Each by itself, as long as there are not too many to try. What belongs together stays together.
    fn each(&self) -> impl Iterator<Item = Self> {
        let few = self.0.len() <= MOST_TRIED;
        let edits = self.0.iter().filter(move |_| few);
        edits
            .filter(|(at, _)| !self.is_target(at))
            .map(|(at, repair)| {
                let mut one = Self::one(at, repair.clone());
                if let (Repair::Rename(name), Some((parent, _))) = (repair, edit::parent(at)) {
                    let target = child(parent, name);
                    one.0.extend(
                        self.0
                            .get_key_value(&target)
                            .map(|(at, repair)| (at.clone(), repair.clone())),
                    );
                }
                one
            })
    }

    fn is_target(&self, at: &str) -> bool {
        let leads = |(from, repair): (&String, &Repair)| match (repair, edit::parent(from)) {
            (Repair::Rename(name), Some((parent, _))) => child(parent, name) == at,
            _ => false,
        };
        self.0.iter().any(leads)
    }

    fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Makes the repairs and asks the schema. What comes out of one may need another (`"500"` is 500, and that is too
    /// much), so it asks more than once. Nothing if a rule is still broken that should not be.
    fn settled(
        mut self,
        schema: &Schema,
        arguments: &Value,
        raws: &[Raw],
    ) -> Option<(Self, Value, usize)> {
        for _ in 0..MOST_ROUNDS {
            let repairs = self.0.iter().map(|(at, repair)| (at.as_str(), repair));
            let value = edit::repaired(arguments, repairs);
            let left = schema.raws(&value);
            let untouched = |raw: &&Raw| {
                !self.0.contains_key(&raw.at) && raws.iter().any(|before| before.is(raw))
            };
            let (expected, new): (Vec<_>, Vec<_>) = left.iter().partition(untouched);
            if new.is_empty() {
                let count = expected.len();
                return Some((self, value, count));
            }
            self.refine(schema, &value, &new)?;
        }
        None
    }

    /// Repairs what a replacement brought to light inside itself.
    fn refine(&mut self, schema: &Schema, value: &Value, new: &[&Raw]) -> Option<()> {
        let mut value = value.clone();
        let mut places: BTreeMap<&str, Vec<&Raw>> = BTreeMap::new();
        for raw in new {
            places.entry(&raw.at).or_default().push(raw);
        }
        let mut changed = Vec::new();
        for (at, rules) in places {
            let outer = self.0.iter().find(|(outer, repair)| {
                matches!(repair, Repair::Replace(_)) && edit::is_within(at, outer)
            });
            changed.push(outer?.0.clone());
            let mut proposals = proposals(schema, &value, at, &rules);
            let proposal = proposals.pop().filter(|_| proposals.is_empty())?;
            value = edit::repaired(&value, [(at, &proposal)]);
        }
        for at in changed {
            let new = value.pointer(&at)?.clone();
            self.0.insert(at, Repair::Replace(new));
        }
        Some(())
    }
}

/// What the rules broken at one place suggest, each possibility once.
fn proposals(schema: &Schema, arguments: &Value, at: &str, rules: &[&Raw]) -> Vec<Repair> {
    let mut all = Vec::new();
    let value = arguments.pointer(at);
    for raw in rules {
        let proposed = match (&raw.rule, value) {
            (Rule::Missing(names), None) if names.len() == 1 => default(schema, at),
            (Rule::Unknown, Some(value)) => known(schema, arguments, at, value),
            (Rule::Type(_), Some(Value::Null)) if is_member(arguments, at) => vec![Repair::Remove],
            (Rule::Type(types), Some(value)) => replacements(coercions(value, *types)),
            (Rule::Enum(allowed), Some(value)) => replacements(allowed_value(value, allowed)),
            (
                Rule::Bound {
                    limit,
                    side,
                    exclusive,
                },
                Some(Value::Number(_)),
            ) => replacements(nearest(schema, at, limit, *side, *exclusive)),
            (Rule::Unique, Some(Value::Array(items))) => replacements(distinct(items)),
            (Rule::Pattern(_) | Rule::Format(_), Some(Value::String(text))) => {
                let trimmed = Some(text.trim()).filter(|trimmed| trimmed != text);
                replacements(trimmed.map(Value::from))
            }
            _ => Vec::new(),
        };
        for repair in proposed {
            if !all.contains(&repair) {
                all.push(repair);
            }
        }
    }
    all
}

fn replacements(values: impl IntoIterator<Item = Value>) -> Vec<Repair> {
    values.into_iter().map(Repair::Replace).collect()
}

fn is_member(arguments: &Value, at: &str) -> bool {
    edit::parent(at)
        .is_some_and(|(parent, _)| arguments.pointer(parent).is_some_and(Value::is_object))
}

/// The value a missing parameter has when nobody says otherwise: its default, or the only one it can have.
fn default(schema: &Schema, at: &str) -> Vec<Repair> {
    let document = schema.document();
    let nodes = document.at(at);
    let mut values = document.values(&nodes, "const");
    for only in document.values(&nodes, "enum") {
        values.extend(
            only.as_array()
                .filter(|all| all.len() == 1)
                .and_then(|all| all.first()),
        );
    }
    if values.is_empty() {
        values = document.values(&nodes, "default");
    }
    values.into_iter().cloned().map(Repair::Insert).collect()
}

/// The name an unknown one stands for, unless that is taken. What is nothing is not missed.
fn known(schema: &Schema, arguments: &Value, at: &str, value: &Value) -> Vec<Repair> {
    if value.is_null() {
        return vec![Repair::Remove];
    }
    let Some((parent, name)) = edit::parent(at) else {
        return Vec::new();
    };
    let document = schema.document();
    let members = document.members(&document.at(parent));
    if members.len() > MOST_NAMES {
        return Vec::new();
    }
    let meant = suggest::certain(&name, members);
    let free = |meant: &&str| arguments.pointer(&child(parent, meant)).is_none();
    meant
        .filter(free)
        .map(|meant| Repair::Rename(meant.into()))
        .into_iter()
        .collect()
}

/// The allowed value that was meant: spelt a little differently, or as another type.
fn allowed_value(value: &Value, allowed: &Value) -> Vec<Value> {
    let allowed = allowed.as_array().map_or(&[][..], Vec::as_slice);
    if allowed.len() > MOST_NAMES {
        return Vec::new();
    }
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return Vec::new(),
    };
    let same = allowed.iter().filter(|allowed| match allowed {
        Value::String(allowed) => *allowed == text,
        Value::Number(_) | Value::Bool(_) => value.is_string() && allowed.to_string() == text,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    });
    let same: Vec<Value> = same.cloned().collect();
    if !same.is_empty() || !value.is_string() {
        return same;
    }
    let meant = suggest::certain(&text, allowed.iter().filter_map(Value::as_str));
    meant.map(Value::from).into_iter().collect()
}

/// The bound that was passed, or the number next to it where numbers have neighbours.
fn nearest(
    schema: &Schema,
    at: &str,
    limit: &Number,
    side: Side,
    exclusive: bool,
) -> Option<Value> {
    let document = schema.document();
    let types = document.values(&document.at(at), "type");
    let integer = types.iter().any(|types| **types == "integer");
    if !integer {
        return (!exclusive).then(|| Value::Number(limit.clone()));
    }
    if let (Some(limit), true) = (limit.as_i64(), exclusive) {
        return match side {
            Side::Least => limit.checked_add(1),
            Side::Most => limit.checked_sub(1),
        }
        .map(Value::from);
    }
    if limit.is_i64() || limit.is_u64() {
        return (!exclusive).then(|| Value::Number(limit.clone()));
    }
    let limit = limit.as_f64()?;
    let inside = match side {
        Side::Least => limit.ceil(),
        Side::Most => limit.floor(),
    };
    whole(inside).map(Value::Number)
}

/// The items without repetitions: a list that must not repeat anything is a set.
fn distinct(items: &[Value]) -> Option<Value> {
    if items.len() > MOST_NAMES {
        return None;
    }
    let mut distinct: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        if !distinct.contains(item) {
            distinct.push(item.clone());
        }
    }
    Some(Value::Array(distinct))
}

/// Who breaks more rules than this in one call did not slip.
const MOST_REPAIRED: usize = 100;

/// Repairs that are tried one by one when they do not work together.
const MOST_TRIED: usize = 16;

/// A type, then what the type reveals, then what that reveals.
const MOST_ROUNDS: usize = 3;

/// The kilobytes of the largest arguments that are sent back.
const LARGEST: u64 = 64;

/// Names, values or items that are compared each with each.
const MOST_NAMES: usize = 1000;
