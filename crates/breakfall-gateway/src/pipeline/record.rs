//! Stage 8: one event per call goes to the recorder.

use std::borrow::Cow;
use std::sync::Arc;

use breakfall::catalog::warning::by_name;

use super::reply::Reply;
use super::{CallContext, Pipeline};
use crate::record::{CallEvent, Trace};
use breakfall_mcp::error::OPERATOR_REDACTOR;

impl Pipeline {
    /// Hands the event to the recorder, with what is known about a failure.
    pub(super) fn record(&self, context: &CallContext, mut reply: Reply) -> Reply {
        let upstream = &self.upstream().context;
        let call = &*context.call;
        let name = Arc::clone(&upstream.name);
        let mut event = CallEvent::new(context.id.clone(), context.at, name, &recorded(context));
        event.outcome = reply.outcome;
        event.principal.clone_from(&context.principal);
        event.attempts = context.attempts();
        event
            .attempt_records
            .clone_from(&context.exchange.attempt_records);
        event.waited = context.exchange.tried.waits().iter().sum();
        event.took = context.exchange.elapsed();
        event.sent = call.size();
        event.received = reply.size();
        let codes = context
            .warnings
            .iter()
            .filter_map(|warning| by_name(warning.code()?));
        event.warnings = codes.collect();
        let trace = Trace::of_params(call.body());
        event.trace = trace.map(|(trace, _)| trace);
        let arguments = call.arguments().unwrap_or("{}");
        upstream
            .recorder
            .record(event, arguments, reply.evidence.take());
        reply
    }
}

/// The name of the tool in records. A name that no server lists may hold anything, also a secret.
fn recorded(context: &CallContext) -> Cow<'_, str> {
    let name = context.tool();
    if context.has_output_schema.is_some() {
        return Cow::Borrowed(name);
    }
    OPERATOR_REDACTOR.text(&name[..name.floor_char_boundary(MAX_NAME_BYTES)])
}

/// More than records keep, so that no half of a secret remains at the cut.
const MAX_NAME_BYTES: usize = 4096;
