//! Reading a schema document: its parts, and where its references lead.

use std::collections::HashMap;

use jsonschema::{Uri, uri};
use serde_json::{Map, Value};

use super::document::{SchemaEdge, SchemaNode, SchemaStep};
use super::edit::child;
use super::limits::named;
use super::refuse;
use crate::fault::Fault;

/// The values of the keywords that explanations use.
fn said(schema: &Value) -> Box<[(&'static str, Value)]> {
    let said = |keyword: &&'static str| Some((*keyword, schema.get(*keyword)?.clone()));
    KEPT.iter().filter_map(said).collect()
}

/// Keywords that explanations of invalid arguments use.
const KEPT: &[&str] = &[
    "const", "default", "enum", "maximum", "minimum", "nullable", "type",
];

/// Collects schemas and what leads from one to the other.
pub(super) struct SchemaReader<'a> {
    root: &'a Value,
    nodes: Vec<SchemaNode>,
    index: HashMap<Box<str>, usize>,
    open: Vec<(usize, &'a Value, usize)>,
    /// Parts of the document with an identifier of their own, the document itself first.
    resources: Vec<SchemaResource>,
    anchors: HashMap<(usize, &'a str), usize>,
    dynamic: HashMap<&'a str, Vec<usize>>,
    references: Vec<SchemaReference<'a>>,
    patterns: Vec<SchemaPattern<'a>>,
}

/// A regular expression, and the schema it is in.
pub(super) struct SchemaPattern<'a> {
    pub(super) node: usize,
    pub(super) source: &'a str,
    /// Whether it is for the names of members, rather than for a text.
    pub(super) names: bool,
}

struct SchemaResource {
    pointer: Box<str>,
    base: Option<Uri<String>>,
}

struct SchemaReference<'a> {
    from: usize,
    keyword: &'a str,
    target: &'a str,
    resource: usize,
}

impl<'a> SchemaReader<'a> {
    /// The schemas of a document, and the patterns they have.
    pub(super) fn read(
        root: &'a Value,
    ) -> Result<(Vec<SchemaNode>, Vec<SchemaPattern<'a>>), Fault> {
        let mut reader = Self {
            root,
            nodes: Vec::new(),
            index: HashMap::new(),
            open: Vec::new(),
            resources: vec![SchemaResource {
                pointer: "".into(),
                base: uri::from_str("").ok(),
            }],
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
            references: Vec::new(),
            patterns: Vec::new(),
        };
        reader.node("".into(), root, 0);
        loop {
            if let Some((node, schema, resource)) = reader.open.pop() {
                reader.scan(node, schema, resource)?;
            } else if let Some(reference) = reader.references.pop() {
                reader.follow(&reference)?;
            } else {
                return Ok((reader.nodes, reader.patterns));
            }
        }
    }

    fn node(&mut self, pointer: Box<str>, schema: &'a Value, resource: usize) -> usize {
        if let Some(node) = self.index.get(&pointer) {
            return *node;
        }
        let node = self.nodes.len();
        self.nodes.push(SchemaNode {
            pointer: pointer.clone(),
            edges: Vec::new(),
            says: said(schema),
            weight: 1,
            pattern: 0,
            names: 0,
        });
        self.index.insert(pointer, node);
        self.open.push((node, schema, resource));
        node
    }

    fn scan(&mut self, node: usize, schema: &'a Value, resource: usize) -> Result<(), Fault> {
        let Value::Object(map) = schema else {
            return Ok(());
        };
        let resource = self.identify(node, map, resource)?;
        for (keyword, value) in map {
            match KeywordValue::of(keyword) {
                Some(KeywordValue::One(step)) => {
                    if let Value::Array(list) = value {
                        self.list(node, keyword, list, resource, step);
                    } else {
                        self.edge(node, step(), &[keyword], value, resource);
                    }
                }
                Some(KeywordValue::Map(step)) => {
                    let members = value.as_object().into_iter().flatten();
                    for (name, value) in members.filter(|(_, value)| !value.is_array()) {
                        match step(name) {
                            Some(step) => self.edge(node, step, &[keyword, name], value, resource),
                            None => self.declare(node, &[keyword, name], value, resource),
                        }
                    }
                }
                Some(KeywordValue::Reference) => {
                    if let Some(target) = value.as_str() {
                        self.references.push(SchemaReference {
                            from: node,
                            keyword,
                            target,
                            resource,
                        });
                    }
                }
                None => {}
            }
            self.weigh(node, keyword, value);
        }
        Ok(())
    }

