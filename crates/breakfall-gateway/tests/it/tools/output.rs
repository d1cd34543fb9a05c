use breakfall::Retry;
use breakfall_gateway::config::ValidationMode;
use breakfall_gateway::tools::output::{self, OutputMismatch};
use breakfall_gateway::tools::{SchemaCache, Tool};
use serde_json::{Value, json};

fn tool(output: &Value) -> Tool {
    let item = json!({"name": "count", "outputSchema": output}).to_string();
    Tool::read(&item, &SchemaCache::new("shop")).expect("a tool")
}

fn check(schema: &Value, result: &str) -> bool {
    output::check(&tool(schema), result, ValidationMode::Warn).is_some()
}

#[test]
fn only_results_are_held_against_the_schema() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let cases = [
        (r#"{"content":[],"structuredContent":{"n":1}}"#, false),
        (
            r#"{"content":[],"structuredContent":{"n":1,"more":true}}"#,
            false,
        ),
        (
            r#"{"content":[],"structuredContent":{"n":1,"m":1e400}}"#,
            false,
        ),
        (r#"{"content":[],"structuredContent":{"n":"1"}}"#, true),
        (r#"{"content":[],"structuredContent":{}}"#, true),
        (r#"{"content":[],"structuredContent":null}"#, true),
        (r#"{"content":[]}"#, true),
        (r#"{"content":[],"isError":false}"#, true),
        (r#"{"content":[],"isError":true}"#, false),
        (
            r#"{"content":[],"isError":true,"structuredContent":5}"#,
            false,
        ),
        (
            r#"{"resultType":"complete","content":[],"structuredContent":5}"#,
            true,
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            false,
        ),
        (r#"{"task":{"taskId":"1"}}"#, false),
        ("[]", false),
        ("", false),
    ];
    for (result, want) in cases {
        assert_eq!(check(&schema, result), want, "{result}");
    }
}

#[test]
fn structured_content_may_be_any_value() {
    assert!(!check(
        &json!({"type": "array"}),
        r#"{"structuredContent":[1]}"#
    ));
    assert!(!check(
        &json!({"type": "null"}),
        r#"{"structuredContent":null}"#
    ));
    assert!(check(&json!({"type": "null"}), r#"{"content":[]}"#));
}

#[test]
fn a_mismatch_is_told_refused_or_ignored() {
    let tool = tool(&json!({"properties": {"n": {"type": "integer"}}}));
    let result = r#"{"content":[],"structuredContent":{"n":"many"}}"#;
    let Some(OutputMismatch::Told(warning)) = output::check(&tool, result, ValidationMode::Warn)
    else {
        panic!("a warning")
    };
    assert_eq!(warning.code(), Some("OUTPUT_MISMATCH"));
    assert_eq!(
        warning.text(),
        "Result of 'count' does not fit its output schema"
    );
    let violations = warning.facts().get("violations").expect("what is wrong");
    assert_eq!(violations[0]["pointer"], "/n");

    let Some(OutputMismatch::Refused(fault)) = output::check(&tool, result, ValidationMode::Reject)
    else {
        panic!("a fault")
    };
    assert_eq!(fault.code().name(), "INTERNAL_BAD_UPSTREAM");
    assert_eq!(fault.public().retry(), Retry::Never, "it was done");
    assert_eq!(fault.public().origin(), breakfall::Origin::Upstream);
    assert_eq!(fault.public().violations().len(), 1);
    let executed = fault.public().details().text("executed");
    assert_eq!(executed, Some("yes"));

    assert!(output::check(&tool, result, ValidationMode::Off).is_none());
}

#[test]
fn nothing_fits_where_openapi_says_so() {
    let schema = json!({"properties": {"n": {"type": "integer", "nullable": true}}});
    assert!(!check(&schema, r#"{"structuredContent":{"n":null}}"#));
    assert!(check(&schema, r#"{"structuredContent":{"n":"x"}}"#));
}
