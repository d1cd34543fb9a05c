//! What stands at which path, and who may come in.

use serde_json::json;
use testing::http::{Client, Connection, Request};

use super::{Gateway, content, faulty, pid, until};

const ALICE: &str = "alice-0123456789abcdef";
const BOB: &str = "bob-0123456789abcdef";

fn with_key(client: Client, key: &str) -> Client {
    client.with_header("Authorization", &format!("Bearer {key}"))
}

#[test]
fn one_server_is_untouched_and_all_are_told_apart_by_their_names() {
    let gateway = Gateway::of(&format!(
        "upstreams:\n  shop: {{ demo: true }}\n  odd:\n    {}\n",
        faulty()
    ));
    let names = |client: &Client| -> Vec<String> {
        let answer = client.ask("l", "tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().cloned();
        let tools = tools.unwrap_or_else(|| panic!("no tools: {answer}"));
        tools
            .iter()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect()
    };
    let alone = names(&gateway.legacy("/mcp/shop"));
    assert!(alone.contains(&"get_order".to_owned()), "{alone:?}");
    let all = gateway.legacy("/mcp");
    let together = names(&all);
    assert!(
        together.contains(&"shop__get_order".to_owned()),
        "{together:?}"
    );
    assert!(together.contains(&"odd__pid".to_owned()), "{together:?}");
    let answer = all.call(1, "shop__get_order", &json!({"order_id": "ord-1001"}));
    assert_eq!(content(&answer)["status"], "paid", "{answer}");
    let answer = all.call(2, "odd__echo", &json!({"n": 1}));
    assert_eq!(content(&answer)["n"], 1, "{answer}");
}

#[test]
fn whether_it_lives_and_is_ready_can_be_asked() {
    let gateway = Gateway::of(&format!("upstreams:\n  odd:\n    {}\n", faulty()));
    let alive = gateway.get("/healthz");
    assert_eq!(
        (alive.status, alive.json()),
        (200, json!({"status": "alive"}))
    );
    let ready = gateway.get("/readyz");
    let idle = json!({"status": "ready", "upstreams": {"odd": "idle"}});
    assert_eq!((ready.status, ready.json()), (200, idle));
    let client = gateway.legacy("/mcp");
    assert_eq!(gateway.get("/readyz").json()["upstreams"]["odd"], "up");
    let last = client.call(1, "misbehave", &json!({"how": "exit-3"}));
    assert_eq!(last["result"]["isError"], true, "{last}");
    drop(client);
}

#[test]
fn without_a_key_requests_are_refused_where_there_are_keys() {
    let gateway = Gateway::of(&format!(
        "keys: {{ alice: {ALICE}, bob: {BOB} }}\nupstreams: {{ shop: {{ demo: true }} }}"
    ));
    let stranger = gateway.modern("/mcp");
    let call = stranger.message(1, "tools/list", &json!({}));
    for client in [
        stranger.clone(),
        with_key(stranger.clone(), "wrong-0123456789abcdef"),
    ] {
        let response = client.send(&call);
        assert_eq!(response.status, 401);
        let demand = response.header("WWW-Authenticate").unwrap_or_default();
        assert!(demand.starts_with("Bearer "), "{demand}");
        let error = &response.json()["error"];
        assert_eq!(error["data"]["category"], "authentication", "{error}");
        let fix = error["data"]["remediation"].as_str().unwrap_or_default();
        assert!(fix.contains("Authorization: Bearer KEY"), "{error}");
    }
    let answer = with_key(stranger, ALICE).send(&call).answer(1);
    assert!(answer["result"]["tools"].is_array(), "{answer}");
    // How the servers are is for everybody, what they are called is not.
    let ready = gateway.get("/readyz").json();
    assert_eq!(ready, json!({"status": "ready", "upstreams": {"up": 1}}));
    let request = Request::new("GET", "/readyz").header("Authorization", &format!("Bearer {BOB}"));
    let ready = Connection::open(gateway.address)
        .ask(&request)
        .expect("it answers");
    assert_eq!(ready.json()["upstreams"], json!({"shop": "up"}));
    assert!(!gateway.log.concat().contains("0123456789"));
}

#[test]
fn users_do_not_share_processes() {
    let gateway = Gateway::of(&format!(
        "keys: {{ alice: {ALICE}, bob: {BOB} }}\nupstreams:\n  odd:\n    {}\n",
        faulty()
    ));
    let alice = with_key(gateway.modern("/mcp"), ALICE);
    let bob = with_key(gateway.modern("/mcp"), BOB);
    let (hers, his) = (pid(&alice), pid(&bob));
    assert_ne!(hers, his);
    // What needs no session shares one, of the same principal.
    assert_eq!(pid(&alice), hers);
    assert_eq!(pid(&bob), his);
    assert_eq!(gateway.children(), 2);
}

#[test]
fn a_session_belongs_to_the_user_that_began_it() {
    let gateway = Gateway::of(&format!(
        "keys: {{ alice: {ALICE}, bob: {BOB} }}\nupstreams: {{ shop: {{ demo: true }} }}"
    ));
    let mut alice = with_key(
        Client::silent(gateway.address, "/mcp", testing::http::LEGACY),
        ALICE,
    );
    let greeted = alice.initialize();
    alice.session = greeted.header("Mcp-Session-Id").map(str::to_owned);
    assert!(alice.session.is_some(), "{}", greeted.text());
    let call = alice.message(1, "tools/list", &json!({}));
    assert_eq!(alice.send(&call).status, 200);
    let mut bob = with_key(
        Client::silent(gateway.address, "/mcp", testing::http::LEGACY),
        BOB,
    );
    bob.session = alice.session.clone();
    assert_eq!(bob.send(&call).status, 404);
}

#[test]
fn an_idle_session_ends_with_its_process() {
    let gateway = Gateway::of(&format!(
        "sessions: {{ idle: 1s }}\nupstreams:\n  odd:\n    {}\n",
        faulty()
    ));
    let client = gateway.legacy("/mcp");
    pid(&gateway.modern("/mcp"));
    assert_eq!(gateway.children(), 2);
    until("both have ended", || {
        (gateway.children() == 0).then_some(())
    });
    let call = client.message(1, "tools/list", &json!({}));
    assert_eq!(client.send(&call).status, 404);
    // Who needs no session notices nothing.
    pid(&gateway.modern("/mcp"));
}

#[test]
fn there_are_only_so_many_sessions() {
    let gateway = Gateway::of("sessions: { max: 2 }\nupstreams: { shop: { demo: true } }");
    let first = gateway.legacy("/mcp");
    let _second = gateway.legacy("/mcp");
    let third = Client::silent(gateway.address, "/mcp", testing::http::LEGACY);
    let refused = third.initialize();
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(refused.header("Retry-After").is_some());
    let session = first.session.as_deref().expect("a session");
    let end = Request::new("DELETE", "/mcp").header("Mcp-Session-Id", session);
    let ended = Connection::open(gateway.address)
        .ask(&end)
        .expect("it answers");
    assert!(ended.status < 300, "{}", ended.text());
    assert_eq!(third.initialize().status, 200);
}

#[test]
fn a_key_with_many_sessions_leaves_room_for_another_key() {
    let gateway = Gateway::of(&format!(
        "keys: {{ alice: {ALICE}, bob: {BOB} }}\nsessions: {{ max: 4 }}\nupstreams: {{ shop: {{ demo: true }} }}"
    ));
    let open = |key: &str| {
        let client = Client::silent(gateway.address, "/mcp", testing::http::LEGACY);
        with_key(client, key).initialize().status
    };
    assert_eq!([0; 4].map(|_| open(ALICE)), [200, 200, 200, 503]);
    assert_eq!([0; 2].map(|_| open(BOB)), [200, 503]);
}

#[test]
fn a_slash_behind_a_path_leads_to_the_same_place() {
    let gateway = Gateway::demo();
    for (here, there) in [("/mcp", "/mcp/"), ("/mcp/demo/", "/mcp/demo")] {
        let begun = gateway.legacy(here);
        let mut elsewhere = Client::silent(gateway.address, there, testing::http::LEGACY);
        elsewhere.session = begun.session;
        let answer = elsewhere.call(1, "get_order", &json!({"order_id": "ord-1001"}));
        assert_eq!(content(&answer)["status"], "paid", "{answer}");
    }
}

#[test]
fn how_it_is_can_only_be_asked_for() {
    let gateway = Gateway::demo();
    for path in ["/healthz", "/readyz"] {
        assert_eq!(gateway.get(path).status, 200, "{path}");
        for method in ["POST", "DELETE", "PUT"] {
            let request = Request::new(method, path);
            let response = Connection::open(gateway.address).ask(&request);
            let response = response.expect("it answers");
            assert_eq!(response.status, 405, "{method} {path}");
            assert_eq!(response.header("Allow"), Some("GET, HEAD"));
            assert!(response.text().contains("remediation"), "{method} {path}");
        }
    }
}

#[test]
fn a_path_beside_mcp_answers_with_a_problem_and_an_unknown_server_with_a_json_rpc_error() {
    let gateway = Gateway::demo();
    for path in ["/", "/nope", "/sse", "/mcp/none", "/mcp/demo/x"] {
        let response = gateway.get(path);
        assert_eq!(response.status, 404, "{path}");
        let body = response.json();
        let fault = if path.starts_with("/mcp") {
            assert!(response.head.is("application/json"), "{path}");
            assert_eq!(body["error"]["code"], -32600, "{body}");
            &body["error"]["data"]
        } else {
            assert!(response.head.is("application/problem+json"), "{path}");
            assert_eq!(body["type"], "urn:breakfall:code:NOT_FOUND_RESOURCE");
            assert_eq!(body["status"], 404, "{body}");
            &body
        };
        let fix = fault["remediation"].as_str();
        assert!(
            fix.is_some_and(|fix| fix.contains("/mcp")),
            "{path}: {fault}"
        );
    }
    let refused = Connection::open(gateway.address).ask(&Request::new("POST", "/healthz"));
    let refused = refused.expect("it answers");
    assert!(refused.head.is("application/problem+json"));
    assert_eq!(refused.json()["status"], 405);
}
