//! What a server says on its standard error: lines as a rule, however long they are and whether they end or not.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::timeout;

use super::StderrTail;

/// Its standard error is its log, and ours. What is no UTF-8 or too long does no harm.
pub(super) async fn listen<R: AsyncRead + Unpin>(stderr: R, name: Box<str>, ring: Arc<StderrTail>) {
    let mut said = Said::new(stderr);
    while let Some(heard) = said.next().await {
        match heard {
            Heard::Line(line) => {
                ring.push(&line);
                tracing::info!(target: "stderr", upstream = &*name, "{}", String::from_utf8_lossy(&line));
            }
            Heard::LeftOut(bytes) => {
                tracing::info!(target: "stderr", upstream = &*name, "[{bytes} more bytes of this line are left out]");
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Heard {
    /// A line, or its beginning, if that is all that may be kept or all that comes for now.
    Line(Vec<u8>),
    /// How much came behind the beginning of a line that is too long.
    LeftOut(usize),
}

/// Reads it.
struct Said<R> {
    reader: R,
    /// What has been read, and how much of it was looked at.
    read: Vec<u8>,
    seen: usize,
    /// The beginning of a line.
    line: Vec<u8>,
    /// The line is too long and its beginning was given out: how much came since.
    left_out: Option<usize>,
}

impl<R: AsyncRead + Unpin> Said<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            read: Vec::with_capacity(PIECE),
            seen: 0,
            line: Vec::new(),
            left_out: None,
        }
    }

    /// What comes next, unless it is blank; `None` when it is over.
    async fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some(heard) = self.ready() {
                return Some(heard);
            }
            self.read.clear();
            self.seen = 0;
            let is_begun = self.left_out.is_none() && !is_blank(&self.line);
            let more = self.reader.read_buf(&mut self.read);
            let more = if is_begun {
                match timeout(QUIET, more).await {
                    Ok(more) => more,
                    // Whoever asks for a password does not end the line.
                    Err(_) => return Some(Heard::Line(mem::take(&mut self.line))),
                }
            } else {
                more.await
            };
            // One that cannot be read has nothing more to say.
            if more.unwrap_or(0) == 0 {
                return self.rest();
            }
        }
    }

    /// The same, as far as it has been read.
    fn ready(&mut self) -> Option<Heard> {
        while self.seen < self.read.len() {
            let rest = &self.read[self.seen..];
            let end = memchr(b'\n', rest);
            let part = &rest[..end.unwrap_or(rest.len())];
            let room = match self.left_out {
                Some(_) => 0,
                None => LONGEST - self.line.len(),
            };
            let fits = part.len().min(room);
            self.line.extend_from_slice(&part[..fits]);
            if fits < part.len() && self.left_out.is_none() {
                self.seen += fits;
                self.left_out = Some(0);
                return Some(Heard::Line(mem::take(&mut self.line)));
            }
            if let Some(bytes) = &mut self.left_out {
                *bytes += part.len();
            }
            self.seen += part.len();
            if end.is_some() {
                self.seen += 1;
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                if let Some(heard) = self.rest() {
                    return Some(heard);
                }
            }
        }
        None
    }

    /// What is left of a line at its end.
    fn rest(&mut self) -> Option<Heard> {
        let line = mem::take(&mut self.line);
        match self.left_out.take() {
            Some(bytes) => Some(Heard::LeftOut(bytes)),
            None => (!is_blank(&line)).then_some(Heard::Line(line)),
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The longest line that is kept, and the most of a longer one.
const LONGEST: usize = 64 << 10;
/// How much is read at a time.
const PIECE: usize = 16 << 10;
/// How long the end of a line is waited for.
const QUIET: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;
    use tokio::time::Instant;

    use super::*;

    async fn all(said: &[u8]) -> Vec<Heard> {
        let mut said = Said::new(said);
        let mut all = Vec::new();
        while let Some(heard) = said.next().await {
            all.push(heard);
        }
        all
    }

    fn line(line: impl Into<Vec<u8>>) -> Heard {
        Heard::Line(line.into())
    }

    #[tokio::test]
    async fn lines_come_without_their_ends_and_blank_ones_not_at_all() {
        let heard = all(b"one\r\n\n  \ntwo\nhalf").await;
        assert_eq!(heard, [line("one"), line("two"), line("half")]);
    }

    #[tokio::test]
    async fn of_a_line_that_is_too_long_the_beginning_comes_and_how_much_does_not() {
        let fits = "a".repeat(LONGEST);
        let heard = all(format!("{fits}\n{fits}bcd\nnext\n{fits}ef").as_bytes()).await;
        let want = [
            line(&*fits),
            line(&*fits),
            Heard::LeftOut(3),
            line("next"),
            line(&*fits),
            Heard::LeftOut(2),
        ];
        assert!(heard == want, "{:?}", heard.len());
    }

    #[tokio::test]
    async fn the_beginning_of_a_line_that_does_not_end_comes_as_soon_as_it_is_too_long() {
        let (mut writer, reader) = tokio::io::duplex(1000);
        let endless = async { while writer.write_all(b"on and on ").await.is_ok() {} };
        let mut said = Said::new(reader);
        tokio::select! {
            () = endless => panic!("it is read"),
            heard = said.next() => {
                assert!(matches!(heard, Some(Heard::Line(line)) if line.len() == LONGEST));
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_waits_for_an_answer_on_its_line_is_heard_and_the_rest_of_the_line_later() {
        let (mut writer, reader) = tokio::io::duplex(1000);
        let mut said = Said::new(reader);
        let begun = Instant::now();
        writer
            .write_all(b"ready\nPassword: ")
            .await
            .expect("it is read");
        assert_eq!(said.next().await, Some(line("ready")));
        assert_eq!(said.next().await, Some(line("Password: ")));
        assert_eq!(begun.elapsed().as_millis(), QUIET.as_millis());
        writer.write_all(b"\nwel").await.expect("it is read");
        let later = async {
            tokio::time::sleep(QUIET / 2).await;
            writer.write_all(b"come\n").await.expect("it is read");
        };
        let (heard, ()) = tokio::join!(said.next(), later);
        assert_eq!(heard, Some(line("welcome")));
        drop(writer);
        assert_eq!(said.next().await, None);
    }
}
