//! A row described by a map, as configuration files have it: reading it and saying what is wrong.

use serde_json::{Map, Value};

use super::draft::{DraftDetail, RowDraft};
use super::registry::{Catalog, Problem};
use super::{codes, usual};
use crate::code::{Category, Code, Hint, Retry, Shape};
use crate::suggest;

/// Reads a row, noting everything that is wrong with it. Without a problem there is a draft.
pub(super) fn read(
    name: &str,
    row: &Map<String, Value>,
    catalog: &Catalog,
    problems: &mut Vec<Problem>,
) -> Option<RowDraft> {
    let mut reader = RowReader { row, problems };
    reader.known_keys("", row, KEYS);
    let base = reader.base(catalog);
    let extends = row.contains_key("extends");
    let mut draft = RowDraft {
        name: name.to_owned(),
        base: base.unwrap_or(codes::INTERNAL_ERROR),
        message: reader.text("message_template"),
        remediation: reader.text("remediation"),
        user: reader.text("user_message"),
        meaning: reader.text("meaning"),
        when: reader.text("when"),
        retry: reader.word("retry", Retry::from_word, Retry::ALL, Retry::as_str),
        http: reader.http(),
        hint: reader.word("hint", Hint::from_word, Hint::ALL, Hint::as_str),
        actions: reader.actions(),
        details: reader.details(),
    };
    reader.adapter_keys();
    if !extends && base.is_some() && !row.contains_key("message_template") {
        let fix = "say what happened, for example \"Order '{order_id}' not found\"";
        reader.problem("message_template", "a row without 'extends' needs one", fix);
    }
    if extends {
        draft.inherit_details();
    }
    if !row.contains_key("details") {
        draft.declare_placeholders();
    }
    problems.extend(draft.lint());
    base.map(|_| draft)
}

/// The problem of a status no failure can have.
pub(super) fn bad_http(got: &str) -> Problem {
    Problem::new(
        "http",
        format!("{got} is no HTTP status of a failure"),
        "use an integer from 400 to 599",
    )
}

/// Reads the values of a row and collects the problems in them.
struct RowReader<'a, 'p> {
    row: &'a Map<String, Value>,
    problems: &'p mut Vec<Problem>,
}

impl RowReader<'_, '_> {
    fn problem(
        &mut self,
        field: impl Into<String>,
        problem: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.problems.push(Problem::new(field, problem, fix));
    }

    fn wrong_type(&mut self, field: &str, wanted: &str, got: &Value) {
        self.problem(
            field,
            format!("expected {wanted}, got {}", kind(got)),
            format!("give {wanted}"),
        );
    }

    fn known_keys(&mut self, prefix: &str, map: &Map<String, Value>, allowed: &[&'static str]) {
        for key in map.keys().filter(|key| !allowed.contains(&key.as_str())) {
            let fix = did_you_mean(key, allowed);
            self.problem(
                format!("{prefix}{key}"),
                format!("unknown key '{key}'"),
                fix,
            );
        }
    }

    fn text(&mut self, key: &str) -> Option<String> {
        let value = self.row.get(key)?;
        let Some(text) = value.as_str() else {
            self.wrong_type(key, "text", value);
            return None;
        };
        if text.trim().is_empty() {
            let fix = "write a sentence or leave the field out";
            self.problem(key, "the text is empty", fix);
            return None;
        }
        Some(text.to_owned())
    }

    fn word<T: Copy>(
        &mut self,
        key: &str,
        parse: fn(&str) -> Option<T>,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let word = self.text(key)?;
        let value = parse(&word);
        if value.is_none() {
            let allowed: Vec<&str> = all.iter().map(|value| name(*value)).collect();
            self.problem(
                key,
                format!("unknown value '{word}'"),
                did_you_mean(&word, &allowed),
            );
        }
        value
    }

    fn base(&mut self, catalog: &Catalog) -> Option<Code> {
        let extends = self.text("extends");
        let category = self.text("category");
        let row = self.row;
        if !row.contains_key("extends") && !row.contains_key("category") {
            let fix = "say which code the row extends, or its category";
            self.problem("extends", "neither 'extends' nor 'category' is given", fix);
        }
        let code = extends.and_then(|name| self.extended(&name, catalog));
        let usual = category.and_then(|word| self.usual_of(&word));
        if let (Some(code), Some(usual)) = (code, usual)
            && code.category() != usual.category()
        {
            let problem = format!("'{code}' has the category '{}'", code.category());
            self.problem(
                "category",
                problem,
                "leave it out: the row takes it over from the code it extends",
            );
        }
        code.or(usual)
    }

    fn extended(&mut self, name: &str, catalog: &Catalog) -> Option<Code> {
        let code = catalog.get(name);
        if code.is_none() {
            let fix = match catalog.suggest(name) {
                Some(code) => format!("did you mean '{code}'?"),
                None => "name a built-in code or a row registered before this one".to_owned(),
            };
            self.problem("extends", format!("there is no code '{name}'"), fix);
        }
        code
    }

    fn usual_of(&mut self, word: &str) -> Option<Code> {
        let prefix = PREFIXES
            .iter()
            .find(|(prefix, _)| *prefix == word)
            .map(|(_, code)| *code);
        let code = prefix.or_else(|| Category::from_word(word).map(usual));
        if code.is_none() {
            let words = Category::ALL.iter().map(|category| category.as_str());
            let allowed: Vec<&str> = words
                .chain(PREFIXES.iter().map(|(prefix, _)| *prefix))
                .collect();
            self.problem(
                "category",
                format!("unknown category '{word}'"),
                did_you_mean(word, &allowed),
            );
        }
        code
    }

    fn http(&mut self) -> Option<u16> {
        let value = self.row.get("http")?;
        let status = value.as_u64().and_then(|status| u16::try_from(status).ok());
        let status = status.filter(|status| (400..=599).contains(status));
        if status.is_none() {
            self.problems.push(bad_http(&value.to_string()));
        }
        status
    }

    fn actions(&mut self) -> Option<Vec<String>> {
        let value = self.row.get("actions")?;
        let actions: Option<Vec<String>> = value
            .as_array()
            .map(Vec::as_slice)
            .filter(|items| !items.is_empty())
            .and_then(|items| {
                items
                    .iter()
                    .map(|item| item.as_str().map(str::to_owned))
                    .collect()
            });
        if actions.is_none() {
            self.wrong_type("actions", "a list of one or more names", value);
        }
        actions
    }

    fn details(&mut self) -> Vec<DraftDetail> {
        match self.row.get("details") {
            None => Vec::new(),
            Some(Value::Object(details)) => details
                .iter()
                .filter_map(|(name, spec)| self.detail(name, spec))
                .collect(),
            Some(other) => {
                self.wrong_type("details", "an object", other);
                Vec::new()
            }
        }
    }

    fn detail(&mut self, name: &str, spec: &Value) -> Option<DraftDetail> {
        let field = format!("details.{name}");
        if !is_key(name) {
            let problem = format!("'{name}' is not lower-case words joined by underscores");
            self.problem(&field, problem, "write it as in order_id");
        }
        let Value::Object(spec) = spec else {
            self.wrong_type(&field, "an object with a type", spec);
            return None;
        };
        self.known_keys(&format!("{field}."), spec, &["type", "required", "about"]);
        let shape = self.shape(&field, spec.get("type"));
        let required = self.inner(&field, spec, "required", "true or false", Value::as_bool);
        let about = self.inner(&field, spec, "about", "text", Value::as_str);
        Some(DraftDetail {
            name: name.to_owned(),
            shape: shape?,
            required: required.unwrap_or(false),
            about: about.unwrap_or_default().to_owned(),
        })
    }

    fn inner<'v, T>(
        &mut self,
        field: &str,
        spec: &'v Map<String, Value>,
        key: &str,
        wanted: &str,
        take: fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        let value = spec.get(key)?;
        let taken = take(value);
        if taken.is_none() {
            self.wrong_type(&format!("{field}.{key}"), wanted, value);
        }
        taken
    }

