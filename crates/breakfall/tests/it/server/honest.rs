//! A failure never looks like a success, and nothing found is no failure: for every code, dialect and way to fail,
//! as the SDK's own client sees it.

use std::time::Duration;

use breakfall::server::Guard;
use breakfall::wire::{Dialect, Options};
use breakfall::{Outcome, Verdict, catalog, read};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceError, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{duplex, split};

use super::shop::Shop;

type Client = RunningService<RoleClient, ()>;

async fn client(dialect: Dialect, strict: bool) -> Client {
    let (here, there) = duplex(1 << 20);
    let server = Guard::new(Shop)
        .dialect(dialect)
        .options(Options::new().strict(strict))
        .deadline(Duration::from_mins(1));
    tokio::spawn(async move {
        let running = server.serve(split(there)).await.expect("it opens");
        running.waiting().await.expect("it ends")
    });
    ().serve(split(here)).await.expect("it opens")
}

async fn call(
    client: &Client,
    tool: &str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object");
    };
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    client.call_tool(params).await
}

/// Every way a call of the shop can fail.
fn ways() -> Vec<(&'static str, Value)> {
    let mut ways = vec![
        ("order", json!({})),
        ("order", json!({"sku": 7})),
        ("order", json!({"sku": "tea", "count": -1})),
        ("order", json!({"sku": "coffee"})),
        ("loose", json!({"count": "x"})),
        ("panic", json!({})),
        ("panic_at_once", json!({})),
        ("panic_in_drop", json!({})),
        ("slow", json!({})),
        ("unwritable", json!({})),
        ("by_hand", json!({})),
        ("elsewhere", json!({})),
        ("refused", json!({"data": null})),
        ("no_such_tool", json!({})),
    ];
    for code in catalog::CODES {
        ways.push(("fail", json!({"code": code.name()})));
        ways.push(("fail_typed", json!({"code": code.name()})));
    }
    ways
}

#[tokio::test(start_paused = true)]
async fn every_failure_is_one_on_the_wire() {
    testing::proves!("S1-39", "S1-41", "S4-65");
    for dialect in Dialect::ALL {
        for strict in [false, true] {
            let client = client(*dialect, strict).await;
            for (tool, arguments) in ways() {
                let about = format!("{dialect}, strict {strict}: {tool} {arguments}");
                let answer = match call(&client, tool, arguments).await {
                    Err(ServiceError::McpError(error)) => json!({"jsonrpc": "2.0", "error": error}),
                    Err(other) => panic!("{about}: no answer: {other}"),
                    Ok(result) => {
                        says_failure(&result, &about);
                        serde_json::to_value(result).expect("JSON")
                    }
                };
                // To the letter, nothing is added to what others wrote.
                let structured = read(answer.clone()).dialect.is_some();
                assert!(strict || structured, "{about}: only words: {answer}");
            }
        }
    }
}

fn says_failure(result: &CallToolResult, about: &str) {
    let reading = read(serde_json::to_value(result).expect("JSON"));
    let asks = match &reading.outcome {
        Outcome::Fault(fault) => {
            assert!(!fault.public().message().is_empty(), "{about}");
            false
        }
        Outcome::Batch(batch) => {
            assert_ne!(batch.verdict(), Verdict::Complete, "{about}");
            false
        }
        // One dialect asks where the others fail.
        Outcome::NeedsInput(_) => true,
        Outcome::Success(_) => panic!("{about}: taken for a success: {result:?}"),
    };
    assert_eq!(result.is_error == Some(true), !asks, "{about}: {result:?}");
    let words = result.content.iter().any(|block| {
        let text = block.as_text();
        text.is_some_and(|text| !text.text.trim().is_empty())
    });
    assert!(words, "{about}: says nothing: {result:?}");
}

#[tokio::test(start_paused = true)]
async fn nothing_found_is_no_failure() {
    for dialect in Dialect::ALL {
        let client = client(*dialect, false).await;
        let result = call(&client, "nothing", json!({})).await.expect("a result");
        assert_ne!(result.is_error, Some(true), "{dialect}");
        let empty = json!({"orders": [], "total": 0});
        assert_eq!(result.structured_content, Some(empty.clone()), "{dialect}");
        let Outcome::Success(success) = read(serde_json::to_value(result).unwrap()).outcome else {
            panic!("{dialect}: no success");
        };
        assert_eq!(*success.data(), empty, "{dialect}");
    }
}
