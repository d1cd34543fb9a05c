//! What a fault costs on the wire, next to what `serde_json` alone costs for the same bytes.
//!
//! Absolute times say more about the machine than about the code, so the bars are ratios to a reference of the same
//! run, and the table at the end shows them. Nothing here fails on a slow machine.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

mod compare;
mod options;

use std::hint::black_box;

use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, decode_slice, encode};
use breakfall::{Fault, Outcome, Violation};
use criterion::{Criterion, Throughput};
use serde_json::{Value, json};

fn main() {
    let mut criterion = compare::criterion();
    writing(&mut criterion);
    reading(&mut criterion);
    criterion.final_summary();
    if compare::is_bench() {
        table();
    }
}

fn writing(criterion: &mut Criterion) {
    let options = options::fixed();
    let outcome = Outcome::from(typical());
    for &dialect in Dialect::ALL {
        let finished = finished(&outcome, dialect);
        let mut group = criterion.benchmark_group(format!("write/{dialect}"));
        group.throughput(Throughput::Bytes(finished.to_string().len() as u64));
        group.bench_function("build + encode", |bench| {
            bench.iter(|| build_and_encode(dialect, &options));
        });
        group.bench_function("serde_json", |bench| {
            bench.iter(|| serde_json::to_string(black_box(&finished)));
        });
        group.finish();
    }
}

fn reading(criterion: &mut Criterion) {
    let options = options::fixed();
    for &dialect in Dialect::ALL {
        let bytes = kilobyte(dialect);
        let mut group = criterion.benchmark_group(format!("read/{dialect}"));
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("decode", |bench| {
            bench.iter(|| decode_slice(black_box(&bytes), dialect, &options));
        });
        group.bench_function("serde_json", |bench| {
            bench.iter(|| serde_json::from_slice::<Value>(black_box(&bytes)));
        });
        group.finish();
    }
}

fn table() {
    compare::head();
    let outcome = Outcome::from(typical());
    for &dialect in Dialect::ALL {
        let (options, finished) = (options::fixed(), finished(&outcome, dialect));
        compare::row(
            &format!("build + encode {dialect}"),
            || drop(build_and_encode(dialect, &options)),
            || drop(black_box(serde_json::to_string(black_box(&finished)))),
        );
    }
    let (options, finished) = (Options::new(), finished(&outcome, Dialect::Native));
    compare::row(
        "build + encode native, fresh id",
        || drop(build_and_encode(Dialect::Native, &options)),
        || drop(black_box(serde_json::to_string(black_box(&finished)))),
    );
    for &dialect in Dialect::ALL {
        let (options, bytes) = (options::fixed(), kilobyte(dialect));
        compare::row(
            &format!("decode {} bytes of {dialect}", bytes.len()),
            || {
                drop(black_box(decode_slice(
                    black_box(&bytes),
                    dialect,
                    &options,
                )));
            },
            || {
                drop(black_box(serde_json::from_slice::<Value>(black_box(
                    &bytes,
                ))));
            },
        );
    }
}

fn build_and_encode(dialect: Dialect, options: &Options) -> String {
    let outcome = Outcome::from(black_box(typical()));
    encode(unredacted(&outcome), dialect, options)
        .map_or_else(|error| error.to_string(), |document| document.to_json())
}

/// What a handler raises every day.
fn typical() -> Fault {
    Fault::not_found("user", "usr_999").fallback_tool("list_users")
}

fn finished(outcome: &Outcome, dialect: Dialect) -> Value {
    encode(unredacted(outcome), dialect, &options::fixed())
        .map_or_else(|_| Value::Null, |document| document.to_value())
}

/// An error of about a thousand bytes: the message and the facts grow until it is there.
fn kilobyte(dialect: Dialect) -> Vec<u8> {
    let mut fault = Fault::invalid_type("owner", "string", "integer")
        .in_operation("get_repository")
        .violation(
            Violation::at("/owner")
                .keyword("type")
                .message("must be a string")
                .expected("string")
                .got(42),
        )
        .http_status(422);
    let mut facts = 0;
    loop {
        let outcome = Outcome::from(fault);
        let text = encode(unredacted(&outcome), dialect, &options::fixed())
            .map_or_else(|error| error.to_string(), |d| d.to_json());
        if text.len() >= 1000 {
            return text.into_bytes();
        }
        let Outcome::Fault(smaller) = outcome else {
            return text.into_bytes();
        };
        facts += 1;
        fault = smaller.detail(
            format!("fact_{facts}"),
            json!({"seen": facts, "as": "a short text"}),
        );
    }
}
