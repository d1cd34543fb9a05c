//! The language of failures over HTTP.

use std::net::SocketAddr;

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::Gateway;
use serde_json::json;
use testing::http::Client;
use tokio::task::spawn_blocking;

/// The text a client reads, by the languages of its headers and its request.
fn read(client: &Client, meta: Option<&str>) -> String {
    let mut params = json!({"name": "get_order", "arguments": {}});
    if let Some(locale) = meta {
        params["_meta"] = json!({"dev.breakfall/locale": locale});
    }
    let answer = client.ask(1, "tools/call", &params);
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    let message = error["message"].as_str();
    message.unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_language_of_a_request_precedes_its_headers_and_those_the_configuration() {
    let config =
        json!({"listen": "127.0.0.1:0", "locale": "ja", "upstreams": {"shop": {"demo": true}}});
    let config = Config::parse(&config.to_string(), "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let eras: [fn(SocketAddr, &str) -> Client; 2] = [Client::modern, Client::legacy];
        for client in eras {
            for path in ["/mcp", "/mcp/shop"] {
                let speaks = |languages: &str| {
                    client(address, path).with_header("Accept-Language", languages)
                };
                let japanese = read(&client(address, path), None);
                let german = read(&speaks("de-AT, en;q=0.5"), None);
                let spanish = read(&speaks("de"), Some("es"));
                let english = read(&speaks("en"), None);
                let all = [&japanese, &german, &spanish, &english];
                for (at, one) in all.iter().enumerate() {
                    assert!(!all[..at].contains(one), "{all:?}");
                }
                // A wildcard or an unsupported language changes nothing.
                assert_eq!(read(&speaks("*"), None), japanese);
                assert_eq!(read(&speaks("tlh"), None), japanese);
                assert_eq!(read(&speaks("es"), None), spanish);
            }
        }
    };
    spawn_blocking(visit).await.expect("the visit goes well");
    control.stop();
    running.await.expect("it ends");
}
