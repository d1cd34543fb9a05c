//! Batches of texts that were written apart from the rules: how many of them leak.
//!
//! A bound is what was measured after the families of the batch were added; what the batches leaked as they fell out is in
//! `docs/redaction.md`. See `crates/testing/corpus/README.md`.

use breakfall::redact::Redactor;
use testing::corpus::{UnseenText, measure, unseen};

macro_rules! batch {
    ($file:literal, $most:literal) => {
        (
            include_str!(concat!("../../../../testing/corpus/", $file)),
            $most,
        )
    };
}

/// Each batch, and how many of its texts may leak.
const BATCHES: [(&str, usize); 10] = [
    batch!("unseen-1.jsonl", 24),
    batch!("unseen-2.jsonl", 51),
    batch!("unseen-3.jsonl", 23),
    batch!("unseen-4.jsonl", 59),
    batch!("unseen-5.jsonl", 0),
    batch!("unseen-6.jsonl", 16),
    batch!("unseen-7.jsonl", 1),
    batch!("unseen-8.jsonl", 1),
    batch!("unseen-9.jsonl", 3),
    batch!("unseen-10.jsonl", 4),
];

const HARMLESS: &str = include_str!("../../../../testing/corpus/unseen-harmless.jsonl");

fn texts(lines: &str) -> Vec<UnseenText> {
    unseen(lines).expect("each line is a text with its secrets")
}

#[test]
fn no_batch_leaks_more_than_when_its_families_were_added() {
    let redactor = Redactor::client().limit(usize::MAX);
    for (index, (lines, most)) in BATCHES.iter().enumerate() {
        let result = measure(&texts(lines), |text| redactor.text(text).into_owned());
        assert!(result.texts >= 450, "batch {}", index + 1);
        println!(
            "batch {}: {} of {} leak, {} a credential",
            index + 1,
            result.leaking.len(),
            result.texts,
            result.credentials
        );
        for (kind, (left, all)) in &result.kinds {
            println!("  {kind}: {left} of {all}");
        }
        assert!(
            result.leaking.len() <= *most,
            "batch {}: {}\n{}",
            index + 1,
            result.leaking.len(),
            result.leaking.join("\n")
        );
        assert_eq!(result.credentials, 0, "batch {}", index + 1);
    }
}

#[test]
fn at_most_one_in_two_hundred_harmless_texts_is_touched() {
    let redactor = Redactor::client();
    let entries = texts(HARMLESS);
    let touched: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            let text = &entry.text;
            let clean = redactor.text(text);
            (clean != *text).then(|| format!("{text:?} became {clean:?}"))
        })
        .collect();
    assert!(
        touched.len() * 200 <= entries.len(),
        "{}",
        touched.join("\n")
    );
}
