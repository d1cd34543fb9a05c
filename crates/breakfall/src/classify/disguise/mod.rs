//! Hidden failures: results that claim success and failed. Every rule looks at a single short block only, and only at how
//! it opens: a log that was read, a page that explains errors and a list of results stay what they are. All of them are off
//! until [`Classifier::unmask`] switches them on, and the faults they make carry their names.
//!
//! The confidence of a rule says how sure it is *that* the call failed. A structural rule sees a known envelope with an
//! explicit mark of failure; a text that only reads like a failure may as well be what the tool was asked for.

mod innocent;
mod json;
mod line;
mod opening;
mod whole;

use std::borrow::Cow;

pub(crate) use json::only_about_failure;
use serde_json::Value;

use super::classifier::{Classifier, unclassified};
use super::result::{blocks, words_of};
use super::rule::RuleRow;
use crate::fault::{Confidence, Fault, Provenance};
use crate::wire::Options;

/// The prefix of the ids of all rules on hidden failures.
pub(crate) const FAMILY: &str = "disguise.";

/// Rows as `id: confidence, Text or Json(test), about;`, the examples and the counter-examples.
macro_rules! disguises {
    ($($id:tt: $confidence:ident, $on:ident($test:ident), $about:literal; $examples:expr; $counter:expr;)*) => {
        &[$(DisguiseRule {
            row: RuleRow {
                id: $id,
                about: $about,
                confidence: Confidence::$confidence,
                examples: &$examples,
                counter_examples: &$counter,
                ..RuleRow::STRUCTURAL
            },
            sees: DisguiseTest::$on($test),
        },)*]
    };
}
use disguises;

/// A rule that detects a failure in a result marked as a success.
struct DisguiseRule {
    row: RuleRow,
    sees: DisguiseTest,
}

enum DisguiseTest {
    /// By the text of the block.
    Text(fn(&str, &Classifier) -> bool),
    /// By the JSON in it.
    Json(fn(&Value) -> bool),
}

/// A failure that a rule sees behind a result which claims success.
pub(crate) struct HiddenFailure {
    pub(crate) fault: Fault,
    /// Whether the structure of the result says that it failed, not only its words.
    pub(crate) is_structural: bool,
}

impl Classifier {
    /// The fault behind a `CallToolResult` that does not say it failed, if a rule on hidden failures matches. `None`
    /// unless [`Self::unmask`] asked for detection.
    pub fn disguised(&self, result: &Value) -> Option<Fault> {
        let found = self.disguised_with(result, &Options::new())?;
        Some(found.fault)
    }

    pub(crate) fn disguised_with(
        &self,
        result: &Value,
        options: &Options,
    ) -> Option<HiddenFailure> {
        if !self.unmasks() {
            return None;
        }
        let misnamed = || rules().find(|rule| rule.row.id == json::RESULT);
        if json::is_misnamed(result)
            && let Some(rule) = misnamed().filter(|rule| self.is_on(rule.row.id))
        {
            return Some(HiddenFailure {
                fault: seen_by(self.result_with(result, None, options), &rule.row),
                is_structural: true,
            });
        }
        let candidate = DisguiseCandidate::of(result, self)?;
        let seen = rules().find(|rule| self.is_on(rule.row.id) && candidate.is_seen(rule, self))?;
        let fault = match (&candidate.json, candidate.text) {
            (Some(value), _) if json::is_failed_result(value) => {
                self.result_with(value, None, options)
            }
            (Some(value), _) => self
                .json(value, options)
                .unwrap_or_else(|| unclassified(words_of(value).unwrap_or_default())),
            (None, text) => self.words(text, None, options),
        };
        Some(HiddenFailure {
            fault: seen_by(fault, &seen.row),
            is_structural: seen.row.confidence <= Confidence::Structural
                || self
                    .call()
                    .is_some_and(|call| opening::names_tool(&candidate.masked, call.tool())),
        })
    }
}

