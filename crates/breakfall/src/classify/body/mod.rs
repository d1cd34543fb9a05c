//! What the JSON body of a failure says, in the shapes APIs use.
//!
//! [`exact`] reads a document of one of our own formats; [`read`] takes whatever else there is apart: words, the name the
//! API has for the error, broken rules, a wait. Neither decides alone: a status or a flag beside the body has its say.

pub(crate) mod names;
mod shapes;

use std::time::Duration;

use serde_json::Value;

use super::constraint;
use super::excerpt;
use crate::catalog::codes;
use crate::code::{Category, Code};
use crate::details::Details;
use crate::fault::{Confidence, Fault};
use crate::outcome::Outcome;
use crate::phrase::{Phrase, PhraseText};
use crate::violation::Violation;
use crate::wire::{self, Dialect, Options, detect};

/// The failure that a response body reports.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct BodyReading {
    /// The shape it was in, which is the name of the rule that read it.
    pub(crate) shape: &'static str,
    /// What happened, in its own words.
    pub(crate) message: Option<String>,
    /// Its own name for the error.
    pub(crate) name: Option<String>,
    /// The code that name, or what is broken, stands for.
    pub(crate) code: Option<Code>,
    /// Every broken rule it lists.
    pub(crate) violations: Vec<Violation>,
    /// How long to wait.
    pub(crate) wait: Option<Duration>,
    /// The HTTP status it mentions.
    pub(crate) status: Option<u16>,
    /// Where to read more.
    pub(crate) docs_url: Option<String>,
    /// What else is worth keeping.
    pub(crate) details: Details,
}

impl BodyReading {
    /// The category the words of its own name point to, where the name itself is unknown.
    pub(crate) fn likely_category(&self) -> Option<Category> {
        names::category_of(self.name.as_deref()?)
    }

    /// What happened, in its own words or in those of the first broken rules.
    pub(crate) fn sentence(&self) -> Option<PhraseText> {
        let own = self.message.as_deref();
        own.map(|words| PhraseText::Words(words.into()))
            .or_else(|| listed(&self.violations))
    }

    /// Adds all of it to a fault whose code is decided.
    pub(crate) fn add_to(self, mut fault: Fault) -> Fault {
        let retryable = fault.code().entry().retry.is_retryable();
        if let Some(sentence) = self.sentence() {
            fault = fault.say(sentence);
        }
        if let Some(name) = self.name.filter(|name| *name != fault.code().name()) {
            fault = fault.domain_code(name);
        }
        if let [only] = &self.violations[..]
            && !only.pointer().is_empty()
        {
            fault = fault.field(only.field());
        }
        for violation in self.violations {
            fault = fault.violation(violation);
        }
        // A wait says that the call may be repeated, which the code has to agree to.
        if let Some(wait) = self.wait.filter(|_| retryable) {
            fault = fault.retry_after(wait);
        }
        if let Some(url) = self.docs_url {
            fault = fault.docs_url(url);
        }
        for (key, value) in self.details.to_map() {
            fault = fault.detail(key, value);
        }
        fault
    }
}

/// Reads what a body says. Nothing comes of a body that says nothing about a failure.
pub(crate) fn read(body: &Value) -> Option<BodyReading> {
    let mut said = shapes::read(body)?;
    said.message = said.message.and_then(|text| excerpt::message(&text));
    said.name = said
        .name
        .and_then(|name| excerpt::line(&name, excerpt::NAME));
    if said.code.is_none() {
        said.code = said.name.as_deref().and_then(names::code_for);
    }
    if said.violations.len() > MOST_VIOLATIONS {
        said.details
            .insert("violations_total", said.violations.len().into());
        said.violations.truncate(MOST_VIOLATIONS);
    }
    Some(said)
}

/// Reads a failure in one of this library's formats, if the body carries the format's markers and names the failure. A body
/// that merely has the same shape may come from any server: [`read`] it.
pub(crate) fn exact(body: &Value, options: &Options) -> Option<(Fault, Dialect, Confidence)> {
    let found = detect::recognise(body).filter(|found| found.is_coded)?;
    let dialect = found.dialect;
    let outcome = wire::decode(body.clone(), dialect, options).ok()?;
    let Outcome::Fault(fault) = outcome else {
        return None;
    };
    let public = fault.public();
    if public.code() == codes::INTERNAL_UNKNOWN && public.domain_code().is_some() {
        return None;
    }
    let sure = public.provenance().map(|from| from.confidence);
    Some((fault, dialect, sure.unwrap_or(Confidence::Exact)))
}

/// How many broken rules are kept; the rest is counted.
const MOST_VIOLATIONS: usize = 50;

/// The first broken rules in a sentence. One alone is told by the template of its code.
fn listed(violations: &[Violation]) -> Option<PhraseText> {
    let mut sentence = String::with_capacity(256);
    let told = violations
        .iter()
        .filter_map(|violation| Some((violation, violation.message_text()?)));
    let mut count = 0;
    for (violation, words) in told.take(MOST_TOLD) {
        if count > 0 {
            sentence.push_str("; ");
        }
        let field = violation.field();
        if !field.is_empty() {
            for part in ["'", &field, "': "] {
                sentence.push_str(part);
            }
        }
        sentence.push_str(words);
        count += 1;
    }
    let told = PhraseText::Words(excerpt::kept(sentence, excerpt::MESSAGE)?.into());
    let more = violations.len() - count;
    Some(if more > 0 {
        PhraseText::Several(vec![
            told,
            PhraseText::from(Phrase::AND_MORE).with("count", more),
        ])
    } else {
        told
    })
}

/// Broken rules in one sentence. The others are counted.
const MOST_TOLD: usize = 3;

/// The code of all broken rules together.
fn code_of(violations: &[Violation]) -> Option<Code> {
    let known = |violation: &Violation| match violation.got_value().and_then(Value::as_str) {
        // What is not there is of the wrong type, to those who look at types alone.
        Some("undefined") => Some(codes::VALIDATION_MISSING_PARAM),
        _ => constraint::code_for(violation.keyword_text()?),
    };
    constraint::common(violations.iter().filter_map(known))
}

#[cfg(test)]
mod tests;
