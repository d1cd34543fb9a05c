//! Arguments against the schema of a tool, told as servers tell it.

use breakfall::validate::Schema;
use serde_json::Value;

use super::Tool;

/// Whether arguments fit.
///
/// # Errors
/// The words for the client.
pub(in crate::demo) fn check(tool: &Tool, arguments: &Value) -> Result<(), String> {
    let schema = Schema::compile(&(tool.input)()).expect("a test compiles every schema here");
    let problems: Vec<_> = schema
        .check(arguments)
        .iter()
        .map(|finding| {
            let violation = finding.violation();
            let words = violation
                .message_text()
                .unwrap_or("is not valid")
                .to_owned();
            match violation.field().as_str() {
                "" => words,
                field => format!("{field}: {words}"),
            }
        })
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    // The words in front are those of a widespread library, which puts a code of the protocol into its prose.
    Err(format!(
        "MCP error -32602: Input validation error: Invalid arguments for tool {}: {}",
        tool.name,
        problems.join("; ")
    ))
}
