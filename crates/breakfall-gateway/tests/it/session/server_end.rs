//! Servers that end or hang: callers that wait get the reason, and the next server takes over.

use super::*;

#[tokio::test(start_paused = true)]
async fn silence_ends_at_the_deadline_and_the_server_is_told() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    bench.client.say(&ask(2, "tools/list")).await;
    let (paid, listed) = (server.hear().await, server.hear().await);
    let begun = tokio::time::Instant::now();
    let mut replies = [bench.client.hear().await, bench.client.hear().await];
    replies.sort_by_key(|reply| reply["id"].as_i64());
    assert_eq!(begun.elapsed().as_secs(), QUIET.as_secs());
    // A payment may have happened; a list may be requested again.
    let [payment, list] = &replies;
    assert_eq!(
        (&payment["id"], &payment["result"]["isError"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(fault(payment)["retry"]["retryable"], false);
    assert_eq!(fault(payment)["details"]["executed"], "unknown");
    assert_eq!(
        (&list["id"], &list["error"]["code"]),
        (&json!(2), &json!(-32603))
    );
    assert_eq!(fault(list)["retry"]["retryable"], true);
    for request in [paid, listed] {
        let cancel = server.hear().await;
        assert_eq!(
            (&cancel["method"], &cancel["params"]["requestId"]),
            (&json!("notifications/cancelled"), &request["id"])
        );
    }
}

#[tokio::test(start_paused = true)]
async fn progress_moves_the_deadline_but_not_for_ever() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let request = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "slow", "_meta": {"progressToken": 1}}});
    bench.client.say(&request).await;
    let passed = server.hear().await;
    let begun = tokio::time::Instant::now();
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1, "progressToken": passed["id"]}});
    for _ in 0..5 {
        tokio::time::sleep(QUIET * 3 / 4).await;
        server.say(&progress).await;
    }
    let mut heard = bench.client.hear().await;
    while heard["method"] == "notifications/progress" {
        heard = bench.client.hear().await;
    }
    assert_eq!(fault(&heard)["code"], "UNAVAILABLE_TIMEOUT");
    assert_eq!(
        begun.elapsed(),
        QUIET * 15 / 4,
        "the last progress came after the hard maximum of three times"
    );
    assert_eq!(fault(&heard)["details"]["timeout_ms"], 3 * 10_000);
}

