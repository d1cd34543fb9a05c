//! Statements of SQL. Its words are words of every day: "select an item from the list" is not a statement.

use super::bytes::{before, begins, follows, is_quote, is_word, one_of, run};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;

/// Looks at a place inside the first word of what may be a statement.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::Sql, at) {
        return;
    }
    let text = finder.text;
    let start = super::bytes::run_back(text, at, 12, |byte| byte.is_ascii_alphabetic());
    let verb = run(text, start, 12, |byte| byte.is_ascii_alphabetic());
    finder.passed(Rule::Sql, at + 1);
    if !begins(text, start) {
        return;
    }
    if text[start..verb].eq_ignore_ascii_case(b"near") {
        return near(finder, verb);
    }
    let statement = SqlStatement { text, start, verb };
    if statement.is_sql() {
        let end = end(text, start);
        finder.found(start, end, Mark::Sql);
        finder.passed(Rule::Sql, end);
    }
}

/// `near 'WHERE id = 7' at line 1`: what is left of a statement where it could not be read.
fn near(finder: &mut MarkFinder<'_>, word: usize) {
    let text = finder.text;
    let start = word + 2;
    if !follows(text, word, b" '") {
        return;
    }
    let far = text.len().min(start + REACH);
    let Some(found) = memchr::memmem::find(&text[start..far], b"' at line ") else {
        return;
    };
    let end = start + found;
    let known = super::bytes::said_before(text, word, 200, "sql|mysql|mariadb");
    if (known || text[start..end].contains(&b' '))
        && text[start..end].iter().any(u8::is_ascii_alphanumeric)
    {
        finder.found(start, end, Mark::Sql);
        finder.passed(Rule::Sql, end);
    }
}

/// `[parameters: (…)]`: what a statement was given.
pub(super) fn parameters(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let Some(open) = before(text, at).filter(|byte| *byte == b'[').map(|_| at) else {
        return;
    };
    if !follows(text, open, b"parameters: ") {
        return;
    }
    let start = open + b"parameters: ".len();
    let end = super::bytes::line_end(text, start, 4096);
    let mut depth = 0usize;
    let close = text[start..end].iter().position(|byte| {
        match byte {
            b'[' => depth += 1,
            b']' if depth > 0 => depth -= 1,
            _ => return *byte == b']',
        }
        false
    });
    let end = close.map_or(end, |close| start + close);
    finder.found(start, end, Mark::Sql);
}

/// Behind the complaint that a statement cannot be read: the line that shows it, whose words need not be those of one.
pub(super) fn echoed(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let mut next = super::bytes::line_end(text, end, 400);
    for _ in 0..4 {
        if text.get(next) != Some(&b'\n') {
            return;
        }
        let start = run(text, next + 1, 32, |byte| {
            byte.is_ascii_digit() || matches!(byte, b' ' | b'|' | b'>' | b'\t')
        });
        next = super::bytes::line_end(text, next + 1, 1024);
        let verb = run(text, start, 12, |byte| byte.is_ascii_uppercase());
        if one_of(
            &text[start..verb],
            "select insert update delete create alter drop merge with from where join grant",
        ) {
            finder.found(start, next, Mark::Sql);
        }
    }
}

struct SqlStatement<'t> {
    text: &'t [u8],
    start: usize,
    verb: usize,
}

