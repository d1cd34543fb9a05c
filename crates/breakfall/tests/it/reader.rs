//! The caller's side: where an outcome is looked for, in which order, and what a client then does.

mod advice;

use breakfall::classify::Classifier;
use breakfall::read::{Channel, Reading, read_by};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Format, Options, native};
use breakfall::{Confidence, Fault, Outcome, codes, read};
use serde_json::{Value, json};

use crate::sample::result_of;

fn tool_error(code: &str) -> Value {
    json!({"kind": "toolError:v1", "code": code, "message": "from the block", "retryable": true})
}

fn code(reading: &Reading) -> &'static str {
    reading.outcome.fault().expect("a fault").code().name()
}

#[test]
fn a_json_block_is_asked_before_structured_content_and_that_before_the_flag() {
    testing::proves!("S3-10", "S3-11", "S3-12", "S3-34");
    let mut result = json!({
        "isError": true,
        "content": [
            {"type": "text", "text": "Something for people"},
            {"type": "text", "text": tool_error("NETWORK_ERROR").to_string()},
        ],
        "structuredContent": tool_error("SERVER_ERROR"),
    });
    let first = read(result.clone());
    assert_eq!(
        (first.channel, code(&first)),
        (Channel::JsonBlock, "UNAVAILABLE_NETWORK")
    );
    result["content"].as_array_mut().unwrap().pop();
    let second = read(result.clone());
    assert_eq!(
        (second.channel, code(&second)),
        (Channel::Structured, "INTERNAL_ERROR")
    );
    result.as_object_mut().unwrap().remove("structuredContent");
    let third = read(result.clone());
    assert_eq!(
        (third.channel, code(&third)),
        (Channel::IsError, "INTERNAL_UNKNOWN")
    );
    assert_eq!(third.confidence, Confidence::Default);
    assert_eq!(
        third.outcome.fault().unwrap().public().message(),
        "Something for people"
    );
    result.as_object_mut().unwrap().remove("isError");
    assert!(matches!(read(result).outcome, Outcome::Success(_)));
}

#[test]
fn our_own_key_in_meta_is_asked_first_and_carries_everything() {
    let outcome = Outcome::from(Fault::not_found("user", "usr_999").fallback_tool("list_users"));
    let mut result = result_of(&outcome, Dialect::Native, &Options::new());
    result["content"]
        .as_array_mut()
        .unwrap()
        .push(json!({"type": "text", "text": tool_error("SERVER_ERROR").to_string()}));
    let reading = read(result);
    assert_eq!(
        (reading.channel, code(&reading)),
        (Channel::Meta, "NOT_FOUND_RESOURCE")
    );
    assert_eq!(
        reading.outcome.fault().unwrap().public().fallback_tool(),
        Some("list_users")
    );
}

#[test]
fn each_channel_of_a_native_result_suffices_alone() {
    let wait = std::time::Duration::from_secs(45);
    let fault = Fault::rate_limited(100, breakfall::Window::Minute)
        .retry_after(wait)
        .fallback_tool("cached_orders");
    let outcome = Outcome::from(fault);
    let whole = result_of(&outcome, Dialect::Native, &Options::new().structured(true));
    for (kept, channel) in [
        ("content", Channel::Text),
        ("structuredContent", Channel::Structured),
        ("_meta", Channel::Meta),
    ] {
        let mut result = json!({"isError": true, "content": []});
        result[kept] = whole[kept].clone();
        let reading = read(result);
        assert_eq!(reading.channel, channel);
        let public = reading.outcome.fault().unwrap().public();
        assert_eq!(
            (public.code(), public.retry_after()),
            (codes::RATE_LIMIT_EXCEEDED, Some(wait)),
            "{kept}"
        );
        assert_eq!(public.fallback_tool(), Some("cached_orders"), "{kept}");
        assert_eq!(
            public.remediation(),
            "Wait 45 seconds before retrying.",
            "{kept}"
        );
        assert!(public.correlation_id().is_some(), "{kept}");
    }
    assert!(whole["_meta"].get(native::ERROR_KEY).is_some());
}

#[test]
fn who_needs_the_structure_calls_with_json_or_both() {
    testing::proves!("S3-13");
    let outcome = Outcome::from(Fault::new(codes::UNAVAILABLE_NETWORK));
    for (format, channel) in [
        (Format::Json, Channel::JsonBlock),
        (Format::Both, Channel::JsonBlock),
        (Format::Markdown, Channel::IsError),
    ] {
        let mut result = result_of(&outcome, Dialect::ToolError, &Options::new().format(format));
        result.as_object_mut().unwrap().remove("structuredContent");
        assert_eq!(
            read(result).channel,
            channel,
            "{format:?}, with structuredContent dropped on the way"
        );
    }
}

