//! The examples every rule carries.

use std::time::Duration;

use breakfall::classify::{Classifier, Rule, TextRule, http, rpc};
use breakfall::{Confidence, codes};

use super::{rule, said, text};

/// Whether a rule recognises a text. Rules that only take a layer off are known by the tool they name.
fn recognises(of: &Rule<'_>, example: &str) -> bool {
    if of.id.starts_with("disguise.") {
        let unmasking = Classifier::new().unmask(true);
        let fault = unmasking.disguised(&said(example));
        return fault.is_some_and(|fault| rule(&fault).split('+').next() == Some(of.id));
    }
    let fault = text(example);
    if of.id.starts_with("prefix.tool") {
        let only = Classifier::new().without(of.id).expect("a rule");
        let operation =
            |fault: &breakfall::Fault| fault.public().details().get("operation").cloned();
        return operation(&fault).is_some() && operation(&only.text(example)).is_none();
    }
    rule(&fault) == of.id
}

fn all() -> Vec<Rule<'static>> {
    let classifier = Box::leak(Box::new(Classifier::new()));
    classifier.rules().collect()
}

#[test]
fn every_rule_recognises_its_examples_and_no_counter_example() {
    let mut wrong = Vec::new();
    for of in all() {
        assert!(!of.examples.is_empty(), "{} has no example", of.id);
        assert!(
            !of.counter_examples.is_empty(),
            "{} has no counter-example",
            of.id
        );
        for example in of
            .examples
            .iter()
            .filter(|example| !recognises(&of, example))
        {
            wrong.push(format!(
                "{} misses {example:?}, which is {}",
                of.id,
                rule(&text(example))
            ));
        }
        for example in of
            .counter_examples
            .iter()
            .filter(|example| recognises(&of, example))
        {
            wrong.push(format!("{} takes {example:?}", of.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_gets_the_code_and_the_confidence_of_its_rule() {
    for of in all().iter().filter(|of| of.id.starts_with("text.")) {
        for example in of.examples {
            let fault = text(example);
            if let Some(code) = of.code {
                assert_eq!(fault.code(), code, "{example}");
            }
            let sure = fault.public().provenance().map(|by| by.confidence);
            assert_eq!(sure, Some(Confidence::Textual), "{example}");
        }
    }
}

#[test]
fn ids_are_unique_and_every_phrase_is_one() {
    let mut ids: Vec<_> = all().iter().map(|of| of.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    for of in all() {
        let own = TextRule::new("own.check", codes::INTERNAL_ERROR).phrase("one at least");
        let own = of
            .phrases
            .iter()
            .fold(own, |own, phrase| own.phrase(*phrase));
        let checked = Classifier::new().with(own);
        assert!(checked.is_ok(), "{}: {:?}", of.id, checked.err());
    }
}

/// What the particular rules must not take from each other, and numbers in places of no meaning.
#[test]
fn the_particular_comes_before_the_general() {
    for (said, want) in [
        ("HTTP 403: API rate limit exceeded", "RATE_LIMIT_EXCEEDED"),
        ("status code 401: token expired", "AUTHENTICATION_EXPIRED"),
        (
            "status code 401: repository not found",
            "AUTHENTICATION_REQUIRED",
        ),
        ("Internal error: connection refused", "UNAVAILABLE_NETWORK"),
        ("500 items", "INTERNAL_UNKNOWN"),
        ("processed 429 of 500 records", "INTERNAL_UNKNOWN"),
        ("Error: 404 files were skipped", "INTERNAL_UNKNOWN"),
        ("it has not timed out", "INTERNAL_UNKNOWN"),
        ("substring unauthorizedness", "INTERNAL_UNKNOWN"),
        ("Something for people", "INTERNAL_UNKNOWN"),
    ] {
        assert_eq!(text(said).code().name(), want, "{said}");
    }
}

#[test]
fn lines_that_speak_of_the_error_come_before_lines_that_do_not() {
    let python = "Traceback (most recent call last):\n  File \"app.py\", line 3, in permission_denied\n    raise NotFound\n\
                  requests.exceptions.ConnectTimeout: request timed out";
    assert_eq!(text(python).code(), codes::UNAVAILABLE_TIMEOUT);
    let node =
        "Error: ENOENT: no such file or directory, open 'x'\n    at rateLimitExceeded (a.js:1:2)";
    assert_eq!(text(node).code(), codes::NOT_FOUND_RESOURCE);
    let vague = "Error: an unexpected error occurred\nDetails: connection refused";
    assert_eq!(text(vague).code(), codes::UNAVAILABLE_NETWORK);
}

#[test]
fn waits_in_words_are_kept_where_a_repetition_is_allowed() {
    let seconds = |said: &str| text(said).public().retry_after_seconds();
    assert_eq!(seconds("Too many requests. Retry after 7 seconds"), Some(7));
    assert_eq!(
        seconds("Rate limit reached. Please try again in 6m0s."),
        Some(360)
    );
    assert_eq!(seconds("Service Unavailable\nRetry-After: 120"), Some(120));
    assert_eq!(
        seconds("Unknown tool: x. Retry after 7 seconds"),
        None,
        "it will not be known then"
    );
}

#[test]
fn a_status_in_words_is_kept() {
    let fault = text("Failed to fetch https://x.example - status code 429");
    assert_eq!(fault.public().http_status(), Some(429));
    assert_eq!(fault.code(), codes::RATE_LIMIT_EXCEEDED);
}

#[test]
fn a_status_in_the_words_is_kept_whichever_rule_decides() {
    for (text, code, status) in [
        ("502 Bad Gateway", "UNAVAILABLE_DEPENDENCY", 502),
        ("401 Unauthorized", "AUTHENTICATION_REQUIRED", 401),
        (
            "HTTP 403: API rate limit exceeded",
            "RATE_LIMIT_EXCEEDED",
            403,
        ),
        ("MCP error 429: come back", "RATE_LIMIT_EXCEEDED", 429),
        (
            "MCP error 503: rate limit exceeded",
            "RATE_LIMIT_EXCEEDED",
            503,
        ),
    ] {
        let fault = Classifier::new().text(text);
        let seen = (fault.code().name(), fault.public().http_status());
        assert_eq!(seen, (code, Some(status)), "{text}");
    }
    let counted = Classifier::new().text("rate limit exceeded for 500 items");
    assert_eq!(counted.public().http_status(), None);
}

#[test]
fn a_wait_is_the_one_that_is_stated_and_never_its_first_digits() {
    let limited = "rate limit: 100 requests per 60 seconds. Try again in 13.5s";
    let fault = Classifier::new().text(limited);
    assert_eq!(fault.code().name(), "RATE_LIMIT_EXCEEDED");
    assert_eq!(
        fault.public().retry_after(),
        Some(Duration::from_millis(13_500))
    );
    let absurd = Classifier::new().text("Rate limit exceeded. Retry after 1e308 seconds");
    assert_eq!(absurd.public().retry_after(), None);
}

#[test]
fn a_page_is_never_the_message_wherever_it_stands() {
    let page = "<!DOCTYPE html>\n<html><head><title>Bad day</title></head><body>x</body></html>";
    let json = serde_json::json!({"message": page}).to_string();
    let rpc = serde_json::json!({"code": -32603, "message": format!("Upstream: {page}")});
    let seen = [
        (text(page), "Bad day"),
        (text(&format!("Upstream: {page}")), "Upstream: Bad day"),
        (text(&format!("MCP error 502: {page}")), "Bad day"),
        (of_http(&json), "Bad day"),
        (of_http(&format!("Upstream: {page}")), "Upstream: Bad day"),
        (rpc::fault(&rpc, &rpc::Call::new()), "Upstream: Bad day"),
    ];
    for (fault, want) in seen {
        assert_eq!(fault.public().message(), want);
    }
    for text in [text(&json), text(&format!("Call failed: {json}"))] {
        let message = text.public().message();
        assert!(!message.contains("<html"), "{message}");
    }
}

fn of_http(body: &str) -> breakfall::Fault {
    let failure = http::Failure::new(502).body(body);
    http::fault(&failure, breakfall::Timestamp::UNIX_EPOCH)
}

#[test]
fn words_beside_a_name_that_says_little_are_followed() {
    let body = r#"{"error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}"#;
    for said in [body.to_owned(), format!("Error code: 400 - {body}")] {
        assert_eq!(
            text(&said).code().name(),
            "BUSINESS_INSUFFICIENT_BALANCE",
            "{said}"
        );
    }
    let vague = r#"{"error": {"type": "invalid_request_error", "message": "service unavailable"}}"#;
    assert_eq!(text(vague).code().name(), "VALIDATION_INVALID_VALUE");
}
