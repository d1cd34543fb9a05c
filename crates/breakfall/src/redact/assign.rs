//! A name and what joins it to its value: `password=…`, `"api_key": "…"`, `--token …`, `<apiToken>…`, `('secret', '…')`.

use super::assigned::{AssignedValue, NameJoint, believed, close, open, plain};
use super::bytes::{WordSet, before, follows, is_blank, is_name, is_quote, is_word, run, run_back};
use super::finder::{MarkFinder, Rule};
use super::keys::{self, KeyMeaning, ValueProof};
use super::listed::{blocks, listed};
use super::mark::{Mark, is_marker};
use super::prose::{is_placeholder, prose};

/// Looks at a place inside a name that may be that of a secret.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Assignment, at) {
        return;
    }
    let text = finder.text;
    let start = run_back(text, at, NAME, is_name);
    let end = run(text, at, NAME, is_name);
    // A dot or a hyphen at the end belongs to the sentence.
    let last = text[start..end].iter().rposition(|byte| is_word(*byte));
    let end = start + last.map_or(0, |last| last + 1);
    finder.passed(Rule::Assignment, end.max(at + 1));
    if start < end
        && !text[..start].ends_with(b"redacted:")
        && let Some(meaning) = name(text, start, end)
    {
        judge(finder, start, end, meaning);
    }
}

/// Looks behind a word for a password in a language whose letters no name of a variable has: `mot de passe : …`, `パスワード：…`.
pub(super) fn spoken(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let meaning = KeyMeaning {
        mark: Mark::Password,
        force: ValueProof::Any,
        is_compound: false,
    };
    // More words may follow before the sign: "lösenord för nyckelfil=".
    let text = finder.text;
    let more = run(text, end, 40, |byte| {
        byte == b' ' || byte.is_ascii_alphabetic() || byte >= 0xc3
    });
    let joined = text
        .get(more)
        .is_some_and(|byte| matches!(byte, b':' | b'='))
        && more > end;
    let end = if joined {
        end + text[end..more].trim_ascii_end().len()
    } else {
        end
    };
    judge(finder, start, end, meaning);
}

fn judge(finder: &mut MarkFinder<'_>, start: usize, end: usize, meaning: KeyMeaning) {
    let text = finder.text;
    if let Some(value) = tag(text, start, end) {
        return keep(finder, &value, meaning);
    }
    let closed = run(text, end, 6, |byte| {
        is_quote(byte) || matches!(byte, b'\\' | b']' | b')')
    });
    let quoted = text[end..closed].iter().any(|byte| is_quote(*byte));
    let name = AssignedName {
        start,
        end,
        closed,
        quoted,
    };
    let Some((joint, at)) = name.joint(text) else {
        if let Some(value) = name.sentence(text).and_then(|at| prose(text, at, meaning)) {
            keep(finder, &value, meaning);
        }
        return;
    };
    if is_marked(text, at) {
        return;
    }
    if matches!(joint, NameJoint::Sure | NameJoint::Json | NameJoint::Colon) {
        let line = run_back(text, start, 256, |byte| byte != b'\n');
        let spans = blocks(text, at, line, meaning).or_else(|| listed(text, at, meaning));
        if let Some(spans) = spans {
            for value in spans {
                keep(finder, &value, meaning);
            }
            return;
        }
    }
    let at = run(text, at, 8, is_blank);
    let (inside, quote) = open(text, at);
    let value = AssignedValue {
        start: inside,
        end: close(text, inside, quote),
    };
    let is_spaced = before(text, at).is_some_and(is_blank);
    if believed(text, &value, quote, joint, meaning, is_spaced) {
        keep(finder, &value, meaning);
    } else if joint == NameJoint::Colon
        && quote.is_none()
        && name.begins_line(text)
        && let Some(value) = plain(text, at, meaning)
    {
        keep(finder, &value, meaning);
    } else if joint == NameJoint::Colon
        && let Some(value) = prose(text, at, meaning)
    {
        keep(finder, &value, meaning);
    }
}

fn keep(finder: &mut MarkFinder<'_>, value: &AssignedValue, meaning: KeyMeaning) {
    if value.start < value.end && !is_marker(&finder.text[value.start..value.end]) {
        finder.found(value.start, value.end, meaning.mark);
        finder.passed(Rule::Assignment, value.end);
    }
}

