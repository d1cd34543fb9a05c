//! Lines out of a stream, none of them kept beyond what a message may have.

use std::io;

use memchr::memchr;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

use breakfall_mcp::jsonrpc::FrameLimits;

/// What came between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// All of it.
    Whole(Vec<u8>),
    /// More than a message may have; it was thrown away.
    TooLong,
}

/// Reads lines.
#[derive(Debug)]
pub(crate) struct InputLines<R> {
    reader: BufReader<R>,
    /// What has come of the next line. It lives here, so that waiting for the rest can be given up and taken up again.
    line: Vec<u8>,
    overlong: bool,
}

impl<R: AsyncRead + Unpin> InputLines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            overlong: false,
        }
    }

    /// The next line that is not blank; `None` when the stream is over, even in the middle of one.
    pub(crate) async fn next(&mut self) -> io::Result<Option<InputLine>> {
        loop {
            let piece = self.reader.fill_buf().await?;
            if piece.is_empty() {
                return Ok(None);
            }
            let end = memchr(b'\n', piece);
            let part = &piece[..end.unwrap_or(piece.len())];
            self.overlong |= self.line.len() + part.len() > FrameLimits::REQUEST.size;
            if self.overlong {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.reader.consume(taken);
            if end.is_none() {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            if std::mem::take(&mut self.overlong) {
                return Ok(Some(InputLine::TooLong));
            }
            if !line.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(InputLine::Whole(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_line_that_is_too_long_is_thrown_away_and_the_next_one_read() {
        let mut input = vec![b'x'; FrameLimits::REQUEST.size + 1];
        input.extend_from_slice(b"\n \r\n{}\r\nhalf");
        let mut lines = InputLines::new(input.as_slice());
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.expect("memory does not fail") {
            all.push(line);
        }
        assert_eq!(
            all,
            [InputLine::TooLong, InputLine::Whole(b"{}\r".to_vec())]
        );
    }
}
