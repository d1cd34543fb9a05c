//! The gateway as a service inside this process.

mod dialects;
mod languages;
mod metrics;
mod param_headers;
mod pass_authorization;
mod readiness;
mod reload;
mod unverified;

use std::net::SocketAddr;

use breakfall_gateway::config::{Config, UpstreamSettings};
use breakfall_gateway::serve::Gateway;
use serde_json::json;
use testing::http::{Client, Connection, Request};
use testing::wire::PATIENCE;
use tokio::runtime::Handle;

fn tasks() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

/// Opens a session, calls a tool in it and one without it, and ends it.
fn visit(address: SocketAddr) {
    let client = Client::legacy(address, "/mcp");
    let order = json!({"order_id": "ord-1001"});
    for client in [&client, &Client::modern(address, "/mcp")] {
        let answer = client.call(1, "get_order", &order);
        assert_eq!(answer["result"]["isError"], json!(null), "{answer}");
    }
    let session = client.session.expect("a session");
    let end = Request::new("DELETE", "/mcp").header("Mcp-Session-Id", &session);
    let ended = Connection::open(address).ask(&end).expect("it answers");
    assert_eq!(ended.status, 204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_sessions_leave_no_task() {
    let mut config = Config::from(UpstreamSettings::demo());
    config.listen.port = 0;
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visits = |count: usize| async move {
        let visits = move || (0..count).for_each(|_| visit(address));
        let visited = tokio::task::spawn_blocking(visits).await;
        visited.expect("every visit goes well");
    };
    // The shared server of requests without a session stays.
    visits(1).await;
    let before = tasks();
    visits(100).await;
    let ended = async {
        while tasks() > before {
            // The ending tasks run first.
            tokio::task::yield_now().await;
        }
    };
    let ended = tokio::time::timeout(PATIENCE, ended).await;
    assert!(ended.is_ok(), "{} tasks, not {before}", tasks());
    control.stop();
    running.await.expect("it ends");
}
