//! How long a body is, by what its head says.

use std::io;

use super::response::Head;

/// What is still to come of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// So many bytes.
    Bytes(u64),
    /// So many bytes of this chunk, then the end of its line.
    Chunk(u64),
    /// The size of the next chunk.
    Size,
    /// All up to the end of the connection.
    Everything,
}

impl Left {
    pub(super) const NOTHING: Self = Self::Bytes(0);

    pub(super) fn of(head: &Head) -> io::Result<Self> {
        let bodiless = head.status < 200 || matches!(head.status, 204 | 304);
        let chunked = head.header("Transfer-Encoding");
        Ok(match (chunked, head.header("Content-Length")) {
            _ if bodiless => Self::NOTHING,
            (Some(coding), _) if coding.eq_ignore_ascii_case("chunked") => Self::Size,
            (Some(coding), _) => return Err(bad(&format!("transfer coding {coding:?}"))),
            (None, Some(length)) => {
                let length = length.parse();
                Self::Bytes(length.map_err(|_| bad("Content-Length is not a number"))?)
            }
            (None, None) => Self::Everything,
        })
    }
}

/// The size of a chunk, from its line.
pub(super) fn size(line: &[u8]) -> io::Result<u64> {
    let text = String::from_utf8_lossy(line);
    let digits = text.split(';').next().unwrap_or_default().trim();
    u64::from_str_radix(digits, 16).map_err(|_| bad(&format!("the size of a chunk: {text:?}")))
}

pub(super) fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}
