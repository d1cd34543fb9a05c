//! What each dialect may lose: the table that every trip through one is held against.

use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, changes, decode, encode};
use breakfall::{Fault, Outcome};

/// Writes an outcome, reads it back, and complains if something is lost that the dialect has room for.
pub(crate) fn trip(
    outcome: &Outcome,
    dialect: Dialect,
    options: &Options,
    strict: bool,
) -> Result<(), String> {
    let Ok(document) = encode(unredacted(outcome), dialect, options) else {
        let is_failure = outcome.fault().is_some();
        return if is_failure || dialect != Dialect::Problem {
            Err(format!("{dialect} cannot say a {}", outcome.kind()))
        } else {
            Ok(())
        };
    };
    let value = document.to_value();
    let read = decode(value.clone(), dialect, options);
    let read = read.map_err(|error| format!("{dialect}: {error}\n{value:#}"))?;
    let lost = changes(outcome, &read).into_iter();
    let mut wrong = lost.filter(|loss| !may_lose(outcome, dialect, strict, loss.part));
    match wrong.next() {
        Some(loss) => Err(format!("{dialect} loses {loss:?}\n{value:#}")),
        None => Ok(()),
    }
}

fn may_lose(outcome: &Outcome, dialect: Dialect, strict: bool, part: &str) -> bool {
    match outcome {
        Outcome::Fault(fault) => may_lose_of_fault(fault, dialect, strict, part),
        Outcome::NeedsInput(_) => false,
        Outcome::Success(_) => match dialect {
            Dialect::Native | Dialect::Problem => false,
            Dialect::ResponseV2 => part != "content fidelity" && part != "correlation id",
            Dialect::McpAql => part != "data" && part != "correlation id",
            Dialect::ToolError => true,
            Dialect::McpError | Dialect::ErrorModel => part != "data",
        },
        Outcome::Batch(_) => match dialect {
            Dialect::Native => part == "results of items",
            Dialect::ResponseV2 => strict || part == "results of items",
            Dialect::McpAql => true,
            Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError | Dialect::Problem => {
                part == "outcome" || part == "results of items"
            }
        },
    }
}

fn may_lose_of_fault(fault: &Fault, dialect: Dialect, strict: bool, part: &str) -> bool {
    // Rows and names of other servers differ in how they are known, and waits are rounded up.
    let anywhere = ["code", "domain code", "wait"].contains(&part);
    let listed = |parts: &[&str]| parts.contains(&part);
    let own_field = part == "details" && fault.public().details().get("field").is_some();
    anywhere
        || match dialect {
            Dialect::Native => false,
            Dialect::Problem => strict && part != "message" && part != "correlation id",
            Dialect::ResponseV2 => {
                own_field
                    || listed(BEYOND)
                    || listed(&["timestamp"])
                    || (strict && listed(EXTENSIONS))
            }
            Dialect::McpError => {
                own_field
                    || listed(&["retry", "origin", "provenance", "timestamp", "question"])
                    || (strict && listed(EXTENSIONS))
                    || (strict && listed(&["hint", "user message"]))
            }
            Dialect::ErrorModel => {
                listed(BEYOND)
                    || listed(&["timestamp"])
                    || (strict && listed(EXTENSIONS))
                    || (strict && listed(&["HTTP status", "correlation id"]))
            }
            Dialect::ToolError => {
                own_field
                    // A confirmation is a question there.
                    || listed(&["outcome", "timestamp"])
                    || listed(BEYOND)
                    || (strict && listed(EXTENSIONS))
                    || (strict && listed(&["correlation id"]))
            }
            Dialect::McpAql => {
                // A batch that is told as one failure reads as the batch.
                (part == "outcome" && fault.code().name().starts_with("BATCH_"))
                    || listed(BEYOND)
                    || listed(&["timestamp", "correlation id", "message"])
                    || (strict && listed(EXTENSIONS))
            }
        }
}

/// What most formats have no member for.
const BEYOND: &[&str] = &[
    "retry",
    "recovery actions",
    "hint",
    "user message",
    "fallback tool",
    "corrective parameters",
    "origin",
    "provenance",
    "question",
];

/// What is an extension in most formats.
const EXTENSIONS: &[&str] = &["remediation", "violations", "documentation link"];
