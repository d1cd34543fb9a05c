//! A message to be sent: its bytes as they came, with another id in at most two places.

use std::mem;
use std::ops::Range;

use hyper::body::Bytes;

use super::{Frame, Id, may_contain};

/// A message to be sent.
#[derive(Debug)]
pub struct RawMessage {
    /// With the line end, so that it is written in one piece.
    bytes: Vec<u8>,
    /// Where the new id stands, in order. An empty place is unused.
    places: [Range<usize>; 2],
    id: Option<Id>,
}

impl RawMessage {
    /// A frame with another id in a place: its own id, a progress token, or the id a cancellation refers to.
    pub fn changed(frame: Frame, at: Option<Range<usize>>, id: Id) -> Self {
        Self::changed_twice(frame, [at, None], id)
    }

    /// Like [`Self::changed`], in two places: its own id, and where the message refers to it.
    pub fn changed_twice(frame: Frame, at: [Option<Range<usize>>; 2], id: Id) -> Self {
        let mut places = at.map(Option::unwrap_or_default);
        if places[0].start > places[1].start {
            places.swap(0, 1);
        }
        Self {
            places,
            id: Some(id),
            ..frame.into()
        }
    }

    /// Each changed place, in order, with the new text.
    fn changes(&self) -> impl Iterator<Item = (&Range<usize>, &[u8])> {
        let id = self.id.as_ref().map_or(&[][..], Id::bytes);
        let places = self.places.iter().filter(|at| !at.is_empty());
        places.map(move |at| (at, id))
    }

    /// The pieces to write, in order, with the line end.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let mut from = 0;
        let parts = self.changes().flat_map(move |(at, id)| {
            let kept = &self.bytes[from..at.start];
            from = at.end;
            [kept, id]
        });
        // The second place is the last, whether the first is used or not.
        let rest = &self.bytes[self.places[1].end..];
        parts.chain([rest])
    }

    /// Appends the message with its line end.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        let mut from = 0;
        for (at, id) in self.changes() {
            bytes.extend_from_slice(&self.bytes[from..at.start]);
            bytes.extend_from_slice(id);
            from = at.end;
        }
        bytes.extend_from_slice(&self.bytes[from..]);
    }

    /// Appends the message without its line end.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        self.append_to(bytes);
        bytes.pop();
    }

    /// The first piece and the others, in order, for a transport without lines. Most messages are one piece; a big one is not
    /// copied.
    pub fn into_parts(mut self) -> (Bytes, Vec<Bytes>) {
        let is_changed = self.changes().next().is_some();
        if is_changed && self.bytes.len() < BIG_MESSAGE_BYTES {
            let mut whole = Vec::with_capacity(self.bytes.len() + 2 * Id::MAX_INLINE_BYTES);
            self.write_to(&mut whole);
            return (whole.into(), Vec::new());
        }
        self.bytes.pop_if(|last| *last == b'\n');
        if !is_changed {
            return (self.bytes.into(), Vec::new());
        }
        let bytes = Bytes::from(mem::take(&mut self.bytes));
        let mut pieces = Vec::with_capacity(5);
        let mut from = 0;
        for (at, id) in self.changes() {
            pieces.push(bytes.slice(from..at.start));
            pieces.push(Bytes::copy_from_slice(id));
            from = at.end;
        }
        pieces.push(bytes.slice(from..));
        (pieces.remove(0), pieces)
    }

    /// The whole message, without the line end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes);
        bytes
    }

    /// Whether the message may contain these words; see [`may_contain`].
    pub fn may_contain(&self, words: &str) -> bool {
        may_contain(&self.bytes, words)
    }

    /// The bytes as they came.
    pub fn original(&self) -> &[u8] {
        &self.bytes
    }

    /// How much memory it takes, approximately.
    pub fn weight(&self) -> usize {
        self.bytes.capacity() + 64
    }
}

impl From<Vec<u8>> for RawMessage {
    fn from(mut bytes: Vec<u8>) -> Self {
        bytes.push(b'\n');
        Self {
            bytes,
            places: [0..0, 0..0],
            id: None,
        }
    }
}

impl From<Frame> for RawMessage {
    fn from(frame: Frame) -> Self {
        frame.into_bytes().into()
    }
}

/// From this size on a message is not copied.
const BIG_MESSAGE_BYTES: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use super::super::FrameLimits;
    use super::*;

    fn written(message: &RawMessage) -> String {
        String::from_utf8(message.pieces().collect::<Vec<_>>().concat()).expect("UTF-8")
    }

    fn sent(message: RawMessage) -> String {
        let (first, rest) = message.into_parts();
        String::from_utf8([&[first], &rest[..]].concat().concat()).expect("UTF-8")
    }

    #[test]
    fn only_the_places_named_change_in_whichever_order_they_stand() {
        let text = r#"{"params":{"_meta":{"progressToken":7}, "x":1e2},"id":"a" ,"jsonrpc":"2.0","method":"m"}"#;
        let frame = || Frame::parse(text.into(), &FrameLimits::REQUEST).expect("a request");
        let token = text.find('7').map(|at| at..at + 1);
        let id = Id::number(12);
        let id_place = frame().id_place();
        let one = text.replace(r#""a""#, "12");
        let both = one.replace('7', "12");
        for (places, want) in [
            ([id_place.clone(), token.clone()], &both),
            ([token.clone(), id_place.clone()], &both),
            ([id_place.clone(), None], &one),
            ([None, id_place.clone()], &one),
            ([None, None], &text.to_owned()),
        ] {
            let message = || RawMessage::changed_twice(frame(), places.clone(), id.clone());
            assert_eq!(written(&message()), format!("{want}\n"));
            assert_eq!(message().to_bytes(), want.as_bytes());
            assert_eq!(sent(message()), *want);
        }
        assert_eq!(written(&frame().into()), format!("{text}\n"));
        let text = text.replace("1e2", &"1".repeat(BIG_MESSAGE_BYTES));
        let frame = || Frame::parse(text.clone().into(), &FrameLimits::REQUEST).expect("a request");
        let id_place = frame().id_place();
        let message = RawMessage::changed(frame(), id_place, id);
        assert_eq!(sent(message), text.replace(r#""a""#, "12"));
        assert_eq!(sent(frame().into()), text);
    }
}
