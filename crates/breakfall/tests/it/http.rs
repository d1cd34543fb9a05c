//! Faults as HTTP responses, and HTTP responses as failures.

use std::time::Duration;

use axum_core::response::{IntoResponse, Response};
use breakfall::catalog::CODES;
use breakfall::classify::http::{Failure, fault};
use breakfall::http::{CORRELATION_ID, Problem, ResponseFault};
use breakfall::redact::{Audience, Redactor};
use breakfall::wire::{Dialect, Options, decode};
use breakfall::{CorrelationId, Fault, ResultExt, Stamp, Timestamp, Window, codes};
use serde_json::{Value, json};

fn header<B>(response: &http::Response<B>, name: &str) -> Option<String> {
    let value = response.headers().get(name)?;
    Some(value.to_str().expect("visible").to_owned())
}

fn body(response: &http::Response<Vec<u8>>) -> Value {
    serde_json::from_slice(response.body()).expect("a problem is JSON")
}

#[test]
fn a_handler_of_axum_returns_a_derived_error() {
    #[derive(Debug, Fault)]
    #[fault(code = "TABLE_TAKEN", extends = CONFLICT_INVALID_STATE, message = "The table is taken", http = 423)]
    struct Taken;

    fn handler() -> Result<String, Taken> {
        Err(Taken)
    }
    let response: Response = handler().into_response();
    assert_eq!(response.status(), 423);
    let raised = response
        .extensions()
        .get::<ResponseFault>()
        .expect("the fault");
    assert_eq!(raised.code().name(), "TABLE_TAKEN");
}

#[test]
fn a_handler_returns_a_fault_with_a_question_mark() {
    fn handler(id: &str) -> Result<String, Fault> {
        let number: u8 = id
            .parse()
            .or_fault(Fault::invalid_type("id", "integer", "string"))?;
        Ok(number.to_string())
    }
    let run = |id| handler(id).into_response();
    let fine: Response = run("7");
    assert_eq!(fine.status(), 200);
    let failed: Response = run("seven");
    assert_eq!(failed.status(), 400);
    assert_eq!(
        header(&failed, "content-type").as_deref(),
        Some("application/problem+json")
    );
}

#[test]
fn every_code_answers_with_its_status_and_is_read_back() {
    for &code in CODES {
        let response = Problem::new(Fault::new(code)).response();
        assert_eq!(response.status().as_u16(), code.entry().http, "{code}");
        let id = header(&response, "x-correlation-id").expect("an id");
        let document = body(&response);
        assert_eq!(document["status"], code.entry().http, "{code}");
        let read = decode(document, Dialect::Problem, &Options::new()).expect("a problem");
        let read = read.fault().expect("a failure");
        assert_eq!(read.code(), code);
        let told = read.public().correlation_id().map(CorrelationId::as_str);
        assert_eq!(told, Some(id.as_str()), "header and body tell the same id");
    }
}

#[test]
fn a_response_becomes_the_same_fault_on_the_other_side() {
    let sent = Fault::rate_limited(100, Window::Minute).retry_after(Duration::from_millis(4100));
    let response = Problem::new(sent).response();
    assert_eq!(
        header(&response, "retry-after").as_deref(),
        Some("5"),
        "rounded up"
    );
    let read = fault(&Failure::of(&response), Timestamp::UNIX_EPOCH);
    assert_eq!(read.code(), codes::RATE_LIMIT_EXCEEDED);
    assert_eq!(read.public().details().get("limit"), Some(&json!(100)));
    assert!(read.public().retry_after().is_some());
    let (parts, bytes) = response.into_parts();
    let again = fault(
        &Failure::of_parts(&parts).body(&bytes),
        Timestamp::UNIX_EPOCH,
    );
    assert_eq!(again.public(), read.public());
}

#[test]
fn headers_follow_the_fault() {
    let fault = Fault::unauthenticated()
        .detail("scheme", "Bearer")
        .correlation_id(CorrelationId::new("c-1").expect("an id"));
    let response = Problem::new(fault).response();
    assert_eq!(
        header(&response, "www-authenticate").as_deref(),
        Some("Bearer")
    );
    assert_eq!(
        header(&response, CORRELATION_ID.as_str()).as_deref(),
        Some("c-1")
    );
    assert_eq!(
        header(&response, "cache-control").as_deref(),
        Some("no-store")
    );
    assert_eq!(header(&response, "content-language").as_deref(), Some("en"));
    assert_eq!(header(&response, "retry-after"), None);
    let own = Problem::new(Fault::invalid("Das passt nicht")).response();
    assert_eq!(
        header(&own, "content-language"),
        None,
        "whoever wrote it knows"
    );
    let german = Fault::missing_param("x").in_language(breakfall::locale::Language::German);
    let german = Problem::new(german).response();
    assert_eq!(header(&german, "content-language").as_deref(), Some("de"));
    let found = Fault::not_found("order", "7").detail("scheme", "Bearer");
    let found = Problem::new(found).response();
    assert_eq!(header(&found, "www-authenticate"), None, "only for a 401");
    let evil = Fault::unauthenticated().detail("scheme", "Bearer\r\nX-Evil: 1");
    let evil = Problem::new(evil).response();
    assert_eq!(header(&evil, "x-evil"), None);
    assert_eq!(header(&evil, "www-authenticate"), None);
}

#[test]
fn a_response_is_redacted_unless_it_is_told_not_to_be() {
    let fault =
        || Fault::invalid("cannot open '/srv/app/db.key' with password=hunter2").note("private 7");
    let default = fault().into_response();
    let source = default
        .extensions()
        .get::<ResponseFault>()
        .expect("the fault rides along")
        .clone();
    let report = source.report();
    for kept in ["private 7", "/srv/app/db.key"] {
        assert!(report.contains(kept), "{kept}: {report}");
    }
    assert!(!report.contains("hunter2"), "{report}");
    let shown = body(&Problem::new(fault()).response()).to_string();
    assert!(
        !shown.contains("/srv/app") && !shown.contains("hunter2") && !shown.contains("private 7"),
        "{shown}"
    );
    let operator = Problem::new(fault()).redactor(Redactor::new(Audience::Operator));
    let shown = body(&operator.response()).to_string();
    assert!(
        shown.contains("/srv/app/db.key") && !shown.contains("hunter2"),
        "{shown}"
    );
}

#[test]
fn an_id_that_is_a_secret_is_replaced_by_one_and_the_same_everywhere() {
    let secret = concat!("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc");
    let id = CorrelationId::new(secret).expect("an id by its letters");
    let response = Problem::new(Fault::internal().correlation_id(id)).response();
    let told = header(&response, CORRELATION_ID.as_str()).expect("an id");
    assert_ne!(told, secret);
    assert_eq!(body(&response)["correlation_id"], *told);
    let source = response
        .extensions()
        .get::<ResponseFault>()
        .expect("the fault");
    let logged = source.public().correlation_id().map(CorrelationId::as_str);
    assert_eq!(logged, Some(told.as_str()));
}

#[test]
fn options_reach_the_document() {
    let at: Timestamp = "2026-01-28T12:00:00Z".parse().expect("a moment");
    let stamp = Stamp::Fixed(CorrelationId::new("fixed").expect("an id"), at);
    let options = Options::new().strict(true).stamp(stamp);
    let response = Problem::new(Fault::internal()).options(options).response();
    assert_eq!(
        header(&response, "x-correlation-id").as_deref(),
        Some("fixed")
    );
    let document = body(&response);
    let members: Vec<_> = document.as_object().expect("an object").keys().collect();
    assert_eq!(members.len(), 5, "to the letter: {members:?}");
}
