//! What holds for any schema and any arguments.

use breakfall::validate::{Kind, Repair, Schema};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use super::cases;
use super::values;

proptest! {
    #![proptest_config(cases(768))]

    #[test]
    fn findings_are_empty_exactly_for_what_is_valid((schema, valid) in object(), damages in damages()) {
        let compiled = Schema::compile(&schema).expect("a schema");
        let judge = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
        prop_assert!(judge.is_valid(&valid), "{schema} on {valid}");
        prop_assert!(compiled.check(&valid).is_empty());
        let damaged = damaged(&valid, &damages);
        prop_assert_eq!(compiled.check(&damaged).is_empty(), judge.is_valid(&damaged), "{} on {}", schema, damaged);
    }

    #[test]
    fn corrective_params_are_valid_and_change_nothing_else((schema, valid) in object(), damages in damages()) {
        let compiled = Schema::compile(&schema).expect("a schema");
        let judge = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
        let sent = damaged(&valid, &damages);
        let findings = compiled.check(&sent);
        let Some(corrected) = findings.corrective_params() else {
            return Ok(());
        };
        prop_assert!(judge.is_valid(corrected), "{schema} on {sent}: {corrected}");
        let mut places: Vec<String> = findings.iter().map(|finding| finding.pointer().to_owned()).collect();
        for finding in findings.iter() {
            // What an unknown name is called instead is said at the place of that name.
            if let Some(Repair::Rename(name)) = finding.repair() {
                let parent = finding.pointer().rsplit_once('/').map_or("", |(parent, _)| parent);
                places.push(format!("{parent}/{name}"));
            }
        }
        for changed in differences(&sent, corrected) {
            let told = places.iter().any(|place| changed.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
            prop_assert!(told, "{} changed in {} -> {}", changed, sent, corrected);
        }
    }

    #[test]
    fn a_fault_has_a_violation_for_every_finding_and_each_a_place((schema, valid) in object(), damages in damages()) {
        let compiled = Schema::compile(&schema).expect("a schema");
        let sent = damaged(&valid, &damages);
        let findings = compiled.check(&sent);
        let count = findings.len();
        for finding in findings.iter() {
            let there = sent.pointer(finding.pointer()).is_some();
            prop_assert_eq!(there, finding.kind() != Kind::Missing, "{}", finding.pointer());
        }
        let coerced = findings.coerced();
        prop_assert!(compiled.check(&coerced).len() <= count, "{} -> {}", sent, coerced);
        let stripped = findings.stripped();
        prop_assert!(compiled.check(&stripped).iter().all(|finding| finding.kind() != Kind::Unknown));
        let fault = findings.into_fault("tool");
        prop_assert_eq!(fault.is_some(), count > 0);
        if let Some(fault) = fault {
            prop_assert_eq!(fault.public().violations().len(), count.min(64));
            let entry = fault.code().entry();
            for detail in entry.details.iter().filter(|detail| detail.required) {
                let told = fault.public().details().get(detail.name).is_some();
                prop_assert!(told, "{} lacks {}", entry.name, detail.name);
            }
        }
    }

    #[test]
    fn any_schema_is_refused_or_judges_like_the_validator(schema in wild(), arguments in values::json()) {
        let Ok(compiled) = Schema::compile(&schema) else {
            return Ok(());
        };
        let judge = jsonschema::options()
            .should_validate_formats(true)
            .with_format("regex", |_: &str| true)
            .build(&schema)
            .expect("what we take, it takes");
        // The validator does not know of the names we exempt.
        if !arguments.to_string().contains("\"_") {
            prop_assert_eq!(compiled.check(&arguments).is_empty(), judge.is_valid(&arguments));
        }
        let told = |schema: &Schema| schema.check(&arguments).into_fault("tool").map(|fault| format!("{fault:?}"));
        let again = Schema::compile(&schema).expect("it compiled before");
        prop_assert_eq!(told(&compiled), told(&again));
    }
}

/// They would hold for a validator that never suggests anything and refuses every schema.
#[test]
fn the_laws_are_not_about_nothing() {
    let mut runner = TestRunner::new(cases(400));
    let (mut broken, mut corrected) = (0, 0);
    for _ in 0..400 {
        let tree = (object(), damages()).new_tree(&mut runner).expect("a case");
        let ((schema, valid), damages) = tree.current();
        let (schema, sent) = (
            Schema::compile(&schema).expect("a schema"),
            damaged(&valid, &damages),
        );
        let findings = schema.check(&sent);
        broken += u32::from(!findings.is_empty());
        corrected += u32::from(findings.corrective_params().is_some());
    }
    assert!(
        broken > 150 && corrected * 5 > broken,
        "{corrected} of {broken}"
    );
}

/// A schema of the shapes tools have, and arguments that fit it.
fn object() -> impl Strategy<Value = (Value, Value)> {
    let members =
        prop::collection::btree_map(name(), (member(), any::<bool>(), any::<bool>()), 1..6);
    (members, any::<bool>()).prop_map(|(members, open)| {
        let (mut properties, mut arguments, mut required) = (Map::new(), Map::new(), Vec::new());
        for (name, ((schema, value), needed, given)) in members {
            if needed {
                required.push(name.clone());
            }
            if needed || given {
                arguments.insert(name.clone(), value);
            }
            properties.insert(name, schema);
        }
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": open
        });
        (schema, arguments.into())
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("limit".to_owned()),
        Just("user_id".to_owned()),
        Just("state".to_owned()),
        Just("tags".to_owned()),
        "[a-z]{2,8}",
    ]
}

