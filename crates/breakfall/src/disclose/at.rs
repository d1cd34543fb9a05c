//! The sign in the middle: addresses of people, and credentials inside of addresses.

use super::address;
use super::bytes::{is_random, is_uuid, run, run_back};
use super::finder::MarkFinder;
use super::mark::{Mark, is_marker};

/// Looks around an `@`.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !credentials(finder, at) {
        email(finder, at);
    }
}

/// `scheme://name:password@host`, `name:password@tcp(host)`, `https://token@host`
fn credentials(finder: &mut MarkFinder<'_>, at: usize) -> bool {
    let text = finder.text;
    let start = info_start(finder, at);
    let info = &text[start..at];
    if info.is_empty() || is_marker(info) {
        return false;
    }
    let scheme = text[..start].ends_with(b"://");
    let tcp = text[at + 1..].starts_with(b"tcp(") || text[at + 1..].starts_with(b"unix(");
    if !scheme && !tcp {
        return false;
    }
    match memchr::memchr(b':', info) {
        Some(colon) => {
            // A password may hold the sign itself: the last one before the host counts.
            let end = last_sign(text, at);
            if !is_marker(&info[colon + 1..]) {
                finder.found(start + colon + 1, end, Mark::Password);
            }
            address::beside_password(finder, end + 1);
        }
        None if scheme && info.len() >= 16 && is_random(info) && !is_uuid(info) => {
            finder.found(start, at, Mark::Secret);
        }
        None => {}
    }
    true
}

/// Where the part before an `@` begins. What was read for the one before it is not read again.
fn info_start(finder: &mut MarkFinder<'_>, at: usize) -> usize {
    let (known, last) = finder.info;
    let most = at - last.clamp(at.saturating_sub(512), at);
    let start = run_back(finder.text, at, most, |byte| {
        !byte.is_ascii_whitespace()
            && !matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'#')
    });
    let start = if start == last {
        known.max(at.saturating_sub(512))
    } else {
        start
    };
    finder.info = (start, at);
    start
}

fn last_sign(text: &[u8], at: usize) -> usize {
    let end = run(text, at + 1, 256, |byte| {
        !byte.is_ascii_whitespace()
            && !matches!(
                byte,
                b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'#' | b','
            )
    });
    memchr::memrchr(b'@', &text[at + 1..end]).map_or(at, |found| at + 1 + found)
}

fn email(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let start = local(text, at);
    let start = start
        + text[start..at]
            .iter()
            .take_while(|byte| matches!(byte, b'.' | b'-' | b'\'' | b'%'))
            .count();
    if start == at || text[start..at].ends_with(b".") {
        return;
    }
    let end = run(text, at + 1, 253, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.')
    });
    let domain = &text[at + 1..end];
    let domain = &domain[..domain
        .iter()
        .rposition(u8::is_ascii_alphanumeric)
        .map_or(0, |last| last + 1)];
    let Some(dot) = memchr::memrchr(b'.', domain) else {
        return;
    };
    let (top, rest) = (&domain[dot + 1..], &domain[..dot]);
    let is_top =
        top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic) || top.starts_with(b"xn--");
    if rest.is_empty() || rest.starts_with(b".") || !is_top || is_file(top) {
        return;
    }
    let after = at + 1 + domain.len();
    // `git@host:owner/name` is where a repository is.
    if &text[start..at] == b"git" && text.get(after) == Some(&b':') {
        return;
    }
    finder.found(start, after, Mark::Email);
}

/// The start of the local part. Accented letters are letters there; those of other scripts are the sentence around it.
fn local(text: &[u8], at: usize) -> usize {
    let mut start = at;
    while start > 0 && at - start < 96 {
        let byte = text[start - 1];
        let plain = byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'.' | b'_' | b'%' | b'+' | b'-' | b'\'' | b'&' | b'=' | b'~'
            );
        if plain {
            start -= 1;
        } else if start >= 2 && byte & 0xc0 == 0x80 && matches!(text[start - 2], 0xc3..=0xca) {
            start -= 2;
        } else {
            break;
        }
    }
    // What assigns an address is not part of it.
    memchr::memrchr(b'=', &text[start..at]).map_or(start, |sign| start + sign + 1)
}

/// `icon@2x.png`
fn is_file(top: &[u8]) -> bool {
    super::bytes::one_of(
        top,
        &[
            "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "json", "md", "py",
            "rs", "yaml", "yml",
        ],
    )
}
