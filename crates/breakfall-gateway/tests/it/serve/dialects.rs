//! Every failure of a listener is in its dialect, also one that no tool has caused.

use std::net::SocketAddr;

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::Gateway;
use serde_json::{Value, json};
use testing::http::{Client, Connection, Request};
use tokio::task::spawn_blocking;

/// Runs a visit at a gateway whose listener has a dialect.
async fn serve(
    dialect: &str,
    strict: bool,
    upstreams: &Value,
    visit: impl FnOnce(SocketAddr) + Send + 'static,
) {
    let config = json!({
        "listen": "127.0.0.1:0", "dialect": dialect, "strict": strict, "upstreams": upstreams,
        "locale": "de",
    });
    let config = Config::parse(&config.to_string(), "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options());
    let gateway = gateway.await.expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    spawn_blocking(move || visit(address))
        .await
        .expect("the visit goes well");
    control.stop();
    running.await.expect("it ends");
}

/// The data of the JSON-RPC errors of requests that no tool answers.
fn refusals(address: SocketAddr) -> Vec<Value> {
    let client = Client::modern(address, "/mcp");
    let call = json!({"name": "nothing", "arguments": {}});
    let answers = [
        client.ask(1, "tools/call", &call),
        client.ask(2, "vendor/unknown", &json!({})),
        client.ask(3, "resources/read", &json!({"uri": "x:y"})),
    ];
    let refused = [
        // Its headers lack the method.
        Request::post(
            "/mcp",
            &json!({"jsonrpc": "2.0", "id": 4, "method": "tools/list"}),
        )
        .header("MCP-Protocol-Version", "2026-07-28"),
        Request::post("/mcp", &json!(0)).body("no JSON"),
        Request::post(
            "/mcp/none",
            &json!({"jsonrpc": "2.0", "id": 5, "method": "ping"}),
        ),
        Request::post("/mcp", &json!({})).header("Origin", "https://evil.example"),
    ];
    let refused = refused.map(|request| {
        let response = Connection::open(address).ask(&request);
        response.expect("a response").json()
    });
    let all = answers.into_iter().chain(refused);
    all.map(|answer| {
        assert!(answer["error"]["code"].is_i64(), "{answer}");
        answer["error"]["data"].clone()
    })
    .collect()
}

fn two_servers() -> Value {
    json!({"shop": {"demo": true}, "store": {"demo": true}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_rpc_errors_and_http_refusals_carry_the_object_of_the_dialect() {
    for (dialect, pointer) in [
        ("mcp-aql", "/error/code"),
        ("mcp-error", "/recovery_actions"),
        ("response-v2", "/data/error_type"),
        ("error-model", "/error/retryable"),
        ("tool-error", "/kind"),
    ] {
        serve(dialect, false, &two_servers(), move |address| {
            for data in refusals(address) {
                assert!(data.pointer(pointer).is_some(), "{dialect}: {data}");
                // A reader that knows no dialect finds the native object as ever, in the language of the listener.
                let native = &data["dev.breakfall/error"];
                assert!(native["correlation_id"].is_string(), "{dialect}: {data}");
            }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strict_dialect_stands_alone_in_json_rpc_errors() {
    serve("mcp-aql", true, &two_servers(), |address| {
        for data in refusals(address) {
            assert_eq!(data["success"], false, "{data}");
            assert!(data.get("dev.breakfall/error").is_none(), "{data}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_of_native_are_the_native_object_in_the_language_asked_for() {
    serve("native", false, &two_servers(), |address| {
        for data in refusals(address) {
            assert!(data["remediation"].is_string(), "{data}");
            assert!(data.get("dev.breakfall/error").is_none(), "{data}");
        }
        let unknown = |languages: Option<&str>| {
            let request = json!({"jsonrpc": "2.0", "id": 5, "method": "ping"});
            let mut request = Request::post("/mcp/none", &request);
            if let Some(languages) = languages {
                request = request.header("Accept-Language", languages);
            }
            let response = Connection::open(address).ask(&request);
            let answer = response.expect("a response").json();
            answer["error"]["data"]["user_message"].clone()
        };
        let (german, english) = (unknown(None), unknown(Some("en")));
        assert_eq!(german, unknown(Some("de")));
        assert_ne!(german, english);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_lost_before_it_is_judged_fails_in_the_dialect() {
    // It reads its input, and never says what era it is of.
    let script = "while read -r line; do :; done";
    let upstreams = json!({"slow": {"command": ["/bin/sh", "-c", script], "timeout": "1s"}});
    serve("mcp-error", false, &upstreams, |address| {
        let client = Client::modern(address, "/mcp");
        let answer = client.ask(1, "tools/call", &json!({"name": "x", "arguments": {}}));
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{answer}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let object: Value = serde_json::from_str(text).expect("the object of the dialect");
        assert!(object["recovery_actions"].is_array(), "{answer}");
    })
    .await;
}
