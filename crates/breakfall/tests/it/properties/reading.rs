//! The caller's side: whatever channel the client leaves, the reader recovers what it carries.

use breakfall::read::{Channel, Reader};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, native, project, rpc_error, tool_result};
use breakfall::{CorrelationId, Fault, Outcome, Public};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases;
use super::strategies::{catalog, fault, options};

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_tool_result_is_recognised_and_read_whole(fault in fault(), options in options()) {
        let id = fault.public().correlation_id().cloned();
        let outcome = Outcome::from(fault);
        for &dialect in Dialect::ALL {
            let result = result(&outcome, dialect, &options);
            let reading = Reader::new().options(options.clone()).read(result.clone());
            prop_assert_eq!(reading.dialect, Some(dialect), "{:#}", result);
            let mut expected = project(&outcome, dialect, &options).expect("every dialect has failures");
            if let (Dialect::McpAql, Outcome::Fault(fault)) = (dialect, &mut expected) {
                // The document is closed to it, so the id rides in the result's `_meta`: the fault's own or a new one.
                let written = result["_meta"]["dev.breakfall/correlation_id"].as_str().expect("an id");
                prop_assert!(id.as_ref().is_none_or(|own| own.as_str() == written));
                let bare = std::mem::replace(fault, Fault::internal());
                *fault = bare.correlation_id(CorrelationId::new(written).expect("an id"));
            }
            prop_assert_eq!(reading.outcome, expected, "{}\n{:#}", dialect, result);
        }
    }

    #[test]
    fn structured_content_alone_suffices(fault in fault(), options in options()) {
        let options = options.structured(true);
        let outcome = Outcome::from(fault);
        let mut result = result(&outcome, Dialect::Native, &options);
        keep(&mut result, &["structuredContent", "isError"]);
        result["content"] = json!([]);
        let reading = Reader::new().options(options.clone()).read(result);
        prop_assert_eq!((reading.dialect, reading.channel), (Some(Dialect::Native), Channel::Structured));
        prop_assert_eq!(Some(reading.outcome), project(&outcome, Dialect::Native, &options));
    }

    #[test]
    fn a_json_rpc_error_is_read_whole(fault in fault(), options in options()) {
        let options = options.strict(false);
        let outcome = Outcome::from(fault);
        let public = outcome.fault().map(Fault::public).expect("just made");
        let error = rpc_error(unredacted(public), Dialect::Native, &options).to_value();
        let expected = project(&outcome, Dialect::Native, &options);
        for message in [error.clone(), json!({"jsonrpc": "2.0", "id": 1, "error": error})] {
            let reading = Reader::new().options(options.clone()).read(message);
            prop_assert_eq!((reading.dialect, reading.channel), (Some(Dialect::Native), Channel::RpcError));
            prop_assert_eq!(Some(&reading.outcome), expected.as_ref());
        }
    }

    #[test]
    fn the_text_alone_suffices_to_recover(fault in fault(), options in options()) {
        let options = options.catalog(catalog());
        let outcome = Outcome::from(fault);
        let before = outcome.fault().map(Fault::public).expect("just made");
        let mut result = result(&outcome, Dialect::Native, &options);
        let id = result["_meta"]["dev.breakfall/error"]["correlation_id"].clone();
        keep(&mut result, &["content", "isError"]);
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        let preamble = native::object(unredacted(before), &options).preamble();
        prop_assert!(preamble.len() <= 400, "{} bytes: {}", preamble.len(), preamble);

        for (text, may_cut) in [(text, false), (preamble, true)] {
            result["content"][0]["text"] = text.clone().into();
            let reading = Reader::new().options(options.clone()).read(result.clone());
            prop_assert_eq!(reading.channel, Channel::Text, "{}", &text);
            let after = reading.outcome.fault().map(Fault::public);
            recovers(before, after.expect("a fault"), &id, &text, may_cut)?;
        }
    }
}

/// What ends a line somewhere.
const BREAKS: [char; 7] = [
    '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
];

fn recovers(
    before: &Public,
    after: &Public,
    id: &Value,
    text: &str,
    may_cut: bool,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(after.code(), before.code(), "{}", text);
    prop_assert_eq!(after.retry().is_retryable(), before.retry().is_retryable());
    if before.retry().is_retryable() {
        prop_assert_eq!(after.retry_after_seconds(), before.retry_after_seconds());
    }
    let id_read = after.correlation_id().map(CorrelationId::as_str);
    prop_assert_eq!(id_read, id.as_str());
    // A name of several lines or of endless length is no tool's.
    if before
        .fallback_tool()
        .is_none_or(|tool| tool.len() <= 128 && !tool.contains(BREAKS))
    {
        prop_assert_eq!(after.fallback_tool(), before.fallback_tool());
    }
    for (before, after) in [
        (before.message(), after.message()),
        (before.remediation(), after.remediation()),
    ] {
        let line = before.replace(BREAKS, " ");
        let cut = after
            .strip_suffix('…')
            .is_some_and(|start| line.starts_with(start));
        prop_assert!(
            (cut && may_cut) || line.trim().is_empty() || after == line,
            "{:?} of {:?}",
            after,
            line
        );
    }
    Ok(())
}

fn result(outcome: &Outcome, dialect: Dialect, options: &Options) -> Value {
    let result = tool_result(unredacted(outcome), dialect, options);
    result.expect("every dialect has failures").to_value()
}

fn keep(result: &mut Value, keys: &[&str]) {
    let map = result.as_object_mut().expect("a result is an object");
    map.retain(|key, _| keys.contains(&key.as_str()));
}