    /// Notes the names a schema has, and gives the resource its parts belong to.
    fn identify(
        &mut self,
        node: usize,
        map: &'a Map<String, Value>,
        resource: usize,
    ) -> Result<usize, Fault> {
        let text = |key: &str| map.get(key).and_then(Value::as_str);
        let pointer = self.nodes[node].pointer.clone();
        if let Some(name) = text("$schema").filter(|name| named(name).is_none()) {
            return Err(refuse::dialect(&pointer, name));
        }
        let mut resource = resource;
        match text("$id").map(|id| id.strip_prefix('#').ok_or(id)) {
            Some(Ok(anchor)) => drop(self.anchors.insert((resource, anchor), node)),
            Some(Err(id)) => {
                let base = self.resources[resource].base.as_ref();
                let base = base.and_then(|base| uri::resolve_against(&base.borrow(), id).ok());
                if pointer.is_empty() {
                    self.resources[0].base = base;
                } else {
                    self.resources.push(SchemaResource { pointer, base });
                    resource = self.resources.len() - 1;
                }
            }
            None => {}
        }
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = text(key) {
                self.anchors.insert((resource, anchor), node);
            }
        }
        if let Some(anchor) = text("$dynamicAnchor") {
            self.dynamic.entry(anchor).or_default().push(node);
        }
        Ok(resource)
    }

    fn list(
        &mut self,
        node: usize,
        keyword: &str,
        list: &'a [Value],
        resource: usize,
        step: fn() -> SchemaStep,
    ) {
        for (at, value) in list.iter().enumerate() {
            let step = if step() == SchemaStep::Items {
                SchemaStep::Item(at)
            } else {
                step()
            };
            self.edge(node, step, &[keyword, &at.to_string()], value, resource);
        }
    }

    fn edge(
        &mut self,
        from: usize,
        step: SchemaStep,
        path: &[&str],
        value: &'a Value,
        resource: usize,
    ) {
        let to = self.part(from, path, value, resource);
        self.nodes[from].edges.push(SchemaEdge { step, to });
    }

    fn declare(&mut self, from: usize, path: &[&str], value: &'a Value, resource: usize) {
        self.part(from, path, value, resource);
    }

    fn part(&mut self, from: usize, path: &[&str], value: &'a Value, resource: usize) -> usize {
        let mut pointer = self.nodes[from].pointer.to_string();
        for segment in path {
            pointer = child(&pointer, segment);
        }
        self.node(pointer.into(), value, resource)
    }

    fn weigh(&mut self, node: usize, keyword: &str, value: &'a Value) {
        const UNIT: usize = 64;
        let bytes = match (keyword, value) {
            ("pattern", Value::String(text)) => {
                self.patterns.push(SchemaPattern {
                    node,
                    source: text,
                    names: false,
                });
                text.len()
            }
            ("patternProperties", Value::Object(map)) => {
                let sources = map.keys().map(String::as_str);
                self.patterns.extend(sources.map(|source| SchemaPattern {
                    node,
                    source,
                    names: true,
                }));
                0
            }
            // The error of this one carries a copy of the schema.
            ("not", schema) => size(schema),
            _ => 0,
        };
        self.nodes[node].weight += (bytes / UNIT) as u64;
    }

    /// Adds the edge a reference stands for.
    fn follow(&mut self, reference: &SchemaReference<'a>) -> Result<(), Fault> {
        if reference.keyword == "$recursiveRef" {
            for target in [0, self.root_of(reference.resource)] {
                self.lead(reference.from, target);
            }
            return Ok(());
        }
        let (document, fragment) = reference
            .target
            .split_once('#')
            .unwrap_or((reference.target, ""));
        let at = child(&self.nodes[reference.from].pointer, reference.keyword);
        let resource = self
            .resource(document, reference.resource)
            .ok_or_else(|| refuse::foreign(&at, reference.target))?;
        let target = match decoded(fragment) {
            Some(path) if path.is_empty() || path.starts_with('/') => {
                let pointer = format!("{}{path}", self.resources[resource].pointer);
                let value = self.root.pointer(&pointer);
                value.map(|value| self.node(pointer.into(), value, resource))
            }
            Some(anchor) => self.anchors.get(&(resource, anchor.as_str())).copied(),
            None => None,
        };
        let dynamic = (reference.keyword == "$dynamicRef").then(|| self.dynamic.get(fragment));
        let dynamic = dynamic.flatten().cloned().unwrap_or_default();
        let target = target.or(dynamic.first().copied());
        let target = target.ok_or_else(|| refuse::nowhere(&at, reference.target, self.root))?;
        for target in dynamic.into_iter().chain([target]) {
            self.lead(reference.from, target);
        }
        Ok(())
    }

    fn lead(&mut self, from: usize, to: usize) {
        let edges = &mut self.nodes[from].edges;
        if !edges
            .iter()
            .any(|edge| edge.to == to && edge.step == SchemaStep::Here)
        {
            edges.push(SchemaEdge {
                step: SchemaStep::Here,
                to,
            });
        }
    }

    fn root_of(&self, resource: usize) -> usize {
        let pointer = &self.resources[resource].pointer;
        self.index.get(pointer).copied().unwrap_or_default()
    }

    /// The resource of an identifier, as seen from another one.
    fn resource(&self, id: &str, from: usize) -> Option<usize> {
        if id.is_empty() {
            return Some(from);
        }
        let base = self.resources[from].base.as_ref()?;
        let wanted = uri::resolve_against(&base.borrow(), id).ok()?;
        let is = |resource: &SchemaResource| {
            let base = resource
                .base
                .as_ref()
                .map(|base| base.as_str().trim_end_matches('#'));
            base == Some(wanted.as_str())
        };
        self.resources.iter().position(is)
    }
}

