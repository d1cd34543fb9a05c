//! Values outside their bounds.

use serde_json::Value;

use super::Fault;
use crate::catalog::codes;
use crate::phrase::{Phrase, PhraseText};

impl Fault {
    /// A number out of its bounds; a side without a bound is `None`.
    ///
    /// ```
    /// use breakfall::Fault;
    ///
    /// let fault = Fault::out_of_range("limit", Some(1.0), None);
    /// assert_eq!(fault.public().message(), "Parameter 'limit' must be at least 1");
    /// ```
    pub fn out_of_range(name: &str, minimum: Option<f64>, maximum: Option<f64>) -> Self {
        let mut fault = Self::new(codes::VALIDATION_OUT_OF_RANGE).field(name);
        for (key, bound) in [("minimum", minimum), ("maximum", maximum)] {
            if let Some(bound) = bound {
                fault = fault.detail(key, number(bound));
            }
        }
        // The row speaks of two bounds.
        match (minimum, maximum) {
            (Some(least), None) => {
                fault.breaking(name, Phrase::RULE_AT_LEAST.limited(number(least)))
            }
            (None, Some(most)) => fault.breaking(name, Phrase::RULE_AT_MOST.limited(number(most))),
            (Some(_), Some(_)) | (None, None) => fault,
        }
    }

    /// Says which rule a parameter breaks, in the message and in the remedy.
    pub(crate) fn breaking(self, name: &str, rule: PhraseText) -> Self {
        let said = |phrase: Phrase| PhraseText::from(phrase).with("name", name);
        let remedy = said(Phrase::REPAIR_RULE).saying("rule", rule.clone());
        self.say(said(Phrase::RULE_PARAMETER).saying("rule", rule))
            .advise(PhraseText::Sentence(vec![remedy]))
    }
}

/// A whole number as an integer: a bound of 100 reads `100`, not `100.0`.
fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and within the exact range, checked just before"
    )]
    if value.fract() == 0.0 && value.abs() < EXACT {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}
