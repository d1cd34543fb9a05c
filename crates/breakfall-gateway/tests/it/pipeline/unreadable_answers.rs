//! Answers that no client can read.

use serde_json::{Value, json};

use super::{bench, call, hello, list};
use crate::session::fault;

#[tokio::test(start_paused = true)]
async fn what_is_no_list_of_blocks_is_made_one_and_judged_as_such() {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "say", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "say", "inputSchema": {"type": "object"}}]),
    )
    .await;
    server.answer(json!({"content": "two"})).await;
    let answer = bench.client.hear().await;
    let result = &answer["result"];
    assert_eq!(result["content"], json!([{"type": "text", "text": "two"}]));
    let warning = &result["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "OUTPUT_MISMATCH", "{answer}");

    bench.client.say(&call(2, "say", json!({}))).await;
    server
        .answer(json!({"content": "MCP error -32603: permission denied"}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "PERMISSION_DENIED", "{answer}");
    assert_eq!(answer["result"]["isError"], true);

    bench.client.say(&call(3, "say", json!({}))).await;
    server.answer(json!({})).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["content"], json!([]), "{answer}");

    bench.client.say(&call(4, "say", json!({}))).await;
    server
        .answer(json!({"content": ["two", null], "structuredContent": [7]}))
        .await;
    let answer = bench.client.hear().await;
    let result = &answer["result"];
    let want = json!([{"type": "text", "text": "two"}, {"type": "text", "text": "null"}]);
    assert_eq!(result["content"], want, "{answer}");
    assert_eq!(result["structuredContent"], json!({"result": [7]}));
    let warnings = &result["_meta"]["dev.breakfall/success"]["warnings"];
    let codes: Vec<_> = warnings
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["code"])
        .collect();
    assert!(codes.contains(&&json!("OUTPUT_MISMATCH")), "{answer}");
    assert!(codes.contains(&&json!("RESULT_ADAPTED")), "{answer}");

    bench.client.say(&call(5, "say", json!({}))).await;
    server
        .answer(json!({"content": ["MCP error -32603: permission denied"]}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "PERMISSION_DENIED", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_with_what_is_no_block_is_one_its_caller_can_read() {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    let mut is_listed = false;
    let cases = [
        (json!("permission denied"), "permission denied"),
        (json!(null), "null"),
        (
            json!({"text": "permission denied"}),
            r#"{"text":"permission denied"}"#,
        ),
        (
            json!({"type": "text", "text": 5}),
            r#"{"text":5,"type":"text"}"#,
        ),
        (
            json!({"password": "open sesame"}),
            r#"{"password":"[redacted:password]"}"#,
        ),
    ];
    for (odd, want) in cases {
        bench.client.say(&call("c", "pay", json!({}))).await;
        if !std::mem::replace(&mut is_listed, true) {
            list(&mut server, json!([{"name": "pay", "inputSchema": {}}])).await;
        }
        let result = json!({"isError": true, "content": [odd], "structuredContent": "x"});
        server.answer(result).await;
        let answer = bench.client.hear().await;
        let result = &answer["result"];
        assert_eq!(
            result["content"][1],
            json!({"type": "text", "text": want}),
            "{answer}"
        );
        assert_eq!(
            result["structuredContent"],
            json!({"result": "x"}),
            "{answer}"
        );
        let ours = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(ours.contains("\nReference: "), "{answer}");
        if want.contains("denied") && odd.is_string() {
            assert_eq!(fault(&answer)["code"], "PERMISSION_DENIED", "{answer}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_in_a_shape_of_its_own_reaches_the_caller_with_its_words_and_its_name() {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    let mut is_listed = false;
    for (error, number, words, code, name) in errors() {
        bench.client.say(&call("c", "pay", json!({}))).await;
        if !std::mem::replace(&mut is_listed, true) {
            list(&mut server, json!([{"name": "pay", "inputSchema": {}}])).await;
        }
        let request = server.hear().await;
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "error": error});
        server.say(&answer).await;
        let reply = bench.client.hear().await;
        let told = &reply["error"];
        assert_eq!(told["code"], number, "{reply}");
        let message = told["message"].as_str().unwrap_or_default();
        assert!(
            message.starts_with(&format!("{words} [{code}]\n")),
            "{message}"
        );
        assert_eq!(
            told["data"]["dev.breakfall/error"]["domain_code"], name,
            "{reply}"
        );
        let kept = error["code"].as_str().filter(|code| !code.starts_with('-'));
        assert_eq!(told["data"]["code"].as_str(), kept, "{reply}");
    }
}

/// Errors of servers, the number, the words and the code they are told with, and the name they give.
fn errors() -> [(Value, i64, &'static str, &'static str, Value); 5] {
    [
        (
            json!({"code": "E_NO", "message": "the wheel came off"}),
            -32603,
            "the wheel came off",
            "INTERNAL_UNKNOWN",
            json!("E_NO"),
        ),
        (
            json!({"code": "E_NO", "message": "order not found"}),
            -32603,
            "order not found",
            "NOT_FOUND_RESOURCE",
            json!("E_NO"),
        ),
        (
            json!({"code": "RESOURCE_EXHAUSTED"}),
            -32603,
            "RESOURCE_EXHAUSTED",
            "RATE_LIMIT_EXCEEDED",
            json!("RESOURCE_EXHAUSTED"),
        ),
        (
            json!({"code": "-32602", "message": "no"}),
            -32602,
            "no",
            "VALIDATION_INVALID_VALUE",
            Value::Null,
        ),
        (
            json!("permission denied"),
            -32603,
            "permission denied",
            "PERMISSION_DENIED",
            Value::Null,
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn an_address_that_must_not_be_seen_becomes_another_address() {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "say", json!({}))).await;
    list(&mut server, json!([{"name": "say", "inputSchema": {}}])).await;
    let content = json!([
        {"type": "resource", "resource": {"uri": "file:///srv/app/x", "text": "boom"}},
        {"type": "resource_link", "uri": "http://10.0.0.1:80/x", "name": "x"},
        {"type": "resource_link", "uri": "note:a", "name": "from /srv/app/x"},
    ]);
    let result = json!({"isError": true, "content": content});
    server.answer(result).await;
    let answer = bench.client.hear().await;
    let told = &answer["result"]["content"];
    let uris = [
        &told[1]["resource"]["uri"],
        &told[2]["uri"],
        &told[3]["uri"],
    ];
    assert_eq!(
        uris,
        ["redacted:path", "redacted:address", "note:a"],
        "{answer}"
    );
    assert_eq!(told[1]["resource"]["text"], "boom", "{answer}");
    assert_eq!(told[3]["name"], "from [path]", "{answer}");
}
