//! A modern client before a server with a handshake.

use std::time::Duration;

use breakfall_gateway::upstream::Upstream;

use super::*;

fn read(id: i64) -> Value {
    let mut read = modern(ask(id, "resources/read"));
    read["params"]["uri"] = json!("a:b");
    read
}

#[tokio::test(start_paused = true)]
async fn the_handshake_is_made_for_the_client_and_promises_what_can_be_kept() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&modern(ask("d", "server/discover"))).await;
    let probe = server.hear().await;
    server.say(&error(&probe["id"], -32602)).await;
    let hello = server.hear().await;
    let want = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"experimental": {"x": {}}},
        "clientInfo": {"name": "tests", "version": "1"},
    });
    assert_eq!(
        (&hello["method"], &hello["params"]),
        (&json!("initialize"), &want)
    );
    let able = json!({"tools": {}, "tasks": {"list": {}}});
    server.say(&result(&hello["id"], &welcome(&able))).await;
    assert_eq!(server.hear().await, note("notifications/initialized"));
    let answer = bench.client.hear().await;
    let want = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "instructions": "buy",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {SERVER: {"name": "shop", "version": "3"}},
    });
    assert_eq!((&answer["id"], &answer["result"]), (&json!("d"), &want));
}

/// The errors of the detection are judged and redacted like any other.
#[tokio::test(start_paused = true)]
async fn a_refused_handshake_shows_no_secret_of_the_server() {
    for method in ["server/discover", "tools/list", "tools/call"] {
        let mut bench = Bench::judged(None, |_| {});
        let mut server = bench.server().await;
        let mut request = modern(ask("r", method));
        if method == "tools/call" {
            request = modern(call("r", "pay"));
        }
        bench.client.say(&request).await;
        let mut refusal = loop {
            let heard = server.hear().await;
            if heard["method"] == "initialize" {
                break error(&heard["id"], -32603);
            }
            server.say(&error(&heard["id"], -32602)).await;
        };
        refusal["error"]["message"] =
            json!("cannot log in: password=Xk29-vw7Qpl1 in /srv/shop/conf.d/db.yaml");
        server.say(&refusal).await;
        let answer = bench.client.hear().await;
        let text = answer.to_string();
        assert_eq!(answer["id"], "r", "{text}");
        assert!(!text.contains("Xk29"), "{text}");
        assert!(!text.contains("/srv/shop"), "{text}");
        assert!(text.contains("cannot log in"), "{text}");
    }
}

/// So are those of a modern server that refuses `server/discover`.
#[tokio::test(start_paused = true)]
async fn a_refused_discovery_shows_no_secret_of_the_server() {
    let mut bench = Bench::judged(None, |_| {});
    let mut server = bench.server().await;
    bench.client.say(&modern(ask("d", "server/discover"))).await;
    let probe = server.hear().await;
    let mut refusal = error(&probe["id"], -32021);
    refusal["error"]["message"] =
        json!("token ghp_9fK2mQ7xLr4VtB8nZc3WdYh6JpAs1EuG0oTi is expired");
    server.say(&refusal).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["id"], "d");
    assert!(!answer.to_string().contains("ghp_9fK2"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_called_before_the_server_has_had_its_handshake() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    let mut pay = modern(call(1, "pay"));
    pay["params"]["_meta"]["a/b"] = json!(1);
    bench.client.say(&pay).await;
    bench.client.say(&modern(ask(2, "tools/list"))).await;
    bench.client.say(&modern(call(3, "never"))).await;
    let probe = server.hear().await;
    assert_eq!(probe["method"], "server/discover");
    assert_eq!(probe["params"]["_meta"][VERSION], "2026-07-28");
    bench.client.say(&cancel(3)).await;
    server.say(&error(&probe["id"], -32601)).await;
    server.answer(welcome(&json!({}))).await;
    assert_eq!(server.hear().await, note("notifications/initialized"));
    let heard = server.hear().await;
    assert_eq!(
        heard["params"],
        json!({"name": "pay", "arguments": {}, "_meta": {"a/b": 1}})
    );
    server
        .say(&result(&heard["id"], &json!({"content": []})))
        .await;
    let answer = bench.client.hear().await;
    let want = json!({"content": [], "resultType": "complete", "_meta": {SERVER: {"name": "shop", "version": "3"}}});
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &want));
    let heard = server.hear().await;
    assert_eq!(
        (&heard["method"], &heard["params"]),
        (&json!("tools/list"), &json!({}))
    );
    server
        .say(&result(&heard["id"], &json!({"tools": []})))
        .await;
    let answer = bench.client.hear().await;
    let hints = (&answer["result"]["ttlMs"], &answer["result"]["cacheScope"]);
    assert_eq!(hints, (&json!(0), &json!("private")));
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_gets_a_handshake_after_a_while() {
    let mut bench = Bench::with(|upstream| upstream.timeouts.idle = Duration::from_mins(1));
    let mut server = bench.server().await;
    bench.client.say(&modern(ask(1, "tools/list"))).await;
    let begun = tokio::time::Instant::now();
    assert_eq!(server.hear().await["method"], "server/discover");
    server.answer(welcome(&json!({}))).await;
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
    assert_eq!(server.hear().await, note("notifications/initialized"));
    assert_eq!(server.hear().await["method"], "tools/list");
}

