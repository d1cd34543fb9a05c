//! The caller's side: where an outcome is looked for, in which order, and what a client then does.

use breakfall::read::{Channel, Reading};
use breakfall::wire::{Dialect, Format, Options, native, tool_result};
use breakfall::{Confidence, Fault, Outcome, codes, read};
use serde_json::{Value, json};

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
    let mut result = tool_result(&outcome, Dialect::Native, &Options::new())
        .unwrap()
        .to_value();
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
    let whole = tool_result(&outcome, Dialect::Native, &Options::new().structured(true))
        .unwrap()
        .to_value();
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
        let mut result = tool_result(&outcome, Dialect::ToolError, &Options::new().format(format))
            .unwrap()
            .to_value();
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
fn a_kind_with_a_broken_object_is_not_believed() {
    testing::proves!("S3-34");
    let broken = json!({"kind": "toolError:v1", "code": 7});
    let reading =
        read(json!({"isError": true, "content": [{"type": "text", "text": broken.to_string()}]}));
    assert_eq!(
        reading.channel,
        Channel::IsError,
        "validated, not just recognised"
    );
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
    let rpc =
        breakfall::wire::rpc_error(outcome.public(), Dialect::Native, &Options::new()).to_value();
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
        (codes::INTERNAL_UNKNOWN, Some("-32050"))
    );
    assert_eq!(
        public.retry_after(),
        Some(std::time::Duration::from_millis(1500))
    );
}
