//! Finding and replacing: rules give spans, overlapping spans become one, and the text is written once.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::Audience;
use super::mark::{Class, Mark, Span, is_marker};
use super::spare::Spared;

/// A text without what its audience must not see.
pub(super) fn redact<'a>(
    text: &'a str,
    audience: Audience,
    spared: Option<&Spared>,
) -> Cow<'a, str> {
    let mut spans = spans(text, audience);
    if let Some(spared) = spared {
        spans.retain(|span| {
            span.mark.class() == Class::Secret || !spared.has(&text[span.start..span.end])
        });
    }
    write(text, &spans)
}

/// What an audience must not see of a text: sorted, without overlaps.
pub(super) fn spans(text: &str, audience: Audience) -> Vec<Span> {
    let mut spans = Vec::new();
    for (mark, rule) in RULES.iter() {
        if audience == Audience::Operator && mark.class() != Class::Secret {
            continue;
        }
        for found in rule.captures_iter(text.as_bytes()) {
            let Some(part) = found.name("x").or_else(|| found.get(0)) else {
                continue;
            };
            if !is_marker(part.as_bytes()) {
                spans.push(Span {
                    start: part.start(),
                    end: part.end(),
                    mark: *mark,
                });
            }
        }
    }
    merge(text, spans)
}

fn merge(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    for span in &mut spans {
        span.start = text.floor_char_boundary(span.start);
        span.end = text.ceil_char_boundary(span.end);
    }
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, kept| {
        let overlaps = next.start < kept.end;
        if overlaps {
            kept.end = kept.end.max(next.end);
            kept.mark = kept.mark.max(next.mark);
        }
        overlaps
    });
    spans
}

fn write<'a>(text: &'a str, spans: &[Span]) -> Cow<'a, str> {
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

static RULES: LazyLock<Vec<(Mark, Regex)>> = LazyLock::new(|| {
    let rules = [
        (
            Mark::ApiKey,
            r"(?:sk-|sk_live_|ghp_|glpat-|AKIA)[A-Za-z0-9_\-]{12,}",
        ),
        (
            Mark::Bearer,
            r"(?i:bearer)\s+(?P<x>[A-Za-z0-9_.~+/=\-]{8,})",
        ),
        (
            Mark::Password,
            r#"(?i:password|passwd|pwd)["']?\s*[=:]\s*["']?(?P<x>[^\s"',;&}]+)"#,
        ),
        (
            Mark::Secret,
            r#"(?i:secret|token|api_key)["']?\s*[=:]\s*["']?(?P<x>[A-Za-z0-9_.~+/=\-]{8,})"#,
        ),
        (
            Mark::PrivateKey,
            r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        ),
        (
            Mark::Jwt,
            r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*",
        ),
        (
            Mark::Email,
            r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+",
        ),
        (
            Mark::Path,
            r"/(?:home|Users|root|var|etc|usr|opt|srv|tmp|app)(?:/[A-Za-z0-9._\-]+)+",
        ),
    ];
    rules
        .into_iter()
        .map(|(mark, rule)| {
            (
                mark,
                Regex::new(&format!("(?-u){rule}")).expect("a rule of ours compiles"),
            )
        })
        .collect()
});
