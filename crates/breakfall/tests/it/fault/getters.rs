//! Reading a fault, comparing it and copying it.

use std::error::Error;
use std::time::Duration;

use breakfall::wire::Dialect;
use breakfall::{
    Confidence, CorrelationId, Elicitation, Fault, Hint, Origin, Provenance, Retry, Timestamp,
    Violation, codes,
};
use serde_json::json;

fn full() -> Fault {
    Fault::new(codes::UNAVAILABLE_SERVICE)
        .message("The shop is shut")
        .detail("shop", "Leith")
        .violation(Violation::at("/shop").expected("open").got("shut"))
        .domain_code("SHOP_SHUT")
        .retry(Retry::Backoff)
        .retry_after(Duration::from_secs(5))
        .remediation("Come back later.")
        .actions(["wait"])
        .hint(Hint::RetryLater)
        .user_message("We are shut.")
        .fallback_tool("order_online")
        .corrective_params(json!({"shop": "York"}))
        .origin(Origin::Tool)
        .provenance(Provenance::new("shop", Confidence::Exact))
        .http_status(503)
        .correlation_id(CorrelationId::new("id-7").unwrap())
        .at(Timestamp::UNIX_EPOCH)
        .docs_url("https://shop.example")
        .ask(Elicitation::new("Which shop?").field("shop"))
        .caused_by("planted cause")
        .note("planted note")
}

#[test]
fn each_getter_reads_what_the_builder_of_its_noun_set() {
    let fault = full();
    assert_eq!(fault.message_text(), "The shop is shut");
    assert_eq!(fault.details().text("shop"), Some("Leith"));
    assert_eq!(fault.violations().len(), 1);
    assert_eq!(fault.violations()[0].got_value(), Some(&json!("shut")));
    assert_eq!(fault.domain_name(), Some("SHOP_SHUT"));
    assert_eq!(fault.retry_class(), Retry::Backoff);
    assert_eq!(fault.wait(), Some(Duration::from_secs(5)));
    assert_eq!(fault.remediation_text(), "Come back later.");
    assert_eq!(fault.recovery_actions().collect::<Vec<_>>(), ["wait"]);
    assert_eq!(fault.recovery_hint(), Hint::RetryLater);
    assert_eq!(fault.user_text(), "We are shut.");
    assert_eq!(fault.fallback_tool_name(), Some("order_online"));
    assert_eq!(fault.corrective_arguments(), Some(&json!({"shop": "York"})));
    assert_eq!(fault.responsible(), Origin::Tool);
    assert_eq!(fault.classified_by().map(|by| &*by.rule), Some("shop"));
    assert_eq!(fault.upstream_status(), Some(503));
    assert_eq!(fault.id().map(CorrelationId::as_str), Some("id-7"));
    assert_eq!(fault.timestamp(), Some(Timestamp::UNIX_EPOCH));
    assert_eq!(fault.docs_link(), Some("https://shop.example"));
    assert!(fault.question().is_some());
    assert_eq!(fault.category(), codes::UNAVAILABLE_SERVICE.category());
}

#[test]
fn a_clone_is_equal_and_shares_the_private_half() {
    let fault = full();
    let copy = fault.clone().detail("shop", "York");
    assert_ne!(fault, copy);
    assert_eq!(copy.source().unwrap().to_string(), "planted cause");
    assert!(copy.report().to_string().contains("planted note"));
    let copy = fault.clone().caused_by("other").note("other");
    assert_eq!(fault, copy, "causes and notes do not count");
    assert!(!format!("{copy:?}").contains("planted"));
}

#[test]
fn a_dialect_is_read_from_its_name() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.as_str().parse(), Ok(*dialect));
    }
    let error = "xml".parse::<Dialect>().unwrap_err().to_string();
    assert!(
        error.contains("'xml'") && error.contains("native, response-v2"),
        "{error}"
    );
    assert_eq!(Dialect::default(), Dialect::Native);
}
