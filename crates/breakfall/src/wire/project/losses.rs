//! The report: what became of each part.

use super::project;
use crate::code::Code;
use crate::fault::Public;
use crate::outcome::{Batch, ItemResult, Outcome, Success};
use crate::violation::Violation;
use crate::wire::{Dialect, Options};

/// Something a dialect does not carry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The part.
    pub part: &'static str,
    /// What becomes of it.
    pub becomes: String,
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
    let mut losses = Vec::new();
    let mut check = |part, same: bool, becomes: Option<String>| {
        if !same {
            losses.push(Loss {
                part,
                becomes: becomes.unwrap_or_else(|| "dropped".to_owned()),
            });
        }
    };
    let code = |code: Code| code.name();
    check(
        "code",
        before.code == after.code,
        Some(format!(
            "{} becomes {}",
            code(before.code),
            code(after.code)
        )),
    );
    check(
        "domain code",
        before.domain_code == after.domain_code,
        after.domain_code().map(|name| format!("becomes {name}")),
    );
    check(
        "message",
        before.message() == after.message(),
        Some(format!("becomes '{}'", after.message())),
    );
    check("details", before.details == after.details, None);
    check(
        "violations",
        before.violations == after.violations,
        shrunk(&after.violations),
    );
    check(
        "retry",
        before.retry() == after.retry(),
        Some(format!("{} becomes {}", before.retry(), after.retry())),
    );
    check(
        "wait",
        before.wait == after.wait,
        after.wait.map(|wait| format!("becomes {wait:?}")),
    );
    check(
        "remediation",
        before.remediation() == after.remediation(),
        None,
    );
    check(
        "recovery actions",
        before.actions().eq(after.actions()),
        None,
    );
    check(
        "hint",
        before.hint() == after.hint(),
        Some(format!("{} becomes {}", before.hint(), after.hint())),
    );
    check(
        "user message",
        before.user_message() == after.user_message(),
        None,
    );
    check(
        "fallback tool",
        before.fallback_tool == after.fallback_tool,
        None,
    );
    check(
        "corrective parameters",
        before.corrective_params == after.corrective_params,
        None,
    );
    check(
        "origin",
        before.origin() == after.origin(),
        Some(format!("{} becomes {}", before.origin(), after.origin())),
    );
    check(
        "provenance",
        before.provenance.is_none() || before.provenance == after.provenance,
        None,
    );
    check(
        "HTTP status",
        before.http_status.is_none() || before.http_status == after.http_status,
        None,
    );
    check(
        "correlation id",
        before.correlation_id.is_none() || before.correlation_id == after.correlation_id,
        None,
    );
    check(
        "timestamp",
        before.timestamp.is_none() || before.timestamp == after.timestamp,
        after.timestamp.map(|at| format!("becomes {at}")),
    );
    check(
        "documentation link",
        before.docs_url == after.docs_url,
        None,
    );
    check("question", before.elicitation == after.elicitation, None);
    losses
}

fn shrunk(violations: &[Violation]) -> Option<String> {
    (!violations.is_empty()).then(|| "cut to the keys of the format".to_owned())
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
        _ => before == after,
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
