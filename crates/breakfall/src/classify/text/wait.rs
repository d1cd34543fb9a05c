//! Waits in words: "retry after 7 seconds", "try again in 2 minutes", `Retry-After: 7`, "in 6m0s".

use std::sync::LazyLock;
use std::time::Duration;

use memchr::memmem::Finder;

use super::words::{TextWord, WordGap, words};

/// The first wait a text states.
pub(super) fn wait(text: &[u8]) -> Option<Duration> {
    // Most texts state none, and to cut all of a text into words for that would be in vain.
    let near = HINTS
        .iter()
        .flat_map(|hint| hint.find_iter(text).take(MOST));
    let mut near: Vec<usize> = near.collect();
    near.sort_unstable();
    near.into_iter().find_map(|at| {
        let start = text[..at]
            .iter()
            .rposition(|byte| !byte.is_ascii_alphabetic())
            .map_or(0, |before| before + 1);
        in_window(&text[start..text.len().min(at + WINDOW)])
    })
}

/// How many occurrences of a hint are looked at.
const MOST: usize = 8;
/// How far a wait reaches from the first word that announces it.
const WINDOW: usize = 120;

/// The wait announced by the first words of a text.
fn in_window(text: &[u8]) -> Option<Duration> {
    let words = words(text);
    let lead = LEADS.iter().find(|lead| lead.begins(text, &words))?;
    let mut last = lead.words.len() - 1;
    let mut unit = lead.unit;
    // The unit may be part of the name: `retry_after_ms`.
    if let (Some(_), Some(named)) = (lead.unit, unit_word(text, words.get(last + 1))) {
        (last, unit) = (last + 1, Some(named));
    }
    while let Some(next) = words.get(last + 1)
        && next.is_any(text, FILLERS)
        && next.gap <= WordGap::Hard
    {
        last += 1;
    }
    duration(text, words[last].end(), unit)
}

struct WaitLead {
    words: &'static [&'static str],
    /// The unit of a number without one. `None` means that a number without a unit is not a wait.
    unit: Option<Duration>,
}

impl WaitLead {
    fn begins(&self, text: &[u8], words: &[TextWord]) -> bool {
        words.len() >= self.words.len()
            && self
                .words
                .iter()
                .zip(words)
                .enumerate()
                .all(|(at, (want, have))| {
                    have.is(text, want) && (at == 0 || have.gap == WordGap::Soft)
                })
    }
}

/// Parts of the first words of all leads, in both cases.
static HINTS: LazyLock<[Finder<'_>; 10]> = LazyLock::new(|| {
    [
        "etry", "gain", "ait", "eset", "vailable", "ETRY", "GAIN", "AIT", "ESET", "VAILABLE",
    ]
    .map(Finder::new)
});

const SECOND: Duration = Duration::from_secs(1);

#[rustfmt::skip]
const LEADS: &[WaitLead] = &[
    WaitLead { words: &["retry", "after"], unit: Some(SECOND) },
    WaitLead { words: &["retryafter"], unit: Some(SECOND) },
    WaitLead { words: &["again", "in"], unit: None },
    WaitLead { words: &["again", "after"], unit: None },
    WaitLead { words: &["retry", "in"], unit: None },
    WaitLead { words: &["wait"], unit: None },
    WaitLead { words: &["reset", "in"], unit: None },
    WaitLead { words: &["resets", "in"], unit: None },
    WaitLead { words: &["available", "in"], unit: None },
];

#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "at", "least", "for", "about", "approximately", "another", "up", "to",
];

fn unit_word(text: &[u8], word: Option<&TextWord>) -> Option<Duration> {
    let word = word.filter(|word| word.gap == WordGap::Soft)?;
    unit(&text[word.start()..word.end()])
}

