//! Properties: what holds for every fault, outcome, option and input, not just for the examples.
//!
//! `PROPTEST_CASES` sets how many cases each property tries, `PROPTEST_RNG_SEED` which ones. A case that once failed is kept under
//! `tests/proptest-regressions` and tried first from then on.

mod delay;
mod envelopes;
mod found;
mod garbage;
#[cfg(feature = "locale")]
mod languages;
mod reading;
mod round_trip;
mod schemas;
mod secrets;
mod status;
mod strategies;
mod validate;
mod values;

use proptest::test_runner::{Config, RngSeed};

/// Enough cases to meet the corners often and still be done in seconds, the same ones every time; the environment
/// overrules both (`PROPTEST_CASES`, `PROPTEST_RNG_SEED`).
pub(crate) fn cases(usual: u32) -> Config {
    let asked = |name| std::env::var_os(name).is_some();
    let mut config = Config::default();
    if !asked("PROPTEST_CASES") {
        config.cases = usual;
    }
    if !asked("PROPTEST_RNG_SEED") {
        config.rng_seed = RngSeed::Fixed(20_260_728);
    }
    config
}
