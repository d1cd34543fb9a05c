//! The corpus that was written by hand, before the rules.

use std::collections::BTreeSet;

use breakfall::redact::Redactor;
use serde_json::Value;

pub(super) const LEAKS: &str = include_str!("../../../../testing/corpus/leaks.json");
pub(super) const INNOCENT: &str = include_str!("../../../../testing/corpus/innocent.json");

pub(super) fn entries(json: &str) -> Vec<Value> {
    serde_json::from_str(json).expect("the corpus is a list")
}

fn texts<'a>(entry: &'a Value, key: &str) -> Vec<&'a str> {
    let all = entry.get(key).and_then(Value::as_array);
    all.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

#[test]
fn every_planted_secret_is_gone_and_the_sentence_is_not() {
    let leaks = entries(LEAKS);
    let families: BTreeSet<&str> = leaks
        .iter()
        .filter_map(|leak| leak["family"].as_str())
        .collect();
    assert!(
        leaks.len() >= 170 && families.len() >= 22,
        "{} in {}",
        leaks.len(),
        families.len()
    );
    let redactor = Redactor::client();
    let mut problems = Vec::new();
    for leak in &leaks {
        let text = leak["text"].as_str().expect("a text");
        let clean = redactor.text(text);
        let left = texts(leak, "secrets")
            .into_iter()
            .any(|secret| clean.contains(secret));
        let lost = texts(leak, "keep")
            .into_iter()
            .any(|kept| !clean.contains(kept));
        if left || lost {
            problems.push(format!(
                "{}: {text:?} → {clean:?} ({})",
                leak["family"],
                if left { "left" } else { "lost" }
            ));
        }
    }
    assert!(
        problems.is_empty(),
        "{} of {}:\n{}",
        problems.len(),
        leaks.len(),
        problems.join("\n")
    );
}

#[test]
fn a_secret_is_gone_wherever_in_a_text_it_stands() {
    // Texts are searched in blocks: a secret may begin anywhere in one.
    let lead =
        "words of a long sentence that holds nothing at all and goes on for quite a while, and ";
    for leak in &entries(LEAKS) {
        let text = leak["text"].as_str().expect("a text");
        for pad in 0..64 {
            let moved = format!(
                "{}\n{text}\nand so on, for more than one block of words",
                &lead[..lead.len() - pad]
            );
            let clean = Redactor::client().text(&moved);
            for secret in texts(leak, "secrets") {
                assert!(
                    !clean.contains(secret),
                    "{secret:?} after {pad} in {clean:?}"
                );
            }
        }
    }
}

#[test]
fn innocent_text_is_not_touched() {
    let innocent = entries(INNOCENT);
    assert!(innocent.len() >= 170, "{}", innocent.len());
    let redactor = Redactor::client();
    let touched: Vec<String> = innocent
        .iter()
        .filter_map(|entry| {
            let text = entry["text"].as_str().expect("a text");
            let clean = redactor.text(text);
            (clean != text).then(|| format!("{}: {text:?} → {clean:?}", entry["kind"]))
        })
        .collect();
    assert!(
        touched.is_empty(),
        "{} of {}:\n{}",
        touched.len(),
        innocent.len(),
        touched.join("\n")
    );
}
