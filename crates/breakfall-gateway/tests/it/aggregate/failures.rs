//! What is told of failures where many servers are one: by the names their clients know.

use std::time::Duration;

use breakfall_gateway::config::{Config, TrustLevel};
use breakfall_gateway::upstream::Upstream;
use serde_json::{Value, json};

use super::{Bench, End};
use crate::session::fault;

const NAMES: [&str; 2] = ["docs", "wiki"];

async fn judged(each: impl Fn(&mut Upstream)) -> (Bench, Vec<End>) {
    let mut bench = Bench::patient(&NAMES, |upstream| {
        upstream.context.is_judged = true;
        each(upstream);
    });
    let (servers, _) = bench.greeted().await;
    (bench, servers)
}

fn call(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

fn search(is_read_only: bool) -> Value {
    json!([{"name": "search", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": is_read_only}}])
}

async fn list(server: &mut End, tools: Value) {
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/list", "{request}");
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": tools}}))
        .await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_name_is_refused_with_the_names_its_caller_knows() {
    let (mut bench, mut servers) = judged(|_| {}).await;
    bench.client.say(&call("docs__serch")).await;
    list(&mut servers[0], search(true)).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let fault = fault(&answer);
    assert_eq!(fault["details"]["suggestion"], "docs__search", "{answer}");
    let whole = answer.to_string();
    assert!(whole.contains("docs__serch"), "{answer}");
    assert!(
        !whole.contains("'serch'") && !whole.contains("\"search\""),
        "{answer}"
    );
}

/// What is named instead of the search of the first server, which is down.
async fn instead(trust: TrustLevel, is_read_only: bool, schema: Value) -> Value {
    let (mut bench, mut servers) = judged(|upstream| {
        upstream.trust = trust;
        upstream.retry = None;
    })
    .await;
    let all = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list"});
    bench.client.say(&all).await;
    list(&mut servers[0], search(true)).await;
    let mut other = search(is_read_only);
    other[0]["inputSchema"] = schema;
    list(&mut servers[1], other).await;
    assert_eq!(bench.client.hear().await["id"], 0);
    bench.client.say(&call("docs__search")).await;
    let request = servers[0].hear().await;
    let error = json!({"code": -32000, "message": "Service temporarily unavailable"});
    servers[0]
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}))
        .await;
    let answer = bench.client.hear().await;
    let fault = &answer["error"]["data"]["dev.breakfall/error"];
    assert_eq!(fault["category"], "unavailable", "{answer}");
    fault["fallback_tool"].clone()
}

#[tokio::test(start_paused = true)]
async fn the_same_tool_elsewhere_is_named_if_neither_changes_anything() {
    let (yes, no) = (TrustLevel::CommunityReviewed, TrustLevel::Validated);
    let same = json!({"type": "object"});
    assert_eq!(instead(yes, true, same.clone()).await, "wiki__search");
    assert_eq!(instead(no, true, same.clone()).await, Value::Null);
    assert_eq!(instead(yes, false, same).await, Value::Null);
    let other = json!({"type": "object", "required": ["q"]});
    assert_eq!(instead(yes, true, other).await, Value::Null);
}

/// Servers whose search asks its user for a page that is not there, and offers the choice of blocks.
fn asking(upstream: &mut Upstream) {
    let text = "upstreams: {docs: {command: [x], dialect: tool-error, format_argument: true, tools: {search: {ask: [page]}}}}";
    let config = Config::parse(text, "my.yaml").expect("a good file");
    let config = config.upstreams.into_iter().next().expect("a server");
    upstream.tools = config.tools;
    upstream.context.replies = config.replies;
}

fn pages() -> Value {
    json!([{"name": "search", "inputSchema": {"type": "object", "properties": {"page": {"type": "integer"}}}}])
}

#[tokio::test(start_paused = true)]
async fn the_choice_of_blocks_is_listed_and_taken_out_here_too() {
    let (mut bench, mut servers) = judged(asking).await;
    let all = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list"});
    bench.client.say(&all).await;
    for server in &mut servers {
        list(server, pages()).await;
    }
    let listed = bench.client.hear().await;
    let tools = listed["result"]["tools"].as_array().expect("a list");
    assert_eq!(tools.len(), 2, "{listed}");
    for tool in tools {
        let offered = &tool["inputSchema"]["properties"]["format"]["enum"];
        assert_eq!(offered[0], "markdown", "{listed}");
    }
    let mut request = call("wiki__search");
    request["params"]["arguments"] = json!({"page": 1, "format": "json"});
    bench.client.say(&request).await;
    let request = servers[1].hear().await;
    let params = json!({"name": "search", "arguments": {"page": 1}});
    assert_eq!(request["params"], params);
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_comes_back_with_what_its_user_said_here_too() {
    let mut bench = Bench::patient(&NAMES, |upstream| {
        upstream.context.is_judged = true;
        asking(upstream);
    });
    let request = |more: Value| {
        let mut request = call("docs__search");
        request["params"]["arguments"] = json!({"page": 7});
        for (name, value) in more.as_object().expect("an object") {
            request["params"][name] = value.clone();
        }
        request["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        request
    };
    bench.client.say(&request(json!({}))).await;
    let mut server = bench.server(0).await;
    let result = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}});
    server.answer(result).await;
    list(&mut server, pages()).await;
    let failed = json!({"resultType": "complete", "isError": true, "content": [{"type": "text", "text": "Page 7 not found"}]});
    server.answer(failed).await;
    let asked = bench.client.hear().await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let said = json!({"action": "accept", "content": {"page": 17}});
    let again = json!({"inputResponses": {"dev.breakfall/ask": said}, "requestState": asked["requestState"]});
    bench.client.say(&request(again)).await;
    let heard = server.hear().await;
    assert_eq!(heard["params"]["arguments"], json!({"page": 17}), "{heard}");
    assert_eq!(heard["params"]["name"], "search", "{heard}");
}

#[tokio::test(start_paused = true)]
async fn a_user_is_asked_by_the_names_the_client_knows() {
    let (mut bench, mut servers) = judged(asking).await;
    let mut request = call("wiki__search");
    request["params"]["arguments"] = json!({"page": 7});
    bench.client.say(&request).await;
    list(&mut servers[1], pages()).await;
    let failed =
        json!({"isError": true, "content": [{"type": "text", "text": "Page 7 not found"}]});
    servers[1].answer(failed).await;
    let question = bench.client.hear().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert_eq!(
        question["params"]["message"],
        "'wiki__search' cannot go on: Page 7 not found. What should 'page' be instead of '7'?"
    );
    let property = &question["params"]["requestedSchema"]["properties"]["page"];
    assert_eq!(
        property["description"],
        "What should 'page' be? Page 7 not found"
    );
    let said = json!({"action": "accept", "content": {"page": 17}});
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}))
        .await;
    let again = servers[1].hear().await;
    let params = json!({"name": "search", "arguments": {"page": 17}});
    assert_eq!(again["params"], params, "{again}");
    servers[1]
        .say(&json!({"jsonrpc": "2.0", "id": again["id"], "result": {"content": []}}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["content"], json!([]), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn who_takes_a_call_back_is_left_without_its_question_here_too() {
    let (mut bench, mut servers) = judged(asking).await;
    let mut request = call("wiki__search");
    request["params"]["arguments"] = json!({"page": 7});
    bench.client.say(&request).await;
    list(&mut servers[1], pages()).await;
    let failed =
        json!({"isError": true, "content": [{"type": "text", "text": "Page 7 not found"}]});
    servers[1].answer(failed).await;
    let question = bench.client.hear().await;
    let cancelled = |id: &Value| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    bench.client.say(&cancelled(&json!(1))).await;
    let heard = bench.client.hear_within(Duration::from_secs(1)).await;
    assert_eq!(heard, Some(cancelled(&question["id"])));
}

/// How the search of the first server is treated.
fn treated(tool: &str) -> impl Fn(&mut Upstream) {
    let text = format!("upstreams: {{docs: {{command: [x], tools: {{search: {tool}}}}}}}");
    move |upstream| {
        let config = Config::parse(&text, "my.yaml").expect("a good file");
        let config = config.upstreams.into_iter().next().expect("a server");
        upstream.tools = config.tools;
    }
}

/// Whether an answer calls the search what only its server does.
fn names_it_bare(answer: &Value) -> bool {
    let whole = answer.to_string();
    whole.contains("'search'") || whole.contains("\"search\"") || whole.contains("\"find\"")
}

#[tokio::test(start_paused = true)]
async fn warnings_name_tools_as_the_client_knows_them() {
    let (mut bench, mut servers) = judged(treated(
        "{deprecated: find, slow: 1s, validate: {output: warn}}",
    ))
    .await;
    bench.client.say(&call("docs__search")).await;
    let mut tools = search(true);
    tools[0]["outputSchema"] = json!({"type": "object"});
    let find = json!({"name": "find", "inputSchema": {"type": "object"}});
    tools.as_array_mut().expect("a list").push(find);
    list(&mut servers[0], tools).await;
    let request = servers[0].hear().await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    servers[0]
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": [], "structuredContent": 7}}))
        .await;
    let answer = bench.client.hear().await;
    let warnings = &answer["result"]["_meta"]["dev.breakfall/success"]["warnings"];
    let of = |code: &str| {
        let warnings = warnings.as_array().expect("warnings").iter();
        let mut found = warnings.filter(|warning| warning["code"] == code);
        found
            .next()
            .unwrap_or_else(|| panic!("no {code}: {answer}"))["context"]
            .clone()
    };
    let slow = of("PERFORMANCE_SLOW_QUERY_WARNING");
    assert_eq!(slow["operation"], "docs__search", "{answer}");
    let output = of("OUTPUT_MISMATCH");
    assert_eq!(output["operation"], "docs__search", "{answer}");
    let goes = of("DEPRECATION_WARNING");
    assert_eq!(
        (&goes["deprecated_item"], &goes["replacement"]),
        (&json!("docs__search"), &json!("docs__find")),
        "{answer}"
    );
    assert!(!names_it_bare(&answer), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn faults_name_tools_as_the_client_knows_them() {
    // It takes too long.
    let (mut bench, mut servers) = judged(treated("{idempotent: false}")).await;
    bench.client.say(&call("docs__search")).await;
    list(&mut servers[0], search(false)).await;
    assert_eq!(servers[0].hear().await["method"], "tools/call");
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["details"]["operation"], "docs__search");
    assert!(!names_it_bare(&answer), "{answer}");
    // It is called with what it does not know.
    let strict = "{validate: {unknown: reject}}";
    let (mut bench, mut servers) = judged(treated(strict)).await;
    let mut request = call("docs__search");
    request["params"]["arguments"] = json!({"zzz": 1});
    bench.client.say(&request).await;
    let mut tools = search(false);
    tools[0]["inputSchema"]["properties"] = json!({"q": {"type": "string"}});
    tools[0]["inputSchema"]["additionalProperties"] = json!(false);
    list(&mut servers[0], tools).await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["category"], "validation", "{answer}");
    assert!(!names_it_bare(&answer), "{answer}");
    // Its result is not what it says.
    let strict = "{validate: {output: reject}}";
    let (mut bench, mut servers) = judged(treated(strict)).await;
    bench.client.say(&call("docs__search")).await;
    let mut tools = search(false);
    tools[0]["outputSchema"] = json!({"type": "object"});
    list(&mut servers[0], tools).await;
    servers[0]
        .answer(json!({"content": [], "structuredContent": 7}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["details"]["operation"], "docs__search");
    assert!(!names_it_bare(&answer), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_name_several_servers_have_is_told_with_all_of_theirs() {
    let (mut bench, mut servers) = judged(|_| {}).await;
    let all = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list"});
    bench.client.say(&all).await;
    for server in &mut servers {
        let mut tools: Vec<Value> = (0..40)
            .map(|at| json!({"name": format!("tool_{at}"), "inputSchema": {"type": "object"}}))
            .collect();
        tools.push(search(true)[0].clone());
        list(server, tools.into()).await;
    }
    assert_eq!(bench.client.hear().await["id"], 0);
    bench.client.say(&call("search")).await;
    let answer = bench.client.hear().await;
    let fault = fault(&answer);
    assert_eq!(
        fault["details"]["suggestions"],
        json!(["docs__search", "wiki__search"]),
        "{answer}"
    );
    let remedy = fault["remediation"].as_str().expect("a remedy");
    assert!(
        remedy.starts_with("Did you mean 'docs__search' or 'wiki__search'?"),
        "{remedy}"
    );
    let available = fault["details"]["available"].as_array().expect("a list");
    assert_eq!(
        (available.len(), &available[0]),
        (12, &json!("docs__search"))
    );
    assert!(remedy.len() < 500, "{remedy}");
}
