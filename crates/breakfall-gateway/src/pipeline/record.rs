//! What is kept of a call: one event, from one place.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use breakfall::catalog::warning::by_name;
use breakfall::disclose::{Audience, Redactor};

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
        let mut event = Event::new(life.id.clone(), life.at, name, &recorded(life));
        event.end = reply.end;
        event.principal = self.link.principal().cloned();
        event.attempts = life.attempts();
        event.attempt_durations.clone_from(&life.attempt_durations);
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

/// What a tool is called where it is recorded. One that no server lists may be called anything, by a caller who mixes things up.
fn recorded(life: &Life) -> Cow<'_, str> {
    let name = life.tool();
    if life.has_output_schema.is_some() {
        return Cow::Borrowed(name);
    }
    OPERATOR.text(&name[..name.floor_char_boundary(LONGEST)])
}

static OPERATOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(Audience::Operator));

/// More of a name than is kept, so that what is cut off in the end is no half of a secret.
const LONGEST: usize = 4096;
