//! The metrics page.

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::Gateway;
use serde_json::{Value, json};
use testing::http::{Client, Connection, Request};
use tokio::task::spawn_blocking;

use crate::http_server::until;

/// The page for a client with a key and for one without, after three calls.
async fn pages(keys: Value) -> (String, String) {
    let mut config = json!({"listen": "127.0.0.1:0", "upstreams": {"shop": {"demo": true}}});
    if !keys.is_null() {
        config["keys"] = keys;
    }
    let config = Config::parse(&config.to_string(), "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let bearer = format!("Bearer {KEY}");
        let client = Client::modern(address, "/mcp/shop").with_header("Authorization", &bearer);
        let order = json!({"order_id": "ord-1001"});
        client.call(1, "get_order", &order);
        client.call(2, "get_order", &order);
        client.call(3, "get_order", &json!({}));
        let ask = |request: Request| {
            let page = Connection::open(address).ask(&request).expect("a page");
            assert_eq!(page.status, 200);
            assert!(
                page.head.is("application/openmetrics-text"),
                "{:?}",
                page.header("Content-Type")
            );
            page.text()
        };
        let page = Request::new("GET", "/metrics");
        let known = ask(page.clone().header("Authorization", &bearer));
        (known, ask(page))
    };
    let pages = spawn_blocking(visit).await.expect("the visit goes well");
    control.stop();
    running.await.expect("it ends");
    pages
}

const KEY: &str = "a-key-that-is-long-enough";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_counted_by_their_result() {
    let (page, _) = pages(Value::Null).await;
    for line in [
        "# TYPE breakfall_calls counter",
        r#"breakfall_calls_total{upstream="shop",end="success"} 2"#,
        r#"breakfall_calls_total{upstream="shop",end="VALIDATION_MISSING_PARAM",origin="caller"} 1"#,
        r#"breakfall_attempts_total{upstream="shop",end="success"} 2"#,
        "breakfall_audit_entries_lost_total 0",
        "breakfall_reports_lost_total 0",
        "breakfall_store_failing 0",
        r#"breakfall_breaker_state{upstream="shop",tool="get_order"} 0"#,
    ] {
        assert!(
            page.lines().any(|have| have == line),
            "{line} is not in\n{page}"
        );
    }
    // As Prometheus reads it: every line is a name and a number.
    for line in page.lines().filter(|line| !line.starts_with('#')) {
        let number = line.rsplit(' ').next().expect("a number");
        assert!(number.parse::<f64>().is_ok(), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn durations_are_counted_in_buckets() {
    let (page, _) = pages(Value::Null).await;
    for line in [
        "# TYPE breakfall_call_duration_seconds histogram",
        r#"breakfall_call_duration_seconds_count{upstream="shop",outcome="success"} 2"#,
        r#"breakfall_call_duration_seconds_bucket{le="+Inf",upstream="shop",outcome="success"} 2"#,
        r#"breakfall_call_duration_seconds_count{upstream="shop",outcome="failed"} 1"#,
        // The call that was refused reached no server.
        r#"breakfall_attempt_duration_seconds_count{upstream="shop",outcome="success"} 2"#,
    ] {
        assert!(
            page.lines().any(|have| have == line),
            "{line} is not in\n{page}"
        );
    }
    let refused = r#"breakfall_attempt_duration_seconds_count{upstream="shop",outcome="failed"}"#;
    assert!(!page.contains(refused), "{page}");
    assert!(page.ends_with("# EOF\n"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_connections_and_processes_are_counted() {
    // The server is a program that never answers: its process runs until the gateway ends it.
    let upstreams = json!({"shop": {"demo": true}, "slow": {"command": ["sleep", "600"]}});
    let config = json!({"listen": "127.0.0.1:0", "upstreams": upstreams});
    let config = Config::parse(&config.to_string(), "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let gauge = |name: &str| -> u64 {
            let page = Connection::open(address)
                .ask(&Request::new("GET", "/metrics"))
                .expect("a page")
                .text();
            let value = page.lines().find_map(|line| line.strip_prefix(name));
            let value = value.unwrap_or_else(|| panic!("{name} is not in\n{page}"));
            value.trim().parse().expect("a number")
        };
        let before = gauge("breakfall_sessions ");
        let first = Client::legacy(address, "/mcp/shop");
        let second = Client::legacy(address, "/mcp/shop");
        let processes = gauge("breakfall_processes ");
        let third = Client::modern(address, "/mcp/slow");
        let _waiting = third.open(&third.message(1, "tools/list", &json!({})));
        until("the process runs", || gauge("breakfall_processes ") == 1);
        let after = gauge("breakfall_sessions ");
        let connections = gauge("breakfall_connections ");
        drop((first, second));
        ((before, after), processes, connections)
    };
    let visit = spawn_blocking(visit).await;
    let (sessions, processes, connections) = visit.expect("the visit goes well");
    assert_eq!((sessions, processes), ((0, 2), 0));
    // The waiting client and the one that reads the page.
    assert!(connections >= 2, "{connections}");
    control.stop();
    control.stop();
    running.await.expect("it ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_servers_need_a_key() {
    let keys = json!({"ann": KEY});
    let (known, stranger) = pages(keys).await;
    assert!(
        known.contains("shop") && known.contains("get_order"),
        "{known}"
    );
    assert!(
        !stranger.contains("shop") && !stranger.contains("get_order"),
        "{stranger}"
    );
    for line in [
        r#"breakfall_calls_total{end="success"} 2"#,
        r#"breakfall_call_duration_seconds_count{outcome="success"} 2"#,
    ] {
        assert!(stranger.lines().any(|have| have == line), "{stranger}");
    }
}