/// A schema of one parameter, and a value of it.
fn member() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        (0..50_i64, 0..50_i64).prop_flat_map(|(least, more)| {
            let schema = json!({"type": "integer", "minimum": least, "maximum": least + more, "default": least});
            (least..=least + more).prop_map(move |value| (schema.clone(), json!(value)))
        }),
        (-1e6..1e6_f64).prop_map(|value| (json!({"type": "number"}), json!(value))),
        any::<bool>().prop_map(|value| (json!({"type": "boolean"}), json!(value))),
        "[a-z ]{0,12}".prop_map(|value| (json!({"type": "string", "maxLength": 12}), json!(value))),
        "[A-Z]{3}".prop_map(|value| (json!({"type": "string", "pattern": "^[A-Z]{3}$"}), json!(value))),
        (2020..2030_u32).prop_map(|year| (json!({"type": "string", "format": "date"}), json!(format!("{year}-03-05")))),
        prop::sample::select(vec!["open", "closed", "in_progress"])
            .prop_map(|value| (json!({"enum": ["open", "closed", "in_progress"]}), json!(value))),
        prop::sample::select(vec![json!(3), json!(null)])
            .prop_map(|value| (json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), value)),
        prop::sample::select(vec!["circle", "square"]).prop_map(|kind| {
            let tagged = |kind: &str, side: &str| json!({"properties": {"kind": {"const": kind}, side: {"type": "integer"}}, "required": ["kind", side]});
            let side = if kind == "circle" { "radius" } else { "side" };
            (json!({"oneOf": [tagged("circle", "radius"), tagged("square", "side")]}), json!({"kind": kind, side: 4}))
        }),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0..4_usize).prop_map(|((schema, value), count)| {
                (json!({"type": "array", "items": schema, "maxItems": 4}), Value::Array(vec![value; count]))
            }),
            (inner, name()).prop_map(|((schema, value), name)| {
                let schema = json!({"type": "object", "properties": {&name: schema}, "required": [&name], "additionalProperties": false});
                (schema, json!({name: value}))
            }),
        ]
    })
}

/// What callers do to valid arguments: a new value for an old one under a new name for the old one, or none.
type Damage = (fn(&str) -> Option<String>, fn(Value, Value) -> Value);

