//! One fault for all findings: its code, its details as the row asks for them, its words.

use breakfall::validate::{Kind, Schema, unknown_tool};
use breakfall::{Confidence, Fault, Violation};
use serde_json::{Value, json};

use super::compiled;

fn fault(schema: &Value, arguments: &Value) -> Fault {
    compiled(schema)
        .check(arguments)
        .into_fault("list_issues")
        .expect("a fault")
}

fn details(fault: &Fault) -> Value {
    fault
        .public()
        .details()
        .iter()
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_kind_has_its_code_and_the_details_of_its_row() {
    testing::proves!("S4-33", "S4-34", "S4-35", "S4-78");
    let of = |v: Value| json!({"properties": {"v": v}});
    for (schema, arguments, code, message, told) in [
        (
            json!({"required": ["v"]}),
            json!({}),
            "VALIDATION_MISSING_PARAM",
            "Missing required parameter 'v'",
            json!({"param_name": "v", "operation": "list_issues"}),
        ),
        (
            of(json!({"type": "integer"})),
            json!({"v": true}),
            "VALIDATION_INVALID_TYPE",
            "Parameter 'v' expected 'integer', got 'boolean'",
            json!({"param_name": "v", "expected_type": "integer", "actual_type": "boolean", "value": true}),
        ),
        (
            json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}),
            json!({"x": 1, "y": 2}),
            "VALIDATION_UNKNOWN_PARAM",
            "Unknown parameter(s) for operation 'list_issues': x, y",
            json!({"operation": "list_issues", "unknown_params": ["x", "y"], "valid_params": ["a", "b"]}),
        ),
        (
            of(json!({"enum": ["open", "closed"]})),
            json!({"v": "opne"}),
            "VALIDATION_INVALID_ENUM",
            "Parameter 'v' must be one of 'open, closed'",
            json!({"param_name": "v", "allowed_values": ["open", "closed"], "suggestion": "open", "value": "opne"}),
        ),
        (
            of(json!({"minimum": 1, "maximum": 100})),
            json!({"v": 500}),
            "VALIDATION_OUT_OF_RANGE",
            "Parameter 'v' must be between 1 and 100",
            json!({"param_name": "v", "minimum": 1, "maximum": 100, "value": 500}),
        ),
        (
            of(json!({"minLength": 2})),
            json!({"v": "x"}),
            "VALIDATION_OUT_OF_RANGE",
            "Parameter 'v' must have at least 2 characters",
            json!({"param_name": "v", "minimum": 2, "value": "x"}),
        ),
        (
            of(json!({"pattern": "^[A-Z]{3}$"})),
            json!({"v": "usd"}),
            "VALIDATION_PATTERN_MISMATCH",
            "Parameter 'v' does not match '^[A-Z]{3}$'",
            json!({"param_name": "v", "pattern": "^[A-Z]{3}$", "value": "usd"}),
        ),
        (
            of(json!({"format": "date"})),
            json!({"v": "soon"}),
            "VALIDATION_PATTERN_MISMATCH",
            "Parameter 'v' does not match 'date'",
            json!({"param_name": "v", "pattern": "date", "example": "2026-01-31", "value": "soon"}),
        ),
        (
            of(json!({"multipleOf": 5})),
            json!({"v": 3}),
            "VALIDATION_INVALID_VALUE",
            "Parameter 'v' has an invalid value: must be a multiple of 5",
            json!({"param_name": "v", "operation": "list_issues", "reason": "must be a multiple of 5", "value": 3}),
        ),
        (
            json!({"type": "object"}),
            json!([]),
            "VALIDATION_INVALID_TYPE",
            "Parameter 'arguments' expected 'object', got 'array'",
            json!({"param_name": "arguments", "expected_type": "object", "actual_type": "array"}),
        ),
    ] {
        let fault = fault(&schema, &arguments);
        assert_eq!(fault.code().name(), code, "{schema}");
        assert_eq!(fault.public().message(), message, "{schema}");
        assert_eq!(details(&fault), told, "{schema}");
    }
}

#[test]
fn unknown_names_inside_the_input_of_an_update_are_fields() {
    testing::proves!("S4-36", "S4-37");
    let schema = json!({"properties": {
        "id": {},
        "input": {"type": "object", "properties": {"name": {}}, "additionalProperties": false}
    }});
    let fault = fault(
        &schema,
        &json!({"id": 1, "input": {"colour": 1, "size": 2}}),
    );
    assert_eq!(fault.code().name(), "VALIDATION_UNKNOWN_FIELD");
    assert_eq!(
        details(&fault),
        json!({"operation": "list_issues", "unknown_fields": ["colour", "size"], "valid_fields": ["name"]})
    );
}

