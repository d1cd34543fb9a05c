//! A configuration whose file becomes something else while it is in use.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::{Gateway, Source};
use testing::http::{Connection, Request};
use testing::wire::PATIENCE;
use tokio::task::spawn_blocking;

const ONE: &str = "listen: 127.0.0.1:0\nupstreams: { one: { demo: true } }\n";
const TWO: &str = "listen: 127.0.0.1:0\nupstreams: { one: { demo: true }, two: { demo: true } }\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_never_ends_or_never_begins_stops_nobody() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("my.yaml");
    for spoil in [pipe, endless] {
        fs::write(&file, ONE).expect("there is room for a file");
        let config = Config::load(&file).expect("a configuration");
        let source = Source::new(&file, None);
        let gateway = Gateway::start(config, Some(source));
        let gateway = gateway.await.expect("a free port");
        let (address, control) = (gateway.address(), gateway.control());
        let running = tokio::spawn(gateway.run());
        let (path, reload) = (file.clone(), control.clone());
        let visit = move || {
            let status = |path: &str| {
                let response = Connection::open(address).ask(&Request::new("GET", path));
                response.expect("an answer").status
            };
            fs::remove_file(&path).expect("it is there");
            spoil(&path);
            reload.reload();
            // However soon it looks at the file.
            for _ in 0..50 {
                assert_eq!(status("/healthz"), 200);
                thread::park_timeout(STEP);
            }
            fs::remove_file(&path).expect("it is there");
            fs::write(&path, TWO).expect("there is room for a file");
            let mut looks = PATIENCE.as_millis() / STEP.as_millis();
            while status("/mcp/two") == 404 {
                looks -= 1;
                assert!(looks > 0, "the good file is never used");
                reload.reload();
                thread::park_timeout(STEP);
            }
        };
        spawn_blocking(visit).await.expect("the visit goes well");
        control.stop();
        running.await.expect("it ends");
        fs::remove_file(&file).expect("it is there");
    }
}

/// Nobody ever writes into it.
fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()));
}

fn endless(path: &Path) {
    symlink("/dev/zero", path).expect("there is room for a link");
}

const STEP: Duration = Duration::from_millis(10);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_changes_before_anybody_watches_it_is_read_again() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("my.yaml");
    fs::write(&file, ONE).expect("there is room for a file");
    let config = Config::load(&file).expect("a configuration");
    let gateway = Gateway::start(config, Some(Source::new(&file, None)));
    let gateway = gateway.await.expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    fs::write(&file, TWO).expect("there is room for a file");
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let mut looks = PATIENCE.as_millis() / STEP.as_millis();
        let is_missing = || {
            let response = Connection::open(address).ask(&Request::new("GET", "/mcp/two"));
            response.expect("an answer").status == 404
        };
        while is_missing() {
            looks -= 1;
            assert!(looks > 0, "the change is never seen");
            thread::park_timeout(STEP);
        }
    };
    spawn_blocking(visit).await.expect("the visit goes well");
    control.stop();
    running.await.expect("it ends");
}
