//! Bytes → the text of a failure. It always comes to a fault that says by which rule; and as the text of a success it is
//! one unless a rule on disguises says otherwise.
#![no_main]

use breakfall::classify::{Classifier, TextRule};
use breakfall::{Confidence, Fault, codes};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let classifier = Classifier::new().unmask(true);
    let fault = classifier.bytes(bytes);
    signed(&classifier, &fault);
    let text = String::from_utf8_lossy(bytes);
    let content = json!([{"type": "text", "text": text}]);
    let failed = classifier.result(&json!({"content": content, "isError": true}));
    signed(&classifier, &failed);
    if let Some(fault) = classifier.disguised(&json!({"content": content})) {
        assert!(signed(&classifier, &fault).starts_with("disguise."));
        assert!(
            fault
                .public()
                .provenance()
                .is_some_and(|by| by.confidence > Confidence::Exact)
        );
    }
    phrase(&text);
});

/// The rule that made a fault, which exists and is as sure as it says at most.
fn signed(classifier: &Classifier, fault: &Fault) -> String {
    let by = fault.public().provenance().expect("every fault is signed");
    for id in by.rule.split('+') {
        match classifier.rules().find(|rule| rule.id == id) {
            Some(rule) => assert!(rule.confidence <= by.confidence, "{by:?}"),
            // A document of ours says itself who classified it.
            None => return id.to_owned(),
        }
    }
    assert!(by.confidence != Confidence::Default || fault.code() == codes::INTERNAL_UNKNOWN);
    by.rule.clone().into_owned()
}

/// A phrase that is accepted finds itself.
fn phrase(text: &str) {
    let rule = TextRule::new("own.fuzz", codes::BUSINESS_RULE_VIOLATION).phrase(text);
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b' ');
    if let Ok(classifier) = Classifier::new().with(rule)
        && plain
    {
        let fault = classifier.text(text);
        assert_eq!(fault.code(), codes::BUSINESS_RULE_VIOLATION, "{text:?}");
    }
}
