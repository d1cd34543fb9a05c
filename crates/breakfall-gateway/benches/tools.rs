//! What it costs to check a call, next to parsing its arguments, which has to be done for it anyway.

use std::hint::black_box;
use std::time::Duration;

use breakfall_gateway::config::ValidationModes;
use breakfall_gateway::tools::{SchemaCache, Tool, ToolCache, validate};
use criterion::Criterion;
use serde_json::Value;
use std::sync::Arc;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(40)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let tool = Tool::read(TOOL, &SchemaCache::new("shop")).expect("a tool");
    let modes = ValidationModes::default();
    let mut group = criterion.benchmark_group("tools");
    for (name, arguments) in [
        ("valid", VALID),
        ("coercible", COERCIBLE),
        ("refused", REFUSED),
    ] {
        group.bench_function(name, |bench| {
            bench.iter(|| black_box(validate::check(&tool, Some(black_box(arguments)), &modes)));
        });
    }
    group.bench_function("parse alone", |bench| {
        bench.iter(|| black_box(serde_json::from_str::<Value>(black_box(VALID))));
    });
    let cache = ToolCache::new(Arc::new(SchemaCache::new("shop")));
    let list = format!(r#"{{"tools":[{}]}}"#, vec![TOOL; 100].join(","));
    group.bench_function("learn a list of 100", |bench| {
        bench.iter(|| cache.learn(black_box(&list), true));
    });
    group.finish();
    criterion.final_summary();
}

const TOOL: &str = r#"{"name": "create_issue", "description": "Create a new issue in a repository", "inputSchema": {
    "type": "object", "required": ["owner", "repo", "title"], "properties": {
        "owner": {"type": "string", "description": "Repository owner"},
        "repo": {"type": "string", "description": "Repository name"},
        "title": {"type": "string", "minLength": 1, "description": "Issue title"},
        "state": {"enum": ["open", "closed"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "labels": {"type": "array", "items": {"type": "string"}},
        "draft": {"type": "boolean", "default": false}}}}"#;

const VALID: &str = r#"{"owner": "ada", "repo": "engine", "title": "Steam", "state": "open", "limit": 20, "labels": ["bug", "urgent"], "draft": false}"#;
const COERCIBLE: &str = r#"{"owner": "ada", "repo": "engine", "title": "Steam", "state": "open", "limit": "20", "labels": ["bug", "urgent"], "draft": false}"#;
const REFUSED: &str = r#"{"owner": "ada", "title": "Steam", "state": "ajar", "limit": 2000, "labels": ["bug", "urgent"], "draft": false}"#;
