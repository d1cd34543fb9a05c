//! Server-sent events as MCP uses them: bytes in pieces of any size → messages of bounded size.
//!
//! `data` stays bytes until it is parsed as a message, so a piece may end inside a character.

use std::mem;
use std::time::Duration;

use memchr::{memchr, memchr2};

use crate::jsonrpc::{FrameScan, Id};

/// Reads a stream of events, piece by piece.
///
/// ```
/// use breakfall_mcp::http_client::sse::{SseEvent, SseReader};
///
/// let mut events = SseReader::new(1024);
/// let mut piece = &b": hello\nid: 7\ndata: {\"jsonrpc\":\ndata: \"2.0\"}\n\ndata: {"[..];
/// let Some(SseEvent::Message(message)) = events.next_event(&mut piece) else { panic!() };
/// assert_eq!(message, b"{\"jsonrpc\":\n\"2.0\"}");
/// assert!(events.next_event(&mut piece).is_none(), "the second has not ended yet");
/// assert_eq!(events.last_id(), b"7");
/// ```
#[derive(Debug)]
pub struct SseReader {
    max_message_bytes: usize,
    part: LinePart,
    /// The name of the current field.
    name: Vec<u8>,
    field: SseField,
    /// The value of the current field, unless it is `data`.
    value: Vec<u8>,
    /// The last byte was a carriage return: a line feed belongs to it.
    is_after_return: bool,
    /// Only the first line may begin with a byte order mark.
    is_first_line: bool,
    /// The `data` of the current event.
    data: Option<Vec<u8>>,
    oversized: Option<OversizedMessage>,
    /// The current event has a name other than `message`.
    is_other: bool,
    /// An id that counts once its event has ended.
    next_id: Option<Vec<u8>>,
    last_id: Vec<u8>,
    retry: Option<Duration>,
}

/// An event with a message.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a message is kept or not")]
pub enum SseEvent {
    /// A message.
    Message(Vec<u8>),
    /// A message that was too big to keep.
    Oversized(OversizedMessage),
}

/// What is known of a message that was too big to keep.
#[derive(Debug, Default)]
pub struct OversizedMessage {
    scan: FrameScan,
    length: usize,
}

/// The part of a line that is read next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinePart {
    /// The name of a field.
    Name,
    /// One optional blank after the colon.
    Blank,
    Value,
}

/// The fields of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SseField {
    Data,
    Id,
    EventName,
    Retry,
    /// A comment, or an unknown field.
    Other,
}

impl SseReader {
    /// A reader that keeps no message above a size.
    pub fn new(max_message_bytes: usize) -> Self {
        Self {
            max_message_bytes,
            part: LinePart::Name,
            name: Vec::new(),
            field: SseField::Other,
            value: Vec::new(),
            is_after_return: false,
            is_first_line: true,
            data: None,
            oversized: None,
            is_other: false,
            next_id: None,
            last_id: Vec::new(),
            retry: None,
        }
    }