impl SqlStatement<'_> {
    fn is_sql(&self) -> bool {
        let text = self.text;
        let verb = &text[self.start..self.verb];
        if !text
            .get(self.verb)
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'*' | b'('))
        {
            return false;
        }
        match verb.to_ascii_lowercase().as_slice() {
            b"select" => self.is_select(),
            b"insert" | b"replace" | b"merge" => self.is_insert(),
            b"update" => self.is_update(),
            b"delete" => self.is_delete(),
            b"create" | b"alter" | b"drop" | b"truncate" => self.is_definition(),
            b"grant" | b"revoke" => self.is_grant(),
            b"with" => self.is_with(),
            b"explain" | b"exec" | b"execute" | b"call" | b"pragma" => self.is_other(verb),
            _ => false,
        }
    }

    /// Whether the verb is in capitals, as the English word never is.
    fn is_loud(&self) -> bool {
        self.text[self.start..self.verb]
            .iter()
            .all(u8::is_ascii_uppercase)
    }

    /// Whether what stands before announces a statement: nothing, a quote, a colon.
    fn is_announced(&self) -> bool {
        let lead = self.text[..self.start].trim_ascii_end();
        match lead.last() {
            None => true,
            Some(byte)
                if is_quote(*byte) || matches!(byte, b':' | b'=' | b'(' | b'[' | b';' | b'>') =>
            {
                true
            }
            Some(_) => one_of(
                super::bytes::word_before(self.text, self.start),
                "sql query statement executing execute running explain analyze",
            ),
        }
    }

    fn is_select(&self) -> bool {
        let text = self.text;
        let Some(from) = word_on(text, self.verb, b"from", REACH) else {
            let first = text.get(skip(text, self.verb)).copied().unwrap_or_default();
            let name = run(text, skip(text, self.verb), 64, is_word);
            let calls = text.get(name) == Some(&b'(') && name > skip(text, self.verb);
            return self.is_loud()
                && (first.is_ascii_digit() || matches!(first, b'@' | b'\'') || calls);
        };
        let list = &text[self.verb..from];
        let (table, table_end) = name_at(text, from + 4);
        if table == table_end {
            return false;
        }
        let determined = one_of(&text[table..table_end], DETERMINERS);
        let tail = after_table(text, table_end);
        let loud = self.is_loud() && text[from..from + 4].iter().all(u8::is_ascii_uppercase);
        if loud {
            return !determined || list.contains(&b'*');
        }
        let signs = list
            .iter()
            .any(|byte| matches!(byte, b'*' | b'(' | b'_' | b'`' | b'='))
            || list.contains(&b',') && !determined;
        let prose = words(list).any(|word| one_of(word, DETERMINERS));
        match tail {
            TableTail::Clause => signs || !prose && !determined,
            TableTail::End => {
                signs && !determined
                    || self.is_announced()
                        && !prose
                        && !determined
                        && self.text[self.start].is_ascii_lowercase()
            }
            TableTail::Prose => list.contains(&b'*') && !determined,
        }
    }

    fn is_insert(&self) -> bool {
        let text = self.text;
        let Some(into) = word_on(text, self.verb, b"into", 32) else {
            return false;
        };
        let (table, end) = name_at(text, into + 4);
        if table == end || one_of(&text[table..end], DETERMINERS) {
            return false;
        }
        let next = skip(text, end);
        let loud = self.is_loud() && text[into..into + 4].iter().all(u8::is_ascii_uppercase);
        loud || text.get(next) == Some(&b'(')
            || is_one_here(text, next, "values select default set using")
    }

    fn is_update(&self) -> bool {
        let text = self.text;
        let (_, table) = name_at(text, self.verb);
        let Some(set) = word_on(text, table, b"set", 64) else {
            return false;
        };
        let (column, end) = name_at(text, set + 3);
        column < end && text.get(skip(text, end)) == Some(&b'=')
    }

    fn is_delete(&self) -> bool {
        let text = self.text;
        let from = skip(text, self.verb);
        if !is_word_here(text, from, "from") {
            return false;
        }
        let (table, end) = name_at(text, from + 4);
        if table == end || one_of(&text[table..end], DETERMINERS) {
            return false;
        }
        let loud = self.is_loud() && text[from..from + 4].iter().all(u8::is_ascii_uppercase);
        let clause = after_table(text, end);
        loud || clause == TableTail::Clause
            || clause == TableTail::End
                && self.is_announced()
                && text[self.start].is_ascii_lowercase()
    }

    fn is_definition(&self) -> bool {
        let text = self.text;
        let mut at = skip(text, self.verb);
        for _ in 0..4 {
            let end = run(text, at, 32, is_word);
            let word = &text[at..end];
            if one_of(word, THINGS) {
                let (name, name_end) = name_at(text, end);
                let name = &text[name..name_end];
                let sure = self.is_loud() && word.iter().all(u8::is_ascii_uppercase);
                let plain = one_of(name, DETERMINERS)
                    || name.is_empty()
                    || one_of(name, "of for with and on in to is was");
                return !plain && (sure || after_name(text, name_end));
            }
            if !one_of(
                word,
                "or replace temp temporary unique global local materialized external unlogged if not exists",
            ) {
                return false;
            }
            at = skip(text, end);
        }
        false
    }

    fn is_grant(&self) -> bool {
        let text = self.text;
        let right = skip(text, self.verb);
        let end = run(text, right, 16, is_word);
        let rights =
            "select insert update delete all usage execute connect create references truncate";
        one_of(&text[right..end], rights)
            && word_on(text, end, b"on", 96).is_some_and(|on| {
                word_on(text, on + 2, b"to", 128)
                    .or_else(|| word_on(text, on + 2, b"from", 128))
                    .is_some()
            })
    }

    fn is_with(&self) -> bool {
        let text = self.text;
        let at = skip(text, self.verb);
        let at = if is_word_here(text, at, "recursive") {
            skip(text, at + 9)
        } else {
            at
        };
        let (_, end) = name_at(text, at);
        let as_at = skip(text, end);
        if !is_word_here(text, as_at, "as") {
            return false;
        }
        let open = skip(text, as_at + 2);
        text.get(open) == Some(&b'(')
            && is_one_here(
                text,
                skip(text, open + 1),
                "select insert update delete values with",
            )
    }

    /// Statements whose verb is nothing else's first word when it is in capitals.
    fn is_other(&self, verb: &[u8]) -> bool {
        let text = self.text;
        let (name, end) = name_at(text, self.verb);
        let name = &text[name..end];
        match verb.to_ascii_lowercase().as_slice() {
            b"explain" => {
                one_of(name, "analyze select insert update delete query verbose")
                    && word_on(text, self.verb, b"from", REACH).is_some()
                    && {
                        let select = word_on(text, self.verb, b"select", 64);
                        select.is_none_or(|start| {
                            SqlStatement {
                                text,
                                start,
                                verb: start + 6,
                            }
                            .is_sql()
                        })
                    }
            }
            b"pragma" => self.is_loud() && !name.is_empty(),
            b"call" => self.is_loud() && text.get(end) == Some(&b'('),
            _ => self.is_loud() && name.contains(&b'_'),
        }
    }
}

