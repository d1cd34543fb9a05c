//! The line reader: lines of bounded length out of a stream.

use std::io;
use std::mem;

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// A line without its end, or a piece of one that is too long.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the parts of a stream of lines")]
pub enum Line {
    /// A line.
    Whole(Vec<u8>),
    /// The beginning of a line that is too long, as long as the limit allows.
    Start(Vec<u8>),
    /// The next bytes of such a line.
    More(Vec<u8>),
    /// Its last bytes.
    End(Vec<u8>),
    /// The last bytes of the stream, without a line end.
    Unfinished(Vec<u8>),
}

/// Reads lines of at most some bytes. Blank ones are left out.
#[derive(Debug)]
pub struct LineReader<R> {
    reader: R,
    limit: usize,
    /// What has been read and not given out: the beginning of a line, or several lines.
    read: Vec<u8>,
    /// Where the next line begins.
    from: usize,
    /// How far its end has been searched for.
    seen: usize,
    /// The beginning of the line was given out, since it is too long.
    is_long: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// A reader of lines of at most `limit` bytes.
    pub fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            limit,
            read: Vec::new(),
            from: 0,
            seen: 0,
            is_long: false,
        }
    }

    /// The next line; `None` at the end of the stream. Nothing is lost when the future is dropped.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.ready() {
                return Ok(Some(line));
            }
            if self.fill().await? == 0 {
                return Ok(self.finish());
            }
        }
    }

    /// The next line, if it has been read already.
    pub(crate) fn ready(&mut self) -> Option<Line> {
        while let Some(at) = memchr(b'\n', &self.read[self.seen..]) {
            let end = self.seen + at;
            if self.is_long {
                self.is_long = false;
                return Some(Line::End(self.take(end, end + 1)));
            }
            if end - self.from > self.limit {
                return Some(self.take_start());
            }
            let mut line = self.take(end, end + 1);
            line.pop_if(|last| *last == b'\r');
            if !is_blank(&line) {
                return Some(Line::Whole(line));
            }
        }
        self.seen = self.read.len();
        let length = self.seen - self.from;
        if self.is_long && length > 0 {
            let more = self.take(self.seen, self.seen);
            self.read = Vec::new();
            (self.from, self.seen) = (0, 0);
            return Some(Line::More(more));
        }
        (!self.is_long && length > self.limit).then(|| self.take_start())
    }

    /// Reads on; 0 at the end of the stream.
    pub(crate) async fn fill(&mut self) -> io::Result<usize> {
        if self.from > 0 {
            self.read.drain(..self.from);
            self.seen -= self.from;
            self.from = 0;
        }
        // A line that does not fit into a piece is likely to be much longer.
        let wanted = if self.read.len() < PIECE_BYTES {
            self.read.shrink_to(2 * PIECE_BYTES);
            PIECE_BYTES
        } else {
            PIPE_BYTES
        };
        self.read.reserve(wanted);
        self.reader.read_buf(&mut self.read).await
    }

    /// What is left at the end of the stream.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        let is_long = mem::take(&mut self.is_long);
        let last = self.take(self.read.len(), self.read.len());
        (is_long || !last.is_empty()).then_some(Line::Unfinished(last))
    }

    /// Whether a line has begun whose end is not read yet.
    pub(crate) fn is_inside_line(&self) -> bool {
        !self.is_long && !is_blank(&self.read[self.from..])
    }

    /// The beginning of the line whose end is not read yet. What follows counts as a line of its own.
    pub(crate) fn take_unfinished(&mut self) -> Vec<u8> {
        self.take(self.read.len(), self.read.len())
    }

    fn take_start(&mut self) -> Line {
        self.is_long = true;
        let end = self.from + self.limit;
        Line::Start(self.take(end, end))
    }

    /// Gives out what stands before `end`; the rest begins at `next`.
    fn take(&mut self, end: usize, next: usize) -> Vec<u8> {
        // A long line is given out as it lies in the buffer, and the little that follows it is moved.
        let line = if self.from == 0 && end > MOVED_BYTES {
            let rest = self.read[next..].to_vec();
            let mut line = mem::replace(&mut self.read, rest);
            line.truncate(end);
            line
        } else {
            // With room for the line end it will be written with.
            let mut line = Vec::with_capacity(end - self.from + 1);
            line.extend_from_slice(&self.read[self.from..end]);
            self.from = next;
            line
        };
        self.seen = self.from;
        line
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// How much is read at a time: small enough for ten thousand idle connections, big enough that most messages come in
/// one piece.
const PIECE_BYTES: usize = 16 << 10;
/// What a pipe holds, as a rule.
const PIPE_BYTES: usize = 64 << 10;
/// From here on moving what follows a line is cheaper than copying the line.
const MOVED_BYTES: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    async fn lines(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = LineReader::new(input, limit);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.expect("memory does not fail") {
            all.push(line);
        }
        all
    }

    #[tokio::test]
    async fn lines_come_without_their_ends_and_blank_ones_not_at_all() {
        let all = lines(b"{\"a\":1}\r\n\n  \n{}\n", 100).await;
        let want = [b"{\"a\":1}".to_vec(), b"{}".to_vec()].map(Line::Whole);
        assert_eq!(all, want);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_comes_in_pieces_and_the_next_one_is_read() {
        let long = "ab".repeat(50_000);
        let all = lines(format!("{long}\n{{}}\n").as_bytes(), 1000).await;
        let [
            Line::Start(start),
            middle @ ..,
            Line::End(end),
            Line::Whole(next),
        ] = &*all
        else {
            panic!("{all:?}");
        };
        let middle = middle.iter().map(|line| match line {
            Line::More(bytes) => &**bytes,
            Line::Whole(_) | Line::Start(_) | Line::End(_) | Line::Unfinished(_) => {
                panic!("{line:?}")
            }
        });
        let pieces: Vec<&[u8]> = [&**start]
            .into_iter()
            .chain(middle)
            .chain([&**end])
            .collect();
        assert_eq!(pieces.concat(), long.as_bytes());
        assert_eq!((start.len(), &**next), (1000, &b"{}"[..]));
    }

    #[tokio::test]
    async fn lines_of_every_length_come_whole_however_they_are_cut() {
        let lengths = [
            1,
            100,
            PIECE_BYTES - 1,
            PIECE_BYTES,
            PIECE_BYTES + 1,
            MOVED_BYTES + 7,
            3 * PIPE_BYTES,
            5,
            1,
        ];
        let text: Vec<Vec<u8>> = (b'a'..)
            .zip(lengths)
            .map(|(b, length)| vec![b; length])
            .collect();
        let all = [text.join(&b'\n'), b"\n".to_vec()].concat();
        for cut in [1, 7, 1000, PIECE_BYTES + 3, all.len()] {
            let (mut writer, reader) = tokio::io::duplex(cut);
            let mut lines = LineReader::new(reader, 4 * PIPE_BYTES);
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
    async fn an_unfinished_line_differs_from_the_end_of_the_stream() {
        let all = lines(b"{}\n{\"half\":", 100).await;
        let want = [
            Line::Whole(b"{}".to_vec()),
            Line::Unfinished(b"{\"half\":".to_vec()),
        ];
        assert_eq!(all, want);
    }
}
