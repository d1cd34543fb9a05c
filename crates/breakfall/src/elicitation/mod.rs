//! A question to the user. A normal step of the conversation, not an error.

mod correct;
mod form;

use serde_json::{Map, Value, json};

use correct::Correction;

/// What is needed, why, and what could be answered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct Elicitation {
    pub(crate) message: Box<str>,
    pub(crate) fields: Vec<String>,
    pub(crate) reason: Option<Box<str>>,
    /// Field → values that would do, in the order they should be offered; sorted by field.
    pub(crate) suggestions: Vec<(String, Vec<String>)>,
    pub(crate) options: Vec<Choice>,
    /// What it was made of, if that was us.
    correction: Option<Box<Correction>>,
}

/// One answer to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a plain record of the wire format"
)]
pub struct Choice {
    /// What the user sees.
    pub label: String,
    /// What the tool gets.
    pub value: String,
    /// More about it.
    pub description: Option<String>,
    /// The field it answers.
    pub field: Option<String>,
}

/// The discriminator of the wire object.
pub(crate) const KIND: &str = "needsInput:v1";

impl Elicitation {
    /// A question.
    pub fn new(message: impl Into<Box<str>>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    /// A field that has to be filled.
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.fields.push(name.into());
        self
    }

    /// Why it is needed.
    pub fn reason(mut self, reason: impl Into<Box<str>>) -> Self {
        self.reason = Some(reason.into()).filter(|reason| !reason.is_empty());
        self
    }

    /// Values that would do for a field. None given means none known: nothing is shown.
    pub fn suggest<S: Into<String>>(
        mut self,
        field: &str,
        values: impl IntoIterator<Item = S>,
    ) -> Self {
        let values: Vec<String> = values.into_iter().map(Into::into).collect();
        self.suggestions.retain(|(have, _)| have != field);
        if !values.is_empty() {
            let at = self
                .suggestions
                .partition_point(|(have, _)| have.as_str() < field);
            self.suggestions.insert(at, (field.to_owned(), values));
        }
        self
    }

    /// An answer to choose.
    pub fn option(mut self, choice: Choice) -> Self {
        self.options.push(choice);
        self
    }

    /// The question.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The fields that have to be filled.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// Why they are needed.
    pub fn reason_text(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Values that would do for a field, in the order they should be offered.
    pub fn suggestions(&self, field: &str) -> &[String] {
        let found = self.suggestions.iter().find(|(have, _)| have == field);
        found.map_or(&[], |(_, values)| values)
    }

    /// The answers to choose from.
    pub fn options(&self) -> &[Choice] {
        &self.options
    }

    /// The `needsInput:v1` object.
    pub(crate) fn to_value(&self) -> Value {
        let mut object = json!({"kind": KIND, "type": "elicitation", "message": self.message});
        if !self.fields.is_empty() || self.reason.is_some() || !self.suggestions.is_empty() {
            let mut needs = Map::new();
            needs.insert("fields".into(), self.fields.clone().into());
            needs.insert(
                "reason".into(),
                self.reason.as_deref().unwrap_or_default().into(),
            );
            if !self.suggestions.is_empty() {
                let all = self
                    .suggestions
                    .iter()
                    .map(|(field, values)| (field.clone(), values.clone().into()));
                needs.insert("suggestions".into(), Value::Object(all.collect()));
            }
            object["needsInput"] = Value::Object(needs);
        }
        if !self.options.is_empty() {
            object["options"] = self.options.iter().map(Choice::to_value).collect();
        }
        object
    }

    /// Reads a `needsInput:v1` object; anything else gives nothing.
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        if value.get("kind")?.as_str()? != KIND {
            return None;
        }
        let mut question = Self::new(
            value
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or_default(),
        );
        if let Some(needs) = value.get("needsInput") {
            question.fields = texts(needs.get("fields"));
            let reason = needs
                .get("reason")
                .and_then(Value::as_str)
                .filter(|reason| !reason.is_empty());
            question.reason = reason.map(Into::into);
            for (field, values) in needs
                .get("suggestions")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                question = question.suggest(field, texts(Some(values)));
            }
        }
        let options = value
            .get("options")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        question.options = options.filter_map(Choice::from_value).collect();
        Some(question)
    }
}

impl Choice {
    fn to_value(&self) -> Value {
        let mut object = json!({"label": self.label, "value": self.value});
        for (key, text) in [("description", &self.description), ("field", &self.field)] {
            if let Some(text) = text {
                object[key] = text.as_str().into();
            }
        }
        object
    }

    fn from_value(value: &Value) -> Option<Self> {
        let text = |key| value.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            label: text("label")?,
            value: text("value")?,
            description: text("description"),
            field: text("field"),
        })
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}
