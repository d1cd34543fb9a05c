//! A call has one id: the handler, its span, the hooks, the failure and the audit trail know it.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex};

use breakfall::server::Guard;
use breakfall::{CorrelationId, Fault};
use rmcp::handler::server::common::Extension;
use rmcp::{tool, tool_router};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Metadata, Subscriber};

use super::wire::Wire;

#[derive(Clone, Default)]
struct Till(Arc<Mutex<Vec<String>>>);

#[tool_router(server_handler)]
impl Till {
    /// Fails, and logs on the way.
    #[tool]
    async fn close(&self, Extension(id): Extension<CorrelationId>) -> Result<String, Fault> {
        self.0.lock().unwrap().push(id.to_string());
        tokio::task::yield_now().await;
        tracing::info!("counting");
        Err(Fault::invalid_state("close", "open"))
    }
}

/// Keeps the fields of spans, and of each event those of the spans it happened in.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<SpanLog>>);

#[derive(Default)]
struct SpanLog {
    fields: Vec<String>,
    entered: Vec<usize>,
    events: Vec<String>,
}

#[derive(Default)]
struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, "{field}={value:?} ");
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.name() == "tools/call" || metadata.target().contains("identified")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut words = Words(format!("{} ", attributes.metadata().name()));
        attributes.record(&mut words);
        let mut log = self.0.lock().unwrap();
        log.fields.push(words.0);
        Id::from_u64(log.fields.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        let mut log = self.0.lock().unwrap();
        let within = log.entered.last().map(|at| log.fields[at - 1].clone());
        log.events.push(within.unwrap_or_default());
    }

    fn enter(&self, id: &Id) {
        let at = usize::try_from(id.into_u64()).expect("a few spans");
        self.0.lock().unwrap().entered.push(at);
    }

    fn exit(&self, _: &Id) {
        self.0.lock().unwrap().entered.pop();
    }
}

#[test]
fn handler_span_hooks_failure_and_trail_have_one_id() {
    let spans = Spans::default();
    let till = Till::default();
    let hooks = Arc::new(Mutex::new(Vec::new()));
    let (faults, calls) = (Arc::clone(&hooks), Arc::clone(&hooks));
    let server = Guard::new(till.clone())
        .on_fault(move |event| {
            tracing::info!("reported");
            faults
                .lock()
                .unwrap()
                .push(event.correlation_id.to_string());
        })
        .on_call(move |call| {
            let entry = call.entry(&breakfall::Stamp::System);
            assert_eq!(entry.correlation_id(), call.correlation_id);
            calls.lock().unwrap().push(call.correlation_id.to_string());
        });
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }
        .start_paused(true)
        .enable_all()
        .build()
        .expect("a runtime");
    let answers = with_default(spans.clone(), || {
        runtime.block_on(async {
            let mut wire = Wire::legacy(server).await;
            [
                wire.call("close", json!({})).await,
                wire.call("close", json!({})).await,
            ]
        })
    });
    let ids = till.0.lock().unwrap().clone();
    assert_ne!(ids[0], ids[1], "one for each call");
    let spans = spans.0.lock().unwrap();
    for (at, answer) in answers.iter().enumerate() {
        let told = &answer["result"]["_meta"]["dev.breakfall/error"]["correlation_id"];
        assert_eq!(*told, *ids[at], "{answer}");
        assert_eq!(
            hooks.lock().unwrap()[2 * at..][..2],
            [ids[at].clone(), ids[at].clone()]
        );
        // One event of the handler, one of the hook.
        for within in &spans.events[2 * at..][..2] {
            assert!(
                within.starts_with("tools/call ") && within.contains("close"),
                "{within}"
            );
            assert!(within.contains(&ids[at]), "{within}");
        }
    }
}
