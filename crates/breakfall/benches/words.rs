//! What it costs to recognise a failure that arrives as words and to answer with it, next to what `serde_json` alone
//! costs for reading the same bytes.
//!
//! Ours is a value → fault → bytes of a native tool result, and in a second row bytes → value in front of it. The first
//! includes a copy of the value, which is used up, and which nobody else has to make. The bar is a ratio to the reference of
//! the same run; nothing here fails on a slow machine.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use breakfall::read;
use breakfall::wire::{Dialect, Options, tool_result};
use breakfall::{CorrelationId, Stamp};
use criterion::{Criterion, Throughput};
use serde_json::{Value, json};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(60)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let options = fixed();
    for (name, bytes) in failures() {
        let mut group = criterion.benchmark_group(format!("words/{name}"));
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        let message = parse(&bytes);
        group.bench_function("classify + render", |bench| {
            bench.iter(|| answer(black_box(&message).clone(), &options));
        });
        group.bench_function("parse + classify + render", |bench| {
            bench.iter(|| answer(parse(black_box(&bytes)), &options));
        });
        group.bench_function("serde_json", |bench| {
            bench.iter(|| parse(black_box(&bytes)));
        });
        group.finish();
    }
    criterion.final_summary();
    // Under `cargo test` the benches only have to run.
    if std::env::args().any(|arg| arg == "--bench") {
        table(&options);
    }
}

fn table(options: &Options) {
    println!(
        "\n{:<40} {:>9} {:>9} {:>7}",
        "", "ours", "reference", "ratio"
    );
    for (name, bytes) in failures() {
        let message = parse(&bytes);
        let reference = || drop(black_box(parse(black_box(&bytes))));
        row(
            &format!("{name}, {} bytes", bytes.len()),
            || drop(black_box(answer(black_box(&message).clone(), options))),
            reference,
        );
        row(
            "  with parsing",
            || drop(black_box(answer(parse(black_box(&bytes)), options))),
            reference,
        );
    }
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("a message we made")
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
    let micros = |time: Duration| format!("{:.2} µs", time.as_secs_f64() * 1e6);
    println!(
        "{name:<40} {:>9} {:>9} {ratio:>6.2}x",
        micros(mine),
        micros(theirs)
    );
}

/// What somebody between a client and a server does with a failure.
fn answer(message: Value, options: &Options) -> String {
    let outcome = read(message).outcome;
    let result = tool_result(&outcome, Dialect::Native, options);
    result.map_or_else(|error| error.to_string(), |result| result.to_json())
}

fn fixed() -> Options {
    let id = CorrelationId::new("018f2b5e-7c41-7d9a-9f0e-6a1c2b3d4e5f").expect("visible ASCII");
    let at = "2026-03-01T12:00:00Z".parse().expect("a timestamp");
    Options::new().stamp(Stamp::Fixed(id, at))
}

/// Failures of about a thousand bytes, as JSON-RPC responses.
fn failures() -> Vec<(&'static str, Vec<u8>)> {
    let structured = json!({
        "request": {"method": "GET", "path": "/v1/orders", "query": {"status": "open", "page": 3, "per_page": 100}},
        "attempts": [
            {"at": "2026-03-01T11:59:58Z", "status": 429, "ms": 81},
            {"at": "2026-03-01T11:59:59Z", "status": 429, "ms": 77},
            {"at": "2026-03-01T12:00:00Z", "status": 429, "ms": 79},
        ],
        "limits": {"window": "minute", "limit": 100, "remaining": 0, "reset": 1_772_366_460},
        "server": {"name": "orders", "version": "4.2.0", "region": "eu-central-1", "zone": "b", "instance": "orders-7f9c", "uptime_s": 86_121},
        "trace": {"id": "4bf92f3577b34da6a3ce929d0e0e4736", "span": "00f067aa0ba902b7", "sampled": true, "links": ["a1", "b2", "c3"]},
    });
    let words = "Error calling tool 'list_orders': the orders service refused the request three times in a row and gave up.\n\
                 Request failed with status code 429: API rate limit exceeded for this account. Retry after 7 seconds.";
    let trace = "Error executing tool list_orders: could not open the ledger\n  in open_ledger, line 212 of ledger.py\n  \
                 in read_pages, line 77 of pages.py\n  in list_orders, line 31 of tools.py\n  in call, line 9 of server.py\n\
                 the page cache was warm, the index was read in full, and 31 of 40 segments had been merged by then\n\
                 the next segment was announced by the catalogue, its header was read, its checksum was right\n\
                 the reader was positioned behind the header, and the first block was requested from the storage node\n\
                 the node had been seen two seconds before, with a load of 0.4 and eleven others waiting behind us\n\
                 all of this happened within one call, on behalf of one caller, under one deadline of thirty seconds\n\
                 ConnectionError: connection refused by ledger-storage-2 while reading block 1 of segment 32 of 40";
    let pydantic = "Error executing tool add: 3 validation errors for addArguments\na\n  Field required [type=missing, \
                    input_value={'x': 'foo'}, input_type=dict]\n    For further information visit \
                    https://errors.pydantic.dev/2.11/v/missing\nb.0.c\n  Input should be a valid integer, unable to parse \
                    string as an integer [type=int_parsing, input_value='abc', input_type=str]\n    For further information \
                    visit https://errors.pydantic.dev/2.11/v/int_parsing\nlimit\n  Input should be less than or equal to 100 \
                    [type=less_than_equal, input_value=900, input_type=int]\n    For further information visit \
                    https://errors.pydantic.dev/2.11/v/less_than_equal\nmode\n  Input should be 'fast', 'slow' or 'careful' \
                    [type=literal_error, input_value='sloppy', input_type=str]\n    For further information visit \
                    https://errors.pydantic.dev/2.11/v/literal_error";
    let body = json!({"error": {"code": "insufficient_quota", "message": "You exceeded your current quota", "details": structured}});
    let response = |result: Value| {
        let message = json!({"jsonrpc": "2.0", "id": 17, "result": result});
        message.to_string().into_bytes()
    };
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    vec![
        (
            "words + structured content",
            response(
                json!({"content": text(words), "structuredContent": structured, "isError": true}),
            ),
        ),
        (
            "words alone, with a trace",
            response(json!({"content": text(trace), "isError": true})),
        ),
        (
            "pydantic",
            response(json!({"content": text(pydantic), "isError": true})),
        ),
        (
            "JSON in text",
            response(json!({"content": text(&body.to_string()), "isError": true})),
        ),
    ]
}
