//! Messages that cannot be used: the client gets an error under its own id, and those of the server do no harm.

use super::*;

/// A line, the code of the answer, its id, and the name of the fault in it.
type Case = (Vec<u8>, i64, Value, &'static str);

fn bad_lines() -> Vec<Case> {
    let broken = br#"{"jsonrpc":"2.0","id":"u","method":"X"}"#;
    let broken = broken.map(|byte| if byte == b'X' { 0xff } else { byte });
    let deep = format!(r#"{{"id":"d","x":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let long = "a".repeat(17 << 20);
    let long = format!(r#"{{"jsonrpc":"2.0","method":"x","params":["{long}"],"id":"big"}}"#);
    let no_id = format!(
        "{{\"params\":\"{}\",\"id\":\"\u{1}\"}}",
        "a".repeat(17 << 20)
    );
    let long_id = "i".repeat(1500);
    let of_long_id = format!(r#"{{"jsonrpc":"2.0","method":"x","id":"{long_id}"}}"#);
    let mut cases: Vec<Case> = SHAPES
        .iter()
        .map(|(line, code, id)| {
            let id = serde_json::from_str(id).expect("JSON");
            ((*line).into(), *code, id, "VALIDATION_INVALID_VALUE")
        })
        .collect();
    cases.extend([
        (
            broken.to_vec(),
            -32700,
            json!("u"),
            "VALIDATION_INVALID_ENCODING",
        ),
        (
            deep.into(),
            -32600,
            json!("d"),
            "VALIDATION_PAYLOAD_TOO_LARGE",
        ),
        (
            long.into(),
            -32600,
            json!("big"),
            "VALIDATION_PAYLOAD_TOO_LARGE",
        ),
        (
            no_id.into(),
            -32600,
            Value::Null,
            "VALIDATION_PAYLOAD_TOO_LARGE",
        ),
        (
            of_long_id.into(),
            -32600,
            json!(long_id),
            "VALIDATION_INVALID_VALUE",
        ),
    ]);
    cases
}

const SHAPES: [(&str, i64, &str); 17] = [
    ("hello", -32700, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"#, -32700, "1"),
    ("[]", -32600, "null"),
    (
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        -32600,
        "null",
    ),
    ("42", -32600, "null"),
    (r#"{"id":2,"method":"ping"}"#, -32600, "2"),
    (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, -32600, "3"),
    (r#"{"jsonrpc":"2.0","id":4,"method":7}"#, -32600, "4"),
    (
        r#"{"jsonrpc":"2.0","id":5,"method":"x","params":"y"}"#,
        -32600,
        "5",
    ),
    (
        r#"{"jsonrpc":"2.0","id":55,"method":"x","params":[1]}"#,
        -32600,
        "55",
    ),
    (
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        -32600,
        "null",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        -32600,
        "1.5",
    ),
    (
        r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#,
        -32700,
        "null",
    ),
    (
        r#"{"jsonrpc":"2.0","id":"\x","method":"ping"}"#,
        -32700,
        "null",
    ),
    (
        r#"{"jsonrpc":"2.0","id":"a,"method":"ping"}"#,
        -32700,
        "null",
    ),
    (
        r#"{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}"#,
        -32600,
        "6",
    ),
    (
        r#"{"jsonrpc":"2.0","id":8,"method":"a","result":{}}"#,
        -32600,
        "8",
    ),
];

#[tokio::test(start_paused = true)]
async fn a_line_that_is_no_message_is_answered_under_its_id_where_it_has_one() {
    testing::proves!("S4-40", "S4-41", "S4-42");
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    for (line, code, id, name) in bad_lines() {
        bench.client.say_raw(&line).await;
        let answer = bench.client.hear().await;
        let shown = line[..line.len().min(80)].escape_ascii();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{shown}"
        );
        assert_eq!(fault(&answer)["code"], name, "{shown}");
        assert!(fault(&answer)["remediation"].is_string(), "{answer}");
        let is_list = line.starts_with(b"[");
        assert_eq!(
            answer.to_string().contains("one by one"),
            is_list,
            "{answer}"
        );
    }
    // None of it was passed on, and the next good one is.
    bench.client.say(&ask(9, "ping")).await;
    assert_eq!(server.hear().await["method"], "ping");
}

#[tokio::test(start_paused = true)]
async fn arguments_that_name_something_twice_are_refused() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    let twice = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"to":[{"amount":1,"\u0061mount":1000}]}}}"#;
    bench.client.say_raw(twice).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(
        answer["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("'amount'")),
        "{answer}"
    );
    assert_eq!(server.hear_within(QUIET).await, None);
}

#[tokio::test(start_paused = true)]
async fn an_id_in_use_is_refused_and_the_first_request_is_not_harmed() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&ask(1, "tools/list")).await;
    bench.client.say(&ask("1", "tools/list")).await;
    bench.client.say(&ask(1, "prompts/list")).await;
    let refusal = bench.client.hear().await;
    assert_eq!(
        (&refusal["id"], &refusal["error"]["code"]),
        (&json!(1), &json!(-32600))
    );
    let words = refusal["error"]["message"].as_str().unwrap_or_default();
    for line in [" [", "]\nFix: ", "\nRetry: "] {
        assert!(words.contains(line), "{words}");
    }
    server.answer(json!({"first": true})).await;
    assert_eq!(bench.client.hear().await["result"]["first"], true);
    server.answer(json!({})).await;
    assert_eq!(
        bench.client.hear().await["id"],
        "1",
        "a text is another id than a number"
    );
    // After the answer the id is free again.
    bench.client.say(&ask(1, "tools/list")).await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn noise_of_a_server_is_survived_and_an_unreadable_answer_is_one() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    for noise in [
        "Listening on stdio",
        "[]",
        r#"{"id":77,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":"0","result":1}"#,
    ] {
        server.say_raw(noise.as_bytes()).await;
    }
    for (at, answer) in [
        r#"{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}"#,
        r#"{"id":ID,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":"ok"}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":null}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":",
    ]
    .into_iter()
    .enumerate()
    {
        bench.client.say(&call(at, "pay")).await;
        let request = server.hear().await;
        server
            .say_raw(answer.replace("ID", &request["id"].to_string()).as_bytes())
            .await;
        let reply = bench.client.hear().await;
        assert_eq!(
            (&reply["id"], &reply["result"]["isError"]),
            (&json!(at), &json!(true)),
            "{reply}"
        );
        assert_eq!(fault(&reply)["code"], "INTERNAL_BAD_UPSTREAM");
        assert_eq!(fault(&reply)["details"]["executed"], "unknown");
    }
    bench.client.say(&ask("next", "ping")).await;
    server.answer(json!({})).await;
    assert_eq!(bench.client.hear().await["id"], "next");
}

#[tokio::test(start_paused = true)]
async fn what_a_server_prints_beside_its_messages_takes_no_request_away_and_is_not_answered() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    for (at, noise) in [
        r#"{"id":ID,"name":"Ada"}"#,
        r#"{"level":"info","id":ID,"msg":"handling"}"#,
        r#"{"level":"info","msg":"<- request","id":ID,"method":"tools/call"}"#,
        r#"{"id":ID,"method":"GET","error":null}"#,
        r#"{"level":"error","id":ID,"error":"boom","msg":"failed"}"#,
        r#"INFO handling {"id": ID, "tool": "x"}"#,
        r#"INFO {"jsonrpc":"2.0","id":ID,"#,
        r#"[{"id":ID}]"#,
        r#"{"jsonrpc":"2.0","id":[ID],"result":1}"#,
    ]
    .into_iter()
    .enumerate()
    {
        bench.client.say(&call(at, "pay")).await;
        let request = server.hear().await;
        let noise = noise.replace("ID", &request["id"].to_string());
        server.say_raw(noise.as_bytes()).await;
        assert_eq!(server.hear_within(QUIET / 10).await, None, "{noise}");
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}});
        server.say(&answer).await;
        let reply = bench.client.hear().await;
        assert_eq!(
            (&reply["id"], &reply["result"]["content"]),
            (&json!(at), &json!([])),
            "{noise}: {reply}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_is_heard_behind_half_of_another_and_behind_words() {
    for (front, fails) in [
        (r#"{"jsonrpc":"2.0","id":ID,"resu"#, true),
        (
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"text":"ha"#,
            true,
        ),
        (
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}"#,
            false,
        ),
        ("Loading model... ", false),
        ("[INFO] ", false),
        ("[12:30] \u{1b}[2J", false),
        ("\u{feff}", false),
    ] {
        let mut bench = Bench::new();
        let mut server = bench.initialized().await;
        bench.client.say(&call("half", "pay")).await;
        bench.client.say(&call("whole", "pay")).await;
        let (half, whole) = (
            server.hear().await["id"].clone(),
            server.hear().await["id"].clone(),
        );
        let answer = |id| json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
        let front = front.replace("ID", &half.to_string());
        let line = format!("{front}{}", answer(whole));
        server.say_raw(line.as_bytes()).await;
        if !front.contains("jsonrpc") {
            server.say(&answer(half)).await;
        }
        for _ in 0..2 {
            let reply = bench.client.hear_within(QUIET / 10).await.expect(&front);
            let failed = reply["result"]["isError"] == true;
            assert_eq!(failed, fails && reply["id"] == "half", "{front}: {reply}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn several_messages_on_a_line_are_all_heard() {
    for front in ["", r#"{"jsonrpc":"2.0","id":99,"resu"#, "[INFO] "] {
        let mut bench = Bench::new();
        let mut server = bench.initialized().await;
        let mut line = front.to_owned();
        for id in 0..4 {
            bench.client.say(&call(id, "pay")).await;
            let asked = server.hear().await;
            let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"content": []}});
            line += &answer.to_string();
        }
        server.say_raw(line.as_bytes()).await;
        for id in 0..4 {
            let reply = bench.client.hear_within(QUIET / 10).await.expect(front);
            let content = (&reply["id"], &reply["result"]["content"]);
            assert_eq!(content, (&json!(id), &json!([])), "{front}: {reply}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_writes_in_its_log_of_what_it_was_told_is_not_heard() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let question = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
    server.say(&question).await;
    let asked = bench.client.hear().await;
    let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}});
    bench.client.say(&answer).await;
    let answered = server.hear().await;
    bench.client.say(&call("it", "pay")).await;
    let request = server.hear().await;
    assert_eq!(
        request["id"], answered["id"],
        "they would be mistaken for each other"
    );
    for received in [&answered, &request] {
        server
            .say_raw(format!("DEBUG <- {received}").as_bytes())
            .await;
    }
    assert_eq!(bench.client.hear_within(QUIET / 10).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_question_of_a_server_with_a_bad_id_is_answered_under_it_if_that_is_json() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let long = format!("\"{}\"", "i".repeat(1500));
    for (id, is_told) in [("1.5", true), (&*long, true), ("01", false), ("[1]", false)] {
        let question = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
        server.say_raw(question.as_bytes()).await;
        let answer = server.hear_within(QUIET).await;
        assert_eq!(answer.is_some(), is_told, "{id:.10}");
        if let Some(answer) = answer {
            assert_eq!(answer["id"].to_string(), id);
            assert_eq!(answer["error"]["code"], -32600);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_in_a_shape_of_its_own_is_written_as_the_protocol_wants_it() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    for (error, want) in [
        (json!("no"), json!({"code": -32603, "message": "no"})),
        (
            json!({"code": "E_NO", "message": "no"}),
            json!({"code": -32603, "message": "no", "data": {"code": "E_NO"}}),
        ),
        (
            json!({"code": -32000}),
            json!({"code": -32000, "message": "The server gave no reason"}),
        ),
    ] {
        bench.client.say(&call(1, "pay")).await;
        let request = server.hear().await;
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "error": error});
        server.say(&answer).await;
        assert_eq!(bench.client.hear().await["error"], want);
    }
}

#[tokio::test(start_paused = true)]
async fn null_beside_a_result_or_an_error_is_not_there() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    for (answer, want) in [
        (
            r#"{"jsonrpc":"2.0","error":null,"result":{"content":[], "n":1e2},"id":ID}"#,
            r#"{"jsonrpc":"2.0","result":{"content":[], "n":1e2},"id":1}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":ID,"result":null,"error":{"code":-32050,"message":"boom"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"boom"}}"#,
        ),
    ] {
        bench.client.say(&call(1, "pay")).await;
        let request = server.hear().await;
        let answer = answer.replace("ID", &request["id"].to_string());
        server.say_raw(answer.as_bytes()).await;
        assert_eq!(bench.client.hear_raw().await, want);
    }
    // Who asks has to say what.
    let question = br#"{"jsonrpc":"2.0","id":7,"method":"ping","result":null}"#;
    bench.client.say_raw(question).await;
    assert_eq!(bench.client.hear().await["error"]["code"], -32600);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_big_is_told_and_not_kept() {
    let mut bench = Bench::with(|upstream| upstream.limits.size = 1 << 20);
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "dump")).await;
    let request = server.hear().await;
    let open = format!(r#"{{"jsonrpc":"2.0","id":{},"result":""#, request["id"]);
    server.mumble(open.as_bytes()).await;
    for _ in 0..64 {
        server.mumble(&vec![b'x'; 1 << 20]).await;
    }
    server.say_raw(b"\"}").await;
    let reply = bench.client.hear().await;
    assert_eq!(
        (&reply["id"], &reply["result"]["isError"]),
        (&json!(1), &json!(true))
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_may_say_several_things_at_once_and_leave_out_the_last_end_of_line() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&ask("a", "tools/list")).await;
    bench.client.say(&ask("b", "tools/list")).await;
    bench.client.say(&ask("c", "tools/list")).await;
    let mut answers = Vec::new();
    for _ in 0..3 {
        let request = server.hear().await;
        answers.push(json!({"jsonrpc": "2.0", "id": request["id"], "result": {}}));
    }
    let last = answers.pop().expect("three");
    server.say(&Value::from(answers)).await;
    server.mumble(last.to_string().as_bytes()).await;
    drop(server);
    for id in ["a", "b", "c"] {
        let answer = bench.client.hear().await;
        assert_eq!(
            (&answer["id"], answer["result"].is_object()),
            (&json!(id), true),
            "{answer}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_bad_answer_of_the_client_is_told_to_the_server_that_asked_and_not_to_the_client() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    server.say(&ask("q", "roots/list")).await;
    let asked = bench.client.hear().await;
    // The client has a request of its own under the same id.
    bench
        .client
        .say(&ask(asked["id"].clone(), "tools/list"))
        .await;
    server.answer(json!({"tools": []})).await;
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": 1}))
        .await;
    let listed = bench.client.hear().await;
    assert!(listed["result"]["tools"].is_array(), "{listed}");
    assert_eq!(bench.client.hear_within(QUIET).await, None);
    let answer = server.hear().await;
    assert_eq!(
        (&answer["id"], answer["error"].is_object()),
        (&json!("q"), true)
    );
}

#[tokio::test(start_paused = true)]
async fn a_bad_question_of_a_server_is_answered_and_harms_no_call_of_the_same_id() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    bench.client.say(&call("mine", "pay")).await;
    let request = server.hear().await;
    let question = r#"{"jsonrpc":"2.0","id":ID,"method":"roots/list","params":7}"#;
    server
        .say_raw(
            question
                .replace("ID", &request["id"].to_string())
                .as_bytes(),
        )
        .await;
    let refused = server.hear().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&request["id"], &json!(-32600))
    );
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"paid": true}}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["paid"]),
        (&json!("mine"), &json!(true))
    );
}

