//! What redaction costs on text that needs none, next to what `memchr` needs to scan the same bytes.
//!
//! The bar is a ratio to that scan in the same run, shown in the table at the end, with texts made to be slow beneath it.
//! Nothing here fails on a slow machine.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use breakfall::redact::{Audience, Redactor};
use criterion::{Criterion, Throughput};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(40)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    clean(&mut criterion);
    dirty(&mut criterion);
    criterion.final_summary();
    // Under `cargo test` the benches only have to run.
    if std::env::args().any(|arg| arg == "--bench") {
        table();
    }
}

fn clean(criterion: &mut Criterion) {
    for (name, lines) in TEXTS {
        for size in SIZES {
            let text = text(lines, size);
            let mut group = criterion.benchmark_group(format!("clean {name}/{size}"));
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function("redact", |bench| bench.iter(|| untouched(&text)));
            group.bench_function("memchr", |bench| bench.iter(|| scanned(&text)));
            group.finish();
        }
    }
}

fn dirty(criterion: &mut Criterion) {
    let text = format!("{}{}", DIRTY, text(PROSE, 2000));
    let mut group = criterion.benchmark_group("dirty");
    group.throughput(Throughput::Bytes(text.len() as u64));
    for audience in [Audience::Client, Audience::Operator] {
        group.bench_function(audience.as_str(), |bench| {
            let redactor = Redactor::new(audience);
            bench.iter(|| redactor.text(black_box(&text)).len());
        });
    }
    group.finish();
}

fn table() {
    println!(
        "\n{:<26} {:>12} {:>12} {:>9}",
        "", "redact", "memchr", "ratio"
    );
    for (name, lines) in TEXTS {
        for size in SIZES.into_iter().chain([64 << 20]) {
            let text = text(lines, size);
            let rounds = (20_000_000 / size).clamp(3, 400);
            let ours = median(rounds, || untouched(&text));
            let theirs = median(rounds, || scanned(&text));
            println!(
                "{:<26} {:>7} MB/s {:>7} MB/s {:>9}",
                format!("{name}, {size} bytes"),
                rate(size, ours),
                rate(size, theirs),
                format!("1/{:.0}", ours.as_secs_f64() / theirs.as_secs_f64()),
            );
        }
    }
    println!("\nmade to be slow, 100 000 bytes");
    for piece in STUBBORN {
        let text = piece.repeat(100_000 / piece.len());
        let redactor = Redactor::client().limit(usize::MAX);
        let time = median(3, || redactor.text(black_box(&text)).len());
        println!(
            "{:<26} {:>7} MB/s",
            format!("{piece:?}"),
            rate(text.len(), time)
        );
    }
}

fn median<T>(rounds: usize, code: impl Fn() -> T) -> Duration {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let begun = Instant::now();
            black_box(code());
            begun.elapsed()
        })
        .collect();
    times.sort();
    times[rounds / 2]
}

fn rate(bytes: usize, time: Duration) -> u128 {
    bytes as u128 * 1000 / time.as_nanos().max(1)
}

fn untouched(text: &str) -> bool {
    let redactor = Redactor::client().limit(usize::MAX);
    let clean = redactor.text(black_box(text));
    assert!(
        matches!(clean, Cow::Borrowed(_)),
        "the text of the bench is clean"
    );
    true
}

/// No text holds a zero byte, so all of it is scanned.
fn scanned(text: &str) -> Option<usize> {
    memchr::memchr(0, black_box(text.as_bytes()))
}