/// A number and its unit, or several: "90 s", "1.5 minutes", "6m0s", "1 hour 30 minutes".
fn duration(text: &[u8], from: usize, default: Option<Duration>) -> Option<Duration> {
    let rest = text.get(from..)?;
    // Only what may stand between a name and its value is skipped.
    let skipped = rest
        .iter()
        .take(6)
        .position(|byte| !matches!(byte, b' ' | b':' | b'=' | b'"' | b'\'' | b'~' | b'(' | b'*'))?;
    let mut rest = &rest[skipped..];
    let mut total: Option<Duration> = None;
    // At most days, hours, minutes, seconds and milliseconds.
    for _ in 0..5 {
        let Some((count, after)) = number(rest) else {
            break;
        };
        let spaces = after
            .iter()
            .take(2)
            .take_while(|byte| **byte == b' ')
            .count();
        let letters = after[spaces..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let named = unit(&after[spaces..spaces + letters]);
        // A date or a time of day begins with a number too.
        let dated = matches!(after.first(), Some(b'-' | b':' | b'/'));
        // And so do 1e308 and 1,000, of which the first digits alone are not the number.
        let goes_on = letters > 0 && spaces == 0
            || after.first() == Some(&b',') && after.get(1).is_some_and(u8::is_ascii_digit);
        let one = match named {
            Some(one) => one,
            None if total.is_none() && !dated && !goes_on => default?,
            None => break,
        };
        let part = Duration::try_from_secs_f64(count * one.as_secs_f64()).ok()?;
        total = Some(total.unwrap_or_default().checked_add(part)?);
        rest = &after[if named.is_some() { spaces + letters } else { 0 }..];
        if named.is_none() {
            break;
        }
        rest = rest.strip_prefix(b" ").unwrap_or(rest);
        rest = rest.strip_prefix(b"and ").unwrap_or(rest);
    }
    total.filter(|total| !total.is_zero())
}

/// A leading decimal number, of bounded length.
fn number(text: &[u8]) -> Option<(f64, &[u8])> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(text);
    if !(1..=9).contains(&whole) {
        return None;
    }
    let fraction = match text.get(whole) {
        Some(b'.') => digits(&text[whole + 1..]),
        _ => 0,
    };
    let length = if fraction == 0 {
        whole
    } else {
        whole + 1 + fraction
    };
    let value = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some((value, &text[length..]))
}

fn unit(word: &[u8]) -> Option<Duration> {
    let any = |words: &[&str]| {
        words
            .iter()
            .any(|have| word.eq_ignore_ascii_case(have.as_bytes()))
    };
    let seconds = match () {
        () if any(&[
            "ms",
            "msec",
            "msecs",
            "milliseconds",
            "millisecond",
            "millis",
        ]) =>
        {
            return Some(Duration::from_millis(1));
        }
        () if any(&["s", "sec", "secs", "second", "seconds"]) => 1,
        () if any(&["m", "min", "mins", "minute", "minutes"]) => 60,
        () if any(&["h", "hr", "hrs", "hour", "hours"]) => 3600,
        () if any(&["d", "day", "days"]) => 86_400,
        () => return None,
    };
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(text: &str) -> Option<u128> {
        wait(text.as_bytes()).map(|wait| wait.as_millis())
    }

    #[test]
    fn waits_are_understood() {
        for (text, want) in [
            ("retry after 7 seconds", 7_000),
            ("Retry-After: 7", 7_000),
            ("{\"retryAfter\": 7}", 7_000),
            ("retry_after_ms=1500", 1_500),
            ("Please try again in 2 minutes.", 120_000),
            ("Please try again in 6m0s.", 360_000),
            ("try again in 1.2s", 1_200),
            ("try again in 20ms", 20),
            ("try again after 1 hour and 30 minutes", 5_400_000),
            ("wait at least 30 seconds", 30_000),
            ("Limit resets in 45 s", 45_000),
        ] {
            assert_eq!(millis(text), Some(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_wait_is_none() {
        for text in [
            "try again in a while",
            "try again in 5",
            "wait 5 times",
            "retry after 2026-01-02",
            "retry after 12:30",
            "retry after 0 seconds",
            "retry after 99999999999999 seconds",
            "Retry after 1e308 seconds",
            "Retry after 1,000 seconds",
            "retry after",
            "",
        ] {
            assert_eq!(millis(text), None, "{text}");
        }
    }
}