fn damages() -> impl Strategy<Value = Vec<(Index, Damage, Value)>> {
    let kept = |name: &str| Some(name.to_owned());
    let same = |old, _| old;
    let damages: Vec<Damage> = vec![
        (|_| None, same),
        (|name| Some(format!("{name}s")), same),
        (|name| Some(name.replace('_', "").to_uppercase()), same),
        (|_| Some("colour".to_owned()), same),
        (kept, |old, _| quoted(&old).into()),
        (kept, |old, _| format!(" {}", quoted(&old)).into()),
        (kept, |old, _| quoted(&old).to_uppercase().into()),
        (kept, |old, _| json!([old])),
        (kept, |_, _| Value::Null),
        (kept, |_, _| json!(1_000_000)),
        (kept, |_, other| other),
    ];
    prop::collection::vec(
        (
            any::<Index>(),
            prop::sample::select(damages),
            values::json(),
        ),
        0..4,
    )
}

fn quoted(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn damaged(valid: &Value, damages: &[(Index, Damage, Value)]) -> Value {
    let mut value = valid.clone();
    for (at, (rename, change), other) in damages {
        let places = places(&value);
        if places.is_empty() {
            continue;
        }
        let place = &places[at.index(places.len())];
        let (parent, last) = place.rsplit_once('/').expect("below the root");
        let old = value.pointer(place).cloned().unwrap_or_default();
        let parent = value.pointer_mut(parent).expect("a parent");
        let new = change(old, other.clone());
        if let Value::Object(map) = parent {
            map.remove(last);
            map.extend(rename(last).map(|name| (name, new)));
        } else if let Some(item) = last.parse::<usize>().ok().and_then(|at| parent.get_mut(at)) {
            *item = new;
        }
    }
    value
}

/// Pointers to everything below the root whose names need no escape.
fn places(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((at, value)) = open.pop() {
        let below: Vec<(String, &Value)> = match value {
            Value::Object(map) => map
                .iter()
                .filter(|(name, _)| !name.contains(['/', '~']))
                .map(|(name, value)| (format!("{at}/{name}"), value))
                .collect(),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(n, value)| (format!("{at}/{n}"), value))
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        all.extend(below.iter().map(|(at, _)| at.clone()));
        open.extend(below);
    }
    all
}

/// Pointers to what differs between two values, as deep as possible.
fn differences(a: &Value, b: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), a, b)];
    while let Some((at, a, b)) = open.pop() {
        match (a, b) {
            (Value::Object(a), Value::Object(b)) => {
                let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for name in names {
                    let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                    match (a.get(name), b.get(name)) {
                        (Some(a), Some(b)) => open.push((at, a, b)),
                        _ => all.push(at),
                    }
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                open.extend(
                    a.iter()
                        .zip(b)
                        .enumerate()
                        .map(|(n, (a, b))| (format!("{at}/{n}"), a, b)),
                );
            }
            _ if a != b => all.push(at),
            _ => {}
        }
    }
    all
}

/// Anything with keywords in it.
fn wild() -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(KEYWORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        values::json(),
        prop::sample::select(WORDS).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(json!({})),
        (0..5).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            4 => prop::collection::btree_map(keyword.clone(), inner.clone(), 0..5)
                .prop_map(|map| map.into_iter().collect::<Map<_, _>>().into()),
            1 => prop::collection::vec(inner, 0..3).prop_map(Value::from),
        ]
    })
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "string", "integer", "object", "array", "#", "#/$defs/a", "a", "^a+$", "date", "(?=a)",
];

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "type", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "if", "then", "else",
    "enum", "const", "minimum", "maxLength", "pattern", "format", "$ref", "$defs", "$id", "$anchor", "$dynamicRef",
    "additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames", "dependentRequired",
    "dependentSchemas", "dependencies", "uniqueItems", "multipleOf", "contains", "default", "a",
];
