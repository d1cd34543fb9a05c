//! The kinds of values that many settings share.

use std::marker::PhantomData;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::mask::redacted;
use super::problem::ConfigProblem;
use super::reader::Reader;
use super::schema::Definitions;
use super::secret::Secret;
use super::setting::{Kind, Section};
use super::tree::{YamlNode, YamlValue};

/// A map of settings.
pub(super) fn section<S: Section>() -> SectionKind<S> {
    SectionKind(PhantomData)
}

pub(super) struct SectionKind<S>(PhantomData<S>);

impl<S: Section> Kind for SectionKind<S> {
    type Value = S;

    fn read(&self, node: &YamlNode, before: Option<&S>, reader: &mut Reader<'_>) -> Option<S> {
        reader.section(node, before.cloned().unwrap_or_default())
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.reference::<S>()
    }
}

/// A setting without a default.
pub(super) fn optional<K: Kind>(kind: K) -> OptionalKind<K> {
    OptionalKind(kind)
}

pub(super) struct OptionalKind<K>(K);

impl<K: Kind> Kind for OptionalKind<K> {
    type Value = Option<K::Value>;

    fn read(
        &self,
        node: &YamlNode,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let before = before.and_then(Option::as_ref);
        self.0.read(node, before, reader).map(Some)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }
}

/// A setting whose default is set elsewhere, so the schema shows another one or none.
pub(super) fn defaulting<K: Kind>(kind: K, default: Option<Json>) -> AdaptedKind<K> {
    AdaptedKind {
        kind,
        enter: Enter::Nothing,
        default: SchemaDefault::Is(default),
    }
}

/// A setting that has no effect in this version yet, which is an error: who relies on it would be wrong. The version that
/// gives it one removes this.
pub(super) fn pending<K: Kind>(kind: K) -> AdaptedKind<K> {
    AdaptedKind {
        kind,
        enter: Enter::Pending,
        default: SchemaDefault::Own,
    }
}

/// A value under a key that is checked too.
pub(super) fn keyed<K: Kind>(kind: K, check: fn(&mut Reader<'_>)) -> AdaptedKind<K> {
    AdaptedKind {
        kind,
        enter: Enter::Check(check),
        default: SchemaDefault::Own,
    }
}

/// Another kind, with something done before a value is read, and perhaps another default in the schema.
pub(super) struct AdaptedKind<K> {
    kind: K,
    enter: Enter,
    default: SchemaDefault,
}

/// The default the schema shows.
enum SchemaDefault {
    /// That of the adapted kind.
    Own,
    /// Another one, or none.
    Is(Option<Json>),
}

/// What is done before a value is read.
enum Enter {
    Nothing,
    Pending,
    Check(fn(&mut Reader<'_>)),
}

impl<K: Kind> Kind for AdaptedKind<K> {
    type Value = K::Value;

    fn read(
        &self,
        node: &YamlNode,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        match self.enter {
            Enter::Nothing => {}
            Enter::Pending => {
                let message = format!("'{}' is not available in this version", reader.name());
                let problem = reader.here().key_problem(message);
                reader.report(problem.hint("remove it: nothing would be protected by it"));
            }
            Enter::Check(check) => check(reader),
        }
        self.kind.read(node, before, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        match self.enter {
            // No value is valid.
            Enter::Pending => json!({"enum": []}),
            Enter::Nothing | Enter::Check(_) => self.kind.schema(definitions),
        }
    }

    fn default(&self, value: &Self::Value) -> Option<Json> {
        match &self.default {
            SchemaDefault::Own => self.kind.default(value),
            SchemaDefault::Is(default) => default.clone(),
        }
    }
}

/// A kind that is another one, with other values.
pub(super) struct MappedKind<K, F> {
    kind: K,
    schema: Json,
    map: F,
}

/// Values of another kind, as something else. `None` is returned after a problem was reported. The schema has a few members
/// more.
pub(super) fn mapped<K, F, T>(kind: K, schema: Json, map: F) -> MappedKind<K, F>
where
    K: Kind,
    F: Fn(K::Value, &mut Reader<'_>) -> Option<T>,
{
    MappedKind { kind, schema, map }
}

impl<K, F, T> Kind for MappedKind<K, F>
where
    K: Kind,
    F: Fn(K::Value, &mut Reader<'_>) -> Option<T>,
{
    type Value = T;

    fn read(&self, node: &YamlNode, _: Option<&T>, reader: &mut Reader<'_>) -> Option<T> {
        let value = self.kind.read(node, None, reader)?;
        (self.map)(value, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        extended(self.kind.schema(definitions), &self.schema)
    }
}

/// A schema with more members.
pub(super) fn extended(mut schema: Json, more: &Json) -> Json {
    if let (Json::Object(schema), Json::Object(more)) = (&mut schema, more) {
        schema.extend(more.clone());
    }
    schema
}

/// Names and values of a kind, in the order of the file.
pub(super) fn entries<K: Kind>(kind: K) -> EntriesKind<K> {
    EntriesKind(kind, None)
}

/// Names and values of a kind that all start from the same value.
pub(super) fn entries_from<K: Kind>(kind: K, before: K::Value) -> EntriesKind<K> {
    EntriesKind(kind, Some(before))
}

pub(super) struct EntriesKind<K: Kind>(K, Option<K::Value>);

impl<K: Kind> Kind for EntriesKind<K> {
    type Value = Vec<(String, K::Value)>;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let mut out = Vec::new();
        for (key, node) in reader.entries(node)? {
            let (name, span) = (key.text.clone(), key.span.clone());
            if let Some(value) = reader.item(name, span, node, self.1.as_ref(), &self.0) {
                out.push((key.text.clone(), value));
            }
        }
        Some(out)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"type": "object", "additionalProperties": self.0.schema(definitions)})
    }
}

/// Items of a kind.
pub(super) fn list<K: Kind>(kind: K) -> ListKind<K> {
    ListKind(kind)
}

pub(super) struct ListKind<K>(K);

impl<K: Kind> Kind for ListKind<K> {
    type Value = Vec<K::Value>;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let YamlValue::List(items) = &node.value else {
            let problem = ConfigProblem::new(format!("expected a list, got {}", node.kind()));
            return reader.refuse(node, with_list_hint(problem, node));
        };
        let items = items.iter().enumerate();
        let read = items.filter_map(|(index, node)| {
            reader.item(format!("[{index}]"), node.span.clone(), node, None, &self.0)
        });
        Some(read.collect())
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"type": "array", "items": self.0.schema(definitions)})
    }
}

/// Adds how a text is written as a list.
fn with_list_hint(problem: ConfigProblem, node: &YamlNode) -> ConfigProblem {
    let (YamlValue::Text(text) | YamlValue::Number(text)) = &node.value else {
        return problem;
    };
    let words: Vec<String> = text.split_whitespace().map(list_item).collect();
    problem.hint(redacted(&format!("write [{}]", words.join(", "))))
}

/// A word as an item of a list in brackets.
pub(super) fn list_item(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    if word.chars().all(plain) && word != "-" {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "''"))
    }
}

