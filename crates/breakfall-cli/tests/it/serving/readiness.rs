//! What the readiness page says of servers that come and go.

use serde_json::json;
use testing::http::{Connection, Request};

use super::{Gateway, until};

#[test]
fn a_server_that_ends_with_the_session_of_its_client_is_idle_and_not_down() {
    // It takes a moment to end.
    let program = testing::faulty::program();
    let command = json!(["sh", "-c", "\"$$0\"; sleep 1", program]);
    let gateway = Gateway::before(&json!({"command": command}));
    let state = || gateway.get("/readyz").json()["upstreams"]["it"].clone();
    let client = gateway.legacy("/mcp/it");
    assert_eq!(state(), "up");
    let session = client.session.as_deref().expect("a session");
    let request = Request::new("DELETE", "/mcp/it").header("Mcp-Session-Id", session);
    let ended = Connection::open(gateway.address()).ask(&request);
    assert!(ended.expect("it answers").status < 300);
    let after = until("the server ends", || {
        Some(state()).filter(|state| state != "up")
    });
    assert_eq!(after, "idle");
    assert!(gateway.children() > 0, "it had not ended");
}