#[tokio::test(start_paused = true)]
async fn the_handshake_is_never_cancelled() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&ask(1, "initialize")).await;
    server.hear().await;
    assert_eq!(
        fault(&bench.client.hear().await)["code"],
        "UNAVAILABLE_TIMEOUT"
    );
    assert_eq!(server.hear_within(QUIET).await, None);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_server_is_reported_at_once_to_every_waiting_caller() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call("paying", "pay")).await;
    bench.client.say(&ask("reading", "resources/read")).await;
    server.hear().await;
    server.hear().await;
    server.say(&ask("q", "elicitation/create")).await;
    let asked = bench.client.hear().await;
    server.mumble(br#"{"jsonrpc":"2.0","id":"#).await;
    let begun = tokio::time::Instant::now();
    drop(server);

    let cancel = bench.client.hear().await;
    assert_eq!(
        cancel["params"]["requestId"], asked["id"],
        "nobody waits for the person's answer any more"
    );
    let mut told = [bench.client.hear().await, bench.client.hear().await];
    told.sort_by_key(|reply| reply["id"].to_string());
    let [paying, reading] = told;
    assert_eq!(
        (&paying["id"], &fault(&paying)["details"]["executed"]),
        (&json!("paying"), &json!("unknown"))
    );
    assert_eq!(fault(&paying)["retry"]["retryable"], false);
    assert_eq!(
        (&reading["id"], &fault(&reading)["retry"]["retryable"]),
        (&json!("reading"), &json!(true))
    );
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn the_next_server_is_told_what_the_last_one_knew_before_anything_else() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let level = json!({"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "error"}});
    let subscribe = |uri: &str| json!({"jsonrpc": "2.0", "id": uri, "method": "resources/subscribe", "params": {"uri": uri}});
    let mut unsubscribe = subscribe("b");
    unsubscribe["method"] = json!("resources/unsubscribe");
    for set_up in [level, subscribe("a"), subscribe("b"), unsubscribe] {
        bench.client.say(&set_up).await;
        server.answer(json!({})).await;
        assert!(bench.client.hear().await["result"].is_object());
    }
    drop(server);

    // What the client asks meanwhile waits until the new server is ready.
    bench.client.say(&ask("soon", "tools/list")).await;
    let mut server = bench.server().await;
    let mut methods = Vec::new();
    for _ in 0..4 {
        let message = server.hear().await;
        methods.push(message["method"].as_str().unwrap_or_default().to_owned());
        if let Some(id) = message.get("id") {
            server
                .say(&json!({"jsonrpc": "2.0", "id": id, "result": {}}))
                .await;
        }
    }
    assert_eq!(
        methods,
        [
            "initialize",
            "notifications/initialized",
            "logging/setLevel",
            "resources/subscribe"
        ]
    );
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], "soon");
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_task_has_the_total_timeout() {
    let mut bench = Bench::new();
    let _server = bench.initialized().await;
    bench.client.say(&ask(1, "tasks/result")).await;
    let begun = tokio::time::Instant::now();
    assert_eq!(bench.client.hear().await["id"], 1);
    assert_eq!(begun.elapsed(), 3 * QUIET);
}

#[tokio::test(start_paused = true)]
async fn a_tool_may_have_a_time_limit_of_its_own() {
    let text = "upstreams:\n  shop:\n    command: [x]\n    timeout: 10s\n    tools:\n      \"slow_*\": { timeout: 15s }\n";
    let config = breakfall_gateway::config::Config::parse(text, "test").expect("a good file");
    let mut bench = Bench::with(|upstream| upstream.tools = config.upstreams[0].tools.clone());
    let mut server = bench.initialized().await;
    bench.client.say(&call("slow", "slow_report")).await;
    bench.client.say(&call("other", "report")).await;
    let begun = tokio::time::Instant::now();
    for (id, seconds) in [("other", 10), ("slow", 15)] {
        assert_eq!(bench.client.hear().await["id"], id);
        assert_eq!(begun.elapsed().as_secs(), seconds);
    }
    server.hear().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_keeps_dying_is_rested_and_callers_are_told_when_to_come_back() {
    let mut bench = Bench::with(|upstream| {
        upstream.restart = breakfall_gateway::config::RestartDelay {
            first: Duration::from_secs(1),
            max: Duration::from_mins(1),
        };
    });
    drop(bench.initialized().await);
    for _ in 0..2 {
        drop(bench.server().await);
    }
    // Now the pause is longer than a caller should wait through.
    tokio::time::sleep(Duration::from_millis(100)).await;
    bench.client.say(&ask(1, "tools/list")).await;
    let reply = bench.client.hear().await;
    assert_eq!(fault(&reply)["code"], "UNAVAILABLE_SERVICE");
    assert_eq!(fault(&reply)["details"]["executed"], "no");
    let wait = &fault(&reply)["retry"]["after_ms"];
    let seconds = &fault(&reply)["retry"];
    assert!(
        wait.is_number() || seconds.to_string().contains("after"),
        "{reply}"
    );
    let mut server = bench.server().await;
    server.answer(json!({})).await;
    server.hear().await;
    bench.client.say(&ask(2, "tools/list")).await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_session_is_restarted_only_for_a_message() {
    let mut bench = Bench::new();
    drop(bench.server().await);
    tokio::time::sleep(QUIET).await;
    assert!(bench.server_now().is_none());
    bench.client.say(&ask(1, "server/discover")).await;
    let mut server = bench.server().await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_waits_for_a_server_can_be_taken_back() {
    let mut bench = Bench::new();
    drop(bench.initialized().await);
    tokio::task::yield_now().await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    bench.client.say(&call("a", "pay")).await;
    bench.client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}})).await;
    bench.client.say(&ask("b", "ping")).await;
    let mut server = bench.server().await;
    server.answer(json!({})).await;
    assert_eq!(server.hear().await["method"], "notifications/initialized");
    assert_eq!(
        server.hear().await["method"],
        "ping",
        "the call never got there"
    );
}

