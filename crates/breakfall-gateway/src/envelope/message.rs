//! A message on its way out: the bytes it came in, with at most two places that read otherwise from now on.

use std::ops::Range;

use hyper::body::Bytes;

use super::{Frame, Id, may_mention};

/// A message to be written.
#[derive(Debug)]
pub struct Message {
    /// With the end of the line, so that it is one piece to write.
    bytes: Vec<u8>,
    /// In the order of their places.
    changes: [Option<Change>; 2],
}

#[derive(Debug)]
struct Change {
    at: Range<usize>,
    to: Id,
}

impl Message {
    /// A frame, with other ids in some places: the id itself, a progress token, what a cancellation refers to.
    pub(crate) fn changed<const N: usize>(
        frame: Frame,
        changes: [(Option<Range<usize>>, &Id); N],
    ) -> Self {
        const {
            assert!(
                N <= 2,
                "a message has an id and at most one reference to another"
            );
        };
        let mut message = Self::from(frame);
        let changes = changes.into_iter();
        let found = changes.filter_map(|(at, to)| Some((at?, to.clone())));
        for (slot, (at, to)) in message.changes.iter_mut().zip(found) {
            *slot = Some(Change { at, to });
        }
        if let [Some(first), Some(second)] = &message.changes
            && first.at.start > second.at.start
        {
            message.changes.swap(0, 1);
        }
        message
    }

    /// What it is to be written as, in order, with the end of its line.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let mut from = 0;
        let changes = self.changes.iter().flatten();
        let parts = changes.flat_map(move |change| {
            let kept = &self.bytes[from..change.at.start];
            from = change.at.end;
            [kept, change.to.bytes()]
        });
        let last = self.changes.iter().flatten().next_back();
        let rest = &self.bytes[last.map_or(0, |change| change.at.end)..];
        parts.chain([rest])
    }

    /// Appends it, with the end of its line.
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>) {
        let mut from = 0;
        for Change { at, to } in self.changes.iter().flatten() {
            bytes.extend_from_slice(&self.bytes[from..at.start]);
            bytes.extend_from_slice(to.bytes());
            from = at.end;
        }
        bytes.extend_from_slice(&self.bytes[from..]);
    }

    /// Appends it without the end of its line.
    pub(crate) fn write_to(&self, bytes: &mut Vec<u8>) {
        self.append_to(bytes);
        bytes.pop();
    }

    /// What it is to be sent as where messages have no lines: the first piece and the others, in order. Most are one
    /// piece; of a big one nothing is copied.
    pub(crate) fn into_parts(mut self) -> (Bytes, Vec<Bytes>) {
        if self.changes[0].is_some() && self.bytes.len() < BIG {
            let mut whole = Vec::with_capacity(self.bytes.len() + 2 * Id::SHORT);
            self.write_to(&mut whole);
            return (whole.into(), Vec::new());
        }
        self.bytes.pop_if(|last| *last == b'\n');
        if self.changes[0].is_none() {
            return (self.bytes.into(), Vec::new());
        }
        let bytes = Bytes::from(self.bytes);
        let mut pieces = Vec::with_capacity(5);
        let mut from = 0;
        for Change { at, to } in self.changes.iter().flatten() {
            pieces.push(bytes.slice(from..at.start));
            pieces.push(Bytes::copy_from_slice(to.bytes()));
            from = at.end;
        }
        pieces.push(bytes.slice(from..));
        (pieces.remove(0), pieces)
    }

    /// The whole of it, without the end of the line.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes);
        bytes
    }

    /// Whether these words may be in it somewhere.
    pub(crate) fn may_mention(&self, words: &str) -> bool {
        may_mention(&self.bytes, words)
    }

    /// The bytes it came in, before anything was changed.
    pub(crate) fn original(&self) -> &[u8] {
        &self.bytes
    }

    /// How much memory it takes, near enough to count what waits.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.capacity() + 64
    }
}

impl From<Vec<u8>> for Message {
    fn from(mut bytes: Vec<u8>) -> Self {
        bytes.push(b'\n');
        Self {
            bytes,
            changes: [None, None],
        }
    }
}

impl From<Frame> for Message {
    fn from(frame: Frame) -> Self {
        frame.into_bytes().into()
    }
}

/// What is sent from where it lies rather than gathered.
const BIG: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    fn written(message: &Message) -> String {
        String::from_utf8(message.pieces().collect::<Vec<_>>().concat()).expect("UTF-8")
    }

    fn sent(message: Message) -> String {
        let (first, rest) = message.into_parts();
        String::from_utf8([&[first], &rest[..]].concat().concat()).expect("UTF-8")
    }

    #[test]
    fn only_the_places_named_change_in_whichever_order_they_stand() {
        let text = r#"{"params":{"_meta":{"progressToken":7}, "x":1e2},"id":"a" ,"jsonrpc":"2.0","method":"m"}"#;
        let frame = || Frame::parse(text.into(), &Limits::REQUEST).expect("a request");
        let token = text.find('7').map(|at| at..at + 1);
        let (id, other) = (Id::number(12), Id::number(3));
        let id_place = frame().id_place();
        let message = Message::changed(frame(), [(id_place, &id), (token, &other)]);
        let want = text.replace('7', "3").replace(r#""a""#, "12");
        assert_eq!(written(&message), want.clone() + "\n");
        assert_eq!(sent(message), want);
        assert_eq!(written(&frame().into()), format!("{text}\n"));
        let text = text.replace("1e2", &"1".repeat(BIG));
        let frame = || Frame::parse(text.clone().into(), &Limits::REQUEST).expect("a request");
        let id_place = frame().id_place();
        let message = Message::changed(frame(), [(id_place, &id)]);
        assert_eq!(sent(message), text.replace(r#""a""#, "12"));
        assert_eq!(sent(frame().into()), text);
    }
}
