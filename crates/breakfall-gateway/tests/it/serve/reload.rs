//! Reloads of the configuration.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::{Control, Gateway, Reloads, Source};
use serde_json::json;
use testing::http::{Client, Connection, Request};
use testing::wire::PATIENCE;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

const ONE: &str = "listen: 127.0.0.1:0\nupstreams: { one: { demo: true } }\n";
const TWO: &str = "listen: 127.0.0.1:0\nupstreams: { one: { demo: true }, two: { demo: true } }\n";

/// Waits for a reload after which a condition holds.
async fn reloaded(control: &Control, holds: impl Fn(&Reloads) -> bool) {
    let reloaded = timeout(PATIENCE, control.reloaded(holds)).await;
    reloaded.expect("the file is never read to its end");
}

async fn status(address: SocketAddr, path: &'static str) -> u16 {
    let ask = move || Connection::open(address).ask(&Request::new("GET", path));
    let response = spawn_blocking(ask).await.expect("the task ends");
    response.expect("an answer").status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_never_ends_or_never_starts_does_not_block_the_gateway() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("my.yaml");
    for spoil in [pipe, endless] {
        fs::write(&file, ONE).expect("there is room for a file");
        let config = Config::load(&file).expect("a configuration");
        let source = Source::new(&file, None);
        let gateway = Gateway::start(config, crate::options().with_source(Some(source)));
        let gateway = gateway.await.expect("a free port");
        let (address, control) = (gateway.address(), gateway.control());
        let running = tokio::spawn(gateway.run());
        fs::remove_file(&file).expect("it is there");
        spoil(&file);
        control.reload();
        reloaded(&control, |reloads| reloads.asked == 1).await;
        assert_eq!(status(address, "/healthz").await, 200);
        assert_eq!(status(address, "/mcp/two").await, 404);
        fs::remove_file(&file).expect("it is there");
        fs::write(&file, TWO).expect("there is room for a file");
        control.reload();
        reloaded(&control, |reloads| reloads.asked == 2 && reloads.taken > 0).await;
        assert_ne!(status(address, "/mcp/two").await, 404);
        control.stop();
        running.await.expect("it ends");
        fs::remove_file(&file).expect("it is there");
    }
}

/// A named pipe without a writer.
fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()));
}

fn endless(path: &Path) {
    symlink("/dev/zero", path).expect("there is room for a link");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_changes_before_it_is_watched_is_reloaded() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("my.yaml");
    fs::write(&file, ONE).expect("there is room for a file");
    let config = Config::load(&file).expect("a configuration");
    let gateway = Gateway::start(
        config,
        crate::options().with_source(Some(Source::new(&file, None))),
    );
    let gateway = gateway.await.expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    fs::write(&file, TWO).expect("there is room for a file");
    let running = tokio::spawn(gateway.run());
    reloaded(&control, |reloads| reloads.taken > 0).await;
    assert_ne!(status(address, "/mcp/two").await, 404);
    control.stop();
    running.await.expect("it ends");
}

/// A server whose tool fails at the first call and opens its breaker, with a setting that has nothing to do with that.
fn failing(slow: &str) -> String {
    format!(
        "listen: 127.0.0.1:0\nupstreams: {{ shop: {{ command: ['false'], retry: off, bridge: false, \
         breaker: {{ minimum: 1, open: 1h }}, tools: {{ '*': {{ slow: {slow} }} }} }} }}\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_breaker_stays_open_when_another_setting_changes() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("my.yaml");
    fs::write(&file, failing("1s")).expect("there is room for a file");
    let config = Config::load(&file).expect("a configuration");
    let source = Source::new(&file, None);
    let gateway = Gateway::start(config, crate::options().with_source(Some(source)));
    let gateway = gateway.await.expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let call = move |id: u64| {
        let answer = Client::modern(address, "/mcp/shop").call(id, "buy", &json!({}));
        crate::session::fault(&answer)["code"].clone()
    };
    // The circuit opens at the first failure that says something of the server.
    let opens = spawn_blocking(move || (1..10).any(|id| call(id) == "UNAVAILABLE_CIRCUIT_OPEN"));
    assert!(opens.await.expect("it answers"));
    fs::write(&file, failing("2s")).expect("there is room for a file");
    control.reload();
    reloaded(&control, |reloads| reloads.taken > 0).await;
    let after = spawn_blocking(move || call(10)).await.expect("it answers");
    assert_eq!(after, "UNAVAILABLE_CIRCUIT_OPEN");
    control.stop();
    running.await.expect("it ends");
}
