//! Passwords in command lines, and the private members of a key in JSON.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::bytes::{begins, is_quote, line_end, run};
use super::finder::MarkFinder;
use super::mark::{Mark, is_marker};

/// Commands that take a password.
pub(super) const WORDS: &str = "mysql|mariadb|sshpass|redis-cli|ldap|sqlcmd|bcp |7z |zip |unzip |vsql|unlock-keychain|usermod|useradd|addent|wbinfo|rabbitmq|mongo|cqlsh|htpasswd|snmp|mosquitto|plink|pscp|\
    smbclient|curl|wget|docker login|helm |openssl|keytool|isql|osql|impdp|expdp|sqlplus";

/// Their options: what the command begins with, the option, and whether the value is `name:password`.
const OPTIONS: &[(&str, &str, bool)] = &[
    ("mysql", "-p", false),
    ("mariadb", "-p", false),
    ("sshpass", "-p", false),
    ("redis-cli", "-a", false),
    ("ldap", "-w", false),
    ("sqlcmd", "-P", false),
    ("bcp ", "-P", false),
    ("isql", "-P", false),
    ("osql", "-P", false),
    ("7z ", "-p", false),
    ("zip ", "-P", false),
    ("unzip ", "-P", false),
    ("vsql", "-w", false),
    ("unlock-keychain", "-p", false),
    ("usermod", "-p", false),
    ("useradd", "-p", false),
    ("addent", "-w", false),
    ("wbinfo", "-a", true),
    ("rabbitmq", "-p", false),
    ("mongo", "-p", false),
    ("cqlsh", "-p", false),
    ("snmp", "-c", false),
    ("snmp", "-A", false),
    ("snmp", "-X", false),
    ("mosquitto", "-P", false),
    ("plink", "-pw", false),
    ("pscp", "-pw", false),
    ("docker login", "-p", false),
    ("keytool", "-storepass", false),
    ("keytool", "-keypass", false),
    ("smbclient", "-U", true),
    ("curl", "-u", true),
    ("curl", "--user", true),
    ("curl", "-U", true),
    ("curl", "--proxy-user", true),
    ("wget", "--user", true),
];

/// Looks behind the name of a command for its options.
pub(super) fn find(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let text = finder.text;
    if !begins(text, start) {
        return;
    }
    let word = text[start..end].to_ascii_lowercase();
    let line = line_end(text, end, 1024);
    if word.starts_with(b"openssl") {
        return pass(finder, end, line);
    }
    for (_, option, is_pair) in OPTIONS
        .iter()
        .filter(|(command, ..)| command.as_bytes() == word)
    {
        for found in memchr::memmem::find_iter(&text[end..line], option.as_bytes()) {
            let at = end + found;
            let after = at + option.len();
            if matches!(text[at - 1], b' ' | b'"' | b'\'' | b',') {
                value(finder, after, line, *is_pair, word.starts_with(b"m"));
            }
        }
    }
}

/// The value of an option, attached to it or behind a blank, or the next item of a list.
fn value(finder: &mut MarkFinder<'_>, after: usize, line: usize, is_pair: bool, is_attached: bool) {
    let text = finder.text;
    let gap = |byte: u8| matches!(byte, b' ' | b',' | b'=') || is_quote(byte);
    let start = run(text, after, 6, gap);
    // `mysql -p shop` asks for the password, and the next word is the database.
    if start >= line
        || text[start] == b'-'
        || start > after
            && is_attached
            && text.get(after) == Some(&b' ')
            && text[start].is_ascii_lowercase()
            && !text[start..line]
                .iter()
                .take_while(|byte| **byte > b' ')
                .any(u8::is_ascii_digit)
    {
        return;
    }
    let end = run(text, start, line - start, |byte| {
        byte > b' ' && !is_quote(byte) && byte != b','
    });
    let piece = &text[start..end];
    let start = if is_pair {
        match piece.iter().position(|byte| matches!(byte, b':' | b'%')) {
            Some(sign) if !piece[sign..].starts_with(b"://") => start + sign + 1,
            _ => return,
        }
    } else {
        start
    };
    let piece = &text[start..end];
    if !piece.is_empty() && !is_marker(piece) && !super::prose::is_placeholder(piece) {
        finder.found(start, end, Mark::Password);
    }
}

/// The option for a password that a text begins with.
fn option(text: &[u8]) -> Option<&'static [u8]> {
    let options: [&[u8]; 7] = [b"-p", b"-P", b"-rp", b"/rp", b"-pw", b"-pass", b"/p:"];
    options.into_iter().find(|option| {
        let next = text.get(option.len()).copied();
        let closes = |byte| matches!(byte, b' ' | b'"' | b'\'') || option.ends_with(b":");
        text.starts_with(option) && next.is_some_and(closes)
    })
}