#[test]
fn a_secret_is_known_by_the_name_that_was_meant_and_by_its_list() {
    let schema = json!({
        "properties": {
            "password": {"type": "string"},
            "api_key": {"type": "array", "items": {"type": "integer"}}
        },
        "additionalProperties": false
    });
    let fault = fault(
        &schema,
        &json!({"pasword": "hunter22", "api_key": ["hunter33"]}),
    );
    let shown = format!("{:?}", fault.public());
    assert!(!shown.contains("hunter"), "{shown}");
    assert!(shown.contains("did you mean 'password'?"), "{shown}");
    let suggested = "suggestion: Some(String(\"password\"))";
    assert!(shown.contains(suggested), "{shown}");
}

#[test]
fn one_change_for_two_broken_rules_is_told_once() {
    let schema = json!({"properties": {
        "size": {"type": "string", "enum": ["10", "20"]},
        "limit": {"type": "integer"}
    }});
    let fault = fault(&schema, &json!({"size": 10, "limit": "5"}));
    assert_eq!(
        fault.public().remediation(),
        "Send 'limit' as 5; send 'size' as \"10\"."
    );
}

#[test]
fn the_gravest_kind_names_the_fault_and_the_remedy_names_them_all() {
    let schema = json!({
        "properties": {"limit": {"type": "integer"}, "state": {"enum": ["open", "closed"]}},
        "required": ["owner"],
        "additionalProperties": false
    });
    let fault = fault(&schema, &json!({"limit": "50", "stte": "open"}));
    assert_eq!(fault.code().name(), "VALIDATION_MISSING_PARAM");
    assert_eq!(
        fault.public().remediation(),
        "Add 'owner'; send 'limit' as 50; rename 'stte' to 'state'."
    );
    let provenance = fault.public().provenance().expect("a rule");
    assert_eq!(
        (&*provenance.rule, provenance.confidence),
        ("schema.required", Confidence::Structural)
    );
}

#[test]
fn the_remedy_names_the_bound_even_where_there_is_one() {
    for (v, sent, remedy) in [
        (json!({"minimum": 1}), json!(0), "Send 'v' as 1."),
        (
            json!({"exclusiveMinimum": 0}),
            json!(0),
            "'v' must be more than 0.",
        ),
        (
            json!({"maxLength": 3}),
            json!("abcd"),
            "'v' must have at most 3 characters.",
        ),
        (
            json!({"minLength": 1, "maxLength": 1}),
            json!("abcd"),
            "'v' must have at most 1 character.",
        ),
        (
            json!({"minimum": 1, "maximum": 9}),
            json!(0),
            "Send a value from 1 to 9 for 'v'.",
        ),
    ] {
        let fault = fault(&json!({"properties": {"v": v}}), &json!({"v": sent}));
        assert_eq!(fault.code().name(), "VALIDATION_OUT_OF_RANGE");
        assert_eq!(fault.public().remediation(), remedy, "{v}");
    }
}

#[test]
fn violations_are_told_in_the_order_of_a_list_not_of_its_digits() {
    let schema = json!({"properties": {
        "l": {"items": {"type": "integer"}},
        "m": {"additionalProperties": {"type": "integer"}},
    }});
    let list: Vec<Value> = (0..101)
        .map(|n| if n % 5 == 0 { json!("x") } else { json!(n) })
        .collect();
    let map = json!({"1a": "x", "10": "x", "2": "x", "02": "x", "": "x", "b": "x", "b/c": "x"});
    let fault = fault(&schema, &json!({"l": list, "m": map}));
    let places: Vec<&str> = fault
        .public()
        .violations()
        .iter()
        .map(Violation::pointer)
        .collect();
    let list: Vec<String> = (0..101).step_by(5).map(|n| format!("/l/{n}")).collect();
    assert_eq!(places[..21], list);
    assert_eq!(
        places[21..],
        ["/m/02", "/m/2", "/m/10", "/m/", "/m/1a", "/m/b", "/m/b~1c"]
    );
    assert!(
        fault.public().message().contains("'l.0'"),
        "{}",
        fault.public().message()
    );
}

#[test]
fn violations_and_words_are_bounded() {
    let schema = json!({"items": {"type": "integer"}});
    let arguments: Value = (0..500).map(|_| "word").collect();
    let fault = fault(&schema, &arguments);
    assert_eq!(fault.public().violations().len(), 64);
    assert_eq!(
        fault.public().details().get("violations_omitted"),
        Some(&json!(436))
    );
    assert!(
        fault.public().remediation().ends_with("more."),
        "{}",
        fault.public().remediation()
    );
    assert!(fault.public().remediation().len() < 400);
}

