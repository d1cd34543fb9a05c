use std::path::Path;

use breakfall::validate::Schema;
use breakfall_gateway::config::schema;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::parse;

fn compiled() -> Schema {
    Schema::compile(&schema()).expect("our own schema compiles")
}

#[test]
fn the_published_schema_is_fresh() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/config.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("BREAKFALL_BLESS").is_some() {
        std::fs::write(&file, text).unwrap();
        return;
    }
    let have = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        have == text,
        "schemas/config.json is stale: run ./check bless"
    );
}

#[test]
fn every_key_is_explained() {
    fn walk(schema: &Value, path: &str, missing: &mut Vec<String>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            // That an upstream has exactly one source does not explain an error on its own.
            if schema.get("type").is_some() {
                for (key, property) in properties {
                    if property.get("description").is_none() {
                        missing.push(format!("{path}.{key}"));
                    }
                }
            }
        }
        for (key, below) in schema.as_object().into_iter().flatten() {
            walk(below, &format!("{path}.{key}"), missing);
        }
    }
    let mut missing = Vec::new();
    walk(&schema(), "", &mut missing);
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_the_checker_refuses_the_schema_refuses_where_it_can() {
    let schema = compiled();
    for document in [
        json!({}),
        json!({"upstreams": {}}),
        json!({"upstreams": {"one": {}}}),
        json!({"upstreams": {"a b": {"demo": true}}}),
        json!({"upstreams": {"one": {"demo": false}}}),
        json!({"upstreams": {"one": {"command": "a", "url": "https://x"}}}),
        json!({"upstreams": {"one": {"command": "a", "headers": {"A": "b"}}}}),
        json!({"upstreams": {"one": {"url": "https://x.test", "env": {"A": "b"}}}}),
        json!({"upstreams": {"one": {"demo": true, "restart": {}}}}),
        json!({"upstreams": {"one": {"command": "a", "url": "https://x.test", "env": {"A": "b"}}}}),
        json!({"upstreams": {"one": {"command": "a", "cwd": ""}}}),
        json!({"upstreams": {"one": {"adapter": ""}}}),
        json!({"upstreams": {"one": {"command": "a b"}}}),
        json!({"upstreams": {"one": {"command": []}}}),
        json!({"upstreams": {"one": {"comand": "a"}}}),
        json!({"upstreams": {"one": {"command": "a", "timeout": 30}}}),
        json!({"upstreams": {"one": {"command": "a", "timeout": "30"}}}),
        json!({"upstreams": {"one": {"command": "a", "trust": "sure"}}}),
        json!({"upstreams": {"one": {"command": "a", "quotas": [{"metric": "requests_per_day"}]}}}),
        json!({"upstreams": {"one": {"demo": true}}, "limits": {"request": "16M"}}),
        json!({"upstreams": {"one": {"demo": true}}, "limits": {"depth": 0}}),
        json!({"upstreams": {"one": {"demo": true}}, "dialect": "nativ"}),
        json!({"upstreams": {"one": {"demo": true}}, "codes": {"stock": {"extends": "INTERNAL_ERROR"}}}),
        json!({"upstreams": {"one": {"demo": true}}, "codes": {"STOCK_GONE": {"extend": "INTERNAL_ERROR"}}}),
        json!({"upstreams": {"one": {"demo": true}}, "classify": {"own.a": {"code": "INTERNAL_ERROR"}}}),
        json!({"upstreams": {"one": {"demo": true}}, "classify": {"text.network": 7}}),
        json!({"upstreams": {"one": {"demo": true}}, "tls": {"cert": "a.pem"}}),
        json!({"upstreams": {"one": {"demo": true}}, "keys": {}}),
        json!({"upstreams": {"one": {"demo": true}}, "keys": {"a b": "0123456789abcdef"}}),
        json!({"upstreams": {"one": {"demo": true}}, "sessions": {"max": 0}}),
        json!({"upstreams": {"one": {"demo": true}}, "separator": " "}),
        json!({"upstreams": {"one": {"demo": true}}, "lost_upstream": "drop"}),
        json!({"upstreams": {"one": {"command": "a", "ca": "a.pem"}}}),
        json!({"upstreams": {"one": {"command": "a", "timeout": "quick"}}}),
        json!({"upstreams": {"one": {"command": "a", "retry": "never"}}}),
        json!({"upstreams": {"one": {"command": "a", "retry": {"attempts": 0}}}}),
        json!({"upstreams": {"one": {"command": "a", "breaker": {"rate": 50}}}}),
        json!({"upstreams": {"one": {"command": "a", "breaker": {"rate": 0}}}}),
        json!({"upstreams": {"one": {"command": "a", "breaker": {"probes": 0}}}}),
        json!({"upstreams": {"one": {"command": "a", "concurrency": {"limit": 0}}}}),
        json!({"upstreams": {"one": {"command": "a", "tools": {"a": {"fallback_tool": ""}}}}}),
        json!({"upstreams": {"one": {"command": "a", "tools": {"a": {"fallback_tool": {}}}}}}),
        json!({"upstreams": {"one": {"demo": true, "validate": "refuse"}}}),
        json!({"upstreams": {"one": {"demo": true, "validate": true}}}),
        json!({"upstreams": {"one": {"demo": true, "validate": {"missing": "strip"}}}}),
        json!({"upstreams": {"one": {"demo": true, "validate": {"unknown": "coerce"}}}}),
        json!({"upstreams": {"one": {"demo": true, "validate": {"types": "warn"}}}}),
        json!({"upstreams": {"one": {"demo": true, "unlisted": "yes"}}}),
        json!({"upstreams": {"one": {"demo": true, "tools": {"a": {"deprecated": ""}}}}}),
        json!({"upstreams": {"one": {"demo": true, "tools": {"a": {"slow": 5}}}}}),
    ] {
        assert!(!schema.check(&document).is_empty(), "{document}");
        assert!(parse(&document.to_string()).is_err(), "{document}");
    }
}

