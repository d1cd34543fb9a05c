//! Arguments against a schema: every broken rule, its kind, its place, and what is said about it.

mod alternatives;
mod faults;
mod hostile;
mod refused;
mod repairs;

use breakfall::validate::{Kind, Schema};
use serde_json::{Value, json};

use crate::sample::document_of;

fn compiled(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|fault| panic!("{schema}: {fault:?}"))
}

/// `(pointer, keyword, kind)` of every finding.
fn found(schema: &Value, arguments: &Value) -> Vec<(String, String, Kind)> {
    let schema = compiled(schema);
    let findings = schema.check(arguments);
    let told = findings.iter().map(|finding| {
        let violation = finding.violation();
        let keyword = violation.keyword_text().expect("a keyword").to_owned();
        (violation.pointer().to_owned(), keyword, finding.kind())
    });
    told.collect()
}

/// The wire form of the only violation.
fn violation(schema: &Value, arguments: &Value) -> Value {
    let schema = compiled(schema);
    let fault = schema.check(arguments).into_fault("tool").expect("a fault");
    let violations = fault.public().violations();
    assert_eq!(violations.len(), 1, "{violations:?}");
    problem(&fault)["violations"][0].clone()
}

/// A fault as a problem document, which has every field.
fn problem(fault: &breakfall::Fault) -> Value {
    use breakfall::wire::{Dialect, Options};
    let copy = breakfall::Outcome::from(fault.clone());
    document_of(&copy, Dialect::Problem, &Options::new())
}

#[test]
fn every_keyword_has_its_kind_and_its_place() {
    #[rustfmt::skip]
    let cases = [
        (json!({"required": ["a"]}), json!({}), "/a", "required", Kind::Missing),
        (json!({"properties": {"p": {"required": ["a/b"]}}}), json!({"p": {}}), "/p/a~1b", "required", Kind::Missing),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"a": 1}), "/b", "dependentRequired", Kind::Missing),
        (json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}), json!({"a": 1}), "/b", "required", Kind::Missing),
        (json!({"properties": {"a": {"type": "integer"}}}), json!({"a": "x"}), "/a", "type", Kind::Type),
        (json!({"items": {"type": "string"}}), json!(["a", 1]), "/1", "type", Kind::Type),
        (json!({"type": "object"}), json!([]), "", "type", Kind::Type),
        (json!({"properties": {"a": {}}, "additionalProperties": false}), json!({"b": 1}), "/b", "additionalProperties", Kind::Unknown),
        (
            json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
            json!({"b": 1}),
            "/b",
            "unevaluatedProperties",
            Kind::Unknown,
        ),
        (json!({"propertyNames": {"enum": ["a"]}}), json!({"b": 1}), "/b", "propertyNames", Kind::Unknown),
        (json!({"properties": {"a": {"enum": ["x", "y"]}}}), json!({"a": "z"}), "/a", "enum", Kind::Enum),
        (json!({"properties": {"a": {"const": "x"}}}), json!({"a": "z"}), "/a", "const", Kind::Enum),
        (json!({"properties": {"a": {"minimum": 5}}}), json!({"a": 1}), "/a", "minimum", Kind::Range),
        (json!({"properties": {"a": {"exclusiveMaximum": 5}}}), json!({"a": 5}), "/a", "exclusiveMaximum", Kind::Range),
        (json!({"properties": {"a": {"minLength": 5}}}), json!({"a": "x"}), "/a", "minLength", Kind::Size),
        (json!({"properties": {"a": {"maxItems": 1}}}), json!({"a": [1, 2]}), "/a", "maxItems", Kind::Size),
        (json!({"properties": {"a": {"minProperties": 1}}}), json!({"a": {}}), "/a", "minProperties", Kind::Size),
        (json!({"properties": {"a": {"pattern": "^x"}}}), json!({"a": "y"}), "/a", "pattern", Kind::Pattern),
        (json!({"patternProperties": {"^n_": {"type": "integer"}}}), json!({"n_1": "y"}), "/n_1", "type", Kind::Type),
        (json!({"properties": {"a": {"format": "email"}}}), json!({"a": "y"}), "/a", "format", Kind::Format),
        (json!({"properties": {"a": {"multipleOf": 5}}}), json!({"a": 3}), "/a", "multipleOf", Kind::Other),
        (json!({"properties": {"a": {"uniqueItems": true}}}), json!({"a": [1, 1]}), "/a", "uniqueItems", Kind::Other),
        (json!({"properties": {"a": {"contains": {"const": 5}}}}), json!({"a": [1]}), "/a", "contains", Kind::Other),
        (json!({"properties": {"a": {"not": {"type": "string"}}}}), json!({"a": "y"}), "/a", "not", Kind::Other),
        (json!({"properties": {"a": false}}), json!({"a": "y"}), "/a", "false", Kind::Other),
    ];
    for (schema, arguments, pointer, keyword, kind) in cases {
        let one = (pointer.to_owned(), keyword.to_owned(), kind);
        assert_eq!(found(&schema, &arguments), [one], "{schema} on {arguments}");
    }
}

