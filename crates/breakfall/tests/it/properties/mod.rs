//! Properties: what holds for every fault, outcome, option and input, not just for the examples.
//!
//! `PROPTEST_CASES` sets how many cases each property tries. A case that once failed is kept under
//! `tests/proptest-regressions` and tried first from then on.

mod delay;
mod envelopes;
mod found;
mod garbage;
mod reading;
mod round_trip;
mod schemas;
mod secrets;
mod status;
mod strategies;
mod values;

use proptest::test_runner::Config;

/// Enough cases to meet the corners often and still be done in seconds; the environment overrules it.
fn cases(usual: u32) -> Config {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let config = Config::default();
    if asked {
        return config;
    }
    Config {
        cases: usual,
        ..config
    }
}