/// How the value of a keyword holds schemas, if it does.
enum KeywordValue {
    One(fn() -> SchemaStep),
    Map(fn(&str) -> Option<SchemaStep>),
    Reference,
}

impl KeywordValue {
    fn of(keyword: &str) -> Option<Self> {
        Some(match keyword {
            "allOf" | "not" | "if" | "then" | "else" => Self::One(|| SchemaStep::Here),
            "anyOf" | "oneOf" => Self::One(|| SchemaStep::Branch),
            "additionalProperties" | "unevaluatedProperties" => Self::One(|| SchemaStep::Members),
            "propertyNames" => Self::One(|| SchemaStep::Names),
            "items" | "prefixItems" | "additionalItems" | "contains" | "unevaluatedItems" => {
                Self::One(|| SchemaStep::Items)
            }
            "properties" => Self::Map(|name| Some(SchemaStep::Member(name.into()))),
            "patternProperties" => Self::Map(|_| Some(SchemaStep::Members)),
            "dependentSchemas" | "dependencies" => Self::Map(|_| Some(SchemaStep::Here)),
            "$defs" | "definitions" => Self::Map(|_| None),
            "$ref" | "$dynamicRef" | "$recursiveRef" => Self::Reference,
            _ => return None,
        })
    }
}

/// The text behind percent signs, if it is text.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let pair = after.get(..2).filter(|_| byte == b'%');
        let hex = pair.and_then(|pair| std::str::from_utf8(pair).ok());
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// Roughly how many bytes a value takes. It lies within the bounds, so recursion is safe.
fn size(value: &Value) -> usize {
    const EACH: usize = 16;
    EACH + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
        Value::String(text) => text.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
