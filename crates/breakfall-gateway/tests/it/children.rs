//! The relay in front of real child processes, very many of them or very busy ones: nothing is left over.

use std::fs;
use std::time::Duration;

use breakfall_gateway::assembly;
use breakfall_gateway::config::RestartDelay;
use breakfall_gateway::session::{Session, SessionEnd};
use breakfall_gateway::upstream::{Origin, ServerCommand, Upstream};
use breakfall_mcp::connection::Peer;
use breakfall_mcp::jsonrpc::FrameLimits;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

struct Client {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    peer: Peer,
    ended: JoinHandle<SessionEnd>,
}

impl Client {
    async fn new() -> Self {
        let program = ServerCommand::new(testing::faulty::program());
        let mut upstream = Upstream::new("fault-server", Origin::Program(program));
        upstream.context.is_judged = false;
        let moment = Duration::from_millis(1);
        upstream.restart = RestartDelay {
            first: moment,
            max: moment,
        };
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(ours);
        let relay = Session::start(
            reader,
            writer,
            FrameLimits::REQUEST,
            assembly::single(upstream),
        );
        let (reader, writer) = tokio::io::split(theirs);
        let peer = relay.client().clone();
        let ended = tokio::spawn(relay.run());
        let mut client = Self {
            reader: BufReader::new(reader),
            writer,
            peer,
            ended,
        };
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        client
            .say(
                &json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params}),
            )
            .await;
        assert!(client.hear().await["result"].is_object());
        client
            .say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        client
    }

    async fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.writer
            .write_all(line.as_bytes())
            .await
            .expect("the relay listens");
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.reader
            .read_line(&mut line)
            .await
            .expect("the relay speaks");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    async fn call(&mut self, id: usize, tool: &str, arguments: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})).await;
    }

    /// Hangs up, and waits for the end.
    async fn end(mut self) {
        self.writer.shutdown().await.expect("memory does not fail");
        assert!(matches!(self.ended.await, Ok(SessionEnd::Well)));
    }
}

/// Open files of this process. Nextest runs each test in a process of its own.
fn files() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

/// Child processes of this process, including zombies.
fn children() -> usize {
    let tasks = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .map(|list| list.split_ascii_whitespace().count())
        .sum()
}

fn tasks() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

#[tokio::test]
async fn a_thousand_crashes_leave_no_process_no_file_and_no_task() {
    let mut client = Client::new().await;
    client.call(0, "pid", json!({})).await;
    client.hear().await;
    let before = (files(), children(), tasks());
    assert_eq!(before.1, 1);
    for number in 1..=1000 {
        client
            .call(number, "misbehave", json!({"how": "exit-3"}))
            .await;
        let answer = client.hear().await;
        assert_eq!(
            (&answer["id"], &answer["result"]["isError"]),
            (&json!(number), &json!(true)),
            "{answer}"
        );
        assert_eq!(
            answer["result"]["_meta"]["dev.breakfall/error"]["details"]["exit_code"],
            3
        );
    }
    client.call(1001, "pid", json!({})).await;
    let answer = client.hear().await;
    assert!(
        answer["result"]["structuredContent"].is_object(),
        "the next one works: {answer}"
    );
    assert_eq!((files(), children(), tasks()), before);
    assert_eq!((client.peer.owed(), client.peer.asked()), (0, 0));
    client.end().await;
    assert_eq!(children(), 0);
}

#[tokio::test]
async fn ten_thousand_calls_in_flight_over_one_child_are_all_answered() {
    const CALLS: usize = 10_000;
    let mut client = Client::new().await;
    client.call(0, "pid", json!({})).await;
    client.hear().await;
    let before = (files(), tasks());
    // The child keeps every one of them until it is told to answer, so all are under way at once.
    for number in 0..CALLS {
        client.call(number, "park", json!({"number": number})).await;
    }
    client.call(CALLS, "release", json!({})).await;
    let mut seen = vec![false; CALLS];
    for _ in 0..CALLS {
        let answer = client.hear().await;
        let number = answer["id"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok())
            .expect("an id of ours");
        assert!(answer["result"].is_object(), "{answer}");
        assert!(
            !std::mem::replace(&mut seen[number], true),
            "{number} twice"
        );
    }
    let released = client.hear().await;
    assert_eq!(released["id"], CALLS);
    assert_eq!(
        released["result"]["structuredContent"]["released"], CALLS,
        "all were under way at once"
    );
    assert!(seen.iter().all(|seen| *seen));
    assert_eq!((client.peer.owed(), client.peer.asked()), (0, 0));
    assert_eq!((files(), tasks()), before);
    client.end().await;
}
