//! A client of the shop that sees every line.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;
use tokio::time::timeout;

pub(super) struct Client {
    lines: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    server: JoinHandle<()>,
    capabilities: Option<Value>,
    last_id: u64,
    /// What came while waiting for an answer.
    pub(super) notifications: Vec<Value>,
}

/// How a call ended, as the tour tells it.
pub(super) enum End {
    Answer(Value),
    Question(Value),
    Silence,
    Death,
}

impl Client {
    /// A connection on which nothing was said yet.
    pub(super) fn new() -> Self {
        let (here, there) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(there);
        let server = tokio::spawn(breakfall_demo::serve(reader, writer));
        let (lines, writer) = tokio::io::split(here);
        Self {
            lines: BufReader::new(lines),
            writer,
            server,
            capabilities: None,
            last_id: 0,
            notifications: Vec::new(),
        }
    }

    /// A client of the older kind.
    pub(super) async fn legacy(capabilities: Value) -> Self {
        let mut client = Self::new();
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"},
        });
        client.result("initialize", params).await;
        client.notify("notifications/initialized", json!({})).await;
        client
    }

    /// A client of the newest kind.
    pub(super) fn modern(capabilities: Value) -> Self {
        Self {
            capabilities: Some(capabilities),
            ..Self::new()
        }
    }

    /// Sends a request and waits for its answer; what comes in between is kept.
    pub(super) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        match self.end_of(id).await {
            End::Answer(answer) => answer,
            End::Question(question) => panic!("{method}: {question}"),
            End::Silence => panic!("{method}: no answer"),
            End::Death => panic!("{method}: the connection ended"),
        }
    }

    pub(super) async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params).await;
        assert_eq!(answer.get("error"), None, "{method}: {answer}");
        answer["result"].clone()
    }

    /// The code of the error a request ends with.
    pub(super) async fn refused(&mut self, method: &str, params: Value) -> i64 {
        let answer = self.request(method, params).await;
        let code = answer["error"]["code"].as_i64();
        code.unwrap_or_else(|| panic!("{method}: {answer}"))
    }

    /// The result of a tool.
    pub(super) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.result("tools/call", params).await
    }

    /// What a tool says that failed.
    pub(super) async fn failure(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        text(&result).to_owned()
    }

    /// Sends a request without waiting.
    pub(super) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        let Value::Object(mut params) = params else {
            panic!("parameters are an object");
        };
        self.put_meta(&mut params);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.write(message.to_string().as_bytes()).await;
        id
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.write(message.to_string().as_bytes()).await;
    }

    pub(super) async fn cancel(&mut self, id: u64) {
        let params = json!({"requestId": id});
        self.notify("notifications/cancelled", params).await;
    }

    /// Writes a line, whatever it is.
    pub(super) async fn write(&mut self, line: &[u8]) {
        self.write_raw(&[line, b"\n"].concat()).await;
    }

    /// Writes bytes that need not be a line.
    pub(super) async fn write_raw(&mut self, bytes: &[u8]) {
        // The server may have ended; what is read next tells.
        let _ = self.writer.write_all(bytes).await;
    }

    /// The next line, unless none comes for an hour or the connection ends.
    pub(super) async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = timeout(HOUR, self.lines.read_line(&mut line)).await;
        let length = read.ok()?.expect("memory does not fail");
        (length > 0).then_some(line)
    }

    /// The next message.
    pub(super) async fn message(&mut self) -> Value {
        let line = self.line().await.expect("a line comes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Waits for the answer to a request.
    pub(super) async fn end_of(&mut self, id: u64) -> End {
        loop {
            let Some(line) = self.line().await else {
                tokio::task::yield_now().await;
                return if self.server.is_finished() {
                    End::Death
                } else {
                    End::Silence
                };
            };
            let Ok(message) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            if message["method"] == "elicitation/create"
                || message["result"]["resultType"] == "input_required"
            {
                return End::Question(message);
            }
            if message["id"] == id {
                return End::Answer(message);
            }
            self.notifications.push(message);
        }
    }

    /// Hangs up, and waits for the server to end; what it still says.
    pub(super) async fn hang_up(mut self) -> Vec<Value> {
        self.writer.shutdown().await.expect("memory does not fail");
        let mut rest = Vec::new();
        while let Some(line) = self.line().await {
            rest.push(serde_json::from_str(&line).expect("a message"));
        }
        timeout(HOUR, self.server)
            .await
            .expect("the server ends")
            .expect("and does not panic");
        rest
    }

    /// The methods of what came while waiting.
    pub(super) fn heard(&mut self) -> Vec<String> {
        let heard = self.notifications.drain(..);
        heard
            .map(|message| message["method"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    fn put_meta(&self, params: &mut Map<String, Value>) {
        let Some(capabilities) = &self.capabilities else {
            return;
        };
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    }
}

/// The first text of a tool's result.
pub(super) fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text: {result}"))
}

const HOUR: Duration = Duration::from_hours(1);
