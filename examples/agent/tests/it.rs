//! The loop against servers on the official SDK: a flaky one, and the issue tracker.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agent::{Agent, Mind};
use breakfall::locale::Language;
use breakfall::server::{ArgumentCheck, Guard};
use breakfall::{Elicitation, Fault, Violation};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServerHandler, ServiceExt, schemars, tool, tool_router};
use serde_json::{Value, json};
use tokio::io::{duplex, split};

/// Fails until it has been called a few times.
#[derive(Clone, Default)]
struct Flaky(Arc<AtomicU32>);

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Amount {
    cents: u32,
}

#[tool_router(server_handler)]
impl Flaky {
    /// The balance, at the third try.
    #[tool(annotations(read_only_hint = true))]
    fn balance(&self) -> Result<String, Fault> {
        match self.calls() {
            0 | 1 => Err(Fault::dependency_failed("bank")),
            _ => Ok("12.50 EUR".to_owned()),
        }
    }

    /// Pays, and does not know whether it did.
    #[tool]
    fn pay(&self, Parameters(amount): Parameters<Amount>) -> Result<String, Fault> {
        self.calls();
        Err(Fault::dependency_failed("bank").note(amount.cents.to_string()))
    }

    /// The same in the words of a server without this library.
    #[tool]
    fn pay_in_words(&self) -> CallToolResult {
        self.calls();
        CallToolResult::error(vec![ContentBlock::text("Error: request timed out")])
    }
}

impl Flaky {
    fn calls(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// A model that corrects by what is suggested, and a user who answers the same to everything.
struct Script {
    chosen: Vec<String>,
    answer: Option<Value>,
}

impl Mind for Script {
    fn correct(&mut self, _: &JsonObject, _: &[Violation]) -> Option<JsonObject> {
        None
    }

    fn choose(&mut self, tool: &str) -> Option<JsonObject> {
        self.chosen.push(tool.to_owned());
        Some(JsonObject::new())
    }

    fn answer(&mut self, _: &Elicitation) -> Option<JsonObject> {
        self.answer.take()?.as_object().cloned()
    }

    fn chance(&mut self) -> f64 {
        0.5
    }
}

async fn agent(
    server: impl ServerHandler,
    answer: Option<Value>,
) -> (Agent<Script>, RunningService<RoleClient, ()>) {
    let (here, there) = duplex(1 << 20);
    tokio::spawn(async move {
        let running = server.serve(split(there)).await.expect("it opens");
        running.waiting().await.expect("it ends")
    });
    let client = ().serve(split(here)).await.expect("it opens");
    let mind = Script {
        chosen: Vec::new(),
        answer,
    };
    let agent = Agent::new(client.peer().clone(), mind)
        .await
        .expect("a list of tools");
    (agent, client)
}

fn arguments(value: &Value) -> JsonObject {
    value.as_object().expect("an object").clone()
}

#[tokio::test(start_paused = true)]
async fn it_waits_and_repeats_where_that_does_no_harm() {
    let server = Flaky::default();
    let (mut agent, _client) = agent(Guard::new(server.clone()), None).await;
    let began = tokio::time::Instant::now();
    let balance = agent.call("balance", JsonObject::new()).await;
    assert_eq!(balance, Ok(json!("12.50 EUR")));
    assert_eq!(server.calls(), 3, "called three times");
    assert_eq!(
        began.elapsed().as_secs(),
        3,
        "after one second, and after two more"
    );
}

#[tokio::test(start_paused = true)]
async fn it_never_pays_twice() {
    for is_guarded in [true, false] {
        for (tool, sent) in [("pay", json!({"cents": 5})), ("pay_in_words", json!({}))] {
            // Without a guard a fault cannot know the annotations of its tool.
            if tool == "pay" && !is_guarded {
                continue;
            }
            let server = Flaky::default();
            let (mut agent, _client) = if is_guarded {
                agent(Guard::new(server.clone()), None).await
            } else {
                agent(server.clone(), None).await
            };
            let paid = agent.call(tool, arguments(&sent)).await;
            assert!(paid.is_err(), "{paid:?}");
            assert_eq!(server.calls(), 1, "{tool}, guarded: {is_guarded}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn it_sends_the_arguments_that_would_do() {
    let server = Guard::new(Flaky::default()).validate(ArgumentCheck::Reject);
    let (mut agent, _client) = agent(server, None).await;
    let failed = agent.call("pay", arguments(&json!({"cents": "5"}))).await;
    let told = failed.expect_err("the bank is down");
    assert!(
        told.contains("not certain whether this was done"),
        "corrected, then paid once: {told}"
    );
}

#[tokio::test(start_paused = true)]
async fn it_calls_the_other_tool_and_asks_the_user() {
    let server = || issues::server(Language::English, |_| {});
    let (mut agent_of, _client) = agent(server(), None).await;
    let found = agent_of
        .call("get_issue", arguments(&json!({"id": 99})))
        .await;
    assert_eq!(found.expect("the list")["total"], 3);
    let (mut agent_of, _client) = agent(server(), Some(json!({"assignee": "ada"}))).await;
    let assigned = agent_of
        .call("assign_issue", arguments(&json!({"id": 1})))
        .await;
    assert_eq!(assigned.expect("an issue")["assignee"], "ada");
    let (mut agent_of, _client) = agent(server(), None).await;
    let unanswered = agent_of
        .call("assign_issue", arguments(&json!({"id": 1})))
        .await;
    assert_eq!(unanswered, Err("Who shall do 'Login is slow'?".to_owned()));
}
