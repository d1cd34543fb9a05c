//! A scan of any bytes: how deep they nest, the top-level id, and whether they were meant as a message.
//!
//! It validates nothing. It works on pieces, so that a line that is too long to keep still gives its id, in constant memory.

use std::borrow::Cow;

use memchr::memchr2;

use super::Id;

/// What has been found so far.
#[derive(Debug, Default)]
pub struct FrameScan {
    depth: usize,
    deepest: usize,
    state: ScanState,
    /// The first byte that is not blank.
    opening: Option<u8>,
    /// The current string or scalar at the top level, with its quotes; cut at the longest id.
    token: Vec<u8>,
    overlong: bool,
    /// The top-level key whose value comes next is `id`.
    is_id: bool,
    /// The value of `id`, until what follows confirms that it is complete.
    read: Option<Id>,
    id: Option<Id>,
    keys: TopLevelKeys,
    /// There are other top-level keys.
    has_others: bool,
}

/// Which members of a message are at the top level.
#[derive(Debug, Default)]
struct TopLevelKeys {
    /// `jsonrpc`.
    version: bool,
    /// `method`.
    method: bool,
    /// `result` or `error`.
    outcome: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ScanState {
    /// Before a value or a key.
    #[default]
    Between,
    /// Inside a string.
    Text,
    /// After a backslash inside a string.
    Escape,
    /// Inside a number, `true`, `false` or `null`.
    Scalar,
}

impl FrameScan {
    /// Scans the next piece.
    pub fn feed(&mut self, mut piece: &[u8]) {
        while let Some(&byte) = piece.first() {
            let taken = match self.state {
                ScanState::Text => self.text(piece),
                ScanState::Escape => {
                    self.keep(&piece[..1]);
                    self.state = ScanState::Text;
                    1
                }
                ScanState::Scalar if is_scalar(byte) => {
                    self.keep(&piece[..1]);
                    1
                }
                ScanState::Scalar => {
                    self.end_of_value();
                    0
                }
                ScanState::Between => {
                    self.between(byte);
                    1
                }
            };
            piece = &piece[taken..];
        }
    }

    /// Scans everything at once.
    pub fn of(bytes: &[u8]) -> Self {
        let mut scan = Self::default();
        scan.feed(bytes);
        scan
    }

    /// The deepest nesting of objects and lists.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// The top-level id, if it was complete.
    pub fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }

    /// Whether it is a request or a notification, rather than an answer.
    pub fn has_method(&self) -> bool {
        self.keys.method
    }

    /// Whether it was clearly meant as a message, however broken. Servers print other JSON with ids and methods, too.
    pub fn is_meant(&self) -> bool {
        let TopLevelKeys {
            version,
            method,
            outcome,
        } = self.keys;
        let is_bare_answer = outcome && !method && !self.has_others;
        self.opening == Some(b'{') && (version || is_bare_answer)
    }

