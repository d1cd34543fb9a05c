//! What makes a block of content one that clients can read. Many throw the whole result away for one they cannot.

use breakfall_mcp::jsonrpc::cursor::Cursor;
use breakfall_mcp::jsonrpc::splice::text;

/// The members that make a block one, as they are written. Of two by the same name the last counts.
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
    /// Reads whatever stands in the place of a block. What is no object has no members.
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

    /// What stands in the place of a block.
    pub(crate) fn of(raw: &'a str) -> Self {
        Self::read(&mut Cursor::new(raw)).unwrap_or_default()
    }

    /// Whether clients can read it. A type nobody knows may be one of a later protocol.
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
