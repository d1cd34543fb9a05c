//! More calls at once than are kept for a server that reads slowly.

use super::*;

#[tokio::test(start_paused = true)]
async fn calls_wait_until_the_server_has_read_others() {
    const CALLS: usize = 9;
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call("first", "pay", json!({}))).await;
    let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
    list(&mut server, json!([tool])).await;
    work(&mut server).await;
    assert_eq!(bench.client.hear().await["id"], "first");
    let text = "x".repeat(8 << 20);
    for id in 0..CALLS {
        let call = call(id, "pay", json!({"text": text}));
        bench.client.say(&call).await;
    }
    // All but the last were taken, and none was read.
    for _ in 0..CALLS {
        work(&mut server).await;
    }
    for _ in 0..CALLS {
        let answer = bench.client.hear().await;
        let result = json!({"content": [{"type": "text", "text": "done"}]});
        assert_eq!(answer["result"], result, "{answer}");
    }
}
