//! The checks of an HTTP request: host, origin, headers against body, refusals.
#![no_main]

use breakfall_mcp::http_server::fuzzed::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check(bytes));
