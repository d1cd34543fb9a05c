//! The standard error of a child process: lines as a rule, however long they are and whether they end or not.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncRead;
use tokio::time::timeout;

use super::StderrTail;
use crate::lines::{Line, LineReader};

/// Logs what a child prints, and keeps the last lines. Invalid UTF-8 and overlong lines are allowed.
pub(super) async fn log<R: AsyncRead + Unpin>(stderr: R, name: Box<str>, tail: Arc<StderrTail>) {
    let mut stderr = StderrReader::new(stderr);
    while let Some(output) = stderr.next().await {
        match output {
            StderrOutput::Line(line) => {
                tail.push(&line);
                tracing::info!(target: "stderr", upstream = &*name, "{}", String::from_utf8_lossy(&line));
            }
            StderrOutput::LeftOut(bytes) => {
                tracing::info!(target: "stderr", upstream = &*name, "[{bytes} more bytes of this line are left out]");
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum StderrOutput {
    /// A line, or its beginning, if the line is too long or does not end for now.
    Line(Vec<u8>),
    /// How many bytes followed the beginning of a line that is too long.
    LeftOut(usize),
}

struct StderrReader<R> {
    lines: LineReader<R>,
    /// How many bytes of the current line are left out.
    left_out: Option<usize>,
}

impl<R: AsyncRead + Unpin> StderrReader<R> {
    fn new(reader: R) -> Self {
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            left_out: None,
        }
    }

    /// The next output that is not blank; `None` at the end. An error of the stream is its end.
    async fn next(&mut self) -> Option<StderrOutput> {
        loop {
            if let Some(line) = self.lines.ready() {
                if let Some(output) = self.output(line) {
                    return Some(output);
                }
                continue;
            }
            let is_inside_line = self.lines.is_inside_line();
            let more = self.lines.fill();
            let more = if is_inside_line {
                match timeout(UNFINISHED_LINE_WAIT, more).await {
                    Ok(more) => more,
                    // A prompt does not end its line.
                    Err(_) => return Some(StderrOutput::Line(self.lines.take_unfinished())),
                }
            } else {
                more.await
            };
            if more.unwrap_or(0) == 0 {
                let last = self.lines.finish()?;
                return self.output(last);
            }
        }
    }

    fn output(&mut self, line: Line) -> Option<StderrOutput> {
        match line {
            Line::Whole(line) => Some(StderrOutput::Line(line)),
            Line::Start(line) => {
                self.left_out = Some(0);
                Some(StderrOutput::Line(line))
            }
            Line::More(bytes) => {
                *self.left_out.get_or_insert_default() += bytes.len();
                None
            }
            Line::End(bytes) => {
                let before = self.left_out.take().unwrap_or_default();
                Some(StderrOutput::LeftOut(before + bytes.len()))
            }
            Line::Unfinished(bytes) => match self.left_out.take() {
                Some(before) => Some(StderrOutput::LeftOut(before + bytes.len())),
                None => (!bytes.trim_ascii().is_empty()).then_some(StderrOutput::Line(bytes)),
            },
        }
    }
}

/// The longest line that is logged whole.
const MAX_LINE_BYTES: usize = 64 << 10;
/// How long the end of a line is waited for.
const UNFINISHED_LINE_WAIT: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;
    use tokio::time::Instant;

    use super::*;

    async fn all(stderr: &[u8]) -> Vec<StderrOutput> {
        let mut stderr = StderrReader::new(stderr);
        let mut all = Vec::new();
        while let Some(output) = stderr.next().await {
            all.push(output);
        }
        all
    }

    fn line(line: impl Into<Vec<u8>>) -> StderrOutput {
        StderrOutput::Line(line.into())
    }

    #[tokio::test]
    async fn lines_come_without_their_ends_and_blank_ones_not_at_all() {
        let output = all(b"one\r\n\n  \ntwo\nhalf").await;
        assert_eq!(output, [line("one"), line("two"), line("half")]);
    }

    #[tokio::test]
    async fn the_beginning_of_a_line_that_is_too_long_is_logged_and_how_much_is_left_out() {
        let fits = "a".repeat(MAX_LINE_BYTES);
        let output = all(format!("{fits}\n{fits}bcd\nnext\n{fits}ef").as_bytes()).await;
        let want = [
            line(&*fits),
            line(&*fits),
            StderrOutput::LeftOut(3),
            line("next"),
            line(&*fits),
            StderrOutput::LeftOut(2),
        ];
        assert!(output == want, "{:?}", output.len());
    }

    #[tokio::test]
    async fn the_beginning_of_an_endless_line_is_logged_as_soon_as_it_is_too_long() {
        let (mut writer, reader) = tokio::io::duplex(1000);
        let endless = async { while writer.write_all(b"on and on ").await.is_ok() {} };
        let mut stderr = StderrReader::new(reader);
        tokio::select! {
            () = endless => panic!("it is read"),
            output = stderr.next() => {
                assert!(matches!(output, Some(StderrOutput::Line(line)) if line.len() == MAX_LINE_BYTES));
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_prompt_is_logged_and_the_rest_of_its_line_later() {
        let (mut writer, reader) = tokio::io::duplex(1000);
        let mut stderr = StderrReader::new(reader);
        let begun = Instant::now();
        writer
            .write_all(b"ready\nPassword: ")
            .await
            .expect("it is read");
        assert_eq!(stderr.next().await, Some(line("ready")));
        assert_eq!(stderr.next().await, Some(line("Password: ")));
        assert_eq!(
            begun.elapsed().as_millis(),
            UNFINISHED_LINE_WAIT.as_millis()
        );
        writer.write_all(b"\nwel").await.expect("it is read");
        let later = async {
            tokio::time::sleep(UNFINISHED_LINE_WAIT / 2).await;
            writer.write_all(b"come\n").await.expect("it is read");
        };
        let (output, ()) = tokio::join!(stderr.next(), later);
        assert_eq!(output, Some(line("welcome")));
        drop(writer);
        assert_eq!(stderr.next().await, None);
    }
}
