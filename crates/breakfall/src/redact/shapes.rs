//! Credentials that a sign in their middle gives away, or the address that they open.

use super::bytes::{before, is_random, is_token, is_word, run, run_back};
use super::finder::MarkFinder;
use super::mark::{Mark, is_marker};
use super::tokens;

/// A token with a known beginning.
pub(super) fn token(finder: &mut MarkFinder<'_>, at: usize, prefix: &str) {
    if let Some(end) = tokens::at(finder.text, at, prefix) {
        finder.found(at, end, Mark::ApiKey);
        match prefix {
            "AKIA" | "ASIA" => beside_id(finder, end, 40),
            "AC" | "SK" => beside_id(finder, end, 32),
            _ => {}
        }
    }
}

/// The secret of a key, which has no shape of its own but its length, where it stands behind the id.
fn beside_id(finder: &mut MarkFinder<'_>, end: usize, length: usize) {
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let far = text.len().min(end + 64);
    let mut at = end;
    while at < far {
        let close = run(text, at, length + 1, part);
        if close - at == length && is_random(&text[at..close]) {
            finder.found(at, close, Mark::Secret);
            return;
        }
        at = close.max(at + 1);
    }
}

/// A JSON Web Token: two parts at least, each of them base64.
pub(super) fn jwt(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    let text = finder.text;
    if before(text, at).is_some_and(|byte| byte.is_ascii_alphanumeric())
        || !text[at..].starts_with(b"eyJ")
    {
        return;
    }
    let mut ends = [at; 6];
    let mut parts = 0;
    while parts < 5 {
        let from = if parts == 0 { at } else { ends[parts - 1] + 1 };
        let mut end = part(text, from);
        // One line end may break a part.
        if let Some(next) = tokens::line_break(text, end)
            && end - from >= 8
        {
            let far = part(text, next);
            if far - next >= 8
                && (text.get(far) == Some(&b'.') || parts >= 1 && is_random(&text[next..far]))
            {
                end = far;
            }
        }
        if end == from {
            break;
        }
        ends[parts] = end;
        parts += 1;
        if text.get(end) != Some(&b'.') {
            break;
        }
    }
    let second = parts >= 2 && text[ends[0] + 1..].starts_with(b"eyJ");
    if parts >= 2 && ends[0] - at >= 12 && ends[1] - ends[0] > 8 && (parts >= 3 || second) {
        finder.found(at, ends[parts - 1], Mark::Jwt);
    }
}

fn part(text: &[u8], from: usize) -> usize {
    run(text, from, 64 * 1024, is_token)
}

/// `M….Gabcde.…`: six letters between two dots, as the tokens of Discord have.
pub(super) fn discord(finder: &mut MarkFinder<'_>, dot: usize) {
    let text = finder.text;
    if text.get(dot + 7) != Some(&b'.') || part(text, dot + 1) != dot + 7 {
        return;
    }
    let start = run_back(text, dot, 32, is_token);
    let end = part(text, dot + 8);
    if matches!(text[start], b'M' | b'N' | b'O')
        && (23..=30).contains(&(dot - start))
        && end - dot > 33
    {
        finder.found(start, end, Mark::ApiKey);
    }
}

/// `<14 signs>.atlasv1.…`
pub(super) fn atlas(finder: &mut MarkFinder<'_>, dot: usize, name: usize) {
    let start = run_back(finder.text, dot, 64, is_token);
    let end = part(finder.text, name);
    if end - name > 40 && start < dot {
        finder.found(start, end, Mark::ApiKey);
    }
}

/// `123456789:AA…`
pub(super) fn telegram(finder: &mut MarkFinder<'_>, colon: usize, _: usize) {
    let text = finder.text;
    let digits = run_back(text, colon, 12, |byte| byte.is_ascii_digit());
    let end = run(text, colon + 1, 64, is_token);
    let lead = run_back(text, digits, 4, is_token);
    let bot = lead == digits || text[lead..digits].eq_ignore_ascii_case(b"bot");
    if bot && (8..=10).contains(&(colon - digits)) && end - colon > 30 {
        finder.found(digits, end, Mark::ApiKey);
    }
}

/// `xxx8Q~…`: client secrets of Azure.
pub(super) fn azure(finder: &mut MarkFinder<'_>, q: usize, sign: usize) {
    let text = finder.text;
    let end = run(text, sign, 64, |byte| {
        is_token(byte) || matches!(byte, b'.' | b'~')
    });
    let first = run_back(text, sign - 1, 5, |byte| is_token(byte) || byte == b'.');
    let shaped = sign - 1 - first == 5 && text[q] == b'Q' && text[q - 1].is_ascii_digit();
    if shaped && end - sign > 29 {
        finder.found(first, end, Mark::ApiKey);
    }
}

/// `<32 hexadecimal digits>-us12`
pub(super) fn mailchimp(finder: &mut MarkFinder<'_>, at: usize, region: usize) {
    let text = finder.text;
    let start = run_back(text, at, 33, is_token);
    let end = run(text, region, 3, |byte| byte.is_ascii_digit());
    let hex = text[start..at].iter().all(u8::is_ascii_hexdigit);
    if at - start == 32 && hex && end > region {
        finder.found(start, end, Mark::ApiKey);
    }
}

/// Looks behind the two slashes of an address for one that is a credential: who knows it may post.
pub(super) fn hook(finder: &mut MarkFinder<'_>, host: usize) {
    let text = finder.text;
    let slash = run(text, host, 96, |byte| {
        is_word(byte) || matches!(byte, b'-' | b'.')
    });
    let Some((_, path)) = HOOKS.iter().find(|(name, path)| {
        text[host..slash].ends_with(name.as_bytes()) && text[slash..].starts_with(path.as_bytes())
    }) else {
        return;
    };
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
