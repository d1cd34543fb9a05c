//! Whether to call again is answered by the annotations of the tool: what may have had an effect is not repeated.

use std::sync::Arc;
use std::time::Duration;

use breakfall::server::Guard;
use breakfall::{Batch, Fault, Retry};
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::wire::Wire;

/// Tools that differ in nothing but their annotations, and end as their argument says.
#[derive(Clone)]
struct Till;

type AnnotationHint = Option<bool>;

/// Annotations of a tool, and whether it may be called twice.
const TOOLS: [(&str, AnnotationHint, AnnotationHint, AnnotationHint, bool); 8] = [
    // Name, readOnlyHint, destructiveHint, idempotentHint.
    ("bare", None, None, None, false),
    ("adds", Some(false), Some(false), None, false),
    ("destroys", None, Some(true), Some(false), false),
    ("contradicts_itself", Some(true), Some(true), None, false),
    ("writes", Some(false), None, Some(false), false),
    ("reads", Some(true), None, None, true),
    ("sets", None, None, Some(true), true),
    ("deletes", Some(false), Some(true), Some(true), true),
];

/// How a call ends, and whether the guard has to decide if it may be repeated.
const OPEN_ENDS: [&str; 7] = [
    "panics",
    "panics_at_once",
    "never_ends",
    "timeout",
    "dependency",
    "by_hand",
    "rpc",
];

impl ServerHandler for Till {
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let (name, reads, destroys, idempotent, _) = *TOOLS.iter().find(|tool| tool.0 == name)?;
        let mut hints = ToolAnnotations::new();
        hints.read_only_hint = reads;
        hints.destructive_hint = destroys;
        hints.idempotent_hint = idempotent;
        let tool = Tool::new(name, "", Arc::default());
        Some(if name == "bare" {
            tool
        } else {
            tool.with_annotations(hints)
        })
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send + '_ {
        let how = request.arguments.unwrap_or_default()["how"].clone();
        let how = how.as_str().expect("a word").to_owned();
        assert_ne!(how, "panics_at_once");
        async move {
            match how.as_str() {
                "panics" => panic!("the drawer is stuck"),
                "never_ends" => std::future::pending().await,
                "by_hand" => {
                    let words = "Error: read ETIMEDOUT: request to the bank timed out";
                    Ok(CallToolResult::error(vec![ContentBlock::text(words)]).into())
                }
                "rpc" => Err(ErrorData::internal_error("the bank hung up", None)),
                "batch" => {
                    let batch = Batch::new("book", "booked").done("a", 1);
                    batch
                        .failed("b", Fault::dependency_failed("bank"))
                        .into_call_tool_result()
                }
                how => fault(how).into_call_tool_result(),
            }
        }
    }
}

fn fault(how: &str) -> Fault {
    match how {
        "timeout" => Fault::timeout("book", Duration::from_secs(9)),
        "dependency" => Fault::dependency_failed("bank"),
        "limit" => Fault::rate_limited(3, breakfall::Window::Minute),
        "breaker" => Fault::circuit_open("bank"),
        "wait" => Fault::dependency_failed("bank").retry_after(Duration::from_secs(5)),
        "says_so" => Fault::dependency_failed("bank").retry(Retry::Backoff),
        "not_begun" => Fault::dependency_failed("bank").detail("executed", "no"),
        "invalid" => Fault::invalid("no"),
        other => panic!("{other}"),
    }
}

async fn wire() -> Wire {
    Wire::legacy(Guard::new(Till).deadline(Duration::from_secs(30))).await
}

/// The native object of an answer.
fn object(answer: &Value) -> &Value {
    let data = &answer["error"]["data"]["dev.breakfall/error"];
    let meta = &answer["result"]["_meta"];
    let item = &meta["dev.breakfall/batch"]["results"][1]["error"];
    let found = [&meta["dev.breakfall/error"], data, item];
    found
        .into_iter()
        .find(|object| object.is_object())
        .expect("an object")
}

#[tokio::test(start_paused = true)]
async fn a_failure_in_the_middle_of_the_work_is_repeated_only_where_that_does_no_harm() {
    let mut wire = wire().await;
    for (tool, .., is_repeatable) in TOOLS {
        for how in OPEN_ENDS.into_iter().chain(["batch"]) {
            let answer = wire.call(tool, json!({"how": how})).await;
            let object = object(&answer);
            assert_eq!(
                object["retry"]["retryable"], is_repeatable,
                "{tool} {how}: {object}"
            );
            let executed = (!is_repeatable).then_some("unknown");
            assert_eq!(
                object["details"]["executed"].as_str(),
                executed,
                "{tool} {how}"
            );
            let fix = object["remediation"].as_str().expect("a remedy");
            assert_eq!(
                fix.contains("Look first"),
                !is_repeatable,
                "{tool} {how}: {fix}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_handler_says_about_calling_again_stands() {
    let mut wire = wire().await;
    for (how, is_retryable) in [
        ("limit", true),
        ("breaker", true),
        ("wait", true),
        ("says_so", true),
        ("not_begun", true),
        ("invalid", false),
    ] {
        let answer = wire.call("bare", json!({"how": how})).await;
        let object = object(&answer);
        assert_eq!(
            object["retry"]["retryable"], is_retryable,
            "{how}: {object}"
        );
        assert_ne!(object["details"]["executed"], "unknown", "{how}: {object}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_cannot_be_written_was_executed_and_is_not_asked_for_again() {
    let mut wire = Wire::legacy(Guard::new(super::shop::Shop)).await;
    let answer = wire.call("unwritable", json!({})).await;
    let object = object(&answer);
    assert_eq!(object["details"]["executed"], "yes", "{object}");
    assert_eq!(object["retry"]["retryable"], false, "{object}");
}
