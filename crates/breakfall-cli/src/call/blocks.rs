//! The content of a result → text for a terminal.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The text of a result: its blocks, its structured content if no block has text, or all of a malformed result.
pub(super) fn text(result: &Value, raw: &str) -> String {
    let blocks = match (&result["content"], &result["structuredContent"]) {
        (Value::Array(blocks), _) => blocks.as_slice(),
        (_, Value::Null) => return format!("{}\n", indented(raw)),
        _ => &[],
    };
    let mut parts: Vec<String> = blocks.iter().map(block).collect();
    if !blocks.iter().any(is_text)
        && let Some(structured) = structured(raw)
    {
        parts.push(indented(structured.get()));
    }
    let mut text = parts.join("\n");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The text blocks alone.
pub(super) fn words(result: &Value) -> String {
    let blocks = result["content"].as_array();
    let texts = blocks
        .into_iter()
        .flatten()
        .filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn is_text(block: &Value) -> bool {
    block["type"] == "text" && block["text"].as_str().is_some_and(|text| !text.is_empty())
}

fn block(block: &Value) -> String {
    let kind = block["type"].as_str().unwrap_or("block without a type");
    match kind {
        "text" => block["text"].as_str().unwrap_or_default().to_owned(),
        "image" | "audio" => data(block, kind, "data"),
        "resource" => resource(&block["resource"]),
        "resource_link" => {
            let name = block["title"].as_str().or_else(|| block["name"].as_str());
            let uri = block["uri"].as_str().unwrap_or_default();
            match name {
                Some(name) => format!("[{name}: {uri}]"),
                None => format!("[{uri}]"),
            }
        }
        other => format!("[{other}] {block}"),
    }
}

fn resource(resource: &Value) -> String {
    let uri = resource["uri"].as_str().unwrap_or("resource");
    match resource["text"].as_str() {
        Some(text) => format!("[{uri}]\n{text}"),
        None => format!("[{uri}] {}", data(resource, "blob", "blob")),
    }
}

/// `[image/png, 12 kB]`.
fn data(block: &Value, otherwise: &str, key: &str) -> String {
    let kind = block["mimeType"].as_str().unwrap_or(otherwise);
    let base64 = block[key].as_str().unwrap_or_default();
    let padding = base64
        .bytes()
        .rev()
        .take_while(|byte| *byte == b'=')
        .count();
    let bytes = (base64.len() / 4 * 3).saturating_sub(padding.min(2));
    format!("[{kind}, {}]", size(bytes))
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..999_500 => format!("{} kB", (bytes + 500) / 1_000),
        _ => format!("{} MB", (bytes + 500_000) / 1_000_000),
    }
}

fn structured(raw: &str) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Found<'a> {
        #[serde(borrow, default, rename = "structuredContent")]
        structured: Option<&'a RawValue>,
    }
    let found: Found<'_> = serde_json::from_str(raw).ok()?;
    found.structured
}

/// JSON over several lines, its keys and numbers as they stand.
fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    let mut chars = json.chars().filter(|c| !c.is_control()).peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        match c {
            ' ' => {}
            '{' | '[' => {
                out.push(c);
                while chars.next_if_eq(&' ').is_some() {}
                if !matches!(chars.peek(), Some('}' | ']')) {
                    depth += 1;
                    line(&mut out, depth);
                } else if let Some(end) = chars.next() {
                    out.push(end);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(result: &Value) -> String {
        text(result, &result.to_string())
    }

    #[test]
    fn blocks_other_than_text_are_named() {
        let result = json!({"content": [
            {"type": "text", "text": "a\nb"},
            {"type": "image", "mimeType": "image/png", "data": "QUJD".repeat(4000)},
            {"type": "audio", "data": "QQ=="},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
            {"type": "resource", "resource": {"uri": "file:///b", "mimeType": "x/y", "blob": "QUI="}},
            {"type": "resource_link", "uri": "file:///c", "name": "c"},
            {"type": "hologram", "depth": 3},
            7,
        ], "structuredContent": {"not": "shown"}});
        let want = [
            "a\nb",
            "[image/png, 12 kB]",
            "[audio, 1 B]",
            "[file:///a]\ninside",
            "[file:///b] [x/y, 2 B]",
            "[c: file:///c]",
            r#"[hologram] {"depth":3,"type":"hologram"}"#,
            "[block without a type] 7",
        ];
        assert_eq!(shown(&result), format!("{}\n", want.join("\n")));
    }

    #[test]
    fn without_text_the_json_is_shown_in_its_own_order() {
        let raw = r#"{"content":[],"structuredContent":{"z":[1.50,{}, [ ]],"a":"b:{\"c\"}\\","n":{"x":null}}}"#;
        let result = serde_json::from_str(raw).unwrap();
        let want = r#"{
  "z": [
    1.50,
    {},
    []
  ],
  "a": "b:{\"c\"}\\",
  "n": {
    "x": null
  }
}
"#;
        assert_eq!(text(&result, raw), want);
        assert_eq!(shown(&json!({"content": []})), "");
        assert_eq!(
            shown(&json!({"content": "x"})),
            "{\n  \"content\": \"x\"\n}\n"
        );
    }

    #[test]
    fn sizes_are_round() {
        let sizes = [0, 999, 1_499, 999_499, 999_500, 12_345_678].map(size);
        assert_eq!(sizes, ["0 B", "999 B", "1 kB", "999 kB", "1 MB", "12 MB"]);
    }
}
