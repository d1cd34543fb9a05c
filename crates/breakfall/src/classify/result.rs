//! Tool results that say they failed, in a foreign format, read from their blocks and their structured content.

use std::borrow::Cow;

use serde_json::Value;

use super::classifier::{Classifier, unclassified};
use super::page;
use crate::fault::{Confidence, Fault};
use crate::wire::Options;

impl Classifier {
    /// Makes a fault of a `CallToolResult` with `isError`. Its words are kept as the message, and its structured content
    /// as a detail.
    ///
    /// [`read_by`](crate::read::read_by) first looks for a document of one of our formats, which says more.
    ///
    /// ```
    /// use breakfall::classify::Classifier;
    /// use serde_json::json;
    ///
    /// let text = "Error executing tool read: ENOENT: no such file or directory, open 'a.txt'";
    /// let fault = Classifier::new().result(&json!({"isError": true, "content": [{"type": "text", "text": text}]}));
    /// assert_eq!(fault.code().name(), "NOT_FOUND_RESOURCE");
    /// assert_eq!(fault.public().message(), "ENOENT: no such file or directory, open 'a.txt'");
    /// ```
    pub fn result(&self, result: &Value) -> Fault {
        self.result_with(result, None, &Options::new())
    }

    /// [`Self::result`], where the JSON in a text block may have been parsed already.
    pub(crate) fn result_with(
        &self,
        result: &Value,
        parsed: Option<Value>,
        options: &Options,
    ) -> Fault {
        let parsed = parsed.filter(|_| blocks(result).len() == 1);
        let words = words(result);
        let words = words.strip_prefix("**Error:** ").unwrap_or(&words).trim();
        let structured = result
            .get("structuredContent")
            .filter(|value| !value.is_null());
        let fault = if words.is_empty() {
            structured.map_or_else(|| unclassified(""), |value| self.body(value, options))
        } else {
            self.words(words, parsed, options)
        };
        let fault = match structured.filter(|_| is_unsure(&fault) && !words.is_empty()) {
            // The structured content may know what the words do not say.
            Some(value) => match self.body(value, options) {
                better if !is_unsure(&better) => better.message(page::without(words).into_owned()),
                _ => fault,
            },
            None => fault,
        };
        match structured {
            Some(value) => fault.detail("structured_content", value.clone()),
            None => fault,
        }
    }

    /// A body known to be about a failure, whatever it says.
    fn body(&self, value: &Value, options: &Options) -> Fault {
        self.json(value, options).unwrap_or_else(|| {
            let words = words_of(value).unwrap_or_default();
            unclassified(&page::without(words))
        })
    }
}

fn is_unsure(fault: &Fault) -> bool {
    let sure = fault.public().provenance().map(|by| by.confidence);
    sure == Some(Confidence::Default)
}

/// Members that say what happened.
const WORDS: &[&str] = &[
    "error",
    "message",
    "detail",
    "title",
    "errorMessage",
    "error_message",
    "description",
];

/// The message of an object of unknown shape.
pub(crate) fn words_of(value: &Value) -> Option<&str> {
    WORDS.iter().find_map(|key| {
        let text = value.get(key)?;
        text.as_str().or_else(|| text.get("message")?.as_str())
    })
}

/// All text of a result, block by block.
fn words(result: &Value) -> Cow<'_, str> {
    let mut texts = texts(result);
    match (texts.next(), texts.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(only), None) => Cow::Borrowed(only),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(texts);
            Cow::Owned(all.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// The text blocks of a result. Some servers send words, or one block, where the list should be.
pub(crate) fn texts(result: &Value) -> impl Iterator<Item = &str> {
    let content = result.get("content");
    let alone = content.and_then(|content| content.as_str().or_else(|| text_of(content)));
    blocks(result).iter().filter_map(text_of).chain(alone)
}

fn text_of(block: &Value) -> Option<&str> {
    block.get("text")?.as_str()
}

/// The blocks of a result.
pub(crate) fn blocks(result: &Value) -> &[Value] {
    let blocks = result.get("content").and_then(Value::as_array);
    blocks.map(Vec::as_slice).unwrap_or_default()
}
