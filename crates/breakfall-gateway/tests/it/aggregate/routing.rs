//! Requests go to the server they name, and answers come back rewritten.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_call_reaches_its_server_and_the_answer_keeps_every_byte() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    bench
        .client
        .say_raw(br#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"arguments":{"n":1e3},"name":"shop__pay","_meta":{"progressToken":"t"}}}"#)
        .await;
    let request = servers[1].hear_raw().await;
    let id = serde_json::from_str::<Value>(&request).expect("JSON")["id"].to_string();
    let want = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"arguments":{{"n":1e3}},"name":"pay","_meta":{{"progressToken":{id}}}}}}}"#
    );
    assert_eq!(request, want);
    servers[1]
        .say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": id.parse::<u64>().expect("a number"), "progress": 1}}))
        .await;
    assert_eq!(bench.client.hear().await["params"]["progressToken"], "t");
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"a\u0041"}}] ,"x":1e2}}}}"#
    );
    servers[1].say_raw(answer.as_bytes()).await;
    assert_eq!(
        bench.client.hear_raw().await,
        answer.replacen(&id, "\"c\"", 1)
    );
}

#[tokio::test(start_paused = true)]
async fn prompts_completions_resources_and_tasks_find_their_server() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let reference = |uri: &str| json!({"ref": {"type": "ref/resource", "uri": uri}, "argument": {"name": "a", "value": ""}});
    let cases = [
        (
            "prompts/get",
            json!({"name": "time__now"}),
            json!({"name": "now"}),
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "time__now"}}),
            json!({"ref": {"type": "ref/prompt", "name": "now"}}),
        ),
        (
            "completion/complete",
            reference("breakfall://time/t://{a}"),
            reference("t://{a}"),
        ),
        (
            "resources/read",
            json!({"uri": "breakfall://time/t://1"}),
            json!({"uri": "t://1"}),
        ),
        (
            "resources/subscribe",
            json!({"uri": "breakfall://time/t://1"}),
            json!({"uri": "t://1"}),
        ),
        (
            "tasks/result",
            json!({"taskId": "time__7"}),
            json!({"taskId": "7"}),
        ),
    ];
    for (method, params, want) in cases {
        bench
            .client
            .say(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .await;
        let request = servers[2].hear().await;
        assert_eq!(
            (&request["method"], &request["params"]),
            (&json!(method), &want)
        );
        servers[2].say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"contents": [{"uri": "t://1"}]}})).await;
        let told = bench.client.hear().await;
        assert_eq!(
            told["result"]["contents"][0]["uri"], "breakfall://time/t://1",
            "{method}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_address_without_a_server_goes_to_the_only_one_that_has_it() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let list = |uris: &[&str]| json!({"resources": uris.iter().map(|uri| json!({"uri": uri, "name": "n"})).collect::<Vec<_>>()});
    bench
        .list(
            "resources/list",
            &mut servers,
            &[list(&["a:1", "b:1"]), list(&["b:1"]), list(&[])],
        )
        .await;
    let read = |uri: &str| json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}});
    bench.client.say(&read("a:1")).await;
    servers[0]
        .answer(json!({"contents": [{"uri": "a:1", "text": ""}]}))
        .await;
    assert_eq!(
        bench.client.hear().await["result"]["contents"][0]["uri"],
        "a:1",
        "as it was asked for"
    );
    for uri in ["b:1", "c:1"] {
        bench.client.say(&read(uri)).await;
        let told = bench.client.hear().await;
        assert_eq!(
            told["error"]["code"], -32602,
            "{uri}: two have it, or nobody"
        );
        assert!(
            fault(&told)["remediation"]
                .as_str()
                .is_some_and(|text| text.contains("breakfall://NAME/"))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_refused_with_the_name_that_was_meant() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    bench.client.say(&call(0, "read_file")).await;
    let told = bench.client.hear().await;
    assert_eq!(told["error"]["code"], -32602);
    assert!(
        fault(&told)["remediation"]
            .as_str()
            .is_some_and(|text| text.contains("files__, shop__, time__")),
        "{told}"
    );

    bench
        .list(
            "tools/list",
            &mut servers,
            &[
                tools(&["read_file", "write_file"]),
                tools(&["pay"]),
                tools(&[]),
            ],
        )
        .await;
    for (wrong, meant) in [
        ("read_file", "files__read_file"),
        ("file__read_file", "files__read_file"),
        ("reed_file", "files__read_file"),
        ("files_read_file", "files__read_file"),
    ] {
        bench.client.say(&call(1, wrong)).await;
        let told = bench.client.hear().await;
        assert_eq!(
            (
                &told["error"]["code"],
                &fault(&told)["details"]["suggestion"]
            ),
            (&json!(-32602), &json!(meant)),
            "{wrong}"
        );
    }

    // Of a known server it is refused only after a look at what it has now.
    bench.client.say(&call(2, "files__raed_file")).await;
    assert_eq!(servers[0].hear().await["method"], "tools/list");
    bench.client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})).await;
    bench.client.say(&call(3, "files__raed_file")).await;
    servers[0].answer(tools(&["read_file"])).await;
    let told = bench.client.hear().await;
    assert_eq!(
        (&told["id"], &fault(&told)["details"]["suggestion"]),
        (&json!(3), &json!("files__read_file"))
    );
    bench.client.say(&call(4, "files__new")).await;
    servers[0].answer(tools(&["read_file", "new"])).await;
    assert_eq!(servers[0].hear().await["params"]["name"], "new");
}

