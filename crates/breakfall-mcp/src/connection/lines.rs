//! Lines of bounded length out of a stream. A line that is too long is read to its end and thrown away; what is kept
//! of it is its length and the id it carried.

use std::io;
use std::mem;

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::jsonrpc::FrameScan;

/// What came between two line ends.
#[derive(Debug)]
pub(super) enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// More than may be kept.
    TooLong { scan: Box<FrameScan>, length: usize },
    /// The stream ended in the middle of it; what is there of it, if it was not too long.
    Half { start: Vec<u8>, length: usize },
}

/// Reads lines of at most `limit` bytes.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    limit: usize,
    /// What has been read and not given out: the beginning of a line, or several.
    read: Vec<u8>,
    /// Where the next line begins.
    from: usize,
    /// How far the end of that line has been looked for.
    seen: usize,
    /// The line is too long: what is known of the part that was thrown away.
    over: Option<(Box<FrameScan>, usize)>,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            limit,
            read: Vec::new(),
            from: 0,
            seen: 0,
            over: None,
        }
    }

    /// The next line that is not blank, without its end; `None` when the stream is over.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.ready() {
                return Ok(Some(line));
            }
            if self.fill().await? == 0 {
                return Ok(self.half());
            }
        }
    }

    /// The same, if it has come already.
    pub(super) fn ready(&mut self) -> Option<Line> {
        while let Some(length) = memchr(b'\n', &self.read[self.seen..]) {
            let end = self.seen + length;
            let line = self.take(end);
            let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
            if !matches!(&line, Line::Whole(line) if is_blank(line)) {
                return Some(line);
            }
        }
        self.seen = self.read.len();
        if self.over.is_some() || self.seen - self.from > self.limit {
            self.throw_away();
        }
        None
    }

    /// Gives out what stands before a line end.
    fn take(&mut self, end: usize) -> Line {
        let from = mem::replace(&mut self.from, end + 1);
        self.seen = end + 1;
        if let Some((mut scan, length)) = self.over.take() {
            scan.feed(&self.read[from..end]);
            let length = length + end - from;
            return Line::TooLong { scan, length };
        }
        if end - from > self.limit {
            let scan = Box::new(FrameScan::of(&self.read[from..end]));
            return Line::TooLong {
                scan,
                length: end - from,
            };
        }
        // A long line is given out as it lies here, and the little that came after it is moved.
        let line = if from == 0 && end > LONG {
            let rest = self.read[end + 1..].to_vec();
            (self.from, self.seen) = (0, 0);
            let mut line = mem::replace(&mut self.read, rest);
            line.truncate(end);
            line
        } else {
            // With room for the line end it will be written with.
            let mut line = Vec::with_capacity(end - from + 1);
            line.extend_from_slice(&self.read[from..end]);
            line
        };
        Line::Whole(without_return(line))
    }

    fn throw_away(&mut self) {
        let (scan, length) = self.over.get_or_insert_default();
        scan.feed(&self.read[self.from..]);
        *length += self.read.len() - self.from;
        (self.from, self.seen) = (0, 0);
        self.read.clear();
        self.read.shrink_to(PIECE);
    }

    /// Reads on; 0 at the end of the stream.
    async fn fill(&mut self) -> io::Result<usize> {
        if self.from > 0 {
            self.read.drain(..self.from);
            self.seen -= self.from;
            self.from = 0;
        }
        // A line that does not fit into a piece is likely to be much longer.
        let wanted = if self.read.len() < PIECE {
            self.read.shrink_to(2 * PIECE);
            PIECE
        } else {
            PIPE
        };
        self.read.reserve(wanted);
        self.reader.read_buf(&mut self.read).await
    }

    fn half(&mut self) -> Option<Line> {
        let start = mem::take(&mut self.read);
        let length = self.over.take().map_or(start.len(), |(_, length)| length);
        (self.from, self.seen) = (0, 0);
        (length > 0).then_some(Line::Half { start, length })
    }
}

fn without_return(mut line: Vec<u8>) -> Vec<u8> {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    line
}

/// How much is read at a time: small enough for ten thousand idle connections, big enough that most messages come in
/// one piece.
const PIECE: usize = 16 << 10;
/// What a pipe holds, as a rule.
const PIPE: usize = 64 << 10;
/// From here on moving what follows a line is cheaper than copying the line.
const LONG: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    async fn lines(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, limit);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.expect("memory does not fail") {
            all.push(line);
        }
        all
    }

    #[tokio::test]
    async fn lines_come_without_their_ends_and_blank_ones_not_at_all() {
        let all = lines(b"{\"a\":1}\r\n\n  \n{}\n", 100).await;
        let [Line::Whole(first), Line::Whole(second)] = all.as_slice() else {
            panic!("{all:?}");
        };
        assert_eq!(
            (first.as_slice(), second.as_slice()),
            (&b"{\"a\":1}"[..], &b"{}"[..])
        );
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_still_tells_its_id_and_the_next_one_is_read() {
        let long = format!(
            "{{\"params\":\"{}\",\"id\":\"x\"}}\n{{}}\n",
            "a".repeat(100_000)
        );
        let all = lines(long.as_bytes(), 1000).await;
        let [Line::TooLong { scan, length }, Line::Whole(_)] = all.as_slice() else {
            panic!("{all:?}");
        };
        assert_eq!(
            (scan.id().map(crate::jsonrpc::Id::as_json), *length),
            (Some("\"x\""), 100_022)
        );
    }

    #[tokio::test]
    async fn lines_of_every_length_come_whole_however_they_are_cut() {
        let lengths = [
            1,
            100,
            PIECE - 1,
            PIECE,
            PIECE + 1,
            LONG + 7,
            3 * PIPE,
            5,
            1,
        ];
        let text: Vec<Vec<u8>> = (b'a'..)
            .zip(lengths)
            .map(|(b, length)| vec![b; length])
            .collect();
        let all = [text.join(&b'\n'), b"\n".to_vec()].concat();
        for cut in [1, 7, 1000, PIECE + 3, all.len()] {
            let (mut writer, reader) = tokio::io::duplex(cut);
            let mut lines = Lines::new(reader, 4 * PIPE);
            let write = async {
                writer.write_all(&all).await.expect("it is read");
                drop(writer);
            };
            let read = async {
                for want in &text {
                    let line = lines.next().await.expect("memory does not fail");
                    assert!(matches!(&line, Some(Line::Whole(line)) if line == want));
                }
                assert!(lines.next().await.expect("memory does not fail").is_none());
            };
            tokio::join!(write, read);
        }
    }

    #[tokio::test]
    async fn half_a_line_is_told_apart_from_the_end() {
        let all = lines(b"{}\n{\"half\":", 100).await;
        assert!(
            matches!(
                all.as_slice(),
                [Line::Whole(_), Line::Half { length: 8, .. }]
            ),
            "{all:?}"
        );
    }
}
