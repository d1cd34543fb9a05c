//! Faults, outcomes and options, built as users build them: through public builders only.

use breakfall::catalog::{self, codes, warning};
use breakfall::code::{Code, Detail, Shape};
use breakfall::wire::{Dialect, Format, Options};
use breakfall::{
    Batch, Catalog, Choice, Confidence, Elicitation, Entry, Fault, Fidelity, Hint, ItemResult,
    Origin, Outcome, Provenance, Retry, Severity, Stamp, Success, Violation, Warning,
};
use proptest::prelude::*;
use serde_json::Value;

use super::values::{correlation_id, json, key, text, timestamp, wait};

/// Any code: every built-in one, and rows of a server's own.
pub(super) fn code() -> impl Strategy<Value = Code> {
    let own: Vec<Code> = own().collect();
    prop_oneof![
        4 => prop::sample::select(catalog::CODES),
        1 => prop::sample::select(own),
    ]
}

/// Rows that differ in what their bases are called elsewhere: names of their own, shared ones, and none.
static OWN: [Entry; 6] = [
    Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
        .message("Order '{order_id}' not found", "Order not found")
        .remediation("List the orders and pick an id from there.")
        .details(&[Detail {
            name: "order_id",
            shape: Shape::Text,
            required: true,
            about: "The order.",
        }]),
    Entry::extends(codes::BUSINESS_RULE_VIOLATION, "LEDGER_CLOSED")
        .message("Rule '{rule}' closes the ledger", "The ledger is closed")
        .retry(Retry::AfterChange)
        .http(422),
    Entry::extends(codes::RATE_LIMIT_EXCEEDED, "ABUSE_DETECTED").retry(Retry::Once),
    Entry::extends(codes::INTERNAL_CONFIGURATION, "PLUGIN_NOT_LOADED")
        .recovery(Hint::ReportToUser, &[]),
    Entry::extends(codes::CONFIRMATION_REQUIRED, "APPROVAL_NEEDED"),
    Entry::extends(codes::UNAVAILABLE_TLS, "CERTIFICATE_STALE").retry(Retry::Never),
];

/// One thing said about a fault.
#[derive(Debug, Clone)]
enum Part {
    Message(String),
    Detail(String, Value),
    Violation(Violation),
    DomainCode(String),
    Retry(Retry),
    Wait(std::time::Duration),
    ResetsAt(jiff::Timestamp),
    Remediation(String),
    Actions(Vec<String>),
    Hint(Hint),
    UserMessage(String),
    FallbackTool(String),
    CorrectiveParams(Value),
    Origin(Origin),
    Provenance(Provenance),
    HttpStatus(u16),
    CorrelationId(breakfall::CorrelationId),
    At(jiff::Timestamp),
    DocsUrl(String),
    Ask(Elicitation),
}

impl Part {
    fn add(self, fault: Fault) -> Fault {
        match self {
            Self::Message(text) => fault.message(text),
            Self::Detail(key, value) => fault.detail(key, value),
            Self::Violation(violation) => fault.violation(violation),
            Self::DomainCode(name) => fault.domain_code(name),
            Self::Retry(retry) => fault.retry(retry),
            Self::Wait(wait) => fault.retry_after(wait),
            Self::ResetsAt(at) => fault.resets_at(at),
            Self::Remediation(text) => fault.remediation(text),
            Self::Actions(actions) => fault.actions(actions),
            Self::Hint(hint) => fault.hint(hint),
            Self::UserMessage(text) => fault.user_message(text),
            Self::FallbackTool(tool) => fault.fallback_tool(tool),
            Self::CorrectiveParams(params) => fault.corrective_params(params),
            Self::Origin(origin) => fault.origin(origin),
            Self::Provenance(provenance) => fault.provenance(provenance),
            Self::HttpStatus(status) => fault.http_status(status),
            Self::CorrelationId(id) => fault.correlation_id(id),
            Self::At(at) => fault.at(at),
            Self::DocsUrl(url) => fault.docs_url(url),
            Self::Ask(question) => fault.ask(question),
        }
    }
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        2 => text().prop_map(Part::Message),
        6 => (key(), json()).prop_map(|(key, value)| Part::Detail(key, value)),
        2 => violation().prop_map(Part::Violation),
        1 => name().prop_map(Part::DomainCode),
        1 => prop::sample::select(Retry::ALL).prop_map(Part::Retry),
        2 => wait().prop_map(Part::Wait),
        1 => timestamp().prop_map(Part::ResetsAt),
        1 => text().prop_map(Part::Remediation),
        1 => prop::collection::vec(text(), 0..4).prop_map(Part::Actions),
        1 => prop::sample::select(Hint::ALL).prop_map(Part::Hint),
        1 => text().prop_map(Part::UserMessage),
        1 => text().prop_map(Part::FallbackTool),
        1 => json().prop_map(Part::CorrectiveParams),
        1 => prop::sample::select(Origin::ALL).prop_map(Part::Origin),
        1 => provenance().prop_map(Part::Provenance),
        2 => prop_oneof![100..600_u16, any::<u16>()].prop_map(Part::HttpStatus),
        1 => correlation_id().prop_map(Part::CorrelationId),
        1 => timestamp().prop_map(Part::At),
        1 => text().prop_map(Part::DocsUrl),
        1 => question().prop_map(Part::Ask),
    ]
}

