//! Headers that repeat arguments equal the arguments that are sent.

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::Gateway;
use serde_json::{Value, json};
use testing::http::{Client, Connection};
use tokio::task::spawn_blocking;

use crate::remote::{ReceivedRequest, TestServer};

/// A modern server that has one order.
async fn answer(came: ReceivedRequest) {
    let schema = json!({"type": "object", "properties": {"order": {"type": "integer", "x-mcp-header": "Order"}}});
    let method = came.body["method"].as_str().unwrap_or_default().to_owned();
    let result = match &*method {
        "server/discover" => {
            json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
        }
        "tools/list" => {
            json!({"tools": [{"name": "cancel", "inputSchema": schema}], "ttlMs": 0, "cacheScope": "private"})
        }
        _ => {
            let order = came.body["params"]["arguments"]["order"].clone();
            let text = if came.header("mcp-param-order") != Some(&*order.to_string()) {
                "Internal: the header says something else".to_owned()
            } else if order == 17 {
                "cancelled".to_owned()
            } else {
                format!("Order {order} not found")
            };
            json!({"isError": order != 17, "content": [{"type": "text", "text": text}]})
        }
    };
    let mut result: Value = result;
    result["resultType"] = "complete".into();
    came.result(result).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_argument_corrected_by_the_user_is_corrected_in_its_header_too() {
    let mut far = TestServer::new().await;
    let url = format!("http://{}/mcp", far.address);
    tokio::spawn(async move {
        loop {
            tokio::spawn(answer(far.next().await));
        }
    });
    let upstream = json!({"url": url, "tools": {"cancel": {"ask": ["order"]}}});
    let config = json!({"listen": "127.0.0.1:0", "upstreams": {"shop": upstream}});
    let config = Config::parse(&config.to_string(), "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let client = Client::modern(address, "/mcp/shop");
        let capabilities = json!({"elicitation": {"form": {}}});
        let ask = |mut params: Value| {
            params["name"] = "cancel".into();
            params["arguments"] = json!({"order": 7});
            let mut message = client.message(1, "tools/call", &params);
            let meta = &mut message["params"]["_meta"];
            meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
            let request = client.post(&message).header("Mcp-Param-Order", "7");
            let response = Connection::open(address).ask(&request);
            response.expect("an answer").answer(1)["result"].clone()
        };
        let asked = ask(json!({}));
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let said = json!({"action": "accept", "content": {"order": 17}});
        let done = ask(
            json!({"inputResponses": {"dev.breakfall/ask": said}, "requestState": asked["requestState"]}),
        );
        assert_eq!(done["content"][0]["text"], "cancelled", "{done}");
    };
    spawn_blocking(visit).await.expect("the visit goes well");
    control.stop();
    running.await.expect("it ends");
}
