//! What a server says of its tools, and calls held against it.

mod validation;
mod hostile;
mod unchanged_bytes;
mod output;
mod cache;

use std::sync::Arc;

use breakfall::{Fault, Warning};
use breakfall_gateway::config::ValidationModes;
use breakfall_gateway::tools::validate::{self, CheckedArguments};
use breakfall_gateway::tools::{SchemaCache, Tool};
use serde_json::{Value, json};

fn tool_with(input: &Value) -> Tool {
    let item = json!({"name": "find", "inputSchema": input}).to_string();
    Tool::read(&item, &SchemaCache::new("shop")).expect("a tool")
}

fn check(
    input: &Value,
    arguments: &str,
    modes: &ValidationModes,
) -> Result<CheckedArguments, Fault> {
    validate::check(&tool_with(input), Some(arguments), modes)
}

fn codes(warnings: &[Warning]) -> Vec<&str> {
    warnings
        .iter()
        .map(|warning| warning.code().unwrap_or_default())
        .collect()
}

fn shared() -> Arc<SchemaCache> {
    Arc::new(SchemaCache::new("shop"))
}
