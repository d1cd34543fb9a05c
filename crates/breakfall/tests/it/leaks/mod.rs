//! The leak corpus: every planted secret is gone wherever a failure leaves, and harmless text is not touched.
//!
//! `./check leaks` runs this and shows the report. `BREAKFALL_CORPUS_SIZE=100000 ./check leaks` asks more,
//! `BREAKFALL_CORPUS_SEED=7` asks something else.

#![cfg(feature = "locale")]

mod exam;
mod fields;
mod report;
mod wire;

use std::collections::BTreeSet;

use breakfall::redact::Redactor;
use testing::corpus::{Corpus, Half};

use exam::{Everything, Nothing, Redact, innocents_kept, leaks_gone, sentences_kept};

#[test]
fn the_corpus_is_as_large_as_promised_and_half_of_it_is_generated() {
    let corpus = corpus();
    let families: BTreeSet<_> = corpus.leaks.iter().map(|leak| &leak.family).collect();
    assert!(corpus.leaks.len() >= 300 && families.len() >= 20);
    assert!(corpus.innocents.len() >= 300);
    let generated = [
        corpus
            .leaks
            .iter()
            .filter(|leak| leak.half == Half::Generated)
            .count()
            * 2
            >= corpus.leaks.len(),
        corpus
            .innocents
            .iter()
            .filter(|innocent| innocent.half == Half::Generated)
            .count()
            * 2
            >= corpus.innocents.len(),
    ];
    assert_eq!(generated, [true, true]);
}

#[test]
fn every_planted_secret_is_gone_from_the_text() {
    let corpus = corpus();
    let result = leaks_gone(&Redactor::client(), &corpus.leaks);
    assert!(result.is_perfect(), "{result}");
}

#[test]
fn no_planted_secret_reaches_the_wire_in_any_dialect_format_or_language() {
    let corpus = corpus();
    let result = wire::leaks_gone(&Redactor::client(), &corpus.leaks);
    assert!(result.is_perfect(), "{result}");
}

#[test]
fn innocent_text_stays_as_it_is_in_ninety_nine_of_a_hundred_cases() {
    let corpus = corpus();
    for half in [Half::Written, Half::Generated] {
        let cases = corpus
            .innocents
            .iter()
            .filter(|innocent| innocent.half == half);
        let result = innocents_kept(&Redactor::client(), cases);
        assert!(result.share() >= 0.99, "{half}: {result}");
    }
}

#[test]
fn the_words_around_a_leak_stay_in_ninety_nine_of_a_hundred_cases() {
    let corpus = corpus();
    let result = sentences_kept(&Redactor::client(), &corpus.leaks);
    assert!(result.share() >= 0.99, "{result}");
}

#[test]
fn secrets_in_headers_are_gone_and_harmless_headers_stay() {
    let corpus = corpus();
    let result = fields::headers(&Redactor::client(), &corpus.headers);
    assert!(result.is_perfect(), "{result}");
}

#[test]
fn secrets_under_telling_keys_are_gone_and_harmless_keys_stay() {
    let corpus = corpus();
    let result = fields::keyed(&Redactor::client(), &corpus.keyed);
    assert!(result.is_perfect(), "{result}");
}

#[test]
fn secrets_under_telling_keys_of_a_fault_do_not_reach_the_wire() {
    let corpus = corpus();
    let result = fields::keyed_on_the_wire(&Redactor::client(), &corpus.keyed);
    assert!(result.is_perfect(), "{result}");
}

/// Without it the exam would not show that it can be failed.
#[test]
fn a_redactor_that_does_nothing_fails() {
    let corpus = corpus();
    assert_eq!(leaks_gone(&Nothing, &corpus.leaks).good(), 0);
    assert_eq!(wire::leaks_gone(&Nothing, &corpus.leaks).good(), 0);
    assert!(fields::headers(&Nothing, &corpus.headers).share() < 0.5);
    assert!(fields::keyed(&Nothing, &corpus.keyed).share() < 0.5);
    assert!(fields::keyed_on_the_wire(&Nothing, &corpus.keyed).share() < 0.5);
    assert_eq!(
        innocents_kept(&Nothing, &corpus.innocents)
            .share()
            .to_string(),
        "1"
    );
}

#[test]
fn a_redactor_that_takes_everything_fails() {
    let corpus = corpus();
    assert!(leaks_gone(&Everything, &corpus.leaks).is_perfect());
    assert_eq!(innocents_kept(&Everything, &corpus.innocents).good(), 0);
    assert!(sentences_kept(&Everything, &corpus.leaks).share() < 0.2);
}

/// `./check leaks` shows what it prints, and repeats its last line.
#[test]
fn the_report() {
    let report = report::of(&Redactor::client(), &corpus());
    println!("{report}");
    assert!(report.passes(), "see the table above");
}

fn corpus() -> Corpus {
    Corpus::load().unwrap_or_else(|error| panic!("{error}"))
}

impl Redact for Redactor {
    fn text(&self, text: &str) -> String {
        self.text(text).into_owned()
    }

    fn header(&self, name: &str, value: &str) -> String {
        self.header(name, value).into_owned()
    }

    fn value(&self, value: &mut serde_json::Value) {
        self.value(value);
    }

    fn outcome(&self, outcome: breakfall::Outcome) -> breakfall::Outcome {
        self.outcome(outcome).into_inner()
    }
}
