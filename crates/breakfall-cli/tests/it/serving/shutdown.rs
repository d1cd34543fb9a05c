//! How it ends: what is under way is finished, and nothing is left.

use std::thread;

use serde_json::json;
use testing::http::Client;

use super::{Gateway, content, faulty, until};

/// Waits until a call has reached its server.
fn is_under_way(client: &Client) {
    until("the call is under way", || {
        let answer = client.call("s", "state", &json!({}));
        let state = content(&answer);
        // One is the question itself.
        let open = state["calls"].as_u64()? - state["answered"].as_u64()?;
        (open == 2).then_some(())
    });
}

#[test]
fn what_is_under_way_is_answered_before_it_ends() {
    let mut gateway = Gateway::of(&format!("upstreams:\n  odd:\n    {}\n", faulty()));
    let client = gateway.legacy("/mcp");
    let wait = json!({"name": "wait", "arguments": {"ms": 2000}});
    let mut slow = client.open(&client.message("p", "tools/call", &wait));
    is_under_way(&client);
    gateway.signal("TERM");
    gateway.says("shutting down, open requests have");
    // Health checks are answered, and new sessions are refused.
    let ready = gateway.get("/readyz");
    assert_eq!(
        (ready.status, &ready.json()["status"]),
        (503, &json!("draining"))
    );
    assert_eq!(gateway.get("/healthz").status, 200);
    for other in [client.clone(), gateway.modern("/mcp")] {
        let message = other.message("n", "tools/call", &wait);
        let refused = other.open(&message).response().expect("an answer");
        assert_eq!((refused.status, &refused.json()["id"]), (503, &json!("n")));
        assert_eq!(refused.header("Retry-After"), Some("1"));
        assert_eq!(refused.header("Connection"), Some("close"));
    }
    // What is under way may be spoken of.
    let note = json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"});
    assert_eq!(client.send(&note).status, 202);
    let answer = slow.response().expect("an answer").answer("p");
    assert!(answer["result"].is_object(), "{answer}");
    let status = gateway.ended();
    assert!(status.success(), "{status}");
}

#[test]
fn what_takes_too_long_is_told_so_and_its_process_ended() {
    for signal in ["INT", "QUIT"] {
        cut_off_by(signal);
    }
}

fn cut_off_by(signal: &str) {
    let mut gateway = Gateway::of(&format!(
        "drain: 300ms\nupstreams:\n  odd:\n    {}\n",
        faulty()
    ));
    let client = gateway.legacy("/mcp");
    let process = super::pid(&client);
    let mut parked =
        client.open(&client.message("p", "tools/call", &json!({"name": "park", "arguments": {}})));
    is_under_way(&client);
    gateway.signal(signal);
    assert!(gateway.ended().success());
    let answer = parked.response().expect("an answer").answer("p");
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(error["code"], "UNAVAILABLE_SERVICE", "{answer}");
    assert_eq!(error["details"]["executed"], "unknown", "{answer}");
    let gone = std::path::PathBuf::from(format!("/proc/{process}"));
    until("the server has ended", || (!gone.exists()).then_some(()));
}

#[test]
fn who_waits_for_something_else_than_a_server_is_told_too() {
    let silent = json!({"command": ["sh", "-c", "exec cat > /dev/null"]});
    let again = json!({"attempts": 5, "base": "5s", "cap": "5s", "max_wait": "1m"});
    let odd = json!({"command": [testing::faulty::program()], "retry": again, "tools": {"*": {"idempotent": true}}});
    let config = json!({"drain": "300ms", "upstreams": {"silent": silent, "odd": odd}});
    let mut gateway = Gateway::of(&config.to_string());
    let park = json!({"name": "park", "arguments": {}});
    let modern = |path: &str| gateway.modern(path);
    // One server is asked of which era it is, all are asked what they have, and a call is made once more later.
    let session = gateway.legacy("/mcp/odd");
    super::pid(&session);
    let waiting = [
        (modern("/mcp/silent"), "tools/call", park.clone()),
        (modern("/mcp"), "tools/list", json!({})),
        (session, "tools/call", park),
    ];
    let mut waiting = waiting.map(|(client, method, params)| {
        let open = client.open(&client.message("p", method, &params));
        (client, open)
    });
    is_under_way(&waiting[2].0);
    gateway.signal("TERM");
    gateway.says("shutting down, open requests have");
    assert!(gateway.ended().success());
    let mut last = json!(null);
    for (client, open) in &mut waiting {
        let response = open.response();
        let answer = response.unwrap_or_else(|error| panic!("{client:?}: {error}"));
        let answer = answer.answer("p");
        assert!(answer["result"].is_object() || answer["error"].is_object());
        last = answer;
    }
    // It waits for the time to be made again, and no server can tell it; or it was made again just before the end.
    let is_failed = last["error"].is_object() || last["result"]["isError"] == true;
    assert!(is_failed, "{last}");
    assert!(!last.to_string().contains(r#""executed":"no""#), "{last}");
}

#[test]
fn the_second_signal_does_not_wait() {
    let mut gateway = Gateway::of(&format!(
        "drain: 1h\nupstreams:\n  odd:\n    {}\n",
        faulty()
    ));
    let client = gateway.legacy("/mcp");
    let mut parked =
        client.open(&client.message("p", "tools/call", &json!({"name": "park", "arguments": {}})));
    is_under_way(&client);
    gateway.signal("TERM");
    gateway.says("shutting down, open requests have");
    gateway.signal("TERM");
    assert!(gateway.ended().success());
    let answer = parked.response().expect("an answer").answer("p");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
}

#[test]
fn streams_that_would_go_on_for_ever_do_not_hold_it_up() {
    let mut gateway = Gateway::of("drain: 1h\nupstreams: { shop: { demo: true } }");
    let client = gateway.legacy("/mcp");
    let mut stream = client.listen();
    assert_eq!(stream.head().expect("a head").status, 200);
    let heard = thread::spawn(move || while let Ok(Some(_)) = stream.event() {});
    let modern = gateway.modern("/mcp");
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let mut lasting = modern.open(&modern.message("s", "subscriptions/listen", &listen));
    lasting.head().expect("a head");
    lasting
        .event()
        .expect("a stream")
        .expect("it is acknowledged");
    gateway.signal("TERM");
    assert!(gateway.ended().success());
    heard.join().expect("the stream ends");
    let last = lasting.event().expect("a stream").expect("its result");
    let last = last.message().expect("a message");
    assert_eq!(last["result"]["resultType"], "complete", "{last}");
    assert!(lasting.event().expect("a good end").is_none());
}
