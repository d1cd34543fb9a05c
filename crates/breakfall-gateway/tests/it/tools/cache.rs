use std::sync::Arc;

use breakfall_gateway::config::ValidationModes;
use breakfall_gateway::tools::{
    DeclaredSchema, SchemaCache, Tool, ToolCache, ToolLookup, validate,
};
use serde_json::json;

use super::shared;

fn seen(cache: &ToolCache, name: &str) -> &'static str {
    match cache.find(name) {
        ToolLookup::Known(_) => "known",
        ToolLookup::Stale(_) => "stale",
        ToolLookup::Unknown => "unknown",
        ToolLookup::Unlisted => "unlisted",
    }
}

fn page(names: &[&str], next: Option<&str>) -> String {
    let tools: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
    json!({"tools": tools, "nextCursor": next}).to_string()
}

#[test]
fn a_name_is_unknown_only_once_the_list_is_whole() {
    let cache = ToolCache::new(shared());
    assert_eq!(seen(&cache, "a"), "unlisted");
    assert_eq!(
        cache.learn(&page(&["a"], Some("2")), true).as_deref(),
        Some("2")
    );
    assert_eq!(
        (seen(&cache, "a"), seen(&cache, "b")),
        ("known", "unlisted")
    );
    assert_eq!(cache.learn(&page(&["b"], None), false), None);
    assert_eq!((seen(&cache, "b"), seen(&cache, "c")), ("known", "unknown"));
    assert_eq!(*cache.names(), ["a".into(), "b".into()]);
}

#[test]
fn a_list_that_is_asked_for_again_replaces_the_old_one_when_it_is_whole() {
    let cache = ToolCache::new(shared());
    cache.learn(&page(&["a", "b"], None), true);
    cache.learn(&page(&["c"], Some("2")), true);
    assert_eq!(
        ["a", "b", "c", "d"].map(|name| seen(&cache, name)),
        ["known", "known", "known", "unknown"]
    );
    cache.learn(&page(&["b"], Some("")), false);
    assert_eq!(
        ["a", "b", "c"].map(|name| seen(&cache, name)),
        ["unknown", "known", "known"]
    );
}

#[test]
fn what_has_changed_is_stale_until_it_is_listed_again() {
    let cache = ToolCache::new(shared());
    cache.outdated();
    assert!(!cache.is_stale(), "there is nothing to be stale");
    cache.learn(&page(&["a"], None), true);
    cache.outdated();
    assert_eq!(
        (seen(&cache, "a"), seen(&cache, "b")),
        ("stale", "unlisted")
    );
    assert!(cache.is_stale());
    // The rest of a list that began before says nothing of the one after.
    cache.learn(&page(&["b"], None), false);
    assert_eq!(
        (seen(&cache, "a"), seen(&cache, "b")),
        ("stale", "unlisted")
    );
    cache.learn(&page(&["b"], None), true);
    assert_eq!((seen(&cache, "a"), seen(&cache, "b")), ("unknown", "known"));
    assert!(!cache.is_stale());
}

#[test]
fn a_list_request_of_the_gateway_is_not_disturbed_and_knows_when_it_is_old() {
    let cache = ToolCache::new(shared());
    let mut listing = cache.begin(None);
    assert_eq!(listing.add(&page(&["a"], Some("2"))), Some(true));
    cache.learn(&page(&["x"], Some("2")), true);
    assert_eq!(listing.add(&page(&["b"], None)), Some(false));
    cache.replace(listing);
    assert_eq!(
        ["a", "b", "c"].map(|name| seen(&cache, name)),
        ["known", "known", "unknown"]
    );

    let mut listing = cache.begin(None);
    cache.outdated();
    listing.add(&page(&["c"], None));
    cache.replace(listing);
    assert_eq!(
        (seen(&cache, "c"), seen(&cache, "a")),
        ("stale", "unlisted")
    );
}

#[test]
fn a_server_that_pages_forever_is_listened_to_for_a_while() {
    let pages_of = |cursor: fn(usize) -> String| {
        let cache = ToolCache::new(shared());
        let mut listing = cache.begin(None);
        let mut pages = 1;
        while listing.add(&page(&["a"], Some(&cursor(pages)))) == Some(true) {
            pages += 1;
            assert!(pages < 10_000);
        }
        cache.replace(listing);
        assert_eq!(
            (seen(&cache, "a"), seen(&cache, "b")),
            ("known", "unlisted")
        );
        pages
    };
    assert_eq!(pages_of(|page| page.to_string()), 1000);
    assert_eq!(pages_of(|_| "again".to_owned()), 2);
}

