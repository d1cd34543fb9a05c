//! The arguments of the call: as they were given, to the letter, and those typed by the tool's schema.

use std::fs::File;
use std::io::{self, Read};

use breakfall::validate::Schema;
use breakfall::wire;
use breakfall_gateway::tools::nearest;
use breakfall_mcp::jsonrpc::put_all;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::out::{self, reason};
use crate::report::Problem;

#[derive(Debug)]
pub(super) struct Arguments {
    /// An object, on one line.
    given: Box<RawValue>,
    /// Names and values on top of it.
    pairs: Vec<(String, String)>,
}

impl Arguments {
    pub(super) fn none() -> Self {
        Self {
            given: raw("{}".to_owned()),
            pairs: Vec::new(),
        }
    }

    /// Takes JSON, a file, or standard input. Of JSON it is told what it was meant as.
    pub(super) fn read(meant: &str, source: &str) -> Result<Self, Problem> {
        let (name, text) = match source.strip_prefix('@') {
            Some("") => {
                let problem = Problem::input(format!("{meant}: '@' names no file"));
                return Err(problem.hint("write the file behind it: @arguments.json"));
            }
            Some(path) => (path, File::open(path).and_then(capped)),
            None if source == "-" => {
                out::waiting();
                ("standard input", capped(io::stdin().lock()))
            }
            None => return Self::parse(meant, source),
        };
        let text = text
            .map_err(|error| Problem::input(format!("cannot read {name}: {}", reason(&error))))?;
        if text.len() > MOST {
            let what = format!("{name}: more than {} MiB", MOST >> 20);
            return Err(Problem::input(what).hint("that is the largest request there is"));
        }
        Self::named(name, &text)
    }

    /// Takes JSON.
    pub(super) fn parse(meant: &str, text: &str) -> Result<Self, Problem> {
        let hint = "quoted for the shell it looks like this: '{\"name\":\"value\"}'";
        Self::named(meant, text.as_bytes()).map_err(|problem| problem.hint(hint))
    }

    fn named(name: &str, bytes: &[u8]) -> Result<Self, Problem> {
        // What no value of ours holds may be an argument all the same: half a character, a number beyond all others.
        let odd = || std::str::from_utf8(bytes).ok().and_then(nearest);
        let value = wire::parse(bytes).or_else(|error| odd().ok_or(error));
        let value = value.map_err(|error| {
            Problem::input(format!("{name}, {}: {}", error.place(), error.problem()))
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
            let what = format!("{name}: expected a JSON object, found {kind}");
            return Err(Problem::input(what));
        }
        // A message is one line. Inside strings JSON has no line breaks, and elsewhere they mean nothing.
        let text = String::from_utf8_lossy(bytes).replace(['\n', '\r'], " ");
        Ok(Self {
            given: raw(text),
            pairs: Vec::new(),
        })
    }

    /// The object that was given.
    pub(super) fn given(self) -> Box<RawValue> {
        self.given
    }

    /// Adds names and values.
    pub(super) fn with(mut self, pairs: &[(String, String)]) -> Self {
        self.pairs = pairs.to_vec();
        self
    }

    /// All of them, the values of pairs as what the schema says they are. What was given as JSON stays as it is.
    pub(super) fn typed(&self, schema: Option<&Value>) -> Box<RawValue> {
        if self.pairs.is_empty() {
            return self.given.clone();
        }
        let pairs = self.pairs.iter();
        let words: Value = pairs
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let schema = schema.and_then(|schema| Schema::compile(schema).ok());
        let typed = match &schema {
            Some(schema) => self.meant(schema, schema.check(&words).coerced()),
            None => words,
        };
        let Value::Object(typed) = typed else {
            return self.given.clone();
        };
        let typed = typed.into_iter();
        let typed: Vec<_> = typed
            .map(|(name, value)| (name, value.to_string()))
            .collect();
        put_all(self.given.get(), &typed).map_or_else(|| self.given.clone(), raw)
    }

    /// With values that are right only if they are read as JSON: choices have no type.
    fn meant(&self, schema: &Schema, mut typed: Value) -> Value {
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
    RawValue::from_string(json).expect("parsed before, or written by us")
}

/// Whether the argument of a name breaks a rule.
fn is_wrong(schema: &Schema, arguments: &Value, name: &str) -> bool {
    let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    let findings = schema.check(arguments);
    findings.iter().any(|finding| finding.pointer() == pointer)
}

/// All of it, or enough to see that it is too much.
fn capped(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MOST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What no request can carry: the message around it needs some room too, which the limit of messages sees to.
const MOST: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_given_stays_to_the_letter() {
        let given =
            Arguments::parse("it", "{\"b\" : 1.50,\n \"a\":12345678901234567890123}").unwrap();
        assert_eq!(
            given.typed(None).get(),
            r#"{"b" : 1.50,  "a":12345678901234567890123}"#
        );
        let odd = r#"{"cut \ud83d":"\ud800", "n":1e400}"#;
        let given = Arguments::parse("it", odd).unwrap();
        assert_eq!(given.typed(None).get(), odd);
        let given = given.with(&[("n".to_owned(), "x".to_owned())]);
        assert_eq!(
            given.typed(None).get(),
            r#"{"cut \ud83d":"\ud800", "n":"x"}"#
        );
        for wrong in [r#"{"a":"\ud8"}"#, r#"{"a":1e}"#, "{\"a\":\"\n\"}"] {
            assert!(Arguments::parse("it", wrong).is_err(), "{wrong}");
        }
        let deep = format!("{{\"a\":{}1e400{}}}", "[".repeat(200), "]".repeat(200));
        assert!(Arguments::parse("it", &deep).is_err());
        assert!(Arguments::named("it", b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn pairs_are_what_the_schema_says_and_win() {
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
        let given = Arguments::parse("it", r#"{"y":1e2,"z":1.0}"#)
            .unwrap()
            .with(&pairs);
        assert_eq!(
            given.typed(Some(&schema)).get(),
            r#"{"y":"5","z":1.0,"n":2,"on":true,"s":"3","x":"4"}"#
        );
    }

    #[test]
    fn pairs_are_one_of_the_choices_there_are() {
        let schema = json!({"properties": {
            "e": {"enum": [1, 2]}, "c": {"const": true}, "s": {"enum": ["1", 1]}, "w": {"enum": [1, 2]},
        }});
        let pairs = [("e", "1"), ("c", "true"), ("s", "1"), ("w", "3")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let given = Arguments::none().with(&pairs);
        assert_eq!(
            given.typed(Some(&schema)).get(),
            r#"{"c":true,"e":1,"s":"1","w":"3"}"#
        );
    }
}