/// How far the second word of a statement is looked for.
const REACH: usize = 600;

const DETERMINERS: &str = "a an the your my our their his her its this that these those each every any some one all which what it \
    them here there where another other either both above below among several many between up top within";

const THINGS: &str = "table index view database schema user role trigger function procedure sequence type extension column \
    tablespace policy domain";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableTail {
    /// A clause of the language follows.
    Clause,
    /// Nothing follows.
    End,
    /// Some other word.
    Prose,
}

/// What follows the name of a table, and perhaps its short name.
fn after_table(text: &[u8], end: usize) -> TableTail {
    let mut at = skip(text, end);
    for _ in 0..2 {
        match text.get(at) {
            None => return TableTail::End,
            Some(byte)
                if is_quote(*byte) || matches!(byte, b';' | b')' | b']' | b'}' | b'\\' | b'<') =>
            {
                return TableTail::End;
            }
            Some(b',') => return TableTail::Clause,
            Some(_) => {}
        }
        let word_end = run(text, at, 32, is_word);
        if one_of(&text[at..word_end], CLAUSES) && clause_is_real(text, at, word_end) {
            return TableTail::Clause;
        }
        if word_end == at {
            return TableTail::Prose;
        }
        at = skip(text, word_end);
    }
    TableTail::Prose
}

const CLAUSES: &str = "where join inner left right outer order group limit having union cross natural offset using returning \
    full on set";

/// `order by`, `group by` and `limit 5`: a word alone is a word.
fn clause_is_real(text: &[u8], at: usize, end: usize) -> bool {
    let next = skip(text, end);
    match text[at..end].to_ascii_lowercase().as_slice() {
        b"order" | b"group" => is_word_here(text, next, "by"),
        b"limit" | b"offset" => text
            .get(next)
            .is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'?' | b'$' | b':')),
        b"left" | b"right" | b"inner" | b"outer" | b"cross" | b"natural" | b"full" => {
            word_on(text, end, b"join", 16).is_some()
        }
        b"on" | b"using" => false,
        _ => true,
    }
}

/// What may follow a name in a definition.
fn after_name(text: &[u8], end: usize) -> bool {
    let at = skip(text, end);
    match text.get(at) {
        None | Some(b'(' | b';' | b'"' | b'\'' | b'`' | b')') => true,
        Some(_) => is_one_here(
            text,
            at,
            "add drop rename alter modify as cascade exists not on set owner",
        ),
    }
}

/// Past blanks and line ends.
fn skip(text: &[u8], at: usize) -> usize {
    run(text, at.min(text.len()), 64, |byte| {
        byte.is_ascii_whitespace()
    })
}

/// Whether one of some words stands here.
fn is_one_here(text: &[u8], at: usize, words: &str) -> bool {
    words
        .split_ascii_whitespace()
        .any(|word| is_word_here(text, at, word))
}

fn is_word_here(text: &[u8], at: usize, word: &str) -> bool {
    follows(text, at, word.as_bytes()) && super::bytes::ends(text, at + word.len())
}

