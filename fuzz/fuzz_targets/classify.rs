//! Bytes → a failed HTTP answer. Whatever comes is a fault, with a rule that says why and a message of bounded length.
#![no_main]

use breakfall::classify::http::{Failure, fault, graphql, unreadable};
use breakfall::{Fault, Timestamp};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&first, rest)) = input.split_first() else {
        return;
    };
    // The first line is a header's value, the first byte picks which header and the status.
    let end = rest.iter().position(|b| *b == b'\n').unwrap_or(0);
    let (value, body) = rest.split_at(end);
    let choice = usize::from(first);
    let failure = Failure::new(STATUSES[choice % STATUSES.len()])
        .header(HEADERS[choice / STATUSES.len() % HEADERS.len()], value)
        .body(body);
    let now = Timestamp::UNIX_EPOCH;
    check(&fault(&failure, now));
    check(&unreadable(&failure, now));
    if let Some(fault) = graphql(&failure, now) {
        check(&fault);
    }
});

fn check(fault: &Fault) {
    let public = fault.public();
    assert!(public.provenance().is_some(), "{public:?}");
    assert!(!public.message().is_empty());
    // Documents of ours keep their words; of everybody else's there is a bound far below.
    assert!(public.message().len() <= 4 * 64 * 1024);
}

const STATUSES: &[u16] = &[400, 401, 403, 409, 422, 429, 500, 503, 200];

const HEADERS: &[&str] = &[
    "retry-after",
    "retry-after-ms",
    "x-ratelimit-reset",
    "ratelimit",
    "ratelimit-policy",
    "x-ratelimit-reset-requests",
    "www-authenticate",
    "content-type",
];