/// Some lines until there is enough.
fn text(lines: &[&str], size: usize) -> String {
    let mut text = String::with_capacity(size + 256);
    for line in lines.iter().cycle() {
        if text.len() >= size {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text.truncate(text.floor_char_boundary(size));
    text
}

const SIZES: [usize; 3] = [2_000, 64_000, 1_000_000];

const TEXTS: [(&str, &[&str]); 3] = [("prose", PROSE), ("log", LOG), ("tools", TOOLS)];

/// What tools say to those who call them.
const PROSE: &[&str] = &[
    "The order could not be closed because two of its items are still open. Close them first, then try again.",
    "Tool 'close_order' not found. Did you mean 'close_orders'?",
    "Rate limit exceeded: 100 requests per minute. Wait 45 seconds before retrying.",
    "The connection was reset by the peer while the answer was being read; the operation may have been carried out.",
    "Input should be a valid date; the month comes before the day.",
    "This account may read invoices but not create them. Ask an administrator for the role 'billing'.",
    "The file was uploaded, but its preview could not be made: the format is not supported.",
    "Nothing matched the filter. Widen the range of dates or leave out the customer.",
    "Validation failed for field 'quantity': expected an integer between 1 and 100, got \"many\".",
    "The upstream service closed the stream before the answer was complete, so the rest of the rows is missing.",
    "See the documentation of this tool for the rules of the field.",
];

/// The same with what programs put into their lines: times, ids, addresses, numbers, pairs.
const LOG: &[&str] = &[
    "Validation failed for field 'quantity': expected an integer between 1 and 100, got \"many\".",
    "The order could not be closed because two of its items are still open. Close them first, then try again.",
    "2026-01-12T10:22:31.123Z WARN retrying the request to the payment service, attempt 2 of 3, next one in 400 ms",
    "Upstream answered 503 Service Unavailable after 1204 ms; the circuit stays closed.",
    "request 7f3c2b1e-58aa-4a52-9f3c-0d4b1f6e2a77 failed: POST https://api.example.com/v1/orders/48211 returned 409",
    "Tool 'close_order' not found. Did you mean 'close_orders'?",
    "Rate limit exceeded: 100 requests per minute. Wait 45 seconds before retrying.",
    "See https://docs.example.com/errors#quantity for the rules of this field.",
    "worker-7 processed 1532 of 1600 rows in 12.4 s, 68 rows were skipped (duplicate id)",
    "Input should be a valid date, for example 2026-01-12; the month comes before the day.",
    "level=info msg=\"sync finished\" shop=berlin items=1532 duration=12.4s",
    "{\"code\":\"invalid_type\",\"expected\":\"string\",\"received\":\"number\",\"path\":[\"owner\"],\"message\":\"Expected string, received number\"}",
    "Das Ergebnis wurde gekürzt: 200 von 1532 Zeilen. Mit einem Filter wird es kleiner.",
    "The upstream service closed the stream before the answer was complete, so the rest of the rows is missing.",
];

/// Messages of compilers, package managers and runners of tests.
const TOOLS: &[&str] = &[
    "error[E0308]: mismatched types",
    "  --> src/main.rs:12:18",
    "   |",
    r#"12 |     let total: u32 = "seven";"#,
    "   |                ---   ^^^^^^^ expected `u32`, found `&str`",
    r#"error: could not compile `shop` (bin "shop") due to 1 previous error; 2 warnings emitted"#,
    "src/cart.ts(41,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "npm error code ERESOLVE",
    "npm error ERESOLVE unable to resolve dependency tree",
    r#"npm error Could not resolve dependency: peer react@"^18.0.0" from react-dom@18.2.0"#,
    "ERROR: No matching distribution found for numpy==9.9.9",
    "main.go:17:2: undefined: fmt.Printn",
    "orders.c:88:14: warning: unused variable 'total' [-Wunused-variable]",
    "Order.java:31: error: cannot find symbol",
    r#"error: failed to select a version for the requirement `serde = "^9.0"`; candidate versions found which didn't match: 1.0.210, 1.0.209"#,
    r#"CMake Error at CMakeLists.txt:24 (find_package): Could not find a package configuration file provided by "Boost""#,
    "fatal: not a git repository (or any of the parent directories): .git",
    "CONFLICT (content): Merge conflict in src/orders.rs",
    "FAILED tests/test_cart.py::test_total - assert 41 == 42",
    "Build FAILED in 12.4s with 3 errors and 17 warnings",
];

/// One of each.
const DIRTY: &str = "Traceback (most recent call last):\n  File \"/srv/shop/orders.py\", line 7, in close\n    raise Locked\nLocked: busy\n\
    SELECT total FROM orders WHERE customer = 'ada'\npassword=hunter2\nno route to 10.0.3.17:5432\nmail to ada@example.com failed\n";

/// Texts that make a careless rule read the same bytes over and over.
const STUBBORN: &[&str] = &[
    "password=",
    "at a.b(",
    "/a/a/a",
    "-----BEGIN PRIVATE KEY-----",
    "12-",
    "4111 ",
    "sk-",
    "eyJ",
    "@",
    "select ",
    "\\u0040",
    "%40",
    "    at a.b(",
    "\"/x/",
];