/// A text.
pub(super) fn text() -> TextKind {
    TextKind
}

/// A text that is not empty, in the schema.
pub(super) fn filled_text() -> impl Kind<Value = String> {
    mapped(text(), json!({"minLength": 1}), |text, _| Some(text))
}

pub(super) struct TextKind;

impl Kind for TextKind {
    type Value = String;

    fn read(&self, node: &YamlNode, _: Option<&String>, reader: &mut Reader<'_>) -> Option<String> {
        match &node.value {
            YamlValue::Text(text) => Some(text.clone()),
            YamlValue::Bool(_) | YamlValue::Number(_) => reader.wrong(node, "a text (in quotes)"),
            YamlValue::Null | YamlValue::List(_) | YamlValue::Map(_) => {
                reader.wrong(node, "a text")
            }
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "string"})
    }
}

/// A text, or a number or boolean taken for the text it is written as: `PORT: 8080` needs no quotes.
pub(super) fn scalar() -> ScalarKind {
    ScalarKind
}

pub(super) struct ScalarKind;

impl Kind for ScalarKind {
    type Value = String;

    fn read(&self, node: &YamlNode, _: Option<&String>, reader: &mut Reader<'_>) -> Option<String> {
        match &node.value {
            YamlValue::Text(text) | YamlValue::Number(text) => Some(text.clone()),
            YamlValue::Bool(value) => Some(value.to_string()),
            YamlValue::Null => {
                let problem = "nothing is given; write \"\" for an empty text";
                reader.refuse(node, ConfigProblem::new(problem))
            }
            YamlValue::List(_) | YamlValue::Map(_) => reader.wrong(node, "a text"),
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": ["string", "number", "boolean"]})
    }
}

/// A scalar with references that no message shows.
pub(super) fn secret() -> impl Kind<Value = Secret> {
    mapped(scalar(), json!({}), |text, reader| reader.secret(&text))
}

/// A path, of a `file` or `directory`. One that does not exist is a warning: where the file is used it may.
pub(super) fn path(what: &'static str) -> impl Kind<Value = PathBuf> {
    mapped(text(), json!({"minLength": 1}), move |text, reader| {
        let path = reader.file_path(&text)?;
        if !reader.environment.exists(&path) {
            let key = reader.here().path().to_owned();
            reader.warn(format!(
                "{key}: there is no {what} '{text}' on this machine"
            ));
        }
        Some(path)
    })
}

/// True or false.
pub(super) fn flag() -> FlagKind {
    FlagKind
}

pub(super) struct FlagKind;

impl Kind for FlagKind {
    type Value = bool;

    fn read(&self, node: &YamlNode, _: Option<&bool>, reader: &mut Reader<'_>) -> Option<bool> {
        if let YamlValue::Bool(value) = &node.value {
            return Some(*value);
        }
        let kind = node.kind();
        let problem = ConfigProblem::new(format!("expected true or false, got {kind}"));
        reader.refuse(
            node,
            match as_flag(node) {
                Some(flag) => problem.label(format!("did you mean {flag}?")),
                None => problem,
            },
        )
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "boolean"})
    }

    fn default(&self, value: &bool) -> Option<Json> {
        Some(json!(value))
    }
}

/// What a word meant before YAML 1.2, in which it is a text.
fn as_flag(node: &YamlNode) -> Option<bool> {
    let YamlValue::Text(text) = &node.value else {
        return None;
    };
    match &*text.to_ascii_lowercase() {
        "yes" | "on" | "y" => Some(true),
        "no" | "off" | "n" => Some(false),
        _ => None,
    }
}
