//! Very many at once, and nothing left over.

use super::*;

#[tokio::test(start_paused = true)]
async fn ten_thousand_calls_at_once_are_all_answered_and_leave_nothing() {
    const CALLS: usize = 10_000;
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let server = tokio::spawn(async move {
        let mut requests = Vec::new();
        while requests.len() < CALLS {
            requests.push(server.hear().await);
        }
        // All of them in flight before the first answer; answered from the last to the first.
        for request in requests.iter().rev() {
            server.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"name": request["params"]["name"]}})).await;
        }
        server
    });
    let before = tokio::runtime::Handle::current()
        .metrics()
        .num_alive_tasks();
    for number in 0..CALLS {
        bench
            .client
            .say(&call(number, &format!("tool-{number}")))
            .await;
    }
    for number in (0..CALLS).rev() {
        let answer = bench.client.hear().await;
        assert_eq!(
            (&answer["id"], &answer["result"]["name"]),
            (&json!(number), &json!(format!("tool-{number}")))
        );
    }
    let _server = server.await.expect("the server answers");
    assert_eq!((bench.peer.owed(), bench.peer.asked()), (0, 0));
    // One less: the task of the server has ended, and calls are not tasks.
    assert_eq!(
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks(),
        before - 1
    );
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_slows_the_server_down_and_loses_nothing() {
    const NOTES: usize = 200;
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let big = "x".repeat(100_000);
    let sent = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&sent);
    let flood = tokio::spawn(async move {
        for number in 0..NOTES {
            let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"number": number, "data": big}});
            server.say(&note).await;
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        server
    });
    tokio::time::sleep(QUIET).await;
    let stuck = sent.load(std::sync::atomic::Ordering::Relaxed);
    assert!(
        stuck < NOTES / 2,
        "{stuck} of {NOTES} were taken although nobody reads"
    );
    for number in 0..NOTES {
        assert_eq!(bench.client.hear().await["params"]["number"], number);
    }
    flood.await.expect("all were taken in the end");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_read_is_refused_more_and_the_client_is_still_heard() {
    let mut bench = Bench::new();
    let _server = bench.initialized().await;
    let big = "x".repeat(10 << 20);
    for number in 0..8 {
        let mut call = call(number, "store");
        call["params"]["arguments"]["data"] = json!(big);
        bench.client.say(&call).await;
    }
    let refused = bench.client.hear().await;
    assert_eq!(
        fault(&refused)["code"],
        "UNAVAILABLE_OVERLOADED",
        "{refused}"
    );
    assert_eq!(fault(&refused)["details"]["executed"], "no");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_said_not_to_have_happened_does_not_happen_later() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let big = "x".repeat(600_000);
    for number in 0..5 {
        let mut call = call(number, "pay");
        call["params"]["arguments"]["data"] = json!(big);
        bench.client.say(&call).await;
    }
    // The last one is taken back while it waits to be written.
    let note =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}});
    bench.client.say(&note).await;
    let mut unsure = 0;
    for _ in 0..4 {
        let late = bench.client.hear().await;
        assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT", "{late}");
        match fault(&late)["details"]["executed"].as_str() {
            Some("unknown") => unsure += 1,
            executed => assert_eq!(executed, Some("no"), "{late}"),
        }
    }
    assert!(
        unsure < 4,
        "the server read nothing, some were never written"
    );
    let mut calls = 0;
    while let Some(message) = server.hear_within(QUIET / 2).await {
        calls += usize::from(message["method"] == "tools/call");
    }
    assert_eq!(calls, unsure, "the others were said not to have happened");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_not_heard_once_too_much_waits_for_it() {
    const CALLS: usize = 2000;
    let mut bench = Bench::new();
    let _server = bench.initialized().await;
    // Each is answered at once, and at length.
    let call = json!({"jsonrpc": "2.0", "id": "n", "method": "tools/call", "params": {"k": 1}});
    let key = "k".repeat(50_000);
    let line = call.to_string();
    let line = line.replace("\"k\":1", &format!("\"{key}\":1,\"{key}\":2"));
    let sent = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&sent);
    let End { reader, mut writer } = bench.client;
    let flood = tokio::spawn(async move {
        for _ in 0..CALLS {
            writer.write_all(line.as_bytes()).await.expect("it listens");
            writer.write_all(b"\n").await.expect("it listens");
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    tokio::time::sleep(QUIET).await;
    let taken = sent.load(std::sync::atomic::Ordering::Relaxed);
    assert!(taken < CALLS, "all were taken although nobody reads");
    drop(reader);
    flood.abort();
}
