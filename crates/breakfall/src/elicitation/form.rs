//! A question as the form of an elicitation: a flat schema of strings, numbers and choices.

use serde_json::{Map, Value, json};

use super::Elicitation;

impl Elicitation {
    /// The schema of the form that asks for the fields, where there are any. `arguments` is the input schema of the tool,
    /// which knows the types of its parameters; without it all are texts.
    ///
    /// ```
    /// use breakfall::Elicitation;
    /// use serde_json::{Value, json};
    ///
    /// let question = Elicitation::new("Which till?").field("till").suggest("till", ["left", "right"]);
    /// let form = question.form(&Value::Null).expect("it has a field");
    /// assert_eq!(form["properties"]["till"]["enum"], json!(["left", "right"]));
    /// assert_eq!(form["required"], json!(["till"]));
    /// ```
    pub fn form(&self, arguments: &Value) -> Option<Value> {
        if self.fields.is_empty() {
            return None;
        }
        let mut properties = Map::new();
        for field in &self.fields {
            let stated = &arguments["properties"][field.as_str()];
            properties.insert(field.clone(), self.property(field, stated));
        }
        Some(json!({"type": "object", "properties": properties, "required": self.fields}))
    }

    /// One field: a string, a number or a choice.
    fn property(&self, field: &str, stated: &Value) -> Value {
        let kind = kind(stated).unwrap_or("string");
        let mut property = json!({"type": kind});
        for key in ["title", "description"] {
            if let Some(text) = stated.get(key).and_then(Value::as_str) {
                property[key] = text.into();
            }
        }
        if property.get("description").is_none()
            && let Some(reason) = self.reason_text()
        {
            property["description"] = match self.question_for(field) {
                Some(what) => format!("{what} {reason}").into(),
                None => reason.into(),
            };
        }
        if kind != "string" {
            copy(stated, &["minimum", "maximum"], &mut property);
            return property;
        }
        self.choose(field, stated, &mut property);
        property
    }

    /// What a string may be: the options of the question, else its suggestions, else what the schema lists or bounds.
    fn choose(&self, field: &str, stated: &Value, property: &mut Value) {
        let options = self.options().iter();
        let options: Vec<_> = options
            .filter(|choice| choice.field.as_deref().is_none_or(|of| of == field))
            .collect();
        let values = self.suggestions(field);
        if !options.is_empty() {
            property["enum"] = options.iter().map(|choice| choice.value.as_str()).collect();
            property["enumNames"] = options.iter().map(|choice| choice.label.as_str()).collect();
        } else if !values.is_empty() {
            property["enum"] = values.into();
        } else if let Some(choices) = choices(stated) {
            property["enum"] = choices;
        } else {
            bound(stated, property);
        }
    }
}

/// The type of a plain value, `null` aside: an optional parameter is asked for like any other.
fn kind(stated: &Value) -> Option<&str> {
    let kind = stated.get("type")?;
    let kinds = kind
        .as_array()
        .map_or(std::slice::from_ref(kind), Vec::as_slice);
    let kinds = kinds.iter().filter_map(Value::as_str);
    let mut kinds = kinds.filter(|kind| *kind != "null");
    let only = kinds.next().filter(|_| kinds.next().is_none())?;
    matches!(only, "string" | "number" | "integer" | "boolean").then_some(only)
}

/// The values of an enumeration of strings, if a form can list them.
fn choices(stated: &Value) -> Option<Value> {
    let all = stated.get("enum")?.as_array()?;
    let is_one = |value: &Value| {
        value
            .as_str()
            .is_some_and(|text| text.len() <= MAX_CHOICE_BYTES)
    };
    let fits = !all.is_empty() && all.len() <= MAX_CHOICES && all.iter().all(is_one);
    fits.then(|| all.clone().into())
}

/// Takes over constraints of a string that forms support; a value that breaks another constraint is asked for again.
/// The length is bounded in any case.
fn bound(stated: &Value, property: &mut Value) {
    let length = |key: &str| stated.get(key).and_then(Value::as_u64);
    let most = length("maxLength").map_or(MAX_ANSWER_CHARS, |most| most.min(MAX_ANSWER_CHARS));
    property["maxLength"] = most.into();
    if let Some(least) = length("minLength").filter(|least| (1..=most).contains(least)) {
        property["minLength"] = least.into();
    }
    let format = stated.get("format").and_then(Value::as_str);
    if let Some(format) = format.filter(|format| FORMATS.contains(format)) {
        property["format"] = format.into();
    }
}

/// Takes over numeric constraints.
fn copy(stated: &Value, keys: &[&str], property: &mut Value) {
    for key in keys {
        if let Some(number) = stated.get(*key).filter(|value| value.is_number()) {
            property[*key] = number.clone();
        }
    }
}

/// The string formats that forms support.
const FORMATS: &[&str] = &["email", "uri", "date", "date-time"];
/// The number of choices of a form.
const MAX_CHOICES: usize = 50;
/// The length of a choice.
const MAX_CHOICE_BYTES: usize = 200;
/// The length of an answer.
const MAX_ANSWER_CHARS: u64 = 1000;
