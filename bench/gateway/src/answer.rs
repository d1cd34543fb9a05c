//! What the server that is measured answers. It has to be much faster than any real one, or the cost of whatever is in
//! front of it would drown in its own: it looks for a method, an id and a size and answers from memory.

use hyper::body::Bytes;
use memchr::memmem;

/// Answers one message; nothing if it wants no answer.
#[derive(Clone)]
pub(crate) struct Answers {
    small: Bytes,
    big: Bytes,
    failure: Bytes,
}

impl Answers {
    pub(crate) fn new() -> Self {
        Self {
            small: content(SMALL),
            big: content(BIG),
            failure: failure(SMALL),
        }
    }

    pub(crate) fn to(&self, request: &[u8]) -> Option<Vec<u8>> {
        let id = value_after(request, b"\"id\":")?;
        let method = value_after(request, b"\"method\":")?;
        let result: &[u8] = match method {
            b"\"tools/call\"" => self.result(request),
            b"\"tools/list\"" => TOOLS,
            b"\"initialize\"" => HELLO,
            _ => b"{}",
        };
        let mut answer = Vec::with_capacity(result.len() + 64);
        answer.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        answer.extend_from_slice(id);
        answer.extend_from_slice(br#","result":"#);
        answer.extend_from_slice(result);
        answer.push(b'}');
        Some(answer)
    }

    fn result(&self, call: &[u8]) -> &[u8] {
        if value_after(call, b"\"name\":") == Some(b"\"fail\"") {
            return &self.failure;
        }
        match value_after(call, b"\"size\":") {
            Some(b"100000") => &self.big,
            _ => &self.small,
        }
    }
}

/// A number or a text behind a key, as it stands there. Texts with quotes in them are not asked for.
fn value_after<'a>(text: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let at = memmem::find(text, key)? + key.len();
    let value = text[at..].trim_ascii_start();
    let end = value.iter().position(|byte| matches!(byte, b',' | b'}'))?;
    Some(value[..end].trim_ascii_end())
}

/// The result of a call, with words in it as tools give them: a line end now and then, and a quote.
fn content(size: usize) -> Bytes {
    let text: String = WORDS.chars().cycle().take(size).collect();
    let text = text.trim_end_matches('\\');
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#).into()
}

/// The result of a call that fails, as servers give it: a sentence, and where in the program it came from. What is wrong is
/// nobody's fault but the caller's, so that nobody comes to leave the tool alone.
fn failure(size: usize) -> Bytes {
    let text: String = TRACE.chars().cycle().take(size).collect();
    let text = text.trim_end_matches('\\');
    format!(r#"{{"content":[{{"type":"text","text":"Order 10249 was not found\n{text}"}}],"isError":true}}"#).into()
}

/// The sizes of results that are asked for.
pub(crate) const SMALL: usize = 1_000;
pub(crate) const BIG: usize = 100_000;

const HELLO: &[u8] = br#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1.0.0"}}"#;
const TOOLS: &[u8] = br#"{"tools":[{"name":"echo","description":"Gives a text of some size","inputSchema":{"type":"object","properties":{"size":{"type":"integer"}}}},{"name":"fail","description":"Finds nothing","inputSchema":{"type":"object","properties":{"size":{"type":"integer"}}}}]}"#;
const WORDS: &str = r#"Order 10249 was placed on 2026-03-02 and holds \"three\" articles; it is paid and waits to be sent.\n"#;
const TRACE: &str = r"    at find (/srv/shop/src/orders.js:42:17)\n    at async call (/srv/shop/src/server.js:108:9)\n";