impl Classifier {
    /// The fault of an envelope that says it failed, in a result that does not and that no rule here looks at. It is told by
    /// the rule on denials, unless that is off, or the one that would have seen it.
    pub(crate) fn denied(&self, result: &Value, fault: Fault) -> Option<Fault> {
        let by_name = || rules().find(|rule| rule.row.id == json::DENIAL);
        let candidate = DisguiseCandidate::of(result, self);
        let seen = candidate.and_then(|one| rules().find(|rule| one.is_seen(rule, self)));
        let rule = seen.or_else(by_name)?;
        self.is_on(rule.row.id).then(|| seen_by(fault, &rule.row))
    }
}

/// A fault that also names the rule by which it was seen.
fn seen_by(fault: Fault, row: &RuleRow) -> Fault {
    let by = fault
        .public()
        .provenance()
        .map(|by| (by.rule.clone(), by.confidence));
    let (rule, sure) = match by {
        Some((rule, sure)) if sure != Confidence::Default => (format!("{}+{rule}", row.id), sure),
        Some((_, sure)) => (row.id.to_owned(), sure),
        None => (row.id.to_owned(), row.confidence),
    };
    let by = Provenance::new(rule, sure.max(row.confidence));
    fault.provenance(by)
}

/// The rules, for the list of all.
pub(crate) fn rows() -> impl Iterator<Item = &'static RuleRow> {
    rules().map(|rule| &rule.row)
}

fn rules() -> impl Iterator<Item = &'static DisguiseRule> {
    let texts = opening::RULES.iter().chain(line::RULES);
    texts.chain(whole::RULES).chain(json::RULES)
}

/// A result that may be a failure: one short block, and nothing structured that says otherwise.
struct DisguiseCandidate<'a> {
    text: &'a str,
    /// The text without what the caller sent.
    masked: Cow<'a, str>,
    json: Option<Value>,
}

impl<'a> DisguiseCandidate<'a> {
    fn of(result: &'a Value, classifier: &Classifier) -> Option<Self> {
        let flagged = !matches!(
            result.get("isError"),
            None | Some(Value::Null | Value::Bool(false))
        );
        let structured = result
            .get("structuredContent")
            .filter(|value| !value.is_null());
        let (text, masked, json) = match (blocks(result), structured) {
            _ if flagged => return None,
            ([], Some(value)) => ("", Cow::default(), Some(unboxed(value).clone())),
            ([only], structured) => {
                let text = only.get("text")?.as_str()?.trim();
                let masked = classifier.masked(text);
                // JSON that the caller sent is an echo.
                let is_json = masked.starts_with('{') && text.len() <= LARGEST_JSON;
                let json: Option<Value> =
                    is_json.then(|| serde_json::from_str(text).ok()).flatten();
                let same = |value: &Value| {
                    let value = unboxed(value);
                    value.as_str() == Some(text) || json.as_ref() == Some(value)
                };
                // Structured data beside other words are a result.
                if !structured.is_none_or(same) {
                    return None;
                }
                (text, masked, json)
            }
            _ => return None,
        };
        (json.is_some() || (!text.is_empty() && text.len() <= LONGEST)).then_some(Self {
            text,
            masked,
            json,
        })
    }

    fn is_seen(&self, rule: &DisguiseRule, classifier: &Classifier) -> bool {
        match (&rule.sees, &self.json) {
            (DisguiseTest::Json(sees), Some(value)) => sees(value),
            (DisguiseTest::Text(sees), None) => sees(&self.masked, classifier),
            (DisguiseTest::Json(_), None) | (DisguiseTest::Text(_), Some(_)) => false,
        }
    }
}

/// A longer text is a result, whatever it begins with.
const LONGEST: usize = 2048;
/// The same for JSON, which takes more room to say less.
const LARGEST_JSON: usize = 16 * 1024;

/// Servers that return a bare value have it put under `result` by their framework.
fn unboxed(value: &Value) -> &Value {
    match value.as_object() {
        Some(map) if map.len() == 1 => map.get("result").unwrap_or(value),
        _ => value,
    }
}

/// What follows a beginning, in whatever case that is written.
fn after<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let head = text.get(..lead.len())?;
    head.eq_ignore_ascii_case(lead).then(|| &text[lead.len()..])
}
