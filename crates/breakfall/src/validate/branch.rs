//! `anyOf` and `oneOf`: which alternative was meant, when one clearly was.

use std::sync::Arc;

use jsonschema::{JsonTypeSet, ValidationError};
use serde_json::Value;

use super::edit::is_within;
use super::raw::{self, BrokenRule, RuleKind};
use crate::phrase::Phrase;

/// Adds what is wrong with a value that fits none of several alternatives: the errors of the one that was meant,
/// or a single one for all, which is `whole` with another rule.
pub(super) fn add(
    arguments: &Value,
    whole: BrokenRule,
    context: &[Vec<ValidationError<'static>>],
    raws: &mut Vec<BrokenRule>,
) {
    let mut branches: Vec<Vec<BrokenRule>> = Vec::with_capacity(context.len());
    for errors in context {
        let mut branch = Vec::new();
        for error in errors {
            raw::add(arguments, error, &mut branch);
        }
        branches.push(branch);
    }
    let (at, keyword) = (whole.at.clone(), whole.keyword);
    let at = at.as_str();
    let one = |rule| BrokenRule { rule, ..whole };
    // Nothing but names we exempt was wrong with these.
    match branches.iter().filter(|branch| branch.is_empty()).count() {
        0 => {}
        2.. if keyword == "oneOf" => return raws.push(one(RuleKind::Other(Phrase::RULE_SEVERAL))),
        _ => return,
    }
    if let Some(types) = types(at, &branches) {
        raws.push(one(RuleKind::Type(types)));
        return;
    }
    branches.retain(|branch| !branch.iter().any(|raw| is_type(raw, at)));
    if let Some(tags) = by_tag(at, &mut branches) {
        raws.push(BrokenRule { keyword, ..tags });
    } else if let Some(meant) = fewest(&mut branches) {
        raws.extend(meant);
    } else if let Some(names) = missing(&branches) {
        raws.push(one(RuleKind::Missing(names)));
    } else if let Some(values) = values(branches.iter().flatten(), at, branches.len()) {
        raws.push(one(RuleKind::Enum(values)));
    } else {
        raws.push(one(RuleKind::Alternatives(
            branches
                .iter()
                .take(MOST_TOLD)
                .map(|branch| told(branch, at))
                .collect(),
        )));
    }
}

fn is_type(raw: &BrokenRule, at: &str) -> bool {
    raw.at == at && raw.types().is_some()
}

/// The types of all alternatives, if the value has none of them.
fn types(at: &str, branches: &[Vec<BrokenRule>]) -> Option<JsonTypeSet> {
    let mut all = JsonTypeSet::empty();
    for branch in branches {
        let types = branch
            .iter()
            .find_map(|raw| raw.types().filter(|_| raw.at == at));
        all = types?.iter().fold(all, JsonTypeSet::insert);
    }
    Some(all)
}

/// Leaves the alternatives whose tag (a member with one value) the value has. If it has none of them, what the tag
/// may be is all there is to say.
fn by_tag(at: &str, branches: &mut Vec<Vec<BrokenRule>>) -> Option<BrokenRule> {
    let tag = |branch: &Vec<BrokenRule>| branch.iter().position(|raw| is_tag(raw, at));
    if branches.len() < 2 {
        return None;
    }
    if branches.iter().any(|branch| tag(branch).is_none()) {
        branches.retain(|branch| tag(branch).is_none());
        return None;
    }
    let first = branches
        .first()
        .and_then(|branch| branch.get(tag(branch)?))?
        .clone();
    let tags = branches
        .iter()
        .filter_map(|branch| branch.get(tag(branch)?));
    let values = values(tags, &first.at, branches.len())?;
    Some(BrokenRule {
        rule: RuleKind::Enum(values),
        ..first
    })
}

fn is_tag(raw: &BrokenRule, at: &str) -> bool {
    let below = raw
        .at
        .strip_prefix(at)
        .and_then(|rest| rest.strip_prefix('/'));
    let single = matches!(&raw.rule, RuleKind::Enum(values) if values.as_array().is_some_and(|all| all.len() == 1));
    single && below.is_some_and(|name| !name.contains('/'))
}

/// All values allowed at one place, if that is all the alternatives differ in.
fn values<'r>(
    raws: impl Iterator<Item = &'r BrokenRule>,
    at: &str,
    count: usize,
) -> Option<Arc<Value>> {
    let (mut all, mut seen) = (Vec::new(), 0);
    for raw in raws {
        let RuleKind::Enum(values) = &raw.rule else {
            return None;
        };
        if raw.at != at {
            return None;
        }
        seen += 1;
        all.extend(values.as_array().into_iter().flatten().cloned());
    }
    (seen == count && seen > 0).then(|| Arc::new(Value::Array(all)))
}

/// The only alternative left, or the one with less than half the errors of any other.
fn fewest(branches: &mut Vec<Vec<BrokenRule>>) -> Option<Vec<BrokenRule>> {
    branches.sort_by_key(Vec::len);
    let clear = match branches.as_slice() {
        [] => false,
        [_] => true,
        [first, second, ..] => first.len() * 2 < second.len(),
    };
    clear.then(|| branches.swap_remove(0))
}

/// The names of which one is needed, if that is all the alternatives differ in.
fn missing(branches: &[Vec<BrokenRule>]) -> Option<Vec<Box<str>>> {
    let names = branches.iter().map(|branch| match branch.as_slice() {
        [
            BrokenRule {
                rule: RuleKind::Missing(names),
                ..
            },
        ] if names.len() == 1 => names.first().cloned(),
        _ => None,
    });
    names.collect()
}

/// An alternative in a few words.
fn told(branch: &[BrokenRule], at: &str) -> String {
    let first = branch
        .iter()
        .min_by_key(|raw| (!is_within(at, &raw.at), raw.kind()));
    first.map_or_else(String::new, |raw| super::explain::wanted(raw, at))
}

/// Alternatives told of when none is clearly meant.
const MOST_TOLD: usize = 5;
