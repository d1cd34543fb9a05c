//! Round trips: what one direction adds the other removes, and nothing else changes.

use proptest::prelude::*;

use super::legacy_client::hello::ClientHandshake;
use super::legacy_client::listen::unwrapped;
use super::legacy_client::result::{TranslatedAnswer, answered};
use super::modern_client::caller::{ModernCaller, plain};
use super::modern_client::listen::wrapped;
use super::modern_client::result::ServerHandshake;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id};

/// Unusual JSON: numbers beyond a double, needless escapes, duplicate keys.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?[1-9][0-9]{0,30}(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?",
        "\"[a-zé𝄞 /{},:]{0,6}(\\\\u00[a-f0-9]{2}|\\\\n|\\\\\"|\\\\\\\\)?\"",
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|all| format!("[{}]", all.join(" , "))),
            members(inner).prop_map(|all| format!("{{{all}}}")),
        ]
    })
}

/// Members of an object with names the protocol does not use.
fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let member = ("\"[a-f]{1,3}(/[a-f]|\\\\u0067)?\"", "[ \t]{0,2}", value);
    let member = member.prop_map(|(name, gap, value)| format!("{name}{gap}:{gap}{value}"));
    prop::collection::vec(member, 0..5).prop_map(|all| all.join(","))
}

fn frame(text: &str) -> Frame {
    Frame::parse(text.into(), &FrameLimits::RESPONSE).expect("a message")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}

fn and(members: &str) -> String {
    if members.is_empty() {
        String::new()
    } else {
        format!(",{members}")
    }
}

proptest! {
    #[test]
    fn a_request_comes_back_from_the_modern_era_as_it_went(
        params in members(value()),
        meta in members(value()),
        info in value(),
    ) {
        let hello = format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"clientInfo":{info}}}}}"#);
        let hello = ClientHandshake::of(&frame(&hello));
        let text_of = |body: String| format!(r#"{{"jsonrpc":"2.0","params":{body},"id":"x","method":"m","z":1.0}}"#);
        let request = text_of(format!(r#"{{"_meta":{{"progressToken":1{}}}{}}}"#, and(&meta), and(&params)));
        let modern = frame(&text(hello.speak(&frame(&request), Some("\"info\""))));
        prop_assert!(ModernCaller::of(&modern).is_ok());
        prop_assert_eq!(text(plain(&modern)), request);
        let request = text_of(format!("{{{params}}}"));
        let modern = frame(&text(hello.speak(&frame(&request), None)));
        prop_assert_eq!(text(plain(&modern)), request);
    }

    #[test]
    fn a_result_comes_back_from_the_modern_era_as_it_went(result in members(value())) {
        let welcome = ServerHandshake::of("{}");
        for method in ["tools/call", "tools/list", "resources/read", "vendor/x"] {
            let answer = format!(r#"{{"jsonrpc":"2.0","result":{{{result}}},"id":1,"z":1.0}}"#);
            let modern = welcome.answer(method, None, &frame(&answer)).expect("a result");
            let modern = frame(&text(modern));
            let TranslatedAnswer::Whole(legacy) = answered(method, &modern) else {
                return Err(TestCaseError::fail("a whole result"));
            };
            prop_assert_eq!(text(legacy), answer);
        }
    }

    #[test]
    fn a_notification_comes_out_of_a_stream_as_it_went_in(params in members(value()), meta in members(value())) {
        let stream = Id::number(7);
        let meta = if meta.is_empty() { String::new() } else { format!(r#""_meta":{{{meta}}}{}"#, if params.is_empty() { "" } else { "," }) };
        let note = format!(r#"{{"jsonrpc":"2.0","params":{{{meta}{params}}},"method":"n"}}"#);
        let inside = frame(&text(wrapped(&frame(&note), &stream)));
        prop_assert_eq!(text(unwrapped(&inside)), note);
    }

    #[test]
    fn nothing_that_parses_makes_a_transformer_fail(body in value(), method in "tools/(call|list)|resources/read|subscriptions/listen") {
        let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"x":{body},"_meta":{body},"notifications":{body}}}}}"#);
        let request = frame(&request);
        let hello = ClientHandshake::of(&request);
        let spoken = hello.speak(&request, None);
        prop_assert!(Frame::parse(spoken, &FrameLimits::REQUEST).is_ok());
        prop_assert!(Frame::parse(plain(&request), &FrameLimits::REQUEST).is_ok());
        let result = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":{body},"resultType":{body},"structuredContent":{body},"inputRequests":{body},"_meta":{body}}}}}"#);
        let result = frame(&result);
        if let TranslatedAnswer::Whole(bytes) = answered(&method, &result) {
            prop_assert!(Frame::parse(bytes, &FrameLimits::RESPONSE).is_ok());
        }
        let modern = ServerHandshake::of(&body).answer(&method, Some("a:b"), &result).expect("a result");
        prop_assert!(Frame::parse(modern, &FrameLimits::RESPONSE).is_ok());
    }
}