    /// The next message of a piece, which is shortened to the rest; nothing once it is used up.
    pub fn next_event(&mut self, piece: &mut &[u8]) -> Option<SseEvent> {
        while let Some(&first) = piece.first() {
            if mem::take(&mut self.is_after_return) && first == b'\n' {
                *piece = &piece[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', piece) else {
                self.read_part(piece);
                *piece = &[];
                return None;
            };
            self.read_part(&piece[..end]);
            self.is_after_return = piece[end] == b'\r';
            *piece = &piece[end + 1..];
            if let Some(event) = self.end_of_line() {
                return Some(event);
            }
        }
        None
    }

    /// Ends the stream. A message that lacks only the empty line behind it counts, if it is whole.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        if self.part != LinePart::Name || !self.name().is_empty() {
            self.end_of_line();
        }
        // The server must send the event again.
        self.next_id = None;
        let Some(SseEvent::Message(data)) = self.dispatch() else {
            return None;
        };
        let whole = serde_json::from_slice::<serde::de::IgnoredAny>(&data);
        whole.is_ok().then_some(data)
    }

    /// The id of the last event, to continue the stream after it; empty without one.
    pub fn last_id(&self) -> &[u8] {
        &self.last_id
    }

    /// How long the server asks to wait before the stream is continued.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// The current message, if it is too big already.
    pub fn oversized(&self) -> Option<&OversizedMessage> {
        self.oversized.as_ref()
    }

    /// Reads a part of a line, without its end.
    fn read_part(&mut self, mut part: &[u8]) {
        loop {
            match self.part {
                LinePart::Name => {
                    let colon = memchr(b':', part);
                    keep(
                        &mut self.name,
                        &part[..colon.unwrap_or(part.len())],
                        MAX_NAME_BYTES,
                    );
                    let Some(colon) = colon else { return };
                    part = &part[colon + 1..];
                    self.begin_value();
                }
                LinePart::Blank => {
                    let Some(&first) = part.first() else { return };
                    part = &part[usize::from(first == b' ')..];
                    self.part = LinePart::Value;
                }
                LinePart::Value => return self.value(part),
            }
        }
    }

    /// The name of a field is complete.
    fn begin_value(&mut self) {
        self.part = LinePart::Blank;
        self.field = match self.name() {
            b"data" => SseField::Data,
            b"id" => SseField::Id,
            b"event" => SseField::EventName,
            b"retry" => SseField::Retry,
            _ => SseField::Other,
        };
        self.value.clear();
        if self.field == SseField::Data {
            let has_data = self.data.is_some() || self.oversized.is_some();
            self.keep_data(if has_data { b"\n" } else { b"" });
        }
    }

    fn name(&self) -> &[u8] {
        let mark = self.is_first_line.then_some(BYTE_ORDER_MARK);
        let bare = mark.and_then(|mark| self.name.strip_prefix(mark));
        bare.unwrap_or(&self.name)
    }

    fn value(&mut self, part: &[u8]) {
        match self.field {
            SseField::Data => self.keep_data(part),
            SseField::Id | SseField::EventName | SseField::Retry => {
                keep(&mut self.value, part, MAX_VALUE_BYTES);
            }
            SseField::Other => {}
        }
    }

    fn keep_data(&mut self, part: &[u8]) {
        let length = self.data.as_ref().map_or(0, Vec::len) + part.len();
        if self.oversized.is_none() && length <= self.max_message_bytes {
            self.data.get_or_insert_default().extend_from_slice(part);
            return;
        }
        let data = self.data.take().unwrap_or_default();
        let oversized = self.oversized.get_or_insert_default();
        for part in [&data, part] {
            oversized.scan.feed(part);
            oversized.length += part.len();
        }
    }

    fn end_of_line(&mut self) -> Option<SseEvent> {
        let is_empty = self.part == LinePart::Name && self.name().is_empty();
        if self.part == LinePart::Name && !is_empty {
            self.begin_value();
        }
        self.is_first_line = false;
        self.part = LinePart::Name;
        self.name.clear();
        if is_empty {
            return self.dispatch();
        }
        match mem::replace(&mut self.field, SseField::Other) {
            // The value was cut.
            _ if self.value.len() > MAX_VALUE_BYTES => {}
            SseField::Id if !self.value.contains(&0) => self.next_id = Some(self.value.clone()),
            SseField::EventName => self.is_other = !matches!(&*self.value, b"" | b"message"),
            SseField::Retry => self.retry = duration(&self.value).or(self.retry),
            SseField::Id | SseField::Data | SseField::Other => {}
        }
        None
    }

    /// Ends an event. An event of another name is dropped, and one without data only sets the id.
    fn dispatch(&mut self) -> Option<SseEvent> {
        if let Some(id) = self.next_id.take() {
            self.last_id = id;
        }
        let data = self.data.take().unwrap_or_default();
        let oversized = self.oversized.take();
        if mem::take(&mut self.is_other) {
            return None;
        }
        match oversized {
            Some(oversized) => Some(SseEvent::Oversized(oversized)),
            None => (!data.is_empty()).then_some(SseEvent::Message(data)),
        }
    }
}

impl OversizedMessage {
    /// The id of the message, if the scan has found it.
    pub fn id(&self) -> Option<&Id> {
        self.scan.id()
    }

    /// Its length so far.
    pub fn length(&self) -> usize {
        self.length
    }

    /// What the scan has found.
    pub fn scan(&self) -> &FrameScan {
        &self.scan
    }
}

/// Keeps one byte more than the maximum, so that an excess shows.
fn keep(kept: &mut Vec<u8>, part: &[u8], most: usize) {
    let room = (most + 1).saturating_sub(kept.len());
    kept.extend_from_slice(&part[..part.len().min(room)]);
}