/// Whether a marker stands in place of the value.
fn is_marked(text: &[u8], at: usize) -> bool {
    let at = run(text, at, 8, |byte| {
        is_blank(byte) || is_quote(byte) || byte == b'\\'
    });
    let end = run(text, at, 40, |byte| byte != b']');
    text.get(end).is_some() && is_marker(&text[at..=end])
}

/// The longest name.
const NAME: usize = 96;

/// What a name promises. Two words say it too: `api key`.
fn name(text: &[u8], start: usize, end: usize) -> Option<KeyMeaning> {
    let word = &text[start..end];
    let dot = word.iter().rposition(|byte| *byte == b'.');
    let last = dot.and_then(|dot| keys::named(&word[dot + 1..]));
    if let Some(named) = last.or_else(|| keys::named(word)) {
        return Some(named);
    }
    // In a list of counts it counts what passed.
    let at = run(text, end, 6, |byte| {
        is_blank(byte) || is_quote(byte) || matches!(byte, b']' | b'\\')
    });
    let option = word.strip_prefix(b"--").unwrap_or(word);
    if option.eq_ignore_ascii_case(b"pass")
        && (matches!(text.get(at), Some(b'=' | b':')) || follows(text, at, b"->"))
    {
        return Some(KeyMeaning {
            mark: Mark::Password,
            force: if follows(text, at, b"->") {
                ValueProof::Any
            } else {
                ValueProof::Mixed
            },
            is_compound: false,
        });
    }
    let mut first = start;
    for _ in 0..2 {
        if before(text, first) != Some(b' ') || !SECOND_WORDS.has(word) {
            return None;
        }
        first = run_back(text, first - 1, 24, is_word);
        if let Some(named) = keys::named(&text[first..end]) {
            return Some(named);
        }
    }
    None
}

/// The second of two words that say it.
static SECOND_WORDS: WordSet = WordSet::new("key code word phrase id number secret token hash");

/// Where a name stands.
struct AssignedName {
    start: usize,
    end: usize,
    /// Past the quotes and brackets that close it.
    closed: usize,
    quoted: bool,
}

impl AssignedName {
    /// What joins it to its value, and where that begins.
    fn joint(&self, text: &[u8]) -> Option<(NameJoint, usize)> {
        let &Self {
            start,
            end,
            closed,
            quoted,
        } = self;
        let at = past_blanks(text, closed);
        if text[at..].starts_with("：".as_bytes()) {
            return Some((NameJoint::Colon, at + "：".len()));
        }
        if let Some(after) = paired(text, at, quoted) {
            return Some((NameJoint::Sure, after));
        }
        match *text.get(at)? {
            b'=' => Some((
                NameJoint::Sure,
                run(text, at, 3, |byte| matches!(byte, b'=' | b'>' | b'~')),
            )),
            b'0' if text[..at].ends_with(b"\\") => Some((NameJoint::Sure, at + 1)),
            b':' if follows(text, at, b"::")
                && text.get(at + 2).is_some_and(|byte| is_word(*byte)) =>
            {
                None
            }
            b':' if !follows(text, at, b"://") => {
                let after = run(text, at, 2, |byte| matches!(byte, b':' | b'='));
                let joint = if quoted {
                    NameJoint::Json
                } else {
                    NameJoint::Colon
                };
                Some((
                    if follows(text, at, b":=") {
                        NameJoint::Sure
                    } else {
                        joint
                    },
                    after,
                ))
            }
            b'-' if follows(text, at, b"->") => Some((NameJoint::Sure, at + 2)),
            b'|' if self.is_cell(text) => Some((NameJoint::Colon, at + 1)),
            b'>' if quoted && text[closed..at].is_empty() => Some((NameJoint::Sure, at + 1)),
            b',' if quoted || text[..start].ends_with(b":") || text[..start].ends_with(b"{") => {
                self.next_item(text, at)
            }
            b'\r' | b'\n' if quoted => self.part(text, at),
            byte if at > closed && self.is_flag(text) && byte != b'-' => {
                Some((NameJoint::Flag, at))
            }
            byte if at > end
                && text[..start].ends_with(b":")
                && (is_quote(byte) || byte == b'[') =>
            {
                Some((NameJoint::Json, at))
            }
            _ => None,
        }
    }

