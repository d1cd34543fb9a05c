//! Clients that give up after a minute are answered before that, unless the operator sets a timeout.

use std::time::Duration;

use breakfall_mcp::timeouts::Timeouts;
use tokio::time::Instant;

use super::*;
use crate::session::fault;

/// The seconds after which a call is answered that the server does not answer.
async fn seconds(client: &str, timeouts: Timeouts, is_modern: bool) -> u64 {
    let mut bench = Bench::judged(None, |upstream| upstream.timeouts = timeouts);
    let mut call = call(1, "pay", json!({}));
    let info = json!({"name": client, "version": "1"});
    let mut server = if is_modern {
        call["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": info,
        });
        bench.discovered().await
    } else {
        let mut server = bench.server().await;
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let hello =
            json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params});
        bench.client.say(&hello).await;
        server
            .answer(json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}))
            .await;
        assert_eq!(bench.client.hear().await["id"], "hello");
        bench.client.say(&note("notifications/initialized")).await;
        assert_eq!(server.hear().await["method"], "notifications/initialized");
        server
    };
    let start = Instant::now();
    bench.client.say(&call).await;
    list(
        &mut server,
        json!([{"name": "pay", "inputSchema": {"type": "object"}}]),
    )
    .await;
    assert_eq!(server.hear().await["method"], "tools/call");
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
    start.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_client_that_gives_up_after_a_minute_is_answered_before_that() {
    let default = Timeouts::default();
    for is_modern in [false, true] {
        assert_eq!(seconds("cursor-vscode", default, is_modern).await, 55);
        assert_eq!(seconds("other", default, is_modern).await, 300);
    }
    let configured = Timeouts {
        idle: Duration::from_mins(2),
        ..default
    };
    assert_eq!(seconds("cursor-vscode", configured, false).await, 120);
}
