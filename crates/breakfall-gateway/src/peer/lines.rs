//! Lines of bounded length out of a stream. A line that is too long is read to its end and thrown away; what is kept
//! of it is its length and the id it carried.

use std::io;

use memchr::memchr;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, BufReader};

use crate::envelope::Scan;

/// What came between two line ends.
#[derive(Debug)]
pub(crate) enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// More than may be kept.
    TooLong { scan: Box<Scan>, length: usize },
    /// The stream ended in the middle of it; what is there of it, if it was not too long.
    Half { start: Vec<u8>, length: usize },
}

/// Reads lines of at most `limit` bytes.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        let reader = BufReader::with_capacity(BUFFER, reader);
        Self { reader, limit }
    }

    /// The next line that is not blank, without its end; `None` when the stream is over.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            match read_line(&mut self.reader, self.limit).await? {
                Some(Line::Whole(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
                other => return Ok(other),
            }
        }
    }
}

async fn read_line(
    reader: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut over: Option<(Box<Scan>, usize)> = None;
    loop {
        let piece = reader.fill_buf().await?;
        if piece.is_empty() {
            let length = over.map_or(line.len(), |(_, length)| length);
            return Ok((length > 0).then_some(Line::Half {
                start: line,
                length,
            }));
        }
        let end = memchr(b'\n', piece);
        let part = &piece[..end.unwrap_or(piece.len())];
        if over.is_none() && line.len() + part.len() > limit {
            over = Some((Box::new(Scan::of(&line)), line.len()));
            line = Vec::new();
        }
        match &mut over {
            Some((scan, length)) => {
                scan.feed(part);
                *length += part.len();
            }
            None => line.extend_from_slice(part),
        }
        let taken = part.len() + usize::from(end.is_some());
        reader.consume(taken);
        if end.is_some() {
            return Ok(Some(match over {
                Some((scan, length)) => Line::TooLong { scan, length },
                None => Line::Whole(without_return(line)),
            }));
        }
    }
}

fn without_return(mut line: Vec<u8>) -> Vec<u8> {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    line
}

/// Small enough for ten thousand idle connections, big enough that most messages come in one piece.
const BUFFER: usize = 16 << 10;

#[cfg(test)]
mod tests {
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
            (scan.id().map(crate::envelope::Id::as_json), *length),
            (Some("\"x\""), 100_022)
        );
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