    fn between(&mut self, byte: u8) {
        if self.opening.is_none() && !byte.is_ascii_whitespace() {
            self.opening = Some(byte);
        }
        if let Some(id) = self.read.take_if(|_| !byte.is_ascii_whitespace()) {
            self.is_id = false;
            self.id = Some(id).filter(|_| matches!(byte, b',' | b'}'));
        }
        match byte {
            b'{' | b'[' => {
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
                self.is_id &= self.depth <= 1;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b'"' => {
                self.begin(byte);
                self.state = ScanState::Text;
            }
            b':' if self.depth == 1 => {
                let key = serde_json::from_slice::<Cow<'_, str>>(&self.token).ok();
                let key = key.as_deref().unwrap_or_default();
                self.is_id = key == "id";
                self.keys.version |= key == "jsonrpc";
                self.keys.method |= key == "method";
                self.keys.outcome |= matches!(key, "result" | "error");
                self.has_others |= !MEMBERS.contains(&key);
            }
            b',' | b':' => self.is_id = false,
            _ if is_scalar(byte) => {
                self.begin(byte);
                self.state = ScanState::Scalar;
            }
            _ => {}
        }
    }

    fn begin(&mut self, byte: u8) {
        self.token.clear();
        self.overlong = false;
        self.keep(&[byte]);
    }

    /// Takes the rest of a string, or all of the piece.
    fn text(&mut self, piece: &[u8]) -> usize {
        let Some(at) = memchr2(b'"', b'\\', piece) else {
            self.keep(piece);
            return piece.len();
        };
        self.keep(&piece[..=at]);
        if piece[at] == b'\\' {
            self.state = ScanState::Escape;
        } else {
            self.end_of_value();
        }
        at + 1
    }

    /// A string may be a key or a value; only a value of `id` matters.
    fn end_of_value(&mut self) {
        self.state = ScanState::Between;
        if self.is_id && self.depth == 1 && !self.overlong && self.id.is_none() {
            let text = std::str::from_utf8(&self.token).ok();
            self.read = text.and_then(Id::as_given);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.depth != 1 {
            return;
        }
        let room = Id::MAX_GIVEN.saturating_sub(self.token.len());
        self.overlong |= bytes.len() > room;
        self.token
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// The members of a message.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Option<String> {
        FrameScan::of(text.as_bytes()).id().map(ToString::to_string)
    }

    #[test]
    fn the_id_is_found_wherever_it_stands_at_the_top() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, Some("7")),
            (r#"{"id" : "a\"b" , "method":"x"}"#, Some(r#""a\"b""#)),
            (
                r#"{"method":"x","params":{"id":1,"x":[{"id":2}]},"id":3}"#,
                Some("3"),
            ),
            (r#"{"params":{"id":1}}"#, None),
            (r#"{"method":"id","params":"id"}"#, None),
            (r#"{"\u0069d":5}"#, Some("5")),
            (r#"{"id":null}"#, None),
            (r#"{"id":1.5}"#, Some("1.5")),
            (r#"{"id":1.0}"#, Some("1.0")),
            (r#"{"id":[1]}"#, None),
            (r#"{"id":9007199254740993123}"#, Some("9007199254740993123")),
            (r#"[{"id":1}]"#, None),
            (r#"{"id":1,"id":2}"#, Some("1")),
            (r#"{"id":12"#, None),
            (r#"{"id":12,"broken"#, Some("12")),
            // What is not a valid id is not echoed.
            (r#"{"id":01,"method":"x"}"#, None),
            (r#"{"id":"\x","method":"x"}"#, None),
            (r#"{"id":"\u12","method":"x"}"#, None),
            ("{\"id\":\"\u{1}\",\"method\":\"x\"}", None),
            (r#"{"id":"a,"method":"x"}"#, None),
            (r#"{"id":1 2,"method":"x"}"#, None),
        ];
        for (text, want) in cases {
            assert_eq!(id(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn a_request_differs_from_an_answer_by_its_top_level_method() {
        let cases = [
            (r#"{"id":1,"method":"x","params":null}"#, true),
            (r#"{"id":1,"meth\u006fd":"#, true),
            (r#"{"id":1,"result":{"method":"x"},"x":"method"}"#, false),
            (r#"[{"method":1}]"#, false),
        ];
        for (text, want) in cases {
            assert_eq!(FrameScan::of(text.as_bytes()).has_method(), want, "{text}");
        }
    }

    #[test]
    fn other_json_with_an_id_is_not_meant_as_a_message() {
        let cases = [
            (r#"{"id":1,"name":"Ada"}"#, false),
            (r#"{"level":"info","id":1,"msg":"handling"}"#, false),
            (r#"{"level":"info","id":1,"method":"tools/call"}"#, false),
            (r#"{"id":1,"method":"GET","error":null}"#, false),
            (r#"{"level":"error","id":1,"error":"boom"}"#, false),
            (r#"{"id":1,"result":"ok","took":7}"#, false),
            (r#"INFO {"jsonrpc":"2.0","id":1}"#, false),
            (r#""{" {"jsonrpc":"2.0","id":1}"#, false),
            (r#"[{"jsonrpc":"2.0","id":1}]"#, false),
            (r#"{"row":{"jsonrpc":"2.0","result":1},"id":1}"#, false),
            (r#" {"jsonrpc":"2.0","id":1"#, true),
            (r#"{"json\u0072pc":"2.0","method":1"#, true),
            (r#"{"id":1,"result":"#, true),
            (r#"{"id":1,"error":null}"#, true),
        ];
        for (text, want) in cases {
            assert_eq!(FrameScan::of(text.as_bytes()).is_meant(), want, "{text}");
        }
    }

    #[test]
    fn pieces_of_any_size_give_the_same_id_and_depth() {
        let text = r#"{"params":{"a":[[["\\\"]"]]]},"id":"x-\u00e9-1","method":"m"}"#;
        let whole = FrameScan::of(text.as_bytes());
        assert_eq!(
            (whole.deepest(), whole.id().map(Id::as_json)),
            (5, Some(r#""x-\u00e9-1""#))
        );
        for size in 1..text.len() {
            let mut scan = FrameScan::default();
            text.as_bytes()
                .chunks(size)
                .for_each(|piece| scan.feed(piece));
            assert_eq!(
                (scan.deepest(), scan.id()),
                (whole.deepest(), whole.id()),
                "{size}"
            );
        }
    }

    #[test]
    fn an_id_that_is_far_too_long_is_no_id() {
        let long = |length| format!("\"{}\"", "a".repeat(length - 2));
        let of = |length| id(&format!(r#"{{"id":{}}}"#, long(length)));
        assert_eq!(of(Id::MAX_GIVEN), Some(long(Id::MAX_GIVEN)));
        assert_eq!(of(Id::MAX_GIVEN + 1), None);
    }
}
