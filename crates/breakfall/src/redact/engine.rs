//! Finding and replacing: rules give spans, overlapping spans become one, and the text is written once.

use std::borrow::Cow;
use std::iter;

use super::Audience;
use super::decode::{DEEPEST, DecodedText};
use super::finder::MarkFinder;
use super::gate;
use super::mark::{Mark, MarkedSpan};
use super::spare::AllowList;

/// A text without what its audience must not see.
pub(super) fn redact<'a>(
    text: &'a str,
    audience: Audience,
    spared: Option<&AllowList>,
) -> Cow<'a, str> {
    let once = pass(text, audience, spared);
    let Cow::Owned(mut text) = once else {
        return once;
    };
    // What stood beside a find now stands beside a marker and may be seen for what it is.
    for _ in 1..MOST_PASSES {
        match pass(&text, audience, spared) {
            Cow::Owned(again) => text = again,
            Cow::Borrowed(_) => break,
        }
    }
    Cow::Owned(text)
}

/// Each pass finds less than the one before; in practice the second finds nothing.
const MOST_PASSES: usize = 8;

fn pass<'a>(text: &'a str, audience: Audience, spared: Option<&AllowList>) -> Cow<'a, str> {
    let spans = spans(text, audience);
    match spared {
        Some(spared) => write(text, &without_spared(text, spans, spared)),
        None => write(text, &spans),
    }
}

/// The finds that a reader does not know. What it knows may hold a secret that it does not know.
fn without_spared(text: &str, spans: Vec<MarkedSpan>, spared: &AllowList) -> Vec<MarkedSpan> {
    let mut kept = Vec::with_capacity(spans.len());
    for span in spans {
        let found = &text[span.start..span.end];
        if spared.presents(found) {
            continue;
        }
        if !spared.has(found, span.mark) {
            kept.push(span);
            continue;
        }
        kept.extend(
            self::spans(found, Audience::Operator)
                .into_iter()
                .map(|secret| MarkedSpan {
                    start: span.start + secret.start,
                    end: span.start + secret.end,
                    mark: secret.mark,
                }),
        );
    }
    kept
}

/// What an audience must not see of a text: sorted, without overlaps.
pub(super) fn spans(text: &str, audience: Audience) -> Vec<MarkedSpan> {
    let wide = audience == Audience::Client;
    let mut finder = MarkFinder::new(text.as_bytes(), wide);
    let escaped = gate::search(&mut finder);
    let mut spans = finder.spans;
    let view = escaped.then(|| DecodedText::of(text.as_bytes())).flatten();
    for view in iter::successors(view, DecodedText::beneath).take(DEEPEST) {
        let mut beneath = MarkFinder::new(&view.bytes, wide);
        gate::search(&mut beneath);
        spans.extend(beneath.spans.into_iter().map(|span| {
            let (start, end) = view.origin(span.start, span.end);
            MarkedSpan { start, end, ..span }
        }));
    }
    let mut spans = merge(text, spans);
    cut_trace(text, &mut spans);
    spans
}

/// A text that was cut may end inside a trace: what follows it up to the sign of the cut is the rest of a frame, which nothing
/// else tells from words.
fn cut_trace(text: &str, spans: &mut Vec<MarkedSpan>) {
    let Some(at) = spans.iter().rposition(|span| span.mark == Mark::Trace) else {
        return;
    };
    let rest = text[spans[at].end..].trim_end();
    if let Some(rest) = rest.strip_suffix('…')
        && rest.trim().lines().count() <= FRAME_LINES
    {
        spans.truncate(at + 1);
        spans[at].end = text.len();
    }
}

/// No language takes more lines for one frame.
const FRAME_LINES: usize = 2;

/// Overlapping finds become one. It is named after the one that holds the other, or after the graver.
pub(super) fn merge(text: &str, mut spans: Vec<MarkedSpan>) -> Vec<MarkedSpan> {
    for span in &mut spans {
        span.start = text.floor_char_boundary(span.start);
        span.end = text.ceil_char_boundary(span.end);
    }
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse((span.end, span.mark))));
    spans.dedup_by(|next, kept| {
        let overlaps = next.start < kept.end;
        if overlaps && next.end > kept.end {
            kept.end = next.end;
            kept.mark = kept.mark.max(next.mark);
        }
        overlaps
    });
    spans
}

pub(super) fn write<'a>(text: &'a str, spans: &[MarkedSpan]) -> Cow<'a, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        out.push_str(&text[at..span.start]);
        out.push_str(span.mark.as_str());
        at = span.end;
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}
