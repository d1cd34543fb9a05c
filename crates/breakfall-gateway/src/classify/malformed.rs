//! Repairs results that clients cannot parse.

use std::borrow::Cow;

use breakfall::catalog::warning;
use breakfall::{Violation, Warning};
use serde_json::Value;

use super::block::Block;
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::jsonrpc::splice::{Object, each};

/// The answer with a valid list of blocks, and a warning for the caller. The original value is kept in the list.
pub(crate) fn repair(answer: Frame, tool: &str) -> (Frame, Warning) {
    let body = answer.body().unwrap_or_default();
    let mut violations = Vec::new();
    let repair = match Object::of(body, &["content", "isError"]) {
        Some(result) => {
            let blocks = blocks(result.get("content").unwrap_or("null"), &mut violations);
            let has_no_flag = result.get("isError") == Some("null");
            let edit = result.edit().put("content", blocks);
            if has_no_flag {
                violations.push(violation(
                    "/isError",
                    "boolean",
                    "was null, and was left out",
                ));
                edit.drop("isError").write()
            } else {
                edit.write()
            }
        }
        // The result has too many members to parse.
        None => r#"{"content":[]}"#.to_owned(),
    };
    let at = answer.place_of(body);
    let warning = Warning::new(warning::OUTPUT_MISMATCH)
        .context("operation", tool)
        .context("violations", violations);
    (answer.edited(vec![(at, repair)]), warning)
}

/// The result with valid blocks; `None` if its blocks are valid already.
pub(super) fn readable(result: &str) -> Option<String> {
    let result = Object::of(result, &["content"])?;
    let content = result.get("content").filter(|raw| raw.starts_with('['))?;
    let mut violations = Vec::new();
    let blocks = blocks(content, &mut violations);
    (!violations.is_empty()).then(|| result.edit().put("content", blocks).write())
}

/// The content as a list of blocks. Violations are appended to `violations`.
fn blocks(content: &str, violations: &mut Vec<Value>) -> String {
    if content.starts_with('[') {
        return each_readable(content, violations);
    }
    violations.push(violation(
        "/content",
        "list",
        "was no list of blocks, and was made one",
    ));
    match content.as_bytes().first() {
        None | Some(b'n') => "[]".to_owned(),
        Some(_) if Block::of(content).is_valid() => format!("[{content}]"),
        Some(_) => format!("[{}]", in_text(content)),
    }
}

/// A list with each item a valid block.
fn each_readable(list: &str, violations: &mut Vec<Value>) -> String {
    let (mut out, mut count) = (String::with_capacity(list.len()), 0_usize);
    let read = each(list, |item| {
        out.push(if count == 0 { '[' } else { ',' });
        if Block::of(item).is_valid() {
            out.push_str(item);
        } else {
            if violations.len() < MAX_LISTED_BLOCKS {
                let at = format!("/content/{count}");
                violations.push(violation(
                    &at,
                    "object",
                    "was no block, and was made one of text",
                ));
            }
            out.push_str(&in_text(item));
        }
        count += 1;
    });
    if read.is_none() || count == 0 {
        return "[]".to_owned();
    }
    out.push(']');
    out
}

/// The number of invalid blocks that a warning lists.
const MAX_LISTED_BLOCKS: usize = 5;

fn violation(at: &str, expected: &str, message: &str) -> Value {
    let violation = Violation::at(at).keyword("type").message(message);
    violation.expected(expected).to_value()
}

/// A text block for an invalid block: a string as it is, everything else as JSON.
fn in_text(raw: &str) -> String {
    let text: Cow<'_, str> = if raw.starts_with('"') {
        raw.into()
    } else {
        Value::from(raw).to_string().into()
    };
    format!(r#"{{"type":"text","text":{text}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    #[test]
    fn what_was_said_is_said_in_blocks() {
        let cases = [
            ("{}", r#"{"content":[]}"#),
            (r#"{"content":null,"a":1.0}"#, r#"{"content":[],"a":1.0}"#),
            (
                r#"{"content":"two \u00e4","structuredContent":{"n":2}}"#,
                r#"{"content":[{"type":"text","text":"two \u00e4"}],"structuredContent":{"n":2}}"#,
            ),
            (
                r#"{"content":{"type":"text","text":"a"}}"#,
                r#"{"content":[{"type":"text","text":"a"}]}"#,
            ),
            (
                r#"{"content":{"n":1}}"#,
                r#"{"content":[{"type":"text","text":"{\"n\":1}"}]}"#,
            ),
            (
                r#"{"content":["a",null,{"type":"text","text":"b"},{"type":"text","text":5}],"isError":null}"#,
                r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"null"},{"type":"text","text":"b"},{"type":"text","text":"{\"type\":\"text\",\"text\":5}"}]}"#,
            ),
        ];
        for (odd, want) in cases {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{odd}}}"#);
            let frame = Frame::parse(text.into_bytes(), &FrameLimits::RESPONSE).unwrap();
            let (frame, _) = repair(frame, "t");
            assert_eq!(frame.body(), Some(want));
        }
    }
}
