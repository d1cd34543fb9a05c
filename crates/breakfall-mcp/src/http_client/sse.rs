//! Server-sent events as MCP uses them: bytes in pieces of any size → messages, none of them too big to keep.
//!
//! Nothing is decoded here: what the lines of `data` say is bytes until it is parsed as a message, so a character may
//! be cut in two by the network.

use std::mem;
use std::time::Duration;

use memchr::{memchr, memchr2};

use crate::jsonrpc::{FrameScan, Id};

/// Reads a stream of events, piece by piece.
///
/// ```
/// use breakfall_mcp::http_client::sse::{Event, Events};
///
/// let mut events = Events::new(1024);
/// let mut piece = &b": hello\nid: 7\ndata: {\"jsonrpc\":\ndata: \"2.0\"}\n\ndata: {"[..];
/// let Some(Event::Message(message)) = events.next(&mut piece) else { panic!() };
/// assert_eq!(message, b"{\"jsonrpc\":\n\"2.0\"}");
/// assert!(events.next(&mut piece).is_none(), "the second has not ended yet");
/// assert_eq!(events.last_id(), b"7");
/// ```
#[derive(Debug)]
pub struct Events {
    /// How many bytes a message may have.
    limit: usize,
    place: Place,
    /// The name of the field that is being read.
    name: Vec<u8>,
    field: Field,
    /// The value of a short field that is being read.
    value: Vec<u8>,
    /// The last byte was the first half of what may be one end of a line.
    is_after_return: bool,
    /// Nothing but the first line may begin with a mark of the byte order.
    is_first_line: bool,
    /// What the lines of data said, if there are any.
    data: Option<Vec<u8>>,
    too_long: Option<TooLong>,
    is_other: bool,
    /// An id that counts once its event has ended.
    next_id: Option<Vec<u8>>,
    last_id: Vec<u8>,
    retry: Option<Duration>,
}

/// What a stream says.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "kept or not")]
pub enum Event {
    /// A message.
    Message(Vec<u8>),
    /// A message that was too big to keep.
    TooLong(TooLong),
}

/// What is known of a message that was too big to keep.
#[derive(Debug, Default)]
pub struct TooLong {
    scan: FrameScan,
    length: usize,
}

/// Where in a line the stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the name of a field.
    Name,
    /// Behind the colon, where one blank does not count.
    Blank,
    /// In the value.
    Value,
}

/// The fields there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Data,
    Id,
    Kind,
    Retry,
    /// A comment, or one that nobody knows.
    Other,
}

