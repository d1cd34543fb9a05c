//! Addresses of servers.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::bytes::{
    before, begins, follows, holds, one_of, run, run_back, said_before, word_before,
};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;
use super::number::DigitGroups;

/// An address of the fourth version, with its port: where it begins and ends. The name `localhost` says nothing.
pub(super) fn v4(phrase: &DigitGroups<'_>) -> Option<(usize, usize)> {
    if phrase.count < 4 || !(1..4).all(|group| phrase.sign(group) == Some(b'.')) {
        return None;
    }
    let (text, start, end) = (phrase.text, phrase.start(), phrase.end(3));
    let address: Ipv4Addr = str::from_utf8(&text[start..end]).ok()?.parse().ok()?;
    let clear = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'.' | b'-');
    // A dump of packets joins the port by a dot: `10.4.9.3.50122 > 10.0.0.1.80`.
    let dumped = phrase.sign(4) == Some(b'.') && follows(text, phrase.end(4), b" >");
    let touches = text
        .get(end)
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        || phrase.sign(4) == Some(b'.') && !dumped;
    let is_mask = address.octets()[0] == 255 || address.is_unspecified();
    if is_mask || !before(text, start).is_none_or(clear) || touches {
        return None;
    }
    // `1.2.3.4` may also count releases; a private address hardly does.
    let is_told = one_of(
        word_before(text, start),
        "ip address host server addr ipaddr",
    );
    let is_inner = address.is_private() && address.octets().iter().any(|octet| *octet >= 100);
    let version = !is_told
        && !is_inner
        && !text[..start].ends_with(b"//")
        && said_before(text, start, 24, VERSION)
        || !text[..start].ends_with(b"//")
            && holds(&text[end..text.len().min(end + 16)], "version");
    let counts = address.octets().iter().all(|octet| *octet < 20)
        && !address.is_private()
        && port(text, end) == end;
    let named = || {
        said_before(
            text,
            start,
            40,
            "ip|address|host|client|server|from|to|peer|connect|at",
        )
    };
    (!version && (!counts || named())).then(|| (start, port(text, end)))
}

const VERSION: &str = "version|upgrade|release|build|firmware|driver|section|clause";

/// Past a port.
pub(super) fn port(text: &[u8], end: usize) -> usize {
    if text.get(end) != Some(&b':') {
        return end;
    }
    let past = run(text, end + 1, 6, |byte| byte.is_ascii_digit());
    if past > end + 1 { past } else { end }
}

/// An address of the sixth version around a colon.
pub(super) fn v6(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::At, at) {
        return;
    }
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let start = run_back(text, at, 45, part);
    let end = run(text, at, 45, part);
    finder.passed(Rule::At, end);
    let last = text[start..end].iter().rposition(u8::is_ascii_hexdigit);
    let end = start + last.map_or(0, |last| last + 1);
    let touches = text
        .get(end)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_'));
    if end <= start || !begins(text, start) || touches {
        return;
    }
    let whole = &text[start..end];
    let parsed = str::from_utf8(whole)
        .ok()
        .and_then(|whole| whole.parse::<Ipv6Addr>().ok());
    // `a::b` is also a name of code, `::` alone is every address, and what counts has a digit.
    let colons = memchr::memchr_iter(b':', whole).count();
    let sure = |address: Ipv6Addr| {
        address.is_loopback()
            || colons >= 3 && whole.iter().any(u8::is_ascii_digit)
            || address.segments()[0] >= 0x2000 && whole.len() > 7
    };
    if parsed.is_some_and(sure) {
        // The zone names an interface.
        let zone = if text.get(end) == Some(&b'%') {
            run(text, end + 1, 16, super::bytes::is_word)
        } else {
            end
        };
        finder.found(start, zone, Mark::Address);
    }
}
