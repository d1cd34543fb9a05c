//! Faults and outcomes: every text a dialect could write.

use std::borrow::Cow;

use serde_json::Value;

use super::bytes::is_uuid;
use super::mark::{Mark, only_markers};
use super::value::{self, changed};
use super::{Audience, Redactor, keys};
use crate::code::Category;
use crate::details::Details;
use crate::fault::{CorrelationId, Provenance, Public};
use crate::outcome::{Batch, Elicitation, Item, ItemResult, Outcome, Success};
use crate::violation::Violation;
use crate::warning::{Warning, WarningMessage};

/// Redacts the public half of a fault in place.
pub(super) fn redact(redactor: &Redactor, public: &mut Public) {
    let presented = presented(redactor, public);
    details(redactor, &mut public.details, presented);
    let texts = [
        &mut public.domain_code,
        &mut public.message,
        &mut public.remediation,
        &mut public.user_message,
        &mut public.fallback_tool,
        &mut public.docs_url,
    ];
    for text in texts.into_iter().flatten() {
        boxed(redactor, text);
    }
    say(public);
    for violation in &mut public.violations {
        redact_violation(redactor, violation);
    }
    for action in public.actions.iter_mut().flatten() {
        if let Some(clean) = changed(redactor, action) {
            *action = Cow::Owned(clean);
        }
    }
    if let Some(params) = &mut public.corrective_params {
        redactor.value(params);
    }
    if let Some(question) = &mut public.elicitation {
        redact_question(redactor, question);
    }
    if let Some(Provenance {
        rule: Cow::Owned(rule),
        ..
    }) = &mut public.provenance
    {
        string(redactor, rule);
    }
    redact_id(redactor, &mut public.correlation_id);
}

/// An id that looks like a secret is dropped; the stamp gives another one.
fn redact_id(redactor: &Redactor, id: &mut Option<CorrelationId>) {
    id.take_if(|id| is_secret(redactor, id.as_str()));
}

/// Puts the sentence of the row in front of a message of which only markers are left, and drops such advice, in whose place
/// stands that of the row.
fn say(public: &mut Public) {
    for text in [
        &mut public.remediation,
        &mut public.user_message,
        &mut public.fallback_tool,
    ] {
        text.take_if(|text| only_markers(text));
    }
    let is_silent = public.message.as_deref().is_some_and(only_markers);
    if let Some(markers) = public.message.take_if(|_| is_silent) {
        let sentence = public.message().into_owned();
        public.message = Some(format!("{sentence} {markers}").into());
    }
}

/// Whether an id is a secret. Most are UUIDs, in which nothing is ever found.
fn is_secret(redactor: &Redactor, id: &str) -> bool {
    !is_uuid(id.as_bytes()) && changed(&secrets_only(redactor), id).is_some()
}

/// Redacts everything but the data of successes.
pub(super) fn outcome(redactor: &Redactor, outcome: &mut Outcome) {
    match outcome {
        Outcome::Success(success) => redact_success(redactor, success),
        Outcome::NeedsInput(question) => redact_question(redactor, question),
        Outcome::Batch(batch) => redact_batch(redactor, batch),
        Outcome::Fault(fault) => redact(redactor, fault.public_mut()),
    }
}

/// The detail with a token that the caller is to send back, or has sent: for the caller, and only there, it stays.
fn presented(redactor: &Redactor, public: &Public) -> Option<&'static str> {
    let entry = public.code.entry();
    if redactor.audience == Audience::Operator {
        None
    } else if entry.names.needs_input.is_some() {
        Some("confirmation_token")
    } else {
        let token =
            (entry.category == Category::Confirmation).then(|| public.details.text("token"));
        let is_ours =
            |token: &str| token.starts_with("conf_") || token.starts_with("quota_continue_");
        token
            .flatten()
            .filter(|token| is_ours(token))
            .map(|_| "token")
    }
}

fn details(redactor: &Redactor, details: &mut Details, presented: Option<&str>) {
    for (key, value) in details.values_mut() {
        if presented != Some(key) {
            value::redact_under(redactor, key, value);
        }
    }
    details.rename(|key| changed(redactor, key));
}

fn redact_violation(redactor: &Redactor, violation: &mut Violation) {
    let pointer = violation.pointer().to_owned();
    violation.redact(
        |pointer| changed(&secrets_only(redactor), pointer),
        |text| changed(redactor, text),
        |value| redactor.value(value),
        |part| named(&pointer, part).map(Mark::as_str),
    );
}

/// What a value is by the keys that lead to it. What is below a telling key is part of it: `/api_key/0`.
fn named(pointer: &str, part: &Value) -> Option<Mark> {
    pointer.split('/').fold(None, |above, key| {
        keys::kind(key).or(above.filter(|_| !value::describes(key, part.is_number())))
    })
}

fn redact_question(redactor: &Redactor, question: &mut Elicitation) {
    boxed(redactor, &mut question.message);
    if let Some(reason) = &mut question.reason {
        boxed(redactor, reason);
    }
    let texts = question.fields.iter_mut();
    let suggestions = question.suggestions.iter_mut();
    let texts =
        texts.chain(suggestions.flat_map(|(field, values)| std::iter::once(field).chain(values)));
    for text in texts {
        string(redactor, text);
    }
    for choice in &mut question.options {
        string(redactor, &mut choice.label);
        string(redactor, &mut choice.value);
        for text in [&mut choice.description, &mut choice.field]
            .into_iter()
            .flatten()
        {
            string(redactor, text);
        }
    }
}

fn redact_batch(redactor: &Redactor, batch: &mut Batch) {
    if let Some(message) = &mut batch.message {
        boxed(redactor, message);
    }
    for warning in &mut batch.warnings {
        redact_warning(redactor, warning);
    }
    if let Some((verb, done)) = &mut batch.verb {
        boxed(redactor, verb);
        boxed(redactor, done);
    }
    for Item {
        id,
        operation,
        result,
    } in &mut batch.items
    {
        for text in [id, operation].into_iter().flatten() {
            boxed(redactor, text);
        }
        match result {
            ItemResult::Done(_) => {}
            ItemResult::Failed(fault) | ItemResult::Pending(fault) => {
                redact(redactor, fault.public_mut());
            }
        }
    }
}

fn redact_success(redactor: &Redactor, success: &mut Success) {
    for warning in &mut success.warnings {
        redact_warning(redactor, warning);
    }
    redact_id(redactor, &mut success.correlation_id);
}

fn redact_warning(redactor: &Redactor, warning: &mut Warning) {
    if let WarningMessage::Own(text) = &mut warning.message {
        boxed(redactor, text);
    }
    if let Some(Cow::Owned(name)) = &mut warning.name {
        string(redactor, name);
    }
    details(redactor, &mut warning.context, None);
}

/// A pointer and an id look like paths and numbers and are neither.
fn secrets_only(redactor: &Redactor) -> Redactor {
    Redactor {
        audience: Audience::Operator,
        ..redactor.clone()
    }
}

fn boxed(redactor: &Redactor, text: &mut Box<str>) {
    if let Some(clean) = changed(redactor, text) {
        *text = clean.into();
    }
}

fn string(redactor: &Redactor, text: &mut String) {
    if let Some(clean) = changed(redactor, text) {
        *text = clean;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_is_found_in_a_uuid(
            id in "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{8}-[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{12}|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
        ) {
            let operator = Redactor::new(Audience::Operator);
            prop_assert_eq!(changed(&operator, &id), None);
        }
    }
}
