//! The argument by which callers choose the blocks of an error, where an operator offers it.

use breakfall::wire::{Dialect, Format};
use serde_json::{Value, json};

use super::{call, fail, hello, list, work};
use crate::session::{Bench, End, ask, fault};

/// A server that offers the argument.
async fn offering(dialect: Dialect) -> (Bench, End) {
    let mut bench = Bench::judged(None, |upstream| {
        upstream.context.replies.format_argument = true;
        upstream.context.replies.dialect = dialect;
        upstream.context.replies.format = Format::Markdown;
    });
    let server = hello(&mut bench, json!({})).await;
    (bench, server)
}

fn tools() -> Value {
    let schema = |properties: Value| json!({"type": "object", "properties": properties, "additionalProperties": false});
    json!([
        {"name": "find", "inputSchema": schema(json!({"q": {"type": "string"}})), "x": 1.5},
        {"name": "export", "inputSchema": schema(json!({"format": {"type": "string"}}))},
        {"name": "odd", "inputSchema": {"type": "object", "allOf": [{"properties": {"format": {}}}]}},
    ])
}

/// The arguments of the tools as a client sees them.
async fn listed(bench: &mut Bench, server: &mut End) -> Value {
    bench.client.say(&ask("l", "tools/list")).await;
    list(server, tools()).await;
    bench.client.hear().await["result"]["tools"].clone()
}

#[tokio::test(start_paused = true)]
async fn tools_offer_it_unless_they_have_one() {
    let (mut bench, mut server) = offering(Dialect::ToolError).await;
    let seen = listed(&mut bench, &mut server).await;
    let words = &seen[0]["inputSchema"]["properties"]["format"]["enum"];
    assert_eq!(*words, json!(["markdown", "json", "both"]), "{seen}");
    assert_eq!(seen[0]["x"], 1.5);
    assert_eq!((&seen[1], &seen[2]), (&tools()[1], &tools()[2]));
}

#[tokio::test(start_paused = true)]
async fn where_there_is_nothing_to_choose_nothing_is_offered() {
    let (mut bench, mut server) = offering(Dialect::Native).await;
    assert_eq!(listed(&mut bench, &mut server).await, tools());
    let mut bench = Bench::judged(None, |upstream| {
        upstream.context.replies.dialect = Dialect::ToolError;
    });
    let mut server = hello(&mut bench, json!({})).await;
    assert_eq!(listed(&mut bench, &mut server).await, tools());
}

#[tokio::test(start_paused = true)]
async fn it_is_taken_out_and_obeyed() {
    let (mut bench, mut server) = offering(Dialect::ToolError).await;
    let arguments = json!({"q": "belt", "format": "json"});
    bench.client.say(&call(1, "find", arguments)).await;
    list(&mut server, tools()).await;
    // Its own schema takes nothing else, so it would have been refused.
    let sent = fail(&mut server, "The index is broken").await;
    assert_eq!(sent["arguments"], json!({"q": "belt"}));
    let answer = bench.client.hear().await;
    let first = answer["result"]["content"][0]["text"].to_string();
    assert!(first.contains("toolError:v1"), "{answer}");
    // Without it there are words first.
    bench
        .client
        .say(&call(2, "find", json!({"q": "belt"})))
        .await;
    fail(&mut server, "The index is broken").await;
    let answer = bench.client.hear().await;
    let first = answer["result"]["content"][0]["text"].to_string();
    assert!(!first.contains("toolError:v1"), "{answer}");
    // A success is as it is.
    let arguments = json!({"q": "belt", "format": "both"});
    bench.client.say(&call(3, "find", arguments)).await;
    assert_eq!(work(&mut server).await["arguments"], json!({"q": "belt"}));
    let answer = bench.client.hear().await;
    let done = json!({"content": [{"type": "text", "text": "done"}]});
    assert_eq!(answer["result"], done, "no warning of it either");
}

#[tokio::test(start_paused = true)]
async fn a_tool_keeps_its_own_format_argument_and_an_unknown_format_is_refused() {
    let (mut bench, mut server) = offering(Dialect::ToolError).await;
    let arguments = json!({"format": "csv"});
    bench
        .client
        .say(&call(1, "export", arguments.clone()))
        .await;
    list(&mut server, tools()).await;
    assert_eq!(work(&mut server).await["arguments"], arguments);
    bench.client.hear().await;
    bench.client.say(&call(2, "find", arguments)).await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["category"], "validation", "{answer}");
    assert!(answer.to_string().contains("markdown"), "{answer}");
}