#[test]
fn a_schema_is_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Schema>();
}

#[test]
fn all_broken_rules_are_told_the_gravest_kind_first() {
    let schema = json!({
        "type": "object",
        "properties": {
            "limit": {"type": "integer", "maximum": 100},
            "state": {"enum": ["open", "closed"]},
            "since": {"type": "string", "format": "date"},
            "page": {"type": "integer"}
        },
        "required": ["owner", "repo"],
        "additionalProperties": false
    });
    let arguments =
        json!({"limit": 500, "state": "ajar", "since": "soon", "page": [], "colour": "red"});
    let all = found(&schema, &arguments);
    let places: Vec<&str> = all.iter().map(|(pointer, ..)| pointer.as_str()).collect();
    assert_eq!(
        places,
        [
            "/owner", "/repo", "/page", "/colour", "/state", "/limit", "/since"
        ]
    );
    assert!(all.is_sorted_by_key(|(.., kind)| *kind));
}

#[test]
fn references_and_both_current_dialects_are_followed() {
    let seven = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"count": {"type": "integer"}},
        "properties": {
            "n": {"$ref": "#/definitions/count"},
            "pair": {"items": [{"type": "integer"}], "additionalItems": false}
        },
        "dependencies": {"n": ["pair"]}
    });
    assert_eq!(found(&seven, &json!({"n": "x", "pair": [1, 2]})).len(), 2);
    assert_eq!(found(&seven, &json!({"n": 1}))[0].1, "dependencies");
    let twenty = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"a b/c": {"$anchor": "here", "type": "integer"}},
        "properties": {
            "n": {"$ref": "#here"},
            "m": {"$ref": "#/$defs/a%20b~1c"},
            "pair": {"prefixItems": [{"type": "integer"}], "items": false}
        }
    });
    assert_eq!(
        found(&twenty, &json!({"n": "x", "m": "y", "pair": [1, 2]})).len(),
        3
    );
    let embedded = json!({
        "$id": "https://example.com/root",
        "$defs": {"inner": {
            "$id": "inner",
            "$defs": {"count": {"type": "integer"}},
            "properties": {"n": {"$ref": "#/$defs/count"}}
        }},
        "properties": {"i": {"$ref": "inner"}, "j": {"$ref": "https://example.com/inner"}}
    });
    let all = found(&embedded, &json!({"i": {"n": "1"}, "j": {"n": "2"}}));
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn names_that_begin_with_an_underscore_are_exempt() {
    let schema = json!({
        "properties": {
            "a": {"type": "integer"},
            "b": {"anyOf": [{"type": "object", "additionalProperties": false}, {"type": "null"}]}
        },
        "additionalProperties": false
    });
    assert_eq!(
        found(&schema, &json!({"a": 1, "_meta": {}, "b": {"_x": 1}})),
        []
    );
    assert_eq!(
        found(&schema, &json!({"_a": 1, "b": {"x": 1}}))[0].0,
        "/b/x"
    );
    let closed = compiled(&json!({"properties": {"a": {}}})).closed();
    assert!(closed.check(&json!({"_meta": 1, "a": 1})).is_empty());
    assert_eq!(closed.check(&json!({"b": 1})).len(), 1);
}

#[test]
fn a_schema_that_speaks_of_other_names_is_not_closed() {
    for schema in [
        json!({"properties": {"a": {}}, "additionalProperties": true}),
        json!({"properties": {"a": {}}, "patternProperties": {"^x": {}}}),
        json!({"type": "object"}),
        json!({"allOf": [{"properties": {"a": {}}}, {"additionalProperties": {}}]}),
    ] {
        let schema = compiled(&schema).closed();
        assert!(
            schema.check(&json!({"whatever": 1})).is_empty(),
            "{schema:?}"
        );
    }
}