    fn shape(&mut self, field: &str, value: Option<&Value>) -> Option<Shape> {
        let field = format!("{field}.type");
        let allowed: Vec<&str> = SHAPES.iter().map(|(word, _)| *word).collect();
        match value {
            Some(Value::String(word)) => {
                let shape = SHAPES
                    .iter()
                    .find(|(known, _)| known == word)
                    .map(|(_, shape)| *shape);
                if shape.is_none() {
                    let fix = did_you_mean(word, &allowed);
                    self.problem(field, format!("unknown type '{word}'"), fix);
                }
                shape
            }
            Some(other) => {
                self.wrong_type(&field, "the name of a type", other);
                None
            }
            None => {
                self.problem(
                    field,
                    "the type is missing",
                    format!("use one of {}", allowed.join(", ")),
                );
                None
            }
        }
    }

    /// These two say when an adapter raises the code. They are checked here, so that a mistake is reported with
    /// the rest, and used there.
    fn adapter_keys(&mut self) {
        let row = self.row;
        if let Some(value) = row.get("maps_from_http")
            && !value
                .as_array()
                .is_some_and(|items| items.iter().all(Value::is_u64))
        {
            self.wrong_type("maps_from_http", "a list of HTTP statuses", value);
        }
        self.text("condition");
    }
}

fn did_you_mean(word: &str, allowed: &[&str]) -> String {
    match suggest::nearest(word, allowed.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("use one of {}", allowed.join(", ")),
    }
}

fn is_key(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The prefixes by which MCP-AQL names categories.
const PREFIXES: &[(&str, Code)] = &[
    ("VALIDATION", codes::VALIDATION_INVALID_VALUE),
    ("NOT_FOUND", codes::NOT_FOUND_RESOURCE),
    ("PERMISSION", codes::PERMISSION_DENIED),
    ("CONFLICT", codes::CONFLICT_INVALID_STATE),
    ("RATE_LIMIT", codes::RATE_LIMIT_EXCEEDED),
    ("TOKEN", codes::TOKEN_INVALID),
    ("SCHEMA", codes::SCHEMA_INVALID_TYPE),
    ("INTERNAL", codes::INTERNAL_ERROR),
];

#[rustfmt::skip]
const KEYS: &[&str] = &[
    "extends", "category", "message_template", "remediation", "user_message", "meaning", "when", "retry",
    "http", "hint", "actions", "details", "maps_from_http", "condition",
];

const SHAPES: &[(&str, Shape)] = &[
    ("string", Shape::Text),
    ("integer", Shape::Integer),
    ("number", Shape::Number),
    ("boolean", Shape::Flag),
    ("strings", Shape::Texts),
    ("timestamp", Shape::Timestamp),
    ("object", Shape::Object),
    ("objects", Shape::Objects),
    ("any", Shape::Any),
];
