//! Schemas that are refused, and why: the place, what should be there, what is.

use breakfall::validate::Schema;
use breakfall::{Fault, Origin};
use serde_json::{Value, json};

fn refused(schema: &Value) -> Fault {
    let fault = Schema::compile(schema)
        .map(drop)
        .expect_err(&schema.to_string());
    assert_eq!(
        fault.public().origin(),
        Origin::Upstream,
        "the caller wrote no schema"
    );
    fault
}

fn detail(fault: &Fault, key: &str) -> Value {
    fault
        .public()
        .details()
        .get(key)
        .cloned()
        .unwrap_or_default()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_mistake_in_a_schema_is_told_with_its_place() {
    for (schema, code, path, expected, actual) in [
        (
            json!({"properties": {"a": {"type": "strin"}}}),
            "SCHEMA_INVALID_NAME",
            "properties.a.type",
            Value::Null,
            json!("strin"),
        ),
        (
            json!({"properties": 5}),
            "SCHEMA_INVALID_TYPE",
            "properties",
            json!("object"),
            json!("number"),
        ),
        (
            json!({"required": "a"}),
            "SCHEMA_INVALID_TYPE",
            "required",
            json!("array"),
            json!("string"),
        ),
        (
            json!({"type": 5}),
            "SCHEMA_INVALID_TYPE",
            "type",
            json!("string or array"),
            json!("number"),
        ),
        (
            json!(5),
            "SCHEMA_INVALID_TYPE",
            "schema",
            json!("boolean or object"),
            json!("number"),
        ),
        (
            json!({"$schema": 5}),
            "SCHEMA_INVALID_TYPE",
            "$schema",
            json!("string"),
            json!("number"),
        ),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/b"}}}),
            "SCHEMA_UNRESOLVED_REF",
            "properties.a.$ref",
            json!([]),
            json!("#/$defs/b"),
        ),
    ] {
        let fault = refused(&schema);
        assert_eq!(fault.code().name(), code, "{schema}");
        assert_eq!(detail(&fault, "field_path"), path, "{schema}");
        let (want, have) = if code.ends_with("TYPE") {
            ("expected_type", "actual_type")
        } else {
            ("expected_value", "actual_value")
        };
        assert_eq!(detail(&fault, have), actual, "{schema}");
        if !expected.is_null() {
            assert_eq!(detail(&fault, want), expected, "{schema}");
        }
        let pointer = if path == "schema" {
            String::new()
        } else {
            format!("/{}", path.replace('.', "/"))
        };
        assert_eq!(fault.public().violations()[0].pointer(), pointer);
    }
}

#[test]
fn a_near_miss_comes_with_a_suggestion() {
    let fault = refused(&json!({"type": "strng"}));
    assert_eq!(detail(&fault, "suggestion"), "string");
    let fault = refused(&json!({"$defs": {"order": {}}, "$ref": "#/$defs/ordr"}));
    assert_eq!(detail(&fault, "suggestion"), "#/$defs/order");
}

#[test]
fn nothing_is_fetched() {
    for target in [
        "https://example.com/schema.json",
        "http://127.0.0.1:9/x",
        "file:///etc/passwd",
        "other.json",
        "//example.com/x",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        for schema in [
            json!({"$ref": target}),
            json!({"properties": {"a": {"items": {"$ref": target}}}}),
            json!({"$defs": {"unused": {"$dynamicRef": target}}}),
            json!({"$id": "https://base.example/x", "anyOf": [{"$ref": target}]}),
        ] {
            let fault = refused(&schema);
            assert_eq!(fault.code().name(), "SCHEMA_UNRESOLVED_REF", "{schema}");
            assert!(
                detail(&fault, "suggestion")
                    .as_str()
                    .is_some_and(|text| text.contains("$defs"))
            );
        }
    }
}

#[test]
fn an_unknown_dialect_is_refused_wherever_it_is_declared() {
    for dialect in [
        "https://example.com/meta",
        "http://json-schema.org/draft-03/schema#",
        "draft-07",
        "",
    ] {
        for schema in [
            json!({"$schema": dialect}),
            json!({"$defs": {"a": {"$id": "a", "$schema": dialect}}}),
        ] {
            let fault = refused(&schema);
            assert_eq!(
                fault.code().name(),
                "SCHEMA_VERSION_UNSUPPORTED",
                "{schema}"
            );
        }
    }
    for dialect in [
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema#",
    ] {
        assert!(
            Schema::compile(&json!({"$schema": dialect})).is_ok(),
            "{dialect}"
        );
    }
}

#[test]
fn a_pattern_without_a_bound_on_its_time_is_refused() {
    for pattern in ["(?=a)b", "(?<!a)b", r"(a)\1", "(", "[", "(a{1000}){1000}"] {
        for schema in [
            json!({"properties": {"a": {"pattern": pattern}}}),
            json!({"patternProperties": {pattern: {}}}),
        ] {
            let fault = refused(&schema);
            assert_eq!(fault.code().name(), "SCHEMA_INVALID_TYPE", "{schema}");
            assert!(
                detail(&fault, "expected_type")
                    .as_str()
                    .is_some_and(|text| text.contains("regular expression")),
                "{schema}: {fault:?}"
            );
        }
    }
}

#[test]
fn a_schema_that_consists_of_itself_is_refused() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"anyOf": [{"type": "string"}, {"$ref": "#"}]}),
    ] {
        assert_eq!(
            refused(&schema).code().name(),
            "SCHEMA_UNRESOLVED_REF",
            "{schema}"
        );
    }
    let tree = json!({"properties": {"children": {"items": {"$ref": "#"}}}});
    assert!(Schema::compile(&tree).is_ok());
}
