//! What crosses, both ways, and that nothing of it changes but ids.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::json;

use super::*;

#[tokio::test(start_paused = true)]
async fn requests_and_answers_cross_byte_for_byte_but_for_their_ids() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    let request = r#" {"vendor":1e400, "method":"x/\u0079", "id":"caf\u00e9" ,"params":{"b":1.0,"a":-0,"b2":12345678901234567890123},"jsonrpc":"2.0"} "#;
    bench.client.say_raw(request.as_bytes()).await;
    assert_eq!(
        server.hear_raw().await,
        request.replace(r#""caf\u00e9""#, "0")
    );
    let answer = r#"{"result":{"z":1E+2,"a":[ ]},"id":0,"x":{"id":7},"jsonrpc":"2.0"}"#;
    server.say_raw(answer.as_bytes()).await;
    let want = answer.replace(r#""id":0"#, r#""id":"caf\u00e9""#);
    assert_eq!(bench.client.hear_raw().await, want);
}

#[tokio::test(start_paused = true)]
async fn a_method_that_is_no_text_crosses_like_any_other() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let line = r#"{"jsonrpc":"2.0","id":"half","method":"\ud800\n"}"#;
    bench.client.say_raw(line.as_bytes()).await;
    let heard = server.hear_raw().await;
    assert!(heard.ends_with(r#""method":"\ud800\n"}"#), "{heard}");
    bench.client.say(&ask("next", "ping")).await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], "next");
}

#[tokio::test(start_paused = true)]
async fn the_server_asks_the_client_with_ids_of_its_own() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&ask(0, "tools/list")).await;
    let list = server.hear().await;
    // The same number in both directions at once is two requests.
    let elicit = json!({"jsonrpc": "2.0", "id": list["id"], "method": "elicitation/create", "params": {"message": "?"}});
    server.say(&elicit).await;
    let asked = bench.client.hear().await;
    assert_eq!(asked["method"], "elicitation/create");
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}}))
        .await;
    let answer = server.hear().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["action"]),
        (&list["id"], &json!("decline"))
    );
    server
        .say(&json!({"jsonrpc": "2.0", "id": list["id"], "result": {"tools": []}}))
        .await;
    assert_eq!(
        bench.client.hear().await,
        json!({"jsonrpc": "2.0", "id": 0, "result": {"tools": []}})
    );
}

#[tokio::test(start_paused = true)]
async fn notifications_cross_in_their_order_with_the_answers() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&ask(1, "resources/subscribe")).await;
    let request = server.hear().await;
    let before = note("notifications/message");
    let after = note("notifications/resources/updated");
    let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": {}});
    for message in [&before, &answer, &after] {
        server.say(message).await;
    }
    assert_eq!(bench.client.hear().await, before);
    assert_eq!(bench.client.hear().await["id"], 1);
    assert_eq!(bench.client.hear().await, after);
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_goes_where_the_request_went_and_gets_no_answer() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call("a", "slow")).await;
    let request = server.hear().await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"reason": "enough", "requestId": "a"}});
    bench.client.say(&cancel).await;
    let passed = server.hear().await;
    assert_eq!(
        passed["params"],
        json!({"reason": "enough", "requestId": request["id"]})
    );
    // A server that answers nevertheless is not heard.
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {}}))
        .await;
    assert_eq!(bench.client.hear_within(4 * QUIET).await, None);
    assert_eq!((bench.peer.owed(), bench.peer.asked()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn the_server_takes_back_its_own_questions() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    server.say(&ask("q", "sampling/createMessage")).await;
    let asked = bench.client.hear().await;
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "q"}})).await;
    let cancel = bench.client.hear().await;
    assert_eq!(cancel["params"]["requestId"], asked["id"]);
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {}}))
        .await;
    assert_eq!(server.hear_within(QUIET).await, None);
}

#[tokio::test(start_paused = true)]
async fn progress_comes_back_under_the_token_the_client_chose() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let request = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "slow", "_meta": {"progressToken": "tok", "x": 1}}});
    bench.client.say(&request).await;
    let passed = server.hear().await;
    let token = &passed["params"]["_meta"]["progressToken"];
    assert_ne!(token, "tok");
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1, "progressToken": token}})).await;
    let progress = bench.client.hear().await;
    assert_eq!(
        progress["params"],
        json!({"progress": 1, "progressToken": "tok"})
    );
    // Progress for nothing, and after the end, is not passed on.
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1, "progressToken": 999}})).await;
    server
        .say(&json!({"jsonrpc": "2.0", "id": passed["id"], "result": {}}))
        .await;
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 2, "progressToken": token}})).await;
    assert_eq!(bench.client.hear().await["id"], 5);
    assert_eq!(bench.client.hear_within(QUIET).await, None);
}

