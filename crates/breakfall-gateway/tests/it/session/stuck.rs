//! Servers that hang: they are restarted once it is certain that they hang, and not before.

use super::*;

const STUCK_AFTER: Duration = Duration::from_secs(4);

fn bench() -> Bench {
    Bench::with(|upstream| upstream.stuck_after = Some(STUCK_AFTER))
}

/// Time that begins now.
fn clock() -> impl Fn() -> u64 {
    let begun = tokio::time::Instant::now();
    move || begun.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_is_restarted_and_what_waits_is_answered() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    let seconds = clock();
    bench.client.say(&call("hangs", "pay")).await;
    let late = bench.client.hear().await;
    assert_eq!((&late["id"], seconds()), (&json!("hangs"), 10));
    // It does not read on, so it is not busy with these.
    tokio::time::sleep(Duration::from_secs(3)).await;
    bench.client.say(&call("waits", "pay")).await;
    bench.client.say(&ask("reads", "resources/read")).await;
    let told = [bench.client.hear().await, bench.client.hear().await];
    assert_eq!(seconds(), 14, "the deadline, and the silence after it");
    for reply in &told {
        let fault = fault(reply);
        assert_eq!(fault["code"], "UNAVAILABLE_SERVICE", "{reply}");
        let message = fault["message"].as_str().unwrap_or_default();
        assert!(message.contains("stopped responding"), "{reply}");
        assert_eq!(fault["details"]["executed"], "unknown", "{reply}");
    }
    // The one before was asked for a sign of life first.
    let heard = server.rest().await;
    let pings: Vec<&str> = heard
        .lines()
        .filter(|line| line.contains(r#""method":"ping""#))
        .collect();
    assert_eq!(pings.len(), 1, "{heard}");
    bench.client.say(&call("next", "pay")).await;
    let mut server = bench.server().await;
    server
        .answer(json!({"protocolVersion": "2025-11-25"}))
        .await;
    assert_eq!(server.hear().await["method"], "notifications/initialized");
    server.answer(json!({"content": []})).await;
    assert_eq!(bench.client.hear().await["id"], "next");
}

#[tokio::test(start_paused = true)]
async fn a_call_behind_one_that_was_late_and_is_never_answered_may_block_until_its_deadline() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    let seconds = clock();
    bench.client.say(&call("late", "pay")).await;
    assert_eq!(server.hear().await["method"], "tools/call");
    assert_eq!(bench.client.hear().await["id"], "late");
    // The server obeys, and so never answers it.
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    tokio::time::sleep(Duration::from_secs(1)).await;
    blocks_until_its_deadline(&mut bench, &mut server).await;
    assert_eq!(seconds(), 20);
    assert!(bench.server_now().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_call_beside_one_that_is_late_may_block_until_its_deadline() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    let seconds = clock();
    bench.client.say(&call("late", "pay")).await;
    assert_eq!(server.hear().await["method"], "tools/call");
    tokio::time::sleep(QUIET.saturating_sub(Duration::from_secs(1))).await;
    bench.client.say(&call("blocks", "pay")).await;
    let blocks = server.hear().await;
    assert_eq!(bench.client.hear().await["id"], "late");
    tokio::time::sleep(QUIET.saturating_sub(Duration::from_secs(2))).await;
    assert_eq!(seconds(), 18);
    server
        .say(&json!({"jsonrpc": "2.0", "id": blocks["id"], "result": {"content": []}}))
        .await;
    let reply = bench.client.hear().await;
    assert_eq!(reply["id"], "blocks");
    assert_eq!(reply["result"], json!({"content": []}), "{reply}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_is_restarted_once_all_it_may_work_at_is_late() {
    let mut bench = bench();
    let _server = bench.initialized().await;
    let seconds = clock();
    // One call after the other, and each is late.
    for id in 0..4 {
        bench.client.say(&call(id, "pay")).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    let _next = bench.server().await;
    // Asked at 12. The call that was sent at 10 is late at 20.
    assert_eq!(seconds(), 22);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_answers_a_ping_with_an_error_is_left_alone() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    server.hear().await;
    assert_eq!(bench.client.hear().await["id"], 1);
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    let ping = server.hear().await;
    assert_eq!(ping["method"], "ping");
    let refused =
        json!({"jsonrpc": "2.0", "id": ping["id"], "error": {"code": -32601, "message": "no"}});
    server.say(&refused).await;
    assert_eq!(server.hear_within(10 * QUIET).await, None);
    assert!(bench.server_now().is_none());
    assert_eq!(bench.client.hear_within(QUIET).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_blocks_while_it_works_is_not_restarted_before_the_deadline_of_that_call() {
    let text =
        "upstreams:\n  shop:\n    command: [x]\n    tools:\n      report: { timeout: 60s }\n";
    let config = breakfall_gateway::config::Config::parse(text, "test").expect("a good file");
    let mut bench = Bench::with(|upstream| {
        upstream.tools = config.upstreams[0].tools.clone();
        upstream.stuck_after = Some(STUCK_AFTER);
    });
    let mut server = bench.initialized().await;
    let seconds = clock();
    bench.client.say(&call("slow", "report")).await;
    let slow = server.hear().await;
    bench.client.say(&call("behind", "pay")).await;
    assert_eq!(bench.client.hear().await["id"], "behind");
    server.hear().await;
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    assert_eq!(server.hear().await["method"], "ping");
    assert_eq!(seconds(), 12);
    assert_eq!(
        server
            .hear_within((5 * QUIET).saturating_sub(STUCK_AFTER))
            .await,
        None
    );
    assert_eq!(seconds(), 58);
    server
        .say(&json!({"jsonrpc": "2.0", "id": slow["id"], "result": {"content": []}}))
        .await;
    assert_eq!(bench.client.hear().await["id"], "slow");
    assert!(bench.server_now().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_the_client_has_cancelled_counts_from_its_deadline_on() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    let seconds = clock();
    bench.client.say(&call("a", "pay")).await;
    // One that is cancelled before it is sent never reaches the server.
    server.hear().await;
    bench.client.say(&cancel("a")).await;
    let _next = bench.server().await;
    assert_eq!(seconds(), 14);
    drop(server);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_cancelled_before_others_were_answered_does_not_count() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    let seconds = clock();
    cancelled(&mut bench, &mut server, &["cancelled"]).await;
    for id in 0..3 {
        bench.client.say(&call(id, "pay")).await;
        server.answer(json!({"content": []})).await;
        assert_eq!(bench.client.hear().await["id"], id);
    }
    tokio::time::sleep(QUIET.saturating_sub(Duration::from_secs(1))).await;
    blocks_until_its_deadline(&mut bench, &mut server).await;
    assert_eq!(seconds(), 18);
    assert!(bench.server_now().is_none());
}

#[tokio::test(start_paused = true)]
async fn calls_that_were_cancelled_on_an_idle_server_do_not_shorten_the_next_call() {
    for ids in [&["a"][..], &["a", "b", "c"]] {
        let mut bench = bench();
        let mut server = bench.initialized().await;
        let seconds = clock();
        cancelled(&mut bench, &mut server, ids).await;
        tokio::time::sleep(QUIET.saturating_sub(Duration::from_secs(1))).await;
        blocks_until_its_deadline(&mut bench, &mut server).await;
        assert_eq!(seconds(), 18);
        assert!(bench.server_now().is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_on_a_cancelled_call_is_restarted() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    let seconds = clock();
    cancelled(&mut bench, &mut server, &["hangs"]).await;
    // The client cancels each call before its deadline.
    for id in 0..2 {
        tokio::time::sleep(Duration::from_secs(5)).await;
        cancelled(&mut bench, &mut server, &[format!("next {id}").as_str()]).await;
    }
    let _next = bench.server().await;
    // Asked at 12. The deadline of the call that was sent at 10 is at 20.
    assert_eq!(seconds(), 22);
}

/// The calls reach the server, and the client cancels them at once. The server does not answer them, as the protocol says.
async fn cancelled(bench: &mut Bench, server: &mut End, ids: &[&str]) {
    for id in ids {
        bench.client.say(&call(*id, "pay")).await;
        assert_eq!(server.hear().await["method"], "tools/call");
    }
    for id in ids {
        bench.client.say(&cancel(id)).await;
        assert_eq!(server.hear().await["method"], "notifications/cancelled");
    }
}

/// A call that takes almost all of its time, in which the server sends nothing.
async fn blocks_until_its_deadline(bench: &mut Bench, server: &mut End) {
    bench.client.say(&call("blocks", "pay")).await;
    let blocks = server.hear().await;
    tokio::time::sleep(QUIET.saturating_sub(Duration::from_secs(1))).await;
    server
        .say(&json!({"jsonrpc": "2.0", "id": blocks["id"], "result": {"content": []}}))
        .await;
    let reply = bench.client.hear().await;
    assert_eq!(reply["id"], "blocks");
    assert_eq!(reply["result"], json!({"content": []}), "{reply}");
}

fn cancel(id: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_or_any_other_message_shows_that_a_server_is_alive() {
    let mut bench = bench();
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    let late = server.hear().await;
    assert_eq!(bench.client.hear().await["id"], 1);
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "busy"}});
    for _ in 0..10 {
        assert_eq!(server.hear_within(STUCK_AFTER / 4).await, None);
        server.say(&log).await;
    }
    server
        .say(&json!({"jsonrpc": "2.0", "id": late["id"], "result": {"content": []}}))
        .await;
    assert_eq!(server.hear_within(10 * QUIET).await, None);
    assert!(bench.server_now().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_server_without_sessions_is_asked_to_describe_itself() {
    let mut bench = bench();
    let mut server = bench.discovered().await;
    let mut call = call(1, "pay");
    call["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    bench.client.say(&call).await;
    assert_eq!(bench.client.hear().await["id"], 1);
    server.hear().await;
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    let probe = server.hear().await;
    assert_eq!(probe["method"], "server/discover");
    let version = &probe["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    assert_eq!(version, "2026-07-28");
    // Nothing needs a server, so none is started before the next request.
    server.rest().await;
    assert!(bench.server_now().is_none());
    bench.client.say(&ask(2, "server/discover")).await;
    let mut server = bench.server().await;
    server.answer(json!({"resultType": "complete"})).await;
    assert_eq!(bench.client.hear().await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_stream_goes_on_behind_a_server_that_hung() {
    let mut bench = bench();
    let mut server = bench.discovered().await;
    bench
        .client
        .say(&ask("stream", "subscriptions/listen"))
        .await;
    assert_eq!(server.hear().await["method"], "subscriptions/listen");
    bench.client.say(&call(1, "pay")).await;
    assert_eq!(bench.client.hear().await["id"], 1);
    let mut next = bench.server().await;
    assert_eq!(next.hear().await["method"], "subscriptions/listen");
    assert_eq!(bench.client.hear_within(QUIET).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_server_may_hang_for_ever_if_the_setting_is_off() {
    let mut bench = Bench::with(|upstream| upstream.stuck_after = None);
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    assert_eq!(bench.client.hear().await["id"], 1);
    server.hear().await;
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    assert_eq!(server.hear_within(100 * QUIET).await, None);
}
