//! A defect in a stage costs one call, also of those that are sent together after a handshake.

use super::*;
use crate::pipeline::panics::{assert_internal, recorder, refused_call};

#[tokio::test(start_paused = true)]
async fn a_panic_of_a_call_that_waited_for_the_handshake_costs_that_call() {
    let each = |upstream: &mut Upstream| {
        upstream.is_bridged = false;
        upstream.context.is_judged = true;
        upstream.context.recorder = recorder();
    };
    let mut bench = Bench::patient(&["files", "shop"], each);
    let (mut files, mut shop) = (bench.server(0).await, bench.server(1).await);
    bench.client.say(&hello()).await;
    let handshake = files.hear().await;
    for line in [
        refused_call(1, "files__panic"),
        refused_call(2, "files__pay"),
    ] {
        bench.client.say_raw(line.as_bytes()).await;
    }
    // The calls wait for the answer to the handshake.
    assert_eq!(bench.client.hear_within(QUIET / 100).await, None);
    shop.answer(can(&["tools"])).await;
    files
        .say(&json!({"jsonrpc": "2.0", "id": handshake["id"], "result": can(&["tools"])}))
        .await;
    assert_internal(&bench.client.hear().await, 1);
    let refused = bench.client.hear().await;
    assert_eq!(refused["id"], 2, "{refused}");
    assert_eq!(fault(&refused)["code"], "VALIDATION_INVALID_VALUE");
    assert_eq!(bench.client.hear().await["id"], "hello");
    bench.client.say(&call(3, "files__pay")).await;
    files.answer(tools(&["pay"])).await;
    files.answer(json!({"content": []})).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["content"], json!([]), "{answer}");
}
