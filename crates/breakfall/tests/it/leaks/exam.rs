//! How a redactor is judged.

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;

use breakfall::Outcome;
use serde_json::Value;
use testing::corpus::{Innocent, Leak, Needle};

/// Whoever takes the exam.
pub(super) trait Redact {
    fn text(&self, text: &str) -> String;
    fn header(&self, name: &str, value: &str) -> String;
    fn value(&self, value: &mut Value);
    fn outcome(&self, outcome: Outcome) -> Outcome;
}

/// Lets everything through.
pub(super) struct Nothing;

impl Redact for Nothing {
    fn text(&self, text: &str) -> String {
        text.to_owned()
    }

    fn header(&self, _name: &str, value: &str) -> String {
        value.to_owned()
    }

    fn value(&self, _value: &mut Value) {}

    fn outcome(&self, outcome: Outcome) -> Outcome {
        outcome
    }
}

/// Lets nothing through.
pub(super) struct Everything;

impl Redact for Everything {
    fn text(&self, _text: &str) -> String {
        "[redacted]".to_owned()
    }

    fn header(&self, _name: &str, _value: &str) -> String {
        "[redacted]".to_owned()
    }

    fn value(&self, value: &mut Value) {
        *value = Value::Null;
    }

    fn outcome(&self, _outcome: Outcome) -> Outcome {
        breakfall::Fault::internal().into()
    }
}

/// What came of it: how many were right, and what went wrong with the others.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    total: usize,
    wrong: Vec<Wrong>,
}

#[derive(Debug, Clone)]
struct Wrong {
    group: String,
    what: String,
}

impl Verdict {
    pub(super) fn add(&mut self, group: &str, wrong: Option<String>) {
        self.total += 1;
        self.wrong.extend(wrong.map(|what| Wrong {
            group: group.to_owned(),
            what,
        }));
    }

    pub(super) fn total(&self) -> usize {
        self.total
    }

    pub(super) fn good(&self) -> usize {
        self.total - self.wrong.len()
    }

    #[expect(clippy::cast_precision_loss, reason = "a share of at most millions")]
    pub(super) fn share(&self) -> f64 {
        if self.total == 0 {
            1.0
        } else {
            self.good() as f64 / self.total as f64
        }
    }

    pub(super) fn is_perfect(&self) -> bool {
        self.wrong.is_empty()
    }
}

impl<'a> Sum<&'a Self> for Verdict {
    fn sum<I: Iterator<Item = &'a Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |mut whole, part| {
            whole.total += part.total;
            whole.wrong.extend_from_slice(&part.wrong);
            whole
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} are right", self.good(), self.total)?;
        let mut groups = BTreeMap::<_, Vec<_>>::new();
        for wrong in &self.wrong {
            groups.entry(&wrong.group).or_default().push(&wrong.what);
        }
        for (group, wrong) in &groups {
            writeln!(f, "[{group}] {} wrong", wrong.len())?;
            for what in wrong.iter().take(SHOWN) {
                writeln!(f, "  {what}")?;
            }
        }
        Ok(())
    }
}

/// So many of a group: more than this nobody reads at once.
const SHOWN: usize = 3;

/// The needles of a leak.
pub(super) fn needles(secrets: &[String]) -> Vec<Needle> {
    secrets.iter().map(|secret| Needle::new(secret)).collect()
}

/// The first secret that is still there.
pub(super) fn found<'a>(secrets: &'a [String], needles: &[Needle], text: &str) -> Option<&'a str> {
    let at = needles.iter().position(|needle| needle.is_in(text))?;
    Some(&secrets[at])
}

/// Whether the secrets of each leak are gone from its text.
pub(super) fn leaks_gone<'a>(
    redactor: &impl Redact,
    leaks: impl IntoIterator<Item = &'a Leak>,
) -> Verdict {
    let mut verdict = Verdict::default();
    for leak in leaks {
        let after = redactor.text(&leak.text);
        let secret = found(&leak.secrets, &needles(&leak.secrets), &after);
        let wrong = secret
            .map(|secret| format!("'{secret}' is left in {after:?}, made from {:?}", leak.text));
        verdict.add(&group(leak.half, &leak.family), wrong);
    }
    verdict
}

/// Whether the words around each leak are still there.
pub(super) fn sentences_kept<'a>(
    redactor: &impl Redact,
    leaks: impl IntoIterator<Item = &'a Leak>,
) -> Verdict {
    let mut verdict = Verdict::default();
    for leak in leaks.into_iter().filter(|leak| !leak.keep.is_empty()) {
        let after = redactor.text(&leak.text);
        let lost = leak.keep.iter().find(|kept| !after.contains(*kept));
        let wrong =
            lost.map(|lost| format!("'{lost}' is lost in {after:?}, made from {:?}", leak.text));
        verdict.add(&group(leak.half, &leak.family), wrong);
    }
    verdict
}

/// Whether each innocent text is as it was, byte for byte.
pub(super) fn innocents_kept<'a>(
    redactor: &impl Redact,
    innocents: impl IntoIterator<Item = &'a Innocent>,
) -> Verdict {
    let mut verdict = Verdict::default();
    for innocent in innocents {
        let after = redactor.text(&innocent.text);
        let wrong =
            (after != innocent.text).then(|| format!("{:?} became {after:?}", innocent.text));
        verdict.add(&group(innocent.half, &innocent.kind), wrong);
    }
    verdict
}

fn group(half: testing::corpus::Half, name: &str) -> String {
    format!("{half} {name}")
}
