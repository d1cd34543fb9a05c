//! Credentials of clients that are passed on: to which servers, and with which requests.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::{Control, Gateway};
use serde_json::json;
use testing::http::{Client, Connection, MODERN, Request, Response};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::remote::{ReceivedRequest, TestServer};

/// A gateway in front of a server that checks credentials.
struct Bench {
    address: SocketAddr,
    seen: Seen,
    control: Control,
    running: JoinHandle<()>,
}

/// The requests the server received: method, session, authorization.
type Seen = Arc<Mutex<Vec<(String, Option<String>, Option<String>)>>>;

impl Bench {
    async fn new(is_modern: bool) -> Self {
        let mut far = TestServer::new().await;
        let seen = Seen::default();
        let url = format!("http://{}/mcp", far.address);
        let log = Arc::clone(&seen);
        tokio::spawn(async move {
            let mut sessions = 0;
            loop {
                let came = far.next().await;
                answer(came, &log, is_modern, &mut sessions).await;
            }
        });
        let text = format!(
            "listen: 127.0.0.1:0\nupstreams: {{ shop: {{ url: '{url}', pass_authorization: true }} }}"
        );
        let config = Config::parse(&text, "my.yaml").expect("a configuration");
        let gateway = Gateway::start(config, crate::options())
            .await
            .expect("a free port");
        let (address, control) = (gateway.address(), gateway.control());
        Self {
            address,
            seen,
            control,
            running: tokio::spawn(gateway.run()),
        }
    }

    /// Runs a client, and returns what the server received until the gateway ended.
    async fn visit(
        self,
        visit: impl FnOnce(SocketAddr) + Send + 'static,
    ) -> Vec<(String, Option<String>, Option<String>)> {
        let address = self.address;
        spawn_blocking(move || visit(address))
            .await
            .expect("the visit goes well");
        self.control.stop();
        self.running.await.expect("it ends");
        std::mem::take(&mut *self.seen.lock().expect("no panic"))
    }
}

/// A server with or without sessions that wants a token.
async fn answer(came: ReceivedRequest, seen: &Seen, is_modern: bool, sessions: &mut usize) {
    let method = came.body["method"].as_str();
    let what = method.unwrap_or(&came.method).to_owned();
    let who = came.header("authorization").map(str::to_owned);
    let session = came.header("mcp-session-id").map(str::to_owned);
    let entry = (what.clone(), session, who.clone());
    seen.lock().expect("no panic").push(entry);
    if !who.is_some_and(|who| who.starts_with("Bearer good")) {
        let demand = [("WWW-Authenticate", "Bearer realm=\"shop\"")];
        return came.reply("401 Unauthorized", &demand, "").await;
    }
    let complete = json!({"resultType": "complete", "supportedVersions": [MODERN], "capabilities": {}, "content": []});
    match &*what {
        "GET" => came.reply("405 Method Not Allowed", &[], "").await,
        "DELETE" => came.reply("200 OK", &[], "").await,
        "tools/call" if came.body["params"]["name"] == "forget" && *sessions == 1 => {
            came.reply("404 Not Found", &[], "").await;
        }
        "initialize" if !is_modern => {
            *sessions += 1;
            came.greet(&format!("session-{sessions}")).await;
        }
        "tools/call" => came.result(complete).await,
        "server/discover" if is_modern => came.result(complete).await,
        what if what.starts_with("notifications/") => came.reply("202 Accepted", &[], "").await,
        _ => {
            let error = json!({"code": -32601, "message": "Method not found"});
            let answer = json!({"jsonrpc": "2.0", "id": came.id(), "error": error});
            came.json(&answer).await;
        }
    }
}

fn legacy(address: SocketAddr, token: &str) -> Client {
    let client = Client::silent(address, "/mcp", testing::http::LEGACY);
    let mut client = client.with_header("Authorization", token);
    let response = client.initialize();
    client.session = response.header("Mcp-Session-Id").map(str::to_owned);
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(client.send(&note).status, 202);
    client
}

fn modern(address: SocketAddr, token: &str) -> Client {
    Client::modern(address, "/mcp").with_header("Authorization", token)
}

fn call(client: &Client, tool: &str) -> Response {
    let params = json!({"name": tool, "arguments": {}});
    client.send(&client.message(1, "tools/call", &params))
}

