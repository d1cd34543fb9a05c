//! A client with a handshake before a modern server.

use std::time::Duration;

use breakfall_gateway::upstream::Upstream;

use super::*;

fn all() -> Value {
    json!({"elicitation": {}, "sampling": {}, "roots": {"listChanged": true}, "tasks": {}})
}

fn wants(requests: &Value, state: &str) -> Value {
    json!({"resultType": "input_required", "inputRequests": requests, "requestState": state})
}

fn form() -> Value {
    json!({"method": "elicitation/create", "params": {"message": "name?", "requestedSchema": {"type": "object", "properties": {}}}})
}

#[tokio::test(start_paused = true)]
async fn a_handshake_is_answered_with_what_the_server_says_of_itself() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&initialize(&all())).await;
    let refused = server.hear().await;
    server.say(&error(&refused["id"], -32022)).await;
    let probe = server.hear().await;
    let meta = &probe["params"]["_meta"];
    assert_eq!(meta[VERSION], "2026-07-28");
    assert_eq!(
        meta[CAPABILITIES],
        json!({"elicitation": {}, "sampling": {}, "roots": {}})
    );
    assert_eq!(meta[CLIENT], json!({"name": "tests", "version": "1"}));
    let able = json!({"tools": {"listChanged": true}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    server.say(&result(&probe["id"], &discovered(&able))).await;
    let hello = bench.client.hear().await;
    let want = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {"listChanged": true}, "extensions": {}},
        "serverInfo": {"name": "shop", "version": "3"},
        "instructions": "buy",
    });
    assert_eq!((&hello["id"], &hello["result"]), (&json!("hello"), &want));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_when_it_has_refused_a_handshake_is_started_again_and_asked() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&initialize(&all())).await;
    let refused = server.hear().await;
    server.say(&error(&refused["id"], -32022)).await;
    drop(server);
    let mut server = bench.server().await;
    let probe = server.hear().await;
    assert_eq!(probe["method"], "server/discover");
    server
        .say(&result(&probe["id"], &discovered(&json!({}))))
        .await;
    assert_eq!(
        bench.client.hear().await["result"]["protocolVersion"],
        "2025-06-18"
    );
}

