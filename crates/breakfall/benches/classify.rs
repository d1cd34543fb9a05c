//! What it costs to make a fault of the failure of another server and to write it, next to what `serde_json` alone costs to
//! read the same bytes. As in the other benches the bars are ratios within one run.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

mod compare;
mod options;

use std::hint::black_box;

use breakfall::classify::http::{Failure, fault};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, encode};
use breakfall::{Outcome, Timestamp};
use criterion::Throughput;
use serde_json::{Value, json};

fn main() {
    let mut criterion = compare::criterion();
    let options = options::fixed();
    for (name, status, body) in bodies() {
        let mut group = criterion.benchmark_group(format!("classify/{name}"));
        group.throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function("fault + encode", |bench| {
            bench.iter(|| classify_and_encode(status, black_box(&body), &options));
        });
        group.bench_function("serde_json", |bench| {
            bench.iter(|| serde_json::from_str::<Value>(black_box(&body)));
        });
        group.finish();
    }
    criterion.final_summary();
    if compare::is_bench() {
        table();
    }
}

fn table() {
    compare::head();
    let options = options::fixed();
    for (name, status, body) in bodies() {
        compare::row(
            &format!("{name}, {} bytes", body.len()),
            || drop(classify_and_encode(status, black_box(&body), &options)),
            || drop(black_box(serde_json::from_str::<Value>(black_box(&body)))),
        );
    }
}

fn classify_and_encode(status: u16, body: &str, options: &Options) -> String {
    let failure = Failure::new(status)
        .header("content-type", "application/json")
        .header("date", "Wed, 28 Jan 2026 12:00:00 GMT")
        .header("x-request-id", "req_018f2b5e")
        .header("retry-after", "7")
        .body(body);
    let outcome = Outcome::Fault(fault(&failure, Timestamp::UNIX_EPOCH));
    encode(unredacted(&outcome), Dialect::Native, options)
        .map_or_else(|error| error.to_string(), |document| document.to_json())
}

/// Bodies of about a thousand bytes, as APIs send them: a name, a status, a text.
fn bodies() -> [(&'static str, u16, String); 4] {
    [
        ("fastapi 422", 422, fastapi().to_string()),
        ("google 429", 429, google().to_string()),
        ("payment 402", 402, payment().to_string()),
        ("words 400", 400, words().to_string()),
    ]
}

fn fastapi() -> Value {
    let field = |n: usize| {
        json!({
            "type": "missing",
            "loc": ["body", "order", format!("field_{n}")],
            "msg": "Field required",
            "input": null,
            "url": "https://errors.example.test/v/missing",
        })
    };
    json!({"detail": (0..8).map(field).collect::<Vec<_>>()})
}

fn google() -> Value {
    let kind = |name: &str| format!("type.googleapis.com/google.rpc.{name}");
    let quota = json!({"subject": "project:1", "description": "reads a minute", "quotaMetric": "example.test/reads"});
    json!({"error": {
        "code": 429,
        "message": "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute' of service.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": kind("ErrorInfo"), "reason": "RATE_LIMIT_EXCEEDED", "domain": "example.test", "metadata":
                {"quota_limit": "ReadsPerMinute", "quota_location": "global", "service": "s.example.test", "consumer": "p/1"}},
            {"@type": kind("RetryInfo"), "retryDelay": "7.5s"},
            {"@type": kind("QuotaFailure"), "violations": [quota, quota]},
            {"@type": kind("Help"), "links": [{"description": "More", "url": "https://example.test/quota"}]},
        ],
    }})
}

fn payment() -> Value {
    let card = json!({"brand": "visa", "country": "DE", "exp_month": 8, "exp_year": 2027, "funding": "credit", "checks": {
        "address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass"}});
    json!({"error": {
        "code": "card_declined",
        "decline_code": "insufficient_funds",
        "doc_url": "https://docs.example.test/error-codes/card-declined",
        "message": "Your card has insufficient funds.",
        "param": "",
        "type": "card_error",
        "payment_intent": {"id": "pi_1", "amount": 2000, "currency": "eur", "status": "requires_payment_method",
            "created": 1_769_601_600, "livemode": false, "metadata": {}, "payment_method_types": ["card"],
            "last_payment_error": {"code": "card_declined", "charge": "ch_1", "type": "card_error"}},
        "payment_method": {"id": "pm_1", "type": "card", "card": card, "created": 1_769_601_599, "customer": null},
        "request_log_url": "https://dashboard.example.test/logs/req_1",
    }})
}

/// Nothing but words, which is the most there is to look at and the least there is to parse.
fn words() -> Value {
    let words = "The order cannot be shipped to this address as things are. ".repeat(14);
    json!({"message": words, "id": "0b6c6f0e", "path": "/v1/orders", "trace": ["a", "b"]})
}