#[tokio::test(start_paused = true)]
async fn what_a_server_asks_and_tells_reaches_the_client_and_comes_back() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    servers[0].say(&json!({"jsonrpc": "2.0", "id": 0, "method": "elicitation/create", "params": {"mode": "url", "elicitationId": "e"}})).await;
    let first = bench.client.hear().await;
    servers[1]
        .say(&json!({"jsonrpc": "2.0", "id": 0, "method": "roots/list"}))
        .await;
    let second = bench.client.hear().await;
    assert_eq!(first["params"]["elicitationId"], "files__e");
    assert_ne!(first["id"], second["id"]);
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": second["id"], "result": {"roots": []}}))
        .await;
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": first["id"], "result": {"action": "accept"}}))
        .await;
    assert_eq!(
        servers[1].hear().await,
        json!({"jsonrpc": "2.0", "id": 0, "result": {"roots": []}})
    );
    assert_eq!(servers[0].hear().await["result"]["action"], "accept");

    servers[2].say(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "logger": "l", "data": 1}})).await;
    let log = bench.client.hear().await;
    assert_eq!(
        (
            &log["params"]["logger"],
            &log["params"]["_meta"]["dev.breakfall/upstream"]
        ),
        (&json!("l"), &json!("time"))
    );
    servers[2]
        .say(&note("notifications/tools/list_changed"))
        .await;
    assert_eq!(
        bench.client.hear().await,
        note("notifications/tools/list_changed")
    );

    bench
        .client
        .say(&note("notifications/roots/list_changed"))
        .await;
    for server in &mut servers {
        assert_eq!(
            server.hear().await,
            note("notifications/roots/list_changed")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_log_level_goes_to_all_servers_and_a_ping_to_none() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    bench.client.say(&ask("ping", "ping")).await;
    assert_eq!(
        bench.client.hear().await,
        json!({"jsonrpc": "2.0", "id": "ping", "result": {}})
    );
    bench.client.say(&json!({"jsonrpc": "2.0", "id": "l", "method": "logging/setLevel", "params": {"level": "error"}})).await;
    for server in &mut servers {
        let request = server.hear().await;
        assert_eq!(
            (&request["method"], &request["params"]["level"]),
            (&json!("logging/setLevel"), &json!("error"))
        );
        server
            .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {}}))
            .await;
    }
    assert_eq!(
        bench.client.hear().await,
        json!({"jsonrpc": "2.0", "id": "l", "result": {}})
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_method_goes_to_the_only_server_or_to_none() {
    let mut one = Bench::with(&["files"], |_| {});
    let (mut servers, _) = one.greeted().await;
    one.client.say(&ask(1, "vendor/do")).await;
    assert_eq!(servers[0].hear().await["method"], "vendor/do");
    let mut bench = Bench::new();
    bench.greeted().await;
    bench.client.say(&ask(1, "vendor/do")).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32601);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_and_a_cancelled_list_are_cancelled_where_they_went() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let cancel = |id: &str| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    bench.client.say(&call("c", "shop__pay")).await;
    let request = servers[1].hear().await;
    bench.client.say(&cancel("c")).await;
    assert_eq!(
        servers[1].hear().await["params"]["requestId"],
        request["id"]
    );
    bench.client.say(&ask("l", "tools/list")).await;
    let mut asked = Vec::new();
    for server in &mut servers {
        asked.push(server.hear().await["id"].clone());
    }
    bench.client.say(&cancel("l")).await;
    for (server, id) in servers.iter_mut().zip(asked) {
        let told = server.hear().await;
        assert_eq!(
            (&told["method"], &told["params"]["requestId"]),
            (&json!("notifications/cancelled"), &id)
        );
    }
    assert_eq!(bench.client.hear_within(2 * QUIET).await, None);
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_state_of_one_server_does_not_open_at_another() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    bench.client.say(&call(1, "shop__pay")).await;
    servers[1]
        .answer(json!({"resultType": "input_required", "requestState": "s"}))
        .await;
    let state = bench.client.hear().await["result"]["requestState"].clone();
    let retry = |tool: &str, state: &Value| json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "requestState": state}});
    for (tool, state) in [("files__pay", &state), ("shop__pay", &json!("s"))] {
        bench.client.say(&retry(tool, state)).await;
        assert_eq!(bench.client.hear().await["error"]["code"], -32602);
    }
    bench.client.say(&retry("shop__pay", &state)).await;
    assert_eq!(servers[1].hear().await["params"]["requestState"], "s");
}

#[tokio::test(start_paused = true)]
async fn no_spelling_of_a_key_goes_around_the_seal() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    for key in [
        r"request\u0053tate",
        r"\u0072equestState",
        r"requestStat\u0065",
    ] {
        let forged = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"shop__pay","{key}":"forged"}}}}"#
        );
        bench.client.say_raw(forged.as_bytes()).await;
        let answer = bench.client.hear().await;
        assert_eq!(answer["error"]["code"], -32602, "{key}");
    }
    // Nor does a state of the server come out without one.
    bench.client.say(&call(2, "shop__pay")).await;
    let id = servers[1].hear().await["id"].clone();
    let asked = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","request\u0053tate":"mine"}}}}"#
    );
    servers[1].say_raw(asked.as_bytes()).await;
    let answer = bench.client.hear().await;
    let state = answer["result"]["requestState"].as_str();
    assert!(state.is_some_and(|state| state != "mine"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_parameter_named_twice_is_refused_here_too() {
    let mut bench = Bench::new();
    bench.greeted().await;
    bench.client.say_raw(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__pay","arguments":{"a":1,"a":2}}}"#).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32602);
    bench.client.say(&ask(2, "resources/read")).await;
    assert_eq!(
        fault(&bench.client.hear().await)["details"]["param_name"],
        "uri"
    );
}