/// Where a word follows, before the statement ends. The word is in lower case.
fn word_on(text: &[u8], at: usize, word: &[u8], reach: usize) -> Option<usize> {
    let far = text.len().min(at.saturating_add(reach));
    let first = word[0];
    let window = text.get(at..far)?;
    for found in memchr::memchr3_iter(first, first.to_ascii_uppercase(), b';', window) {
        let place = at + found;
        if text[place] == b';' {
            return None;
        }
        let opens = found == 0 || begins(text, place);
        if opens && follows(text, place, word) && super::bytes::ends(text, place + word.len()) {
            return Some(place);
        }
    }
    None
}

/// The name after some blanks, with its quotes and its dots.
fn name_at(text: &[u8], at: usize) -> (usize, usize) {
    let start = skip(text, at);
    let part = |byte: u8| {
        is_word(byte)
            || matches!(
                byte,
                b'.' | b'`' | b'"' | b'[' | b']' | b'$' | b'#' | b'@' | b'%' | b'?'
            )
            || !byte.is_ascii()
    };
    let end = run(text, start, 128, part);
    // A dot or a question mark at the end belongs to the sentence.
    let trimmed = text[start..end]
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b'?'))
        .map_or(start, |last| start + last + 1);
    (start, trimmed)
}

fn words(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|byte| !is_word(*byte))
        .filter(|word| !word.is_empty())
}

/// The end of a statement: of its quote, its bracket, its line, or a word that no statement holds.
fn end(text: &[u8], start: usize) -> usize {
    let quote = before(text, start).filter(|byte| is_quote(*byte));
    let far = text.len().min(start + LONGEST);
    let mut depth = 0usize;
    let mut at = start;
    while at < far {
        let byte = text[at];
        match byte {
            b';' if depth == 0 => return at + 1,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at,
            b')' | b']' | b'}' => depth -= 1,
            b'\n' if !line_goes_on(text, at + 1) => return at,
            _ if is_quote(byte) => {
                let closes = quote == Some(byte) || byte == b'"' && ends_json(text, at + 1);
                if closes && !opens_literal(text, start, at) {
                    return at;
                }
                at = past_literal(text, at, far);
                continue;
            }
            b'\\'
                if matches!(text.get(at + 1), Some(b'n' | b'r')) && !line_goes_on(text, at + 2) =>
            {
                return at;
            }
            b'\\'
                if text.get(at + 1).is_some_and(|next| is_quote(*next))
                    && quote == text.get(at + 1).copied() =>
            {
                return at;
            }
            _ if is_word(byte) => {
                let word = run(text, at, 64, is_word);
                if at > start && one_of(&text[at..word], AFTER) {
                    return start + text[start..at].trim_ascii_end().len();
                }
                at = word;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    far
}

/// Whether what follows a quote follows a text in JSON.
fn ends_json(text: &[u8], at: usize) -> bool {
    matches!(
        text.get(skip(text, at)),
        None | Some(b',' | b'}' | b']' | b'\\')
    )
}

/// The longest statement.
const LONGEST: usize = 8 * 1024;

/// Whether a quote opens a text or a name of the statement rather than closing the statement.
fn opens_literal(text: &[u8], start: usize, at: usize) -> bool {
    let lead = text[start..at].trim_ascii_end();
    match lead.last() {
        Some(b'=' | b'<' | b'>' | b'(' | b',' | b'|' | b'+' | b'.') => true,
        Some(byte) if is_word(*byte) => {
            let word = lead
                .rsplit(|byte| !is_word(*byte))
                .next()
                .unwrap_or_default();
            one_of(
                word,
                "like in from update into set values and or join table as where by ilike between not select \
            exists then else",
            )
        }
        _ => false,
    }
}

/// Past a text in quotes. A quote twice is one inside.
fn past_literal(text: &[u8], at: usize, far: usize) -> usize {
    let quote = text[at];
    let mut place = at + 1;
    while let Some(found) = memchr::memchr2(quote, b'\n', &text[place.min(far)..far]) {
        let close = place + found;
        if text[close] == b'\n' {
            return at + 1;
        }
        if text.get(close + 1) != Some(&quote) {
            return close + 1;
        }
        place = close + 2;
    }
    at + 1
}

/// Whether a line belongs to the statement of the line before.
fn line_goes_on(text: &[u8], at: usize) -> bool {
    let start = run(text, at, 64, super::bytes::is_blank);
    let word = run(text, start, 32, is_word);
    start > at && word > start
        || matches!(text.get(start), Some(b')' | b',' | b'('))
        || one_of(&text[start..word], LINES)
}

/// Words a line of a statement begins with.
const LINES: &str = "from where and or join inner left right outer order group limit having union set values on select \
    returning offset as full cross";

/// Words of the sentence around a statement.
const AFTER: &str = "failed fails returned because timed took exceeded was could cannot raised threw violates caused aborted";
