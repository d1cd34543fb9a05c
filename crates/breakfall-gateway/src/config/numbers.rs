//! Settings whose values are numbers: durations, sizes, counts, shares.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::kinds::extended;
use super::problem::ConfigProblem;
use super::reader::Reader;
use super::schema::Definitions;
use super::setting::Kind;
use super::tree::{YamlNode, YamlValue};
use super::units::{self, show_duration, show_size};

/// A duration.
pub(super) fn duration() -> DurationKind {
    DurationKind {
        shortest: Duration::ZERO,
    }
}

/// A duration of a millisecond or more.
pub(super) fn positive_duration() -> DurationKind {
    DurationKind {
        shortest: Duration::from_millis(1),
    }
}

pub(super) struct DurationKind {
    shortest: Duration,
}

impl Kind for DurationKind {
    type Value = Duration;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&Duration>,
        reader: &mut Reader<'_>,
    ) -> Option<Duration> {
        let (YamlValue::Text(text) | YamlValue::Number(text)) = &node.value else {
            let problem = ConfigProblem::new(format!("expected a duration, got {}", node.kind()));
            return reader.refuse(node, problem.hint(units::DURATION_HINT));
        };
        let problem = match units::duration(text) {
            Ok(time) if time > units::MAX_TIME => {
                ConfigProblem::new(format!("'{text}' is too long")).hint("the longest is 30d")
            }
            Ok(time) if time < self.shortest => {
                ConfigProblem::new("no time at all is too short").hint("the shortest is 1ms")
            }
            Ok(time) => return Some(time),
            Err(_) if matches!(node.value, YamlValue::Number(_)) => {
                ConfigProblem::new(format!("{text} has no unit"))
                    .label(format!("did you mean {text}s?"))
                    .hint(units::DURATION_HINT)
            }
            Err(reason) => ConfigProblem::new(format!("'{text}' is no duration: {reason}"))
                .hint(units::DURATION_HINT),
        };
        reader.refuse(node, problem)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "type": "string",
            "pattern": units::DURATION_PATTERN,
            "examples": ["250ms", "30s", "5m", "1h30m"],
        })
    }

    fn default(&self, value: &Duration) -> Option<Json> {
        Some(json!(show_duration(*value)))
    }
}

/// A duration of a millisecond or more, or `off`.
pub(super) fn duration_or_off() -> DurationOrOffKind {
    DurationOrOffKind
}

pub(super) struct DurationOrOffKind;

impl Kind for DurationOrOffKind {
    type Value = Option<Duration>;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        match &node.value {
            YamlValue::Bool(false) => Some(None),
            YamlValue::Text(text) if text == "off" => Some(None),
            YamlValue::Bool(true)
            | YamlValue::Text(_)
            | YamlValue::Number(_)
            | YamlValue::Null
            | YamlValue::List(_)
            | YamlValue::Map(_) => positive_duration().read(node, None, reader).map(Some),
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "anyOf": [
                {"type": "string", "pattern": units::DURATION_PATTERN},
                {"enum": ["off", false]},
            ],
            "examples": ["10s", "1m", "off"],
        })
    }

    fn default(&self, value: &Self::Value) -> Option<Json> {
        let shown = value.map_or_else(|| "off".to_owned(), show_duration);
        Some(json!(shown))
    }
}

/// A number of bytes within bounds.
pub(super) fn size(bounds: RangeInclusive<u64>) -> SizeKind {
    SizeKind(bounds)
}

pub(super) struct SizeKind(RangeInclusive<u64>);

impl Kind for SizeKind {
    type Value = usize;

    fn read(&self, node: &YamlNode, _: Option<&usize>, reader: &mut Reader<'_>) -> Option<usize> {
        let bytes = match &node.value {
            YamlValue::Number(text) => text
                .parse()
                .map_err(|_| format!("{text} is no number of bytes")),
            YamlValue::Text(text) => {
                units::size(text).map_err(|reason| format!("'{text}' is no size: {reason}"))
            }
            YamlValue::Null | YamlValue::Bool(_) | YamlValue::List(_) | YamlValue::Map(_) => {
                Err(format!("expected a size, got {}", node.kind()))
            }
        };
        let problem = match bytes {
            Ok(bytes) if self.0.contains(&bytes) => return usize::try_from(bytes).ok(),
            Ok(_) => {
                let (least, most) = (show_size(*self.0.start()), show_size(*self.0.end()));
                ConfigProblem::new("this limit is out of bounds")
                    .hint(format!("it is between {least} and {most}"))
            }
            Err(message) => ConfigProblem::new(message).hint(units::SIZE_HINT),
        };
        reader.refuse(node, problem)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "type": ["string", "integer"],
            "pattern": units::SIZE_PATTERN,
            "minimum": 0,
            "examples": ["512KiB", "16MiB", "64 MB"],
        })
    }

    fn default(&self, value: &usize) -> Option<Json> {
        Some(json!(show_size(u64::try_from(*value).unwrap_or(u64::MAX))))
    }
}

