use breakfall_gateway::config::{ValidationMode, ValidationModes, ValidationRule};
use breakfall_gateway::tools::{Tool, output, validate};
use serde_json::{Value, json};

use super::{check, codes, shared, tool_with};

#[test]
fn an_unusable_schema_leaves_its_tool_unchecked_with_a_warning() {
    let deep = (0..200).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}));
    let enormous = json!({"description": "x".repeat(2 << 20)});
    let many: Vec<Value> = (0..60_000).map(Value::from).collect();
    for schema in [
        json!({"type": "nothing"}),
        json!({"properties": 5}),
        json!({"$ref": "https://example.test/schema"}),
        json!({"$ref": "#/nowhere"}),
        json!({"$schema": "https://example.test/dialect"}),
        json!({"pattern": "("}),
        json!({"pattern": "(a{1000}){1000}"}),
        json!("object"),
        json!([1]),
        json!({"enum": many}),
        enormous,
        deep,
    ] {
        let tool = tool_with(&schema);
        for _ in 0..2 {
            let checked = validate::check(&tool, Some("{}"), &ValidationModes::default())
                .expect("let through");
            assert_eq!(codes(&checked.warnings), ["ARGUMENTS_UNCHECKED"]);
            let told = checked.warnings[0].facts();
            let reason = told.text("reason").expect("a reason");
            assert!(!reason.is_empty() && reason.len() < 500, "{reason}");
        }
        let off = validate::check(
            &tool,
            Some("{}"),
            &ValidationModes::all(ValidationMode::Off),
        );
        assert!(off.expect("nobody looks").warnings.is_empty());
    }
}

#[test]
fn an_unusable_output_schema_is_not_blamed_on_the_result() {
    let item = r#"{"name":"t","outputSchema":{"type":"nothing"}}"#;
    let tool = Tool::read(item, &shared()).expect("a tool");
    let result = r#"{"content":[],"structuredContent":1}"#;
    assert!(output::check(&tool, result, ValidationMode::Reject).is_none());
}

#[test]
fn big_arguments_are_judged_or_let_through() {
    let numbers = format!("[{}1]", "1,".repeat(1 << 20));
    let texts = format!("[{}\"a\"]", "\"a\",".repeat(1 << 19));
    let text = "a".repeat(16 << 20);
    let cases = [
        (
            json!({"properties": {"a": {"items": {"type": "integer"}}}}),
            format!(r#"{{"a":{numbers}}}"#),
            true,
        ),
        (
            json!({"properties": {"a": {"items": {"type": "integer"}}}}),
            format!(r#"{{"a":{texts}}}"#),
            false,
        ),
        (
            json!({"properties": {"a": {"uniqueItems": true}}}),
            format!(r#"{{"a":{numbers}}}"#),
            false,
        ),
        (
            json!({"properties": {"a": {"pattern": "^(a|b)*$"}}}),
            format!(r#"{{"a":"{text}"}}"#),
            true,
        ),
        (
            json!({"properties": {"a": {"pattern": "[ab]*a[ab]{500}c"}}}),
            format!(r#"{{"a":"{text}"}}"#),
            true,
        ),
        (
            json!({"properties": {"a": {"maxLength": 5}}}),
            format!(r#"{{"a":"{text}"}}"#),
            false,
        ),
        (
            json!({"$defs": {"n": {"anyOf": [{"type": "integer"}, {"items": {"$ref": "#/$defs/n"}}]}},
                "properties": {"a": {"$ref": "#/$defs/n"}}}),
            format!(r#"{{"a":{numbers}}}"#),
            true,
        ),
    ];
    for (schema, arguments, is_fine) in cases {
        let checked = check(&schema, &arguments, &ValidationModes::default());
        assert_eq!(checked.is_ok(), is_fine, "{schema}");
        assert!(checked.is_ok_and(|checked| checked.edited.is_none()) == is_fine);
    }
}

#[test]
fn arguments_that_would_take_too_much_memory_go_on_unchecked() {
    let schema = json!({"properties": {"a": {"type": "string"}}});
    for item in ["1", r#"{"a":1}"#] {
        let list = vec![item; 3_000_000 / item.len()].join(",");
        let checked = check(
            &schema,
            &format!(r#"{{"a":[{list}]}}"#),
            &ValidationModes::default(),
        );
        let checked = checked.expect("let through");
        assert_eq!(codes(&checked.warnings), ["ARGUMENTS_UNCHECKED"]);
    }
}

#[test]
fn many_unknown_names_are_all_stripped_and_few_are_told() {
    let schema = json!({"properties": {"a": {"type": "integer"}}});
    let names: Vec<String> = (0..50_000)
        .map(|name| format!("\"n{name}\":[{name}]"))
        .collect();
    let sent = format!(
        r#"{{{},"a":1e400,{}}}"#,
        names[..25_000].join(","),
        names[25_000..].join(",")
    );
    let modes = ValidationModes::all(ValidationMode::Off)
        .with(ValidationRule::Unknown, ValidationMode::Strip);
    let checked = check(&schema, &sent, &modes).expect("let through");
    assert_eq!(checked.edited.as_deref(), Some(r#"{"a":1e400}"#));
    let told = checked.warnings[0].facts().get("unknown_params");
    assert!(
        told.and_then(Value::as_array)
            .is_some_and(|told| told.len() <= 16)
    );
}

#[test]
fn a_list_too_long_to_be_kept_is_not_taken_for_whole() {
    use breakfall_gateway::tools::{ToolCache, ToolLookup};
    let cache = ToolCache::new(shared());
    let items: Vec<String> = (0..10_050)
        .map(|tool| format!(r#"{{"name":"t{tool}"}}"#))
        .collect();
    cache.learn(&format!(r#"{{"tools":[{}]}}"#, items.join(",")), true);
    assert!(matches!(cache.find("t5"), ToolLookup::Known(_)));
    assert!(matches!(cache.find("t10049"), ToolLookup::Unlisted));
    assert_eq!(cache.names().len(), 10_000);
}

#[test]
fn compiled_schemas_of_a_server_are_bounded_and_freed_when_unused() {
    let schemas = shared();
    let tool = |at: usize| {
        let words = format!("{at}{}", "x".repeat(1000 << 10));
        let item = json!({"name": "t", "inputSchema": {"enum": [words]}}).to_string();
        Tool::read(&item, &schemas).expect("a tool")
    };
    let is_checked =
        |tool: &Tool| validate::check(tool, None, &ValidationModes::default()).is_err();
    for _ in 0..2 {
        let tools: Vec<Tool> = (0..6).map(tool).collect();
        let checked = tools.iter().filter(|tool| is_checked(tool)).count();
        assert_eq!(checked, 4);
    }
}