fn names(seen: &[(String, Option<String>, Option<String>)]) -> Vec<&str> {
    let mut names: Vec<&str> = seen.iter().map(|(what, ..)| what.as_str()).collect();
    names.sort_unstable();
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_goes_with_every_request_of_its_client() {
    let bench = Bench::new(false).await;
    let seen = bench.visit(|address| {
        let client = legacy(address, "Bearer good");
        let answer = call(&client, "forget").answer(1);
        assert_eq!(answer["result"]["content"], json!([]), "{answer}");
        let session = client.session.expect("a session");
        let end = Request::new("DELETE", "/mcp")
            .header("Mcp-Session-Id", &session)
            .header("Authorization", "Bearer good");
        let ended = Connection::open(address).ask(&end).expect("it answers");
        assert!(ended.status < 300);
    });
    let seen = seen.await;
    let strangers: Vec<_> = seen
        .iter()
        .filter(|(.., who)| who.as_deref() != Some("Bearer good"))
        .collect();
    assert!(strangers.is_empty(), "{strangers:?}");
    let mut names = names(&seen);
    names.dedup();
    let want = [
        "DELETE",
        "GET",
        "initialize",
        "notifications/initialized",
        "tools/call",
        "tools/list",
    ];
    assert_eq!(names, want);
    let greeted = seen.iter().filter(|(what, ..)| what == "initialize");
    assert_eq!(greeted.count(), 2, "the session was begun anew");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_probed_with_the_token_of_the_client() {
    for is_modern in [true, false] {
        let bench = Bench::new(is_modern).await;
        let seen = bench.visit(|address| {
            let answer = call(&modern(address, "Bearer good"), "buy").answer(1);
            assert_eq!(answer["result"]["content"], json!([]), "{answer}");
        });
        let seen = seen.await;
        assert!(seen.iter().any(|(what, ..)| what == "server/discover"));
        let is_holder = |who: &Option<String>| who.as_deref() == Some("Bearer good");
        assert!(seen.iter().all(|(.., who)| is_holder(who)), "{seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_wants_another_token_says_so_to_clients_of_both_eras() {
    for is_modern in [true, false] {
        let bench = Bench::new(is_modern).await;
        let seen = bench.visit(|address| {
            let demand = Some("Bearer realm=\"shop\"");
            for client in [
                Client::modern(address, "/mcp"),
                modern(address, "Bearer bad"),
            ] {
                let response = call(&client, "buy");
                assert_eq!(response.status, 401, "{}", response.text());
                assert_eq!(response.header("WWW-Authenticate"), demand);
            }
            let client = Client::silent(address, "/mcp", testing::http::LEGACY);
            let response = client.initialize();
            assert_eq!(response.status, 401, "{}", response.text());
            assert_eq!(response.header("WWW-Authenticate"), demand);
            // A client with the right token is not affected.
            let answer = call(&modern(address, "Bearer good"), "buy").answer(1);
            assert_eq!(answer["result"]["content"], json!([]), "{answer}");
        });
        seen.await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tokens_share_no_session() {
    let bench = Bench::new(false).await;
    let seen = bench.visit(|address| {
        for token in ["Bearer good alice", "Bearer good bob"] {
            call(&modern(address, token), "buy").answer(1);
        }
        let alice = legacy(address, "Bearer good alice");
        let mut bob = Client::silent(address, "/mcp", testing::http::LEGACY)
            .with_header("Authorization", "Bearer good bob");
        bob.session.clone_from(&alice.session);
        let response = call(&bob, "buy");
        assert_eq!(response.status, 404, "{}", response.text());
        call(&alice, "buy").answer(1);
        let mut anonymous = Client::silent(address, "/mcp", testing::http::LEGACY);
        anonymous.session.clone_from(&alice.session);
        assert_eq!(call(&anonymous, "buy").status, 404);
    });
    let mut owners: Vec<(String, String)> = Vec::new();
    for (_, session, who) in seen.await {
        if let (Some(session), Some(who)) = (session, who) {
            owners.push((session, who));
        }
    }
    owners.sort();
    owners.dedup();
    let sessions: Vec<&str> = owners.iter().map(|(session, _)| session.as_str()).collect();
    assert_eq!(sessions, ["session-1", "session-2", "session-3"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_with_two_tokens_is_refused() {
    let bench = Bench::new(true).await;
    let seen = bench.visit(|address| {
        let client = modern(address, "Bearer good");
        let message = client.message(1, "tools/call", &json!({"name": "buy"}));
        let twice = client.post(&message).one_more("Authorization", "Bearer b");
        let response = Connection::open(address).ask(&twice).expect("an answer");
        assert_eq!(response.status, 400);
        assert!(response.json()["error"].is_object());
    });
    assert_eq!(seen.await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_without_a_key_does_not_learn_which_paths_exist() {
    let text = "listen: 127.0.0.1:0\nkeys: { alice: 0123456789abcdef }\nupstreams: { one: { demo: true } }";
    let config = Config::parse(text, "my.yaml").expect("a configuration");
    let gateway = Gateway::start(config, crate::options())
        .await
        .expect("a free port");
    let (address, control) = (gateway.address(), gateway.control());
    let running = tokio::spawn(gateway.run());
    let visit = move || {
        let ask = |method: &str, path: &str, key: Option<&str>| {
            let mut request = Request::new(method, path);
            if let Some(key) = key {
                request = request.header("Authorization", &format!("Bearer {key}"));
            }
            let response = Connection::open(address).ask(&request);
            let response = response.expect("an answer");
            let words = response.json()["error"]["message"].clone();
            // Each refusal has a correlation id of its own.
            let words = words
                .as_str()
                .and_then(|words| words.split("\nReference: ").next());
            (response.status, words.map(str::to_owned))
        };
        for method in ["POST", "GET", "DELETE", "PUT"] {
            let there = ask(method, "/mcp/one", None);
            assert_eq!(there.0, 401);
            for path in ["/mcp", "/mcp/two", "/mcp/one/more", "/mcp//"] {
                assert_eq!(ask(method, path, None), there, "{method} {path}");
            }
        }
        assert_eq!(ask("POST", "/mcp/two", Some("0123456789abcdef")).0, 404);
        // Paths outside MCP need no key.
        assert_eq!(
            ask("GET", "/.well-known/oauth-protected-resource", None).0,
            404
        );
        assert_eq!(ask("GET", "/sse", None).0, 404);
    };
    spawn_blocking(visit).await.expect("the visit goes well");
    control.stop();
    running.await.expect("it ends");
}