/// A whole number that limits something, within bounds.
pub(super) fn limit<T>(bounds: RangeInclusive<u64>) -> NumberKind<T> {
    NumberKind {
        bounds,
        what: "limit",
        hint: None,
        kind: PhantomData,
    }
}

/// A whole number within bounds, with a hint for those beyond.
pub(super) fn number<T>(bounds: RangeInclusive<u64>, hint: &'static str) -> NumberKind<T> {
    NumberKind {
        bounds,
        what: "number",
        hint: Some(hint),
        kind: PhantomData,
    }
}

pub(super) struct NumberKind<T> {
    bounds: RangeInclusive<u64>,
    what: &'static str,
    hint: Option<&'static str>,
    kind: PhantomData<T>,
}

impl<T: TryFrom<u64> + Display> Kind for NumberKind<T> {
    type Value = T;

    fn read(&self, node: &YamlNode, _: Option<&T>, reader: &mut Reader<'_>) -> Option<T> {
        let YamlValue::Number(text) = &node.value else {
            return reader.wrong(node, "a whole number");
        };
        let Ok(number) = text.parse::<u64>() else {
            let problem = format!("expected a whole number that is not negative, got {text}");
            return reader.refuse(node, ConfigProblem::new(problem));
        };
        let number = Some(number).filter(|number| self.bounds.contains(number));
        if let Some(number) = number.and_then(|number| T::try_from(number).ok()) {
            return Some(number);
        }
        let (least, most) = (self.bounds.start(), self.bounds.end());
        let problem = ConfigProblem::new(format!("this {} is out of bounds", self.what))
            .hint(format!("it is between {least} and {most}"));
        reader.refuse(
            node,
            match self.hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            },
        )
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let (least, most) = (self.bounds.start(), self.bounds.end());
        json!({"type": "integer", "minimum": least, "maximum": most})
    }

    fn default(&self, value: &T) -> Option<Json> {
        serde_json::from_str(&value.to_string()).ok()
    }
}

/// A number that is not negative.
pub(super) fn amount() -> AmountKind {
    AmountKind
}

/// A share, above 0 and up to 1.
pub(super) fn share() -> ShareKind {
    ShareKind
}

pub(super) struct AmountKind;

pub(super) struct ShareKind;

impl Kind for AmountKind {
    type Value = f64;

    fn read(&self, node: &YamlNode, _: Option<&f64>, reader: &mut Reader<'_>) -> Option<f64> {
        let YamlValue::Number(text) = &node.value else {
            return reader.wrong(node, "a number");
        };
        match text.parse::<f64>() {
            Ok(amount) if amount.is_finite() && amount >= 0.0 => Some(amount),
            _ => {
                let problem = format!("expected a number that is not negative, got {text}");
                reader.refuse(node, ConfigProblem::new(problem))
            }
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "number", "minimum": 0})
    }
}

impl Kind for ShareKind {
    type Value = f64;

    fn read(&self, node: &YamlNode, _: Option<&f64>, reader: &mut Reader<'_>) -> Option<f64> {
        let share = AmountKind.read(node, None, reader)?;
        if share > 0.0 && share <= 1.0 {
            return Some(share);
        }
        let problem = ConfigProblem::new("this is no share of calls")
            .hint("it is above 0, and 1 at most: 0.5 is half of them");
        reader.refuse(
            node,
            if share > 1.0 && share <= 100.0 {
                problem.label(format!("did you mean {}?", share / 100.0))
            } else {
                problem
            },
        )
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        extended(
            AmountKind.schema(definitions),
            &json!({"exclusiveMinimum": 0, "maximum": 1}),
        )
    }

    fn default(&self, value: &f64) -> Option<Json> {
        Some(json!(value))
    }
}
