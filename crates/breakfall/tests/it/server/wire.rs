//! A client that sees the wire as it is: one JSON message a line.

use std::time::Duration;

use rmcp::service::RunningServiceCancellationToken;
use rmcp::{ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines, ReadHalf, WriteHalf, split};
use tokio::io::{DuplexStream, duplex};
use tokio::sync::oneshot;

pub(super) struct Wire {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    to: WriteHalf<DuplexStream>,
    next: u64,
    modern: bool,
    capabilities: Value,
    stop: Option<oneshot::Receiver<RunningServiceCancellationToken>>,
}

/// The two ways the protocol has been opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Era {
    Legacy,
    Modern,
}

impl Era {
    pub(super) const ALL: [Self; 2] = [Self::Legacy, Self::Modern];
}

impl Wire {
    /// Serves a handler in memory and opens a conversation with it.
    pub(super) async fn open(server: impl ServerHandler, era: Era) -> Self {
        Self::with(server, era, json!({})).await
    }

    /// The same as a client of these capabilities.
    pub(super) async fn with(server: impl ServerHandler, era: Era, capabilities: Value) -> Self {
        let (here, there) = duplex(1 << 20);
        let (tell, stop) = oneshot::channel();
        tokio::spawn(async move {
            let running = server.serve(split(there)).await.expect("it opens");
            drop(tell.send(running.cancellation_token()));
            running.waiting().await.expect("it ends")
        });
        let (from, to) = split(here);
        let lines = BufReader::new(from).lines();
        let modern = era == Era::Modern;
        let mut wire = Self {
            lines,
            to,
            next: 0,
            modern,
            capabilities: capabilities.clone(),
            stop: Some(stop),
        };
        if !modern {
            let hello = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": {"name": "wire", "version": "1"},
            });
            wire.request("initialize", hello).await;
            wire.notify("notifications/initialized", json!({})).await;
        }
        wire
    }

    pub(super) async fn legacy(server: impl ServerHandler) -> Self {
        Self::open(server, Era::Legacy).await
    }

    /// Sends a request and waits for its answer.
    pub(super) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool: the result, or the error.
    pub(super) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }

    /// Sends a request without waiting.
    pub(super) async fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if self.modern && params.is_object() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "1"},
            });
        }
        let mut message = json!({"jsonrpc": "2.0", "id": self.next, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.write(&message).await;
        self.next
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
            .await;
    }

    /// Answers a request of the server.
    pub(super) async fn reply(&mut self, id: &Value, result: Value) {
        self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
            .await;
    }

    /// Tells the server to end.
    pub(super) async fn stop(&mut self) {
        let stop = self.stop.take().expect("only once");
        stop.await.expect("it runs").cancel();
    }

    pub(super) async fn receive(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.lines.next_line()).await;
        let line = line.expect("an answer").expect("a line").expect("no end");
        serde_json::from_str(&line).expect("JSON")
    }

    async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.to
            .write_all(line.as_bytes())
            .await
            .expect("it takes it");
    }
}

/// Only a server that never answers takes as long; with a paused clock it costs nothing.
const PATIENCE: Duration = Duration::from_hours(24);