#[test]
fn the_block_of_the_right_kind_is_found_among_others() {
    testing::proves!("S3-35");
    let blocks = [
        json!("Not JSON at all"),
        json!(json!({"kind": "somethingElse:v1"}).to_string()),
        json!(tool_error("NOT_FOUND").to_string()),
        json!("[1, 2, 3]"),
    ];
    let content: Vec<_> = blocks
        .iter()
        .map(|text| json!({"type": "text", "text": text}))
        .collect();
    let reading = read(json!({"content": content}));
    assert_eq!(
        (reading.channel, code(&reading)),
        (Channel::JsonBlock, "NOT_FOUND_RESOURCE")
    );
    let reading =
        read(json!({"content": [{"type": "text", "text": "Only words"}], "isError": true}));
    assert_eq!(reading.channel, Channel::IsError, "text only");
}

#[test]
fn a_failure_that_breaks_its_own_format_is_a_failure_all_the_same() {
    testing::proves!("S3-34", "S4-72", "S1-37");
    let broken = [
        json!({"kind": "toolError:v1", "code": 7, "message": "m"}),
        json!({"kind": "toolError:v1", "message": "m"}),
        json!({"success": false}),
        json!({"success": false, "message": "m"}),
        json!({"success": false, "error": {"code": "X_Y"}}),
        json!({"success": false, "error": {"message": "m"}}),
        json!({"success": false, "error": {"code": "X_Y", "message": "m", "details": "oops"}}),
        json!({"success": false, "error": "m", "data": [], "meta": {}}),
        json!({"success": true, "error": "m", "data": {}, "meta": {}}),
        json!({"error": {"code": 3001, "message": "m", "details": "oops"}}),
        json!({"code": "NOT_FOUND", "message": "m", "details": [1], "recovery_actions": []}),
        json!({"_meta": {"dev.breakfall/error": {"message": "m"}}, "content": []}),
    ];
    for document in broken {
        let block = json!({"content": [{"type": "text", "text": document.to_string()}]});
        let mut flagged = block.clone();
        flagged["isError"] = json!(true);
        for message in [document.clone(), block, flagged] {
            let reading = read(message.clone());
            assert!(
                reading.outcome.fault().is_some(),
                "{message} is read as a {}",
                reading.outcome.kind()
            );
        }
        let reading = read(document);
        assert_eq!(
            reading.confidence,
            Confidence::Default,
            "nothing is guessed"
        );
    }
    let salvaged = read(json!({"success": false, "error": {"message": "The disk is full"}}));
    assert_eq!(
        salvaged.outcome.fault().unwrap().public().message(),
        "The disk is full"
    );
}

#[test]
fn an_envelope_without_a_code_says_what_its_words_say() {
    let cases = [
        (
            json!({"success": false, "error": "rate limited"}),
            "RATE_LIMIT_EXCEEDED",
        ),
        (
            json!({"success": false, "message": "Permission denied"}),
            "PERMISSION_DENIED",
        ),
        (
            json!({"success": false, "error": "connect ECONNREFUSED 127.0.0.1:80"}),
            "UNAVAILABLE_NETWORK",
        ),
        (
            json!({"success": false, "error": {"message": "no such order"}}),
            "NOT_FOUND_RESOURCE",
        ),
    ];
    let unmasking = Classifier::new().unmask(true);
    for (document, want) in cases {
        let block = json!({"content": [{"type": "text", "text": document.to_string()}]});
        let mut flagged = block.clone();
        flagged["isError"] = json!(true);
        for result in [block, flagged] {
            let reading = read_by(result.clone(), &Options::new(), &unmasking);
            assert_eq!(code(&reading), want, "{result}");
        }
    }
    let coded = json!({"success": false, "error": {"code": "X_Y", "message": "rate limited"}});
    let block = json!({"content": [{"type": "text", "text": coded.to_string()}]});
    let reading = read_by(block, &Options::new(), &unmasking);
    assert_eq!(
        reading.outcome.fault().unwrap().public().domain_code(),
        Some("X_Y")
    );
}

