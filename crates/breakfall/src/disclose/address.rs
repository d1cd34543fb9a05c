//! Addresses that mean something only inside of a network.

use super::bytes::{
    before, begins, follows, holds, line, one_of, run, run_back, said_before, word_before,
};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;
use super::number::DigitGroups;

/// A private address of the fourth version, with its port: where it begins and ends.
///
/// Loopback counts as private: what listens there is the inside of a server. The name `localhost` says nothing.
pub(super) fn v4(phrase: &DigitGroups<'_>) -> Option<(usize, usize)> {
    let parts = [0, 1, 2, 3].map(|group| phrase.len(group));
    let shaped = phrase.count >= 4
        && parts.iter().all(|len| (1..=3).contains(len))
        && (1..4).all(|group| phrase.sign(group) == Some(b'.'));
    if !shaped {
        return None;
    }
    let (text, start, end) = (phrase.text, phrase.start(), phrase.end(3));
    let octet = |group: usize| {
        let first = phrase.end(group) - phrase.len(group);
        text[first..phrase.end(group)]
            .iter()
            .fold(0u32, |number, byte| number * 10 + u32::from(byte - b'0'))
    };
    let octets = [0, 1, 2, 3].map(octet);
    let clear = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'.' | b'-');
    let touches = text
        .get(end)
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        || phrase.sign(4) == Some(b'.');
    if octets.iter().any(|octet| *octet > 255)
        || !before(text, start).is_none_or(clear)
        || touches
        || !is_private(octets)
    {
        return None;
    }
    let version = said_before(text, start, 24, VERSION)
        || holds(&text[end..text.len().min(end + 16)], &["version"]);
    (!version).then(|| (start, port(text, end)))
}

const VERSION: &[&str] = &[
    "version", "upgrade", "release", "build", "firmware", "driver",
];

const fn is_private(octets: [u32; 4]) -> bool {
    matches!(
        octets,
        [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] | [169, 254, ..] | [100, 64..=127, ..]
    )
}

/// Past a port.
fn port(text: &[u8], end: usize) -> usize {
    if text.get(end) != Some(&b':') {
        return end;
    }
    let past = run(text, end + 1, 6, |byte| byte.is_ascii_digit());
    if past > end + 1 { past } else { end }
}

/// A private address of the sixth version around two colons, or from its first group on.
pub(super) fn v6(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::At, at) {
        return;
    }
    let text = finder.text;
    if text[at] != b':' && text.get(at + 4) != Some(&b':') {
        return;
    }
    let part = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let start = run_back(text, at, 45, part);
    let end = run(text, at, 45, part);
    finder.passed(Rule::At, end);
    let end = start
        + text[start..end]
            .iter()
            .rposition(u8::is_ascii_hexdigit)
            .map_or(0, |last| last + 1);
    if end <= start
        || !begins(text, start)
        || text
            .get(end)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b':')
    {
        return;
    }
    let whole = &text[start..end];
    let groups = memchr::memchr_iter(b':', whole).count();
    let unique = whole.len() > 5
        && matches!(whole[0] | 0x20, b'f')
        && matches!(whole[1] | 0x20, b'c' | b'd')
        && whole[4] == b':';
    let link = whole.len() > 5 && whole[..3].eq_ignore_ascii_case(b"fe8") && whole[4] == b':';
    let loopback = whole == b"::1";
    let complete = groups == 7 || groups >= 2 && memchr::memmem::find(whole, b"::").is_some();
    if complete && (unique || link || loopback) {
        // The zone names an interface.
        let zone = if text.get(end) == Some(&b'%') {
            run(text, end + 1, 16, super::bytes::is_word)
        } else {
            end
        };
        finder.found(start, zone, Mark::Address);
    }
}

/// A name that ends in something only an inner network knows: `db.prod.internal`.
pub(super) fn inner(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::Host, at) {
        return;
    }
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let start = run_back(text, at, 253, part);
    let end = run(text, at, 253, part);
    finder.passed(Rule::Host, end);
    let start = start
        + text[start..end]
            .iter()
            .take_while(|byte| !byte.is_ascii_alphanumeric())
            .count();
    let end = start
        + text[start.min(end)..end]
            .iter()
            .rposition(u8::is_ascii_alphanumeric)
            .map_or(0, |last| last + 1);
    if start >= end
        || matches!(before(text, start), Some(b'/' | b'\\'))
            && !text[..start].ends_with(b"//")
            && !text[..start].ends_with(b"\\\\")
    {
        return;
    }
    let name = &text[start..end];
    if before(text, start) == Some(b'.')
        || !(is_inner(name) || is_inner_part(name) && is_served(text, end))
        || text.get(end) == Some(&b'(')
        || text.get(end) == Some(&b'/') && is_scope(text, start)
    {
        return;
    }
    finder.found(start, port(text, end), Mark::Host);
}

