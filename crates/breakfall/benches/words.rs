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

mod compare;
mod options;

use std::hint::black_box;

use breakfall::read;
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, tool_result};
use criterion::Throughput;
use serde_json::{Value, json};

fn main() {
    let mut criterion = compare::criterion();
    let options = options::fixed();
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
    if compare::is_bench() {
        table(&options);
    }
}

fn table(options: &Options) {
    compare::head();
    for (name, bytes) in failures() {
        let message = parse(&bytes);
        let reference = || drop(black_box(parse(black_box(&bytes))));
        compare::row(
            &format!("{name}, {} bytes", bytes.len()),
            || drop(black_box(answer(black_box(&message).clone(), options))),
            reference,
        );
        compare::row(
            "  with parsing",
            || drop(black_box(answer(parse(black_box(&bytes)), options))),
            reference,
        );
    }
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("a message we made")
}

/// What somebody between a client and a server does with a failure.
fn answer(message: Value, options: &Options) -> String {
    let outcome = read(message).outcome;
    let result = tool_result(unredacted(&outcome), Dialect::Native, options);
    result.map_or_else(|error| error.to_string(), |result| result.to_json())
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
