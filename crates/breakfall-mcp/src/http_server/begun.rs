//! The first bytes of a connection, when they do not say yet which HTTP it is.

use std::io::IoSlice;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{self, AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

/// A stream of which some has been read, and is read once more.
#[derive(Debug)]
pub(super) struct Begun<S> {
    stream: S,
    start: [u8; PREFACE.len()],
    /// How many bytes there were.
    length: usize,
    /// How many of them are given back.
    given: usize,
}

/// What HTTP/2 begins with, and no request of HTTP/1.
pub(super) const PREFACE: &[u8] = b"PRI";

/// Whether this is the beginning of HTTP/2, if it can be told already.
pub(super) fn is_http2(seen: &[u8]) -> Option<bool> {
    if seen.len() < PREFACE.len() && PREFACE.starts_with(seen) {
        return None;
    }
    Some(seen.starts_with(PREFACE))
}

impl<S: AsyncRead + Unpin> Begun<S> {
    /// Reads until it is clear which HTTP it is; nothing if it never will be.
    pub(super) async fn read(mut stream: S) -> io::Result<Option<(Self, bool)>> {
        let mut start = [0; PREFACE.len()];
        let mut length = 0;
        loop {
            match stream.read(&mut start[length..]).await? {
                0 => return Ok(None),
                more => length += more,
            }
            if let Some(is_http2) = is_http2(&start[..length]) {
                let begun = Self {
                    stream,
                    start,
                    length,
                    given: 0,
                };
                return Ok(Some((begun, is_http2)));
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Begun<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let rest = &self.start[self.given..self.length];
        if rest.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..count]);
        self.given += count;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Begun<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
