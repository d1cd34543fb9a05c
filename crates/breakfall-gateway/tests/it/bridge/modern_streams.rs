//! Streams of a modern client, before a server with a handshake.

use super::*;

fn able() -> Value {
    json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}})
}

fn listen(id: &str, wanted: &Value) -> Value {
    let mut listen = modern(ask(id, "subscriptions/listen"));
    listen["params"]["notifications"] = wanted.clone();
    listen
}

fn agreed(id: &str, filter: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {"_meta": {STREAM: id}, "notifications": filter}})
}

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

#[tokio::test(start_paused = true)]
async fn a_stream_tells_what_the_server_tells_and_nothing_before_its_first_message() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &able()).await;
    server.say(&note("notifications/tools/list_changed")).await;
    let wanted = json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["a:b", "c:d"]});
    bench.client.say(&listen("s", &wanted)).await;
    let first = server.hear().await;
    assert_eq!(
        (&first["method"], &first["params"]),
        (&json!("resources/subscribe"), &json!({"uri": "a:b"}))
    );
    server.say(&updated("a:b")).await;
    server.say(&result(&first["id"], &json!({}))).await;
    let second = server.hear().await;
    server.say(&error(&second["id"], -32002)).await;
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["a:b"]});
    assert_eq!(bench.client.hear().await, agreed("s", &filter));

    server.say(&updated("a:b")).await;
    let heard = bench.client.hear().await;
    assert_eq!(
        heard["params"],
        json!({"uri": "a:b", "_meta": {STREAM: "s"}})
    );
    server.say(&updated("e:f")).await;
    server
        .say(&note("notifications/prompts/list_changed"))
        .await;
    server.say(&note("notifications/tools/list_changed")).await;
    let heard = bench.client.hear().await;
    assert_eq!(heard["method"], "notifications/tools/list_changed");
    assert_eq!(heard["params"], json!({"_meta": {STREAM: "s"}}));
}

#[tokio::test(start_paused = true)]
async fn streams_share_what_they_are_told_until_the_last_of_them_ends() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &able()).await;
    let wanted = json!({"resourceSubscriptions": ["a:b"]});
    bench.client.say(&listen("s", &wanted)).await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await, agreed("s", &wanted));
    bench.client.say(&listen("t", &wanted)).await;
    assert_eq!(bench.client.hear().await, agreed("t", &wanted));
    server.say(&updated("a:b")).await;
    let mut streams = Vec::new();
    for _ in 0..2 {
        streams.push(bench.client.hear().await["params"]["_meta"][STREAM].clone());
    }
    assert_eq!(streams, ["s", "t"]);
    bench.client.say(&cancel("s")).await;
    server.say(&updated("a:b")).await;
    assert_eq!(bench.client.hear().await["params"]["_meta"][STREAM], "t");
    bench.client.say(&cancel("t")).await;
    let end = server.hear().await;
    assert_eq!(
        (&end["method"], &end["params"]),
        (&json!("resources/unsubscribe"), &json!({"uri": "a:b"}))
    );
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_tell_anything_says_so_in_the_first_message() {
    let mut bench = Bench::new();
    let _server = modern_to_legacy(&mut bench, &json!({})).await;
    let wanted = json!({"toolsListChanged": true, "resourceSubscriptions": ["a:b"]});
    bench.client.say(&listen("s", &wanted)).await;
    assert_eq!(bench.client.hear().await, agreed("s", &json!({})));
    let mut odd = listen("t", &wanted);
    odd["params"]["notifications"] = json!([]);
    bench.client.say(&odd).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn the_next_server_is_subscribed_to_as_well() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &able()).await;
    let wanted = json!({"resourceSubscriptions": ["a:b"]});
    bench.client.say(&listen("s", &wanted)).await;
    server.answer(json!({})).await;
    bench.client.hear().await;
    drop(server);
    let mut server = bench.server().await;
    server.answer(welcome(&able())).await;
    assert_eq!(server.hear().await, note("notifications/initialized"));
    let again = server.hear().await;
    assert_eq!(
        (&again["method"], &again["params"]),
        (&json!("resources/subscribe"), &json!({"uri": "a:b"}))
    );
    server.say(&updated("a:b")).await;
    assert_eq!(bench.client.hear().await["params"]["_meta"][STREAM], "s");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_hangs_up_does_not_wait_for_its_streams() {
    let mut bench = Bench::new();
    let _server = modern_to_legacy(&mut bench, &able()).await;
    bench
        .client
        .say(&listen("s", &json!({"toolsListChanged": true})))
        .await;
    bench.client.hear().await;
    let begun = tokio::time::Instant::now();
    drop(bench.client);
    bench.ended.await.unwrap();
    assert!(
        begun.elapsed() < std::time::Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_client_that_decides_for_a_handshake_is_told_that_its_streams_are_over() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &able()).await;
    bench
        .client
        .say(&listen("s", &json!({"toolsListChanged": true})))
        .await;
    bench.client.hear().await;
    bench.client.say(&initialize(&json!({}))).await;
    let end = bench.client.hear().await;
    assert_eq!(
        (&end["id"], &end["result"]["_meta"][STREAM]),
        (&json!("s"), &json!("s"))
    );
    assert_eq!(server.hear().await["method"], "initialize");
}
