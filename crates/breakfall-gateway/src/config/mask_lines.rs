//! The parts of a text that are not shown if it is not YAML. Without a tree secrets are found line by line, and rather too
//! much is hidden than too little.

use std::collections::BTreeSet;
use std::ops::Range;

use breakfall::redact::{Audience, Redactor};

/// The places to hide: everything from a secret key on up to the next known key that is not further indented, and values
/// that look like credentials. If it is not certain where the values of a secret key end, they extend to the end of the text.
pub(super) fn unparsed(text: &str, known_keys: &[&str]) -> Vec<Range<usize>> {
    let masks = masks(text, known_keys, &BTreeSet::new());
    let hidden = masks.iter().filter_map(|mask| text.get(mask.clone()));
    let aliased: BTreeSet<&str> = hidden.flat_map(|hidden| marked(hidden, '*')).collect();
    if aliased.is_empty() {
        masks
    } else {
        self::masks(text, known_keys, &aliased)
    }
}

/// The places to hide; `aliased` are anchors of values that are secrets.
fn masks(text: &str, known_keys: &[&str], aliased: &BTreeSet<&str>) -> Vec<Range<usize>> {
    let redactor = Redactor::new(Audience::Operator);
    let mut masks = Vec::new();
    let mut secret: Option<SecretBlock> = None;
    for line in lines(text) {
        let written = &text[line.clone()];
        if let Some(block) = &mut secret {
            if !block.ends_at(written, known_keys) {
                masks.push(line);
                continue;
            }
            secret = None;
        }
        if let Some(at) = secret_value(written, aliased) {
            masks.push(line.start + at..line.end);
            secret = Some(SecretBlock::new(written, at));
        } else if redactor.text(written) != written {
            let value = written.find(':').map_or(0, |colon| colon + 1);
            masks.push(line.start + value..line.end);
        }
    }
    masks
}

/// The lines of a text, however they end.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split_inclusive(['\n', '\r']).map(move |line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    })
}

/// Where the value of a secret key starts in a line, if one stands there. A key with escapes in it may be one.
fn secret_value(line: &str, aliased: &BTreeSet<&str>) -> Option<usize> {
    let key = secret_key(line);
    let anchored = || {
        let mut anchors = marked(line, '&');
        let anchor = anchors.find(|anchor| aliased.contains(anchor))?;
        line.find(&format!("&{anchor}"))
    };
    key.or_else(|| escaped_key(line)).or_else(anchored)
}

fn secret_key(line: &str) -> Option<usize> {
    let mut rest = 0;
    while let Some(start) = line[rest..].find(is_of_word).map(|at| rest + at) {
        let end = line[start..].find(|c| !is_of_word(c));
        let end = end.map_or(line.len(), |end| start + end);
        let word = &line[start..end];
        let is_part = line[..start].ends_with(['/', '.', '$', '=', '@']);
        let after = line[end..].trim_start_matches(['"', '\'', ' ', '\t']);
        let is_key = after.is_empty() || after.starts_with([':', '#']);
        let is_secret = SECRET_WORDS
            .iter()
            .any(|secret| secret.eq_ignore_ascii_case(word));
        if is_secret && is_key && !is_part {
            let after = after.strip_prefix(':').unwrap_or(after);
            return Some(line.len() - after.len());
        }
        rest = end;
    }
    None
}

/// The keys of secrets, and how they are mistyped.
const SECRET_WORDS: [&str; 6] = ["env", "envs", "environment", "header", "headers", "keys"];

const fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn escaped_key(line: &str) -> Option<usize> {
    let start = line.find('"')?;
    let escape = start + line[start..].find('\\')?;
    let is_key = line[escape..].contains("\":") || line[escape..].contains("\" :");
    is_key.then_some(start)
}

/// The names after a mark: `*` of an alias, `&` of an anchor.
fn marked(text: &str, mark: char) -> impl Iterator<Item = &str> {
    text.match_indices(mark).filter_map(move |(at, _)| {
        let name = &text[at + mark.len_utf8()..];
        let end = name.find(|c: char| c.is_whitespace() || ",[]{}".contains(c));
        let name = &name[..end.unwrap_or(name.len())];
        (!name.is_empty()).then_some(name)
    })
}

