//! The gate of a service: tokens outlive a reload, and belong to a principal.

use serde_json::{Value, json};
use testing::http::{Client, LEGACY};

use super::Gateway;

const SHOP: &str = "store: memory\nupstreams: { shop: { demo: true } }\n";

fn refund(token: Option<&str>) -> Value {
    json!({"order_id": "ord-1001", "amount_cents": 1000, "reason": "late", "_confirmation": token})
}

/// The error of a refused call.
fn refused(client: &Client, tool: &str, token: Option<&str>) -> Value {
    let mut answer = client.call("refused", tool, &refund(token));
    answer["result"]["_meta"]["dev.breakfall/error"].take()
}

fn token(client: &Client, tool: &str) -> String {
    let arguments = json!({"order_id": "ord-1001", "amount_cents": 1000, "reason": "late"});
    let answer = client.call("asks", tool, &arguments);
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(error["code"], "CONFIRMATION_REQUIRED", "{answer}");
    assert_eq!(error["details"]["operation"], tool, "{answer}");
    let token = error["details"]["confirmation_token"].as_str();
    token.expect("a token").to_owned()
}

#[test]
fn a_confirmation_token_outlives_a_reload() {
    let mut gateway = Gateway::of(SHOP);
    let token = token(&gateway.legacy("/mcp"), "refund_order");
    gateway.write(&format!("{SHOP}drain: 5s\n"));
    gateway.says("configuration reloaded");
    let client = gateway.legacy("/mcp");
    let answer = client.call("again", "refund_order", &refund(Some(&token)));
    assert_eq!(answer["result"]["isError"], Value::Null, "{answer}");
    let error = refused(&client, "refund_order", Some(&token));
    assert_eq!(error["code"], "TOKEN_ALREADY_USED");
}

#[test]
fn the_token_of_another_principal_looks_unknown() {
    let keys = "keys: { ada: ada-0123456789abcdef, bob: bob-0123456789abcdef }\n";
    let gateway = Gateway::of(&format!("{keys}{SHOP}"));
    let client = |key: &str| {
        let key = format!("Bearer {key}-0123456789abcdef");
        let silent = Client::silent(gateway.address, "/mcp", LEGACY);
        let mut client = silent.with_header("Authorization", &key);
        let response = client.initialize();
        client.session = response.header("Mcp-Session-Id").map(str::to_owned);
        client
    };
    let (ada, bob) = (client("ada"), client("bob"));
    let token = token(&ada, "refund_order");
    let foreign = refused(&bob, "refund_order", Some(&token));
    let unknown = refused(&bob, "refund_order", Some("conf_abc123xyz"));
    for key in ["code", "message", "remediation", "retry"] {
        assert_eq!(foreign[key], unknown[key]);
    }
    assert_eq!(foreign["code"], "TOKEN_INVALID");
    // It is still good for its own principal.
    let answer = ada.call("own", "refund_order", &refund(Some(&token)));
    assert_eq!(answer["result"]["isError"], Value::Null, "{answer}");
}

#[test]
fn several_servers_as_one_are_gated_under_the_names_their_caller_knows() {
    let two = "store: memory\nupstreams: { shop: { demo: true }, other: { demo: true } }\n";
    let gateway = Gateway::of(two);
    let client = gateway.legacy("/mcp");
    let token = token(&client, "shop__refund_order");
    let error = refused(&client, "other__refund_order", Some(&token));
    assert_eq!(error["code"], "TOKEN_SCOPE_MISMATCH", "{error}");
    assert_eq!(
        error["details"]["requested_operation"],
        "other__refund_order"
    );
    let answer = client.call("done", "shop__refund_order", &refund(Some(&token)));
    assert_eq!(answer["result"]["isError"], Value::Null, "{answer}");
}
