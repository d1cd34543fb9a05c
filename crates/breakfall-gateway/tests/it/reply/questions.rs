//! Questions to the user in place of failures, and the argument by which a caller chooses how failures are told.

use breakfall::wire::{Dialect, Format};
use breakfall::{Choice, Elicitation, Fault, Violation, codes};
use breakfall_gateway::classify::ClassifiedFailure;
use breakfall_gateway::reply::{ReplyOptions, UserQuestion, UserResponse, asking, failed, format};
use serde_json::{Value, json};

use super::{block, failure, parsed, text};

fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

fn fields(fault: &Fault) -> Vec<String> {
    fault
        .public()
        .elicitation()
        .map(|question| question.fields().to_vec())
        .unwrap_or_default()
}

#[test]
fn only_what_a_user_can_correct_becomes_a_question() {
    let cases: [(Fault, &[&str], &str, &[&str]); 10] = [
        (
            Fault::not_found("order", "o-7"),
            &["id"],
            r#"{"id":"o-7"}"#,
            &["id"],
        ),
        (
            Fault::not_found("order", "o-7"),
            &["id", "shop"],
            r#"{"id":"o-7","shop":"main"}"#,
            &["id"],
        ),
        (
            Fault::not_found("order", "x"),
            &["id", "shop"],
            r#"{"shop":"main"}"#,
            &["shop"],
        ),
        (Fault::not_found("order", "x"), &["id"], "{}", &["id"]),
        (Fault::not_found("order", "x"), &[], r#"{"id":"x"}"#, &[]),
        (
            Fault::unknown_operation("by", &["buy"]),
            &["id"],
            r#"{"id":"x"}"#,
            &[],
        ),
        (
            Fault::invalid("The name 'ann' is ambiguous"),
            &["name"],
            r#"{"name":"ann"}"#,
            &["name"],
        ),
        (
            Fault::new(codes::VALIDATION_INVALID_VALUE).violation(Violation::of_field("id")),
            &["id"],
            "{}",
            &["id"],
        ),
        (Fault::unavailable("shop"), &["id"], r#"{"id":"x"}"#, &[]),
        (
            Fault::not_found("key", "x"),
            &["api_key"],
            r#"{"api_key":"x"}"#,
            &[],
        ),
    ];
    for (fault, ask, sent, want) in cases {
        let shown = fault.to_string();
        let fault = asking(fault, "get", &names(ask), sent);
        assert_eq!(fields(&fault), want, "{shown} {ask:?} {sent}");
    }
}

#[test]
fn a_server_that_offers_others_is_heeded() {
    let fault = Fault::not_found("user", "an").detail(
        "suggestions",
        json!(["ann", "anna", "ann", 7, "andy", "anita", "annabel", "antje"]),
    );
    let fault = asking(fault, "get", &names(&["user"]), r#"{"user":"an"}"#);
    let question = UserQuestion::of(fault.public(), None).expect("a question");
    let params: Value = serde_json::from_str(&question.params()).expect("JSON");
    assert_eq!(
        params["requestedSchema"]["properties"]["user"]["enum"],
        json!(["ann", "anna", "andy", "anita", "annabel"])
    );
}

#[test]
fn formats_that_can_ask_do_so_and_the_others_stay_errors() {
    testing::proves!("S3-38");
    testing::proves!("S3-40");
    let frame = text("Order o-7 not found");
    let mut failure = failure(&frame);
    assert_eq!(failure.fault.code(), codes::NOT_FOUND_RESOURCE);
    failure.fault = asking(failure.fault, "get", &names(&["id"]), r#"{"id":"o-7"}"#);
    let sent = r#"{"id":"o-7"}"#;
    let manner = ReplyOptions::default()
        .dialect(Dialect::ToolError)
        .format(Format::Json)
        .output_schema(Some(false));
    let answer = parsed(&failed(&failure, Some(&frame), &manner, sent));
    assert_eq!(answer["isError"], false, "{answer}");
    let object: Value = serde_json::from_str(block(&answer, 0)).expect("JSON");
    assert_eq!(
        (&object["kind"], &object["needsInput"]["fields"]),
        (&json!("needsInput:v1"), &json!(["id"]))
    );

    // Where a schema could be broken, it stays a failure, with the question beside it.
    let manner = manner.output_schema(Some(true));
    let answer = parsed(&failed(&failure, Some(&frame), &manner, sent));
    assert_eq!(answer["isError"], true);
    assert!(answer.get("structuredContent").is_none(), "{answer}");
    let native = parsed(&failed(
        &failure,
        Some(&frame),
        &ReplyOptions::default(),
        sent,
    ));
    assert_eq!(native["isError"], true);
    let object = &native["_meta"]["dev.breakfall/error"];
    assert_eq!(object["needs_input"]["needsInput"]["fields"], json!(["id"]));
    assert_eq!(object["recovery_hint"], "CHECK_INPUT");
}

#[test]
fn an_id_that_is_a_number_is_asked_for_as_one() {
    let fault = Fault::not_found("order", "7").or_ask("id", ["17"]);
    let tool = r#"{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer","title":"Order"}}}}"#;
    let question = UserQuestion::of(fault.public(), Some(tool)).expect("a question");
    let params: Value = serde_json::from_str(&question.params()).expect("JSON");
    let property = &params["requestedSchema"]["properties"]["id"];
    assert_eq!(
        (&property["type"], &property["title"], &property["enum"]),
        (&json!("integer"), &json!("Order"), &Value::Null)
    );
    assert_eq!(params["requestedSchema"]["required"], json!(["id"]));
}

#[test]
fn a_form_takes_what_the_tool_takes_and_no_books() {
    let property = |stated: Value, offered: &[&str]| {
        let fault = Fault::not_found("order", "7").or_ask("id", offered.iter().copied());
        let tool = json!({"inputSchema": {"properties": {"id": stated}}}).to_string();
        let question = UserQuestion::of(fault.public(), Some(&tool)).expect("a question");
        let params: Value = serde_json::from_str(&question.params()).expect("JSON");
        let mut property = params["requestedSchema"]["properties"]["id"].clone();
        let told = property.as_object_mut().expect("an object");
        told.remove("description");
        property
    };
    let text = |more: Value| {
        let mut all = json!({"type": "string"});
        let more = more.as_object().expect("an object").clone();
        all.as_object_mut().expect("an object").extend(more);
        all
    };
    for (stated, told) in [
        (json!({}), json!({"maxLength": 1000})),
        (
            json!({"maxLength": 8, "minLength": 2}),
            json!({"maxLength": 8, "minLength": 2}),
        ),
        (
            json!({"maxLength": 1_000_000, "minLength": 2000}),
            json!({"maxLength": 1000}),
        ),
        (
            json!({"maxLength": "8", "minLength": -1, "format": "regex"}),
            json!({"maxLength": 1000}),
        ),
        (
            json!({"format": "email"}),
            json!({"maxLength": 1000, "format": "email"}),
        ),
        (
            json!({"enum": ["a", "b"], "maxLength": 1}),
            json!({"enum": ["a", "b"]}),
        ),
        (json!({"enum": ["a", 7]}), json!({"maxLength": 1000})),
        (json!({"enum": []}), json!({"maxLength": 1000})),
    ] {
        assert_eq!(property(text(stated.clone()), &[]), text(told), "{stated}");
    }
    assert_eq!(
        property(json!({"maxLength": 8}), &["17"]),
        text(json!({"enum": ["17"]}))
    );
    let number = json!({"type": "integer", "minimum": 1, "maximum": "x"});
    assert_eq!(
        property(number, &[]),
        json!({"type": "integer", "minimum": 1})
    );
}

#[test]
fn choices_have_titles() {
    let choice = |value: &str, field: Option<&str>| Choice {
        label: value.to_uppercase(),
        value: value.to_owned(),
        description: None,
        field: field.map(str::to_owned),
    };
    let asked = Elicitation::new("which?")
        .field("id")
        .option(choice("a", None))
        .option(choice("b", Some("id")))
        .option(choice("c", Some("other")));
    let fault = Fault::not_found("order", "x").ask(asked);
    let question = UserQuestion::of(fault.public(), None).expect("a question");
    let params: Value = serde_json::from_str(&question.params()).expect("JSON");
    let property = &params["requestedSchema"]["properties"]["id"];
    assert_eq!(
        (&property["enum"], &property["enumNames"]),
        (&json!(["a", "b"]), &json!(["A", "B"]))
    );
}

#[test]
fn the_answer_decides_what_happens() {
    let fault = Fault::not_found("order", "7").or_ask("id", ["17"]);
    let question = UserQuestion::of(fault.public(), None).expect("a question");
    let arguments = r#"{"n":1e400,"id":"7","x":null}"#;
    let accepted = question.answered(
        r#"{"action":"accept","content":{"id":"17","admin":true,"x":{"y":1}}}"#,
        arguments,
    );
    let UserResponse::Arguments(new) = accepted else {
        panic!("{accepted:?}");
    };
    assert_eq!(new, r#"{"n":1e400,"id":"17","x":null}"#);
    let declined = question.answered(r#"{"action":"decline"}"#, arguments);
    let UserResponse::Declined(fault) = declined else {
        panic!("{declined:?}");
    };
    assert_eq!(fault.code(), codes::PERMISSION_NOT_ALLOWED);
    for nothing in [
        r#"{"action":"cancel"}"#,
        r#"{"action":"accept"}"#,
        r#"{"action":"accept","content":{"id":null}}"#,
        "{}",
        "7",
    ] {
        let answer = question.answered(nothing, arguments);
        assert!(
            matches!(answer, UserResponse::Cancelled),
            "{nothing}: {answer:?}"
        );
    }
    let fresh = question.answered(r#"{"action":"accept","content":{"id":"17"}}"#, "null");
    assert!(matches!(fresh, UserResponse::Arguments(new) if new == r#"{"id":"17"}"#));
}

#[test]
fn the_argument_is_offered_unless_a_tool_has_its_own() {
    let plain = r#"{ "name":"a", "inputSchema": {"type":"object","additionalProperties":false} , "n":1e400 }"#;
    let offers = format::offered(plain).expect("it has none");
    assert!(offers.starts_with(r#"{ "name":"a", "inputSchema": {"type":"object","additionalProperties":false,"properties":{"format":{"#), "{offers}");
    assert!(offers.ends_with(r#"}}} , "n":1e400 }"#), "{offers}");
    assert!(format::has_own(&offers) && !format::has_own(plain));
    for none in [
        r#"{"name":"a"}"#,
        r#"{"name":"a","inputSchema":7}"#,
        r#"{"inputSchema":{"properties":{"format":{}}}}"#,
        r#"{"inputSchema":{"properties":[]}}"#,
        "[]",
    ] {
        assert_eq!(format::offered(none), None, "{none}");
    }
}

#[test]
fn the_argument_is_taken_out_of_a_call() {
    let taken = |arguments| {
        format::taken(arguments).map(|(format, rest)| (format.map_err(|fault| fault.code()), rest))
    };
    assert_eq!(taken(r#"{"a":1.50}"#), None);
    assert_eq!(
        taken(r#"{ "format":"both" , "a":1.50}"#),
        Some((Ok(Format::Both), r#"{ "a":1.50}"#.to_owned()))
    );
    assert_eq!(
        taken(r#"{"format":7}"#),
        Some((Err(codes::VALIDATION_INVALID_ENUM), "{}".to_owned()))
    );
    let failure = ClassifiedFailure::new(Fault::internal());
    let manner = ReplyOptions::default()
        .dialect(Dialect::ToolError)
        .format(Format::Json);
    assert!(block(&parsed(&failed(&failure, None, &manner, "{}")), 0).starts_with('{'));
}
