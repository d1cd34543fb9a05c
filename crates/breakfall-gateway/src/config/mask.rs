//! The parts of a file that are not shown beside a problem: problems end up in logs and in tickets.

use std::ops::Range;

use breakfall::disclose::{Audience, Redactor};

use super::problem::ConfigProblem;
use super::reference::is_reference;
use super::tree::{YamlNode, YamlValue};

/// Keys whose values are secrets.
pub(super) const SECRET_KEYS: [&str; 3] = ["env", "headers", "keys"];

/// The places of all values that are secrets, by their keys or by their looks.
pub(super) fn secrets(root: &YamlNode, mut masks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if let Some(keys) = root.entry("keys") {
        hide(keys, &mut masks);
    }
    if let Some(YamlValue::Map(upstreams)) = root.entry("upstreams").map(|node| &node.value) {
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

/// A message without secrets: messages quote the file.
pub(super) fn redacted(text: &str) -> String {
    Redactor::new(Audience::Operator).text(text).into_owned()
}

/// Adds the places of all values under a node.
pub(super) fn hide(node: &YamlNode, masks: &mut Vec<Range<usize>>) {
    match &node.value {
        YamlValue::Null => {}
        YamlValue::Text(text) if is_reference(text) => {}
        YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::Text(_) => {
            masks.push(node.span.clone());
        }
        YamlValue::List(items) => items.iter().for_each(|item| hide(item, masks)),
        YamlValue::Map(entries) => entries.iter().for_each(|(_, node)| hide(node, masks)),
    }
}

/// Adds values that look like credentials.
fn looking_secret(node: &YamlNode, redactor: &Redactor, masks: &mut Vec<Range<usize>>) {
    match &node.value {
        YamlValue::Null | YamlValue::Bool(_) | YamlValue::Number(_) => {}
        YamlValue::Text(text) => {
            if redactor.text(text) != text.as_str() {
                masks.push(node.span.clone());
            }
        }
        YamlValue::List(items) => items
            .iter()
            .for_each(|item| looking_secret(item, redactor, masks)),
        YamlValue::Map(entries) => entries
            .iter()
            .for_each(|(_, node)| looking_secret(node, redactor, masks)),
    }
}

/// The places to hide in a text that cannot be parsed. Without a tree secrets are guessed: the values of lines under a secret
/// key, and values that look like credentials.
pub(super) fn lines(
    text: &str,
    problems: &[ConfigProblem],
    around: &[String],
) -> Vec<Range<usize>> {
    let under_secret_key = around.iter().any(|key| SECRET_KEYS.contains(&key.as_str()));
    let redactor = Redactor::new(Audience::Operator);
    let spans = problems.iter().filter_map(ConfigProblem::span);
    let values = spans.map(|span| value_of_line(text, span.start));
    let secret = |value: &Range<usize>| {
        under_secret_key || redactor.text(&text[value.clone()]) != text[value.clone()]
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
