//! Everything between two blanks: credentials by their shape, wherever in it they begin.

use super::bytes::{before, is_random, is_token, is_word, line, run, run_back};
use super::finder::{MarkFinder, Rule};
use super::mark::{Mark, is_marker};
use super::{address, assign, tokens};

/// Looks at all of the run of visible characters a place is in.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Run, at) {
        return;
    }
    let text = finder.text;
    // The value of a tag may be longer than its line; all else ends with the run.
    if finder.is_traced(at) {
        let (from, to) = line(text, at, LOOK_BACK);
        if memchr::memchr(b'>', &text[from..to]).is_none() {
            finder.passed(Rule::Run, to);
            return;
        }
    }
    let visible = |byte: u8| byte > b' ' && byte != 0x7f;
    let start = run_back(text, at, LOOK_BACK, visible);
    let end = run(text, at, usize::MAX, visible);
    finder.passed(Rule::Run, end);
    let mut at = start;
    while at < end {
        if is_token(text[at]) {
            at = token(finder, at, end);
        } else {
            at += 1;
        }
    }
}

/// How far before a place its run is looked for: no credential has so much in front of it without a sign in between.
const LOOK_BACK: usize = 4 * 1024;

/// Looks at letters, digits and the signs that join them, and says where to go on.
fn token(finder: &mut MarkFinder<'_>, start: usize, end: usize) -> usize {
    let text = finder.text;
    let close = run(text, start, end - start, is_token);
    let next = match text.get(close) {
        Some(b'.') => dotted(finder, start, close),
        Some(b':') => {
            if close - start == 4 {
                address::v6(finder, start);
            }
            telegram(finder, start, close)
        }
        Some(b'~') => azure(finder, start, close),
        Some(b'/') => webhook(finder, close),
        Some(b'>') => {
            assign::find(finder, start);
            None
        }
        _ => mailchimp(finder, start, close),
    };
    if let Some(next) = next {
        return next;
    }
    let mut at = start;
    while at < close {
        let begins = text[at].is_ascii_alphanumeric()
            && before(text, at).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if begins && let Some(next) = tokens::at(text, at) {
            finder.found(at, next, tokens::MARK);
            if matches!(&text[at..at + 4], b"AKIA" | b"ASIA") {
                beside_id(finder, next);
            }
            at = next;
        } else {
            at += 1;
        }
    }
    at.max(close)
}

/// The secret of a key of Amazon's, which has no shape of its own, where it stands behind the id.
fn beside_id(finder: &mut MarkFinder<'_>, end: usize) {
    const LENGTH: usize = 40;
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let far = text.len().min(end + 64);
    let mut at = end;
    while at < far {
        let close = run(text, at, LENGTH + 1, part);
        if close - at == LENGTH && is_random(&text[at..close]) {
            finder.found(at, close, Mark::Secret);
            return;
        }
        at = close.max(at + 1);
    }
}

/// Tokens in parts: JSON Web Tokens, and those of Discord.
fn dotted(finder: &mut MarkFinder<'_>, at: usize, first: usize) -> Option<usize> {
    let text = finder.text;
    let part = |from: usize| run(text, from, 64 * 1024, is_token);
    let second = part(first + 1);
    let jwt = text[at..].starts_with(b"eyJ") && first - at >= 12 && second - first > 8;
    let mut end = second;
    let mut parts = 2;
    while text.get(end) == Some(&b'.') && parts < 5 {
        let next = part(end + 1);
        if next == end + 1 {
            break;
        }
        end = next;
        parts += 1;
    }
    if jwt && (parts >= 3 || text[first + 1..].starts_with(b"eyJ")) {
        finder.found(at, end, Mark::Jwt);
        return Some(end);
    }
    let third = (parts >= 3).then(|| part(second + 1));
    let discord = matches!(text[at], b'M' | b'N' | b'O')
        && (23..=30).contains(&(first - at))
        && second - first == 7;
    if discord && third.is_some_and(|third| third - second > 25) {
        finder.found(at, third?, Mark::ApiKey);
        return third;
    }
    let name = &text[first + 1..second];
    if name == b"atlasv1" && third.is_some_and(|third| third - second > 40) {
        finder.found(at, third?, Mark::ApiKey);
        return third;
    }
    None
}

