//! How it ends: what is under way is finished, and nothing is left.

use std::thread;

use serde_json::json;
use testing::http::Connection;

use super::{Gateway, content, faulty, until};

#[test]
fn what_is_under_way_is_answered_before_it_ends() {
    let mut gateway = Gateway::of(&format!("upstreams:\n  odd:\n    {}\n", faulty()));
    let client = gateway.legacy("/mcp");
    let wait = json!({"name": "wait", "arguments": {"ms": 2000}});
    let mut slow = client.open(&client.message("p", "tools/call", &wait));
    until("the call is under way", || {
        let answer = client.call("s", "state", &json!({}));
        let state = content(&answer);
        // One is the question itself.
        let open = state["calls"].as_u64()? - state["answered"].as_u64()?;
        (open == 2).then_some(())
    });
    gateway.signal("TERM");
    gateway.says("ending, once what is under way is done");
    until("nobody new is let in", || {
        Connection::try_open(gateway.address).err()
    });
    let answer = slow.response().expect("an answer").answer("p");
    assert!(answer["result"].is_object(), "{answer}");
    let status = gateway.ended();
    assert!(status.success(), "{status}");
}

#[test]
fn what_takes_too_long_is_told_so_and_its_process_ended() {
    let mut gateway = Gateway::of(&format!(
        "drain: 300ms\nupstreams:\n  odd:\n    {}\n",
        faulty()
    ));
    let client = gateway.legacy("/mcp");
    let process = super::pid(&client);
    let mut parked =
        client.open(&client.message("p", "tools/call", &json!({"name": "park", "arguments": {}})));
    gateway.signal("INT");
    assert!(gateway.ended().success());
    let answer = parked.response().expect("an answer").answer("p");
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(error["code"], "UNAVAILABLE_SERVICE", "{answer}");
    assert_eq!(error["details"]["executed"], "unknown", "{answer}");
    let gone = std::path::PathBuf::from(format!("/proc/{process}"));
    until("the server has ended", || (!gone.exists()).then_some(()));
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
    gateway.signal("TERM");
    gateway.says("ending, once what is under way is done");
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
