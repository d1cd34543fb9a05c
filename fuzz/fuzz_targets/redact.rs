//! Bytes → what may leave. Nothing panics, a second redaction changes nothing, and the cap holds.
#![no_main]

use breakfall::redact::{Audience, Redactor};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|input: &[u8]| {
    let Some((&first, bytes)) = input.split_first() else {
        return;
    };
    let audience = Audience::ALL[usize::from(first) % Audience::ALL.len()];
    let redactor = Redactor::new(audience);
    let once = redactor.bytes(bytes);
    if audience != Audience::Unredacted {
        assert!(once.len() <= Redactor::DEFAULT_LIMIT);
        assert_eq!(
            redactor.text(&once),
            once,
            "{:?}",
            String::from_utf8_lossy(bytes)
        );
    }
    let short = Redactor::new(audience).limit(usize::from(first));
    assert!(
        audience == Audience::Unredacted || short.bytes(bytes).len() <= usize::from(first).max(64)
    );
    if let Ok(mut value) = serde_json::from_slice::<Value>(bytes) {
        let _ = Redactor::client().sparing(&value).bytes(bytes);
        redactor.value(&mut value);
        let settled = value.clone();
        redactor.value(&mut value);
        assert_eq!(value, settled);
    }
});