/// Whether a name is that of packages, `@acme.local/shop`, and not what follows a login, `app:secret@db.internal/shop`.
fn is_scope(text: &[u8], start: usize) -> bool {
    let opens = |byte: u8| {
        byte.is_ascii_whitespace()
            || super::bytes::is_quote(byte)
            || matches!(byte, b'(' | b'[' | b'{' | b'/' | b',' | b'=' | b':')
    };
    before(text, start) == Some(b'@') && before(text, start - 1).is_none_or(opens)
}

/// The hosts after a login, `name:password@db7:5432,db8:5432/shop`: a password makes them internal,
/// whatever they are called.
pub(super) fn beside_password(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let mut start = at;
    if text[at..].starts_with(b"tcp(") {
        start += b"tcp(".len();
    }
    for _ in 0..MOST_HOSTS {
        let end = run(text, start, 253, part);
        // A stop ends the sentence.
        let end = start
            + text[start..end]
                .iter()
                .rposition(u8::is_ascii_alphanumeric)
                .map_or(0, |last| last + 1);
        let name = &text[start..end];
        if name.is_empty() {
            return;
        }
        let close = port(text, end);
        let numeric = name.iter().all(|byte| !byte.is_ascii_alphabetic());
        if numeric {
            finder.found(start, close, Mark::Address);
        } else if !name.eq_ignore_ascii_case(b"localhost") && !one_of(name, NO_HOST) {
            finder.found(start, close, Mark::Host);
        }
        if text.get(close) != Some(&b',') {
            return;
        }
        start = close + 1;
    }
}

/// More are no cluster.
const MOST_HOSTS: usize = 16;

/// `Host=db7;Username=app`, `host=db7 port=5432 user=app`: the value of a name in a string that says how to connect.
pub(super) fn assigned(finder: &mut MarkFinder<'_>, sign: usize) {
    if !finder.wide {
        return;
    }
    let text = finder.text;
    let start = run_back(text, sign, 16, |byte| {
        byte.is_ascii_alphabetic() || byte == b' '
    });
    let name = text[start..sign].trim_ascii();
    let last = word_before(text, sign);
    let is_name = one_of(last, &["host", "hostname", "server", "hostaddr"])
        || name.len() >= 11 && name[name.len() - 11..].eq_ignore_ascii_case(b"data source");
    if !is_name {
        return;
    }
    let (from, to) = line(text, sign, 256);
    if !holds(&text[from..to], CONNECTS) {
        return;
    }
    let from = run(text, sign + 1, 6, |byte| {
        byte == b' ' || super::bytes::is_quote(byte)
    });
    let from = if follows(text, from, b"tcp:") {
        from + 4
    } else {
        from
    };
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let end = run(text, from, 253, part);
    let name = &text[from..end];
    let named = name.first().is_some_and(u8::is_ascii_alphabetic)
        && !name.eq_ignore_ascii_case(b"localhost")
        && !one_of(name, NO_HOST);
    if named {
        finder.found(from, port(text, end), Mark::Host);
    }
}

/// What stands beside the host in such a string.
const CONNECTS: &[&str] = &[
    "dbname=",
    "database=",
    "username=",
    "user=",
    "user id=",
    "uid=",
    "password=",
    "pwd=",
    "initial catalog=",
];

fn is_inner(name: &[u8]) -> bool {
    if is_numbered(name) {
        return true;
    }
    let mut labels = name.rsplit(|byte| *byte == b'.');
    let (top, second) = (labels.next().unwrap_or_default(), labels.next());
    let Some(second) = second.filter(|label| !label.is_empty()) else {
        return false;
    };
    let known = one_of(
        top,
        &[
            "internal",
            "local",
            "lan",
            "corp",
            "intranet",
            "intra",
            "consul",
            "localdomain",
            "private",
            "cluster",
            "svc",
            "priv",
            "home",
        ],
    );
    let arpa = top.eq_ignore_ascii_case(b"arpa") && second.eq_ignore_ascii_case(b"home");
    // `config.local` and `this.private` are files and fields: a host is all lower case and no word of code.
    let file = one_of(
        second,
        &[
            "env",
            "settings",
            "config",
            "this",
            "self",
            "application",
            "values",
            "docker-compose",
        ],
    );
    (known || arpa) && !file
}