fn unsupported(id: &Value) -> Value {
    let data = json!({"supported": ["2026-07-28"], "requested": "2025-06-18"});
    let error = json!({"code": -32022, "message": "Unsupported protocol version", "data": data});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

fn patient(upstream: &mut Upstream) {
    upstream.patience.idle = Duration::from_mins(1);
    upstream.patience.total = Duration::from_mins(1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_a_handshake_as_only_modern_ones_do_may_be_slow() {
    let mut bench = Bench::with(patient);
    let mut server = bench.server().await;
    bench.client.say(&initialize(&all())).await;
    let refused = server.hear().await;
    server.say(&unsupported(&refused["id"])).await;
    let probe = server.hear().await;
    tokio::time::sleep(Duration::from_secs(50)).await;
    let answer = result(&probe["id"], &discovered(&json!({})));
    server.say(&answer).await;
    let hello = bench.client.hear().await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_to_be_started_again_after_its_refusal_may_be_slow() {
    let mut bench = Bench::with(patient);
    let mut server = bench.server().await;
    bench.client.say(&initialize(&all())).await;
    let refused = server.hear().await;
    server.say(&error(&refused["id"], -32601)).await;
    assert_eq!(server.hear().await["method"], "server/discover");
    drop(server);
    let mut server = bench.server().await;
    let probe = server.hear().await;
    tokio::time::sleep(Duration::from_secs(50)).await;
    let answer = result(&probe["id"], &discovered(&json!({})));
    server.say(&answer).await;
    let hello = bench.client.hear().await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
}

#[tokio::test(start_paused = true)]
async fn the_refusal_of_a_modern_server_that_falls_silent_is_a_timeout_for_a_legacy_client() {
    let mut bench = Bench::with(patient);
    let mut server = bench.server().await;
    let begun = tokio::time::Instant::now();
    bench.client.say(&initialize(&all())).await;
    let refused = server.hear().await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    server.say(&unsupported(&refused["id"])).await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
    assert_eq!(begun.elapsed(), Duration::from_mins(1));
}

#[tokio::test(start_paused = true)]
async fn a_call_speaks_for_itself_and_its_result_does_not() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    let mut request = call("c", "pay");
    request["params"]["_meta"] = json!({"progressToken": "mine", "a/b": 1});
    bench.client.say(&request).await;
    let heard = server.hear().await;
    assert_eq!(heard["params"]["name"], "pay");
    let meta = &heard["params"]["_meta"];
    assert_eq!(
        (&meta[VERSION], &meta["a/b"]),
        (&json!("2026-07-28"), &json!(1))
    );
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": meta["progressToken"], "progress": 1}});
    server.say(&progress).await;
    let told = bench.client.hear().await;
    assert_eq!(told["params"]["progressToken"], "mine");
    let done = json!({"resultType": "complete", "content": [], "_meta": {SERVER: {"name": "shop", "version": "3"}}});
    server.say(&result(&heard["id"], &done)).await;
    let answer = bench.client.hear().await;
    let want = json!({"content": [], "_meta": {SERVER: {"name": "shop", "version": "3"}}});
    assert_eq!((&answer["id"], &answer["result"]), (&json!("c"), &want));
}

#[tokio::test(start_paused = true)]
async fn what_a_modern_server_does_not_know_is_answered_here() {
    let mut bench = Bench::new();
    let able = json!({"logging": {}});
    let mut server = legacy_to_modern(&mut bench, &all(), &able).await;
    bench
        .client
        .say(&note("notifications/roots/list_changed"))
        .await;
    bench.client.say(&ask(1, "ping")).await;
    assert_eq!(bench.client.hear().await, result(&json!(1), &json!({})));
    let mut level = ask(2, "logging/setLevel");
    level["params"] = json!({"level": "loud"});
    bench.client.say(&level).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32602);
    level["params"] = json!({"level": "notice"});
    bench.client.say(&level).await;
    assert_eq!(bench.client.hear().await, result(&json!(2), &json!({})));
    bench.client.say(&ask(3, "tools/list")).await;
    let heard = server.hear().await;
    assert_eq!(heard["method"], "tools/list");
    assert_eq!(heard["params"]["_meta"][LEVEL], "notice");
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "error", "data": 1}});
    server.say(&log).await;
    assert_eq!(bench.client.hear().await, log);
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_log_has_no_level() {
    let mut bench = Bench::new();
    let _server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    let mut level = ask(2, "logging/setLevel");
    level["params"] = json!({"level": "info"});
    bench.client.say(&level).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32601);
}

#[tokio::test(start_paused = true)]
async fn what_a_server_wants_to_know_the_client_is_asked() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    let first = server.hear().await;
    let questions = json!({"a": form(), "b": {"method": "roots/list"}});
    server
        .say(&result(&first["id"], &wants(&questions, "s1")))
        .await;

    let asked = bench.client.hear().await;
    assert_eq!(
        (&asked["method"], &asked["params"]),
        (&form()["method"], &form()["params"])
    );
    let declined = json!({"action": "decline"});
    bench.client.say(&result(&asked["id"], &declined)).await;
    let asked = bench.client.hear().await;
    assert_eq!(asked["method"], "roots/list");
    bench
        .client
        .say(&result(&asked["id"], &json!({"roots": []})))
        .await;

    let second = server.hear().await;
    assert_ne!(second["id"], first["id"]);
    assert_eq!(second["params"]["name"], "pay");
    assert_eq!(second["params"]["requestState"], "s1");
    assert_eq!(
        second["params"]["inputResponses"],
        json!({"a": declined, "b": {"roots": []}})
    );
    let say = json!({"say": {"method": "sampling/createMessage", "params": {"maxTokens": 1, "messages": []}}});
    server.say(&result(&second["id"], &wants(&say, "s2"))).await;
    let asked = bench.client.hear().await;
    assert_eq!(asked["method"], "sampling/createMessage");
    bench
        .client
        .say(&result(&asked["id"], &json!({"model": "m"})))
        .await;

    let third = server.hear().await;
    assert_eq!(third["params"]["requestState"], "s2");
    assert_eq!(
        third["params"]["inputResponses"],
        json!({"say": {"model": "m"}})
    );
    server
        .say(&result(
            &third["id"],
            &json!({"resultType": "complete", "content": []}),
        ))
        .await;
    assert_eq!(
        bench.client.hear().await,
        result(&json!("c"), &json!({"content": []}))
    );
    assert_eq!((bench.peer.owed(), bench.peer.asked()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_client_is_not_asked_what_it_cannot_answer() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &json!({"roots": {}}), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    let first = server.hear().await;
    let questions = json!({"where": {"method": "roots/list"}, "who": form()});
    server
        .say(&result(&first["id"], &wants(&questions, "s")))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("c"), &json!(-32021))
    );
    let required = &answer["error"]["data"]["requiredCapabilities"];
    assert_eq!(*required, json!({"elicitation": {"form": {}}}));
    assert_eq!(fault(&answer)["code"], "PERMISSION_FEATURE_DISABLED");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_fails_to_answer_is_told_so() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    let first = server.hear().await;
    server
        .say(&result(&first["id"], &wants(&json!({"who": form()}), "s")))
        .await;
    let asked = bench.client.hear().await;
    bench.client.say(&error(&asked["id"], -1)).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["id"], "c");
    assert_eq!(fault(&answer)["code"], "PERMISSION_DENIED");
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_cannot_ask_for_ever() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    let mut rounds = 0;
    let answer = loop {
        tokio::select! {
            request = server.hear() => {
                rounds += 1;
                let more = json!({"resultType": "input_required", "requestState": "s"});
                server.say(&result(&request["id"], &more)).await;
            }
            answer = bench.client.hear() => break answer,
        }
    };
    assert_eq!(answer["id"], "c");
    assert_eq!(fault(&answer)["code"], "INTERNAL_BAD_UPSTREAM");
    assert!((2..100).contains(&rounds), "{rounds}");
}