/// A name out of somebody's vocabulary, ours included.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "[A-Z]{2,8}(_[A-Z]{2,8}){0,2}",
        1 => code().prop_map(|code| code.name().to_owned()),
        1 => code().prop_map(|code| code.entry().names.response_v2.to_owned()),
        1 => text(),
    ]
}

fn violation() -> impl Strategy<Value = Violation> {
    let place = prop_oneof![
        "(/[a-z0-9~.]{0,4}){0,3}".prop_map(Violation::at),
        text().prop_map(Violation::at),
        "[a-z./~]{0,6}".prop_map(|field| Violation::of_field(&field)),
    ];
    let value = || prop::option::of(json());
    let words = || prop::option::of(text());
    (place, words(), words(), value(), value(), value()).prop_map(
        |(mut violation, keyword, message, expected, got, suggestion)| {
            if let Some(keyword) = keyword {
                violation = violation.keyword(keyword);
            }
            if let Some(message) = message {
                violation = violation.message(message);
            }
            if let Some(expected) = expected {
                violation = violation.expected(expected);
            }
            if let Some(got) = got {
                violation = violation.got(got);
            }
            if let Some(suggestion) = suggestion {
                violation = violation.suggestion(suggestion);
            }
            violation
        },
    )
}

fn provenance() -> impl Strategy<Value = Provenance> {
    let confidences = [
        Confidence::Exact,
        Confidence::Structural,
        Confidence::Textual,
        Confidence::Default,
    ];
    (text(), prop::sample::select(confidences.to_vec()))
        .prop_map(|(rule, confidence)| Provenance::new(rule, confidence))
}

/// Any fault.
pub(super) fn fault() -> impl Strategy<Value = Fault> {
    (code(), prop::collection::vec(part(), 0..6)).prop_map(|(code, parts)| {
        parts
            .into_iter()
            .fold(Fault::new(code), |fault, part| part.add(fault))
    })
}

/// Any question.
pub(super) fn question() -> impl Strategy<Value = Elicitation> {
    let texts = || prop::collection::vec(text(), 0..3);
    let choice = (
        text(),
        text(),
        prop::option::of(text()),
        prop::option::of(text()),
    )
        .prop_map(|(label, value, description, field)| Choice {
            label,
            value,
            description,
            field,
        });
    (
        text(),
        texts(),
        prop::option::of(text()),
        prop::collection::vec((text(), texts()), 0..3),
        prop::collection::vec(choice, 0..3),
    )
        .prop_map(|(message, fields, reason, suggestions, choices)| {
            let mut question = Elicitation::new(message);
            for field in fields {
                question = question.field(field);
            }
            if let Some(reason) = reason {
                question = question.reason(reason);
            }
            for (field, values) in suggestions {
                question = question.suggest(&field, values);
            }
            choices.into_iter().fold(question, Elicitation::option)
        })
}

/// Any warning: registered, foreign, or without a code.
fn warning() -> impl Strategy<Value = Warning> {
    let severity = || prop::sample::select(Severity::ALL);
    let named = prop_oneof![
        3 => prop::sample::select(warning::WARNINGS).prop_map(Warning::new),
        1 => (name(), severity(), text())
            .prop_map(|(name, severity, text)| Warning::foreign(name, severity, text)),
        1 => text().prop_map(Warning::plain),
    ];
    (
        named,
        prop::option::of(text()),
        prop::option::of(severity()),
        prop::collection::vec((key(), json()), 0..3),
    )
        .prop_map(|(mut warning, text, severity, facts)| {
            if let Some(text) = text {
                warning = warning.message(text);
            }
            if let Some(severity) = severity {
                warning = warning.severity(severity);
            }
            facts
                .into_iter()
                .fold(warning, |warning, (key, value)| warning.context(key, value))
        })
}