#[test]
fn a_key_without_a_value_is_no_key() {
    let document =
        json!({"upstreams": {"one": {"demo": true, "url": null, "env": null, "headers": null}}});
    assert!(compiled().check(&document).is_empty());
    assert!(parse(&document.to_string()).is_ok());
}

/// Values that are sometimes right where they stand.
fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..2000u32).prop_map(Value::from),
        (-2.0..2.0f64).prop_map(Value::from),
        "[a-z]{1,6}".prop_map(Value::from),
        prop::sample::select(vec![
            "30s",
            "5m",
            "1h 30m",
            " 2 d ",
            "0s",
            "16MiB",
            "64 mb",
            "1.5KiB",
            "native",
            "validated",
            "safe",
            "json",
            "off",
            "https://example.test/mcp",
            "http://[::1]:80",
            "${HOME}",
            "${NO_SUCH:-x}",
            "ht${NO_SUCH:-tp://x}",
            "$$",
            "a b",
            "",
            "memory",
            "sqlite:x",
            "redis://x",
            "127.0.0.1:80",
            "requests_per_day",
            "cost_per_day",
            "EUR",
            "\u{feff}",
        ])
        .prop_map(Value::from),
    ]
}

/// A map of some of the keys of a table, each with what fits it or anything else.
fn table(keys: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let count = keys.len();
    let entries = prop::sample::subsequence(keys, 0..=count).prop_flat_map(|keys| {
        let entries: Vec<_> = keys
            .into_iter()
            .map(|(key, value)| {
                let value = prop_oneof![24 => value, 1 => scalar().boxed()];
                value.prop_map(move |value| (key.to_owned(), value))
            })
            .collect();
        entries
    });
    entries
        .prop_map(|entries| Value::Object(entries.into_iter().collect()))
        .boxed()
}

