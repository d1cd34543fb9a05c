//! No outcome, however odd, gives an envelope that contradicts itself.

use std::time::Duration;

use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Format, Options, encode};
use breakfall::{Fault, Outcome};
use proptest::prelude::*;
use serde_json::Value;

use super::cases;
use super::strategies::{fault, options, outcome};
use super::values::wait;

use crate::sample::result_of;

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn response_v2_is_a_success_without_an_error_or_a_failure_with_one(outcome in outcome(), options in options()) {
        testing::proves!("S0-88", "S0-89", "S0-90");
        let document = document(&outcome, Dialect::ResponseV2, &options);
        let error = document["error"].as_str();
        match document["success"].as_bool() {
            Some(true) => prop_assert_eq!(&document["error"], &Value::Null),
            Some(false) => prop_assert!(error.is_some_and(|error| !error.is_empty()), "{}", document),
            None => prop_assert!(false, "no verdict: {}", document),
        }
        prop_assert!(document["data"].is_object(), "{}", document);
        prop_assert_eq!(&document["meta"]["version"], "response-v2");
        if outcome.fault().is_some() {
            prop_assert_eq!(&document["success"], false);
        }
    }

    #[test]
    fn mcp_aql_has_data_or_an_error_and_never_both(outcome in outcome(), options in options()) {
        testing::proves!("S4-08", "S4-66");
        let document = document(&outcome, Dialect::McpAql, &options);
        match document["success"].as_bool() {
            Some(true) => {
                prop_assert!(document.get("error").is_none(), "{}", document);
                prop_assert!(document.get("data").is_some(), "{}", document);
                prop_assert!(outcome.fault().is_none());
            }
            Some(false) => {
                prop_assert!(document.get("data").is_none(), "{}", document);
                for key in ["code", "message"] {
                    let text = document["error"][key].as_str();
                    prop_assert!(text.is_some_and(|text| !text.is_empty()), "{}: {}", key, document);
                }
            }
            None => prop_assert!(false, "no verdict: {}", document),
        }
    }

    #[test]
    fn tool_error_writes_the_blocks_of_its_format_and_no_others(outcome in outcome(), options in options()) {
        testing::proves!("S3-14", "S3-15", "S3-16", "S3-17", "S3-19");
        let mut objects = Vec::new();
        for &format in Format::ALL {
            let options = options.clone().format(format);
            let document = document(&outcome, Dialect::ToolError, &options);
            let blocks = document["content"].as_array().cloned().unwrap_or_default();
            let mimes: Vec<_> = blocks.iter().filter_map(|block| block["mimeType"].as_str()).collect();
            let expected: &[&str] = match format {
                Format::Markdown => &["text/markdown"],
                Format::Json => &["application/json"],
                Format::Both => &["text/markdown", "application/json"],
            };
            prop_assert_eq!(mimes.as_slice(), expected);
            prop_assert_eq!(mimes.len(), blocks.len());
            for block in blocks {
                prop_assert_eq!(&block["type"], "text");
                let text = block["text"].as_str().unwrap_or_default();
                let parsed = serde_json::from_str::<Value>(text);
                match block["mimeType"].as_str() {
                    Some("application/json") => prop_assert!(parsed.is_ok(), "{}", text),
                    _ => prop_assert!(!parsed.is_ok_and(|value| value.is_object()), "{}", text),
                }
            }
            objects.push((document.get("structuredContent").cloned(), document.get("isError").cloned()));
        }
        objects.dedup();
        prop_assert_eq!(objects.len(), 1, "the object and the flag are the same in every format");
    }

    #[test]
    fn tool_error_marks_failures_and_nothing_else(outcome in outcome(), options in options()) {
        testing::proves!("S3-38");
        let document = document(&outcome, Dialect::ToolError, &options);
        let object = &document["structuredContent"];
        let failed = object["kind"] == "toolError:v1";
        let asks = object["kind"] == "needsInput:v1";
        prop_assert!(!failed || document["isError"] == true, "{}", document);
        prop_assert!(!asks || document.get("isError").is_none(), "{}", document);
        prop_assert!(outcome.fault().is_none() || failed || asks, "{}", document);
        if failed {
            let details = object.get("details");
            prop_assert!(details.is_none_or(|details| details.as_object().is_some_and(|map| !map.is_empty())));
        }
    }

    #[test]
    fn a_fault_is_an_error_in_every_dialect(fault in fault(), options in options()) {
        let options = options.recoverable(false);
        let outcome = Outcome::from(fault);
        for &dialect in Dialect::ALL {
            let result = result_of(&outcome, dialect, &options);
            let asks = result["structuredContent"]["kind"] == "needsInput:v1";
            if dialect == Dialect::ToolError && asks {
                continue;
            }
            prop_assert_eq!(&result["isError"], true, "{}: {}", dialect, result);
        }
    }

    #[test]
    fn a_wait_in_seconds_is_rounded_up_and_never_nothing(fault in fault(), wait in wait(), options in options()) {
        // Zero is no wait.
        let fault = fault.retry_after(wait.max(Duration::from_nanos(1)));
        let wait = fault.public().retry_after().expect("just set");
        let seconds = fault.public().retry_after_seconds().expect("just set");
        prop_assert!(seconds >= 1);
        prop_assert!(u128::from(seconds) * 1_000_000_000 >= wait.as_nanos());
        prop_assert!(seconds == 1 || u128::from(seconds - 1) * 1_000_000_000 < wait.as_nanos());
        let outcome = Outcome::from(fault);
        let envelope = document(&outcome, Dialect::ResponseV2, &options);
        prop_assert_eq!(&envelope["data"]["retry_after_seconds"], seconds);
        let aql = document(&outcome, Dialect::McpAql, &options);
        prop_assert_eq!(&aql["error"]["details"]["retry_after_seconds"], seconds);
    }

    #[test]
    fn dialects_agree_on_whether_to_retry(fault in fault(), options in options()) {
        let retryable = fault.public().retry().is_retryable();
        let forbidden = retryable && is_client_error(&fault);
        let outcome = Outcome::from(fault);
        for strict in [false, true] {
            let options = options.clone().strict(strict);
            let native = document(&outcome, Dialect::Native, &options);
            let retry = &native["_meta"]["dev.breakfall/error"]["retry"];
            prop_assert_eq!(&retry["retryable"], retryable);
            let numbered = document(&outcome, Dialect::ErrorModel, &options);
            prop_assert_eq!(&numbered["error"]["retryable"], retryable);
            let tool = document(&outcome, Dialect::ToolError, &options);
            if tool["structuredContent"]["kind"] == "toolError:v1" {
                // To the letter, what the client did wrong is never retried.
                let expected = retryable && !(strict && forbidden);
                prop_assert_eq!(&tool["structuredContent"]["retryable"], expected);
            }
            let problem = document(&outcome, Dialect::Problem, &options);
            if !strict {
                prop_assert_eq!(&problem["retry"]["retryable"], retryable);
            }
        }
    }
}

fn document(outcome: &Outcome, dialect: Dialect, options: &Options) -> Value {
    let document = encode(unredacted(outcome), dialect, options);
    document
        .expect("only problem refuses, and only what is no failure")
        .to_value()
}

fn is_client_error(fault: &Fault) -> bool {
    fault.code().entry().names.tool_error == "CLIENT_ERROR"
}
