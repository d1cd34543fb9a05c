//! `schemas/<dialect>.schema.json`: JSON Schema, draft 2020-12, one file per dialect.

use breakfall::wire::Dialect;
use serde_json::{Map, Value, json};

use super::dialects::{Spec, definitions, spec};
use super::model::{Definition, Field, Object, Rest, Tagged, Type};

/// The schema of a dialect, as published.
pub(crate) fn schema(dialect: Dialect) -> Value {
    Printer::new(spec(dialect), Openness::Published).schema()
}

/// The schema of a dialect with every object closed that has no free keys: what we write today and not a key more.
pub(crate) fn tight_schema(dialect: Dialect) -> Value {
    Printer::new(spec(dialect), Openness::Tight).schema()
}

/// The tight schema without the shapes of details: what an encoder answers for by itself, since it writes whatever
/// details a fault has.
pub(crate) fn frame_schema(dialect: Dialect) -> Value {
    Printer::new(spec(dialect), Openness::Frame).schema()
}

/// How much a schema says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Openness {
    /// Objects may gain keys later.
    Published,
    /// Objects have the keys of today.
    Tight,
    /// As tight, but for details.
    Frame,
}

struct Printer {
    spec: Spec,
    all: Vec<Definition>,
    openness: Openness,
}

impl Printer {
    fn new(spec: Spec, openness: Openness) -> Self {
        Self {
            spec,
            all: definitions(),
            openness,
        }
    }

