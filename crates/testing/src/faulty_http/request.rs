//! A request as it comes in.

use std::io;

use super::hub::Hub;
use super::stream::Stream;

/// A request. Its body may not have been read yet.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads a head; none if the connection ended before it, and an error if it ends within.
    pub(super) fn head(stream: &mut Stream, hub: &Hub) -> io::Result<Option<Self>> {
        while stream.unread.is_empty() {
            if stream.fill(hub)? == 0 {
                return Ok(None);
            }
        }
        // Other protocols do not even end a line.
        if !stream.unread[0].is_ascii_uppercase() {
            return Err(bad("no request"));
        }
        let head = until(stream, hub, b"\r\n\r\n")?;
        let head = String::from_utf8(head).map_err(|_| bad("a head that is not UTF-8"))?;
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let words: Vec<_> = first.split(' ').collect();
        let [method, target, "HTTP/1.1"] = words[..] else {
            return Err(bad("no request of HTTP/1.1"));
        };
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or_else(|| bad("no header"))?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Some(Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers,
            body: Vec::new(),
        }))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Reads until the body has at least so many bytes, or is complete.
    pub(super) fn read(&mut self, stream: &mut Stream, hub: &Hub, least: usize) -> io::Result<()> {
        if self.header("transfer-encoding").is_some() {
            return self.chunks(stream, hub);
        }
        let length = self.header("content-length").map_or(Ok(0), str::parse);
        let length: usize = length.map_err(|_| bad("the length of the body"))?;
        if length > MOST {
            return Err(bad("too long a body"));
        }
        loop {
            let now = stream.unread.len().min(length - self.body.len());
            self.body.extend(stream.unread.drain(..now));
            if self.body.len() >= least.min(length) {
                return Ok(());
            }
            if stream.fill(hub)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    fn chunks(&mut self, stream: &mut Stream, hub: &Hub) -> io::Result<()> {
        if self.header("x-read").is_some() {
            return Ok(());
        }
        self.headers.push(("x-read".to_owned(), String::new()));
        loop {
            let line = String::from_utf8_lossy(&until(stream, hub, b"\r\n")?).into_owned();
            let size = usize::from_str_radix(line.trim(), 16).map_err(|_| bad("a chunk"))?;
            if size + self.body.len() > MOST {
                return Err(bad("too long a body"));
            }
            while stream.unread.len() < size {
                if stream.fill(hub)? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            self.body.extend(stream.unread.drain(..size));
            until(stream, hub, b"\r\n")?;
            if size == 0 {
                return Ok(());
            }
        }
    }
}

/// The bytes up to a mark, which is read as well.
fn until(stream: &mut Stream, hub: &Hub, mark: &[u8]) -> io::Result<Vec<u8>> {
    loop {
        let mut windows = stream.unread.windows(mark.len());
        if let Some(end) = windows.position(|window| window == mark) {
            let mut bytes: Vec<u8> = stream.unread.drain(..end + mark.len()).collect();
            bytes.truncate(end);
            return Ok(bytes);
        }
        if stream.unread.len() > MAX_HEAD_BYTES {
            return Err(bad("too long a head"));
        }
        if stream.fill(hub)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

const MOST: usize = 64 << 20;
const MAX_HEAD_BYTES: usize = 64 << 10;
