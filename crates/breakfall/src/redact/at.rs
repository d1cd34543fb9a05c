//! The sign in the middle: addresses of people, and credentials inside of addresses.

use super::bytes::{is_random, is_uuid, run, run_back};
use super::finder::MarkFinder;
use super::host;
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
        return oracle(finder, at) || bare(finder, start, at);
    }
    match memchr::memchr(b':', info) {
        Some(colon) => {
            // A password may hold the sign itself: the last one before the host counts.
            let end = last_sign(text, at);
            if !is_marker(&info[colon + 1..]) {
                finder.found(start + colon + 1, end, Mark::Password);
            }
            host::beside_password(finder, end + 1);
        }
        None if scheme && info.len() >= 16 && is_random(info) && !is_uuid(info) => {
            finder.found(start, at, Mark::Secret);
        }
        None => {}
    }
    true
}

/// `scott/tiger@//db1:1521/shop`, in texts that speak of such databases.
fn oracle(finder: &mut MarkFinder<'_>, at: usize) -> bool {
    let text = finder.text;
    let part = |byte: u8| byte > b' ' && !matches!(byte, b'/' | b'"' | b'\'' | b'@' | b':');
    let password = run_back(text, at, 64, part);
    let user = run_back(text, password.saturating_sub(1), 64, |byte| {
        super::bytes::is_word(byte) || byte == b'$'
    });
    let shaped = password < at && text[..password].ends_with(b"/") && user + 1 < password;
    let words = "sqlplus|rman|oracle|ora-|expdp|impdp|sqlldr|thin|tns|sys|connect";
    let from = user.saturating_sub(80);
    let known = shaped
        && (super::bytes::holds(&text[from..user], words)
            || text[user..password].starts_with(b"sys"));
    if known && !is_marker(&text[password..at]) {
        finder.found(password, at, Mark::Password);
        host::beside_password(
            finder,
            if text[at + 1..].starts_with(b"//") {
                at + 3
            } else {
                at + 1
            },
        );
    }
    known
}

/// `name:password@host:5432`, without a scheme: the host has a port or a path.
fn bare(finder: &mut MarkFinder<'_>, start: usize, at: usize) -> bool {
    let text = finder.text;
    let info = &text[start..at];
    let start = start + memchr::memrchr3(b'=', b'(', b',', info).map_or(0, |sign| sign + 1);
    let Some(colon) = memchr::memchr(b':', &text[start..at]).map(|colon| start + colon) else {
        return false;
    };
    let (name, password) = (&text[start..colon], &text[colon + 1..at]);
    let host = run(text, at + 1, 253, super::bytes::is_name);
    let served = text.get(host) == Some(&b':')
        && text.get(host + 1).is_some_and(u8::is_ascii_digit)
        || text.get(host) == Some(&b'/');
    let plain = !name.is_empty()
        && name.iter().all(|byte| super::bytes::is_name(*byte))
        && password.len() >= 3;
    if plain
        && served
        && text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
        && !is_marker(password)
        && !password.contains(&b'\\')
    {
        finder.found(colon + 1, at, Mark::Password);
        host::beside_password(finder, at + 1);
        return true;
    }
    false
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
        "png jpg jpeg gif svg webp js ts css json md py rs yaml yml",
    )
}