    fn schema(&self) -> Value {
        let mut defs = Map::new();
        for definition in self.reachable() {
            let mut printed = self.print(&definition.of, self.is_own(&definition.name));
            describe(&mut printed, &definition.about);
            if let Some(rule) = self.spec.rules.get(&definition.name) {
                let rules = printed["allOf"].as_array().cloned().unwrap_or_default();
                printed["allOf"] = rules.into_iter().chain([rule.clone()]).collect();
            }
            defs.insert(definition.name.clone(), printed);
            if let (Type::Tagged(tagged), true) = (&definition.of, self.is_own(&definition.name)) {
                defs.extend(promised(&definition.name, tagged));
            }
        }
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": format!("urn:breakfall:schema:{}", self.spec.dialect),
            "title": self.spec.dialect.as_str(),
            "description": self.spec.about,
            "$ref": reference(self.spec.root),
            "$defs": defs,
        })
    }

    /// Whether the dialect itself defines it. What it borrows is printed without its variants, which would double
    /// the size of the file and are in the schema of the dialect they belong to.
    fn is_own(&self, name: &str) -> bool {
        self.spec.definitions.iter().any(|own| own.name == name)
    }

    fn reachable(&self) -> Vec<&Definition> {
        let mut names = vec![self.spec.root.to_owned()];
        let mut at = 0;
        while let Some(name) = names.get(at).cloned() {
            let definition = self.definition(&name);
            let mut outline = definition.of.clone();
            if let (Type::Tagged(tagged), false) = (&mut outline, self.is_own(&name)) {
                tagged.variants.clear();
            }
            let rules = self.spec.rules.get(&name).map(refs).unwrap_or_default();
            for found in outline.refs().into_iter().chain(rules) {
                if !names.iter().any(|have| have == found) {
                    names.push(found.to_owned());
                }
            }
            at += 1;
        }
        names.iter().map(|name| self.definition(name)).collect()
    }

    fn definition(&self, name: &str) -> &Definition {
        let found = self.all.iter().find(|definition| definition.name == name);
        found.unwrap_or_else(|| panic!("no definition is called {name}"))
    }

    fn print(&self, of: &Type, with_variants: bool) -> Value {
        let print = |of: &Type| self.print(of, with_variants);
        match of {
            Type::Any | Type::Data => json!({}),
            Type::DataObject => json!({"type": "object"}),
            Type::Null => json!({"type": "null"}),
            Type::Flag => json!({"type": "boolean"}),
            Type::Exactly(flag) => json!({"const": flag}),
            Type::Text {
                min,
                format,
                pattern,
            } => print_text(*min, *format, *pattern),
            Type::Integer { min, max } => bounds(
                json!({"type": "integer"}),
                [("minimum", *min), ("maximum", *max)],
            ),
            Type::Number => json!({"type": "number"}),
            Type::Words(words) => one_of(words),
            Type::Numbers(numbers) => one_of(numbers),
            Type::List { of, min, max } => bounds(
                json!({"type": "array", "items": print(of)}),
                [("minItems", (*min > 0).then_some(*min)), ("maxItems", *max)],
            ),
            Type::Tuple(first, rest) => json!({
                "type": "array",
                "prefixItems": first.iter().map(print).collect::<Value>(),
                "minItems": first.len(),
                "items": rest.as_deref().map_or(Value::Bool(false), print),
            }),
            Type::Map(of) if matches!(**of, Type::Any) => json!({"type": "object"}),
            Type::Map(of) => json!({"type": "object", "additionalProperties": print(of)}),
            Type::Object(object) => self.print_object(object, with_variants),
            Type::Tagged(tagged) => self.print_tagged(tagged, with_variants),
            Type::Union(of) => json!({"anyOf": of.iter().map(print).collect::<Value>()}),
            Type::Detail(_) if self.openness == Openness::Frame => json!({}),
            Type::Detail(of) => print(of),
            Type::Ref(name) => json!({"$ref": reference(name)}),
        }
    }

    fn print_object(&self, object: &Object, with_variants: bool) -> Value {
        let mut printed = json!({
            "type": "object",
            "properties": self.properties(&object.fields, with_variants),
        });
        // What a row requires is a promise of whoever raises the fault, not of the format.
        if !object.sparse {
            require(&mut printed, object.fields.iter());
        }
        if let Some(base) = &object.extends {
            printed["allOf"] = json!([{"$ref": reference(base)}]);
        }
        self.close(&mut printed, object.rest);
        printed
    }

    fn print_tagged(&self, tagged: &Tagged, with_variants: bool) -> Value {
        let mut tag = self.print(&tagged.tag.of, with_variants);
        if let Some(own) = &tagged.own {
            tag = json!({"anyOf": [tag, self.print(own, with_variants)]});
        }
        describe(&mut tag, &tagged.tag.about);
        let fields = || tagged.base.iter().chain(&tagged.general);
        let mut properties = self.properties(fields(), with_variants);
        properties.insert(tagged.tag.name.clone(), tag);
        let mut printed = json!({"type": "object", "properties": properties});
        require(&mut printed, fields().chain([&tagged.tag]));
        if with_variants {
            let variants = tagged
                .variants
                .iter()
                .filter(|variant| !variant.fields.is_empty());
            let variants = variants.map(|variant| {
                let fields = variant.fields.iter();
                let exact = fields.map(|field| (field.name.clone(), self.print(&field.of, true)));
                when(
                    &tagged.tag.name,
                    &variant.tag,
                    &json!({"properties": exact.collect::<Map<_, _>>()}),
                )
            });
            printed["allOf"] = variants.collect();
        }
        self.close(&mut printed, tagged.rest);
        printed
    }

    fn properties<'a>(
        &self,
        fields: impl IntoIterator<Item = &'a Field>,
        with_variants: bool,
    ) -> Map<String, Value> {
        let property = |field: &Field| {
            let mut printed = self.print(&field.of, with_variants);
            describe(&mut printed, &field.about);
            (field.name.clone(), printed)
        };
        fields.into_iter().map(property).collect()
    }

    fn close(&self, printed: &mut Value, rest: Rest) {
        let closed = match rest {
            Rest::Closed => true,
            Rest::Extensible => self.openness != Openness::Published,
            Rest::Free => false,
        };
        if closed {
            printed["additionalProperties"] = false.into();
        }
    }
}

