//! Streams of notifications, as the protocol of 2026-07-28 has them: the id of the request is in every message.

use super::*;

const KEY: &str = "io.modelcontextprotocol/subscriptionId";

fn listen(id: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, "notifications": {"toolsListChanged": true}}})
}

fn told(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": {KEY: id}}})
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_the_clients_id_in_every_message_and_no_deadline() {
    let mut bench = Bench::new();
    let mut server = bench.discovered().await;
    bench.client.say(&listen("mine")).await;
    let request = server.hear().await;
    tokio::time::sleep(10 * QUIET).await;
    server.say(&told(&request["id"])).await;
    assert_eq!(bench.client.hear().await, told(&json!("mine")));
    let end = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"resultType": "complete", "_meta": {KEY: request["id"]}}});
    server.say(&end).await;
    let end = bench.client.hear().await;
    assert_eq!(
        (&end["id"], &end["result"]["_meta"][KEY]),
        (&json!("mine"), &json!("mine"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_may_end_a_stream_by_cancelling_it() {
    let mut bench = Bench::new();
    let mut server = bench.discovered().await;
    bench.client.say(&listen("mine")).await;
    let request = server.hear().await;
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request["id"]}})).await;
    assert_eq!(bench.client.hear().await["params"]["requestId"], "mine");
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_stream_goes_on_with_the_next_server() {
    let mut bench = Bench::new();
    let mut server = bench.discovered().await;
    bench.client.say(&listen("mine")).await;
    server.hear().await;
    drop(server);
    let mut server = bench.server().await;
    let again = server.hear().await;
    assert_eq!(again["method"], "subscriptions/listen");
    server.say(&told(&again["id"])).await;
    assert_eq!(bench.client.hear().await, told(&json!("mine")));
    bench.client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "mine"}})).await;
    assert_eq!(server.hear().await["params"]["requestId"], again["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_call_of_a_modern_client_is_a_complete_result() {
    let mut bench = Bench::new();
    let mut server = bench.discovered().await;
    let mut request = call(1, "pay");
    request["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    bench.client.say(&request).await;
    server.hear().await;
    drop(server);
    let reply = bench.client.hear().await;
    assert_eq!(
        (&reply["result"]["resultType"], &reply["result"]["isError"]),
        (&json!("complete"), &json!(true))
    );
}