#[test]
fn the_page_lists_every_kind_with_its_code() {
    let page = include_str!("../../../../../docs/validation.md");
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let kinds: Vec<String> = Kind::ALL
        .iter()
        .map(|kind| format!("| `{}` |", kind.as_str()))
        .collect();
    assert_eq!(rows.len(), kinds.len(), "one row for each, in order");
    for (row, kind) in rows.iter().zip(kinds) {
        assert!(row.starts_with(&kind), "{row}");
    }
    for (schema, arguments) in [
        (json!({"required": ["v"]}), json!({})),
        (
            json!({"properties": {"v": {"type": "integer"}}}),
            json!({"v": true}),
        ),
        (json!({"additionalProperties": false}), json!({"v": true})),
        (
            json!({"properties": {"v": {"enum": [1]}}}),
            json!({"v": true}),
        ),
        (
            json!({"properties": {"v": {"minimum": 1}}}),
            json!({"v": 0}),
        ),
        (
            json!({"properties": {"v": {"minLength": 1}}}),
            json!({"v": ""}),
        ),
        (
            json!({"properties": {"v": {"pattern": "^a"}}}),
            json!({"v": ""}),
        ),
        (
            json!({"properties": {"v": {"format": "date"}}}),
            json!({"v": ""}),
        ),
        (
            json!({"properties": {"v": {"multipleOf": 2}}}),
            json!({"v": 1}),
        ),
    ] {
        let schema = compiled(&schema);
        let findings = schema.check(&arguments);
        let kind = findings.iter().next().expect("a finding").kind();
        let row = rows
            .iter()
            .find(|row| row.starts_with(&format!("| `{}` |", kind.as_str())))
            .expect("a row");
        let fault = findings.into_fault("tool").expect("a fault");
        assert!(row.contains(&format!("`{}`", fault.code())), "{row}");
    }
}

#[test]
fn the_example_of_the_page_is_true() {
    let schema = json!({
        "type": "object",
        "properties": {"owner": {"type": "string"}, "limit": {"type": "integer", "maximum": 100}},
        "required": ["owner"],
        "additionalProperties": false
    });
    let fault = fault(&schema, &json!({"Owner": "ada", "limit": "500"}));
    assert_eq!(
        fault.public().corrective_params(),
        Some(&json!({"owner": "ada", "limit": 100}))
    );
}

#[test]
fn valid_arguments_make_no_fault() {
    let schema = Schema::compile(&json!({"type": "object"})).unwrap();
    let arguments = json!({});
    assert!(schema.check(&arguments).into_fault("tool").is_none());
    assert_eq!(schema.check(&arguments).corrective_params(), None);
}

#[test]
fn an_unknown_tool_comes_with_what_there_is() {
    testing::proves!("S4-43");
    let near = unknown_tool("get_isue", &["list_issues", "get_issue"]);
    assert_eq!(near.code().name(), "NOT_FOUND_OPERATION");
    assert_eq!(
        near.public().details().get("suggestion"),
        Some(&json!("get_issue"))
    );
    assert_eq!(
        near.public().details().get("available"),
        Some(&json!(["get_issue", "list_issues"]))
    );
    let far = unknown_tool("fly", &["list_issues", "get_issue"]);
    assert_eq!(far.public().details().get("suggestion"), None);
    assert_eq!(far.public().fallback_tool(), None);
    assert_eq!(
        far.public().remediation(),
        "Call one of the available operations instead: list_issues, get_issue."
    );
    assert_eq!(
        unknown_tool("fly", &[]).public().details().get("available"),
        None
    );
    let alike = unknown_tool("github_issues_find", &["a", "b_find", "github_find_issue"]);
    assert_eq!(
        alike.public().details().get("available"),
        Some(&json!(["github_find_issue", "b_find", "a"])),
        "those with most words of it come first"
    );
    let many: Vec<String> = (0..5000).map(|n| format!("tool_{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let fault = unknown_tool(&"x".repeat(100_000), &many);
    assert_eq!(
        fault
            .public()
            .details()
            .get("available")
            .and_then(Value::as_array)
            .map(Vec::len),
        Some(12)
    );
    assert!(fault.public().message().len() < 200);
}

#[test]
fn a_list_of_tools_that_is_not_all_there_is_says_how_many_more_there_are() {
    let many: Vec<String> = (0..42).map(|n| format!("t{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let fault = unknown_tool("fly", &many);
    assert_eq!(
        fault.public().remediation(),
        "Call one of the available operations instead: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, and 30 more. \
         List the tools for all of them."
    );
    let omitted = |fault: &Fault| fault.public().details().get("available_omitted").cloned();
    assert_eq!(omitted(&fault), Some(json!(30)));
    assert_eq!(omitted(&unknown_tool("t41x", &many)), Some(json!(30)));
    assert_eq!(omitted(&unknown_tool("fly", &many[..12])), None);

    let long: Vec<String> = (0..42).map(|n| format!("t{n:059}")).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let fault = unknown_tool("fly", &long);
    let advice = fault.public().remediation().into_owned();
    assert!(advice.contains(", and 40 more."), "{advice}");
    let huge = "t".repeat(10_000);
    let fault = unknown_tool("fly", &[&*huge; 13]);
    let advice = fault.public().remediation().into_owned();
    assert!(advice.contains(", and 12 more."), "{advice}");
}

#[test]
fn a_list_of_no_values_is_told_as_that() {
    let fault = fault(
        &json!({"properties": {"v": {"enum": []}}}),
        &json!({"v": 1}),
    );
    assert_eq!(fault.code().name(), "VALIDATION_INVALID_ENUM");
    assert_eq!(
        fault.public().message(),
        "Parameter 'v' fits nothing: the schema allows no value here"
    );
}