#[test]
fn results_that_hold_a_failure_are_results() {
    let partial = json!({"success": false, "imported": 98, "failed": 2});
    let document = json!({"success": false, "error": {"code": "NOT_FOUND", "message": "m"}});
    let file = document.to_string();
    for result in [
        json!({"content": [{"type": "text", "text": partial.to_string()}]}),
        json!({"content": [], "structuredContent": partial}),
        json!({"content": [{"type": "text", "text": file}], "structuredContent": {"content": file}}),
        json!({"content": [{"type": "text", "text": "[NOT_FOUND_RESOURCE] m\nFix: f\nRetry: no"}], "structuredContent": {"lines": 3}}),
    ] {
        let reading = read_by(
            result.clone(),
            &Options::new(),
            &Classifier::new().unmask(true),
        );
        assert!(reading.outcome.fault().is_none(), "{result}");
    }
    let result = json!({"content": [{"type": "text", "text": document.to_string()}], "structuredContent": document});
    assert!(
        read(result).outcome.fault().is_some(),
        "it says so where programs look"
    );
}

#[test]
fn the_flag_overrules_whatever_claims_success() {
    testing::proves!("S1-37", "S3-12");
    let text = json!([{"type": "text", "text": "disk exploded"}]);
    let complete = json!({"total": 1, "succeeded": 1, "failed": 0, "results": [{"index": 0, "status": "succeeded"}]});
    for result in [
        json!({"isError": true, "content": text, "_meta": {"dev.breakfall/success": {}}}),
        json!({"isError": true, "content": text, "_meta": {"dev.breakfall/batch": complete}}),
        json!({"isError": true, "content": text, "structuredContent": {"success": true, "data": {}}}),
        json!({"isError": true, "structuredContent": {"why": "boom"}}),
        json!({"isError": "true", "content": text}),
        json!({"isError": true}),
    ] {
        let reading = read(result.clone());
        assert!(reading.outcome.fault().is_some(), "{result}");
        assert_eq!(reading.channel, Channel::IsError, "{result}");
    }
}

#[test]
fn data_that_only_looks_like_a_failure_is_data() {
    testing::proves!("S1-38");
    for data in [
        json!({"type": "issue", "title": "Login broken"}),
        json!({"type": "https://schema.org/Movie", "title": "Dune"}),
        json!({"status": 200, "title": "Home page"}),
        json!({"code": "TIMEOUT", "message": "a row of a table of codes"}),
        json!({"code": "NOT_FOUND", "message": "another", "details": [1]}),
        json!({"code": 0, "message": "ok"}),
        json!({"error": {"code": 0, "message": "ok"}, "data": [1]}),
    ] {
        let block = json!({"content": [{"type": "text", "text": data.to_string()}]});
        let mut fine = block.clone();
        fine["isError"] = json!(false);
        for result in [
            block,
            fine,
            json!({"content": [], "structuredContent": data}),
        ] {
            let Outcome::Success(success) = read(result.clone()).outcome else {
                panic!("{result}")
            };
            assert_eq!(success.data(), &data);
        }
    }
    let notes = "[v1.2] Release notes\nFix: a crash\nRetry: logic";
    let reading = read(json!({"content": [{"type": "text", "text": notes}]}));
    assert!(matches!(reading.outcome, Outcome::Success(_)));
}

#[test]
fn counts_that_claim_more_failures_than_are_listed_are_believed() {
    testing::proves!("S4-81", "S0-85");
    let aggregate = json!({"success": false, "error": {"code": "BATCH_PARTIAL_FAILURE", "message": "5 of 5", "details": {
        "total": 5, "succeeded": 0, "failed": 5, "errors": [{"index": 1, "code": "NOT_FOUND_RESOURCE", "message": "gone"}],
    }}});
    let results = json!({"success": true, "data": null, "results": [], "summary": {"total": 5, "succeeded": 0, "failed": 5}});
    let native = json!({"isError": true, "content": [], "_meta": {"dev.breakfall/batch": {
        "total": 5, "succeeded": 0, "failed": 5, "results": [],
    }}});
    for message in [aggregate, results, native] {
        let Outcome::Batch(batch) = read(message.clone()).outcome else {
            panic!("{message}")
        };
        assert_eq!(
            (batch.tally().failed, batch.tally().total),
            (5, 5),
            "{message}"
        );
    }
}

#[test]
fn the_longest_wait_a_text_can_state_is_bounded() {
    let text = "[UNAVAILABLE_SERVICE] m\nFix: y\nRetry: yes, after 18446744073709551615 s";
    let reading = read(json!({"isError": true, "content": [{"type": "text", "text": text}]}));
    assert!(reading.delay(0, 1.0, breakfall::Timestamp::MIN).is_some());
}

