//! What raises the danger of a single call: the values of its arguments, and how often it was made.

use serde_json::Value;

use super::danger::{DangerRating, DangerRule};
use crate::ladder::DangerLevel;

/// An argument that makes a call more dangerous: `force: true`.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct DangerCondition {
    /// The name of the argument, or a JSON pointer to a value inside one.
    pub argument: Box<str>,
    /// The value that raises danger; any value but null and false if there is none.
    pub value: Option<Value>,
    /// The danger of such a call, at least.
    pub level: DangerLevel,
}

/// From how many calls on an operation is more dangerous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct EscalationStep {
    /// The number of calls made before.
    pub uses: u64,
    /// The danger of the next one, at least.
    pub level: DangerLevel,
}

impl DangerRating {
    /// The danger of a call with these arguments. Conditions only raise, also a declared danger.
    ///
    /// ```
    /// use breakfall::gate::{DangerCondition, DangerLevel, OperationFacts, TrustLevel, rate};
    /// use serde_json::json;
    ///
    /// let force = DangerCondition { argument: "force".into(), value: Some(json!(true)), level: DangerLevel::Dangerous };
    /// let rating = rate(&OperationFacts::named("push"), TrustLevel::Validated);
    /// let forced = rating.clone().with_arguments([&force], &json!({"force": "true"}));
    /// assert_eq!(forced.to_string(), "dangerous, by the value of the argument 'force'");
    /// assert_eq!(rating.clone().with_arguments([&force], &json!({"force": false})), rating);
    /// ```
    #[must_use]
    pub fn with_arguments<'a>(
        self,
        conditions: impl IntoIterator<Item = &'a DangerCondition>,
        arguments: &Value,
    ) -> Self {
        let holding = conditions.into_iter();
        let holding = holding.filter(|condition| condition.holds(arguments));
        holding.fold(self, |rating, condition| {
            let rule = DangerRule::Argument(condition.argument.clone());
            rating.higher(Self::new(condition.level, rule))
        })
    }

    /// The danger of one more call after so many.
    ///
    /// ```
    /// use breakfall::gate::{DangerLevel, EscalationStep, OperationFacts, TrustLevel, rate};
    ///
    /// let steps = [EscalationStep { uses: 10, level: DangerLevel::Destructive }];
    /// let rating = rate(&OperationFacts::named("post"), TrustLevel::Validated);
    /// assert_eq!(rating.clone().after(&steps, 9).level, DangerLevel::Reversible);
    /// assert_eq!(rating.after(&steps, 10).to_string(), "destructive, after 10 calls");
    /// ```
    #[must_use]
    pub fn after(self, steps: &[EscalationStep], uses: u64) -> Self {
        let reached = steps.iter().filter(|step| step.uses <= uses);
        reached.fold(self, |rating, step| {
            rating.higher(Self::new(step.level, DangerRule::Repetition(uses)))
        })
    }
}

impl DangerCondition {
    fn holds(&self, arguments: &Value) -> bool {
        let sent = if self.argument.starts_with('/') {
            arguments.pointer(&self.argument)
        } else {
            arguments.get(&*self.argument)
        };
        match (sent, &self.value) {
            (None | Some(Value::Null | Value::Bool(false)), None) | (None, Some(_)) => false,
            (Some(_), None) => true,
            (Some(sent), Some(value)) => is_meant(sent, value),
        }
    }
}

/// Whether a server may take one value for the other: servers coerce, so `"true"` counts as true and `"5"` as 5. An item
/// of a list counts, too.
fn is_meant(sent: &Value, value: &Value) -> bool {
    if let (Value::Array(items), false) = (sent, value.is_array()) {
        return items.iter().any(|item| is_meant(item, value));
    }
    let said = match sent {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            sent.to_string()
        }
    };
    match value {
        Value::Bool(true) => ["true", "1", "1.0", "yes", "y", "on", "t"].contains(&&*said),
        Value::Bool(false) => ["false", "0", "0.0", "no", "n", "off", "f"].contains(&&*said),
        Value::Number(number) => said.parse().ok() == number.as_f64(),
        Value::String(text) => said == text.trim().to_lowercase(),
        Value::Null | Value::Array(_) | Value::Object(_) => sent == value,
    }
}
