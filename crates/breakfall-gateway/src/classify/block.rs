//! Content blocks. Many clients reject a whole result for one block they cannot parse.

use breakfall_mcp::jsonrpc::cursor::Cursor;
use breakfall_mcp::jsonrpc::splice::text;

/// The members of a content block, as they are written. If a member is repeated, the last one counts.
#[derive(Debug, Default)]
pub(crate) struct Block<'a> {
    kind: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
    data: Option<&'a str>,
    blob: Option<&'a str>,
    mime: Option<&'a str>,
    uri: Option<&'a str>,
    name: Option<&'a str>,
    resource: Option<&'a str>,
}

impl<'a> Block<'a> {
    /// Reads the value at the place of a block. A value that is not an object has no members.
    pub(crate) fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let mut block = Self::default();
        if cursor.peek()? != b'{' {
            cursor.skip()?;
            return Some(block);
        }
        cursor.object(|cursor, key| {
            let raw = Some(cursor.skip()?);
            match key {
                "type" => block.kind = raw,
                "text" => block.text = raw,
                "data" => block.data = raw,
                "blob" => block.blob = raw,
                "mimeType" => block.mime = raw,
                "uri" => block.uri = raw,
                "name" => block.name = raw,
                "resource" => block.resource = raw,
                _ => {}
            }
            Some(())
        })?;
        Some(block)
    }

    /// Parses a value of a content list.
    pub(crate) fn of(raw: &'a str) -> Self {
        Self::read(&mut Cursor::new(raw)).unwrap_or_default()
    }

    /// Whether clients can parse the block. An unknown type is valid: a later protocol version may define it.
    pub(crate) fn is_valid(&self) -> bool {
        let is_text = |raw: Option<&str>| raw.is_some_and(|raw| raw.starts_with('"'));
        let Some(kind) = self.kind.and_then(text) else {
            return false;
        };
        match &*kind {
            "text" => is_text(self.text),
            "image" | "audio" => is_text(self.data) && is_text(self.mime),
            "resource" => {
                let inner = self.resource.map(Block::of).unwrap_or_default();
                is_text(inner.uri) && (is_text(inner.text) || is_text(inner.blob))
            }
            "resource_link" => is_text(self.uri) && is_text(self.name),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_what_its_type_asks_for() {
        let cases = [
            (r#""boom""#, false),
            ("null", false),
            ("[1]", false),
            ("{}", false),
            (r#"{"text":"boom"}"#, false),
            (r#"{"type":7,"text":"boom"}"#, false),
            (r#"{"type":"text"}"#, false),
            (r#"{"type":"text","text":null}"#, false),
            (r#"{"type":"text","text":"a","text":5}"#, false),
            (r#"{"type":"text","text":5,"text":"a"}"#, true),
            (r#"{"text":"","type":"text"}"#, true),
            (r#"{"type":"image"}"#, false),
            (r#"{"type":"image","data":"aGk="}"#, false),
            (
                r#"{"type":"audio","data":"aGk=","mimeType":"audio/wav"}"#,
                true,
            ),
            (r#"{"type":"resource","resource":"a:b"}"#, false),
            (r#"{"type":"resource","resource":{"uri":"a:b"}}"#, false),
            (
                r#"{"type":"resource","resource":{"uri":"a:b","text":"a"}}"#,
                true,
            ),
            (
                r#"{"type":"resource","resource":{"uri":"a:b","blob":"aGk="}}"#,
                true,
            ),
            (r#"{"type":"resource_link","uri":"a:b"}"#, false),
            (r#"{"type":"resource_link","uri":"a:b","name":"b"}"#, true),
            (r#"{"type":"hologram"}"#, true),
        ];
        for (raw, want) in cases {
            assert_eq!(Block::of(raw).is_valid(), want, "{raw}");
        }
    }
}
