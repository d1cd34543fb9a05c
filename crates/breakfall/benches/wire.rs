//! What a fault costs on the wire, next to what `serde_json` alone costs for the same bytes.
//!
//! Absolute times say more about the machine than about the code, so the bars are ratios to a reference of the same
//! run, and the table at the end shows them. Nothing here fails on a slow machine.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use breakfall::wire::{Dialect, Options, decode_slice, encode};
use breakfall::{CorrelationId, Fault, Outcome, Stamp, Violation};
use criterion::{Criterion, Throughput};
use serde_json::{Value, json};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(60)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    writing(&mut criterion);
    reading(&mut criterion);
    criterion.final_summary();
    // Under `cargo test` the benches only have to run.
    if std::env::args().any(|arg| arg == "--bench") {
        table();
    }
}

fn writing(criterion: &mut Criterion) {
    let options = fixed();
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
    let options = fixed();
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
    println!(
        "\n{:<34} {:>9} {:>9} {:>7}",
        "", "ours", "reference", "ratio"
    );
    let outcome = Outcome::from(typical());
    for &dialect in Dialect::ALL {
        let (options, finished) = (fixed(), finished(&outcome, dialect));
        row(
            &format!("build + encode {dialect}"),
            || drop(build_and_encode(dialect, &options)),
            || drop(black_box(serde_json::to_string(black_box(&finished)))),
        );
    }
    let (options, finished) = (Options::new(), finished(&outcome, Dialect::Native));
    row(
        "build + encode native, fresh id",
        || drop(build_and_encode(Dialect::Native, &options)),
        || drop(black_box(serde_json::to_string(black_box(&finished)))),
    );
    for &dialect in Dialect::ALL {
        let (options, bytes) = (fixed(), kilobyte(dialect));
        row(
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

/// Times two pieces of code in turns, so that whatever else the machine does hits both, and compares medians.
fn row(name: &str, ours: impl Fn(), reference: impl Fn()) {
    const ROUNDS: usize = 301;
    const CALLS: u32 = 200;
    let time = |code: &dyn Fn()| {
        let begun = Instant::now();
        for _ in 0..CALLS {
            code();
        }
        begun.elapsed() / CALLS
    };
    let (mut mine, mut theirs) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        mine.push(time(&ours));
        theirs.push(time(&reference));
    }
    mine.sort();
    theirs.sort();
    let (mine, theirs) = (mine[ROUNDS / 2], theirs[ROUNDS / 2]);
    let ratio = mine.as_secs_f64() / theirs.as_secs_f64();
    println!(
        "{name:<34} {:>9} {:>9} {ratio:>6.2}x",
        micros(mine),
        micros(theirs)
    );
}

fn micros(time: Duration) -> String {
    format!("{:.2} µs", time.as_secs_f64() * 1e6)
}

fn build_and_encode(dialect: Dialect, options: &Options) -> String {
    let outcome = Outcome::from(black_box(typical()));
    encode(&outcome, dialect, options)
        .map_or_else(|error| error.to_string(), |document| document.to_json())
}

/// What a handler raises every day.
fn typical() -> Fault {
    Fault::not_found("user", "usr_999").fallback_tool("list_users")
}

fn fixed() -> Options {
    let id = CorrelationId::new("018f2b5e-7c41-7d9a-9f0e-6a1c2b3d4e5f").expect("visible ASCII");
    let at = "2026-03-01T12:00:00Z".parse().expect("a timestamp");
    Options::new().stamp(Stamp::Fixed(id, at))
}

fn finished(outcome: &Outcome, dialect: Dialect) -> Value {
    encode(outcome, dialect, &fixed()).map_or_else(|_| Value::Null, |document| document.to_value())
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
        let text = encode(&outcome, dialect, &fixed())
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
