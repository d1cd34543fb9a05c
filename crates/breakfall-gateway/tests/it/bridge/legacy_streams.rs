//! What a client with a handshake hears of a modern server without asking for it, or after it has subscribed.

use super::*;

fn able() -> Value {
    json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}})
}

fn subscribe(id: i64, method: &str, uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": format!("resources/{method}"), "params": {"uri": uri}})
}

/// The first message of a stream: everything asked for is agreed to.
fn agreed(listen: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {"_meta": {STREAM: listen["id"]}, "notifications": listen["params"]["notifications"]}})
}

fn told(stream: &Value, method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({STREAM: stream["id"]});
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

#[tokio::test(start_paused = true)]
async fn changes_are_told_without_being_asked_for() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &json!({}), &able()).await;
    let listen = server.hear().await;
    assert_eq!(listen["method"], "subscriptions/listen");
    assert_eq!(
        listen["params"]["notifications"],
        json!({"toolsListChanged": true})
    );
    assert_eq!(listen["params"]["_meta"][VERSION], "2026-07-28");
    server.say(&agreed(&listen)).await;
    server
        .say(&told(
            &listen,
            "notifications/tools/list_changed",
            &json!({}),
        ))
        .await;
    let heard = bench.client.hear().await;
    assert_eq!(
        heard,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}})
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_changes_is_not_listened_to() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &json!({}), &json!({"tools": {}})).await;
    bench.client.say(&ask(1, "tools/list")).await;
    assert_eq!(server.hear().await["method"], "tools/list");
    bench.client.say(&subscribe(2, "subscribe", "a:b")).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32601);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_renews_the_one_stream_there_is() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &json!({}), &able()).await;
    let first = server.hear().await;
    server.say(&agreed(&first)).await;

    bench.client.say(&subscribe(1, "subscribe", "a:b")).await;
    let second = server.hear().await;
    assert_eq!(
        second["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["a:b"]})
    );
    // Until the new one is there the old one is heard.
    server
        .say(&told(
            &first,
            "notifications/tools/list_changed",
            &json!({}),
        ))
        .await;
    assert_eq!(
        bench.client.hear().await["method"],
        "notifications/tools/list_changed"
    );
    server.say(&agreed(&second)).await;
    assert_eq!(bench.client.hear().await, result(&json!(1), &json!({})));
    assert_eq!(server.hear().await, cancel(first["id"].clone()));

    server
        .say(&told(
            &second,
            "notifications/resources/updated",
            &json!({"uri": "a:b"}),
        ))
        .await;
    let heard = bench.client.hear().await;
    assert_eq!(heard["params"], json!({"uri": "a:b"}));

    bench.client.say(&subscribe(2, "unsubscribe", "a:b")).await;
    assert_eq!(bench.client.hear().await, result(&json!(2), &json!({})));
    let third = server.hear().await;
    assert_eq!(
        third["params"]["notifications"],
        json!({"toolsListChanged": true})
    );
    server.say(&agreed(&third)).await;
    assert_eq!(server.hear().await, cancel(second["id"].clone()));
}

#[tokio::test(start_paused = true)]
async fn several_subscriptions_at_once_are_all_answered() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(
        &mut bench,
        &json!({}),
        &json!({"resources": {"subscribe": true}}),
    )
    .await;
    for id in 1..=3 {
        bench
            .client
            .say(&subscribe(id, "subscribe", &format!("a:{id}")))
            .await;
    }
    let streams = [
        server.hear().await,
        server.hear().await,
        server.hear().await,
    ];
    server.say(&agreed(&streams[2])).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let answer = bench.client.hear().await;
        assert_eq!(answer["result"], json!({}));
        ids.push(answer["id"].as_i64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    let ended = [server.hear().await, server.hear().await];
    assert_eq!(
        ended,
        [
            cancel(streams[0]["id"].clone()),
            cancel(streams[1]["id"].clone())
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_subscription_the_server_does_not_agree_to_is_refused() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(
        &mut bench,
        &json!({}),
        &json!({"resources": {"subscribe": true}}),
    )
    .await;
    bench.client.say(&subscribe(1, "subscribe", "a:b")).await;
    let mut listen = server.hear().await;
    listen["params"]["notifications"] = json!({});
    server.say(&agreed(&listen)).await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "NOT_FOUND_RESOURCE");
    bench.client.say(&subscribe(2, "subscribe", "c:d")).await;
    let listen = server.hear().await;
    assert_eq!(
        listen["params"]["notifications"],
        json!({"resourceSubscriptions": ["c:d"]})
    );
    server.say(&error(&listen["id"], -32603)).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32603);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_by_itself_is_asked_for_again() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &json!({}), &able()).await;
    let first = server.hear().await;
    server.say(&agreed(&first)).await;
    server
        .say(&result(
            &first["id"],
            &json!({"resultType": "complete", "_meta": {STREAM: first["id"]}}),
        ))
        .await;
    let second = server.hear().await;
    assert_eq!(second["method"], "subscriptions/listen");
    server.say(&agreed(&second)).await;
    server.say(&cancel(second["id"].clone())).await;
    let third = server.hear().await;
    assert_eq!(third["method"], "subscriptions/listen");
    // One that is refused is not.
    server.say(&error(&third["id"], -32601)).await;
    assert_eq!(
        server
            .hear_within(std::time::Duration::from_secs(1000))
            .await,
        None
    );
}

#[tokio::test(start_paused = true)]
async fn the_next_server_is_listened_to_as_well() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &json!({}), &able()).await;
    let listen = server.hear().await;
    server.say(&agreed(&listen)).await;
    bench.client.say(&ask(1, "ping")).await;
    bench.client.hear().await;
    drop(server);
    let mut server = bench.server().await;
    let listen = server.hear().await;
    assert_eq!(listen["method"], "subscriptions/listen");
    server.say(&agreed(&listen)).await;
    server
        .say(&told(
            &listen,
            "notifications/tools/list_changed",
            &json!({}),
        ))
        .await;
    assert_eq!(
        bench.client.hear().await["method"],
        "notifications/tools/list_changed"
    );
}