#[tokio::test(start_paused = true)]
async fn the_progress_of_a_task_goes_on_after_its_answer() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let request = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "slow", "task": {"ttl": 60000}, "_meta": {"progressToken": "tok"}}});
    bench.client.say(&request).await;
    let passed = server.hear().await;
    let token = &passed["params"]["_meta"]["progressToken"];
    server.say(&json!({"jsonrpc": "2.0", "id": passed["id"], "result": {"task": {"taskId": "t", "status": "working"}}})).await;
    assert_eq!(bench.client.hear().await["id"], 5);
    server.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1, "progressToken": token}})).await;
    assert_eq!(bench.client.hear().await["params"]["progressToken"], "tok");
}

/// Any JSON, with the numbers and escapes parsers disagree on, written in more than one way.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("1.0".to_owned()),
        Just("-0".to_owned()),
        Just("1e999".to_owned()),
        Just("0.1000000000000000055511151231257827".to_owned()),
        Just("18446744073709551616".to_owned()),
        Just(r#""\ud83d\ude00 \/ \u0000""#.to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        "[ -~äß漢😀]{0,12}".prop_map(|text| serde_json::to_string(&text).expect("a string")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let member = ("[a-z_/]{0,8}", inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::btree_map("[a-zA-Z_/]{0,8}", member.1, 0..4).prop_map(|members| {
                let members: Vec<_> = members
                    .into_iter()
                    .map(|(key, value)| format!("\"{key}\": {value}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// A client's id, as it may be written.
fn id_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        Just("99999999999999999999".to_owned()),
        "[ -~é]{0,20}".prop_map(|text| serde_json::to_string(&text).expect("a string")),
    ]
}

#[test]
fn whatever_is_valid_crosses_unchanged_both_ways() {
    let config = Config {
        cases: 300,
        rng_seed: RngSeed::Fixed(20_260_728),
        failure_persistence: None,
        ..Config::default()
    };
    let strategy = (id_text(), json_text(), json_text(), any::<bool>());
    let checked = TestRunner::new(config).run(&strategy, |(id, params, result, fails)| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(async {
            let mut bench = Bench::new();
            let mut server = bench.server().await;
            let request = format!(r#"{{"extra":{params},"jsonrpc":"2.0","id":{id},"method":"x","params":{{"p":{params}}}}}"#);
            bench.client.say_raw(request.as_bytes()).await;
            let want = format!(r#"{{"extra":{params},"jsonrpc":"2.0","id":0,"method":"x","params":{{"p":{params}}}}}"#);
            assert_eq!(server.hear_raw().await, want);
            let told = format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{"p":{result}}},"more":{params}}}"#);
            bench.client.say_raw(told.as_bytes()).await;
            assert_eq!(server.hear_raw().await, told);
            server.say_raw(told.as_bytes()).await;
            assert_eq!(bench.client.hear_raw().await, told);
            let body = if fails {
                format!(r#""error":{{"data":{result},"code":-7,"message":"\u006eo","x":{params}}}"#)
            } else {
                format!(r#""result":{{"x":{result}}}"#)
            };
            let answer =
                |id: &str| format!(r#"{{{body},"id":{id},"jsonrpc":"2.0","more":{params}}}"#);
            server.say_raw(answer("0").as_bytes()).await;
            assert_eq!(bench.client.hear_raw().await, answer(&id));
        });
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test(start_paused = true)]
async fn progress_under_a_token_of_no_proper_kind_crosses_as_it_is() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let mut call = call(1, "pay");
    call["params"]["_meta"] = json!({"progressToken": 1.5});
    bench.client.say(&call).await;
    assert_eq!(server.hear().await["params"]["_meta"]["progressToken"], 1.5);
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1.5, "progress": 1}});
    server.say(&progress).await;
    assert_eq!(bench.client.hear().await, progress);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_writes_our_numbers_in_another_type_is_understood() {
    for odd in [
        |id: &Value| format!("\"{id}\""),
        |id: &Value| format!("{id}.0"),
    ] {
        let mut bench = Bench::new();
        let mut server = bench.initialized().await;
        for (id, token) in [
            ("1", "\"t\""),
            ("\"1\"", "1"),
            ("1.0", "1.0"),
            ("1.00", "-1.0"),
        ] {
            let call = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"pay","_meta":{{"progressToken":{token}}}}}}}"#
            );
            bench.client.say_raw(call.as_bytes()).await;
            let request = server.hear().await;
            let (ours, our_token) = (&request["id"], &request["params"]["_meta"]["progressToken"]);
            assert!(ours.is_u64() && our_token.is_u64(), "{request}");
            // Each report keeps the call alive, and what the client gets is in its own bytes.
            for _ in 0..3 {
                tokio::time::sleep(QUIET * 2 / 3).await;
                let report = |token: &str| {
                    format!(
                        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
                    )
                };
                server.say_raw(report(&odd(our_token)).as_bytes()).await;
                assert_eq!(bench.client.hear_raw().await, report(token));
            }
            let answer =
                |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#);
            server.say_raw(answer(&odd(ours)).as_bytes()).await;
            assert_eq!(bench.client.hear_raw().await, answer(id));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_waits_for_a_person_is_not_late() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    server.hear().await;
    let question =
        json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {}});
    server.say(&question).await;
    let asked = bench.client.hear().await;
    assert_eq!(asked["method"], "elicitation/create");
    // What begins meanwhile has nothing to do with it.
    tokio::time::sleep(QUIET * 3 / 2).await;
    bench.client.say(&call(2, "pay")).await;
    assert_eq!(server.hear().await["method"], "tools/call");
    let late = bench.client.hear_within(QUIET * 11 / 10).await;
    let late = late.expect("nobody is asked for it");
    assert_eq!(late["id"], 2);
    assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT");
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    let yes = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}});
    bench.client.say(&yes).await;
    assert_eq!(server.hear().await["result"]["action"], "accept");
    // From the answer on the server may be late again.
    let late = bench.client.hear_within(QUIET * 3 / 2).await;
    let late = late.expect("it is late");
    assert_eq!(late["id"], 1);
    assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_waits_for_its_client_is_late_all_the_same() {
    for method in ["roots/list", "tools/list", "foo/bar"] {
        let mut bench = Bench::new();
        let mut server = bench.initialized().await;
        bench.client.say(&call(1, "pay")).await;
        server.hear().await;
        server.say(&ask("q", method)).await;
        assert_eq!(bench.client.hear().await["method"], method);
        let late = bench.client.hear_within(QUIET * 11 / 10).await;
        let late = late.unwrap_or_else(|| panic!("{method} holds it up"));
        assert_eq!(late["id"], 1);
        assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT");
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_has_no_longer_than_the_call() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    server.hear().await;
    let question =
        json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {}});
    server.say(&question).await;
    assert_eq!(bench.client.hear().await["method"], "elicitation/create");
    assert_eq!(bench.client.hear_within(QUIET * 29 / 10).await, None);
    let mut late = bench.client.hear().await;
    if late["method"] == "notifications/cancelled" {
        // The question is.
        late = bench.client.hear().await;
    }
    assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT", "{late}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_only_pings_the_client_is_late_all_the_same() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay")).await;
    server.hear().await;
    tokio::time::sleep(QUIET / 2).await;
    server.say(&ask("p", "ping")).await;
    let asked = bench.client.hear().await;
    let pong = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {}});
    bench.client.say(&pong).await;
    assert_eq!(server.hear().await["id"], "p");
    let late = bench
        .client
        .hear_within(QUIET * 3 / 4)
        .await
        .expect("it is late");
    assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT");
}

