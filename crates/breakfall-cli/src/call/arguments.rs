//! The arguments of the call: JSON, which is sent unchanged, and pairs, which get the types of the tool's schema.

use std::path::Path;

use breakfall::validate::Schema;
use breakfall::wire;
use breakfall_gateway::tools::nearest;
use breakfall_mcp::jsonrpc::put_all;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::input;
use crate::report::CommandError;

#[derive(Debug)]
pub(super) struct CallArguments {
    /// An object, on one line.
    json: Box<RawValue>,
    /// Single arguments, which replace those of the object.
    pairs: Vec<(String, String)>,
}

impl CallArguments {
    pub(super) fn none() -> Self {
        Self {
            json: raw("{}".to_owned()),
            pairs: Vec::new(),
        }
    }

    /// Reads JSON, `@FILE`, or `-` for standard input. `label` names the JSON in errors.
    pub(super) fn read(label: &str, source: &str) -> Result<Self, CommandError> {
        let file = match source.strip_prefix('@') {
            Some("") => {
                let error = CommandError::input(format!("{label}: '@' names no file"));
                return Err(error.hint("write the file behind it: @arguments.json"));
            }
            Some(file) => Path::new(file),
            None if source == "-" => Path::new("-"),
            None => return Self::parse(label, source),
        };
        let name = input::name(file);
        let text = input::read(file, MAX_BYTES as u64)?;
        if text.len() > MAX_BYTES {
            let message = format!("{name}: more than {} MiB", MAX_BYTES >> 20);
            return Err(CommandError::input(message).hint("that is the largest request there is"));
        }
        Self::named(&name, &text)
    }

    /// Parses JSON.
    pub(super) fn parse(label: &str, text: &str) -> Result<Self, CommandError> {
        let hint = "quoted for the shell it looks like this: '{\"name\":\"value\"}'";
        Self::named(label, text.as_bytes()).map_err(|error| error.hint(hint))
    }

    fn named(name: &str, bytes: &[u8]) -> Result<Self, CommandError> {
        // JSON that `Value` cannot hold is valid too: half a surrogate pair, a number out of range.
        let lossy = || std::str::from_utf8(bytes).ok().and_then(nearest);
        let value = wire::parse(bytes).or_else(|error| lossy().ok_or(error));
        let value = value.map_err(|error| {
            CommandError::input(format!("{name}, {}: {}", error.place(), error.problem()))
        })?;
        let kind = match value {
            Value::Object(_) => None,
            Value::Array(_) => Some("a list"),
            Value::String(_) => Some("a string"),
            Value::Number(_) => Some("a number"),
            Value::Bool(_) => Some("a boolean"),
            Value::Null => Some("null"),
        };
        if let Some(kind) = kind {
            let message = format!("{name}: expected a JSON object, found {kind}");
            return Err(CommandError::input(message));
        }
        // A message is one line. JSON strings contain no line breaks, and elsewhere they are white space.
        let text = String::from_utf8_lossy(bytes).replace(['\n', '\r'], " ");
        Ok(Self {
            json: raw(text),
            pairs: Vec::new(),
        })
    }

    /// The JSON object alone.
    pub(super) fn into_json(self) -> Box<RawValue> {
        self.json
    }

    /// Adds single arguments.
    pub(super) fn with(mut self, pairs: &[(String, String)]) -> Self {
        self.pairs = pairs.to_vec();
        self
    }

    /// All arguments: the JSON unchanged, single arguments with the types of the schema.
    pub(super) fn typed(&self, schema: Option<&Value>) -> Box<RawValue> {
        if self.pairs.is_empty() {
            return self.json.clone();
        }
        let pairs = self.pairs.iter();
        let words: Value = pairs
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let schema = schema.and_then(|schema| Schema::compile(schema).ok());
        let typed = match &schema {
            Some(schema) => self.with_choices(schema, schema.check(&words).coerced()),
            None => words,
        };
        let Value::Object(typed) = typed else {
            return self.json.clone();
        };
        let typed = typed.into_iter();
        let typed: Vec<_> = typed
            .map(|(name, value)| (name, value.to_string()))
            .collect();
        put_all(self.json.get(), &typed).map_or_else(|| self.json.clone(), raw)
    }

    /// Reads values as JSON where only that fits the schema: an `enum` has no type.
    fn with_choices(&self, schema: &Schema, mut typed: Value) -> Value {
        for (name, word) in &self.pairs {
            if typed[name] != word.as_str() || !is_wrong(schema, &typed, name) {
                continue;
            }
            let Ok(value) = serde_json::from_str(word) else {
                continue;
            };
            let before = std::mem::replace(&mut typed[name], value);
            if is_wrong(schema, &typed, name) {
                typed[name] = before;
            }
        }
        typed
    }
}

fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("valid JSON: parsed before")
}

/// Whether the argument of a name breaks a rule.
fn is_wrong(schema: &Schema, arguments: &Value, name: &str) -> bool {
    let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    let findings = schema.check(arguments);
    findings.iter().any(|finding| finding.pointer() == pointer)
}

/// The largest request. The message around the arguments counts too, which the limit of frames checks.
const MAX_BYTES: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_arguments_are_sent_unchanged() {
        let given =
            CallArguments::parse("it", "{\"b\" : 1.50,\n \"a\":12345678901234567890123}").unwrap();
        assert_eq!(
            given.typed(None).get(),
            r#"{"b" : 1.50,  "a":12345678901234567890123}"#
        );
        let odd = r#"{"cut \ud83d":"\ud800", "n":1e400}"#;
        let given = CallArguments::parse("it", odd).unwrap();
        assert_eq!(given.typed(None).get(), odd);
        let given = given.with(&[("n".to_owned(), "x".to_owned())]);
        assert_eq!(
            given.typed(None).get(),
            r#"{"cut \ud83d":"\ud800", "n":"x"}"#
        );
        for wrong in [r#"{"a":"\ud8"}"#, r#"{"a":1e}"#, "{\"a\":\"\n\"}"] {
            assert!(CallArguments::parse("it", wrong).is_err(), "{wrong}");
        }
        let deep = format!("{{\"a\":{}1e400{}}}", "[".repeat(200), "]".repeat(200));
        assert!(CallArguments::parse("it", &deep).is_err());
        assert!(CallArguments::named("it", b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn single_arguments_get_the_types_of_the_schema_and_win() {
        let schema = json!({"properties": {
            "n": {"type": "integer"}, "on": {"type": "boolean"}, "s": {"type": "string"},
        }});
        let pairs = [
            ("n", "2"),
            ("on", "true"),
            ("s", "3"),
            ("x", "4"),
            ("y", "5"),
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let given = CallArguments::parse("it", r#"{"y":1e2,"z":1.0}"#)
            .unwrap()
            .with(&pairs);
        assert_eq!(
            given.typed(Some(&schema)).get(),
            r#"{"y":"5","z":1.0,"n":2,"on":true,"s":"3","x":"4"}"#
        );
    }

    #[test]
    fn single_arguments_become_one_of_the_choices() {
        let schema = json!({"properties": {
            "e": {"enum": [1, 2]}, "c": {"const": true}, "s": {"enum": ["1", 1]}, "w": {"enum": [1, 2]},
        }});
        let pairs = [("e", "1"), ("c", "true"), ("s", "1"), ("w", "3")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let given = CallArguments::none().with(&pairs);
        assert_eq!(
            given.typed(Some(&schema)).get(),
            r#"{"c":true,"e":1,"s":"1","w":"3"}"#
        );
    }
}
