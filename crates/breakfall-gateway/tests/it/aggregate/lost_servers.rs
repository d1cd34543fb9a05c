//! A server that does not answer, or is gone: told, and no harm to the others.

use super::*;

/// The tools of all, listed once.
async fn listed(bench: &mut Bench, servers: &mut [End]) {
    let list = bench
        .list(
            "tools/list",
            servers,
            &[tools(&["read"]), tools(&["pay"]), tools(&["now"])],
        )
        .await;
    assert_eq!(names(&list), ["files__read", "shop__pay", "time__now"]);
}

/// Asks for the tools of three servers of which the second says nothing.
async fn asked_without_the_second(bench: &mut Bench, servers: &mut [End]) -> Value {
    bench.client.say(&ask("l", "tools/list")).await;
    servers[0].answer(tools(&["read"])).await;
    servers[2].answer(tools(&["now"])).await;
    bench.client.hear().await["result"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_delays_a_list_only_for_a_while_and_calls_not_at_all() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    listed(&mut bench, &mut servers).await;
    let begun = tokio::time::Instant::now();
    bench.client.say(&call("hangs", "shop__pay")).await;
    let list = asked_without_the_second(&mut bench, &mut servers).await;
    assert_eq!(begun.elapsed().as_secs(), 10);
    assert_eq!(names(&list), ["files__read", "shop__pay", "time__now"]);
    assert_eq!(warnings(&list), [("UPSTREAM_LOST", "shop")]);
    let description = list["tools"][1]["description"].as_str().expect("a text");
    assert_eq!(
        description,
        "[Unavailable now: the server 'shop' does not answer.] does pay"
    );
    let warning = &list["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["context"]["reason"], "no answer within 10 s");

    let begun = tokio::time::Instant::now();
    bench.client.say(&call("c", "time__now")).await;
    servers[2].answer(json!({"content": []})).await;
    assert_eq!(bench.client.hear().await["id"], "c");
    assert_eq!(begun.elapsed(), Duration::ZERO);
    let list = asked_without_the_second(&mut bench, &mut servers).await;
    assert_eq!(begun.elapsed().as_secs(), 1, "it was missing already");
    assert_eq!(warnings(&list), [("UPSTREAM_LOST", "shop")]);

    // A call that hangs ends in its own time.
    let hangs = bench.client.hear().await;
    assert_eq!(
        (&hangs["id"], &fault(&hangs)["code"]),
        (&json!("hangs"), &json!("UNAVAILABLE_TIMEOUT"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_request_to_one_of_many_waits_no_longer_than_the_servers_own_timeout() {
    let patient = |upstream: &mut Upstream| {
        if &*upstream.name == "shop" {
            upstream.timeouts.idle = Duration::from_millis(700);
        }
    };
    let mut bench = Bench::patient(&NAMES, patient);
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    bench.client.say(&hello()).await;
    let begun = tokio::time::Instant::now();
    servers[0].answer(can(&["tools"])).await;
    servers[2].answer(can(&["tools"])).await;
    let told = bench.client.hear().await;
    assert_eq!(begun.elapsed().as_millis(), 700);
    assert_eq!(warnings(&told["result"]), [("UPSTREAM_LOST", "shop")]);
    bench.client.say(&note("notifications/initialized")).await;
    for at in [0, 2] {
        assert_eq!(servers[at].hear().await, note("notifications/initialized"));
    }
    let begun = tokio::time::Instant::now();
    let list = asked_without_the_second(&mut bench, &mut servers).await;
    assert!(begun.elapsed().as_millis() <= 700, "{:?}", begun.elapsed());
    assert_eq!(names(&list), ["files__read", "time__now"]);
}

#[tokio::test(start_paused = true)]
async fn what_comes_late_is_told_and_then_there() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let list = asked_without_the_second(&mut bench, &mut servers).await;
    assert_eq!(
        names(&list),
        ["files__read", "time__now"],
        "nobody knows what it has"
    );
    servers[1].answer(tools(&["pay"])).await;
    assert_eq!(
        bench.client.hear().await,
        note("notifications/tools/list_changed")
    );
    listed(&mut bench, &mut servers).await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_is_told_of_and_announced_when_it_is_back() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    listed(&mut bench, &mut servers).await;
    bench.client.say(&ask("l", "tools/list")).await;
    servers[0].answer(tools(&["read"])).await;
    servers[2].answer(tools(&["now"])).await;
    servers[1].hear().await;
    drop(servers.remove(1));
    let list = bench.client.hear().await["result"].clone();
    assert_eq!(warnings(&list), [("UPSTREAM_LOST", "shop")]);
    assert_eq!(names(&list), ["files__read", "shop__pay", "time__now"]);

    let mut again = bench.server(1).await;
    again.answer(can(&["tools"])).await;
    assert_eq!(again.hear().await, note("notifications/initialized"));
    again.answer(tools(&["pay", "refund"])).await;
    assert_eq!(
        bench.client.hear().await,
        note("notifications/tools/list_changed")
    );
    servers.insert(1, again);
    let list = bench
        .list(
            "tools/list",
            &mut servers,
            &[tools(&["read"]), tools(&["pay", "refund"]), tools(&["now"])],
        )
        .await;
    assert_eq!(warnings(&list), []);
}

#[tokio::test(start_paused = true)]
async fn tools_of_a_lost_server_vanish_if_they_are_to() {
    let mut bench = Bench::with(&NAMES, |all| all.lost = super::LostUpstream::Hide);
    let (mut servers, _) = bench.greeted().await;
    listed(&mut bench, &mut servers).await;
    let list = asked_without_the_second(&mut bench, &mut servers).await;
    assert_eq!(names(&list), ["files__read", "time__now"]);
    assert_eq!(
        warnings(&list),
        [("UPSTREAM_LOST", "shop")],
        "but never silently"
    );
}

#[tokio::test(start_paused = true)]
async fn an_error_in_place_of_a_list_is_told() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    bench.client.say(&ask("l", "tools/list")).await;
    servers[0].answer(tools(&["read"])).await;
    servers[1].answer(json!({"tools": "none"})).await;
    let request = servers[2].hear().await;
    servers[2].say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32603, "message": "secret sk-1"}})).await;
    let list = bench.client.hear().await["result"].clone();
    assert_eq!(names(&list), ["files__read"]);
    assert_eq!(
        warnings(&list),
        [("UPSTREAM_LOST", "shop"), ("UPSTREAM_LOST", "time")]
    );
    assert!(!list.to_string().contains("sk-1"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_starts_slowly_is_asked_nothing_before_it_is_greeted() {
    let mut bench = Bench::new();
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    bench.client.say(&hello()).await;
    let begun = tokio::time::Instant::now();
    servers[0].answer(can(&["tools"])).await;
    servers[2].answer(can(&["tools"])).await;
    let told = bench.client.hear().await;
    assert_eq!(begun.elapsed().as_secs(), 20);
    assert_eq!(warnings(&told["result"]), [("UPSTREAM_LOST", "shop")]);
    assert_eq!(
        told["result"]["capabilities"]["prompts"],
        json!({"listChanged": true}),
        "it may have some"
    );
    bench.client.say(&note("notifications/initialized")).await;
    bench.client.say(&call("c", "shop__pay")).await;

    let mut slow = servers.remove(1);
    let request = slow.hear().await;
    assert_eq!(request["method"], "initialize");
    assert_eq!(slow.hear_within(Duration::from_secs(1)).await, None);
    slow.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": can(&["tools"])}))
        .await;
    assert_eq!(slow.hear().await, note("notifications/initialized"));
    assert_eq!(slow.hear().await["params"]["name"], "pay");
    let mut changed = Vec::new();
    for _ in 0..3 {
        changed.push(
            bench.client.hear().await["method"]
                .as_str()
                .expect("a method")
                .to_owned(),
        );
    }
    assert_eq!(
        changed,
        ["tools", "prompts", "resources"].map(|what| format!("notifications/{what}/list_changed"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_request_has_its_deadline_while_its_server_is_greeted() {
    let mut bench = Bench::new();
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    bench.client.say(&hello()).await;
    servers[0].answer(can(&["tools"])).await;
    servers[2].answer(can(&["tools"])).await;
    assert_eq!(bench.client.hear().await["id"], "hello");
    bench.client.say(&note("notifications/initialized")).await;
    let begun = tokio::time::Instant::now();
    bench.client.say(&call("c", "shop__pay")).await;
    let answer = loop {
        let told = bench.client.hear().await;
        if told["id"] == "c" {
            break told;
        }
    };
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
    assert_eq!(begun.elapsed(), QUIET);
}

#[tokio::test(start_paused = true)]
async fn no_request_overtakes_a_greeting_however_many_wait() {
    let mut bench = Bench::new();
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    bench.client.say(&hello()).await;
    servers[0].answer(can(&["tools"])).await;
    servers[2].answer(can(&["tools"])).await;
    assert_eq!(bench.client.hear().await["id"], "hello");
    let most = 10_000;
    for number in 0..=most {
        bench.client.say(&call(number, "shop__pay")).await;
    }
    let refused = bench.client.hear().await;
    assert_eq!(refused["id"], most);
    assert_eq!(fault(&refused)["code"], "UNAVAILABLE_OVERLOADED");
    let slow = &mut servers[1];
    assert_eq!(slow.hear().await["method"], "initialize");
    assert_eq!(slow.hear_within(Duration::from_millis(1)).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_while_it_is_greeted_is_greeted_again() {
    let mut bench = Bench::new();
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    bench.client.say(&hello()).await;
    servers[0].answer(can(&["tools"])).await;
    servers[2].answer(can(&["tools"])).await;
    servers[1].hear().await;
    drop(servers.remove(1));
    let told = bench.client.hear().await;
    assert_eq!(warnings(&told["result"]), [("UPSTREAM_LOST", "shop")]);
    bench.client.say(&note("notifications/initialized")).await;
    let mut again = bench.server(1).await;
    let request = again.hear().await;
    assert_eq!(request["params"], hello()["params"]);
    again
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": can(&["tools"])}))
        .await;
    assert_eq!(again.hear().await, note("notifications/initialized"));
    again.answer(tools(&["pay"])).await;
    assert_eq!(
        bench.client.hear().await,
        note("notifications/tools/list_changed")
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_when_the_client_is_gone() {
    let mut bench = Bench::new();
    let (servers, _) = bench.greeted().await;
    bench.client.say(&ask("l", "tools/list")).await;
    bench.client.say(&call("c", "shop__pay")).await;
    drop(servers);
    for _ in 0..2 {
        bench.client.hear().await;
    }
    assert_eq!(bench.peer.owed(), 0);
    bench.stop.now();
    tokio::time::timeout(QUIET, bench.ended)
        .await
        .expect("it ends")
        .expect("it ends well");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_delays_only_the_first_client() {
    let mut bench = Bench::new();
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    for wait in [20, 1, 0] {
        bench.client.say(&hello()).await;
        let begun = tokio::time::Instant::now();
        servers[0].answer(can(&["tools"])).await;
        servers[2].answer(can(&["tools"])).await;
        if wait == 0 {
            // It is back.
            for _ in 0..3 {
                servers[1].answer(can(&["tools"])).await;
            }
        }
        let told = bench.client.hear().await;
        assert_eq!(begun.elapsed().as_secs(), wait);
        assert_eq!(warnings(&told["result"]).is_empty(), wait == 0);
    }
}