#[test]
fn the_codes_of_the_protocol_are_known_in_every_version() {
    for (number, code) in [
        (-32002, "NOT_FOUND_RESOURCE"),
        (-32601, "NOT_FOUND_OPERATION"),
        (-32021, "PERMISSION_FEATURE_DISABLED"),
        (-32022, "VALIDATION_INVALID_VALUE"),
        (-32603, "INTERNAL_ERROR"),
    ] {
        let reading =
            read(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": number, "message": "m"}}));
        assert_eq!(self::code(&reading), code, "{number}");
    }
}

#[test]
fn a_client_looks_at_success_then_error_then_code_then_shows_the_message() {
    testing::proves!("S4-72", "S4-73", "S4-74", "S4-75");
    let failure = json!({"success": false, "error": {"code": "NOT_FOUND_OPERATION", "message": "Unknown operation: 'fly'"}});
    let reading = read(failure);
    assert_eq!(
        (reading.dialect, code(&reading)),
        (Some(Dialect::McpAql), "NOT_FOUND_OPERATION")
    );
    assert_eq!(
        reading.outcome.fault().unwrap().public().message(),
        "Unknown operation: 'fly'"
    );
    let success = json!({"success": true, "data": {"error": {"code": "NOT_FOUND_OPERATION", "message": "a record"}}});
    assert!(
        matches!(read(success).outcome, Outcome::Success(_)),
        "success decides, whatever the data look like"
    );
}

#[test]
fn a_body_that_claims_success_under_the_error_flag_is_a_failure() {
    testing::proves!("S1-37");
    let body = json!({"success": true, "data": {"orders": []}}).to_string();
    let reading = read(json!({"isError": true, "content": [{"type": "text", "text": body}]}));
    assert_eq!(reading.channel, Channel::IsError);
}

#[test]
fn json_rpc_errors_are_read_with_and_without_our_object() {
    let outcome = Fault::missing_param("name").in_operation("greet");
    let rpc = breakfall::wire::rpc_error(
        unredacted(outcome.public()),
        Dialect::Native,
        &Options::new(),
    )
    .to_value();
    let reading = read(json!({"jsonrpc": "2.0", "id": 4, "error": rpc}));
    assert_eq!(
        (reading.channel, code(&reading)),
        (Channel::RpcError, "VALIDATION_MISSING_PARAM")
    );
    let foreign = json!({"code": -32050, "message": "quota", "data": {"retry_after_ms": 1500}});
    let reading = read(foreign);
    let public = reading.outcome.fault().unwrap().public();
    assert_eq!(
        (public.code(), public.domain_code()),
        (codes::UNAVAILABLE_SERVICE, Some("-32050")),
        "who says when to come back says that it makes sense"
    );
    assert_eq!(
        public.retry_after(),
        Some(std::time::Duration::from_millis(1500))
    );
}

#[test]
fn a_response_with_neither_result_nor_error_is_a_failure() {
    for message in [
        json!({"jsonrpc": "2.0", "id": 4}),
        json!({"jsonrpc": "2.0", "id": 4, "error": null}),
    ] {
        assert_eq!(code(&read(message)), "INTERNAL_BAD_UPSTREAM");
    }
    let request = read(json!({"jsonrpc": "2.0", "id": 4, "method": "ping"}));
    assert!(matches!(request.outcome, Outcome::Success(_)));
}

#[test]
fn a_batch_of_responses_says_which_of_them_failed() {
    let fine = json!({"jsonrpc": "2.0", "id": 1, "result": {"a": 1}});
    let gone = json!({"jsonrpc": "2.0", "id": "b", "error": {"code": -32601, "message": "no"}});
    let reading = read(json!([fine, gone]));
    let Outcome::Batch(batch) = &reading.outcome else {
        panic!("a batch: {reading:?}")
    };
    let tally = batch.tally();
    assert_eq!((tally.succeeded, tally.failed), (1, 1));
    assert_eq!(batch.items()[1].id.as_deref(), Some("b"));
    let (at, fault) = batch.faults().next().expect("one");
    assert_eq!((at, fault.code()), (1, codes::NOT_FOUND_OPERATION));
    for data in [
        json!([fine]),
        json!([{"error": {"code": -1, "message": "x"}}]),
    ] {
        assert!(matches!(read(data).outcome, Outcome::Success(_)));
    }
}

#[test]
fn words_in_the_place_of_blocks_are_words() {
    let text = "rate limit exceeded";
    for content in [json!(text), json!({"type": "text", "text": text})] {
        let reading = read(json!({"isError": true, "content": content}));
        assert_eq!(code(&reading), "RATE_LIMIT_EXCEEDED");
        assert_eq!(reading.outcome.fault().unwrap().public().message(), text);
    }
}
