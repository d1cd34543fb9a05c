//! What a file may say already and nothing obeys yet. Silence would be a lie.

use super::Note;
use super::tree::{Node, Value};

/// Keys without effect in this version. Whoever makes one work takes it off this list, and nothing else.
const PENDING: [&[&str]; 3] = [
    &["upstreams", "*", "tools", "*", "danger"],
    &["upstreams", "*", "tools", "*", "reasons"],
    &["upstreams", "*", "quotas"],
];

/// A note of those that the file has.
pub(super) fn note(root: &Node, text: &str) -> Option<Note> {
    let mut found = Vec::new();
    for keys in PENDING {
        let mut places = Vec::new();
        find(root, keys, &mut places);
        let lines = lines(text, places);
        if !lines.is_empty() {
            let key = keys.join(".").replace("upstreams.*.", "");
            found.push(format!("{key} ({})", told(&lines)));
        }
    }
    let text = format!(
        "accepted, has no effect in this version yet: {}",
        found.join(", ")
    );
    (!found.is_empty()).then(|| Note::unused(text))
}

fn find(node: &Node, keys: &[&str], places: &mut Vec<usize>) {
    let (Value::Map(entries), [first, rest @ ..]) = (&node.value, keys) else {
        return;
    };
    for (key, node) in entries {
        if *first != "*" && key.text != *first || node.is_null() {
            continue;
        }
        if rest.is_empty() {
            places.push(key.span.start);
        } else {
            find(node, rest, places);
        }
    }
}

/// The lines of places, each once. In one pass: a file may have thousands of them.
fn lines(text: &str, mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    let (mut line, mut counted) = (1, 0);
    let mut lines: Vec<usize> = Vec::new();
    for at in places {
        let between = text.get(counted..at).unwrap_or_default();
        line += between.matches('\n').count();
        counted = at;
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

fn told(lines: &[usize]) -> String {
    let shown: Vec<String> = lines
        .iter()
        .take(MAX_LINES)
        .map(ToString::to_string)
        .collect();
    let more = if lines.len() > MAX_LINES { ", …" } else { "" };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}{more}", shown.join(", "))
}

const MAX_LINES: usize = 8;
