//! From broken rules to what was meant. A repair is proposed by the rule, and kept only if the schema agrees.

use std::borrow::Cow;

use serde_json::Value;

use super::edit::{self, child};
use super::finding::Repair;
use super::propose::proposals;
use super::raw::BrokenRule;
use super::schema::Schema;
use super::{shown, work};

/// The repair of each rule, and arguments that break none, if there is one for all.
pub(super) fn find(
    schema: &Schema,
    arguments: &Value,
    raws: &[BrokenRule],
) -> (Vec<Option<Repair>>, Option<Value>) {
    let all = if raws.len() <= MOST_REPAIRED {
        RepairEdits::proposed(schema, arguments, raws)
    } else {
        RepairEdits::default()
    };
    if all.0.is_empty() {
        return (vec![None; raws.len()], None);
    }
    let settled = all.settled(schema, arguments, raws);
    let apart;
    let settled = if settled.is_some() {
        settled
    } else {
        // Something went wrong: keep what stands by itself, if it also stands together.
        let stands = |one: &RepairEdits| one.settled(schema, arguments, raws).is_some();
        apart = RepairEdits(all.each().filter(stands).flat_map(|one| one.0).collect());
        apart.settled(schema, arguments, raws)
    };
    let Some(settled) = settled else {
        return (vec![None; raws.len()], None);
    };
    let repairs = raws
        .iter()
        .map(|raw| settled.edits.get(&raw.at).cloned())
        .collect();
    let complete = settled.left == 0 && may_be_sent(&settled.value);
    (repairs, complete.then_some(settled.value))
}

/// The arguments with some of the rules kept and the others ignored.
pub(super) fn correct(
    schema: &Schema,
    arguments: &Value,
    kept: &[(BrokenRule, Option<Repair>)],
    ignored: &[(BrokenRule, Option<Repair>)],
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

/// Whether arguments may go back to their sender: not if they hold a secret, which has to be taken out of an
/// answer and would make them useless, and not if they are larger than any answer should be.
fn may_be_sent(arguments: &Value) -> bool {
    work::kilobytes(arguments) <= LARGEST && shown::is_clean(None, arguments)
}

/// Repairs by pointer.
#[derive(Clone, Default)]
struct RepairEdits(Vec<(String, Repair)>);

/// Repairs that satisfy the schema, the repaired arguments, and how many rules are still broken.
struct RepairedValue<'e> {
    edits: Cow<'e, RepairEdits>,
    value: Value,
    left: usize,
}

impl RepairEdits {
    /// One for each place where the rules leave one possibility.
    fn proposed(schema: &Schema, arguments: &Value, raws: &[BrokenRule]) -> Self {
        let mut edits = Self::default();
        for rules in places(raws.iter()) {
            let at = &rules[0].at;
            let mut proposals = proposals(schema, arguments, at, &rules);
            if proposals.len() > 1 {
                proposals.retain(|proposal| {
                    Self(vec![(at.clone(), proposal.clone())])
                        .settled(schema, arguments, raws)
                        .is_some()
                });
            }
            if proposals.len() == 1 {
                edits
                    .0
                    .extend(proposals.pop().map(|proposal| (at.clone(), proposal)));
            }
        }
        edits.moved(arguments, raws)
    }

    /// What is missing under one name may be there under another.
    fn moved(mut self, arguments: &Value, raws: &[BrokenRule]) -> Self {
        let mut moves: Vec<(String, String)> = self
            .0
            .iter()
            .filter_map(|(at, repair)| Some((target(at, repair)?, at.clone())))
            .collect();
        moves.sort();
        for moves in moves.chunk_by(|(one, _), (other, _)| one == other) {
            match moves {
                [(target, source)] if raws.iter().any(|raw| raw.at == *target) => {
                    let value = edit::get(arguments, source).cloned().unwrap_or_default();
                    self.0.retain(|(at, _)| at != target);
                    self.0.push((target.clone(), Repair::Insert(value)));
                }
                [_] => {}
                // Two names for one parameter: which of them counts is not ours to say.
                _ => self
                    .0
                    .retain(|(at, _)| !moves.iter().any(|(_, source)| source == at)),
            }
        }
        self
    }