fn warnings() -> impl Strategy<Value = Vec<Warning>> {
    prop_oneof![
        8 => prop::collection::vec(warning(), 0..4),
        1 => prop::collection::vec(warning(), 10..14),
    ]
}

/// Any success.
pub(super) fn success() -> impl Strategy<Value = Success> {
    (
        json(),
        warnings(),
        prop::option::of(prop::sample::select(Fidelity::ALL)),
        prop::option::of(correlation_id()),
    )
        .prop_map(|(data, warnings, fidelity, id)| {
            let mut success = Success::new(data);
            if let Some(fidelity) = fidelity {
                success = success.fidelity(fidelity);
            }
            if let Some(id) = id {
                success = success.correlation_id(id);
            }
            warnings.into_iter().fold(success, Success::warning)
        })
}

/// Any batch.
pub(super) fn batch() -> impl Strategy<Value = Batch> {
    let result = prop_oneof![
        2 => json().prop_map(ItemResult::Done),
        3 => fault().prop_map(ItemResult::Failed),
        1 => fault().prop_map(ItemResult::Pending),
    ];
    let item = (prop::option::of(text()), prop::option::of(text()), result);
    let verb = prop_oneof![
        2 => Just(("delete".to_owned(), "deleted".to_owned())),
        1 => Just(("succeed".to_owned(), "succeeded".to_owned())),
        1 => (text(), key()),
    ];
    (
        prop::option::of(verb),
        prop::collection::vec(item, 0..4),
        any::<bool>(),
        warnings(),
    )
        .prop_map(|(verb, items, halted, warnings)| {
            let mut batch =
                verb.map_or_else(Batch::default, |(verb, done)| Batch::new(&verb, &done));
            for (id, operation, result) in items {
                batch = batch.item(id.map(Into::into), operation.map(Into::into), result);
            }
            if halted {
                batch = batch.halted();
            }
            warnings.into_iter().fold(batch, Batch::warning)
        })
}

/// Any outcome.
pub(super) fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => fault().prop_map(Outcome::from),
        2 => success().prop_map(Outcome::from),
        1 => question().prop_map(Outcome::from),
        2 => batch().prop_map(Outcome::from),
    ]
}

/// Any way to speak a dialect, with an id and a time that stay the same.
pub(super) fn options() -> impl Strategy<Value = Options> {
    (
        any::<bool>(),
        prop::sample::select(Format::ALL),
        any::<[bool; 4]>(),
        correlation_id(),
        timestamp(),
    )
        .prop_map(
            |(strict, format, [structured, aggregate, recoverable, knows], id, at)| {
                let options = Options::new()
                    .strict(strict)
                    .format(format)
                    .structured(structured)
                    .aggregate(aggregate)
                    .recoverable(recoverable)
                    .stamp(Stamp::Fixed(id, at));
                if knows {
                    options.catalog(catalog())
                } else {
                    options
                }
            },
        )
}

/// The built-in codes and the rows above.
pub(super) fn catalog() -> Catalog {
    OWN.iter()
        .map(Code::new)
        .fold(Catalog::builtin(), |catalog, code| {
            catalog.with(code).expect("the rows follow the rules")
        })
}

/// The rows above.
pub(super) fn own() -> impl Iterator<Item = Code> {
    OWN.iter().map(Code::new)
}

/// Whether a code is one of the rows above.
pub(super) fn is_own(code: Code) -> bool {
    OWN.iter().any(|entry| entry.name == code.name())
}

/// Whether the data of a success has the very marks by which a dialect tells its failures, questions and batches.
/// Where a dialect puts data without an envelope, nothing is left that could tell the two apart, and a reader who
/// took such data for a success would take failures for successes too.
pub(super) fn reads_as_more(outcome: &Outcome, dialect: Dialect) -> bool {
    let Outcome::Success(success) = outcome else {
        return false;
    };
    let data = success.data();
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    let kind = text("kind").is_some_and(|kind| ["toolError:v1", "needsInput:v1"].contains(&kind));
    let coded = data.get("code").is_some() && text("message").is_some();
    match dialect {
        Dialect::Native => false,
        Dialect::ErrorModel => kind || coded || data.get("error").is_some_and(Value::is_object),
        Dialect::McpError => kind || coded,
        Dialect::ResponseV2 | Dialect::ToolError | Dialect::McpAql | Dialect::Problem => kind,
    }
}
