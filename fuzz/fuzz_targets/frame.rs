//! Bytes → an envelope, from either side. What is taken is kept byte for byte, but for errors the protocol does not know,
//! which are written as it wants them; what is refused is told under the id it has.
#![no_main]

use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, Kind};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    from_server(bytes);
    let mut limits = FrameLimits::REQUEST;
    limits.depth = 12;
    limits.size = 1 << 16;
    match Frame::parse(bytes.to_vec(), &limits) {
        Ok(frame) => {
            if frame.bytes() != bytes {
                assert_eq!(frame.kind(), Kind::Error);
                limits.size = usize::MAX;
                let again = Frame::parse(frame.bytes().to_vec(), &limits);
                assert_eq!(again.expect("it was taken").bytes(), frame.bytes());
            }
            let id = frame.id().map(Id::as_json);
            let place = frame.id_place().map(|place| &frame.bytes()[place]);
            assert_eq!(id.map(str::as_bytes), place);
            assert!(id.is_some() || matches!(frame.kind(), Kind::Notification | Kind::Error));
            // Numbers and halves of surrogate pairs that fit no value of ours cross nevertheless.
            if let Ok(Value::Object(message)) = serde_json::from_slice(bytes) {
                let method = message.get("method").and_then(Value::as_str);
                assert_eq!(method.unwrap_or_default(), frame.method());
            }
        }
        Err(refusal) => {
            assert!(!refusal.fault.public().message().is_empty());
            if let Some(id) = refusal.id {
                let answer = format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"id":{id}}}}}"#);
                let answer = Frame::parse(answer.into_bytes(), &FrameLimits::REQUEST);
                assert!(answer.is_ok(), "an id that is no JSON: {id}");
            }
        }
    }
});

/// A list of tools that is too deep goes on without its depths, and is a message that fits.
fn from_server(bytes: &[u8]) {
    let mut limits = FrameLimits::RESPONSE;
    limits.depth = 8;
    limits.size = 1 << 16;
    if let Ok(frame) = Frame::parse(bytes.to_vec(), &limits) {
        limits.size = usize::MAX;
        let again = Frame::parse(frame.bytes().to_vec(), &limits);
        assert_eq!(again.expect("it was taken").bytes(), frame.bytes());
    }
}
