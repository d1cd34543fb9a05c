//! tool-error: which blocks a format has, and what is an error and what a question.

use breakfall::wire::{Dialect, Format, Options, decode};
use breakfall::{Elicitation, Fault, Outcome, Success, codes};
use serde_json::{Value, json};

use crate::sample::{document_of, result_of};

fn written(outcome: &Outcome, format: Format) -> Value {
    document_of(
        outcome,
        Dialect::ToolError,
        &Options::new().strict(true).format(format),
    )
}

/// `(human, JSON)` blocks by their type, in order.
fn blocks(result: &Value) -> Vec<&str> {
    let blocks = result["content"].as_array().expect("content");
    blocks
        .iter()
        .map(|block| block["mimeType"].as_str().expect("a type"))
        .collect()
}

fn failure() -> Outcome {
    Fault::new(codes::UNAVAILABLE_NETWORK)
        .message("The archive did not answer")
        .into()
}

#[test]
fn markdown_is_the_default_and_has_a_human_block_only() {
    testing::proves!("S3-03", "S3-14");
    let default = document_of(&failure(), Dialect::ToolError, &Options::new());
    assert_eq!(blocks(&default), ["text/markdown"]);
    let result = written(&failure(), Format::Markdown);
    assert_eq!(blocks(&result), ["text/markdown"]);
    assert_eq!(
        result["content"][0]["text"], "The archive did not answer",
        "clean text, no prefix"
    );
}

#[test]
fn who_reads_the_words_alone_knows_what_to_do_whether_to_repeat_it_and_what_to_ask_by() {
    for format in [Format::Markdown, Format::Both] {
        let options = Options::new().format(format);
        let result = document_of(&failure(), Dialect::ToolError, &options);
        let details = &result["structuredContent"]["details"];
        let said = |key: &str| details[key].as_str().expect("a text").to_owned();
        let want = format!(
            "The archive did not answer\n\n- Fix: {}\n- Retry: yes, with backoff\n- Reference: {}",
            said("remediation"),
            said("correlationId"),
        );
        assert_eq!(result["content"][0]["text"], want);
    }
}

#[test]
fn json_has_a_json_block_only() {
    testing::proves!("S3-15");
    let result = written(&failure(), Format::Json);
    assert_eq!(blocks(&result), ["application/json"]);
    let object: Value =
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(object["kind"], "toolError:v1");
}

#[test]
fn both_has_the_human_block_first_and_the_json_block_after() {
    testing::proves!("S3-16");
    assert_eq!(
        blocks(&written(&failure(), Format::Both)),
        ["text/markdown", "application/json"]
    );
}

#[test]
fn the_structured_object_and_the_flag_are_the_same_in_every_format() {
    testing::proves!("S3-17", "S3-18");
    let object = written(&failure(), Format::Json)["structuredContent"].clone();
    assert_eq!(object["kind"], "toolError:v1");
    for format in Format::ALL {
        let result = written(&failure(), *format);
        assert_eq!(
            (&result["structuredContent"], &result["isError"]),
            (&object, &json!(true)),
            "{format:?}"
        );
        let in_a_block = result["content"].as_array().unwrap().iter().any(|block| {
            let text = block["text"].as_str().unwrap();
            serde_json::from_str::<Value>(text).is_ok_and(|value| value == object)
        });
        assert_eq!(
            in_a_block,
            *format != Format::Markdown,
            "{format:?}: guaranteed in json and both only"
        );
    }
}

#[test]
fn successes_obey_the_same_gating_as_errors() {
    testing::proves!("S3-02");
    let success = Outcome::from(Success::new(json!({"patterns": ["retry"]})));
    for format in Format::ALL {
        assert_eq!(
            blocks(&written(&success, *format)),
            blocks(&written(&failure(), *format)),
            "{format:?}"
        );
    }
    let shown = written(&success, Format::Markdown)["content"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        serde_json::from_str::<Value>(&shown).is_err(),
        "no JSON block in markdown: {shown}"
    );
}

#[test]
fn errors_are_no_questions_and_questions_no_errors() {
    testing::proves!("S3-01", "S3-38", "S3-39");
    for code in [
        codes::UNAVAILABLE_NETWORK,
        codes::INTERNAL_ERROR,
        codes::AUTHENTICATION_REQUIRED,
        codes::VALIDATION_INVALID_VALUE,
    ] {
        let result = written(&Fault::new(code).into(), Format::Json);
        assert_eq!(
            (&result["structuredContent"]["kind"], &result["isError"]),
            (&json!("toolError:v1"), &json!(true))
        );
    }
    let question = Elicitation::new("Which pattern?")
        .field("id")
        .reason("No such id")
        .suggest("id", ["retry", "race"]);
    let result = written(&question.clone().into(), Format::Both);
    assert_eq!(result.get("isError"), None, "a normal step");
    assert_eq!(result["structuredContent"]["kind"], "needsInput:v1");
    assert_eq!(result["structuredContent"]["type"], "elicitation");
    assert_eq!(
        result["structuredContent"]["needsInput"]["suggestions"],
        json!({"id": ["retry", "race"]})
    );
    assert_eq!(
        decode(result, Dialect::ToolError, &Options::new()).unwrap(),
        Outcome::NeedsInput(question)
    );
}

#[test]
fn a_missing_thing_the_user_can_name_better_becomes_a_question_here_and_an_error_elsewhere() {
    testing::proves!("S3-40");
    let fault = || {
        Fault::not_found("pattern", "rety")
            .http_status(404)
            .or_ask("id", ["retry"])
    };
    let outcome = Outcome::from(fault());
    let result = written(&outcome, Format::Json);
    assert_eq!(result["structuredContent"]["kind"], "needsInput:v1");
    assert_eq!(
        result["structuredContent"]["needsInput"]["fields"],
        json!(["id"])
    );
    let elsewhere = result_of(&outcome, Dialect::McpError, &Options::new());
    assert_eq!(elsewhere["isError"], true);
}

#[test]
fn a_confirmation_becomes_a_question_for_its_token() {
    let expires = "2026-01-28T12:05:00Z".parse().unwrap();
    let fault =
        Fault::confirmation_required("delete_repo", "destructive", "conf_abc123xyz", expires);
    let result = written(&fault.into(), Format::Json);
    assert_eq!(
        result["structuredContent"]["needsInput"]["fields"],
        json!(["_confirmation"])
    );
    assert_eq!(
        result["structuredContent"]["options"][0]["value"],
        "conf_abc123xyz"
    );
    assert_eq!(result.get("isError"), None);
}

#[test]
fn there_is_no_wrapper_round_the_object() {
    testing::proves!("S3-41");
    for format in Format::ALL {
        let text = written(&failure(), *format).to_string();
        assert!(!text.contains("structuredError"), "{text}");
    }
    let object = written(&failure(), Format::Json)["structuredContent"].clone();
    let mut keys: Vec<_> = object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    assert_eq!(keys, ["code", "kind", "message", "retryable"]);
}
