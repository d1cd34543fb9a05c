//! The server that is measured. It has to be much faster than any real one, or the cost of the gateway would drown in
//! its own: it looks for an id and a size in a line and answers from memory. As every server it writes each answer by
//! itself, since nobody knows when the next one will be ready.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;

/// Serves the standard streams until the input ends.
pub(crate) fn serve() -> io::Result<()> {
    // As files, because the standard handles copy everything once more.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut answers = Answers::default();
    let mut buffer = vec![0; 64 << 10];
    let mut kept = 0;
    loop {
        let read = input.read(&mut buffer[kept..])?;
        if read == 0 {
            return Ok(());
        }
        let end = kept + read;
        let mut from = 0;
        while let Some(length) = buffer[from..end].iter().position(|&byte| byte == b'\n') {
            answers.to(&buffer[from..from + length], &mut output)?;
            from += length + 1;
        }
        buffer.copy_within(from..end, 0);
        kept = end - from;
    }
}

/// What answers are made of.
#[derive(Default)]
struct Answers {
    /// The last answer, kept for its room.
    text: Vec<u8>,
    /// The last body, and the size it was asked for: the next one is mostly the same.
    body: Vec<u8>,
    size: usize,
}

impl Answers {
    fn to(&mut self, request: &[u8], output: &mut File) -> io::Result<()> {
        // Notifications have none.
        let Some(id) = number_after(request, b"\"id\":") else {
            return Ok(());
        };
        self.text.clear();
        self.text
            .extend_from_slice(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#).as_bytes());
        match number_after(request, b"\"size\":") {
            Some(size) => {
                if self.size != size || self.body.is_empty() {
                    self.body = content(size);
                    self.size = size;
                }
                self.text.extend_from_slice(&self.body);
            }
            None => self.text.extend_from_slice(HELLO),
        }
        self.text.extend_from_slice(b"}\n");
        output.write_all(&self.text)
    }
}

/// The result of a call, with words in it as tools give them: a line end now and then, and a quote.
fn content(size: usize) -> Vec<u8> {
    let text: String = WORDS.chars().cycle().take(size).collect();
    let text = text.trim_end_matches('\\');
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#).into_bytes()
}

fn number_after(line: &[u8], key: &[u8]) -> Option<usize> {
    let at = line.windows(key.len()).position(|window| window == key)?;
    let digits = &line[at + key.len()..];
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

const HELLO: &[u8] = br#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1.0.0"}}"#;
const WORDS: &str = r#"Order 10249 was placed on 2026-03-02 and holds \"three\" articles; it is paid and waits to be sent.\n"#;
