//! error-model: two layers, number ranges, the details object, retry guidance.

use std::time::Duration;

use breakfall::read::{Backoff, Channel};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, Rpc, decode, rpc_error, rpc_error_as};
use breakfall::{Category, Fault, LimitType, Outcome, Retry, codes, read};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::sample::{document_of, result_of};

fn written(fault: Fault) -> Value {
    document_of(&fault.into(), Dialect::ErrorModel, &Options::new())
}

#[test]
fn protocol_failures_are_rpc_errors_and_domain_failures_are_results() {
    testing::proves!("S2-01", "S2-26");
    let fault = Fault::unknown_operation("tools/cal", &["tools/call"]);
    let rpc = rpc_error(
        unredacted(fault.public()),
        Dialect::ErrorModel,
        &Options::new(),
    )
    .to_value();
    assert!(rpc["code"].as_i64().is_some_and(|code| code < 0), "{rpc}");
    let reading = read(json!({"jsonrpc": "2.0", "id": 1, "error": rpc}));
    assert_eq!(reading.channel, Channel::RpcError);
    let outcome = Outcome::from(Fault::adapter("ORDER_NOT_FOUND", false));
    let result = result_of(&outcome, Dialect::ErrorModel, &Options::new());
    assert_eq!(result["structuredContent"]["error"]["code"], 4001);
    let reading = read(json!({"jsonrpc": "2.0", "id": 1, "result": result}));
    assert_eq!(
        (reading.channel, reading.dialect),
        (Channel::JsonBlock, Some(Dialect::ErrorModel))
    );
}

#[test]
fn the_five_codes_of_the_protocol_are_the_ones_used() {
    testing::proves!("S2-02");
    let code = |fault: Fault| {
        rpc_error(
            unredacted(fault.public()),
            Dialect::ErrorModel,
            &Options::new(),
        )
        .to_value()["code"]
            .clone()
    };
    let frame = Fault::invalid_encoding("frame", 3);
    let options = Options::new().strict(true);
    let parse = rpc_error_as(
        Rpc::ParseError,
        unredacted(frame.public()),
        Dialect::ErrorModel,
        &options,
    )
    .to_value();
    assert_eq!(parse, json!({"code": -32700, "message": "Parse error"}));
    assert_eq!(
        code(Fault::payload_too_large(LimitType::RequestSize, 1, 2)),
        -32600
    );
    assert_eq!(code(Fault::not_implemented("tools/fly")), -32601);
    assert_eq!(code(Fault::missing_param("name")), -32602);
    assert_eq!(code(Fault::internal()), -32603);
    for code in breakfall::catalog::CODES {
        let number = rpc_error(
            unredacted(Fault::new(*code).public()),
            Dialect::Native,
            &Options::new(),
        )
        .to_value()["code"]
            .clone();
        assert!(
            [-32700, -32600, -32601, -32602, -32603]
                .iter()
                .any(|known| number == *known),
            "{code}: {number}"
        );
    }
}

#[test]
fn details_have_four_places() {
    testing::proves!("S2-08", "S2-09", "S2-10", "S2-11");
    let fault = Fault::missing_param("order.email")
        .detail("shop", "berlin")
        .remediation("Send the address.");
    let object = written(fault)["error"]["details"].clone();
    assert_eq!(object["field"], "order.email");
    assert_eq!(object["reason"], "validation_missing_param");
    assert_eq!(object["suggestion"], "Send the address.");
    assert_eq!(object["context"]["shop"], "berlin");
    assert!(
        object["context"]["correlationId"].is_string(),
        "something to ask by"
    );
}

