//! Servers that hang, behind the real binary.

use serde_json::{Value, json};
use testing::faulty::Trail;

use super::{Gateway, content, pid, signal, until};

const CONFIG: &str = "timeout: 300ms, stuck_after: 300ms, restart: { first: 1ms, max: 10ms }";

fn upstreams(gateway: &Gateway) -> Value {
    gateway.get("/readyz").json()["upstreams"].clone()
}

#[test]
fn a_stopped_server_that_clients_share_is_replaced_and_every_page_says_so() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let trail = Trail::new(folder.path());
    let (program, file) = (testing::faulty::program(), trail.file());
    let command = format!("command: [{program:?}, --era, both, --trail, {file:?}]");
    let mut gateway = Gateway::of(&format!("upstreams:\n  odd: {{ {command}, {CONFIG} }}\n"));
    let (one, other) = (gateway.modern("/mcp/odd"), gateway.modern("/mcp/odd"));
    let before = pid(&one);
    assert_eq!(pid(&other), before);
    signal(u32::try_from(before).expect("an id"), "STOP");

    let late = one.call(1, "echo", &json!({}));
    let fault = &late["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(fault["code"], "UNAVAILABLE_TIMEOUT", "{late}");
    assert_eq!(fault["details"]["executed"], "unknown", "{late}");
    until("it is called stuck", || {
        (upstreams(&gateway)["odd"] == "stuck").then_some(())
    });
    let line = gateway.says("the server is stuck");
    assert!(line.contains("odd"), "{line}");
    let after = until("another server answers", || {
        content(&other.call(2, "pid", &json!({})))["pid"].as_u64()
    });
    assert_ne!(after, before);
    assert_eq!(upstreams(&gateway)["odd"], "up");
    let metrics = gateway.get("/metrics").text();
    let line = r#"breakfall_stuck_servers_total{upstream="odd"} 1"#;
    assert!(metrics.lines().any(|have| have == line), "{metrics}");
    let left = trail.left();
    assert_eq!(left, [u32::try_from(after).expect("an id")]);
}

#[test]
fn a_server_that_stops_reading_is_replaced_in_the_session_of_its_client() {
    let faulty = super::faulty();
    let gateway = Gateway::of(&format!("upstreams:\n  odd: {{ {faulty}, {CONFIG} }}\n"));
    let client = gateway.legacy("/mcp/odd");
    let before = pid(&client);
    client.call(1, "misbehave", &json!({"how": "stops-reading"}));
    let after = until("another server answers", || {
        content(&client.call(2, "pid", &json!({})))["pid"].as_u64()
    });
    assert_ne!(after, before);
}