    fn get(&self, at: &str) -> Option<&Repair> {
        self.0
            .iter()
            .find(|(have, _)| have == at)
            .map(|(_, repair)| repair)
    }

    /// Each by itself, as long as there are not too many to try. A name that moves stays with where it moves.
    fn each(&self) -> impl Iterator<Item = Self> {
        let few = self.0.len() <= MOST_TRIED;
        let is_target = |at: &String| {
            let mut targets = self.0.iter().map(|(at, repair)| target(at, repair));
            targets.any(|target| target.as_ref() == Some(at))
        };
        let edits = self.0.iter().filter(move |(at, _)| few && !is_target(at));
        edits.map(|edit| {
            let moved = target(&edit.0, &edit.1)
                .and_then(|target| self.0.iter().find(|(at, _)| *at == target));
            Self([Some(edit), moved].into_iter().flatten().cloned().collect())
        })
    }

    /// Makes the repairs and asks the schema. What comes out of one may need another (`"500"` is 500, and that is too
    /// much), so it asks more than once. Nothing if a rule is still broken that should not be.
    fn settled(
        &self,
        schema: &Schema,
        arguments: &Value,
        raws: &[BrokenRule],
    ) -> Option<RepairedValue<'_>> {
        let mut edits = Cow::Borrowed(self);
        for _ in 0..MOST_ROUNDS {
            let repairs = edits.0.iter().map(|(at, repair)| (at.as_str(), repair));
            let value = edit::repaired(arguments, repairs);
            let left = schema.raws(&value);
            let untouched = |raw: &&BrokenRule| {
                edits.get(&raw.at).is_none() && raws.iter().any(|before| before.is(raw))
            };
            let (expected, new): (Vec<&BrokenRule>, Vec<&BrokenRule>) =
                left.iter().partition(untouched);
            if new.is_empty() {
                let left = expected.len();
                return Some(RepairedValue { edits, value, left });
            }
            edits.to_mut().refine(schema, &value, new)?;
        }
        None
    }

    /// Repairs what a replacement brought to light inside itself.
    fn refine(&mut self, schema: &Schema, value: &Value, new: Vec<&BrokenRule>) -> Option<()> {
        let mut value = Cow::Borrowed(value);
        let mut changed = Vec::new();
        for rules in places(new.into_iter()) {
            let at = &rules[0].at;
            let replaces = |(outer, repair): &(String, Repair)| {
                matches!(repair, Repair::Replace(_)) && edit::is_within(at, outer)
            };
            changed.push(self.0.iter().position(replaces)?);
            let mut proposals = proposals(schema, &value, at, &rules);
            let proposal = proposals.pop().filter(|_| proposals.is_empty())?;
            value = Cow::Owned(edit::repaired(&value, [(at.as_str(), &proposal)]));
        }
        for place in changed {
            let (at, repair) = &mut self.0[place];
            *repair = Repair::Replace(edit::get(&value, at)?.clone());
        }
        Some(())
    }
}

/// Where a renamed member goes.
pub(super) fn target(at: &str, repair: &Repair) -> Option<String> {
    match repair {
        Repair::Rename(name) => edit::parent(at).map(|(parent, _)| child(parent, name)),
        Repair::Replace(_) | Repair::Insert(_) | Repair::Remove => None,
    }
}

/// Rules by place.
fn places<'r>(raws: impl Iterator<Item = &'r BrokenRule>) -> Vec<Vec<&'r BrokenRule>> {
    let mut raws: Vec<&BrokenRule> = raws.collect();
    raws.sort_by(|a, b| a.at.cmp(&b.at));
    raws.chunk_by(|a, b| a.at == b.at)
        .map(<[_]>::to_vec)
        .collect()
}

/// Who breaks more rules than this in one call did not slip.
const MOST_REPAIRED: usize = 100;

/// Repairs that are tried one by one when they do not work together.
const MOST_TRIED: usize = 16;

/// A type, then what the type reveals, then what that reveals.
const MOST_ROUNDS: usize = 3;

/// The kilobytes of the largest arguments that are sent back.
const LARGEST: u64 = 64;