#[test]
fn a_number_nobody_knows_takes_the_category_of_its_range() {
    testing::proves!("S2-12", "S2-13", "S2-14", "S2-15", "S2-16");
    let category = |code: u16| {
        let document = json!({"error": {"code": code, "message": "no", "retryable": false}});
        let outcome = decode(document, Dialect::ErrorModel, &Options::new()).unwrap();
        let public = outcome.fault().unwrap().public();
        assert_eq!(
            public.domain_code(),
            Some(code.to_string().as_str()),
            "the number is kept"
        );
        (public.category(), public.code())
    };
    for edge in [1000, 1999] {
        assert_eq!(
            category(edge).0,
            Category::Validation,
            "protocol: the request is not as agreed"
        );
    }
    for edge in [2000, 2999] {
        assert_eq!(category(edge).0, Category::Validation);
    }
    for edge in [3000, 3999] {
        assert_eq!(category(edge).0, Category::Business);
    }
    for edge in [4000, 4999] {
        assert_eq!(category(edge).0, Category::Unavailable);
    }
    for edge in [5000, 5999] {
        assert_eq!(category(edge).1, codes::INTERNAL_ADAPTER);
    }
    assert_eq!(category(6000).1, codes::INTERNAL_UNKNOWN);
}

#[test]
fn the_specific_number_is_preferred() {
    testing::proves!("S2-34");
    assert_eq!(
        written(Fault::missing_param("x"))["error"]["code"],
        2002,
        "not 2001"
    );
    assert_eq!(
        written(Fault::pattern_mismatch("x", "^a$"))["error"]["code"],
        2003,
        "not 2001"
    );
    assert_eq!(
        written(Fault::timeout("op", Duration::from_secs(5)))["error"]["code"],
        3002,
        "not 4001"
    );
}

fn reading(retryable: bool) -> breakfall::read::Reading {
    read(json!({"error": {"code": 4001, "message": "no", "retryable": retryable}}))
}

#[test]
fn what_may_be_retried_is_retried_with_backoff_and_jitter() {
    testing::proves!("S2-30", "S3-36");
    let now = Timestamp::UNIX_EPOCH;
    let delays: Vec<_> = (0..4)
        .map(|attempt| reading(true).delay(attempt, 0.5, now))
        .collect();
    let seconds = |n| Some(Duration::from_secs(n));
    assert_eq!(
        delays,
        [seconds(1), seconds(2), seconds(4), None],
        "doubling, and then enough"
    );
    let spread = [0.0, 0.999].map(|chance| reading(true).delay(0, chance, now).unwrap());
    assert!(spread[0] < spread[1], "jitter: {spread:?}");
}

#[test]
fn what_may_not_be_retried_is_not() {
    testing::proves!("S2-31", "S3-37");
    assert_eq!(reading(false).delay(0, 0.5, Timestamp::UNIX_EPOCH), None);
    let change = Fault::missing_param("x");
    assert_eq!(change.public().retry(), Retry::AfterChange);
    assert_eq!(
        Backoff::default().delay(change.public(), 0, 0.5, Timestamp::UNIX_EPOCH),
        None
    );
}

#[test]
fn a_stated_wait_is_kept_and_a_reset_time_counts_as_one() {
    let now: Timestamp = "2026-01-28T12:00:00Z".parse().unwrap();
    let stated =
        Fault::rate_limited(5, breakfall::Window::Hour).retry_after(Duration::from_secs(1847));
    let delay = Backoff::default().delay(stated.public(), 0, 0.0, now);
    assert_eq!(
        delay,
        Some(Duration::from_secs(1847)),
        "longer than the cap, and still kept"
    );
    let reset = Fault::rate_limited(5, breakfall::Window::Hour)
        .resets_at("2026-01-28T13:00:00Z".parse().unwrap());
    assert_eq!(
        Backoff::default().delay(reset.public(), 0, 0.0, now),
        Some(Duration::from_hours(1))
    );
    let once = Fault::internal();
    assert!(
        Backoff::default()
            .delay(once.public(), 0, 0.5, now)
            .is_some()
    );
    assert_eq!(
        Backoff::default().delay(once.public(), 1, 0.5, now),
        None,
        "once is once"
    );
}