#[tokio::test(start_paused = true)]
async fn parameters_that_are_null_cross_both_ways() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let null =
        |id: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": null});
    bench.client.say(&null("a")).await;
    assert!(server.hear_raw().await.contains(r#""params":null"#));
    let note =
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": null});
    server.say(&note).await;
    assert_eq!(bench.client.hear().await, note);
    server.say(&null("q")).await;
    assert_eq!(bench.client.hear().await["method"], "tools/list");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_ends_within_a_line_is_told() {
    let mut bench = Bench::new();
    bench
        .client
        .mumble(br#"{"jsonrpc":"2.0","id":"half","method""#)
        .await;
    bench.client.writer.shutdown().await.expect("memory");
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("half"), &json!(-32700))
    );
}

#[tokio::test(start_paused = true)]
async fn a_list_of_a_server_without_end_is_not_taken_apart_for_ever() {
    let mut bench = Bench::new();
    let mut server = bench.initialized().await;
    let mut answers = Vec::new();
    for id in ["first", "last"] {
        bench.client.say(&ask(id, "tools/list")).await;
        let request = server.hear().await;
        answers.push(json!({"jsonrpc": "2.0", "id": request["id"], "result": {"id": id}}));
    }
    let list = format!("[{},{}{}]", answers[0], "0,".repeat(1 << 16), answers[1]);
    server.say_raw(list.as_bytes()).await;
    assert!(bench.client.hear().await["result"].is_object());
    let late = bench.client.hear().await;
    assert_eq!(fault(&late)["code"], "UNAVAILABLE_TIMEOUT", "{late}");
}