impl Events {
    /// A stream whose messages may have so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            place: Place::Name,
            name: Vec::new(),
            field: Field::Other,
            value: Vec::new(),
            is_after_return: false,
            is_first_line: true,
            data: None,
            too_long: None,
            is_other: false,
            next_id: None,
            last_id: Vec::new(),
            retry: None,
        }
    }

    /// The next message, and what is left of the piece behind it; nothing once the piece is used up.
    pub fn next(&mut self, piece: &mut &[u8]) -> Option<Event> {
        while let Some(&first) = piece.first() {
            if mem::take(&mut self.is_after_return) && first == b'\n' {
                *piece = &piece[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', piece) else {
                self.part(piece);
                *piece = &[];
                return None;
            };
            self.part(&piece[..end]);
            self.is_after_return = piece[end] == b'\r';
            *piece = &piece[end + 1..];
            if let Some(event) = self.end_of_line() {
                return Some(event);
            }
        }
        None
    }

    /// The stream has ended: a message that lacks nothing but its end is one, if it is whole.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        if self.place != Place::Name || !self.name().is_empty() {
            self.end_of_line();
        }
        // Its id would say that it need not be sent again.
        self.next_id = None;
        let Some(Event::Message(data)) = self.dispatch() else {
            return None;
        };
        let whole = serde_json::from_slice::<serde::de::IgnoredAny>(&data);
        whole.is_ok().then_some(data)
    }

    /// The id of the last event, empty if it has none: where to go on if the stream breaks off.
    pub fn last_id(&self) -> &[u8] {
        &self.last_id
    }

    /// How long to wait before going on.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// The message that is being read, if it is too big already.
    pub fn too_long(&self) -> Option<&TooLong> {
        self.too_long.as_ref()
    }

    /// A part of a line, without its end.
    fn part(&mut self, mut part: &[u8]) {
        loop {
            match self.place {
                Place::Name => {
                    let colon = memchr(b':', part);
                    keep(&mut self.name, &part[..colon.unwrap_or(part.len())], NAME);
                    let Some(colon) = colon else { return };
                    part = &part[colon + 1..];
                    self.begin_value();
                }
                Place::Blank => {
                    let Some(&first) = part.first() else { return };
                    part = &part[usize::from(first == b' ')..];
                    self.place = Place::Value;
                }
                Place::Value => return self.value(part),
            }
        }
    }

    /// The name of a field is known.
    fn begin_value(&mut self) {
        self.place = Place::Blank;
        self.field = match self.name() {
            b"data" => Field::Data,
            b"id" => Field::Id,
            b"event" => Field::Kind,
            b"retry" => Field::Retry,
            _ => Field::Other,
        };
        self.value.clear();
        if self.field == Field::Data {
            let has_data = self.data.is_some() || self.too_long.is_some();
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
            Field::Data => self.keep_data(part),
            Field::Id | Field::Kind | Field::Retry => keep(&mut self.value, part, VALUE),
            Field::Other => {}
        }
    }

    fn keep_data(&mut self, part: &[u8]) {
        let length = self.data.as_ref().map_or(0, Vec::len) + part.len();
        if self.too_long.is_none() && length <= self.limit {
            self.data.get_or_insert_default().extend_from_slice(part);
            return;
        }
        let data = self.data.take().unwrap_or_default();
        let too_long = self.too_long.get_or_insert_default();
        for part in [&data, part] {
            too_long.scan.feed(part);
            too_long.length += part.len();
        }
    }

    fn end_of_line(&mut self) -> Option<Event> {
        let is_empty = self.place == Place::Name && self.name().is_empty();
        if self.place == Place::Name && !is_empty {
            self.begin_value();
        }
        self.is_first_line = false;
        self.place = Place::Name;
        self.name.clear();
        if is_empty {
            return self.dispatch();
        }
        match mem::replace(&mut self.field, Field::Other) {
            // One that was cut is not the one that was meant.
            _ if self.value.len() > VALUE => {}
            Field::Id if !self.value.contains(&0) => self.next_id = Some(self.value.clone()),
            Field::Kind => self.is_other = !matches!(&*self.value, b"" | b"message"),
            Field::Retry => self.retry = duration(&self.value).or(self.retry),
            Field::Id | Field::Data | Field::Other => {}
        }
        None
    }

    /// An event has ended. One of another kind is none of ours, and one without data is only its id.
    fn dispatch(&mut self) -> Option<Event> {
        if let Some(id) = self.next_id.take() {
            self.last_id = id;
        }
        let data = self.data.take().unwrap_or_default();
        let too_long = self.too_long.take();
        if mem::take(&mut self.is_other) {
            return None;
        }
        match too_long {
            Some(too_long) => Some(Event::TooLong(too_long)),
            None => (!data.is_empty()).then_some(Event::Message(data)),
        }
    }
}

impl TooLong {
    /// The id at its top, if it went by.
    pub fn id(&self) -> Option<&Id> {
        self.scan.id()
    }

    /// How many bytes of it went by.
    pub fn length(&self) -> usize {
        self.length
    }

    /// What was seen of a message that is too long to keep.
    pub fn scan(&self) -> &FrameScan {
        &self.scan
    }
}

/// Keeps one byte more than there may be, so that too many can be told.
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
/// Longer than any name there is, with a mark in front.
const NAME: usize = 16;
/// The longest id of an event that is kept.
const VALUE: usize = 4096;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 40;

    /// Everything a stream says, cut at these places.
    fn read(stream: &[u8], cuts: &[usize]) -> (Vec<String>, Vec<u8>, Option<Duration>) {
        let mut events = Events::new(LIMIT);
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
            while let Some(event) = events.next(&mut piece) {
                said.push(match event {
                    Event::Message(data) => data.escape_ascii().to_string(),
                    Event::TooLong(long) => format!("{} bytes of {:?}", long.length(), long.id()),
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
            let (heard, last, _) = read(stream, &[]);
            assert_eq!(heard, *said, "{}", stream.escape_ascii());
            assert_eq!(last, *id, "{}", stream.escape_ascii());
        }
        assert_eq!(
            read(b"retry: 250\nretry: 1x\nretry:\n", &[]).2,
            Some(Duration::from_millis(250))
        );
    }

    #[test]
    fn an_id_or_a_name_without_end_takes_no_memory() {
        let mut events = Events::new(LIMIT);
        for field in [&b"id: "[..], b"event: ", b"", b"data: "] {
            events.next(&mut &field[..]);
            for _ in 0..100 {
                events.next(&mut &[b'a'; 1 << 10][..]);
            }
            let data = events.data.clone().unwrap_or_default();
            let kept = [&events.name, &events.value, &data].map(Vec::capacity);
            assert!(kept.iter().all(|kept| *kept < 64 << 10), "{kept:?}");
            events.next(&mut &b"\n\n"[..]);
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
