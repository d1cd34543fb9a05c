//! The parts of a file that are not shown beside a problem: problems end up in logs and in tickets.

use std::collections::BTreeSet;
use std::ops::Range;

use breakfall::redact::{Audience, Redactor};

use super::reference::is_reference;
use super::tree::{YamlKey, YamlNode, YamlValue};

/// Keys whose values are secrets.
pub(super) const SECRET_KEYS: [&str; 3] = ["env", "headers", "keys"];

/// Whether the values under a key are secrets.
pub(super) fn is_secret_key(key: &str) -> bool {
    SECRET_KEYS.contains(&key)
}

/// A message without secrets: messages quote the file.
pub(super) fn redacted(text: &str) -> String {
    Redactor::new(Audience::Operator).text(text).into_owned()
}

/// A name under a secret key as messages show it. A text that is not a plain name may be a value in the wrong place.
pub(super) fn shown_name(name: &str) -> &str {
    if is_plain_name(name) { name } else { "…" }
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    !name.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && name.chars().all(is_plain)
        && redacted(name) == name
}

/// Longer texts are keys and tokens rather than names.
const MAX_NAME_BYTES: usize = 64;

/// Whether a key under a secret key is the name of a value: a plain name with a `:` after it.
pub(super) fn is_name(text: &str, key: &Range<usize>, name: &str) -> bool {
    let after = text.get(key.end..).unwrap_or_default();
    is_plain_name(name) && after.trim_start_matches([' ', '"', '\'']).starts_with(':')
}

/// The places of values that an alias under a secret key stands for.
#[derive(Debug, Default)]
pub(super) struct AliasedValues(BTreeSet<(usize, usize)>);

impl AliasedValues {
    pub(super) fn add(&mut self, node: &YamlNode) {
        self.0.insert((node.span.start, node.span.end));
    }

    fn has(&self, node: &YamlNode) -> bool {
        self.0.contains(&(node.span.start, node.span.end))
    }
}

/// Collects the places of a text that are not shown.
pub(super) struct MaskCollector<'a> {
    text: &'a str,
    aliased: &'a AliasedValues,
    masks: Vec<Range<usize>>,
}

impl<'a> MaskCollector<'a> {
    fn new(text: &'a str, aliased: &'a AliasedValues) -> Self {
        Self {
            text,
            aliased,
            masks: Vec::new(),
        }
    }

    /// The secrets in a whole file, by their keys or by their looks.
    pub(super) fn secrets_in(
        text: &str,
        aliased: &AliasedValues,
        root: &YamlNode,
    ) -> Vec<Range<usize>> {
        let mut masks = MaskCollector::new(text, aliased);
        masks.by_keys(root);
        let redactor = Redactor::new(Audience::Operator);
        looking_secret(root, &redactor, &mut masks.masks);
        masks.masks
    }

    /// Everything in the value of an entry.
    pub(super) fn all_of(text: &str, key: &YamlKey, node: &YamlNode) -> Vec<Range<usize>> {
        let none = AliasedValues::default();
        let mut masks = MaskCollector::new(text, &none);
        masks.value_of(key, node);
        masks.masks
    }

    /// The secrets in an entry, by their keys.
    pub(super) fn secrets_of(text: &str, key: &YamlKey, node: &YamlNode) -> Vec<Range<usize>> {
        let none = AliasedValues::default();
        let mut masks = MaskCollector::new(text, &none);
        masks.entry(key, node);
        masks.masks
    }

    /// Adds the secrets in an entry of a map, by their keys. Says whether the last key inside it is a secret one without a
    /// value: what follows may be meant to stand under it.
    fn entry(&mut self, key: &YamlKey, node: &YamlNode) -> bool {
        if is_secret_key(&key.text) || self.aliased.has(node) {
            self.value_of(key, node);
            return false;
        }
        self.by_keys(node)
    }

    fn by_keys(&mut self, node: &YamlNode) -> bool {
        let is_aliased = self.aliased.has(node);
        match &node.value {
            YamlValue::Null | YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::Text(_) => {
                if is_aliased {
                    self.masks.push(node.span.clone());
                }
                false
            }
            YamlValue::List(items) => {
                let mut is_open = false;
                for item in items {
                    if is_aliased {
                        self.masks.push(item.span.clone());
                    }
                    is_open = self.by_keys(item);
                }
                is_open
            }
            YamlValue::Map(entries) => {
                let ends_open =
                    |(key, node): &(YamlKey, YamlNode)| is_secret_key(&key.text) && node.is_empty();
                let mut is_open = false;
                for (key, node) in entries {
                    if is_aliased || is_open {
                        self.value_of(key, node);
                    }
                    is_open = self.entry(key, node);
                }
                is_open || entries.last().is_some_and(ends_open)
            }
        }
    }

    /// Adds everything after a key that belongs to its value, with anchors, tags and comments, except plain names and
    /// references.
    fn value_of(&mut self, key: &YamlKey, node: &YamlNode) {
        let end = key.until.max(key.span.end).max(node.span.end);
        let region = key.span.end..end_of_comments(self.text, end);
        let mut scalars = Vec::new();
        collect_scalars(self.text, node, true, &mut scalars);
        // Those of an alias stand elsewhere.
        scalars.retain(|scalar| region.start <= scalar.span.start && scalar.span.end <= region.end);
        scalars.sort_by_key(|scalar| (scalar.span.start, scalar.is_shown));
        let mut at = region.start;
        for scalar in scalars {
            if scalar.span.start < at {
                continue;
            }
            self.between(at..scalar.span.start);
            at = scalar.span.end;
            if !scalar.is_shown {
                self.masks.push(scalar.span);
            }
        }
        self.between(at..region.end);
    }

    /// Adds what stands between scalars, from the first character on that is not punctuation.
    fn between(&mut self, gap: Range<usize>) {
        let text = self.text.get(gap.clone()).unwrap_or_default();
        let is_other = |c: char| !c.is_whitespace() && !"{}[],:?-\"'".contains(c);
        if let Some(first) = text.find(is_other) {
            self.masks.push(gap.start + first..gap.end);
        }
    }
}

/// A key or a value under a secret key.
struct Scalar {
    span: Range<usize>,
    is_shown: bool,
}

fn collect_scalars(text: &str, node: &YamlNode, are_keys_names: bool, scalars: &mut Vec<Scalar>) {
    let span = || node.span.clone();
    match &node.value {
        YamlValue::Null => {}
        YamlValue::Text(value) => {
            let written = text.get(span()).unwrap_or_default();
            let is_shown = is_reference(value) && written.trim_matches(['"', '\'']) == value;
            let span = span();
            scalars.push(Scalar { span, is_shown });
        }
        YamlValue::Bool(_) | YamlValue::Number(_) => scalars.push(Scalar {
            span: span(),
            is_shown: false,
        }),
        YamlValue::List(items) => {
            for item in items {
                collect_scalars(text, item, false, scalars);
            }
        }
        YamlValue::Map(entries) => {
            for (key, node) in entries {
                scalars.push(Scalar {
                    span: key.span.clone(),
                    is_shown: are_keys_names && is_name(text, &key.span, &key.text),
                });
                collect_scalars(text, node, false, scalars);
            }
        }
    }
}

/// The end of the comments that follow a place.
fn end_of_comments(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let comment = rest.trim_start();
        if !comment.starts_with('#') {
            return at.min(text.len());
        }
        let line = comment.find(['\n', '\r']).unwrap_or(comment.len());
        at += rest.len() - comment.len() + line;
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
