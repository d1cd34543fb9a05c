//! Input no client should send.

use serde_json::{Value, json};

use super::client::Client;

#[tokio::test(start_paused = true)]
async fn every_broken_line_is_answered_and_the_next_one_served() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{}1{}}}"#,
        "[".repeat(20_000),
        "]".repeat(20_000)
    );
    let cases: [(&[u8], i64, Value); 16] = [
        (b"hello", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,", -32700, json!(7)),
        (b"\xff\xfe", -32700, Value::Null),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}",
            -32700,
            json!(7),
        ),
        (b"[]", -32600, Value::Null),
        (
            br#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
            -32600,
            Value::Null,
        ),
        (b"42", -32600, Value::Null),
        (b"null", -32600, Value::Null),
        (br#"{"id":7,"method":"ping"}"#, -32600, json!(7)),
        (
            br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
            -32600,
            json!(7),
        ),
        (
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            Value::Null,
        ),
        (
            br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            -32600,
            json!(1.5),
        ),
        (br#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32600, json!(7)),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":5}"#,
            -32600,
            json!(7),
        ),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#,
            -32600,
            json!(7),
        ),
        (deep.as_bytes(), -32600, json!(7)),
    ];
    let mut client = Client::legacy(json!({})).await;
    for (line, code, id) in cases {
        client.write(line).await;
        let answer = client.message().await;
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(answer["error"]["code"], code, "{shown}");
        assert_eq!(answer.get("id"), Some(&id), "{shown}");
        client.result("ping", json!({})).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_newest_version_has_no_id_where_none_can_be_read() {
    let mut client = Client::modern(json!({}));
    client.write(b"hello").await;
    let answer = client.message().await;
    assert_eq!(answer["error"]["code"], -32700);
    assert_eq!(answer.get("id"), None);
}

#[tokio::test(start_paused = true)]
async fn ids_come_back_as_they_were_written() {
    let mut client = Client::new();
    for id in [r#""a\u0062""#, "-3", "184467440737095516150", r#""""#] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        client.write(line.as_bytes()).await;
        let answer = client.line().await.expect("an answer");
        assert_eq!(
            answer,
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_beyond_the_limit_is_refused_and_not_kept() {
    let mut client = Client::legacy(json!({})).await;
    let piece = vec![b' '; 1 << 20];
    let line = piece.repeat(17);
    client.write(&line).await;
    assert_eq!(client.message().await["error"]["code"], -32600);
    client.result("ping", json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn notifications_are_never_answered() {
    let mut client = Client::legacy(json!({})).await;
    for method in [
        "ping",
        "tools/list",
        "notifications/roots/list_changed",
        "x",
    ] {
        client.notify(method, json!({})).await;
    }
    client.result("ping", json!({})).await;
    assert_eq!(client.heard(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn blank_lines_and_returns_do_no_harm() {
    let mut client = Client::new();
    client.write(b"\r\n\n  ").await;
    client
        .write(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r")
        .await;
    assert_eq!(client.message().await["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_hangs_up_in_the_middle_of_a_line_ends_the_server() {
    let mut client = Client::legacy(json!({})).await;
    let slow = json!({"name": "slow_report", "arguments": {"seconds": 100}});
    client.send("tools/call", slow).await;
    client.write_raw(b"{\"jsonrpc\":").await;
    assert_eq!(client.hang_up().await, [Value::Null; 0]);
}

#[tokio::test(start_paused = true)]
async fn arguments_of_every_shape_are_answered() {
    let mut client = Client::legacy(json!({})).await;
    let tools = client.result("tools/list", json!({})).await;
    let odd = [
        json!({"order_id": null, "sku": [], "items": "x", "seconds": -1, "limit": 1e300}),
        json!({"order_id": "ord-1001\u{0}", "seconds": 1.5, "kilobytes": 99_999_999, "open": 1}),
        json!({"weight_kg": -1e308, "day": "\u{1f94b}".repeat(1000), "items": [null], "": {}}),
    ];
    let silent = ["crash", "hang", "wrong_id"];
    for tool in tools["tools"].as_array().expect("a list") {
        if silent.iter().any(|name| tool["name"] == *name) {
            continue;
        }
        for arguments in &odd {
            let params = json!({"name": tool["name"], "arguments": arguments});
            client.result("tools/call", params).await;
        }
    }
}
