//! What the client knows already is not hidden from it: directories of the command line under `run`, its roots, loopback addresses.

use breakfall_gateway::upstream::{Origin, ServerCommand, Upstream};
use breakfall_mcp::process::MaskedWord;
use serde_json::{Value, json};

use super::{call, fail, hello, list};
use crate::session::{Bench, End, ask, note};

const WORDS: &str = "ENOENT: no such file or directory, open '/srv/notes/a.md'; 127.0.0.1:5432 refused, 10.0.0.7 too";
const HIDDEN: &str =
    "ENOENT: no such file or directory, open '[path]'; [address] refused, [address] too";
const SHOWN: &str =
    "ENOENT: no such file or directory, open '/srv/notes/a.md'; [address] refused, [address] too";

fn tools() -> Value {
    json!([{"name": "read", "inputSchema": {"type": "object"}}])
}

/// What the client reads of a call that the server fails with [`WORDS`].
async fn told(bench: &mut Bench, server: &mut End, call: &Value) -> String {
    bench.client.say(call).await;
    fail(server, WORDS).await;
    let answer = bench.client.hear().await;
    let blocks = answer["result"]["content"].as_array().expect("blocks");
    let theirs = blocks.last().expect("the block of the server");
    let native = answer["result"]["_meta"]["dev.breakfall/error"]["message"].clone();
    let text = theirs["text"].as_str().expect("a text").to_owned();
    assert!(
        native
            .as_str()
            .is_some_and(|said| said.contains("[address] too")),
        "{answer}"
    );
    assert_eq!(
        native.as_str().map(|said| said.contains("/srv/")),
        Some(text.contains("/srv/"))
    );
    text
}

async fn legacy(mut bench: Bench) -> (Bench, End) {
    let mut server = hello(&mut bench, json!({"roots": {"listChanged": true}})).await;
    bench.client.say(&ask("l", "tools/list")).await;
    list(&mut server, tools()).await;
    assert_eq!(bench.client.hear().await["id"], "l");
    (bench, server)
}

/// The server asks for the roots, and the client has this one.
async fn list_root(bench: &mut Bench, server: &mut End, uri: &str) {
    server.say(&ask("r", "roots/list")).await;
    let request = bench.client.hear().await;
    assert_eq!(request["method"], "roots/list", "{request}");
    let answer =
        json!({"jsonrpc": "2.0", "id": request["id"], "result": {"roots": [{"uri": uri}]}});
    bench.client.say(&answer).await;
    assert_eq!(server.hear().await["result"]["roots"][0]["uri"], uri);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_did_not_start_the_server_reads_neither_paths_nor_addresses() {
    let (mut bench, mut server) = legacy(Bench::judged(None, |_| {})).await;
    let call = call("c", "read", json!({}));
    assert_eq!(told(&mut bench, &mut server, &call).await, HIDDEN);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_started_the_server_reads_paths_of_its_command_line_and_loopback_addresses() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().canonicalize().expect("it exists");
    let notes = folder.join("notes");
    std::fs::create_dir(&notes).expect("a directory of the test");
    let root = format!("--root={}", notes.display());
    let command = ServerCommand::new("server").args(["-v".to_owned(), root, "/tmp".to_owned()]);
    let started = Upstream::new("shop", Origin::Program(command)).started_by_client();
    let bench = Bench::judged(None, |upstream| {
        upstream.context.known = started.context.known;
    });
    let (mut bench, mut server) = legacy(bench).await;
    bench.client.say(&call("c", "read", json!({}))).await;
    let words = format!(
        "no such file: {}/a.md, {}/b.md; 127.0.0.1:5432 refused, 10.0.0.7 too; password=hunter2-x",
        notes.display(),
        folder.display()
    );
    fail(&mut server, &words).await;
    let answer = bench.client.hear().await;
    let want = format!(
        "no such file: {}/a.md, [path]; 127.0.0.1:5432 refused, [address] too; password=[redacted:password]",
        notes.display()
    );
    assert_eq!(answer["result"]["content"][1]["text"], want, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_client_reads_paths_below_its_roots_until_they_change() {
    let (mut bench, mut server) = legacy(Bench::judged(None, |_| {})).await;
    let call = call("c", "read", json!({}));
    list_root(&mut bench, &mut server, "file:///srv/notes").await;
    assert_eq!(told(&mut bench, &mut server, &call).await, SHOWN);
    list_root(&mut bench, &mut server, "file:///srv/other").await;
    assert_eq!(
        told(&mut bench, &mut server, &call).await,
        HIDDEN,
        "the last list counts"
    );
    list_root(&mut bench, &mut server, "file:///srv/notes").await;
    let changed = note("notifications/roots/list_changed");
    bench.client.say(&changed).await;
    assert_eq!(server.hear().await, changed);
    assert_eq!(told(&mut bench, &mut server, &call).await, HIDDEN);
    list_root(&mut bench, &mut server, "file:///srv").await;
    assert_eq!(
        told(&mut bench, &mut server, &call).await,
        HIDDEN,
        "every system has /srv"
    );
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_reads_paths_below_the_roots_that_its_call_brings() {
    let mut bench = Bench::judged(None, |_| {});
    let mut server = bench.discovered().await;
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"roots": {}}});
    let mut call = call("c", "read", json!({}));
    call["params"]["_meta"] = meta;
    bench.client.say(&call).await;
    list(&mut server, tools()).await;
    fail(&mut server, WORDS).await;
    assert!(bench.client.hear().await.to_string().contains(HIDDEN));
    call["params"]["inputResponses"] = json!({"where": {"roots": [{"uri": "file:///srv/notes"}]}});
    assert_eq!(told(&mut bench, &mut server, &call).await, SHOWN);
}

#[tokio::test(start_paused = true)]
async fn errors_of_other_requests_follow_the_same_rule() {
    let (mut bench, mut server) = legacy(Bench::judged(None, |_| {})).await;
    list_root(&mut bench, &mut server, "file:///srv/notes").await;
    let mut read = ask("p", "prompts/get");
    read["params"] = json!({"name": "x"});
    bench.client.say(&read).await;
    let request = server.hear().await;
    let error =
        json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32603, "message": WORDS}});
    server.say(&error).await;
    let answer = bench.client.hear().await;
    assert!(
        answer["error"]["message"]
            .as_str()
            .is_some_and(|said| said.contains(SHOWN)),
        "{answer}"
    );
}

#[test]
fn the_directories_of_a_command_line_are_those_that_exist() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().canonicalize().expect("it exists");
    let notes = folder.join("notes");
    std::fs::create_dir(&notes).expect("a directory of the test");
    let reference = MaskedWord::standing_for("${NOTES}", notes.clone());
    let words = [
        "notes",
        "--at=./notes",
        "at=notes",
        "missing",
        "--at=",
        "-v",
    ];
    let words = words.map(MaskedWord::from).into_iter().chain([reference]);
    let command = ServerCommand::from_words("server".into(), words.collect()).cwd(&folder);
    // As written, in full, and without links.
    let want = [
        "notes".into(),
        notes.clone(),
        notes.clone(),
        "./notes".into(),
        notes.clone(),
        notes,
    ];
    assert_eq!(command.directories(), want);
}