#[tokio::test(start_paused = true)]
async fn a_list_does_not_pass_for_the_members_of_an_object() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call(5, "pay")).await;
    let paid = server.hear().await["id"].clone();
    let note = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[5]}"#;
    bench.client.say_raw(note).await;
    bench.client.say(&ask(6, "ping")).await;
    let mut heard = server.hear().await;
    if heard["method"] == "notifications/cancelled" {
        assert_eq!(heard["params"], json!([5]), "it means nothing");
        heard = server.hear().await;
    }
    assert_eq!(heard["method"], "ping");
    server
        .say(&json!({"jsonrpc": "2.0", "id": paid, "result": {"content": []}}))
        .await;
    let answers = loop {
        let answer = bench.client.hear().await;
        if answer["id"] == 5 {
            break answer;
        }
    };
    assert_eq!(answers["result"]["content"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_waited_until_its_deadline_does_not_reach_the_server() {
    let second = Duration::from_secs(1);
    let step = Duration::from_millis(1);
    // The deadline and the start of the server are at the same time, and either may be noticed first.
    for _ in 0..20 {
        let mut bench = Bench::with(|upstream| {
            upstream.timeouts = Timeouts {
                idle: second,
                total: second,
            };
            upstream.restart = RestartDelay {
                first: second + step,
                max: second + step,
            };
        });
        drop(bench.discovered().await);
        tokio::time::sleep(step).await;
        bench.client.say(&call(1, "pay")).await;
        let answer = bench.client.hear().await;
        assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
        assert_eq!(fault(&answer)["details"]["executed"], "no", "{answer}");
    }
}
