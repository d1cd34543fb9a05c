//! The record of calls.

mod calls;
mod failing;
mod entries;
mod sinks;
mod trace;

use std::sync::Arc;
use std::time::Duration;

use breakfall::{CorrelationId, Timestamp};
use breakfall_gateway::config::{Retention, RetentionLimit};
use breakfall_gateway::record::CallEvent;

/// The event of a successful call.
fn event(id: &str) -> CallEvent {
    let id = CorrelationId::new(id).expect("an id");
    let at: Timestamp = "2026-01-28T12:00:00.123456Z".parse().expect("a moment");
    let mut event = CallEvent::new(id, at, Arc::from("shop"), "get_order");
    event.took = Duration::from_millis(12);
    event.sent = 100;
    event.received = 200;
    event
}

/// Nothing is deleted for its age: the calls here have a fixed time, and the clock goes on.
fn for_ever() -> Retention {
    let mut keep = Retention::default();
    keep.audit = RetentionLimit::new(1 << 20, AGES);
    keep.reports = RetentionLimit::new(1 << 20, AGES);
    keep
}

const AGES: Duration = Duration::from_hours(24 * 365 * 100);
