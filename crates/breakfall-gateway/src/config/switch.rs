//! Settings that can be switched off.

use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;

use serde_json::{Value as Json, json};

use super::problem::ConfigProblem;
use super::reader::Reader;
use super::schema::Definitions;
use super::setting::{Kind, Section};
use super::tree::{Node, Value};

/// Something that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third state")]
pub enum Switch<T> {
    /// It is not done.
    Off,
    /// It is done, with these settings.
    On(T),
}

impl<T> Switch<T> {
    /// The settings, if it is on.
    ///
    /// ```
    /// use breakfall_gateway::config::Switch;
    ///
    /// assert_eq!(Switch::On(3).on(), Some(3));
    /// assert_eq!(Switch::<u8>::Off.on(), None);
    /// ```
    pub fn on(self) -> Option<T> {
        match self {
            Self::Off => None,
            Self::On(value) => Some(value),
        }
    }
}

impl<T: Display> Display for Switch<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::On(value) => Display::fmt(value, f),
        }
    }
}

/// A section, or `on` or `off`.
pub(super) fn switch<S: Section>() -> SwitchKind<S> {
    SwitchKind(PhantomData)
}

/// The same, where `None` is off.
pub(super) fn on_or_off<S: Section>() -> OnOrOff<S> {
    OnOrOff(PhantomData)
}

pub(super) struct SwitchKind<S>(PhantomData<S>);

pub(super) struct OnOrOff<S>(PhantomData<S>);

impl<S: Section> Kind for SwitchKind<S> {
    type Value = Switch<S>;

    fn read(
        &self,
        node: &Node,
        before: Option<&Switch<S>>,
        reader: &mut Reader<'_>,
    ) -> Option<Switch<S>> {
        let on = || match before {
            Some(Switch::On(before)) => before.clone(),
            Some(Switch::Off) | None => S::default(),
        };
        match &node.value {
            Value::Bool(false) => Some(Switch::Off),
            Value::Text(text) if text == "off" => Some(Switch::Off),
            Value::Bool(true) => Some(Switch::On(reader.settings(&[], on()))),
            Value::Text(text) if text == "on" => Some(Switch::On(reader.settings(&[], on()))),
            Value::Map(entries) => Some(Switch::On(reader.settings(entries, on()))),
            Value::Text(_) | Value::Null | Value::Number(_) | Value::List(_) => {
                let message = format!("expected a map, on or off, got {}", node.kind());
                let hint = format!("for example {}", S::EXAMPLE);
                reader.refuse(node, ConfigProblem::new(message).hint(hint))
            }
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"anyOf": [
            definitions.reference::<S>(),
            {"enum": ["on", "off", true, false]},
        ]})
    }
}

impl<S: Section> Kind for OnOrOff<S> {
    type Value = Option<S>;

    fn read(
        &self,
        node: &Node,
        before: Option<&Option<S>>,
        reader: &mut Reader<'_>,
    ) -> Option<Option<S>> {
        let before = before.and_then(Option::clone).map(Switch::On);
        let read = switch::<S>().read(node, before.as_ref(), reader);
        read.map(Switch::on)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        switch::<S>().schema(definitions)
    }
}
