//! What is kept of a call: one event, from one place.

use std::sync::Arc;

use breakfall::catalog::warning::by_name;

use super::life::Life;
use super::reply::Reply;
use super::{Call, Pipeline};
use crate::record::{Event, Trace};

impl Pipeline {
    /// Hands the event to the recorder, with what is known about a failure.
    pub(super) fn record(&self, life: &Life, mut reply: Reply) -> Reply {
        let means = &self.upstream().means;
        let call = life.call.as_deref();
        let name = Arc::clone(&means.name);
        let mut event = Event::new(life.id.clone(), life.at, name, life.tool());
        event.end = reply.end;
        event.principal = self.link.principal().cloned();
        event.attempts = life.attempts();
        event.waited = life.tried.waits().iter().sum();
        event.took = life.took();
        event.sent = call.map_or(0, Call::size);
        event.received = reply.size();
        let codes = life
            .warnings
            .iter()
            .filter_map(|warning| by_name(warning.code()?));
        event.warnings = codes.collect();
        let trace = call.and_then(|call| Trace::of_params(call.body()));
        event.trace = trace.map(|(trace, _)| trace);
        let arguments = call.and_then(Call::arguments).unwrap_or("{}");
        means
            .recorder
            .record(event, arguments, reply.evidence.take());
        reply
    }
}
