//! A counter server: an agent that obeys `retry` makes a tool that is not known idempotent count once, in whatever words it
//! fails.

use breakfall::classify::Classifier;
use serde_json::{Value, json};

use super::{bench, call, hello, list};
use crate::session::{Bench, End};

/// How a server may answer with a text.
fn shapes(text: &str) -> Vec<Value> {
    let block = |text: &str| json!([{"type": "text", "text": text}]);
    let error = json!({"error": text}).to_string();
    let denial = json!({"success": false, "error": text}).to_string();
    let mut shapes = vec![
        json!({"result": {"isError": true, "content": block(text)}}),
        json!({"result": {"content": block(text)}}),
        json!({"result": {"isError": true, "content": block(&denial)}}),
        json!({"result": {"content": block(&error)}}),
    ];
    for code in [-32603, -32602, -32000, 429, 503] {
        shapes.push(json!({"error": {"code": code, "message": text}}));
    }
    shapes
}

/// Calls a tool as an agent that obeys `retry` does, and returns how often it was executed.
async fn executed(bench: &mut Bench, server: &mut End, answer: &Value) -> u32 {
    let mut executed = 0;
    for attempt in 0..4 {
        bench.client.say(&call(attempt, "pay", json!({}))).await;
        let told = loop {
            tokio::select! {
                biased;
                told = bench.client.hear() => break told,
                request = server.hear() => {
                    executed += 1;
                    let mut answer = answer.clone();
                    answer["jsonrpc"] = "2.0".into();
                    answer["id"] = request["id"].clone();
                    server.say(&answer).await;
                }
            }
        };
        let data = &told["error"]["data"]["dev.breakfall/error"];
        let fault = if data.is_object() {
            data
        } else {
            &told["result"]["_meta"]["dev.breakfall/error"]
        };
        if fault["retry"]["retryable"] != true {
            let is_failed = told["result"]["isError"] == true || told["error"].is_object();
            let is_told = fault["details"]["executed"].is_string();
            assert_eq!(is_told, is_failed, "executed is in every failure: {told}");
            break;
        }
    }
    executed
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_obeys_retry_executes_a_tool_once_whatever_the_words() {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call("first", "pay", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "pay", "inputSchema": {"type": "object"}}]),
    )
    .await;
    server.answer(json!({"content": []})).await;
    bench.client.hear().await;
    let classifier = Classifier::new();
    let examples = classifier.rules().flat_map(|rule| rule.examples.iter());
    let mut texts: Vec<&str> = examples.copied().collect();
    texts.sort_unstable();
    texts.dedup();
    assert!(texts.len() > 250, "{}", texts.len());
    for text in texts {
        for answer in shapes(text) {
            let executed = executed(&mut bench, &mut server, &answer).await;
            assert_eq!(executed, 1, "{answer}");
        }
    }
}
