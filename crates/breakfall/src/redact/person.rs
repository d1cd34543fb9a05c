//! Names of people beside what else is known of them: an address, a phone, a number of an account.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::bytes::{before, ends, line_end, one_of, run_back};
use super::finder::MarkFinder;
use super::mark::Mark;

/// Two to four words with capitals: Latin, Cyrillic, or a few signs of a script without capitals.
const NAME: &str = r"(?:(?:Dr|Mme|Mw|Mr|Mrs|Ms)\.? )?(?:[A-Z]|\xc3[\x80-\x9e]|\xd0[\x90-\xaf])[a-z'\x80-\xff]+(?:[ -](?:(?:van|de|der|von|la|del) )?(?:[A-Z]|\xc3[\x80-\x9e]|\xd0[\x90-\xaf])[a-z'\x80-\xff][A-Za-z'\x80-\xff]*){1,3}";

/// Looks in the line of a marker of an address or a number for names that stand by themselves: between signs, or at an end of it.
pub(super) fn beside(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    static NAMES: LazyLock<Regex> = LazyLock::new(|| {
        let opening = r#"(?:\A|[(,;/:"|='] ?|\xe2\x80[\x93\x94] ?|- |\n)"#;
        let closing = r#"(?:\z|[,;/"'|)\n.]| ?\(| ?<| \[| /| -)"#;
        let said =
            r"\b(?:of|for|to|by|from|with|named|as|von|an|de|para|pour|do|da|van|voor|di|per) ";
        Regex::new(&format!(
            "(?-u)(?:{opening}({NAME}){closing}|{said}({NAME}))"
        ))
        .expect("the pattern is one")
    });
    let text = finder.text;
    let from = run_back(text, start, PERSON_REACH, |byte| byte != b'\n');
    let far = line_end(text, end, PERSON_REACH);
    let mut at = from;
    while let Some(found) = NAMES
        .captures(&text[at..far])
        .and_then(|found| found.get(1).or_else(|| found.get(2)))
    {
        keep(finder, at + found.start(), at + found.end());
        // What closes one name may open the next.
        at += found.end();
    }
}

/// `KOWALCZUK/BRONISLAWA MRS`: a passenger, as airlines write one.
pub(super) fn passenger(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_uppercase() || byte == b'-';
    let given = run_back(text, at, 32, part);
    let title = text[at + 1..end].iter().all(u8::is_ascii_uppercase);
    if !title || before(text, given) != Some(b'/') || given == at || !ends(text, end) {
        return;
    }
    let family = run_back(text, given - 1, 32, part);
    if given - family > 4 && at - given >= 3 {
        finder.found(family, at, Mark::Person);
    }
}

/// Looks behind a word for a name where the text holds a number or an address of a person too: `name=Ada Lovelace`.
pub(super) fn named(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        let opening = r#"\w{0,12}\\?["']?(?: ?[:=] ?\\?["']?| )"#;
        Regex::new(&format!(
            r"(?-u)\A{opening}({NAME}|[A-Z][A-Z'-]+/[A-Z]+(?: [A-Z]+){{0,2}})"
        ))
        .expect("the pattern is one")
    });
    let text = finder.text;
    let far = text.len().min(end + 96);
    let from = start.saturating_sub(PERSON_REACH);
    let around = &text[from..text.len().min(end + PERSON_REACH)];
    let is_person = || {
        let marked = memchr::memmem::find_iter(around, b"[redacted:");
        marked
            .map(|at| &around[at + b"[redacted:".len()..])
            .any(|mark| ABOUT.iter().any(|about| mark.starts_with(about)))
    };
    if !is_person() {
        return;
    }
    if let Some(found) = VALUE
        .captures(&text[end..far])
        .and_then(|found| found.get(1))
    {
        keep(finder, end + found.start(), end + found.end());
    }
}

/// How far a number of a person may stand from the name.
const PERSON_REACH: usize = 200;

/// Marks of what is known of a person.
const ABOUT: [&[u8]; 6] = [
    b"email",
    b"phone",
    b"iban",
    b"national-id",
    b"card",
    b"person",
];

/// Keeps a name, unless one of its words is one that errors are made of.
fn keep(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let mut words = finder.text[start..end].split(|byte| matches!(byte, b' ' | b'-'));
    if !words.any(|word| one_of(word, ERRORS)) {
        finder.found(start, end, Mark::Person);
    }
}

