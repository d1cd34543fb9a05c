//! What a dialect loses: the difference between an outcome and what is read back of it.

use crate::fault::Public;
use crate::outcome::{Batch, ItemResult, Outcome, Success};
use crate::redact::unredacted;
use crate::violation::Violation;
use crate::wire::{Dialect, Options, decode, encode};

/// Something a dialect does not carry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The part.
    pub part: &'static str,
    /// What becomes of it.
    pub becomes: String,
}

/// What is left of an outcome after a dialect has carried it; nothing if the dialect cannot say it at all.
pub fn project(outcome: &Outcome, dialect: Dialect, options: &Options) -> Option<Outcome> {
    // The document is read here and goes nowhere.
    let document = encode(unredacted(outcome), dialect, options).ok()?;
    decode(document.to_value(), dialect, options).ok()
}

/// What an outcome loses on its way through a dialect, part by part.
pub fn losses(outcome: &Outcome, dialect: Dialect, options: &Options) -> Vec<Loss> {
    match project(outcome, dialect, options) {
        Some(left) => changes(outcome, &left),
        None => vec![Loss {
            part: "outcome",
            becomes: "cannot be said at all".to_owned(),
        }],
    }
}

/// What an outcome has lost on a way already travelled, part by part.
pub fn changes(before: &Outcome, after: &Outcome) -> Vec<Loss> {
    match (before, after) {
        (Outcome::Fault(a), Outcome::Fault(b)) => fault_losses(a.public(), b.public()),
        (Outcome::Success(a), Outcome::Success(b)) => success_losses(a, b),
        (Outcome::Batch(a), Outcome::Batch(b)) => batch_losses(a, b),
        (Outcome::NeedsInput(_), Outcome::NeedsInput(_)) => Vec::new(),
        (before, after) => {
            vec![Loss {
                part: "outcome",
                becomes: format!("a {} becomes a {}", before.kind(), after.kind()),
            }]
        }
    }
}

fn fault_losses(before: &Public, after: &Public) -> Vec<Loss> {
    let lost = PARTS.iter().filter(|part| !(part.same)(before, after));
    lost.map(|part| Loss {
        part: part.name,
        becomes: match ((part.says)(before), (part.says)(after)) {
            (Some(old), Some(new)) => format!("{old} becomes {new}"),
            (None, Some(new)) => format!("becomes {new}"),
            (_, None) => "dropped".to_owned(),
        },
    })
    .collect()
}

/// A part of a fault: how to compare it, and a summary of its value, where that is short
/// enough to report.
struct FaultPart {
    name: &'static str,
    same: fn(&Public, &Public) -> bool,
    says: fn(&Public) -> Option<String>,
}

const fn part(
    name: &'static str,
    same: fn(&Public, &Public) -> bool,
    says: fn(&Public) -> Option<String>,
) -> FaultPart {
    FaultPart { name, same, says }
}

fn nothing(_: &Public) -> Option<String> {
    None
}

/// What a dialect adds is not a loss: an id, a time or a status the fault did not have.
const PARTS: &[FaultPart] = &[
    part(
        "code",
        |a, b| a.code == b.code,
        |p| Some(p.code.name().to_owned()),
    ),
    part(
        "domain code",
        |a, b| a.domain_code == b.domain_code,
        |p| p.domain_code().map(str::to_owned),
    ),
    part(
        "message",
        |a, b| a.message() == b.message(),
        |p| Some(format!("'{}'", p.message())),
    ),
    part("details", |a, b| a.details == b.details, nothing),
    part("violations", |a, b| a.violations == b.violations, facts),
    part(
        "retry",
        |a, b| a.retry() == b.retry(),
        |p| Some(p.retry().to_string()),
    ),
    part(
        "wait",
        |a, b| a.wait == b.wait,
        |p| p.wait.map(|wait| format!("{wait:?}")),
    ),
    part(
        "remediation",
        |a, b| a.remediation() == b.remediation(),
        nothing,
    ),
    part(
        "recovery actions",
        |a, b| a.actions().eq(b.actions()),
        nothing,
    ),
    part(
        "hint",
        |a, b| a.hint() == b.hint(),
        |p| Some(p.hint().to_string()),
    ),
    part(
        "user message",
        |a, b| a.user_message() == b.user_message(),
        nothing,
    ),
    part(
        "fallback tool",
        |a, b| a.fallback_tool == b.fallback_tool,
        nothing,
    ),
    part(
        "corrective parameters",
        |a, b| a.corrective_params == b.corrective_params,
        nothing,
    ),
    part(
        "origin",
        |a, b| a.origin() == b.origin(),
        |p| Some(p.origin().to_string()),
    ),
    part(
        "provenance",
        |a, b| a.provenance.is_none() || a.provenance == b.provenance,
        nothing,
    ),
    part(
        "HTTP status",
        |a, b| a.http_status.is_none() || a.http_status == b.http_status,
        nothing,
    ),
    part(
        "correlation id",
        |a, b| a.correlation_id.is_none() || a.correlation_id == b.correlation_id,
        nothing,
    ),
    part(
        "timestamp",
        |a, b| a.timestamp.is_none() || a.timestamp == b.timestamp,
        |p| p.timestamp.map(|at| at.to_string()),
    ),
    part(
        "documentation link",
        |a, b| a.docs_url == b.docs_url,
        nothing,
    ),
    part("question", |a, b| a.elicitation == b.elicitation, nothing),
];

/// Violations by how much they say: a format may keep all of them and still cut each.
fn facts(public: &Public) -> Option<String> {
    let facts: usize = public.violations.iter().map(Violation::facts).sum();
    (facts > 0).then(|| format!("{facts} facts"))
}

fn success_losses(before: &Success, after: &Success) -> Vec<Loss> {
    let parts = [
        ("data", before.data == after.data),
        ("warnings", before.warnings == after.warnings),
        ("content fidelity", before.fidelity == after.fidelity),
        (
            "correlation id",
            before.correlation_id == after.correlation_id,
        ),
        ("metadata", before.meta == after.meta),
    ];
    dropped(&parts)
}

fn batch_losses(before: &Batch, after: &Batch) -> Vec<Loss> {
    let same_ids = before
        .items
        .iter()
        .zip(&after.items)
        .all(|(a, b)| a.id == b.id && a.operation == b.operation);
    let same_results = before
        .items
        .iter()
        .zip(&after.items)
        .all(|(a, b)| is_same(&a.result, &b.result));
    dropped(&[
        ("items", before.items.len() == after.items.len()),
        ("names of items", same_ids),
        ("results of items", same_results),
        ("wording", before.sentence() == after.sentence()),
        ("where it stopped", before.halted == after.halted),
        ("warnings", before.warnings == after.warnings),
    ])
}

fn is_same(before: &ItemResult, after: &ItemResult) -> bool {
    match (before, after) {
        (ItemResult::Failed(a), ItemResult::Failed(b))
        | (ItemResult::Pending(a), ItemResult::Pending(b)) => {
            fault_losses(a.public(), b.public()).is_empty()
        }
        (ItemResult::Done(_) | ItemResult::Failed(_) | ItemResult::Pending(_), _) => {
            before == after
        }
    }
}

fn dropped(parts: &[(&'static str, bool)]) -> Vec<Loss> {
    let lost = parts.iter().filter(|(_, same)| !same);
    lost.map(|(part, _)| Loss {
        part,
        becomes: "dropped or changed".to_owned(),
    })
    .collect()
}
