//! Calls through the whole gateway, and their records.

use std::sync::Arc;

use breakfall_gateway::assembly;
use breakfall_gateway::config::AuditTrail;
use breakfall_gateway::record::{Recorder, Report};
use breakfall_gateway::session::Session;
use breakfall_gateway::store::{Memory, Sqlite, Store, StoreError, check};
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::jsonrpc::FrameLimits;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};

use super::for_ever;

/// A client of the demo shop behind the gateway.
pub(super) struct Client {
    lines: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    last: u64,
}

impl Client {
    pub(super) async fn new(recorder: &Recorder) -> Self {
        let (here, there) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(there);
        let mut upstream = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
        upstream.context.recorder = recorder.clone();
        tokio::spawn(
            Session::start(
                reader,
                writer,
                FrameLimits::REQUEST,
                assembly::single(upstream),
            )
            .run(),
        );
        let (lines, writer) = tokio::io::split(here);
        let mut client = Self {
            lines: BufReader::new(lines),
            writer,
            last: 0,
        };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        client.ask("initialize", &hello).await;
        client
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        let line = format!("{request}\n");
        self.writer
            .write_all(line.as_bytes())
            .await
            .expect("it listens");
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).await.expect("it answers");
            let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
            if answer["id"] == self.last {
                return answer;
            }
        }
    }

    pub(super) async fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"traceparent": trace}});
        self.ask("tools/call", &params).await
    }
}

#[tokio::test]
async fn the_id_a_caller_is_told_leads_to_the_report() {
    let store = Arc::new(Memory::default());
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    let mut client = Client::new(&recorder).await;
    client
        .call("search_products", &json!({"query": "belt"}))
        .await;
    let answer = client
        .call("get_order", &json!({"order_id": "ord-9999"}))
        .await;
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    let id = error["correlation_id"]
        .as_str()
        .expect("a failure has an id");
    recorder.flush().await;

    let found = store.find(id).await.expect("it can be read");
    let report = Report::from_json(&found[0].text).expect("it is a report");
    assert_eq!((&*report.upstream, &*report.tool), ("shop", "get_order"));
    assert_eq!(report.error["code"], error["code"]);
    assert_eq!(
        report.trace_id.as_deref(),
        Some("4bf92f3577b34da6a3ce929d0e0e4736")
    );
    let links = store.audited(id).await.expect("it can be read");
    let entry: Value = serde_json::from_str(&links[0].entry).expect("an entry is JSON");
    assert_eq!(entry["metadata"]["code"], error["code"]);
    let hash = breakfall::audit::input_hash(&json!({"order_id": "ord-9999"}));
    assert_eq!(entry["input_hash"], hash);

    let ends: Vec<_> = recorder
        .counts()
        .calls
        .iter()
        .map(|count| count.end)
        .collect();
    assert_eq!(ends, ["NOT_FOUND_RESOURCE", "success"]);
    assert_eq!(store.trail(0, 9).await.expect("it can be read").head.seq, 2);
}

#[tokio::test]
async fn a_credential_in_place_of_a_tool_name_is_not_stored() {
    let store = Arc::new(Memory::default());
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    let mut client = Client::new(&recorder).await;
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let answer = client.call(secret, &json!({})).await;
    let error = &answer["error"]["data"];
    assert_eq!(error["code"], "NOT_FOUND_OPERATION", "{answer}");
    let id = error["correlation_id"].as_str().expect("an id");
    recorder.flush().await;
    let found = store.find(id).await.expect("it can be read");
    let links = store.audited(id).await.expect("it can be read");
    for kept in [&*found[0].text, &*links[0].entry] {
        assert!(kept.contains("[redacted:"), "{kept}");
        assert!(!kept.contains(secret), "{kept}");
    }
}

#[tokio::test]
async fn calls_are_answered_even_if_their_records_cannot_be_stored() {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Sqlite::open(directory.path().join("store.db")).expect("it is made");
    let store = Arc::new(store.capped(64 << 10).await.expect("it can be capped"));
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    let mut client = Client::new(&recorder).await;
    for _ in 0..100 {
        let answer = client
            .call("get_order", &json!({"order_id": "ord-9999"}))
            .await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let answer = client
            .call("search_products", &json!({"query": "belt"}))
            .await;
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    recorder.flush().await;
    let counts = recorder.counts();
    assert_eq!(counts.failing, Some(StoreError::Full));
    let head = check(&*store).await.expect("the chain is whole");
    assert_eq!(
        head.seq + counts.waiting + counts.lost_entries,
        200,
        "every entry is stored, waiting or counted as lost"
    );
}
