//! Another configuration while it runs.

use std::collections::BTreeSet;

use serde_json::json;
use testing::http::Client;

use super::{Gateway, content, faulty, pid, until};

fn tools(client: &Client) -> BTreeSet<String> {
    let answer = client.ask("l", "tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().cloned();
    let tools = tools.unwrap_or_else(|| panic!("no tools: {answer}"));
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    names.map(str::to_owned).collect()
}

#[test]
fn a_good_file_takes_effect_and_what_is_the_same_is_not_disturbed() {
    let odd = format!("upstreams:\n  odd:\n    {}\n", faulty());
    let mut gateway = Gateway::of(&odd);
    let client = gateway.legacy("/mcp/odd");
    let process = pid(&client);
    let mut parked = client.open(&client.message(
        "p",
        "tools/call",
        &json!({"name": "park", "arguments": {"n": 7}}),
    ));
    gateway.write(&format!("{odd}  shop: {{ demo: true }}\n"));
    gateway.says("configuration reloaded");
    let shop = gateway.legacy("/mcp/shop");
    assert!(tools(&shop).contains("get_order"));
    assert!(tools(&gateway.legacy("/mcp")).contains("shop__get_order"));
    // The same process, and the call that was under way is answered.
    assert_eq!(pid(&client), process);
    client.call("r", "release", &json!({}));
    let answer = parked.response().expect("an answer").answer("p");
    assert_eq!(content(&answer)["n"], 7, "{answer}");
}

#[test]
fn a_bad_file_is_refused_with_all_that_is_wrong_and_the_old_one_goes_on() {
    let good = "upstreams: { shop: { demo: true } }\n";
    let mut gateway = Gateway::of(good);
    let client = gateway.legacy("/mcp");
    gateway.write("upstreams:\n  shop:\n    comand: x\n    timeout: 30\n");
    gateway.says("configuration reload failed, the old one stays in use");
    gateway.says("unknown key 'comand'");
    gateway.says("30 has no unit");
    let answer = client.call(1, "get_order", &json!({"order_id": "ord-1001"}));
    assert_eq!(content(&answer)["status"], "paid", "{answer}");
    gateway.legacy("/mcp");
    gateway.write("tls: { cert: none.pem, key: none.key }\nupstreams: { shop: { demo: true } }\n");
    gateway.says("none.pem");
    gateway.legacy("/mcp");
    // And back again.
    gateway.write(&format!("{good}# again\n"));
    gateway.says("configuration reloaded");
    gateway.legacy("/mcp");
}

#[test]
fn a_bad_file_is_logged_without_its_secrets() {
    let good = "upstreams: { shop: { demo: true } }\n";
    let mut gateway = Gateway::of(good);
    for value in [
        "*pl4nted",
        "&pl4nted",
        "!pl4nted",
        "#pl4nted",
        "\"pl4nted",
        "'pl4nted",
    ] {
        gateway.write(&format!(
            "upstreams:\n  shop:\n    url: https://x\n    headers:\n      A: {value}\n    timeout: 5\n"
        ));
        gateway.says("configuration reload failed");
        gateway.write(good);
        gateway.says("configuration reloaded");
        let shown = gateway.log.iter().find(|line| line.contains("pl4nted"));
        assert_eq!(shown, None, "{value}");
    }
}

#[test]
fn a_signal_reads_the_file_again() {
    let mut gateway = Gateway::of("upstreams: { shop: { demo: true } }\n");
    gateway.signal("HUP");
    gateway.says("configuration reloaded");
    let mut demo = Gateway::demo();
    demo.signal("HUP");
    demo.says("no configuration file was given, so there is nothing to reload");
    demo.legacy("/mcp");
}

#[test]
fn a_server_that_is_gone_finishes_what_it_has_begun() {
    let both = format!(
        "upstreams:\n  shop: {{ demo: true }}\n  odd:\n    {}\n",
        faulty()
    );
    let mut gateway = Gateway::of(&both);
    let client = gateway.legacy("/mcp/odd");
    let modern = gateway.modern("/mcp/odd");
    pid(&modern);
    let process = pid(&client);
    let mut parked = modern.open(&modern.message(
        "p",
        "tools/call",
        &json!({"name": "wait", "arguments": {"ms": 1500}}),
    ));
    assert_eq!(gateway.children(), 2);
    gateway.write("upstreams: { shop: { demo: true } }\n");
    gateway.says("configuration reloaded");
    let call = client.message(1, "tools/list", &json!({}));
    assert_eq!(client.send(&call).status, 404);
    let answer = parked.response().expect("an answer").answer("p");
    assert!(answer["result"].is_object(), "{answer}");
    until("its processes have ended", || {
        (gateway.children() == 0).then_some(())
    });
    assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
}

#[test]
fn a_changed_server_is_a_new_one_for_later_sessions() {
    let config = |name: &str| {
        format!(
            "upstreams:\n  odd:\n    {}\n    env: {{ NAME: {name} }}\n",
            faulty()
        )
    };
    let mut gateway = Gateway::of(&config("first"));
    let before = gateway.legacy("/mcp");
    let process = pid(&before);
    gateway.write(&config("second"));
    gateway.says("configuration reloaded");
    let after = gateway.legacy("/mcp");
    assert_ne!(pid(&after), process);
    assert_eq!(pid(&before), process);
}

#[test]
fn keys_can_be_changed() {
    let config =
        |key: &str| format!("keys: {{ alice: {key} }}\nupstreams: {{ shop: {{ demo: true }} }}\n");
    let (old, new) = ("old-0123456789abcdef", "new-0123456789abcdef");
    let mut gateway = Gateway::of(&config(old));
    let status = |gateway: &Gateway, key: &str| {
        let client = gateway.modern("/mcp");
        let client = client.with_header("Authorization", &format!("Bearer {key}"));
        client
            .send(&client.message(1, "tools/list", &json!({})))
            .status
    };
    assert_eq!((status(&gateway, old), status(&gateway, new)), (200, 401));
    gateway.write(&config(new));
    gateway.says("configuration reloaded");
    assert_eq!((status(&gateway, old), status(&gateway, new)), (401, 200));
}

#[test]
fn a_move_is_told_as_long_as_it_is_one_and_notes_are_told_once() {
    let at = |listen: &str| {
        format!(
            "listen: {listen}\nkeys: {{ a: 0123456789abcdef }}\nupstreams: {{ shop: {{ demo: true }} }}\n"
        )
    };
    let folder = tempfile::tempdir().expect("there is room for a folder");
    std::fs::write(folder.path().join("breakfall.yaml"), at("127.0.0.1:0"))
        .expect("there is room for a file");
    let mut gateway = Gateway::start(&["-c", "breakfall.yaml"], folder);
    gateway.write(&at("127.0.0.2:0"));
    gateway.says("'listen' has changed to 127.0.0.2:0");
    gateway.write(&at("127.0.0.1:0"));
    gateway.says("configuration reloaded");
    gateway.signal("HUP");
    gateway.says("configuration reloaded");
    let moves = gateway.log.iter().filter(|line| line.contains("'listen'"));
    assert_eq!(moves.count(), 1, "{:?}", gateway.log);
    gateway.write(&at("0.0.0.0:0").replace("keys", "drain: 1s # keys"));
    let line = gateway.says("other machines");
    assert!(
        line.contains("Z breakfall: warn: ") && !line.contains("warning:"),
        "{line}"
    );
}
