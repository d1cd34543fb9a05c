//! Credentials of clients: theirs alone, unless a server is to have them.

use serde_json::{Value, json};
use testing::faulty_http::Server;
use testing::http::{Client, LEGACY, MODERN, Response};

use super::Gateway;

const TOKEN: &str = "Bearer token-of-a-caller";

fn before(server: &Server, passes: bool) -> Gateway {
    Gateway::before(&json!({"url": server.url(), "pass_authorization": passes}))
}

/// Clients of both eras that show who they are, ready to call.
fn clients(gateway: &Gateway) -> [Client; 2] {
    [LEGACY, MODERN].map(|version| {
        let silent = Client::silent(gateway.address, "/mcp/it", version);
        let mut client = silent.with_header("Authorization", TOKEN);
        if version == LEGACY {
            let response = client.initialize();
            client.session = response.header("Mcp-Session-Id").map(str::to_owned);
        }
        client
    })
}

fn misbehave(client: &Client, how: &str) -> Response {
    let call = json!({"name": "misbehave", "arguments": {"how": how}});
    client.send(&client.message("it", "tools/call", &call))
}

/// What the server has seen of credentials.
fn seen(server: &Server) -> Vec<Option<String>> {
    let seen = server.seen();
    seen.iter()
        .map(|seen| seen.header("Authorization").map(str::to_owned))
        .collect()
}

#[test]
fn a_server_does_not_see_them_and_a_challenge_is_for_the_operator() {
    let server = Server::start();
    let gateway = before(&server, false);
    for client in clients(&gateway) {
        for how in ["unauthorized", "forbidden"] {
            let response = misbehave(&client, how);
            assert_eq!(response.status, 200, "{}", response.text());
            assert_eq!(response.header("WWW-Authenticate"), None);
            let answer = response.answer("it");
            let error = &answer["result"]["_meta"]["dev.breakfall/error"];
            assert_eq!(error["code"], "INTERNAL_CONFIGURATION", "{answer}");
            assert_eq!(error["details"]["setting"], "headers", "{answer}");
            let reason = "the server does not accept the credentials it is given";
            assert_eq!(error["details"]["reason"], reason, "{answer}");
            assert_eq!(error["details"]["executed"], "no", "{answer}");
            assert!(!response.text().contains("auth.internal"), "{answer}");
        }
    }
    assert!(
        seen(&server).iter().all(Option::is_none),
        "{:?}",
        seen(&server)
    );
}

#[test]
fn a_server_that_is_to_have_them_gets_them_and_its_challenge_comes_back() {
    let server = Server::start();
    let gateway = before(&server, true);
    for client in clients(&gateway) {
        let works = client.call(1, "echo", &json!({"n": 1}));
        assert_eq!(super::content(&works)["n"], 1, "{works}");
        for (how, status, challenge) in [
            ("unauthorized", 401, "oauth-protected-resource"),
            ("forbidden", 403, "insufficient_scope"),
        ] {
            let response = misbehave(&client, how);
            assert_eq!(response.status, status, "{}", response.text());
            let told = response.header("WWW-Authenticate").unwrap_or_default();
            assert!(told.contains(challenge), "{told}");
            let body: Value = response.json();
            assert_eq!(body["id"], "it", "{body}");
            assert!(body["error"]["code"].is_i64(), "{body}");
        }
    }
    let calls = server.seen();
    let calls = calls
        .iter()
        .filter(|seen| seen.rpc.as_deref() == Some("tools/call"));
    for call in calls {
        assert_eq!(call.header("Authorization"), Some(TOKEN));
    }
}

#[test]
fn a_handshake_that_is_refused_for_want_of_them_says_how_to_get_some() {
    use testing::faulty_http::{Behaviour, Options};
    let server = Server::of(Options::default().start(Behaviour::Locked));
    let gateway = before(&server, true);
    let refused = Client::silent(gateway.address, "/mcp/it", LEGACY).initialize();
    assert_eq!(refused.status, 401, "{}", refused.text());
    let told = refused.header("WWW-Authenticate").unwrap_or_default();
    assert!(told.contains("oauth-protected-resource"), "{told}");
    assert_eq!(refused.header("Mcp-Session-Id"), None);
    let modern = gateway.modern("/mcp/it");
    let refused = modern.send(&modern.message(1, "tools/list", &json!({})));
    assert_eq!(refused.status, 401, "{}", refused.text());
}

#[test]
fn one_of_many_that_wants_them_is_missed_in_lists_and_asks_for_them_when_it_is_called() {
    use testing::faulty_http::{Behaviour, Options};
    let server = Server::of(Options::default().start(Behaviour::Locked));
    let locked = json!({"url": server.url(), "pass_authorization": true});
    let gateway =
        Gateway::of(&json!({"upstreams": {"locked": locked, "shop": {"demo": true}}}).to_string());
    for client in [gateway.legacy("/mcp"), gateway.modern("/mcp")] {
        let list = client.ask("l", "tools/list", &json!({}));
        let tools = list["result"]["tools"].as_array().expect("a list");
        assert!(tools.iter().any(|tool| tool["name"] == "shop__get_order"));
        let warnings = &list["result"]["_meta"]["dev.breakfall/success"]["warnings"];
        assert_eq!(warnings[0]["code"], "UPSTREAM_LOST", "{warnings}");
        assert_eq!(warnings[0]["context"]["upstream"], "locked", "{warnings}");
        let works = client.call(1, "shop__get_order", &json!({"order_id": "ord-1001"}));
        assert_eq!(super::content(&works)["status"], "paid", "{works}");
        let call = json!({"name": "locked__echo", "arguments": {}});
        let refused = client.send(&client.message("c", "tools/call", &call));
        assert_eq!(refused.status, 401, "{}", refused.text());
        let told = refused.header("WWW-Authenticate").unwrap_or_default();
        assert!(told.contains("oauth-protected-resource"), "{told}");
        assert_eq!(refused.json()["id"], "c");
    }
}
