//! What of a file is not shown beside a problem: problems end up in logs and in tickets.

use std::ops::Range;

use breakfall::disclose::{Audience, Redactor};

use super::problem::ConfigProblem;
use super::reference::is_reference;
use super::tree::{Node, Value};

/// Keys whose values are secrets.
pub(super) const SECRET_KEYS: [&str; 3] = ["env", "headers", "keys"];

/// The places of all values that are secrets, by their keys or by their looks.
pub(super) fn secrets(root: &Node, mut masks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if let Some(keys) = root.entry("keys") {
        hide(keys, &mut masks);
    }
    if let Some(Value::Map(upstreams)) = root.entry("upstreams").map(|node| &node.value) {
        for (_, upstream) in upstreams {
            for key in SECRET_KEYS {
                if let Some(node) = upstream.entry(key) {
                    hide(node, &mut masks);
                }
            }
        }
    }
    looking_secret(root, &Redactor::new(Audience::Operator), &mut masks);
    masks
}

/// What we say ourselves: it quotes the file.
pub(super) fn redacted(text: &str) -> String {
    Redactor::new(Audience::Operator).text(text).into_owned()
}

/// The places of all that stands under a node.
pub(super) fn hide(node: &Node, masks: &mut Vec<Range<usize>>) {
    match &node.value {
        Value::Null => {}
        Value::Text(text) if is_reference(text) => {}
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => masks.push(node.span.clone()),
        Value::List(items) => items.iter().for_each(|item| hide(item, masks)),
        Value::Map(entries) => entries.iter().for_each(|(_, node)| hide(node, masks)),
    }
}

/// Values that look like credentials, wherever they stand.
fn looking_secret(node: &Node, redactor: &Redactor, masks: &mut Vec<Range<usize>>) {
    match &node.value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::Text(text) => {
            if redactor.text(text) != text.as_str() {
                masks.push(node.span.clone());
            }
        }
        Value::List(items) => items
            .iter()
            .for_each(|item| looking_secret(item, redactor, masks)),
        Value::Map(entries) => entries
            .iter()
            .for_each(|(_, node)| looking_secret(node, redactor, masks)),
    }
}

/// What to hide of a text that is no YAML. Without a tree nobody knows for sure what is a secret: what a line says under
/// a secretive key, and what looks like credentials.
pub(super) fn lines(
    text: &str,
    problems: &[ConfigProblem],
    around: &[String],
) -> Vec<Range<usize>> {
    let secretive = around.iter().any(|key| SECRET_KEYS.contains(&key.as_str()));
    let redactor = Redactor::new(Audience::Operator);
    let spans = problems.iter().filter_map(ConfigProblem::span);
    let values = spans.map(|span| value_of_line(text, span.start));
    let secret = |value: &Range<usize>| {
        secretive || redactor.text(&text[value.clone()]) != text[value.clone()]
    };
    values.filter(secret).collect()
}

/// All of a line that comes after its first colon.
fn value_of_line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let colon = text[start..end].find(':').map_or(0, |colon| colon + 1);
    start + colon..end
}