#[tokio::test(start_paused = true)]
async fn a_client_that_closes_its_end_is_still_answered_and_then_it_is_over() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&ask(1, "tools/list")).await;
    let request = server.hear().await;
    let End { reader, mut writer } = bench.client;
    writer.shutdown().await.expect("memory does not fail");
    tokio::time::sleep(Duration::from_secs(2)).await;
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {}}))
        .await;
    bench.client = End { reader, writer };
    assert_eq!(bench.client.hear().await["id"], 1);
    assert_eq!(
        server.rest().await,
        "",
        "and the server sees the end of its input"
    );
    assert!(matches!(bench.ended.await, Ok(SessionEnd::Well)));
}

#[tokio::test(start_paused = true)]
async fn it_ends_at_once_when_told_to() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&ask(1, "tools/list")).await;
    server.hear().await;
    bench.stop.now();
    assert_eq!(server.rest().await, "");
    drop(server);
    assert!(matches!(bench.ended.await, Ok(SessionEnd::Well)));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_while_it_is_told_what_the_last_one_knew_takes_no_call_with_it() {
    let mut bench = Bench::new();
    drop(bench.initialized().await);
    let mut second = bench.server().await;
    assert_eq!(second.hear().await["method"], "initialize");
    bench.client.say(&call("waits", "pay")).await;
    bench.client.say(&ask("too", "tools/list")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    drop(second);
    let mut told = [bench.client.hear().await, bench.client.hear().await];
    told.sort_by_key(|reply| reply["id"].to_string());
    for (id, answer) in ["too", "waits"].into_iter().zip(told) {
        let fault = fault(&answer);
        assert_eq!(
            (&answer["id"], &fault["code"], &fault["details"]["executed"]),
            (&json!(id), &json!("UNAVAILABLE_SERVICE"), &json!("no")),
            "{answer}"
        );
        assert_eq!(fault["retry"]["retryable"], true);
    }
}

#[tokio::test(start_paused = true)]
async fn requests_do_not_wait_for_a_restarted_server_to_accept_subscriptions() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    for uri in ["a", "b", "c"] {
        let subscribe = json!({"jsonrpc": "2.0", "id": uri, "method": "resources/subscribe", "params": {"uri": uri}});
        bench.client.say(&subscribe).await;
        server.answer(json!({})).await;
        bench.client.hear().await;
    }
    drop(server);
    bench.client.say(&ask("soon", "tools/list")).await;
    let begun = tokio::time::Instant::now();
    let mut server = bench.server().await;
    server.answer(json!({})).await;
    for method in ["notifications/initialized", "resources/subscribe"] {
        assert_eq!(server.hear().await["method"], method);
    }
    // It never answers those.
    server.hear().await;
    server.hear().await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], "soon");
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn who_asked_for_a_task_is_told_of_a_death_as_an_error() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let mut call = call("bg", "pay");
    call["params"]["task"] = json!({"ttl": 1000});
    bench.client.say(&call).await;
    server.hear().await;
    drop(server);
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], answer["error"]["code"].is_i64()),
        (&json!("bg"), true),
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_a_slow_start_is_told_in_its_own_time() {
    let text = "upstreams:\n  shop:\n    command: [x]\n    tools:\n      pay: { timeout: 2s }\n";
    let config = breakfall_gateway::config::Config::parse(text, "test").expect("a good file");
    let mut bench = Bench::with(|upstream| upstream.tools = config.upstreams[0].tools.clone());
    drop(bench.initialized().await);
    // It hears the handshake, and takes longer for it than the call may take.
    let mut server = bench.server().await;
    assert_eq!(server.hear().await["method"], "initialize");
    let begun = tokio::time::Instant::now();
    bench.client.say(&call(1, "pay")).await;
    let late = bench.client.hear().await;
    assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT", "{late}");
    assert_eq!(fault(&late)["details"]["executed"], "no");
    assert!(begun.elapsed() < Duration::from_secs(3));
}
