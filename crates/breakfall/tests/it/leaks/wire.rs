//! A leak in every place a failure has for a text, in everything that leaves.
//!
//! Dialects, formats, strictness, kinds of outcome and languages take turns over the leaks of a family, so that each
//! family meets them all. Of a family drawn larger than usual only the first leaks are sent: which text they are is
//! not what the wire could get wrong.

use std::collections::BTreeMap;

use breakfall::catalog::warning;
use breakfall::locale::Language;
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Format, Options, rpc_error, tool_result};
use breakfall::{
    Batch, Choice, Elicitation, Fault, Outcome, Severity, Success, Violation, Warning, codes,
};
use serde_json::json;
use testing::corpus::{Leak, Needle};

use super::exam::{Redact, Verdict, found, needles};
use crate::sample::stamp;

/// Whether the secrets of each leak are gone from everything that can be sent.
pub(super) fn leaks_gone(redactor: &impl Redact, leaks: &[Leak]) -> Verdict {
    let mut families = BTreeMap::<_, Vec<_>>::new();
    for leak in leaks {
        families
            .entry((leak.half.to_string(), &leak.family))
            .or_default()
            .push(leak);
    }
    let mut verdict = Verdict::default();
    for ((half, family), leaks) in families {
        let turns = leaks.len().min(TURNS);
        for (number, leak) in leaks.into_iter().take(MOST).enumerate() {
            let escape = escape(redactor, leak, number, turns);
            let wrong = escape.map(|escape| format!("{escape}, made from {:?}", leak.text));
            verdict.add(&format!("{half} {family}"), wrong);
        }
    }
    verdict
}

/// A family with so many leaks or more sees every way to send in this many of them.
const TURNS: usize = 4;

/// So many leaks of a family are sent at most.
const MOST: usize = 40;

/// Where a secret of a leak gets out, if anywhere.
fn escape(redactor: &impl Redact, leak: &Leak, number: usize, turns: usize) -> Option<String> {
    let needles = needles(&leak.secrets);
    let other = OTHERS[number % OTHERS.len()];
    [full, other].into_iter().find_map(|make| {
        let outcome = redacted(redactor, make(&leak.text), number);
        let ways = ways().skip(number % turns).step_by(turns);
        sent(&outcome, ways).find_map(|sent| sent.with(&leak.secrets, &needles))
    })
}

/// Redacted, and in one of the languages, whichever comes first: both take turns.
fn redacted(redactor: &impl Redact, outcome: Outcome, number: usize) -> Outcome {
    let language = Language::ALL[number % Language::ALL.len()];
    if number.is_multiple_of(3) {
        redactor.outcome(outcome).in_language(language)
    } else {
        redactor.outcome(outcome.in_language(language))
    }
}

/// A message as it leaves, and in which way.
pub(super) struct Sent {
    way: Way,
    text: String,
}

impl Sent {
    /// The complaint, if a secret is in it.
    pub(super) fn with(&self, secrets: &[String], needles: &[Needle]) -> Option<String> {
        let secret = found(secrets, needles, &self.text)?;
        let (dialect, strict, format) = self.way;
        let strict = if strict { ", strict" } else { "" };
        Some(format!(
            "'{secret}' leaves as {dialect}{strict}, {}: {}",
            format.as_str(),
            self.text
        ))
    }
}

/// An outcome as a tool result, and as a JSON-RPC error where it is a fault.
pub(super) fn sent(
    outcome: &Outcome,
    ways: impl Iterator<Item = Way>,
) -> impl Iterator<Item = Sent> {
    ways.flat_map(|way| {
        let (dialect, strict, format) = way;
        let options = Options::new()
            .strict(strict)
            .format(format)
            .structured(true)
            .stamp(stamp());
        let result = tool_result(unredacted(outcome), dialect, &options)
            .ok()
            .map(|result| result.to_json());
        let error = outcome
            .fault()
            .map(|fault| rpc_error(unredacted(fault.public()), dialect, &options));
        let error = error.map(|error| error.to_value().to_string());
        [result, error]
            .into_iter()
            .flatten()
            .map(move |text| Sent { way, text })
    })
}

/// Dialect, strictness and format.
type Way = (Dialect, bool, Format);

/// Every way; only tool-error has formats.
pub(super) fn ways() -> impl Iterator<Item = Way> {
    Dialect::ALL.iter().flat_map(|&dialect| {
        let formats = if dialect == Dialect::ToolError {
            Format::ALL
        } else {
            &Format::ALL[..1]
        };
        formats
            .iter()
            .flat_map(move |&format| [false, true].map(|strict| (dialect, strict, format)))
    })
}

/// The kinds of outcome that take turns.
const OTHERS: &[fn(&str) -> Outcome] = &[templated, warned, batch, question, operations];

/// A fault with the text in every place that a server's own words can get to.
fn full(text: &str) -> Outcome {
    let violation = Violation::of_field("address.zip")
        .keyword("pattern")
        .message(text)
        .expected(text)
        .got(json!({"sent": [text]}))
        .suggestion(text);
    Fault::new(codes::VALIDATION_INVALID_VALUE)
        .message(text)
        .detail("note", text)
        .detail("upstream_error", text)
        .detail("nested", json!({"deep": [{"er": [text, 1, null]}]}))
        .violation(violation)
        .remediation(text)
        .user_message(text)
        .actions([text.to_owned()])
        .fallback_tool(text)
        .corrective_params(json!({"value": text}))
        .into()
}

/// A fault whose own words come from the catalogue, and only their holes from outside.
fn templated(text: &str) -> Outcome {
    Fault::not_found("order", text).into()
}

fn warned(text: &str) -> Outcome {
    Success::new(json!({"orders": []}))
        .warning(
            Warning::plain(text)
                .context("note", text)
                .context("nested", json!({"deep": [text]})),
        )
        .warning(Warning::new(warning::DEPRECATED_FIELD).context("field", text))
        .warning(Warning::foreign("ORDERS_STALE", Severity::Error, text))
        .into()
}

fn batch(text: &str) -> Outcome {
    Batch::new("delete", "deleted")
        .done("ord_1", json!({"deleted": true}))
        .failed(
            "ord_2",
            Fault::internal().message(text).detail("note", text),
        )
        .failed("ord_3", Fault::not_found("order", text))
        .warning(Warning::plain(text))
        .into()
}

fn question(text: &str) -> Outcome {
    let choice = Choice {
        label: text.to_owned(),
        value: text.to_owned(),
        description: Some(text.to_owned()),
        field: Some("order_id".to_owned()),
    };
    Elicitation::new(text)
        .field("order_id")
        .reason(text)
        .suggest("order_id", [text])
        .option(choice)
        .into()
}

/// A fault of the gateway kind, with a question in it.
fn operations(text: &str) -> Outcome {
    Fault::dependency_failed(text)
        .detail("service", text)
        .ask(Elicitation::new(text).reason(text))
        .into()
}