/// The lines that belong to a secret key.
struct SecretBlock {
    /// How far the line of the key is indented.
    indent: usize,
    /// Whether no value was seen yet.
    is_empty: bool,
    /// Whether it is uncertain where its values end.
    is_endless: bool,
}

impl SecretBlock {
    /// The block that starts in a line, with the value at a place in it.
    fn new(line: &str, at: usize) -> Self {
        let value = line[at..].trim();
        Self {
            indent: indent(line).unwrap_or(0),
            is_empty: value.is_empty() || value.starts_with(['#', '&', '!']),
            is_endless: indent(line).is_none() || is_open(value),
        }
    }

    /// Whether a line is the first one after it.
    fn ends_at(&mut self, line: &str, known_keys: &[&str]) -> bool {
        let written = line.trim();
        if self.is_endless || written.is_empty() || written.starts_with('#') {
            return false;
        }
        let deeper = indent(line).map(|indent| indent > self.indent);
        if deeper == Some(false) && !self.is_empty && starts_with_key(written, known_keys) {
            return true;
        }
        // Values that are not indented below their key may be indented wrongly.
        self.is_endless =
            deeper.is_none() || is_open(written) || self.is_empty && deeper == Some(false);
        self.is_empty = false;
        false
    }
}

/// The spaces a line starts with; `None` if tabs make it uncertain.
fn indent(line: &str) -> Option<usize> {
    let written = line.trim_start();
    let blank = &line[..line.len() - written.len()];
    blank.chars().all(|c| c == ' ').then_some(blank.len())
}

/// Whether a quote, a bracket or a block of text that starts in a line may go on in the next.
fn is_open(value: &str) -> bool {
    let count = |wanted: &[char]| value.matches(wanted).count();
    let escaped = value.matches("\\\"").count();
    let is_odd = |count: usize| count % 2 == 1;
    is_odd(count(&['"']).saturating_sub(escaped))
        || is_odd(count(&['\'']))
        || count(&['{', '[']) > count(&['}', ']'])
        || value
            .split_whitespace()
            .any(|word| word.starts_with(['|', '>']))
}

fn starts_with_key(line: &str, keys: &[&str]) -> bool {
    let line = line.trim_start_matches(['"', '\'']);
    let end = line.find(|c| !is_of_word(c)).unwrap_or(line.len());
    let (word, after) = line.split_at(end);
    let after = after.trim_start_matches(['"', '\'', ' ']);
    keys.contains(&word) && after.starts_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with stars in place of what is hidden.
    fn shown(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for mask in unparsed(text, &["command", "timeout", "env", "upstreams"]) {
            bytes[mask].fill(b'*');
        }
        String::from_utf8(bytes).expect("whole characters were replaced")
    }

    #[test]
    fn values_of_a_secret_key_end_where_that_is_certain() {
        let text = "upstreams:\n  a:\n    env: {A: b}\n    timeout: 1\n    env:\n      A: b\n    timeout: 2\n";
        assert_eq!(
            shown(text),
            "upstreams:\n  a:\n    env:*******\n    timeout: 1\n    env:\n**********\n    timeout: 2\n"
        );
    }

    #[test]
    fn values_of_a_secret_key_extend_to_the_end_where_it_is_uncertain() {
        for block in [
            "    env:\n    A: b\n",
            "    env:\n      A: \"b\n",
            "    env:\n      A: 'b\n",
            "    env: {\n",
            "    env:\n      A: |\n",
            "    env:\n\tA: b\n",
            "    env: # b\n  A: c\n",
        ] {
            let said = shown(&format!("{block}    timeout: 1\n"));
            assert!(!said.contains("timeout: 1"), "{said}");
        }
    }

    #[test]
    fn other_text_stays() {
        let text = "command: [/usr/bin/env, node]\nenvy: a\nother: b\nx.env: 1\n";
        assert_eq!(shown(text), text);
    }
}
