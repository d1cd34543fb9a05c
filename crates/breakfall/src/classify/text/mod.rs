//! Words in an error position → a code, by rules that are data ([`RULES`]).
//!
//! A text is cut into words once, and each word is looked up once among the first words of all phrases, so the cost is
//! linear in the text and does not grow with the table. Of several rules that match, this one wins:
//!
//! 1. a rule that says something before one that only says that something went wrong,
//! 2. in the first line, or in one that opens like an error, before elsewhere: a stack trace mentions much,
//! 3. the one that stands first in the table, where the particular comes before the general.

mod phrase;
mod position;
mod status;
mod table;
mod wait;
mod words;

use std::borrow::Cow;
use std::sync::LazyLock;
use std::time::Duration;

pub use phrase::PhraseProblem;
pub(crate) use position::{ERROR_WORDS, head};
pub(crate) use table::RULES;

use self::phrase::PhraseIndex;
use self::position::{excerpt, speaking};
use self::words::words;
use super::rule::{RuleEffect, RuleRow, TextRule};
use super::status::code_for_status;
use crate::code::Code;

/// What the text of a failure was recognized as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextJudgement {
    /// The code they stand for.
    pub(crate) code: Code,
    /// The rule that found them.
    pub(crate) rule: Cow<'static, str>,
    /// What that rule does besides.
    pub(crate) effect: RuleEffect,
    /// How long to wait before a repetition, where they say so and the code allows one.
    pub(crate) wait: Option<Duration>,
    /// The HTTP status they mention, in the line that decided.
    pub(crate) status: Option<u16>,
}

/// Judges a text that is known to be about a failure, by the built-in rules: the text of an `isError` result, the
/// message of an error object, the body of a failed request.
pub(crate) fn judge(text: &str) -> Option<TextJudgement> {
    static BUILT_IN: LazyLock<RuleScanner> = LazyLock::new(|| RuleScanner::of(RULES.iter()));
    BUILT_IN.judge(text)
}

/// The first HTTP status a text mentions in the place of one.
pub(crate) fn status_in(text: &str) -> Option<u16> {
    let text = excerpt(text);
    let (bytes, words) = (text.as_bytes(), words(text.as_bytes()));
    (0..words.len()).find_map(|at| status::status_at(bytes, &words, at))
}

/// Says what is wrong with a phrase, if anything is.
pub(crate) fn check_phrase(phrase: &str) -> Result<(), PhraseProblem> {
    phrase::check(phrase)
}

/// An ordered set of rules on text, compiled.
#[derive(Debug)]
pub(crate) struct RuleScanner {
    rules: Vec<ScannerRule>,
    phrases: PhraseIndex,
    /// The place of the rule on statuses, if it is among them.
    status: Option<usize>,
}

#[derive(Debug)]
struct ScannerRule {
    id: Cow<'static, str>,
    /// None for the rule on statuses, which the number decides.
    code: Option<Code>,
    effect: RuleEffect,
}

impl RuleScanner {
    pub(crate) fn of(rows: impl Iterator<Item = &'static RuleRow>) -> Self {
        let rows: Vec<&RuleRow> = rows.collect();
        let ready = |row: &&'static RuleRow| ScannerRule {
            id: Cow::Borrowed(row.id),
            code: row.code,
            effect: row.effect,
        };
        let phrases = rows.iter().enumerate();
        Self {
            rules: rows.iter().map(ready).collect(),
            phrases: PhraseIndex::new(
                phrases.flat_map(|(at, row)| row.phrases.iter().map(move |text| (at, *text))),
            ),
            status: rows.iter().position(|row| row.effect == RuleEffect::Status),
        }
    }

    pub(crate) fn own(rules: &[TextRule]) -> Self {
        let ready = |rule: &TextRule| ScannerRule {
            id: Cow::Owned(rule.id.clone()),
            code: Some(rule.code),
            effect: RuleEffect::None,
        };
        let all = rules.iter().enumerate();
        Self {
            rules: rules.iter().map(ready).collect(),
            phrases: PhraseIndex::new(
                all.flat_map(|(at, rule)| rule.phrases.iter().map(move |text| (at, text.as_str()))),
            ),
            status: None,
        }
    }

    /// The rule that decides on a text which is about a failure.
    pub(crate) fn judge(&self, text: &str) -> Option<TextJudgement> {
        let text = excerpt(text);
        let mut best: Option<RuleMatch> = None;
        for line in speaking(&text) {
            best = best
                .into_iter()
                .chain(self.best_in(line))
                .min_by_key(RuleMatch::rank);
        }
        // Elsewhere is looked at only if that could change anything.
        if best.as_ref().is_none_or(|best| best.vague) {
            best = best
                .into_iter()
                .chain(self.best_in(&text))
                .min_by_key(RuleMatch::rank);
        }
        let RuleMatch { rule, status, .. } = best?;
        let rule = &self.rules[rule];
        let code = rule.code.or_else(|| status.map(code_for_status))?;
        let may_wait = code.entry().retry.is_retryable();
        Some(TextJudgement {
            code,
            rule: rule.id.clone(),
            effect: rule.effect,
            wait: may_wait.then(|| wait::wait(text.as_bytes())).flatten(),
            status,
        })
    }

    fn best_in(&self, text: &str) -> Option<RuleMatch> {
        let (bytes, words) = (text.as_bytes(), words(text.as_bytes()));
        let mut mentioned = None;
        let found = |at: usize| {
            let status = self.status.and_then(|rule| {
                let status = status::status_at(bytes, &words, at)?;
                mentioned = mentioned.or(Some(status));
                Some((rule, Some(status)))
            });
            let phrase = || Some((self.phrases.rule_at(bytes, &words, at)?, None));
            let (rule, status) = status.or_else(phrase)?;
            Some(RuleMatch {
                vague: self.rules[rule].effect == RuleEffect::Vague,
                rule,
                status,
            })
        };
        let best = (0..words.len())
            .filter_map(found)
            .min_by_key(RuleMatch::rank)?;
        // Words that decide beside a number do not make it less true.
        Some(RuleMatch {
            status: best.status.or(mentioned),
            ..best
        })
    }
}

/// A rule that matched, with its rank.
struct RuleMatch {
    vague: bool,
    rule: usize,
    status: Option<u16>,
}

impl RuleMatch {
    /// The least wins.
    fn rank(&self) -> (bool, usize) {
        (self.vague, self.rule)
    }
}
