//! A request as the front judges it: from where it comes, what it claims to be, and what it is told if it may not.
#![no_main]

use breakfall_mcp::http_server::fuzzed::judge;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| judge(bytes));
