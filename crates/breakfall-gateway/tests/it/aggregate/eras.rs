//! Servers of both eras as one, for clients of either.

use super::streams::{META, modern, started};
use super::*;

/// Refuses what a server of the other era does not know.
async fn refuse(server: &mut End, method: &str) {
    let request = server.hear().await;
    assert_eq!(request["method"], method);
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "unknown"}}))
        .await;
}

fn discovered() -> Value {
    json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}, "resources": {"subscribe": true}}, "ttlMs": 0, "cacheScope": "private"})
}

#[tokio::test(start_paused = true)]
async fn a_client_with_a_session_hears_a_server_without_one_like_any_other() {
    let mut bench = Bench::with(&["old", "new"], |_| {});
    let mut servers = started(&mut bench).await;
    bench.client.say(&hello()).await;
    servers[0].answer(can(&["tools", "resources"])).await;
    refuse(&mut servers[1], "initialize").await;
    servers[1].answer(discovered()).await;
    let told = bench.client.hear().await;
    assert_eq!(warnings(&told["result"]), []);
    assert_eq!(told["result"]["protocolVersion"], "2025-11-25");
    bench.client.say(&note("notifications/initialized")).await;
    assert_eq!(servers[0].hear().await, note("notifications/initialized"));

    bench.client.say(&ask("l", "tools/list")).await;
    servers[0].answer(tools(&["a"])).await;
    let request = servers[1].hear().await;
    assert!(
        request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string(),
        "{request}"
    );
    let mut page = tools(&["b"]);
    page["resultType"] = json!("complete");
    servers[1]
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": page}))
        .await;
    let list = bench.client.hear().await["result"].clone();
    assert_eq!(names(&list), ["old__a", "new__b"]);

    bench.client.say(&call("c", "new__b")).await;
    let request = servers[1].hear().await;
    assert_eq!(request["params"]["name"], "b");
    let result = json!({"resultType": "complete", "content": [{"type": "resource_link", "uri": "n:1", "name": "n"}]});
    servers[1]
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
        .await;
    let told = bench.client.hear().await;
    assert_eq!(
        told["result"],
        json!({"content": [{"type": "resource_link", "uri": "breakfall://new/n:1", "name": "n"}]})
    );
}

#[tokio::test(start_paused = true)]
async fn a_subscription_at_a_server_without_sessions_says_whose_it_is() {
    let mut bench = Bench::with(&["old", "new"], |_| {});
    let mut servers = started(&mut bench).await;
    bench.client.say(&hello()).await;
    servers[0].answer(can(&["resources"])).await;
    refuse(&mut servers[1], "initialize").await;
    servers[1].answer(discovered()).await;
    bench.client.hear().await;
    bench.client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "breakfall://new/n:1"}})).await;
    let mut listen = servers[1].hear().await;
    // What it hears of lists is another stream, or the same made anew.
    while listen["params"]["notifications"]["resourceSubscriptions"] != json!(["n:1"]) {
        listen = servers[1].hear().await;
    }
    let meta = json!({META: listen["id"]});
    for (method, params) in [
        (
            "notifications/subscriptions/acknowledged",
            json!({"notifications": {"resourceSubscriptions": ["n:1"]}, "_meta": meta}),
        ),
        (
            "notifications/resources/updated",
            json!({"uri": "n:1", "_meta": meta}),
        ),
    ] {
        servers[1]
            .say(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
            .await;
    }
    let mut heard = bench.client.hear().await;
    while heard["method"] != "notifications/resources/updated" {
        heard = bench.client.hear().await;
    }
    assert_eq!(heard["params"]["uri"], "breakfall://new/n:1");
}

#[tokio::test(start_paused = true)]
#[expect(clippy::too_many_lines, reason = "two servers, step by step")]
async fn a_client_without_a_session_hears_servers_of_both_eras() {
    let mut bench = Bench::with(&["old", "new"], |_| {});
    let mut servers = started(&mut bench).await;
    bench
        .client
        .say(&modern("l", "tools/list", json!({})))
        .await;
    refuse(&mut servers[0], "server/discover").await;
    let mut old = can(&["tools"]);
    old["capabilities"]["resources"] = json!({"subscribe": true});
    servers[0].answer(old).await;
    assert_eq!(
        servers[0].hear().await["method"],
        "notifications/initialized"
    );
    servers[0].answer(tools(&["a"])).await;
    servers[1].answer(discovered()).await;
    let mut page = tools(&["b"]);
    page["resultType"] = json!("complete");
    servers[1].answer(page).await;
    let list = bench.client.hear().await["result"].clone();
    assert_eq!(names(&list), ["old__a", "new__b"]);
    assert_eq!(
        (&list["resultType"], warnings(&list)),
        (&json!("complete"), vec![])
    );

    bench
        .client
        .say(&modern("c", "tools/call", json!({"name": "old__a"})))
        .await;
    let request = servers[0].hear().await;
    assert_eq!(request["params"]["name"], "a");
    servers[0].say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": [{"type": "resource_link", "uri": "o:1", "name": "o"}]}})).await;
    let told = bench.client.hear().await["result"].clone();
    assert_eq!(
        (&told["resultType"], &told["content"][0]["uri"]),
        (&json!("complete"), &json!("breakfall://old/o:1"))
    );

    bench.client.say(&modern("s", "subscriptions/listen", json!({"notifications": {"resourceSubscriptions": ["breakfall://old/o:1"], "toolsListChanged": true}}))).await;
    let listen = servers[1].hear().await;
    assert_eq!(
        listen["params"]["notifications"],
        json!({"toolsListChanged": true})
    );
    servers[1].say(&json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {"notifications": {"toolsListChanged": true}, "_meta": {META: listen["id"]}}})).await;
    let subscribe = servers[0].hear().await;
    assert_eq!(
        (&subscribe["method"], &subscribe["params"]["uri"]),
        (&json!("resources/subscribe"), &json!("o:1"))
    );
    servers[0]
        .say(&json!({"jsonrpc": "2.0", "id": subscribe["id"], "result": {}}))
        .await;
    let told = bench.client.hear().await;
    assert_eq!(
        told["params"]["notifications"],
        json!({"resourceSubscriptions": ["breakfall://old/o:1"], "toolsListChanged": true})
    );
    servers[0].say(&json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "o:1"}})).await;
    let told = bench.client.hear().await;
    assert_eq!(
        (&told["params"]["uri"], &told["params"]["_meta"][META]),
        (&json!("breakfall://old/o:1"), &json!("s"))
    );
}
