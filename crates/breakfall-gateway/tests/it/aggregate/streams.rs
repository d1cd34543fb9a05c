//! Clients without a session: discovery, and streams of notifications out of many.

use super::*;

pub(super) const META: &str = "io.modelcontextprotocol/subscriptionId";

pub(super) fn modern(id: &str, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(super) async fn started(bench: &mut Bench) -> Vec<End> {
    let mut servers = Vec::new();
    for at in 0..bench.servers.len() {
        servers.push(bench.server(at).await);
    }
    servers
}

#[tokio::test(start_paused = true)]
async fn discoveries_are_joined() {
    let mut bench = Bench::same(&NAMES);
    let mut servers = started(&mut bench).await;
    bench
        .client
        .say(&modern("d", "server/discover", json!({})))
        .await;
    let said = |versions: Value, ttl: u64, scope: &str| json!({"resultType": "complete", "supportedVersions": versions, "capabilities": {"tools": {}}, "ttlMs": ttl, "cacheScope": scope, "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s"}}});
    servers[0]
        .answer(said(json!(["2027-01-01", "2026-07-28"]), 500, "public"))
        .await;
    servers[1]
        .answer(said(json!(["2026-07-28"]), 300, "public"))
        .await;
    servers[2]
        .answer(said(json!(["2026-07-28"]), 400, "private"))
        .await;
    let told = bench.client.hear().await["result"].clone();
    assert_eq!(told["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(
        (&told["ttlMs"], &told["cacheScope"], &told["resultType"]),
        (&json!(300), &json!("private"), &json!("complete"))
    );
    assert_eq!(
        told["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "breakfall"
    );
    assert_eq!(
        told["capabilities"],
        json!({"tools": {"listChanged": true}})
    );
}

#[tokio::test(start_paused = true)]
async fn a_list_says_for_how_long_it_holds() {
    let mut bench = Bench::same(&["files", "shop"]);
    let mut servers = started(&mut bench).await;
    bench
        .client
        .say(&modern("l", "tools/list", json!({})))
        .await;
    let mut page = tools(&["a"]);
    page["ttlMs"] = json!(1000);
    page["cacheScope"] = json!("public");
    page["resultType"] = json!("complete");
    servers[0].answer(page.clone()).await;
    servers[1].answer(page).await;
    let told = bench.client.hear().await["result"].clone();
    assert_eq!(
        (&told["ttlMs"], &told["cacheScope"], &told["resultType"]),
        (&json!(1000), &json!("public"), &json!("complete"))
    );
    bench
        .client
        .say(&modern("l", "tools/list", json!({})))
        .await;
    servers[0].answer(tools(&["a"])).await;
    drop(servers.remove(1));
    let told = bench.client.hear().await["result"].clone();
    assert_eq!(
        (&told["ttlMs"], &told["cacheScope"]),
        (&json!(0), &json!("private")),
        "nobody keeps half a list"
    );
}

#[tokio::test(start_paused = true)]
#[expect(
    clippy::too_many_lines,
    reason = "one stream from its beginning to its end"
)]
async fn streams_are_split_and_joined_again() {
    let mut bench = Bench::same(&NAMES);
    let mut servers = started(&mut bench).await;
    let wanted = json!({"notifications": {"resourceSubscriptions": ["breakfall://files/a:1", "breakfall://shop/b:1", "breakfall://files/a:2"]}});
    bench
        .client
        .say(&modern("s", "subscriptions/listen", wanted))
        .await;
    let mut ids = Vec::new();
    for (server, want) in servers
        .iter_mut()
        .zip([json!(["a:1", "a:2"]), json!(["b:1"])])
    {
        let request = server.hear().await;
        assert_eq!(
            request["params"]["notifications"],
            json!({"resourceSubscriptions": want})
        );
        ids.push(request["id"].clone());
    }
    let told = |method: &str, id: &Value, mut params: Value| {
        params["_meta"] = json!({META: id});
        json!({"jsonrpc": "2.0", "method": method, "params": params})
    };
    let agreed = |uris: Value| json!({"notifications": {"resourceSubscriptions": uris}});
    let acknowledged = "notifications/subscriptions/acknowledged";
    servers[0]
        .say(&told(acknowledged, &ids[0], agreed(json!(["a:1"]))))
        .await;
    servers[0]
        .say(&told(
            "notifications/resources/updated",
            &ids[0],
            json!({"uri": "a:1"}),
        ))
        .await;
    servers[1]
        .say(&told(acknowledged, &ids[1], agreed(json!(["b:1"]))))
        .await;
    let mut heard = [bench.client.hear().await, bench.client.hear().await];
    // First it is told that there is a stream.
    let first = &mut heard[0]["params"]["notifications"]["resourceSubscriptions"];
    first
        .as_array_mut()
        .expect("a list")
        .sort_by_key(Value::to_string);
    assert_eq!(
        heard[0],
        told(
            acknowledged,
            &json!("s"),
            agreed(json!(["breakfall://files/a:1", "breakfall://shop/b:1"]))
        )
    );
    assert_eq!(
        heard[1],
        told(
            "notifications/resources/updated",
            &json!("s"),
            json!({"uri": "breakfall://files/a:1"})
        )
    );
    assert_eq!(
        servers[2].hear_within(QUIET).await,
        None,
        "it has nothing to tell"
    );

    // One ends its stream, the other goes on; when it ends, too, so does ours.
    servers[0]
        .say(&json!({"jsonrpc": "2.0", "id": ids[0], "result": {"_meta": {META: ids[0]}}}))
        .await;
    servers[1]
        .say(&told(
            "notifications/resources/updated",
            &ids[1],
            json!({"uri": "b:1"}),
        ))
        .await;
    assert_eq!(
        bench.client.hear().await["params"]["uri"],
        "breakfall://shop/b:1"
    );
    servers[1]
        .say(&told(
            "notifications/cancelled",
            &json!(0),
            json!({"requestId": ids[1]}),
        ))
        .await;
    let end = bench.client.hear().await;
    assert_eq!(
        (&end["id"], &end["result"]["_meta"][META]),
        (&json!("s"), &json!("s"))
    );
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_stream_opens_although_a_server_hangs_and_ends_everywhere_when_it_is_cancelled() {
    let mut bench = Bench::same(&["files", "shop"]);
    let mut servers = started(&mut bench).await;
    let begun = tokio::time::Instant::now();
    bench
        .client
        .say(&modern(
            "s",
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true, "promptsListChanged": false}}),
        ))
        .await;
    let mut ids = Vec::new();
    for server in &mut servers {
        let request = server.hear().await;
        assert_eq!(
            request["params"]["notifications"],
            json!({"toolsListChanged": true})
        );
        ids.push(request["id"].clone());
    }
    let told = bench.client.hear().await;
    assert_eq!(begun.elapsed().as_secs(), 10);
    assert_eq!(
        told["params"]["notifications"],
        json!({"toolsListChanged": true})
    );
    bench.client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "s"}})).await;
    for (server, id) in servers.iter_mut().zip(ids) {
        assert_eq!(server.hear().await["params"]["requestId"], id);
    }
    assert_eq!(bench.client.hear_within(QUIET).await, None);
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_comes_back_is_announced_in_the_stream() {
    let mut bench = Bench::same(&["files", "shop"]);
    let mut servers = started(&mut bench).await;
    bench
        .client
        .say(&modern("l", "tools/list", json!({})))
        .await;
    servers[0].answer(tools(&["a"])).await;
    servers[1].hear().await;
    assert_eq!(
        warnings(&bench.client.hear().await["result"]),
        [("UPSTREAM_LOST", "shop")]
    );
    bench
        .client
        .say(&modern(
            "s",
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        ))
        .await;
    for server in &mut servers {
        let request = server.hear().await;
        let note = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {"notifications": {"toolsListChanged": true}, "_meta": {META: request["id"]}}});
        server.say(&note).await;
    }
    assert_eq!(
        bench.client.hear().await["method"],
        "notifications/subscriptions/acknowledged"
    );
    // It answers at last what it was asked first.
    servers[1]
        .say(&json!({"jsonrpc": "2.0", "id": 0, "result": tools(&["b"])}))
        .await;
    let told = bench.client.hear().await;
    assert_eq!(
        (&told["method"], &told["params"]["_meta"][META]),
        (&json!("notifications/tools/list_changed"), &json!("s"))
    );
}
