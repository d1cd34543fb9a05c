//! What an answer came to.

use breakfall::classify::Classifier;
use breakfall::read::read_by;
use breakfall::wire::{Dialect, Options};
use breakfall::{Confidence, Fault, Origin, codes};
use breakfall_gateway::classify::{
    Channel, ClassifiedFailure, ExecutionEvidence, HiddenFailures, JudgedRequest, Rules, Verdict,
    judge,
};
use breakfall_gateway::reply::ReplyOptions;
use serde_json::json;

use super::{error, failure, result, text, told};

fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Success => "success",
        Verdict::Asks => "asks",
        Verdict::Malformed => "odd",
        Verdict::LooksFailed(_) => "looks failed",
        Verdict::Failed(_) => "failed",
    }
}

#[test]
fn a_plain_answer_is_a_success_whatever_it_is_about() {
    let long = format!(
        "[{}]",
        vec!["{\"error\":\"x\",\"success\":false}"; 4000].join(",")
    );
    let cases = [
        json!({"content": []}),
        json!({"content": [], "isError": false}),
        json!({"content": [{"type": "text", "text": "Errors: 0"}]}),
        json!({"content": [{"type": "text", "text": long}]}),
        json!({"content": [{"type": "text", "text": "{\"error\": null, \"rows\": []}"}]}),
        json!({"content": [{"type": "text", "text": "{\"error\": \"x\", \"rows\": [1]}"}]}),
        json!({"content": [{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}]}),
        json!({"content": [{"type": "text", "text": "Error: x"}, {"type": "text", "text": "more"}]}),
        json!({"content": [{"type": "text", "text": format!("Error: {}", "x".repeat(40_000))}]}),
        json!({"structuredContent": {"status": "failed", "id": 7}, "content": []}),
        json!({"content": [], "_meta": {"dev.breakfall/success": {"warnings": []}}}),
        json!({"content": [{"type": "text", "text": "[NOTE] read me\nFix: the roof"}]}),
    ];
    let rules = Rules::new();
    for case in cases {
        let verdict = judge(
            &result(&case.to_string()),
            &JudgedRequest::call("buy", &rules),
        );
        assert_eq!(kind(&verdict), "success", "{case:.200}");
    }
}

