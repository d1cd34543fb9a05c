//! The JSON Schema of the file, for editors and for programs that write one.

use serde_json::{Map, Value as Json, json};

use super::Config;
use super::setting::{Kind, Section, Visitor};

/// The JSON Schema (2020-12) of the file: its keys, their meaning and their values. A file that passes
/// [`Config::parse`] is valid by it; not everything that is valid passes.
///
/// ```
/// let schema = breakfall_gateway::config::schema();
/// assert_eq!(schema["$id"], "urn:breakfall:schema:config");
/// assert!(schema["properties"]["upstreams"]["description"].is_string());
/// ```
pub fn schema() -> Json {
    let mut definitions = Definitions::default();
    let mut schema = describe::<Config>(&mut definitions);
    let root = [
        (
            "$schema",
            json!("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("$id", json!("urn:breakfall:schema:config")),
        ("title", json!("Breakfall configuration")),
        ("$defs", Json::Object(definitions.0)),
    ];
    schema.extend(root.map(|(key, value)| (key.to_owned(), value)));
    Json::Object(schema)
}

/// The schemas of sections, by name.
#[derive(Debug, Default)]
pub(super) struct Definitions(Map<String, Json>);

impl Definitions {
    /// A reference to the schema of a section.
    pub(super) fn reference<S: Section>(&mut self) -> Json {
        if !self.0.contains_key(S::NAME) {
            // Reserved first: a section may contain itself.
            self.0.insert(S::NAME.to_owned(), Json::Null);
            let schema = describe::<S>(self);
            self.0.insert(S::NAME.to_owned(), Json::Object(schema));
        }
        json!({"$ref": format!("#/$defs/{}", S::NAME)})
    }
}

fn describe<S: Section>(definitions: &mut Definitions) -> Map<String, Json> {
    let mut properties = Properties {
        definitions,
        schemas: Map::new(),
    };
    S::default().settings(&mut properties);
    let mut schema = Map::new();
    let parts = [
        ("type", json!("object")),
        ("description", json!(S::TEXT)),
        ("additionalProperties", json!(false)),
        ("properties", Json::Object(properties.schemas)),
    ];
    schema.extend(parts.map(|(key, value)| (key.to_owned(), value)));
    if !S::REQUIRED.is_empty() {
        schema.insert("required".to_owned(), json!(S::REQUIRED));
    }
    S::describe(&mut schema);
    schema
}

/// Collects the schemas of the settings of a section.
struct Properties<'a> {
    definitions: &'a mut Definitions,
    schemas: Map<String, Json>,
}

impl Visitor for Properties<'_> {
    fn setting<K: Kind>(
        &mut self,
        key: &'static str,
        text: &'static str,
        value: &mut K::Value,
        kind: K,
    ) {
        let mut schema = nullable(kind.schema(self.definitions));
        schema.insert("description".to_owned(), json!(text));
        if let Some(default) = kind.default(value) {
            schema.insert("default".to_owned(), default);
        }
        self.schemas.insert(key.to_owned(), Json::Object(schema));
    }
}

/// A schema that allows `null` too: a key without a value is the same as no key.
pub(super) fn nullable(schema: Json) -> Map<String, Json> {
    let branches = ["anyOf", "$ref"];
    match schema {
        Json::Object(mut map) if branches.iter().all(|key| !map.contains_key(*key)) => {
            if let Some(kinds) = map.get_mut("type") {
                let mut all = match kinds.take() {
                    Json::Array(all) => all,
                    one @ (Json::Null
                    | Json::Bool(_)
                    | Json::Number(_)
                    | Json::String(_)
                    | Json::Object(_)) => {
                        vec![one]
                    }
                };
                all.push(json!("null"));
                *kinds = Json::Array(all);
            }
            if let Some(Json::Array(words)) = map.get_mut("enum") {
                words.push(Json::Null);
            }
            map
        }
        branching @ (Json::Null
        | Json::Bool(_)
        | Json::Number(_)
        | Json::String(_)
        | Json::Array(_)
        | Json::Object(_)) => {
            Map::from_iter([("anyOf".to_owned(), json!([branching, {"type": "null"}]))])
        }
    }
}
