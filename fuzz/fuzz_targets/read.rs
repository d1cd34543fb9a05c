//! Bytes → any MCP message. Reading never fails, and what claims to have failed is never read as a success.
#![no_main]

use breakfall::redact::unredacted;
use breakfall::wire::{Options, encode, parse};
use breakfall::{Outcome, read};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(message) = parse(bytes) else {
        return;
    };
    let flagged = message.get("isError").and_then(Value::as_bool) == Some(true)
        && message.get("content").is_some_and(Value::is_array)
        && message.get("jsonrpc").is_none();
    let reading = read(message);
    let succeeded = matches!(reading.outcome, Outcome::Success(_));
    assert!(!(flagged && succeeded), "{reading:?}");
    // A wait of any length, stated anywhere, gives a delay.
    reading.delay(0, 1.0, "2026-01-02T03:04:05Z".parse().expect("a timestamp"));
    if let Some(dialect) = reading.dialect {
        encode(unredacted(&reading.outcome), dialect, &Options::new())
            .expect("it was said in this dialect");
    }
});
