//! The list of sinks: each gets every call, and a slow one delays no caller.

use std::sync::{Arc, Mutex};

use breakfall_gateway::record::{
    AttemptOutcome, CallEvent, CallOutcome, CallRecord, CallSink, Recorder,
};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use super::calls::Client;
use super::event;

/// Collects the calls it gets.
#[derive(Debug, Default)]
struct CollectingSink(Mutex<Vec<Arc<CallEvent>>>);

impl CallSink for CollectingSink {
    fn record(&self, call: &mut CallRecord<'_>) {
        let mut events = self.0.lock().expect("no sink panics");
        events.push(Arc::clone(&call.event));
    }
}

impl CollectingSink {
    fn events(&self) -> Vec<Arc<CallEvent>> {
        self.0.lock().expect("no sink panics").clone()
    }
}

#[tokio::test]
async fn every_sink_sees_each_call_once() {
    let (first, second) = (Arc::new(CollectingSink::default()), Arc::default());
    let recorder = Recorder::off()
        .with_sink(first.clone())
        .with_sink(Arc::<CollectingSink>::clone(&second));
    let mut client = Client::new(&recorder).await;
    client
        .call("search_products", &json!({"query": "belt"}))
        .await;
    client
        .call("get_order", &json!({"order_id": "ord-9999"}))
        .await;
    for sink in [&first, &second] {
        let events = sink.events();
        let tools: Vec<_> = events.iter().map(|event| &*event.tool).collect();
        assert_eq!(tools, ["search_products", "get_order"]);
        assert_eq!(events[0].outcome, CallOutcome::Success);
        let outcomes = events.iter().map(|event| event.attempt_records[0].outcome);
        assert!(outcomes.eq([AttemptOutcome::Success, AttemptOutcome::Failed]));
        for event in events {
            let [attempt] = event.attempt_records[..] else {
                panic!("one attempt each: {event:?}");
            };
            assert!(attempt.duration <= event.took, "{event:?}");
        }
    }
    let ids = |sink: &CollectingSink| {
        let events = sink.events();
        let ids = events.iter().map(|event| event.id.to_string());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(&first), ids(&second));
}

#[tokio::test]
async fn a_slow_subscriber_delays_no_call() {
    let recorder = Recorder::off();
    let mut slow = recorder.subscribe();
    let mut client = Client::new(&recorder).await;
    for n in 0..2000 {
        recorder.record(event(&format!("c-{n}")), "{}", None);
    }
    let answer = client
        .call("search_products", &json!({"query": "belt"}))
        .await;
    assert_ne!(answer["result"]["isError"], true, "{answer}");
    let missed = slow.recv().await.expect_err("the subscriber is too slow");
    assert_eq!(missed, RecvError::Lagged(2001 - 1024));
    let mut last = slow.try_recv().expect("the feed keeps the latest calls");
    while let Ok(event) = slow.try_recv() {
        last = event;
    }
    assert_eq!(&*last.tool, "search_products");
    assert_eq!(recorder.counts().calls[0].calls, 2001);
}