#[test]
fn well_known_formats_are_asserted_and_others_are_notes() {
    for (format, good, bad) in [
        ("date-time", "2026-01-31T12:00:00Z", "yesterday"),
        ("date", "2026-01-31", "2026-02-31"),
        ("email", "ada@example.com", "ada"),
        ("uri", "https://example.com/x", "not a uri"),
        ("uuid", "01234567-89ab-4cde-8f01-23456789abcd", "0123"),
        ("ipv4", "192.0.2.1", "192.0.2"),
    ] {
        for dialect in [
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2020-12/schema",
        ] {
            let schema = json!({"$schema": dialect, "properties": {"a": {"type": "string", "format": format}}});
            assert_eq!(
                found(&schema, &json!({"a": good})),
                [],
                "{format} in {dialect}"
            );
            assert_eq!(
                found(&schema, &json!({"a": bad})).len(),
                1,
                "{format} in {dialect}"
            );
        }
    }
    for note in ["regex", "password", "int32", "binary"] {
        let schema = json!({"properties": {"a": {"format": note}}});
        assert_eq!(found(&schema, &json!({"a": "(?<=x"})), [], "{note}");
    }
    let content = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"contentEncoding": "base64", "contentMediaType": "application/json"}}
    });
    assert_eq!(found(&content, &json!({"a": "!!"})), []);
}

#[test]
fn a_violation_says_what_was_expected_and_what_came() {
    assert_eq!(
        violation(
            &json!({"properties": {"limit": {"type": "integer"}}}),
            &json!({"limit": "50"})
        ),
        json!({
            "pointer": "/limit", "keyword": "type", "message": "expected integer, got string",
            "expected": "integer", "got": "50", "suggestion": 50
        })
    );
    assert_eq!(
        violation(
            &json!({"required": ["owner"], "properties": {"owner": {"type": "string"}}}),
            &json!({})
        ),
        json!({"pointer": "/owner", "keyword": "required", "message": "required but missing", "expected": "string"})
    );
    assert_eq!(
        violation(
            &json!({"properties": {"a": {"maxLength": 3}}}),
            &json!({"a": "abcd"})
        ),
        json!({
            "pointer": "/a", "keyword": "maxLength", "message": "must have at most 3 characters",
            "expected": 3, "got": "abcd"
        })
    );
    let long = "x".repeat(5000);
    let schema = json!({"properties": {"a": {"type": "integer"}}});
    for (value, got) in [
        (json!(long), "string of 5000 characters"),
        (json!([1, 2, 3]), "array of 3 items"),
        (json!({"a": 1}), "object with 1 member"),
        (json!({"a": 1, "b": 2}), "object with 2 members"),
    ] {
        assert_eq!(violation(&schema, &json!({"a": value}))["got"], got);
    }
}

#[test]
fn nothing_that_looks_like_a_credential_comes_back() {
    let token = format!("ghp_{}", "Zq8".repeat(12));
    let schema = compiled(&json!({
        "properties": {
            "password": {"type": "integer"},
            "note": {"type": "string", "maxLength": 3},
            "mode": {"enum": ["fast", "slow"]},
            "limit": {"type": "integer"}
        },
        "additionalProperties": false
    }));
    let arguments = json!({"password": "hunter22", "note": token, "mode": token, "limit": "5", token.as_str(): 1});
    let fault = schema
        .check(&arguments)
        .into_fault("login")
        .expect("a fault");
    let shown = format!("{fault:?} {}", fault.report());
    assert!(!shown.contains("hunter22"), "{shown}");
    assert!(!shown.contains(&token), "{shown}");
    assert!(shown.contains("[redacted:"), "{shown}");
}

#[test]
fn arguments_that_hold_a_secret_are_not_sent_back() {
    let schema = compiled(
        &json!({"properties": {"token": {"type": "string"}, "limit": {"type": "integer"}}}),
    );
    let open = schema
        .check(&json!({"limit": "5", "token": null}))
        .corrective_params()
        .cloned();
    assert_eq!(open, Some(json!({"limit": 5})));
    let arguments = json!({"limit": "5", "token": format!("ghp_{}", "Zq8".repeat(12))});
    let findings = schema.check(&arguments);
    assert_eq!(findings.corrective_params(), None);
    assert_eq!(
        findings.coerced()["limit"],
        5,
        "inside the process they may be used"
    );
}