#[test]
fn without_unmasking_a_success_that_looks_like_a_failure_is_a_success() {
    let denies = |more: &str| {
        let text = format!(r#"{{"success":false{more}}}"#);
        result(&json!({"content": [{"type": "text", "text": text}]}).to_string())
    };
    for (more, unmasked) in [
        ("", "failed"),
        (r#","error":"no luck""#, "failed"),
        (r#","imported":98,"failed":2"#, "success"),
    ] {
        let answer = denies(more);
        let rules = Rules::new();
        let about = JudgedRequest::call("import", &rules);
        assert_eq!(kind(&judge(&answer, &about)), unmasked, "{more}");
        let about = about.hidden_failures(HiddenFailures::Off);
        assert_eq!(kind(&judge(&answer, &about)), "success", "{more}");
    }
}

#[test]
fn without_a_list_of_blocks_it_is_no_result() {
    let rules = Rules::new();
    for (case, want) in [
        (json!({}), "odd"),
        (json!({"content": "Error: boom"}), "odd"),
        (
            json!({"content": null, "structuredContent": {"n": 1}}),
            "odd",
        ),
        (json!({"content": [], "isError": null}), "odd"),
        (json!({"content": ["boom"]}), "odd"),
        (json!({"content": [null]}), "odd"),
        (json!({"content": [{"text": "boom"}]}), "odd"),
        (json!({"content": [{"type": "text", "text": 5}]}), "odd"),
        (json!({"content": [{"type": "image"}]}), "odd"),
        (json!({"content": [{"type": "hologram"}]}), "success"),
        (json!({"content": "boom", "isError": true}), "failed"),
        (json!({"content": ["boom"], "isError": true}), "failed"),
        (json!({"task": {"taskId": "1"}}), "asks"),
    ] {
        let verdict = judge(
            &result(&case.to_string()),
            &JudgedRequest::call("buy", &rules),
        );
        assert_eq!(kind(&verdict), want, "{case}");
    }
}

#[test]
fn what_is_no_result_yet_is_a_question() {
    let cases = [
        json!({"resultType": "input_required", "inputRequests": {}, "requestState": "s"}),
        json!({"inputRequests": {"a": {}}}),
        json!({"resultType": "task", "task": {"taskId": "t"}}),
        json!({"task": {"taskId": "t", "status": "working"}}),
        json!({"content": [{"type": "text", "text": "{\"kind\":\"needsInput:v1\",\"type\":\"elicitation\",\"message\":\"which?\"}"}]}),
    ];
    let rules = Rules::new();
    for case in cases {
        let verdict = judge(
            &result(&case.to_string()),
            &JudgedRequest::call("buy", &rules),
        );
        assert_eq!(kind(&verdict), "asks", "{case}");
    }
}

#[test]
fn unmasking_is_off_by_one_switch() {
    let disguised = [
        "Error: Unknown tool: fly",
        "Database error: no such table: orders",
        "<error>Page failed to be simplified from HTML</error>",
        "{\"error\": \"Rate limit exceeded\"}",
        "404 Not Found",
    ];
    for words in disguised {
        let frame = result(&json!({"content": [{"type": "text", "text": words}]}).to_string());
        let seen = failure(&frame);
        assert_eq!(seen.evidence, ExecutionEvidence::Hidden, "{words}");
        let by = seen.fault.public().provenance().expect("a rule");
        assert!(by.rule.starts_with("disguise."), "{by:?}");
        let rules = Rules::new();
        let about = JudgedRequest::call("buy", &rules).hidden_failures(HiddenFailures::Off);
        let verdict = judge(&frame, &about);
        assert_eq!(kind(&verdict), "success", "{words}");
    }
}

#[test]
fn the_first_look_lets_no_example_of_a_rule_on_disguises_pass() {
    let classifier = Classifier::new();
    let on_disguises = classifier
        .rules()
        .filter(|rule| rule.id.starts_with("disguise."));
    for rule in on_disguises {
        for words in rule.examples {
            let said = json!({"content": [{"type": "text", "text": words}]});
            let rules = Rules::new();
            let about = JudgedRequest::call("buy", &rules);
            let frame = result(&said.to_string());
            let likely = about.hidden_failures(HiddenFailures::Likely);
            let verdict = judge(&frame, &likely);
            assert_eq!(kind(&verdict), "failed", "{}: {words}", rule.id);
            let is_sure = rule.confidence == Confidence::Structural;
            let want = if is_sure { "failed" } else { "looks failed" };
            assert_eq!(kind(&judge(&frame, &about)), want, "{}: {words}", rule.id);
        }
    }
}

#[test]
fn a_result_that_says_by_another_name_that_it_failed_is_unmasked() {
    let said = json!({"is_error": true, "content": [{"type": "text", "text": "no such order"}]});
    for (hidden, want) in [
        (HiddenFailures::Certain, "failed"),
        (HiddenFailures::Off, "success"),
    ] {
        let rules = Rules::new();
        let about = JudgedRequest::call("buy", &rules).hidden_failures(hidden);
        let verdict = judge(&result(&said.to_string()), &about);
        assert_eq!(kind(&verdict), want);
    }
}

#[test]
fn a_failure_in_a_known_dialect_needs_no_unmasking() {
    let object = json!({"kind": "toolError:v1", "code": "NOT_FOUND", "message": "no such pattern", "retryable": false});
    let rules = Rules::new();
    for case in [
        json!({"content": [{"type": "text", "text": object.to_string()}]}),
        json!({"content": [{"type": "text", "text": format!(" \n\t{object}")}]}),
        json!({"content": [], "structuredContent": object}),
    ] {
        let about = JudgedRequest::call("buy", &rules).hidden_failures(HiddenFailures::Off);
        let verdict = judge(&result(&case.to_string()), &about);
        let Verdict::Failed(failure) = verdict else {
            panic!("{case}");
        };
        assert_eq!(failure.fault.code(), codes::NOT_FOUND_RESOURCE);
    }
}

#[test]
fn only_a_dialect_in_the_text_needs_no_text_of_the_gateway() {
    let object =
        json!({"kind": "toolError:v1", "code": "NOT_FOUND", "message": "no", "retryable": false});
    let said = json!({"isError": true, "content": [{"type": "text", "text": object.to_string()}]});
    assert_eq!(
        failure(&result(&said.to_string())).speaks,
        Some(Dialect::ToolError)
    );
    let unsaid = json!({"isError": true, "content": [{"type": "text", "text": "no"}], "structuredContent": object});
    let unsaid = failure(&result(&unsaid.to_string()));
    assert_eq!(
        (unsaid.speaks, unsaid.fault.code()),
        (None, codes::NOT_FOUND_RESOURCE)
    );
}

#[test]
fn an_error_is_read_with_what_was_asked() {
    let frame = error(r#"{"code":-32602,"message":"Unknown tool: by"}"#);
    let told = failure(&frame);
    assert_eq!(told.fault.code(), codes::NOT_FOUND_OPERATION);
    assert_eq!(told.channel, Channel::Protocol(None));
    let rules = Rules::new();
    let about = JudgedRequest::request("resources/read", "file:///a", &rules);
    let frame = error(r#"{"code":-32602,"message":"nope","data":{"uri":"file:///a"}}"#);
    let Verdict::Failed(told) = judge(&frame, &about) else {
        panic!("an error is a failure");
    };
    assert_eq!(told.fault.code(), codes::NOT_FOUND_RESOURCE);
}

#[test]
fn a_failure_of_a_server_is_never_said_to_be_ours() {
    for words in [
        "Rate limit exceeded",
        "connection refused",
        "no luck",
        "Internal error",
    ] {
        let failure = failure(&text(words));
        assert_ne!(failure.fault.public().origin(), Origin::Gateway, "{words}");
    }
    let native = json!({"isError": true, "content": [], "_meta": {"dev.breakfall/error": {
        "code": "RATE_LIMIT_EXCEEDED", "category": "rate_limit", "message": "m", "origin": "gateway",
        "retry": {"policy": "after", "retryable": true, "after_ms": 5},
    }}});
    let failure = failure(&result(&native.to_string()));
    assert_eq!(failure.fault.public().origin(), Origin::Upstream);
}

#[test]
fn only_infrastructure_counts_against_a_server() {
    let counts = [
        Fault::unavailable("x"),
        Fault::timeout("x", std::time::Duration::from_secs(1)),
        Fault::dependency_failed("x"),
        Fault::connection("x"),
        Fault::internal(),
        Fault::new(codes::INTERNAL_BAD_UPSTREAM),
    ];
    for fault in counts {
        let code = fault.code();
        assert!(ClassifiedFailure::new(fault).is_infrastructure(), "{code}");
    }
    let innocent = [
        Fault::invalid("x"),
        Fault::not_found("user", "1"),
        Fault::unauthenticated(),
        Fault::permission_denied("x"),
        Fault::rate_limited(1, breakfall::Window::Minute),
        Fault::quota_exhausted("x", 2, 1),
        Fault::new(codes::CONFIRMATION_REQUIRED),
        Fault::business_rule("x"),
        Fault::already_exists("x", "1"),
        Fault::new(codes::INTERNAL_UNKNOWN),
        Fault::not_implemented("x"),
        Fault::configuration("x"),
    ];
    for fault in innocent {
        let code = fault.code();
        assert!(!ClassifiedFailure::new(fault).is_infrastructure(), "{code}");
    }
}

#[test]
fn an_unknown_code_is_classified_by_its_text() {
    let envelope = |words: &str| {
        let body = json!({"success": false, "error": {"code": "E_SEVEN", "message": words, "details": {"order": 7}}});
        let block = json!([{"type": "text", "text": body.to_string()}]);
        result(&json!({"isError": true, "content": block}).to_string())
    };
    let locked = failure(&envelope("Order 7 is locked"));
    let public = locked.fault.public();
    assert_eq!(public.code(), codes::CONFLICT_INVALID_STATE);
    assert_eq!(public.domain_code(), Some("E_SEVEN"));
    assert_eq!(public.details().get("order"), Some(&7.into()));
    assert!(locked.is_guessed, "words are no statement about the server");

    let told = told(&envelope("no luck"), &ReplyOptions::default());
    let ours = super::block(&told, 0);
    assert!(
        ours.starts_with("[INTERNAL_UNKNOWN] no luck\nFix: Read what the server said"),
        "{ours}"
    );
    assert!(
        ours.contains("\nRetry: not before something changes\n"),
        "{ours}"
    );
}

#[test]
fn what_no_strict_parser_takes_is_judged_all_the_same() {
    let odd = r#"{"content":[{"type":"text","text":"rate limit exceeded \ud800"}],"isError":true,"n":1e999,"n":2}"#;
    assert_eq!(
        failure(&result(odd)).fault.code(),
        codes::RATE_LIMIT_EXCEEDED
    );
    let odd = r#"{"code":-32603,"message":"timed out","data":{"n":-1e999}}"#;
    assert_eq!(
        failure(&error(odd)).fault.code(),
        codes::UNAVAILABLE_TIMEOUT
    );
    for flag in ["1", "\"true\"", "{}", "true"] {
        let odd = format!(r#"{{"isError":{flag},"content":[]}}"#);
        assert_eq!(failure(&result(&odd)).fault.code(), codes::INTERNAL_UNKNOWN);
    }
}

#[test]
fn the_first_look_passes_over_nothing_that_the_rules_would_unmask() {
    let rules = Rules::new();
    let about = JudgedRequest::call("buy", &rules).hidden_failures(HiddenFailures::Likely);
    let classifier = Classifier::new().unmask(true);
    let mut failed = 0;
    for example in classifier
        .rules()
        .flat_map(|rule| [rule.examples, rule.counter_examples].concat())
    {
        let more = format!("{example}\nat {}", "x".repeat(1500));
        let line = format!("{example} {}", "x".repeat(450));
        let padded = format!(" \n\t{example}\r\n ");
        let decorated = format!("❌ **{example}**");
        for text in [example.to_owned(), more, line, padded, decorated] {
            let body = json!({"content": [{"type": "text", "text": text}]});
            let verdict = judge(&result(&body.to_string()), &about);
            let reading = read_by(body, &Options::new(), &classifier);
            let is_failed = reading.outcome.fault().is_some();
            assert_eq!(kind(&verdict) == "failed", is_failed, "{text}");
            failed += usize::from(is_failed);
        }
    }
    assert!(failed > 100, "{failed}");
}
