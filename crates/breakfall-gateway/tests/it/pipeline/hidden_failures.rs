//! Results that the server calls a success, and that look failed.

use breakfall_gateway::config::Config;
use serde_json::{Value, json};

use super::{call, hello, list};
use crate::session::{Bench, End};

/// A gateway with these settings of a server, which lists one tool.
async fn ready(settings: &str) -> (Bench, End) {
    let text = format!("upstreams: {{shop: {{command: [x], {settings}}}}}");
    let mut file = Config::parse(&text, "my.yaml").expect("a valid file");
    let config = file.upstreams.remove(0);
    let mut bench = Bench::judged(None, |upstream| {
        upstream.tools = config.tools;
        upstream.hints = config.hints;
        upstream.context.replies = config.replies;
    });
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(0, "run", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "run", "inputSchema": {"type": "object"}}]),
    )
    .await;
    answer(&mut server, r#"{"content":[]}"#).await;
    bench.client.hear().await;
    (bench, server)
}

async fn answer(server: &mut End, result: &str) {
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/call", "{request}");
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
        request["id"]
    );
    server.say_raw(line.as_bytes()).await;
}

/// The line a client reads after the call of a tool that answers so.
async fn told(settings: &str, arguments: Value, result: &str) -> String {
    let (mut bench, mut server) = ready(settings).await;
    bench.client.say(&call(1, "run", arguments)).await;
    answer(&mut server, result).await;
    bench.client.hear_raw().await
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

const WEAK: &str = r#"{"content":[{"type":"text","text":"Connection refused: \u0064b.example.test","x":1.0}],"isError":false}"#;
const STRUCTURAL: &str = r#"{"content":[{"type":"text","text":"{\"success\": false, \"error\": \"request timed out\"}"}]}"#;

#[tokio::test(start_paused = true)]
async fn a_text_that_reads_like_a_failure_is_passed_on_byte_for_byte_with_a_warning() {
    let line = told("tools: {}", json!({}), WEAK).await;
    let block = r#"{"type":"text","text":"Connection refused: \u0064b.example.test","x":1.0}"#;
    assert!(line.contains(&format!(r#""content":[{block},"#)), "{line}");
    let answer = parsed(&line);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let blocks = answer["result"]["content"].as_array().expect("blocks");
    assert_eq!(blocks.len(), 2, "{answer}");
    let notice = blocks[1]["text"].as_str().expect("a text");
    assert!(
        notice.starts_with("[LOOKS_FAILED] 'run' succeeded"),
        "{notice}"
    );
    assert!(notice.len() <= 400, "{notice}");
    let warning = &answer["result"]["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "LOOKS_FAILED", "{answer}");
    let context = &warning["context"];
    let rule = context["rule"].as_str().expect("a rule");
    assert!(rule.starts_with("disguise.refusal"), "{warning}");
    assert_eq!(context["looks_like"], "UNAVAILABLE_NETWORK", "{warning}");
    assert!(context["advice"].is_string(), "{warning}");
}

#[tokio::test(start_paused = true)]
async fn what_is_done_about_hidden_failures_is_set_for_a_server_and_for_a_tool() {
    let cases = [
        ("hidden_failures: certain", WEAK, false, false),
        ("hidden_failures: certain", STRUCTURAL, true, false),
        ("hidden_failures: warn", WEAK, false, true),
        ("hidden_failures: warn", STRUCTURAL, true, false),
        ("hidden_failures: likely", WEAK, true, false),
        ("hidden_failures: likely", STRUCTURAL, true, false),
        ("hidden_failures: off", WEAK, false, false),
        ("hidden_failures: off", STRUCTURAL, false, false),
        (
            "tools: {run: {hidden_failures: off}}",
            STRUCTURAL,
            false,
            false,
        ),
        (
            "hidden_failures: off, tools: {'r*': {hidden_failures: likely}}",
            WEAK,
            true,
            false,
        ),
    ];
    for (settings, result, is_failed, is_warned) in cases {
        let answer = parsed(&told(settings, json!({}), result).await);
        let result = &answer["result"];
        assert_eq!(result["isError"] == true, is_failed, "{settings}: {answer}");
        let warned = result["_meta"]["dev.breakfall/success"].is_object();
        assert_eq!(warned, is_warned, "{settings}: {answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn structure_makes_a_failure_that_is_never_repeatable() {
    let results = [
        STRUCTURAL,
        r#"{"content":[{"type":"text","text":"MCP error -32603: request timed out"}]}"#,
        r#"{"content":[{"type":"text","text":"Error executing tool run: request timed out"}]}"#,
        r#"{"content":[{"type":"text","text":"{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"request timed out\"}]}"}]}"#,
    ];
    for settings in ["tools: {}", "tools: {run: {idempotent: true}}"] {
        for result in results {
            let answer = parsed(&told(settings, json!({}), result).await);
            let fault = &answer["result"]["_meta"]["dev.breakfall/error"];
            assert_eq!(fault["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
            assert_eq!(fault["retry"]["retryable"], false, "{answer}");
            assert_eq!(fault["details"]["executed"], "unknown", "{answer}");
            assert!(fault["details"]["attempts"].is_null(), "{answer}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn words_around_an_error_count_only_where_they_name_the_tool_that_was_called() {
    let of = |tool: &str| {
        let text = format!("Error executing tool {tool}: boom");
        json!({"content": [{"type": "text", "text": text}]}).to_string()
    };
    let own = parsed(&told("tools: {}", json!({}), &of("run")).await);
    assert_eq!(own["result"]["isError"], true, "{own}");
    let other = parsed(&told("tools: {}", json!({}), &of("add")).await);
    assert!(other["result"]["isError"].is_null(), "{other}");
}

#[tokio::test(start_paused = true)]
async fn what_the_caller_sent_does_not_classify() {
    let command = "echo 'Rate limit exceeded' && ls";
    let failed = json!({"isError": true, "content": [{"type": "text", "text": "Unexpected shell operator: '&&' after 'Rate limit exceeded'"}]});
    let arguments = json!({"command": command});
    let line = told("tools: {}", arguments, &failed.to_string()).await;
    let fault = &parsed(&line)["result"]["_meta"]["dev.breakfall/error"];
    assert_ne!(fault["code"], "RATE_LIMIT_EXCEEDED", "{fault}");
    let message = fault["message"].as_str().expect("a message");
    assert!(
        message.contains("'Rate limit exceeded'"),
        "the words stay: {message}"
    );
    // An echo is neither a failure nor suspicious.
    for text in [
        "Error: it broke",
        r#"{"success": false, "error": "no"}"#,
        "MCP error -32602: nope",
    ] {
        let echo = json!({"content": [{"type": "text", "text": text}]}).to_string();
        let line = told("tools: {}", json!({"text": text}), &echo).await;
        let result = line.split_once(r#""result":"#).map(|(_, result)| result);
        assert_eq!(result, Some(&*format!("{echo}}}")), "{line}");
    }
}