/// Behind the option that names a user: `name:password`, `name,password`, or an option for the password next.
pub(super) fn login(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let line = line_end(text, end, 512);
    let part = |byte: u8| byte > b' ' && !is_quote(byte);
    let start = run(text, end, 2, is_quote);
    let close = run(text, start, line - start, part);
    let word = &text[start..close];
    let counts = word
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b':');
    if let Some(sign) = word
        .iter()
        .position(|byte| matches!(byte, b':' | b',' | b'%'))
        && !counts
        && sign > 0
    {
        let password = &word[sign + 1..];
        if password.len() >= 3
            && !is_marker(password)
            && !password.starts_with(b"//")
            && !super::prose::is_placeholder(password)
        {
            finder.found(start + sign + 1, close, Mark::Password);
        }
        return;
    }
    let gap = |byte: u8| byte == b' ' || is_quote(byte) || byte == b',';
    let mut next = run(text, close, 4, gap);
    // Other options may stand between.
    if let Some(found) = memchr::memmem::find(&text[close..line.min(close + 80)], b" -p ") {
        next = close + found + 1;
    }
    let option = option(&text[next..]);
    let is_domain = text[..end].ends_with(b"/user:") && close < line;
    let from = match option {
        Some(option) => run(text, next + option.len(), 4, gap),
        None if is_domain && text.get(next).is_some_and(|byte| *byte != b'/') => next,
        None => return,
    };
    let to = run(text, from, line.saturating_sub(from), part);
    let password = &text[from..to];
    if !password.is_empty()
        && !is_marker(password)
        && !password.starts_with(b"-")
        && !super::prose::is_placeholder(password)
    {
        finder.found(from, to, Mark::Password);
    }
}

/// `PASS secret`, `LOGIN "name" "secret"`: commands of mail and file servers, in capitals.
pub(super) fn protocol(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let text = finder.text;
    let line = line_end(text, end, 256);
    let is_pass = text[start..end] == *b"PASS ";
    let is_login = text[start..end] == *b"LOGIN ";
    let is_pass = is_pass || text[start..end] == *b"AUTH ";
    let opens = matches!(
        super::bytes::before(text, start),
        None | Some(b'\n' | b' ' | b'"')
    );
    if !opens || !is_pass && !is_login {
        return;
    }
    let part = |byte: u8| byte > b' ' && byte != b'"' && byte != b'\\';
    let from = if is_login {
        let user = run(text, run(text, end, 1, is_quote), line - end, part);
        run(text, user, 3, |byte| is_quote(byte) || byte == b' ')
    } else {
        end
    };
    let is_quoted = is_login && from > end && text[from - 1] == b'"' && from + 1 < line;
    let to = if is_quoted {
        run(text, from, line.saturating_sub(from), |byte| {
            !matches!(byte, b'"' | b'\\')
        })
    } else {
        run(text, from, line.saturating_sub(from), part)
    };
    let word = &text[from..to];
    let strong = is_quoted
        || word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic);
    // A runner of tests says `PASS` too, and names a file.
    let is_file = word.contains(&b'/')
        || memchr::memmem::find(word, b".test.").is_some()
        || word.ends_with(b")");
    let ends = to >= line || matches!(text[to], b'"' | b'\\' | b'\r');
    if strong && ends && !is_file && word.len() >= 5 && !is_marker(word) {
        finder.found(from, to, Mark::Password);
    }
}

/// `addauth digest app:s3cret_22`: a name and its password behind a word about logins.
pub(super) fn pair(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let text = finder.text;
    let from = run(text, end, 3, |byte| {
        matches!(byte, b' ' | b':' | b'=') || is_quote(byte)
    });
    let name = run(text, from, 64, |byte| {
        super::bytes::is_name(byte) || byte == b'@'
    });
    if !begins(text, start) || name < from + 2 || text.get(name) != Some(&b':') {
        return;
    }
    let close = run(text, name + 1, 128, |byte| {
        byte > b' ' && !is_quote(byte) && !matches!(byte, b',' | b')' | b']' | b'}')
    });
    let password = &text[name + 1..close];
    let sign = |byte: &u8| {
        byte.is_ascii_digit()
            || byte.is_ascii_punctuation() && !matches!(byte, b'/' | b':' | b'.' | b'[')
    };
    if password.len() >= 6
        && password.iter().any(u8::is_ascii_alphabetic)
        && password.iter().any(sign)
        && !password.contains(&b'/')
        && !super::prose::is_placeholder(password)
        && text[from..name].iter().any(u8::is_ascii_alphabetic)
    {
        finder.found(name + 1, close, Mark::Password);
    }
}

/// `-passin pass:…`
fn pass(finder: &mut MarkFinder<'_>, from: usize, line: usize) {
    let text = finder.text;
    for found in memchr::memmem::find_iter(&text[from..line], b" pass:") {
        let start = from + found + b" pass:".len();
        let end = run(text, start, line - start, |byte| {
            byte > b' ' && !is_quote(byte)
        });
        if !is_marker(&text[start..end]) {
            finder.found(start, end, Mark::Password);
        }
    }
}

/// The private members of a JSON Web Key around a place.
pub(super) fn jwk(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    static MEMBERS: LazyLock<Regex> = LazyLock::new(|| {
        let members = r#"(?-u)["'](?:d|p|q|dp|dq|qi|k)\\*["']\s*:\s*\\*["']([A-Za-z0-9_+/=-]+)"#;
        Regex::new(members).expect("the pattern is one")
    });
    let text = finder.text;
    let from = at.saturating_sub(REACH);
    let from = from + memchr::memrchr(b'{', &text[from..at]).unwrap_or(0);
    let far = text.len().min(at + REACH);
    let to = at + memchr::memchr(b'}', &text[at..far]).unwrap_or(far - at);
    for found in MEMBERS.captures_iter(&text[from..to]) {
        let member = found.get(1).map_or(0..0, |found| found.range());
        finder.found(from + member.start, from + member.end, Mark::PrivateKey);
    }
}

/// How far the ends of a key are looked for.
const REACH: usize = 8 * 1024;
