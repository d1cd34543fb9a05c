//! Arguments against the schema of a tool, told in the words of a JavaScript validator that half the servers there
//! are built on.

use breakfall::Violation;
use breakfall::validate::Schema;
use serde_json::Value;

use super::ShopTool;

/// Whether arguments fit.
///
/// # Errors
/// The words for the client.
pub(crate) fn check(tool: &ShopTool, arguments: &Value) -> Result<(), String> {
    let input = (tool.input)();
    let schema = Schema::compile(&input).expect("a test compiles every schema here");
    let findings = schema.check(arguments);
    if findings.is_empty() {
        return Ok(());
    }
    let problems = findings.iter().map(|it| words(&it.violation(), &input));
    let problems = problems.collect::<Vec<_>>().join(", ");
    // A code of the protocol in front of the prose, and the whole as the text of a result: it is done that way.
    Err(format!(
        "MCP error -32602: Input validation error: Invalid arguments for tool {}: {problems}",
        tool.name
    ))
}

fn words(violation: &Violation, schema: &Value) -> String {
    let place = violation.pointer();
    let (parent, name) = place.rsplit_once('/').unwrap_or_default();
    let keyword = violation.keyword_text().unwrap_or_default();
    let expected = &below(schema, place)[keyword];
    let shown = expected
        .as_str()
        .map_or_else(|| expected.to_string(), str::to_owned);
    match keyword {
        "required" => format!("data{parent} must have required property '{name}'"),
        "additionalProperties" => format!("data{parent} must NOT have additional properties"),
        "type" => format!("data{place} must be {shown}"),
        "enum" => format!("data{place} must be equal to one of the allowed values"),
        "minimum" => format!("data{place} must be >= {shown}"),
        "maximum" => format!("data{place} must be <= {shown}"),
        "minLength" => format!("data{place} must NOT have fewer than {shown} characters"),
        "maxLength" => format!("data{place} must NOT have more than {shown} characters"),
        "minItems" => format!("data{place} must NOT have fewer than {shown} items"),
        "maxItems" => format!("data{place} must NOT have more than {shown} items"),
        "pattern" => format!("data{place} must match pattern \"{shown}\""),
        "format" => format!("data{place} must match format \"{shown}\""),
        _ => format!("data{place} is invalid"),
    }
}

/// The part of a schema that is about a place in the arguments. Ours are made of properties and items alone.
fn below<'a>(schema: &'a Value, pointer: &str) -> &'a Value {
    let steps = pointer.split('/').skip(1);
    steps.fold(schema, |part, step| {
        part["properties"].get(step).unwrap_or(&part["items"])
    })
}
