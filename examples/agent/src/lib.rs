//! The loop of an agent: it calls a tool and does what the failure advises, until there is a result or nothing left to do.

use breakfall::read::{Advice, Reader, Reading};
use breakfall::{Elicitation, Outcome, Timestamp, Violation};
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, JsonObject, Tool};
use rmcp::service::{Peer, ServiceError};
use serde_json::{Value, json};

/// The model and the user behind an agent.
pub trait Mind {
    /// The model changes arguments at the places that are wrong; nothing if it cannot.
    fn correct(&mut self, arguments: &JsonObject, wrong: &[Violation]) -> Option<JsonObject>;

    /// The model chooses arguments for another tool; nothing if it does not want to call it.
    fn choose(&mut self, tool: &str) -> Option<JsonObject>;

    /// The user answers a question; nothing if they do not want to.
    fn answer(&mut self, question: &Elicitation) -> Option<JsonObject>;

    /// A random number from 0 up to 1.
    fn chance(&mut self) -> f64;
}

/// An agent that calls the tools of one server.
#[derive(Debug)]
pub struct Agent<M> {
    peer: Peer<RoleClient>,
    tools: Vec<Tool>,
    mind: M,
}

impl<M: Mind> Agent<M> {
    /// An agent; it asks the server for its tools.
    ///
    /// # Errors
    /// When the server does not list them.
    pub async fn new(peer: Peer<RoleClient>, mind: M) -> Result<Self, ServiceError> {
        let tools = peer.list_all_tools().await?;
        Ok(Self { peer, tools, mind })
    }

    /// Calls a tool, and goes on as failures advise.
    ///
    /// # Errors
    /// What the user may be told, when there is no result to be had.
    pub async fn call(&mut self, tool: &str, arguments: JsonObject) -> Result<Value, String> {
        let (mut tool, mut arguments) = (tool.to_owned(), arguments);
        let mut repeated = 0;
        for _ in 0..MAX_STEPS {
            let reading = self.step(&tool, &arguments).await?;
            let chance = self.mind.chance();
            let next = match reading.advice(repeated, chance, Timestamp::now()) {
                None => return Ok(data(reading.outcome)),
                Some(Advice::Repeat { after }) => {
                    tokio::time::sleep(after).await;
                    repeated += 1;
                    continue;
                }
                Some(Advice::Send(params)) => params.as_object().cloned(),
                Some(Advice::Correct(wrong)) => self.mind.correct(&arguments, wrong),
                Some(Advice::CallTool(other)) => {
                    let chosen = self.mind.choose(other);
                    other.clone_into(&mut tool);
                    chosen
                }
                Some(Advice::AskUser(question)) => self.mind.answer(question).map(|given| {
                    let mut filled = arguments.clone();
                    filled.extend(given);
                    filled
                }),
                Some(Advice::GiveUp { .. }) => None,
            };
            (arguments, repeated) = (next.ok_or_else(|| report(&reading))?, 0);
        }
        Err("The agent did not come to an end.".to_owned())
    }

    async fn step(&self, tool: &str, arguments: &JsonObject) -> Result<Reading, String> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.clone());
        let message = match self.peer.call_tool(call).await {
            Ok(result) => json!(result),
            Err(ServiceError::McpError(error)) => json!({"jsonrpc": "2.0", "error": error}),
            Err(other) => return Err(other.to_string()),
        };
        Ok(Reader::new()
            .repeatable(self.is_repeatable(tool))
            .read(message))
    }

    /// Whether the server says that the tool may be called twice.
    fn is_repeatable(&self, name: &str) -> bool {
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let hints = tool.and_then(|tool| tool.annotations.as_ref());
        hints.is_some_and(|hints| {
            hints.read_only_hint == Some(true) || hints.idempotent_hint == Some(true)
        })
    }
}

fn data(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Success(success) => success.data().clone(),
        Outcome::NeedsInput(_) | Outcome::Batch(_) | Outcome::Fault(_) => Value::Null,
    }
}

/// What the user is told of a failure.
fn report(reading: &Reading) -> String {
    match &reading.outcome {
        Outcome::Fault(fault) => {
            let public = fault.public();
            match public.correlation_id() {
                Some(id) => format!("{} (reference: {id})", public.user_message()),
                None => public.user_message().to_owned(),
            }
        }
        Outcome::NeedsInput(question) => question.message().to_owned(),
        Outcome::Batch(batch) => batch.sentence().unwrap_or_default(),
        Outcome::Success(_) => String::new(),
    }
}

/// The most calls for one wish.
const MAX_STEPS: usize = 12;
