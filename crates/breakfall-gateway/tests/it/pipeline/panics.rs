//! A defect in a stage costs the call it handles, and the session goes on.

use breakfall_gateway::record::{CallRecord, CallSink, Recorder};

use super::*;
use crate::session::fault;

/// A sink with a defect: it panics on every call of the tool `panic`.
#[derive(Debug)]
struct PanickingSink;

impl CallSink for PanickingSink {
    fn record(&self, call: &mut CallRecord<'_>) {
        assert_ne!(&*call.event.tool, "panic", "on purpose");
    }
}

/// A recorder whose sink panics.
pub(crate) fn recorder() -> Recorder {
    Recorder::off().with_sink(std::sync::Arc::new(PanickingSink))
}

/// A call that is refused before anything waits, with a name that stands in it twice.
pub(crate) fn refused_call(id: u32, tool: &str) -> String {
    let call = call(id, tool, json!({"n": 1})).to_string();
    call.replace(r#"{"n":1}"#, r#"{"n":1,"n":2}"#)
}

/// The answer to a call that ended in a panic.
pub(crate) fn assert_internal(answer: &Value, id: u32) {
    assert_eq!(answer["id"], id, "{answer}");
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert_eq!(fault(answer)["details"]["executed"], "unknown", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_panic_costs_one_call_whether_or_not_it_has_waited() {
    let mut bench = Bench::judged(None, |upstream| upstream.context.recorder = recorder());
    let mut server = hello(&mut bench, json!({})).await;
    bench
        .client
        .say_raw(refused_call(1, "panic").as_bytes())
        .await;
    assert_internal(&bench.client.hear().await, 1);
    bench.client.say(&call(2, "panic", json!({}))).await;
    let tool = |name| json!({"name": name, "inputSchema": {"type": "object"}});
    list(&mut server, json!([tool("panic"), tool("pay")])).await;
    work(&mut server).await;
    assert_internal(&bench.client.hear().await, 2);
    bench.client.say(&call(3, "pay", json!({}))).await;
    work(&mut server).await;
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], answer["result"].is_object()),
        (&json!(3), true)
    );
    assert_eq!((bench.peer.owed(), bench.peer.asked()), (0, 0));
}
