//! The manual against the checker and the schema: it needs the tree, so it is in here.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use breakfall::validate::Schema;
use serde_json::Value as Json;

use super::tree::{YamlNode, YamlValue};
use super::{Config, Environment, schema, yaml};

const MANUAL: &str = include_str!("../../../../docs/configuration.md");

/// Every variable is set and every file is there.
struct Plenty;

impl Environment for Plenty {
    fn variable(&self, name: &str) -> Option<OsString> {
        // As long as a key has to be.
        Some(format!("{name}-0123456789abcdef").into())
    }

    fn file(&self, _: &Path) -> io::Result<Vec<u8>> {
        Ok(b"contents-0123456789abcdef".to_vec())
    }

    fn exists(&self, _: &Path) -> bool {
        true
    }
}

/// The blocks of a kind, in order.
fn blocks(kind: &str) -> Vec<&'static str> {
    let start = format!("```{kind}\n");
    let mut rest = MANUAL;
    let mut found = Vec::new();
    while let Some(at) = rest.find(&start) {
        rest = &rest[at + start.len()..];
        let end = rest.find("```\n").expect("a block ends");
        found.push(&rest[..end]);
        rest = &rest[end + 4..];
    }
    found
}

fn json(node: &YamlNode) -> Json {
    match &node.value {
        YamlValue::Null => Json::Null,
        YamlValue::Bool(value) => (*value).into(),
        YamlValue::Number(text) => match text.parse::<u64>() {
            Ok(whole) => whole.into(),
            Err(_) => text.parse::<f64>().expect("a number").into(),
        },
        YamlValue::Text(text) => text.as_str().into(),
        YamlValue::List(items) => items.iter().map(json).collect(),
        YamlValue::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, node)| (key.text.clone(), json(node)));
            Json::Object(entries.collect())
        }
    }
}

#[test]
fn every_example_of_the_manual_is_accepted_and_valid() {
    let schema = Schema::compile(&schema()).expect("our own schema compiles");
    let examples = blocks("yaml");
    assert_eq!(examples.len(), 9);
    for example in examples {
        let config = Config::parse_with(example, "breakfall.yaml", &Plenty);
        assert!(config.is_ok(), "{example}\n{}", config.unwrap_err());
        let root = yaml::parse(example).root.expect("it is YAML");
        let document = json(&root);
        let findings = schema.check(&document);
        let first = findings
            .iter()
            .next()
            .map(|finding| finding.pointer().to_owned());
        assert!(findings.is_empty(), "{example}\nat {first:?}");
    }
}

#[test]
fn the_problems_of_the_manual_are_real() {
    let (bad, shown) = (blocks("yaml bad"), blocks("text"));
    assert_eq!((bad.len(), shown.len()), (1, 1));
    for (bad, shown) in bad.into_iter().zip(shown) {
        let problems = Config::parse_with(bad, "breakfall.yaml", &Plenty).expect_err("it is bad");
        assert_eq!(problems.render(false, 100), shown);
    }
}

#[test]
fn the_manual_has_every_key_and_every_word() {
    fn walk(schema: &Json, names: &mut Vec<String>) {
        for (key, below) in schema.as_object().into_iter().flatten() {
            if key == "properties" {
                names.extend(
                    below
                        .as_object()
                        .into_iter()
                        .flatten()
                        .map(|(key, _)| key.clone()),
                );
            }
            if key == "enum" && below.as_array().is_some_and(|words| words.len() < 7) {
                names.extend(
                    below
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(|word| word.as_str().map(str::to_owned)),
                );
            }
            walk(below, names);
        }
    }
    let mut names = Vec::new();
    walk(&schema(), &mut names);
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        assert!(MANUAL.contains(&name), "{name} is not in the manual");
    }
}
