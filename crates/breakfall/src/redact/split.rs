//! Secrets that begin in one text and end in the next: the blocks of a result are read one after another.

use std::ops::Range;

use super::Audience;
use super::engine;
use super::mark::{Mark, MarkClass, MarkedSpan};
use super::spare::AllowList;

/// Takes out of texts the secrets that only show when the texts are joined. A text that has such a part loses all that
/// its reader must not see: the rest of a name and its value would not be known for what it is.
pub(super) fn redact(texts: &mut [String], audience: Audience, spared: Option<&AllowList>) {
    let size: usize = texts.iter().map(String::len).sum();
    if size > MAX_JOINED_BYTES {
        return;
    }
    let spans_of = |text: &str| {
        let mut spans = engine::spans(text, audience);
        let is_spared =
            |span: &MarkedSpan, list: &AllowList| list.has(&text[span.start..span.end], span.mark);
        spans.retain(|span| !spared.is_some_and(|list| is_spared(span, list)));
        spans
    };
    let alone: Vec<Vec<MarkedSpan>> = texts.iter().map(|text| spans_of(text)).collect();
    let mut parts: Vec<Vec<MarkedSpan>> = texts.iter().map(|_| Vec::new()).collect();
    for between in SEPARATORS {
        let mut together = spans_of(&texts.join(between));
        together.retain(|span| is_secret(span.mark));
        let mut start = 0;
        for (at, text) in texts.iter().enumerate() {
            let place = start..start + text.len();
            start = place.end + between.len();
            let found = together
                .iter()
                .filter_map(|span| part_in(text, &place, span));
            parts[at].extend(found.filter(|part| !alone[at].iter().any(|one| holds(one, part))));
        }
    }
    for ((text, alone), parts) in texts.iter_mut().zip(alone).zip(parts) {
        if !parts.is_empty() {
            let spans = engine::merge(text, [alone, parts].concat());
            *text = engine::write(text, &spans).into_owned();
        }
    }
}

/// The part of a find in a text, by the place of the text among those that were joined.
fn part_in(text: &str, place: &Range<usize>, span: &MarkedSpan) -> Option<MarkedSpan> {
    let start = span.start.max(place.start);
    let end = span.end.min(place.end);
    let part = MarkedSpan {
        start: start.checked_sub(place.start)?,
        end: end.checked_sub(place.start)?,
        mark: span.mark,
    };
    let is_begun_before = span.start < place.start;
    let is_part = start < end && !(is_begun_before && is_word(&text[part.start..part.end]));
    is_part.then_some(part)
}

/// Whether what follows a find is an ordinary word: the beginning of the next text, and not the end of a secret.
fn is_word(text: &str) -> bool {
    let word = text.trim_end_matches(['.', ',', ':', ';', '!', '?']);
    let rest = word.strip_prefix(|first: char| first.is_ascii_uppercase());
    let is_lower = |letter: char| letter.is_ascii_lowercase();
    !word.is_empty() && rest.unwrap_or(word).chars().all(is_lower)
}

fn holds(one: &MarkedSpan, part: &MarkedSpan) -> bool {
    one.start <= part.start && part.end <= one.end
}

fn is_secret(mark: Mark) -> bool {
    mark.class() == MarkClass::Secret && mark != Mark::Escape
}

/// How readers join texts.
const SEPARATORS: [&str; 2] = ["", "\n"];

/// More text than an answer shows.
const MAX_JOINED_BYTES: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(texts: &[&str]) -> Vec<String> {
        let mut texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        redact(&mut texts, Audience::Client, None);
        texts
    }

    #[test]
    fn a_secret_in_parts_is_found_and_nothing_else_changes() {
        let cases: [(&[&str], &[&str]); 7] = [
            (
                &["the key AKIAIOSF", "ODNN7EXAMPLE was refused"],
                &[
                    "the key [redacted:api-key]",
                    "[redacted:api-key] was refused",
                ],
            ),
            (
                &["login failed: password=", "correct-horse-7", "try again"],
                &[
                    "login failed: password=",
                    "[redacted:password]",
                    "try again",
                ],
            ),
            (
                &["Authorization: Bearer", "c2VjcmV0LXRva2VuLTE3"],
                &["Authorization: [redacted:secret]", "[redacted:secret]"],
            ),
            (
                &[
                    "-----BEGIN PRIVATE KEY-----",
                    "MIIEvQIBADANBg",
                    "-----END PRIVATE KEY-----",
                ],
                &[
                    "-----BEGIN PRIVATE KEY-----",
                    "[redacted:private-key]",
                    "[redacted:private-key]",
                ],
            ),
            (
                &["password=correct-ho", "rse-7 was refused"],
                &["password=correct-ho", "[redacted:password] was refused"],
            ),
            (
                &["password=correct-horse-7", "it failed"],
                &["password=correct-horse-7", "it failed"],
            ),
            (
                &["The order", "was not found"],
                &["The order", "was not found"],
            ),
        ];
        for (texts, want) in cases {
            assert_eq!(clean(texts), want, "{texts:?}");
        }
        // No value stays that has lost its name.
        let text = "DD_API_KEY: d0f25589333a905e7c36565bbd06602d";
        let second = clean(&[text, text]).remove(1);
        assert!(second == text || !second.contains("d0f255"), "{second}");
    }
}
