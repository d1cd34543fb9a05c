//! The readiness page.

use std::net::TcpListener;

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::Gateway;
use serde_json::{Value, json};
use testing::http::{Client, Connection, LEGACY, Request};
use tokio::task::spawn_blocking;

use crate::remote::{ReceivedRequest, TestServer};

/// Several servers, one at each path.
async fn answer(came: ReceivedRequest) {
    let html = [("Content-Type", "text/html")];
    match (&*came.path, &*came.method) {
        ("/html", _) => came.reply("200 OK", &html, "<p>hello</p>").await,
        ("/closed", _) => came.reply("401 Unauthorized", &[], "").await,
        ("/good", "POST") if came.body["method"] == "initialize" => came.greet("one").await,
        ("/good", "POST") if came.body["method"] == "tools/call" => {
            // It refuses the call, but it can be reached.
            came.reply("429 Too Many Requests", &[], "").await;
        }
        ("/good", "POST") => came.reply("202 Accepted", &[], "").await,
        _ => came.reply("405 Method Not Allowed", &[], "").await,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_cannot_be_reached_is_down() {
    let mut far = TestServer::new().await;
    let address = far.address;
    tokio::spawn(async move {
        loop {
            tokio::spawn(answer(far.next().await));
        }
    });
    let gone = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let gone = gone.expect("a port that is free again");
    let upstreams = json!({
        "good": {"url": format!("http://{address}/good")},
        "html": {"url": format!("http://{address}/html")},
        "closed": {"url": format!("http://{address}/closed")},
        "gone": {"url": format!("http://{gone}/mcp")},
        "missing": {"command": ["/no/such/program"]},
        "inside": {"demo": true},
        "unused": {"demo": true},
    });
    let text = json!({"listen": "127.0.0.1:0", "upstreams": upstreams}).to_string();
    let config = Config::parse(&text, "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let names = ["good", "html", "closed", "gone", "missing", "inside"];
        for name in names {
            let path = format!("/mcp/{name}");
            let mut client = Client::silent(address, &path, LEGACY);
            let response = client.initialize();
            if ["html", "gone", "missing"].contains(&name) {
                // Of any other status clients show only the number.
                assert_eq!(response.head.status, 200, "{name}");
                let fault = &response.json()["error"]["data"];
                assert!(fault["remediation"].is_string(), "{name}: {fault}");
            }
            client.session = response.header("Mcp-Session-Id").map(str::to_owned);
            if client.session.is_some() {
                client.call(1, "none", &json!({}));
            }
        }
        let ready = Connection::open(address).ask(&Request::new("GET", "/readyz"));
        ready.expect("an answer").json()["upstreams"].clone()
    };
    let upstreams: Value = spawn_blocking(visit).await.expect("the visit goes well");
    let want = json!({
        "good": "up",
        "html": "down",
        "closed": "down",
        "gone": "down",
        "missing": "down",
        "inside": "up",
        "unused": "idle",
    });
    assert_eq!(upstreams, want);
    control.stop();
    running.await.expect("it ends");
}
