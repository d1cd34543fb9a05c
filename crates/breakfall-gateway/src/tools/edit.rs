//! Edits values anywhere in a JSON text and leaves every other byte unchanged.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserializer as _;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::lossy_json;

/// The edit of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ValueEdit {
    /// Remove the member.
    Remove,
    /// Replace the value by this text.
    Replace(String),
    /// Wrap the value in an array.
    Wrap,
}

/// Edits by JSON pointer.
#[derive(Debug, Default)]
pub(super) struct JsonEdits(EditTree);

#[derive(Debug, Default)]
struct EditTree(BTreeMap<String, EditNode>);

#[derive(Debug, Default)]
struct EditNode {
    change: Option<ValueEdit>,
    below: EditTree,
}

impl JsonEdits {
    /// Adds an edit. The root cannot be edited.
    pub(super) fn add(&mut self, pointer: &str, change: ValueEdit) {
        let mut segments = pointer.split('/').skip(1).map(unescaped);
        let Some(first) = segments.next() else {
            return;
        };
        let first = self.0.0.entry(first).or_default();
        let node = segments.fold(first, |node, segment| {
            node.below.0.entry(segment).or_default()
        });
        node.change = Some(change);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }

    /// Applies the edits to a text. An edit whose pointer matches nothing is skipped; `None` if the text is not valid
    /// JSON.
    pub(super) fn make(&self, text: &str) -> Option<String> {
        let mut edits = Vec::new();
        let look = EditVisitor {
            text,
            below: &self.0,
            edits: &mut edits,
        };
        look.at(text).ok()?;
        let added: usize = edits.iter().map(|(_, new)| new.len()).sum();
        let mut written = String::with_capacity(text.len() + added);
        let mut from = 0;
        for (place, new) in edits {
            written.push_str(&text[from..place.start]);
            written.push_str(&new);
            from = place.end;
        }
        written.push_str(&text[from..]);
        Some(written)
    }
}

/// The name that a segment of a pointer stands for.
fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Visits the values on the path of an edit, and no others.
struct EditVisitor<'l, 'a> {
    text: &'a str,
    below: &'l EditTree,
    edits: &'l mut Vec<(Range<usize>, String)>,
}

impl<'a> EditVisitor<'_, 'a> {
    fn at(self, value: &'a str) -> serde_json::Result<()> {
        serde_json::Deserializer::from_str(value).deserialize_any(self)
    }

    fn start_of(&self, part: &str) -> usize {
        part.as_ptr().addr() - self.text.as_ptr().addr()
    }

    /// Edits a value, or values inside it.
    fn change(&mut self, node: &EditNode, value: &'a str) -> serde_json::Result<()> {
        let start = self.start_of(value);
        let end = start + value.len();
        match &node.change {
            Some(ValueEdit::Replace(new)) => self.edits.push((start..end, new.clone())),
            Some(ValueEdit::Wrap) => {
                self.edits.push((start..start, "[".to_owned()));
                self.edits.push((end..end, "]".to_owned()));
            }
            Some(ValueEdit::Remove) | None => {
                let inside = EditVisitor {
                    text: self.text,
                    below: &node.below,
                    edits: self.edits,
                };
                return inside.at(value);
            }
        }
        Ok(())
    }
}

impl<'a> Visitor<'a> for EditVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut members: A) -> Result<(), A::Error> {
        let below = self.below;
        // The end of the last member that is kept so far.
        let mut kept: Option<usize> = None;
        // The start of the removed members before the first kept one.
        let mut gone: Option<usize> = None;
        let mut end = 0;
        while let Some((key, value)) = members.next_entry::<&'a RawValue, &'a RawValue>()? {
            let (key, value) = (key.get(), value.get());
            let start = self.start_of(key);
            let before = end;
            end = self.start_of(value) + value.len();
            let name = lossy_json::text(key).unwrap_or_default();
            let node = below.0.get(&*name);
            if node.is_some_and(|node| node.change == Some(ValueEdit::Remove)) {
                // A comma is removed with it: the one before, or the one after if no kept member comes before.
                if kept.is_some() {
                    self.edits.push((before..end, String::new()));
                } else {
                    gone.get_or_insert(start);
                }
                continue;
            }
            if let Some(gone) = gone.take() {
                self.edits.push((gone..start, String::new()));
            }
            kept = Some(end);
            if let Some(node) = node {
                self.change(node, value).map_err(A::Error::custom)?;
            }
        }
        if let Some(gone) = gone {
            self.edits.push((gone..end, String::new()));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut items: A) -> Result<(), A::Error> {
        let below = self.below.0.iter();
        let mut below: Vec<(usize, &EditNode)> = below
            .filter_map(|(segment, node)| Some((segment.parse().ok()?, node)))
            .collect();
        below.sort_unstable_by_key(|(index, _)| *index);
        let mut below = below.into_iter().peekable();
        let mut index = 0;
        while let Some(item) = items.next_element::<&'a RawValue>()? {
            if let Some((_, node)) = below.next_if(|(place, _)| *place == index) {
                self.change(node, item.get()).map_err(A::Error::custom)?;
            }
            index += 1;
        }
        Ok(())
    }

    // A scalar contains nothing to edit.
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
