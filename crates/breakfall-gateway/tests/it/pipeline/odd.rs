//! Results that no client can read.

use serde_json::json;

use super::{bench, call, hello, list};
use crate::relay::fault;

#[tokio::test(start_paused = true)]
async fn what_is_no_list_of_blocks_is_made_one_and_judged_as_such() {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "say", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "say", "inputSchema": {"type": "object"}}]),
    )
    .await;
    server.answer(json!({"content": "two"})).await;
    let answer = bench.client.hear().await;
    let result = &answer["result"];
    assert_eq!(result["content"], json!([{"type": "text", "text": "two"}]));
    let warning = &result["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "OUTPUT_MISMATCH", "{answer}");

    bench.client.say(&call(2, "say", json!({}))).await;
    server
        .answer(json!({"content": "Error: permission denied"}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "PERMISSION_DENIED", "{answer}");
    assert_eq!(answer["result"]["isError"], true);

    bench.client.say(&call(3, "say", json!({}))).await;
    server.answer(json!({})).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["content"], json!([]), "{answer}");
}
