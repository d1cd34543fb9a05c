//! Secrets that only the name of a header or key gives away.

use breakfall::{Fault, Outcome};
use testing::corpus::{Header, Keyed};

use super::exam::{Redact, Verdict, found, needles};
use super::wire::{sent, ways};

/// Whether what is secret in each header is gone, and every other header as it was.
pub(super) fn headers(redactor: &impl Redact, headers: &[Header]) -> Verdict {
    let mut verdict = Verdict::default();
    for header in headers {
        let after = redactor.header(&header.name, &header.value);
        let wrong = if header.secret.is_empty() {
            (after != header.value).then(|| format!("{:?} became {after:?}", header.value))
        } else {
            let secret = found(&header.secret, &needles(&header.secret), &after);
            secret.map(|secret| format!("'{secret}' is left in {after:?}"))
        };
        verdict.add(&header.name, wrong);
    }
    verdict
}

/// Whether what stands under a telling key is gone, and every other value as it was.
pub(super) fn keyed(redactor: &impl Redact, all: &[Keyed]) -> Verdict {
    let mut verdict = Verdict::default();
    for keyed in all {
        let mut after = keyed.value.clone();
        redactor.value(&mut after);
        let wrong = if keyed.secret.is_empty() {
            (after != keyed.value).then(|| format!("{} became {after}", keyed.value))
        } else {
            let secret = found(&keyed.secret, &needles(&keyed.secret), &after.to_string());
            secret.map(|secret| format!("'{secret}' is left in {after}"))
        };
        verdict.add(&keyed.key, wrong);
    }
    verdict
}

/// The same in the details of a fault, as it is sent.
pub(super) fn keyed_on_the_wire(redactor: &impl Redact, all: &[Keyed]) -> Verdict {
    let mut verdict = Verdict::default();
    let secret = all
        .iter()
        .filter(|keyed| !keyed.secret.is_empty())
        .take(MOST);
    for (number, keyed) in secret.enumerate() {
        let fault = Fault::internal().detail("request", keyed.value.clone());
        let outcome = redactor.outcome(Outcome::from(fault));
        let needles = needles(&keyed.secret);
        let escape = sent(&outcome, ways().skip(number % 4).step_by(4))
            .find_map(|sent| sent.with(&keyed.secret, &needles));
        verdict.add(&keyed.key, escape);
    }
    verdict
}

/// So many are sent at most, however many were drawn.
const MOST: usize = 600;
