//! Bare failures of others, made into faults: which code, by which rule, how sure, and what is kept.

mod clients;
mod here;
mod hostile;
mod http;
mod rpc;

use breakfall::{Confidence, Fault, Timestamp};

/// A moment for whoever needs one.
fn now() -> Timestamp {
    "2026-01-28T12:00:00Z".parse().expect("a moment")
}

/// Code, rule and confidence of a fault.
fn verdict(fault: &Fault) -> (&'static str, &str, Confidence) {
    let from = fault.public().provenance().expect("a rule decided it");
    (fault.code().name(), &from.rule, from.confidence)
}
