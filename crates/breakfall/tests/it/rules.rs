//! Failures that arrive as words: the rules, what they make of texts and results, and what operators can do about them.

mod bounds;
mod disguises;
mod dumps;
mod examples;
mod operators;
mod page;
mod results;
mod tables;

use breakfall::Fault;
use breakfall::classify::Classifier;
use serde_json::{Value, json};

fn text(text: &str) -> Fault {
    Classifier::new().text(text)
}

fn rule(fault: &Fault) -> &str {
    let by = fault.public().provenance().expect("every rule signs");
    &by.rule
}

/// A result of one text block that does not say it failed.
fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// A result of one text block that does.
fn failed(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}