/// `db.internal.example`: also how packages are called.
fn is_inner_part(name: &[u8]) -> bool {
    let mut labels = name.split(|byte| *byte == b'.').skip(1);
    let small = |byte: &u8| !byte.is_ascii_uppercase() && *byte != b'_';
    name.iter().all(small) && labels.any(|label| one_of(label, &["internal", "corp", "intranet"]))
}

/// Whether a port follows a name, and no line of a file.
fn is_served(text: &[u8], end: usize) -> bool {
    let close = port(text, end);
    close - end > 3 && text.get(close) != Some(&b':')
}

/// `ip-10-0-3-17`: named after its address, as clouds do.
fn is_numbered(name: &[u8]) -> bool {
    let host = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    let numbers = || host[3..].split(|byte| *byte == b'-');
    let is_number =
        |part: &[u8]| (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    follows(host, 0, b"ip-") && numbers().count() == 4 && numbers().all(is_number)
}

/// A host of one word, which only an inner network resolves: `cannot connect to db-primary:5432`.
pub(super) fn reached(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide {
        return;
    }
    let text = finder.text;
    if super::bytes::in_marker(text, at) {
        return;
    }
    let end = super::bytes::line_end(text, at, 200);
    // A host is quoted, has a port, or follows the name of an error.
    let told = |line: &[u8]| {
        memchr::memchr3(b':', b'"', b'\'', line).is_some() || memchr::memchr(b'`', line).is_some()
    };
    if text[at].is_ascii_lowercase() && !text[at..].starts_with(b"ookup") && !told(&text[at..end]) {
        return;
    }
    let mut place = run(text, at, 48, |byte| byte.is_ascii_alphabetic());
    // The name is one of the next words.
    for _ in 0..6 {
        place = run(text, place, 6, |byte| {
            matches!(
                byte,
                b' ' | b'"' | b'\'' | b'`' | b'(' | b':' | b'=' | b'[' | b'\\' | b','
            )
        });
        let word = run(text, place, 253, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
        });
        if place >= end || word == place {
            return;
        }
        if is_host(text, place, word) {
            finder.found(place, port(text, word), Mark::Host);
            return;
        }
        place = word;
    }
}

/// Whether a word is a host: it has a port, or it is quoted, or the word before it says that it is one.
fn is_host(text: &[u8], start: usize, end: usize) -> bool {
    let name = &text[start..end];
    let single = name.len() >= 2
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && name[0].is_ascii_alphabetic();
    if !single || name.eq_ignore_ascii_case(b"localhost") || one_of(name, NO_HOST) {
        return false;
    }
    let ported = port(text, end) > end && text.get(port(text, end)) != Some(&b':');
    let quoted = before(text, start).is_some_and(super::bytes::is_quote)
        && text.get(end) == before(text, start).as_ref();
    let word = word_before(text, start);
    let named = one_of(word, &["enotfound", "eai_again", "unknownhostexception"])
        || word.eq_ignore_ascii_case(b"lookup")
            && holds(
                &text[end..text.len().min(end + 80)],
                &["no such host", "server misbehaving", "i/o timeout", "on "],
            );
    let key = quoted && text.get(run(text, end + 1, 4, |byte| byte == b' ')) == Some(&b':');
    let joined =
        !text[run_back(text, start, 8, |byte| !super::bytes::is_word(byte))..start].contains(&b',');
    let said = quoted
        && !key
        && joined
        && (one_of(
            word,
            &[
                "host", "hostname", "server", "at", "on", "to", "name", "resolve", "address",
            ],
        ));
    ported || named || said
}

const NO_HOST: &[&str] = &[
    "address",
    "timeout",
    "error",
    "the",
    "a",
    "to",
    "server",
    "host",
    "port",
    "line",
    "column",
    "http",
    "https",
    "tcp",
    "getaddrinfo",
    "refused",
    "name",
];
