//! Results that no client can read, made such as every client can.

use std::borrow::Cow;

use breakfall::catalog::warning;
use breakfall::{Violation, Warning};
use serde_json::Value;

use crate::envelope::Frame;
use crate::envelope::splice::Object;

/// The same answer with a list of blocks, and what its caller is told about that. What stood in its place is in
/// the list.
pub(crate) fn in_order(answer: Frame, tool: &str) -> (Frame, Warning) {
    let body = answer.body().unwrap_or_default();
    let in_order = match Object::of(body, &["content"]) {
        Some(result) => {
            let blocks = blocks(result.get("content").unwrap_or("null"));
            result.edit().put("content", blocks).write()
        }
        // It has more of them than anybody can mean.
        None => r#"{"content":[]}"#.to_owned(),
    };
    let at = answer.place_of(body);
    let violation = Violation::at("/content").keyword("type");
    let violation = violation.message("was no list of blocks, and was made one");
    let violation = violation.expected("list").to_value();
    let warning = Warning::new(warning::OUTPUT_MISMATCH)
        .context("operation", tool)
        .context("violations", vec![violation]);
    (answer.edited(vec![(at, in_order)]), warning)
}

/// What is there, as blocks.
fn blocks(content: &str) -> String {
    let text: Cow<'_, str> = match content.as_bytes().first() {
        None | Some(b'n') => return "[]".to_owned(),
        Some(b'"') => content.into(),
        Some(b'{') if is_block(content) => return format!("[{content}]"),
        Some(_) => Value::from(content).to_string().into(),
    };
    format!(r#"[{{"type":"text","text":{text}}}]"#)
}

fn is_block(content: &str) -> bool {
    Object::of(content, &["type"]).is_some_and(|block| block.text("type").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::Limits;

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
        ];
        for (odd, want) in cases {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{odd}}}"#);
            let frame = Frame::parse(text.into_bytes(), &Limits::RESPONSE).unwrap();
            let (frame, _) = in_order(frame, "t");
            assert_eq!(frame.body(), Some(want));
        }
    }
}
