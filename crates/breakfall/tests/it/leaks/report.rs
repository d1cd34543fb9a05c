//! The result of the exam as a table, the two halves apart.

use std::collections::BTreeMap;
use std::fmt;

use testing::corpus::{Corpus, Half};

use super::exam::{Redact, Verdict, innocents_kept, leaks_gone, sentences_kept};

pub(super) struct Report(Vec<Part>);

struct Part {
    half: Half,
    families: BTreeMap<String, Verdict>,
    kinds: BTreeMap<String, Verdict>,
    leaks: Verdict,
    sentences: Verdict,
    innocents: Verdict,
}

/// Lets a redactor take the exam.
pub(super) fn of(redactor: &impl Redact, corpus: &Corpus) -> Report {
    Report(
        [Half::Written, Half::Generated]
            .map(|half| part(redactor, corpus, half))
            .into(),
    )
}

fn part(redactor: &impl Redact, corpus: &Corpus, half: Half) -> Part {
    let mut families = BTreeMap::<String, Vec<_>>::new();
    for leak in corpus.leaks.iter().filter(|leak| leak.half == half) {
        families.entry(leak.family.clone()).or_default().push(leak);
    }
    let mut kinds = BTreeMap::<String, Vec<_>>::new();
    for innocent in corpus
        .innocents
        .iter()
        .filter(|innocent| innocent.half == half)
    {
        kinds
            .entry(innocent.kind.clone())
            .or_default()
            .push(innocent);
    }
    let sentences = sentences_kept(redactor, families.values().flatten().copied());
    let families: BTreeMap<_, _> = families
        .into_iter()
        .map(|(name, leaks)| (name, leaks_gone(redactor, leaks)))
        .collect();
    let kinds: BTreeMap<_, _> = kinds
        .into_iter()
        .map(|(name, texts)| (name, innocents_kept(redactor, texts)))
        .collect();
    Part {
        half,
        leaks: families.values().sum(),
        sentences,
        innocents: kinds.values().sum(),
        families,
        kinds,
    }
}

impl Report {
    pub(super) fn passes(&self) -> bool {
        self.0
            .iter()
            .all(|part| part.leaks.is_perfect() && part.innocents.share() >= 0.99)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            rows(f, part.half, "leak", "gone", &part.families)?;
        }
        for part in &self.0 {
            rows(f, part.half, "innocent", "untouched", &part.kinds)?;
        }
        for verdict in self.0.iter().map(|part| &part.innocents) {
            if !verdict.is_perfect() {
                writeln!(f, "innocents: {verdict}")?;
            }
        }
        for part in &self.0 {
            writeln!(
                f,
                "{:9} words around leaks kept: {}",
                part.half,
                counted(&part.sentences)
            )?;
        }
        write!(f, "leak corpus: ")?;
        for (number, part) in self.0.iter().enumerate() {
            let before = if number == 0 { "" } else { "; " };
            write!(
                f,
                "{before}{} {} secrets gone, {} innocents untouched",
                part.half,
                counted(&part.leaks),
                counted(&part.innocents)
            )?;
        }
        Ok(())
    }
}

fn rows(
    f: &mut fmt::Formatter<'_>,
    half: Half,
    what: &str,
    right: &str,
    groups: &BTreeMap<String, Verdict>,
) -> fmt::Result {
    writeln!(f, "{half:9} {what:24} {right}")?;
    for (name, verdict) in groups {
        let mark = if verdict.is_perfect() { "" } else { "  <--" };
        writeln!(
            f,
            "{half:9} {name:24} {}/{}{mark}",
            verdict.good(),
            verdict.total()
        )?;
    }
    writeln!(f)
}

/// Rounded down: only all of them is a hundred per cent.
fn counted(verdict: &Verdict) -> String {
    let share = (verdict.share() * 10_000.0).floor() / 100.0;
    format!("{}/{} ({share} %)", verdict.good(), verdict.total())
}