/// `123456789:AA…`
fn telegram(finder: &mut MarkFinder<'_>, start: usize, colon: usize) -> Option<usize> {
    let text = finder.text;
    let digits = run_back(text, colon, 12, |byte| byte.is_ascii_digit()).max(start);
    let end = run(text, colon + 1, 64, is_token);
    let bot = digits == start || text[start..digits].eq_ignore_ascii_case(b"bot");
    (bot && (8..=10).contains(&(colon - digits)) && end - colon > 30).then(|| {
        finder.found(digits, end, Mark::ApiKey);
        end
    })
}

/// `xxx8Q~…`: client secrets of Azure.
fn azure(finder: &mut MarkFinder<'_>, start: usize, sign: usize) -> Option<usize> {
    let text = finder.text;
    let end = run(text, sign + 1, 64, |byte| {
        is_token(byte) || matches!(byte, b'.' | b'~')
    });
    let first = sign.saturating_sub(5).max(start);
    let shaped = sign - first == 5 && text[sign - 1] == b'Q' && text[sign - 2].is_ascii_digit();
    (shaped && end - sign > 30).then(|| {
        finder.found(first, end, Mark::ApiKey);
        end
    })
}

/// `<32 hexadecimal digits>-us12`
fn mailchimp(finder: &mut MarkFinder<'_>, start: usize, end: usize) -> Option<usize> {
    let text = finder.text;
    let region = |tail: &[u8]| {
        tail.strip_prefix(b"-us")
            .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    let whole = &text[start..end];
    let shaped = (36..=37).contains(&whole.len())
        && whole[..32].iter().all(u8::is_ascii_hexdigit)
        && region(&whole[32..]);
    shaped.then(|| {
        finder.found(start, end, Mark::ApiKey);
        end
    })
}

/// Looks at the host of an address.
pub(super) fn hook(finder: &mut MarkFinder<'_>, host: usize) {
    let slash = run(finder.text, host, 96, |byte| {
        is_word(byte) || matches!(byte, b'-' | b'.')
    });
    if finder.text.get(slash) == Some(&b'/') {
        webhook(finder, slash);
    }
}

/// Addresses that are a credential: who knows one may post.
fn webhook(finder: &mut MarkFinder<'_>, slash: usize) -> Option<usize> {
    let text = finder.text;
    let host = run_back(text, slash, 96, |byte| {
        is_word(byte) || matches!(byte, b'-' | b'.')
    });
    let (_, path) = HOOKS.iter().find(|(name, path)| {
        text[host..slash].ends_with(name.as_bytes()) && text[slash..].starts_with(path.as_bytes())
    })?;
    let start = slash + path.len();
    let end = run(text, start, 512, |byte| {
        byte > b' '
            && byte.is_ascii()
            && !matches!(
                byte,
                b'"' | b'\'' | b'`' | b'<' | b'>' | b')' | b',' | b';' | b'\\'
            )
    });
    if end - start >= 12 && !is_marker(&text[start..end]) {
        finder.found(start, end, Mark::Webhook);
    }
    Some(end)
}

const HOOKS: &[(&str, &str)] = &[
    ("hooks.slack.com", "/services/"),
    ("hooks.slack.com", "/workflows/"),
    ("hooks.slack.com", "/triggers/"),
    ("discord.com", "/api/webhooks/"),
    ("discordapp.com", "/api/webhooks/"),
    ("webhook.office.com", "/webhookb2/"),
    ("outlook.office.com", "/webhook/"),
    ("hooks.zapier.com", "/hooks/catch/"),
    ("maker.ifttt.com", "/use/"),
    ("chat.googleapis.com", "/v1/spaces/"),
    ("logic.azure.com", "/workflows/"),
    ("events.pagerduty.com", "/integration/"),
];
