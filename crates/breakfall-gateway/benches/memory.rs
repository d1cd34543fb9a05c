//! How much memory a thousand tools take: listed, and with every one of them called. The bar is 20 MB.
//!
//! A target of its own, because counting slows every allocation down.
#![expect(clippy::print_stdout, reason = "a bench prints what it saw")]

use std::sync::Arc;

use allocation_counter::measure;
use breakfall_gateway::config::ValidationModes;
use breakfall_gateway::tools::{SchemaCache, ToolCache, ToolLookup, validate};
use serde_json::{Value, json};

fn main() {
    let list = json!({"tools": (0..TOOLS).map(tool).collect::<Vec<_>>()}).to_string();
    println!("the list itself: {} kB", list.len() / 1000);
    // Once before it counts, so that what is made once for all does not.
    drop(called(&list));
    let mut kept = None;
    let seen = measure(|| kept = Some(listed(&list)));
    println!("listed: {} kB", seen.bytes_current / 1000);
    drop(kept);
    let mut kept = None;
    let seen = measure(|| kept = Some(called(&list)));
    println!("listed and called: {} kB", seen.bytes_current / 1000);
    assert!(
        seen.bytes_current < 20_000_000,
        "a thousand tools take more than 20 MB"
    );
    drop(kept);
}

fn listed(list: &str) -> ToolCache {
    let cache = ToolCache::new(Arc::new(SchemaCache::new("shop")));
    cache.learn(list, true);
    cache
}

fn called(list: &str) -> ToolCache {
    let cache = listed(list);
    for at in 0..TOOLS {
        let ToolLookup::Known(tool) = cache.find(&format!("service_{at}_create_or_update")) else {
            continue;
        };
        let checked = validate::check(
            &tool,
            Some(r#"{"owner":"ada","title":"x"}"#),
            &ValidationModes::default(),
        );
        assert!(checked.is_ok());
    }
    cache
}

const TOOLS: usize = 1000;

/// About as large as the tools of the big public servers, and each different.
fn tool(at: usize) -> Value {
    json!({
        "name": format!("service_{at}_create_or_update"),
        "title": format!("Create or update thing {at}"),
        "description": "Creates a thing, or updates the one that is there already. ".repeat(4),
        "annotations": {"readOnlyHint": false, "idempotentHint": true},
        "inputSchema": {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "owner": {"type": "string", "description": format!("The owner of thing {at}")},
                "title": {"type": "string", "minLength": 1, "maxLength": 256, "description": "What people call it"},
                "body": {"type": "string", "description": "Everything else there is to say about it, in Markdown"},
                "state": {"type": "string", "enum": ["open", "closed", "all"], "default": "open"},
                "labels": {"type": "array", "items": {"type": "string"}, "description": "Labels to put on it"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 30},
                "since": {"type": "string", "format": "date-time"},
                "assignee": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
                "options": {
                    "type": "object",
                    "properties": {"draft": {"type": "boolean"}, "notify": {"type": "boolean"}},
                    "additionalProperties": false
                }
            },
            "required": ["owner", "title"],
            "additionalProperties": false
        }
    })
}