    /// Whether it is an option of a command: `--token`, `-Password`.
    fn is_flag(&self, text: &[u8]) -> bool {
        let whole = &text[self.start..self.end];
        let lead = before(text, self.start);
        whole.starts_with(b"--")
            || whole.starts_with(b"-")
                && whole.len() > 3
                && lead.is_none_or(|byte| is_blank(byte) || is_quote(byte))
    }

    /// `"--token", "…"`, `('password', '…')`: the next item of a list.
    fn next_item(&self, text: &[u8], comma: usize) -> Option<(NameJoint, usize)> {
        let at = run(text, comma + 1, 32, |byte| byte.is_ascii_whitespace());
        let at = if follows(text, at, b"<<") { at + 2 } else { at };
        let quote = run(text, at, 3, |byte| byte == b'\\');
        if !text.get(quote).is_some_and(|byte| is_quote(*byte)) {
            return None;
        }
        let joint = if self.is_flag(text) {
            NameJoint::Flag
        } else {
            NameJoint::Item
        };
        Some((joint, at))
    }

    /// A part of a form: `name="password"`, an empty line, the value.
    fn part(&self, text: &[u8], at: usize) -> Option<(NameJoint, usize)> {
        let is_part = text[..self.start].ends_with(b"name=\"");
        let gap = run(text, at, 4, |byte| matches!(byte, b'\r' | b'\n'));
        let lines = memchr::memchr_iter(b'\n', &text[at..gap]).count();
        (is_part && lines >= 2).then_some((NameJoint::Sure, gap))
    }

    /// Whether it is a cell of a table.
    fn is_cell(&self, text: &[u8]) -> bool {
        let lead = run_back(text, self.start, 64, is_blank);
        before(text, lead).is_some_and(|byte| matches!(byte, b'|' | b'\n')) || lead == 0
    }

    /// Whether nothing but blanks and the sign of an item stands before it in its line.
    fn begins_line(&self, text: &[u8]) -> bool {
        let lead = run_back(text, self.start, 64, |byte| is_blank(byte) || byte == b'-');
        before(text, lead).is_none_or(|byte| byte == b'\n')
    }

    /// Where a sentence goes on after it.
    fn sentence(&self, text: &[u8]) -> Option<usize> {
        let at = run(text, self.closed, 8, is_blank);
        let adjacent = self.quoted && text.get(at).is_some_and(|byte| is_quote(*byte));
        (at > self.closed && !adjacent).then_some(at)
    }
}

/// Past blanks. French puts one that does not break before a colon.
fn past_blanks(text: &[u8], at: usize) -> usize {
    let at = run(text, at, 8, is_blank);
    let narrow = ["\u{a0}", "\u{202f}"]
        .iter()
        .find(|blank| text[at..].starts_with(blank.as_bytes()));
    narrow.map_or(at, |blank| at + blank.len())
}