#[tokio::test(start_paused = true)]
async fn a_client_may_take_back_what_it_is_asked_about() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    let first = server.hear().await;
    server
        .say(&result(&first["id"], &wants(&json!({"who": form()}), "s")))
        .await;
    let asked = bench.client.hear().await;
    bench.client.say(&cancel("c")).await;
    let heard = bench.client.hear_within(Duration::from_secs(1)).await;
    assert_eq!(heard, Some(cancel(asked["id"].clone())), "at once");
    // An answer that comes too late is dropped.
    bench
        .client
        .say(&result(&asked["id"], &json!({"action": "accept"})))
        .await;
    bench.client.say(&ask(1, "ping")).await;
    assert_eq!(bench.client.hear().await["id"], 1);
    bench.client.say(&ask(2, "tools/list")).await;
    let heard = server.hear().await;
    assert_eq!(heard["method"], "tools/list");
    server.say(&result(&heard["id"], &json!({}))).await;
    assert_eq!(bench.client.hear().await["id"], 2);
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_taken_back_is_taken_back_from_the_server() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    let first = server.hear().await;
    bench.client.say(&cancel("c")).await;
    assert_eq!(server.hear().await, cancel(first["id"].clone()));
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn tasks_do_not_cross() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&ask(1, "tasks/list")).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"]["code"], -32601);
    let mut task = call(2, "pay");
    task["params"]["task"] = json!({"ttl": 1});
    bench.client.say(&task).await;
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["error"]["code"], &fault(&answer)["code"]),
        (&json!(-32602), &json!("INTERNAL_NOT_IMPLEMENTED"))
    );
    bench.client.say(&call(3, "pay")).await;
    let heard = server.hear().await;
    server
        .say(&result(
            &heard["id"],
            &json!({"resultType": "task", "taskId": "t"}),
        ))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "INTERNAL_NOT_IMPLEMENTED");
}

#[tokio::test(start_paused = true)]
async fn not_found_has_the_code_the_client_knows() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    let mut read = ask(1, "resources/read");
    read["params"] = json!({"uri": "a:b"});
    bench.client.say(&read).await;
    let heard = server.hear().await;
    let mut missing = error(&heard["id"], -32602);
    missing["error"]["data"] = json!({"uri": "a:b"});
    server.say(&missing).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32002);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_started_again_needs_no_handshake() {
    let mut bench = Bench::new();
    let mut server = legacy_to_modern(&mut bench, &all(), &json!({})).await;
    bench.client.say(&call("c", "pay")).await;
    server.hear().await;
    drop(server);
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_SERVICE");
    assert_eq!(answer["result"]["resultType"], Value::Null);
    bench.client.say(&ask(1, "tools/list")).await;
    let mut server = bench.server().await;
    let heard = server.hear().await;
    assert_eq!(
        (&heard["method"], &heard["params"]["_meta"][VERSION]),
        (&json!("tools/list"), &json!("2026-07-28"))
    );
}