/// Words that begin with a capital in errors, and are no names.
const ERRORS: &str = "quota exceeded non die der das den dem des ein eine le la les el los las der chave number numbers code codes type value values \
    new old due data database table file files system server session token key keys secret password connection network host port input output \
    resource operation process action policy role group project product plan region time date day status state reason result response rate \
    limit size count amount total version update upgrade build release test production january february march april may june july august \
    september october november december monday tuesday wednesday thursday friday saturday sunday microsoft google amazon apple visual studio \
    windows linux android chrome firefox java python node typescript docker kubernetes github gitlab azure aws cloud oracle mysql postgres \
    redis mongo spring boot apache nginx open source read only write only self signed certificate authority security private public default \
    out not off error invalid request user failed unknown internal server not found bad access denied unauthorized forbidden account \
    email mail address phone contact sent delivery message missing required duplicate existing customer service unavailable gateway timeout \
    the this no cannot could please api http https json sql id name number card iban already value field record order payment login \
    authentication authorization validation exception warning notice info debug null none true false support admin administrator";

/// Behind a noun for a person, with or without a sign between: two words with capitals, which are a name.
pub(super) fn told(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        let opening = r#"\w{0,4}(?:[ _.]?[Nn]ame)?(?: complet[oae]?)?\\?["']?(?: ?[:=]>? ?\\?["']?| \\?["'(]?)"#;
        let reversed = r"(?:[A-Z]|\xc3[\x80-\x9e])[a-z'\x80-\xff]+, [A-Z][a-z'\x80-\xff]+";
        Regex::new(&format!(
            r"(?-u)\A{opening}({NAME}|{reversed}|[A-Z][A-Z'-]+/[A-Z]{{2,}}(?: [A-Z]+){{0,2}})"
        ))
        .expect("the pattern is one")
    });
    let text = finder.text;
    let far = text.len().min(end + 96);
    let is_capital = |byte: &u8| byte.is_ascii_uppercase() || *byte >= 0xc3;
    let is_near = text[end..text.len().min(end + 24)].iter().any(is_capital);
    if !is_near || !super::bytes::begins(text, start) && before(text, start) != Some(b'_') {
        return;
    }
    if let Some(found) = VALUE
        .captures(&text[end..far])
        .and_then(|found| found.get(1))
    {
        keep(finder, end + found.start(), end + found.end());
    }
}

/// `ada(at)example.com`, `ada@@example.com`: an address that was written wrongly.
pub(super) fn address(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+');
    let start = run_back(text, at, 64, part);
    let end = super::bytes::run(text, end, 1, |byte| byte == b'@');
    let close = super::bytes::run(text, end, 128, part);
    let close = end
        + text[end..close]
            .iter()
            .rposition(u8::is_ascii_alphanumeric)
            .map_or(0, |last| last + 1);
    if start < at && text[end..close].contains(&b'.') {
        finder.found(start, close, Mark::Email);
    }
}

/// `14 Heron Street`, `Lindenstraße 12`: around the word for a street, with the number of the house.
pub(super) fn street(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let part = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b' ' | b'.' | b'\'' | b'-')
    };
    let lead = run_back(text, at, 48, part);
    let named = &text[lead..at];
    // The number stands before an English street.
    let number = named.iter().rposition(u8::is_ascii_digit).map(|last| {
        let last = lead + last;
        run_back(text, last + 1, 6, |byte| byte.is_ascii_digit())
    });
    let is_capital = |from: usize| {
        text.get(from)
            .is_some_and(|byte| byte.is_ascii_uppercase() || *byte >= 0xc3)
    };
    if let Some(number) = number
        && let Some(name) = text[number..at].iter().position(|byte| *byte == b' ')
        && text[at] == b' '
        && is_capital(number + name + 1)
        && is_capital(at + 1)
        && ends(text, end)
    {
        return finder.found(number, end, Mark::Person);
    }
    // And behind a German or a Dutch one, which is one word with its name.
    let name = run_back(text, at, 32, |byte| {
        byte.is_ascii_alphabetic() || byte >= 0x80 || byte == b'-'
    });
    let house = super::bytes::run(text, end, 1, |byte| byte == b' ');
    let digits = super::bytes::run(text, house, 4, |byte| byte.is_ascii_digit());
    if name < at && is_capital(name) && before(text, house) == Some(b' ') && digits > house {
        let close = super::bytes::run(text, digits, 1, |byte| byte.is_ascii_lowercase());
        finder.found(name, close, Mark::Person);
    }
}