/// A stronger form of a tagged object: with what the row of its code requires.
fn promised(name: &str, tagged: &Tagged) -> Option<(String, Value)> {
    let promises = tagged
        .variants
        .iter()
        .filter(|variant| !variant.promised.is_empty());
    let promises: Vec<Value> = promises
        .map(|variant| {
            let inside = variant
                .promised
                .iter()
                .map(|(field, keys)| ((*field).to_owned(), json!({"required": keys})));
            let outside: Vec<&str> = variant.promised.iter().map(|(field, _)| *field).collect();
            let then = json!({"required": outside, "properties": inside.collect::<Map<_, _>>()});
            when(&tagged.tag.name, &variant.tag, &then)
        })
        .collect();
    let about = format!("A {name} with every detail that the row of its code requires.");
    let printed = json!({
        "description": about,
        "$ref": reference(name),
        "allOf": promises,
    });
    (!promises.is_empty()).then(|| (format!("Promised{name}"), printed))
}

fn when(tag: &str, value: &str, then: &Value) -> Value {
    let condition = json!({"properties": {tag: {"const": value}}, "required": [tag]});
    json!({"if": condition, "then": then})
}

fn print_text(min: usize, format: Option<&str>, pattern: Option<&str>) -> Value {
    let mut printed = json!({"type": "string"});
    if min > 0 {
        printed["minLength"] = min.into();
    }
    for (key, value) in [("format", format), ("pattern", pattern)] {
        if let Some(value) = value {
            printed[key] = value.into();
        }
    }
    printed
}

fn bounds<T: Into<Value>>(mut printed: Value, bounds: [(&str, Option<T>); 2]) -> Value {
    for (key, bound) in bounds {
        if let Some(bound) = bound {
            printed[key] = bound.into();
        }
    }
    printed
}

fn one_of<T: Clone + Into<Value>>(values: &[T]) -> Value {
    match values {
        [only] => json!({"const": only.clone().into()}),
        all => json!({"enum": all.iter().cloned().map(Into::into).collect::<Vec<Value>>()}),
    }
}

fn require<'a>(printed: &mut Value, fields: impl Iterator<Item = &'a Field>) {
    let mut required: Vec<&str> = fields
        .filter(|field| field.required)
        .map(|field| field.name.as_str())
        .collect();
    required.sort_unstable();
    if !required.is_empty() {
        printed["required"] = required.into();
    }
}

fn describe(printed: &mut Value, about: &str) {
    if let Value::Object(map) = printed {
        map.insert("description".into(), about.into());
    }
}

/// The definitions a printed schema refers to.
fn refs(printed: &Value) -> Vec<&str> {
    match printed {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| match (key.as_str(), value) {
                ("$ref", Value::String(name)) => {
                    name.strip_prefix("#/$defs/").into_iter().collect()
                }
                (_, value) => refs(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(refs).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn reference(name: &str) -> String {
    format!("#/$defs/{name}")
}

fn assert_schema_fresh(dialect: Dialect) {
    let text = format!("{:#}\n", schema(dialect));
    super::assert_fresh(&format!("schemas/{dialect}.schema.json"), &text);
}

#[test]
fn the_schema_of_native_is_fresh() {
    assert_schema_fresh(Dialect::Native);
}

#[test]
fn the_schema_of_response_v2_is_fresh() {
    assert_schema_fresh(Dialect::ResponseV2);
}

#[test]
fn the_schema_of_mcp_error_is_fresh() {
    assert_schema_fresh(Dialect::McpError);
}

#[test]
fn the_schema_of_error_model_is_fresh() {
    assert_schema_fresh(Dialect::ErrorModel);
}

#[test]
fn the_schema_of_tool_error_is_fresh() {
    assert_schema_fresh(Dialect::ToolError);
}

#[test]
fn the_schema_of_mcp_aql_is_fresh() {
    assert_schema_fresh(Dialect::McpAql);
}

#[test]
fn the_schema_of_problem_is_fresh() {
    assert_schema_fresh(Dialect::Problem);
}

#[test]
fn every_definition_has_a_name_of_its_own() {
    let mut names: Vec<String> = definitions()
        .into_iter()
        .map(|definition| definition.name)
        .collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{names:?}");
}