#[tokio::test(start_paused = true)]
async fn each_request_has_its_own_deadline_while_the_era_of_the_server_is_unknown() {
    let mut bench = Bench::with(|upstream| upstream.timeouts.idle = Duration::from_secs(5));
    let _server = bench.server().await;
    let begun = tokio::time::Instant::now();
    bench.client.say(&modern(ask(1, "tools/list"))).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    bench.client.say(&modern(ask(2, "tools/list"))).await;
    for (id, seconds) in [(1, 5), (2, 8)] {
        let answer = bench.client.hear().await;
        assert_eq!(answer["id"], id);
        assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
        assert_eq!(fault(&answer)["details"]["executed"], "no");
        assert_eq!(begun.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_request_runs_while_the_era_of_the_server_is_unknown() {
    let patient = |upstream: &mut Upstream| upstream.timeouts.idle = Duration::from_secs(9);
    for bench in [Bench::with(patient), Bench::judged(None, patient)] {
        let mut bench = bench;
        let mut server = bench.server().await;
        let begun = tokio::time::Instant::now();
        bench.client.say(&modern(ask(1, "x/slow"))).await;
        let probe = server.hear().await;
        tokio::time::sleep(Duration::from_secs(6)).await;
        let answer = result(&probe["id"], &discovered(&json!({})));
        server.say(&answer).await;
        assert_eq!(server.hear().await["method"], "x/slow");
        let answer = bench.client.hear().await;
        assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
        assert_eq!(begun.elapsed().as_secs(), 9);
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_was_slow_to_start_is_a_modern_server() {
    let mut bench = Bench::with(|upstream| upstream.timeouts.idle = Duration::from_mins(1));
    let mut server = bench.server().await;
    bench.client.say(&modern(ask(1, "tools/list"))).await;
    let probe = server.hear().await;
    let hello = server.hear().await;
    assert_eq!(hello["method"], "initialize");
    server
        .say(&result(&probe["id"], &discovered(&json!({}))))
        .await;
    server.say(&error(&hello["id"], -32601)).await;
    let heard = server.hear().await;
    assert_eq!(heard["params"]["_meta"][VERSION], "2026-07-28");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_of_the_question_is_started_again_and_greeted() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&modern(ask(1, "tools/list"))).await;
    assert_eq!(server.hear().await["method"], "server/discover");
    drop(server);
    let mut server = bench.server().await;
    server.answer(welcome(&json!({}))).await;
    assert_eq!(server.hear().await, note("notifications/initialized"));
    server.answer(json!({"tools": []})).await;
    assert_eq!(
        bench.client.hear().await["result"]["resultType"],
        "complete"
    );
    drop(server);
    // The next process gets a handshake, too, since the session is replayed.
    let mut server = bench.server().await;
    server.answer(welcome(&json!({}))).await;
    assert_eq!(server.hear().await, note("notifications/initialized"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_wants_neither_is_told_of() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&modern(call(1, "pay"))).await;
    bench.client.say(&modern(ask(2, "tools/list"))).await;
    for _ in 0..2 {
        let request = server.hear().await;
        server.say(&error(&request["id"], -32000)).await;
    }
    for id in 1..=2 {
        let answer = bench.client.hear().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(id), &json!(-32000))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_modern_client_may_not_ask_is_refused() {
    let mut bench = Bench::new();
    let _server = modern_to_legacy(&mut bench, &json!({"resources": {"subscribe": true}})).await;
    for method in [
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/get",
    ] {
        bench.client.say(&modern(ask(1, method))).await;
        assert_eq!(
            bench.client.hear().await["error"]["code"],
            -32601,
            "{method}"
        );
    }
    bench.client.say(&ask(1, "tools/list")).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32602);
    let mut future = modern(ask(1, "tools/list"));
    future["params"]["_meta"][VERSION] = json!("2099-01-01");
    bench.client.say(&future).await;
    let refused = bench.client.hear().await;
    assert_eq!(refused["error"]["code"], -32022);
    let data = &refused["error"]["data"];
    assert_eq!(
        (&data["supported"], &data["requested"]),
        (&json!(["2026-07-28"]), &json!("2099-01-01"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_is_not_left_waiting_for_a_client_that_cannot_be_asked() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &json!({})).await;
    server.say(&ask(1, "ping")).await;
    assert_eq!(server.hear().await, result(&json!(1), &json!({})));
    server.say(&ask(2, "elicitation/create")).await;
    assert_eq!(server.hear().await["error"]["code"], -32601);
    bench.client.say(&modern(ask(3, "tools/list"))).await;
    assert_eq!(server.hear().await["method"], "tools/list");
}

#[tokio::test(start_paused = true)]
async fn errors_have_the_codes_the_client_knows() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &json!({})).await;
    bench.client.say(&read(1)).await;
    let heard = server.hear().await;
    server.say(&error(&heard["id"], -32002)).await;
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]),
        (&json!(-32602), &json!({"uri": "a:b"}))
    );
    bench.client.say(&modern(call(2, "pay"))).await;
    let heard = server.hear().await;
    let mut page = error(&heard["id"], -32042);
    page["error"]["data"] = json!({"elicitations": [{"mode": "url", "url": "https://example.test/", "elicitationId": "e"}]});
    server.say(&page).await;
    let answer = bench.client.hear().await;
    assert_eq!(
        fault(&answer)["details"]["pages"],
        json!(["https://example.test/"])
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_dies_with_its_server_has_a_complete_result() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &json!({})).await;
    bench.client.say(&modern(call(1, "pay"))).await;
    server.hear().await;
    drop(server);
    let answer = bench.client.hear().await;
    assert_eq!(
        (
            &answer["result"]["resultType"],
            &answer["result"]["isError"]
        ),
        (&json!("complete"), &json!(true))
    );
}

#[tokio::test(start_paused = true)]
async fn progress_goes_to_the_request_that_wants_it() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &json!({})).await;
    let mut request = modern(call(1, "pay"));
    request["params"]["_meta"]["progressToken"] = json!("mine");
    bench.client.say(&request).await;
    let heard = server.hear().await;
    let token = &heard["params"]["_meta"]["progressToken"];
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})).await;
    assert_eq!(bench.client.hear().await["params"]["progressToken"], "mine");
    bench.client.say(&cancel(1)).await;
    assert_eq!(server.hear().await, cancel(heard["id"].clone()));
}

