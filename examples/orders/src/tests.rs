//! The whole server, from a client's side.

mod audited;
mod batch;
mod empty;
mod identifiers;
mod readme;
mod summaries;

use std::sync::{Arc, Mutex};

use breakfall::read::Reader;
use breakfall::wire::{Dialect, Options};
use breakfall::{Catalog, Fault, Outcome, Success, Timestamp};
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RunningService, ServiceError};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{duplex, split};

use crate::demo;
use crate::error::OrderError;

/// A client of a server of its own.
struct Client {
    service: RunningService<RoleClient, ()>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Client {
    async fn open(dialect: Dialect) -> Self {
        let (here, there) = duplex(1 << 20);
        let log = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&log);
        let server = crate::server(dialect, noon, move |line| {
            kept.lock().unwrap().push(line.to_owned());
        });
        let server = server.expect("a server");
        tokio::spawn(async move {
            let running = server.serve(split(there)).await.expect("it opens");
            running.waiting().await.expect("it ends")
        });
        let service = ().serve(split(here)).await.expect("a conversation");
        Self { service, log }
    }

    async fn native() -> Self {
        Self::open(Dialect::Native).await
    }

    /// Calls a tool: its result, or the JSON-RPC error, as it is on the wire.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.service.call_tool(call).await {
            Ok(result) => serde_json::to_value(result).expect("JSON"),
            Err(ServiceError::McpError(error)) => json!({"jsonrpc": "2.0", "error": error}),
            Err(other) => panic!("{tool}: {other}"),
        }
    }

    async fn outcome(&self, tool: &str, arguments: Value) -> Outcome {
        read(self.call(tool, arguments).await)
    }

    async fn fault(&self, tool: &str, arguments: Value) -> Fault {
        let outcome = self.outcome(tool, arguments).await;
        let Outcome::Fault(fault) = outcome else {
            panic!("{tool}: {outcome:?}")
        };
        fault
    }

    async fn success(&self, tool: &str, arguments: Value) -> Success {
        let outcome = self.outcome(tool, arguments).await;
        let Outcome::Success(success) = outcome else {
            panic!("{tool}: {outcome:?}")
        };
        success
    }

    /// What the operator reads of failures.
    fn log(&self) -> Vec<String> {
        let lines = self.log.lock().unwrap();
        let lines = lines.iter().filter(|line| !line.starts_with('{'));
        lines.cloned().collect()
    }

    /// The audit trail: the lines that are JSON.
    fn trail(&self) -> Vec<Value> {
        let lines = self.log.lock().unwrap();
        let lines = lines.iter().filter(|line| line.starts_with('{'));
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// What a caller who knows our codes makes of an answer.
fn read(answer: Value) -> Outcome {
    let catalog = Catalog::builtin().with_all::<OrderError>().expect("rows");
    let reader = Reader::new().options(Options::new().catalog(catalog));
    reader.read(answer).outcome
}

fn noon() -> Timestamp {
    "2026-03-14T12:00:00Z".parse().expect("a time")
}

fn ada() -> String {
    demo::id("ses", "ada")
}

fn order(name: &str) -> String {
    demo::id("ord", name)
}
