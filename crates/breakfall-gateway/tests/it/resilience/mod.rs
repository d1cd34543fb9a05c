//! What is done about a server that fails: decisions as functions, played through in every order.

mod breaker;
mod bulkhead;
mod fallback;
mod quota;
mod rate;
mod retry;
mod retry_answer;
mod shared;
mod timeouts;

use std::time::Duration;

use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Plays many games, always the same ones.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(20_260_728),
        failure_persistence: None,
        ..Config::default()
    })
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