#[tokio::test(start_paused = true)]
async fn the_log_goes_only_to_the_request_that_asks_for_it() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &json!({"logging": {}})).await;
    let log = |level: &str| json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": level, "data": 1}});
    server.say(&log("emergency")).await;
    let mut request = modern(call(1, "pay"));
    request["params"]["_meta"][LEVEL] = json!("warning");
    bench.client.say(&request).await;
    let level = server.hear().await;
    assert_eq!(
        (&level["method"], &level["params"]),
        (&json!("logging/setLevel"), &json!({"level": "warning"}))
    );
    server.say(&result(&level["id"], &json!({}))).await;
    let heard = server.hear().await;
    assert_eq!(heard["params"], json!({"name": "pay", "arguments": {}}));
    server.say(&log("info")).await;
    server.say(&log("error")).await;
    assert_eq!(bench.client.hear().await, log("error"));
    server
        .say(&result(&heard["id"], &json!({"content": []})))
        .await;
    assert_eq!(bench.client.hear().await["id"], 1);
    server.say(&log("error")).await;
    // Less is not asked for anew: it is kept back here.
    request["params"]["_meta"][LEVEL] = json!("critical");
    request["id"] = json!(2);
    bench.client.say(&request).await;
    let heard = server.hear().await;
    assert_eq!(heard["method"], "tools/call");
    server.say(&log("error")).await;
    server.say(&log("alert")).await;
    assert_eq!(bench.client.hear().await, log("alert"));
}

#[tokio::test(start_paused = true)]
async fn a_client_may_still_decide_for_a_handshake_of_its_own() {
    let mut bench = Bench::new();
    let mut server = modern_to_legacy(&mut bench, &json!({})).await;
    bench
        .client
        .say(&initialize(&json!({"elicitation": {}})))
        .await;
    let hello = server.hear().await;
    assert_eq!(hello["params"]["capabilities"], json!({"elicitation": {}}));
    server
        .say(&result(&hello["id"], &welcome(&json!({}))))
        .await;
    assert_eq!(bench.client.hear().await["result"], welcome(&json!({})));
    server.say(&ask(1, "elicitation/create")).await;
    assert_eq!(bench.client.hear().await["method"], "elicitation/create");
}
