//! Client and server of the same era: not a byte changes.

use std::sync::Arc;
use std::time::Duration;

use breakfall_gateway::assembly;
use breakfall_gateway::session::Session;
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::jsonrpc::FrameLimits;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;

use super::*;

const ODD: &str = r#"{ "params" : {"_meta":{"x":1.0 , "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"pay","arguments":{"n":1E2}} ,"id":"ID","z":[],"method":"METHOD","jsonrpc":"2.0"}"#;
const ANSWER: &str = r#"{"result":{"resultType":"complete", "ttlMs":0.0,"supportedVersions":["2026-07-28"],"capabilities":{"tasks":{}}} ,"id":"ID","jsonrpc":"2.0","z":1}"#;

fn odd(text: &str, id: &str, method: &str) -> String {
    text.replace("\"ID\"", id).replace("METHOD", method)
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_and_a_modern_server_hear_each_other_as_they_are() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    for (number, method) in ["server/discover", "tools/call", "vendor/x"]
        .into_iter()
        .enumerate()
    {
        bench.client.say_raw(odd(ODD, "7", method).as_bytes()).await;
        let heard = server.hear_raw().await;
        let id: Value = serde_json::from_str(&heard).unwrap();
        let id = id["id"].to_string();
        assert_eq!(heard, odd(ODD, &id, method), "{number}");
        server.say_raw(odd(ANSWER, &id, "").as_bytes()).await;
        assert_eq!(bench.client.hear_raw().await, odd(ANSWER, "7", ""));
    }
    // The server is known to be modern, so it is not asked.
    bench.client.say(&ask(1, "tools/list")).await;
    assert_eq!(server.hear().await["params"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn a_legacy_client_and_a_legacy_server_hear_each_other_as_they_are() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    let plain = ODD.replace("io.modelcontextprotocol/", "x/");
    for method in ["ping", "initialize", "tools/call", "vendor/x", "initialize"] {
        bench
            .client
            .say_raw(odd(&plain, "7", method).as_bytes())
            .await;
        let heard = server.hear_raw().await;
        let id: Value = serde_json::from_str(&heard).unwrap();
        let id = id["id"].to_string();
        assert_eq!(heard, odd(&plain, &id, method));
        server.say_raw(odd(ANSWER, &id, "").as_bytes()).await;
        assert_eq!(bench.client.hear_raw().await, odd(ANSWER, "7", ""));
    }
    // A server may ask, and tell.
    server.say(&ask(1, "elicitation/create")).await;
    assert_eq!(bench.client.hear().await["method"], "elicitation/create");
    server.say(&note("notifications/tools/list_changed")).await;
    assert_eq!(
        bench.client.hear().await,
        note("notifications/tools/list_changed")
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_of_no_era_refuses_for_itself() {
    let mut bench = Bench::new();
    let mut server = bench.server().await;
    bench.client.say(&initialize(&json!({}))).await;
    let refused = server.hear().await;
    let refusal = json!({"code": -32000, "message": "no", "data": {"x": 1}});
    server
        .say(&json!({"jsonrpc": "2.0", "id": refused["id"], "error": refusal}))
        .await;
    let probe = server.hear().await;
    server.say(&error(&probe["id"], -32601)).await;
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["error"]),
        (&json!("hello"), &refusal)
    );
    // The next attempt is as good as the first.
    bench.client.say(&initialize(&json!({}))).await;
    server.answer(welcome(&json!({}))).await;
    assert_eq!(bench.client.hear().await["result"], welcome(&json!({})));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_in_its_handshake_is_not_asked_anything_else() {
    let mut bench = Bench::new();
    let server = bench.server().await;
    bench.client.say(&initialize(&json!({}))).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    drop(server);
    assert_eq!(bench.client.hear().await["id"], "hello");
    assert_eq!(bench.peer.owed(), 0);
}

#[tokio::test(start_paused = true)]
async fn without_a_bridge_the_server_is_not_probed() {
    let mut bench = Bench::with(|upstream| upstream.is_bridged = false);
    let mut server = bench.server().await;
    bench.client.say(&modern(ask(1, "tools/list"))).await;
    assert_eq!(server.hear().await["method"], "tools/list");
}

/// A client of its own before an upstream that several have.
async fn visit(upstream: &Arc<Upstream>, lines: &[Value]) -> Vec<Value> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (reader, writer) = tokio::io::split(ours);
    let relay = Session::start(
        reader,
        writer,
        FrameLimits::REQUEST,
        assembly::single(Arc::clone(upstream)),
    );
    let relay = tokio::spawn(relay.run());
    let (reader, mut writer) = tokio::io::split(theirs);
    let mut reader = BufReader::new(reader).lines();
    let mut answers = Vec::new();
    for line in lines {
        writer
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
        let answer = reader.next_line().await.unwrap().unwrap();
        answers.push(serde_json::from_str(&answer).unwrap());
    }
    writer.shutdown().await.unwrap();
    relay.await.unwrap();
    answers
}

#[tokio::test(start_paused = true)]
async fn what_a_server_is_has_to_be_found_out_once() {
    let (heard, mut methods) = mpsc::unbounded_channel();
    let origin = Origin::Inside(Box::new(move || {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let heard = heard.clone();
        tokio::spawn(async move {
            let (reader, mut writer) = tokio::io::split(theirs);
            let mut lines = BufReader::new(reader).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let request: Value = serde_json::from_str(&line).unwrap();
                let method = request["method"].as_str().unwrap().to_owned();
                let answer = match &*method {
                    "initialize" => result(&request["id"], &welcome(&json!({}))),
                    "tools/list" => result(&request["id"], &json!({"tools": []})),
                    _ => error(&request["id"], -32601),
                };
                heard.send(method).unwrap();
                if request["id"].is_null() {
                    continue;
                }
                writer
                    .write_all(format!("{answer}\n").as_bytes())
                    .await
                    .unwrap();
            }
        });
        ours
    }));
    let upstream = Arc::new(Upstream::new("shop", origin));
    for _ in 0..2 {
        let answers = visit(&upstream, &[modern(ask(1, "tools/list"))]).await;
        assert_eq!(answers[0]["result"]["resultType"], "complete");
    }
    let mut seen = Vec::new();
    while let Ok(method) = methods.try_recv() {
        seen.push(method);
    }
    let session = ["initialize", "notifications/initialized", "tools/list"];
    assert_eq!(
        seen,
        [&["server/discover"], &session[..], &session[..]].concat()
    );
}