#[test]
fn what_is_no_list_changes_nothing() {
    let cache = ToolCache::new(shared());
    cache.learn(&page(&["a"], None), true);
    for result in [
        "",
        "{}",
        "[]",
        r#"{"tools":5}"#,
        r#"{"tools":[{"name":"b"}"#,
    ] {
        assert_eq!(cache.learn(result, true), None);
        assert_eq!(cache.begin(None).add(result), None);
    }
    assert_eq!((seen(&cache, "a"), seen(&cache, "b")), ("known", "unknown"));
    // Something in it that has no name may be anything.
    cache.learn(r#"{"tools":[{"name":"a"},{"title":"?"},7,["b"]]}"#, true);
    assert_eq!(
        (seen(&cache, "a"), seen(&cache, "b")),
        ("known", "unlisted")
    );
}

#[test]
fn a_call_of_an_unknown_tool_suggests_a_similar_one() {
    let cache = ToolCache::new(shared());
    cache.learn(&page(&["list_issues", "get_issue"], None), true);
    let fault = cache.unknown("list_isues");
    assert_eq!(fault.public().message(), "Unknown operation: 'list_isues'");
    assert!(fault.public().remediation().contains("'list_issues'"));
}

#[test]
fn what_a_tool_says_of_itself_is_kept_as_far_as_it_makes_sense() {
    let item = r#"{"name":"n\u0061me","title":5,"annotations":{"title":"Name","readOnlyHint":true,
        "idempotentHint":"yes","openWorldHint":false},"inputSchema":{"type":"object"},"outputSchema":null}"#;
    let tool = Tool::read(item, &SchemaCache::new("shop")).expect("a tool");
    assert_eq!((tool.name(), tool.title()), ("name", None));
    let hints = tool.hints();
    assert_eq!((hints.read_only, hints.idempotent), (Some(true), None));
    assert_eq!((hints.destructive, hints.open_world), (None, Some(false)));
    assert_eq!(
        tool.input().map(DeclaredSchema::text),
        Some(r#"{"type":"object"}"#)
    );
    assert!(tool.output().is_none());
}

#[test]
fn clients_of_a_server_share_what_is_compiled_as_long_as_one_has_it() {
    let schemas = shared();
    let list = json!({"tools": [
        {"name": "a", "inputSchema": {"properties": {"x": {"type": "integer"}}}},
        {"name": "b", "inputSchema": {"properties": {"x": {"type": "integer"}}}},
        {"name": "c", "inputSchema": {"properties": {"y": {"type": "integer"}}}},
    ]})
    .to_string();
    let shelves: Vec<ToolCache> = (0..3)
        .map(|_| ToolCache::new(Arc::clone(&schemas)))
        .collect();
    for cache in &shelves {
        cache.learn(&list, true);
    }
    let place = |cache: &ToolCache, name: &str| {
        let ToolLookup::Known(tool) = cache.find(name) else {
            panic!("{name} is listed")
        };
        validate::check(&tool, Some(r#"{"x":1}"#), &ValidationModes::default()).expect("it fits");
        tool.input().map(std::ptr::from_ref::<DeclaredSchema>)
    };
    let a = place(&shelves[0], "a");
    assert_eq!(a, place(&shelves[2], "a"));
    assert_eq!(a, place(&shelves[1], "b"), "the same schema of two tools");
    assert_ne!(a, place(&shelves[0], "c"));
}

#[test]
fn schemas_are_compared_by_what_they_say() {
    let schemas = shared();
    let tool = |schema: &str| {
        let item = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        Tool::read(&item, &schemas).expect("a tool")
    };
    let is_same = |one: &Tool, other: &Tool| {
        let (one, other) = one.input().zip(other.input()).expect("schemas");
        one.is_same(other)
    };
    let one = tool(r#"{"type":"object","required":["a"]}"#);
    assert!(is_same(
        &one,
        &tool(r#"{"required": ["a"], "type":"object"}"#)
    ));
    assert!(!is_same(
        &one,
        &tool(r#"{"type":"object","required":["b"]}"#)
    ));
}
