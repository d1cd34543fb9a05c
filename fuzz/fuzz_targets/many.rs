//! Names, addresses, cursors and states of many servers as one, taken apart.
#![no_main]

use breakfall_gateway::aggregate::fuzzed::take;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| take(text));