fn pick(words: &[&'static str]) -> BoxedStrategy<Value> {
    prop::sample::select(words.to_vec())
        .prop_map(Value::from)
        .boxed()
}

fn some(values: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop::collection::vec(values, 0..3)
        .prop_map(Value::from)
        .boxed()
}

fn named(names: &'static str, values: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop::collection::btree_map(names, values, 0..3)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
        .boxed()
}

fn time() -> BoxedStrategy<Value> {
    pick(&["30s", "5m", "1h 30m", " 2 s ", "250ms"])
}

fn validate() -> BoxedStrategy<Value> {
    let modes = ["reject", "warn", "strip", "coerce", "off"];
    let rules = table(vec![
        ("missing", pick(&["reject", "warn", "off"])),
        ("type", pick(&["reject", "warn", "off"])),
        ("coercible", pick(&["coerce", "warn"])),
        ("unknown", pick(&["strip", "off"])),
        ("enum", pick(&["warn"])),
        ("size", pick(&modes)),
        ("format", pick(&["reject"])),
        ("output", pick(&["reject", "off"])),
    ]);
    prop_oneof![pick(&modes), rules].boxed()
}

fn tool() -> BoxedStrategy<Value> {
    table(vec![
        ("validate", validate()),
        ("unlisted", pick(&["refuse", "allow"])),
        ("deprecated", pick(&["use another", "x"])),
        ("slow", pick(&["5s", "1ms"])),
        ("idempotent", any::<bool>().prop_map(Value::from).boxed()),
        ("timeout", prop_oneof![time(), pick(&["slow"])].boxed()),
        ("retry", retry()),
        ("breaker", breaker()),
        ("concurrency", concurrency()),
        (
            "fallback_tool",
            prop_oneof![
                pick(&["other"]),
                Just(json!({"tool": "other"})),
                Just(json!({"upstream": null, "tool": "other"})),
            ]
            .boxed(),
        ),
        ("dialect", pick(&["native", "mcp-aql"])),
        ("format", pick(&["both"])),
        ("strict", any::<bool>().prop_map(Value::from).boxed()),
        ("ask", some(pick(&["id"]))),
    ])
}

fn switch(table: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let words = prop_oneof![pick(&["on", "off"]), any::<bool>().prop_map(Value::from)];
    prop_oneof![3 => table, 1 => words].boxed()
}

fn retry() -> BoxedStrategy<Value> {
    switch(table(vec![
        ("attempts", (1..11u32).prop_map(Value::from).boxed()),
        ("base", pick(&["1ms", "2s"])),
        ("cap", pick(&["2s", "1h"])),
        ("max_wait", time()),
    ]))
}

fn breaker() -> BoxedStrategy<Value> {
    switch(table(vec![
        ("rate", (0.1..1.0f64).prop_map(Value::from).boxed()),
        ("window", time()),
        ("minimum", (1..99u32).prop_map(Value::from).boxed()),
        ("open", time()),
        ("probes", (1..9u32).prop_map(Value::from).boxed()),
    ]))
}

fn concurrency() -> BoxedStrategy<Value> {
    let rest = table(vec![
        ("queue", (1..99u32).prop_map(Value::from).boxed()),
        ("wait", time()),
    ]);
    let limited = (1..99u32, rest).prop_map(|(limit, mut rest)| {
        rest["limit"] = limit.into();
        rest
    });
    prop_oneof![3 => limited.boxed(), 1 => pick(&["off"])].boxed()
}

fn upstream() -> BoxedStrategy<Value> {
    let rest = table(vec![
        ("trust", pick(&["validated", "certified"])),
        ("timeout", prop_oneof![time(), pick(&["fast"])].boxed()),
        ("max_timeout", pick(&["10h", "20d"])),
        ("retry", retry()),
        ("breaker", breaker()),
        ("concurrency", concurrency()),
        ("bridge", any::<bool>().prop_map(Value::from).boxed()),
        ("validate", validate()),
        ("unlisted", pick(&["refuse", "allow"])),
        (
            "restart",
            table(vec![("first", pick(&["1ms"])), ("max", time())]),
        ),
        ("env", named("[A-Z]{1,3}", scalar().boxed())),
        ("args", some(scalar().boxed())),
        ("cwd", pick(&["/", "."])),
        ("headers", named("[A-Z]{1,3}", scalar().boxed())),
        (
            "pass_authorization",
            any::<bool>().prop_map(Value::from).boxed(),
        ),
        ("ca", pick(&["my.pem"])),
        ("resend_on_lost_session", pick(&["on", "off"])),
        ("tools", named("[a-z*]{1,3}", tool())),
        ("dialect", pick(&["problem"])),
        ("hidden_failures", pick(&["certain", "off"])),
        ("redact", pick(&["full", "secrets", "off"])),
        ("hints", pick(&["believe", "ignore"])),
        (
            "format_argument",
            any::<bool>().prop_map(Value::from).boxed(),
        ),
    ]);
    let source = prop_oneof![
        pick(&["npx", "${NO_SUCH:-a}", "a b"]).prop_map(|value| ("command", value)),
        some(scalar().boxed()).prop_map(|value| ("command", value)),
        pick(&["https://example.test", "ht${NO_SUCH:-tp://x}"]).prop_map(|value| ("url", value)),
        pick(&["a.md"]).prop_map(|value| ("adapter", value)),
        any::<bool>().prop_map(|value| ("demo", value.into())),
    ];
    (rest, source)
        .prop_map(|(mut table, (key, value))| {
            if let Value::Object(table) = &mut table {
                table.insert(key.to_owned(), value);
                let (remote, command) = (
                    ["headers", "pass_authorization", "ca"],
                    ["env", "args", "cwd", "restart"],
                );
                table.retain(|have, _| {
                    let have = have.as_str();
                    (key == "url" || !remote.contains(&have))
                        && (key == "command" || !command.contains(&have))
                });
            }
            table
        })
        .boxed()
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn document() -> BoxedStrategy<Value> {
    let size = || pick(&["16MiB", "64 mb", " 1.5KiB "]);
    table(vec![
        ("listen", pick(&["127.0.0.1:80", "[::1]:0"])),
        (
            "tls",
            Just(json!({"cert": "a.pem", "key": "a.key"})).boxed(),
        ),
        ("keys", Just(json!({"a@b": "0123456789abcdef"})).boxed()),
        ("hosts", some(pick(&["example.test", "[::1]:80"]))),
        ("origins", some(pick(&["https://example.test"]))),
        (
            "sessions",
            table(vec![
                ("max", (1..9u32).prop_map(Value::from).boxed()),
                ("idle", pick(&["5m"])),
                ("unread", pick(&["64MiB", "2 GB"])),
            ]),
        ),
        ("drain", pick(&["0s", "5s"])),
        ("separator", pick(&["__", "-"])),
        ("lost_upstream", pick(&["keep", "hide"])),
        ("store", pick(&["memory", "sqlite:x"])),
        ("dialect", pick(&["native", "mcp-aql"])),
        ("format", pick(&["json"])),
        ("strict", any::<bool>().prop_map(Value::from).boxed()),
        ("locale", pick(&["en", "ja"])),
        ("error_text_limit", pick(&["64KiB", "1 MB"])),
        ("hidden_failures", pick(&["warn", "likely"])),
        (
            "codes",
            named("[A-Z]{2}_[A-Z]{1,2}", Just(json!({"extends": "NOT_FOUND_RESOURCE", "http": 404, "retry": "never", "hint": "CHECK_INPUT"})).boxed()),
        ),
        (
            "classify",
            named(
                "own[.][a-z]{1,3}",
                Just(json!({"code": "INTERNAL_ERROR", "phrases": ["it broke"]})).boxed(),
            ),
        ),
        (
            "limits",
            table(vec![
                ("request", size()),
                ("response", size()),
                ("depth", (1..129u32).prop_map(Value::from).boxed()),
            ]),
        ),
        (
            "log",
            table(vec![
                ("level", pick(&["off", "debug"])),
                ("format", pick(&["json"])),
            ]),
        ),
    ])
    .prop_flat_map(|rest| {
        named("[a-z]{1,3}", upstream()).prop_map(move |upstreams| {
            let mut document = rest.clone();
            if let Value::Object(table) = &mut document {
                table.insert("upstreams".to_owned(), upstreams);
            }
            document
        })
    })
    .boxed()
}

#[test]
fn what_the_checker_accepts_is_valid_by_the_schema() {
    let schema = compiled();
    let config = ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let rng = proptest::test_runner::TestRng::deterministic_rng(config.rng_algorithm);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
    let accepted = std::cell::Cell::new(0);
    runner
        .run(&document(), |document| {
            if parse(&document.to_string()).is_ok() {
                accepted.set(accepted.get() + 1);
                let findings = schema.check(&document);
                let first = findings
                    .iter()
                    .next()
                    .map(|finding| finding.pointer().to_owned());
                prop_assert!(findings.is_empty(), "{document} at {first:?}");
            }
            Ok(())
        })
        .unwrap();
    // Otherwise nothing would have been shown.
    assert!(
        accepted.get() > 200,
        "only {} documents were accepted",
        accepted.get()
    );
}
