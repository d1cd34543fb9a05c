//! `docs/dialects.md` shows one fault in every dialect. What it shows is what we write.

use std::path::Path;
use std::time::Duration;

use breakfall::wire::{Dialect, Options, decode};
use breakfall::{CorrelationId, Fault, Outcome, Window};
use serde_json::Value;

use crate::sample::document_of;

#[test]
fn every_example_on_the_page_is_what_we_write() {
    let outcome = the_fault();
    for (dialect, shown) in examples() {
        let written = document_of(&outcome, dialect, &Options::new());
        assert_eq!(shown, written, "{dialect}");
    }
}

#[test]
fn every_example_on_the_page_reads_as_a_rate_limit_that_may_be_retried() {
    for (dialect, shown) in examples() {
        let outcome = decode(shown, dialect, &Options::new()).unwrap();
        let public = outcome.fault().unwrap().public();
        assert_eq!(public.code().name(), "RATE_LIMIT_EXCEEDED", "{dialect}");
        assert!(public.retry().is_retryable(), "{dialect}");
        assert!(
            public.retry_after() >= Some(Duration::from_millis(7200)),
            "{dialect}"
        );
    }
}

fn the_fault() -> Outcome {
    let fault = Fault::rate_limited(20, Window::Minute)
        .in_operation("list_orders")
        .fallback_tool("cached_orders")
        .retry_after(Duration::from_millis(7200))
        .correlation_id(CorrelationId::new("0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11").unwrap())
        .at("2026-01-01T00:00:00.8Z".parse().unwrap());
    Outcome::from(fault)
}

/// The JSON block under the heading of each dialect; a dialect without one fails the test.
fn examples() -> Vec<(Dialect, Value)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/dialects.md");
    let page = std::fs::read_to_string(page).unwrap();
    let example = |dialect: &Dialect| {
        let (_, section) = page.split_once(&format!("\n## `{dialect}`\n"))?;
        let (section, _) = section.split_once("\n## ")?;
        let (_, block) = section.split_once("```json\n")?;
        let (block, _) = block.split_once("\n```")?;
        serde_json::from_str(block).ok()
    };
    let found = Dialect::ALL.iter().map(|dialect| {
        let value = example(dialect)
            .unwrap_or_else(|| panic!("docs/dialects.md has no example of {dialect}"));
        (*dialect, value)
    });
    found.collect()
}
