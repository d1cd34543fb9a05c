//! How often a fault asks for memory on its way to the wire and back, next to `serde_json` alone.
//!
//! A target of its own, because counting slows every allocation down and would spoil the times of the other.
#![expect(clippy::print_stdout, reason = "a bench prints what it saw")]

use std::hint::black_box;

use allocation_counter::measure;
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, decode_slice, encode};
use breakfall::{CorrelationId, Fault, Outcome, Stamp};
use serde_json::Value;

fn main() {
    let id = CorrelationId::new("018f2b5e-7c41-7d9a-9f0e-6a1c2b3d4e5f").expect("visible ASCII");
    let at = "2026-03-01T12:00:00Z".parse().expect("a timestamp");
    let options = Options::new().stamp(Stamp::Fixed(id, at));

    println!("{:<24} {:>12} {:>12}", "allocations", "ours", "serde_json");
    let built = measure(|| drop(black_box(typical())));
    println!("{:<24} {:>12} {:>12}", "build", built.count_total, "");
    for &dialect in Dialect::ALL {
        let outcome = Outcome::from(typical());
        let write = || {
            encode(unredacted(&outcome), dialect, &options)
                .map_or_else(|_| String::new(), |document| document.to_json())
        };
        let bytes = write().into_bytes();
        let value: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        compare(
            &format!("encode {dialect}"),
            || drop(black_box(write())),
            || drop(black_box(serde_json::to_string(&value))),
        );
        compare(
            &format!("decode {dialect}"),
            || drop(black_box(decode_slice(&bytes, dialect, &options))),
            || drop(black_box(serde_json::from_slice::<Value>(&bytes))),
        );
    }
}

fn compare(name: &str, ours: impl Fn(), reference: impl Fn()) {
    // Once before it counts, so that what is made once for all does not.
    ours();
    let (ours, reference) = (measure(ours), measure(reference));
    println!(
        "{name:<24} {:>12} {:>12}",
        ours.count_total, reference.count_total
    );
}

/// The fault of the other bench.
fn typical() -> Fault {
    Fault::not_found("user", "usr_999").fallback_tool("list_users")
}