/// `<apiToken>…</apiToken>`
fn tag(text: &[u8], start: usize, end: usize) -> Option<AssignedValue> {
    let opens = run_back(text, start, 32, |byte| is_word(byte) || byte == b':');
    if before(text, opens) != Some(b'<') || !matches!(text.get(end), Some(b'>' | b' ')) {
        return None;
    }
    // Attributes may stand between.
    let sign = run(text, end, 128, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
    if text.get(sign) != Some(&b'>') {
        return None;
    }
    let data = if text[sign + 1..].starts_with(b"<![CDATA[") {
        b"<![CDATA[".len()
    } else if text[sign + 1..].starts_with(b"<Value>") {
        b"<Value>".len()
    } else {
        0
    };
    let from = sign + 1 + data;
    let close = run(text, from, 4096, |byte| {
        !matches!(byte, b'<') && (data == 0 || byte != b']')
    });
    let inside = &text[from..close];
    // In a sentence `<token>` says what to write there.
    let closed = text[close..].starts_with(b"</") || data > 0;
    let is_open = !inside
        .iter()
        .any(|byte| is_quote(*byte) || byte.is_ascii_whitespace());
    let trimmed = inside.trim_ascii();
    let is_value = (closed || is_open) && !trimmed.is_empty() && !is_placeholder(trimmed);
    is_value.then_some(AssignedValue {
        start: from,
        end: close,
    })
}

/// `name="password" value="…"`, `"key": "api_key", "value": "…"`, `<name>token</name><value>…`, `name: PIN` and `value: …` below.
fn paired(text: &[u8], at: usize, quoted: bool) -> Option<usize> {
    let mut at = at;
    if text[at..].starts_with(b"</") {
        let sign = run(text, at, 64, |byte| byte != b'>');
        at = run(text, sign, 40, |byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<')
        });
        let is_value = ["value>", "string>", "td>", "td "]
            .iter()
            .any(|tag| follows(text, at, tag.as_bytes()));
        return is_value.then(|| run(text, at, 16, |byte| byte != b'>') + 1);
    }
    let gap = |byte: u8| {
        byte.is_ascii_whitespace() || is_quote(byte) || matches!(byte, b',' | b';' | b'\\')
    };
    let from = at;
    at = run(text, at, 64, gap);
    if follows(text, at, b"new") || follows(text, at, b"secret") {
        at += if follows(text, at, b"new") { 3 } else { 6 };
    }
    if follows(text, at, b"keyvalue") {
        at += 3;
    }
    if !follows(text, at, b"value") || at == from && !quoted {
        return None;
    }
    let at = run(text, at + 5, 4, |byte| {
        is_quote(byte) || is_blank(byte) || byte == b'\\'
    });
    matches!(text.get(at)?, b'=' | b':').then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{Redactor, keys};

    const VALUE: &str = "Zx81kq0v-hunter2";

    fn capital(word: &str) -> String {
        word[..1].to_uppercase() + &word[1..]
    }

    /// A name in every case that programs write names in.
    fn cases(name: &str) -> Vec<String> {
        let words: Vec<&str> = name.split('_').collect();
        let capitals: Vec<String> = words.iter().map(|word| capital(word)).collect();
        let camel = words[0].to_owned() + &capitals[1..].concat();
        vec![
            name.to_owned(),
            name.to_uppercase(),
            name.replace('_', "-"),
            capitals.concat(),
            camel,
            capitals.join("-"),
            format!("db_{name}"),
            format!("app.{name}"),
        ]
    }

    /// A name and a value, joined in every way that programs do.
    fn joined(name: &str) -> Vec<String> {
        let v = VALUE;
        vec![
            format!("{name}={v}"),
            format!("{name} = {v}"),
            format!("{name}: {v}"),
            format!("{name}:{v}"),
            format!("{name}=\"{v}\""),
            format!("{name}: '{v}'"),
            format!("{{\"user\":\"ada\",\"{name}\":\"{v}\",\"n\":3}}"),
            format!("{{\"{name}\": [\"{v}\"]}}"),
            format!("{{\\\"{name}\\\":\\\"{v}\\\"}}"),
            format!("{{'{name}': '{v}'}}"),
            format!("db:\n  {name}: {v}\n  retries: 3"),
            format!("db:\n  {name}:\n    - {v}\n  retries: 3"),
            format!("db:\n  {name}: |\n    {v}\n  retries: 3"),
            format!("HOME=x\n{name}={v}\nSHELL=y"),
            format!("X-{name}: {v}"),
            format!("run --{name} {v} --verbose"),
            format!("run --{name}={v}"),
            format!("['run', '--{name}', '{v}']"),
            format!("?id=7&{name}={v}&n=3"),
            format!("<{name}>{v}</{name}>"),
            format!("{name}=\"{v}\" user=\"ada\""),
            format!(":{name}=>\"{v}\""),
            format!("('{name}', '{v}')"),
            format!("- name: {name}\n  value: {v}"),
            format!("map[{name}:{v} user:ada]"),
            format!("[{name}] => {v}"),
            format!("Config({name}='{v}', n=3)"),
        ]
    }

    #[test]
    fn a_value_is_gone_behind_every_name_in_every_case_and_notation() {
        let redactor = Redactor::client();
        let mut left = Vec::new();
        let mut all = 0;
        for name in keys::all().iter().flat_map(|name| cases(name)) {
            for text in joined(&name) {
                all += 1;
                let clean = redactor.text(&text);
                if clean.contains("hunter2") || clean.contains("Zx81") {
                    left.push(format!("{text:?} became {clean:?}"));
                }
            }
        }
        assert!(
            left.is_empty(),
            "{} of {all}:\n{}",
            left.len(),
            left.join("\n")
        );
        assert!(all > 20_000, "{all}");
    }
}