fn duration(digits: &[u8]) -> Option<Duration> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    number.parse().ok().map(Duration::from_millis)
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Longer than any known name with a byte order mark.
const MAX_NAME_BYTES: usize = 16;
/// The longest id of an event that is kept.
const MAX_VALUE_BYTES: usize = 4096;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 40;

    /// The events of a stream that arrives cut at these places, the last id and the retry time.
    fn read(stream: &[u8], cuts: &[usize]) -> (Vec<String>, Vec<u8>, Option<Duration>) {
        let mut events = SseReader::new(LIMIT);
        let mut said = Vec::new();
        let mut rest = stream;
        let mut pieces: Vec<&[u8]> = Vec::new();
        for cut in cuts {
            let (piece, behind) = rest.split_at(cut % (rest.len() + 1));
            pieces.push(piece);
            rest = behind;
        }
        pieces.push(rest);
        for mut piece in pieces {
            while let Some(event) = events.next_event(&mut piece) {
                said.push(match event {
                    SseEvent::Message(data) => data.escape_ascii().to_string(),
                    SseEvent::Oversized(long) => {
                        format!("{} bytes of {:?}", long.length(), long.id())
                    }
                });
            }
            assert!(piece.is_empty());
        }
        let last = events.finish();
        said.extend(last.map(|data| format!("at last {}", data.escape_ascii())));
        (said, events.last_id().to_vec(), events.retry())
    }

    #[test]
    fn events_are_read_as_the_standard_says() {
        let long = format!(
            "data: {{\"id\":7,\"result\":\"{}\"}}\n\n",
            "x".repeat(LIMIT)
        );
        let cases: &[(&[u8], &[&str], &[u8])] = &[
            (b"data: {}\n\n", &["{}"], b""),
            (
                b"data:{}\r\rdata:  {}\r\n\r\ndata: {}\n\r",
                &["{}", " {}", "{}"],
                b"",
            ),
            (
                b"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n",
                &["1"],
                b"",
            ),
            (b"data: a\ndata: b\ndata\ndata:\n\n", &[r"a\nb\n\n"], b""),
            (b": a comment\n:\n\n\n\ndata: 1\n:\n\n", &["1"], b""),
            (
                b"event: message\ndata: 1\n\nevent: endpoint\ndata: /x\n\ndata: 2\n\n",
                &["1", "2"],
                b"",
            ),
            (b"id: 7\ndata: 1\n\ndata: 2\n\n", &["1", "2"], b"7"),
            (b"id: 7\ndata:\n\n", &[], b"7"),
            (b"id: 7\n\nid\n\n", &[], b""),
            (b"id: 7\n\nid: a\0b\n\nid: 8\n", &[], b"7"),
            (b"datas: 1\nDATA: 2\n data: 3\n\n", &[], b""),
            (b"data: {}\n", &["at last {}"], b""),
            (b"data: {}", &["at last {}"], b""),
            (b"data: {\n", &[], b""),
            (b"data: {}\ndat", &["at last {}"], b""),
            (long.as_bytes(), &["60 bytes of Some(7)"], b""),
            (b"data: \xc3\xa9\n\n", &[r"\xc3\xa9"], b""),
        ];
        for (stream, said, id) in cases {
            let (messages, last, _) = read(stream, &[]);
            assert_eq!(messages, *said, "{}", stream.escape_ascii());
            assert_eq!(last, *id, "{}", stream.escape_ascii());
        }
        assert_eq!(
            read(b"retry: 250\nretry: 1x\nretry:\n", &[]).2,
            Some(Duration::from_millis(250))
        );
    }

    #[test]
    fn an_id_or_a_name_without_end_takes_no_memory() {
        let mut events = SseReader::new(LIMIT);
        for field in [&b"id: "[..], b"event: ", b"", b"data: "] {
            events.next_event(&mut &field[..]);
            for _ in 0..100 {
                events.next_event(&mut &[b'a'; 1 << 10][..]);
            }
            let data = events.data.clone().unwrap_or_default();
            let kept = [&events.name, &events.value, &data].map(Vec::capacity);
            assert!(kept.iter().all(|kept| *kept < 64 << 10), "{kept:?}");
            events.next_event(&mut &b"\n\n"[..]);
            assert_eq!(events.last_id(), b"");
        }
    }

    proptest! {
        #[test]
        fn any_cutting_gives_the_same_events(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "data", "data: ", "id: ", "event: ", "message", "retry: ", ":", " ", "\n", "\r", "\r\n", "7",
                    "é", "\u{feff}", "{\"id\":7}", "xxxxxxxxxxxxxxxxxxxx", "\0",
                ]),
                0..40,
            ),
            cuts in prop::collection::vec(0_usize..200, 0..20),
        ) {
            let stream = parts.concat();
            prop_assert_eq!(read(stream.as_bytes(), &cuts), read(stream.as_bytes(), &[]));
        }
    }
}
