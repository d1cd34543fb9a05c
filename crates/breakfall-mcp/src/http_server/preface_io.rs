//! Reads the first bytes of a connection until they tell HTTP/2 from HTTP/1.1, and replays them.
//!
//! hyper-util's automatic detection has no way to set our header timeout or to look at the first byte for TLS.

use std::io::IoSlice;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{self, AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

/// A stream whose first bytes were read already and are read again.
#[derive(Debug)]
pub(super) struct PrefaceIo<S> {
    stream: S,
    start: [u8; PREFACE.len()],
    /// How many bytes were read.
    length: usize,
    /// How many of them were replayed.
    replayed: usize,
}

/// The start of HTTP/2, with which no HTTP/1.1 request starts.
pub(super) const PREFACE: &[u8] = b"PRI";

/// Whether these bytes start HTTP/2; nothing if there are too few to tell.
pub(super) fn is_http2(seen: &[u8]) -> Option<bool> {
    if seen.len() < PREFACE.len() && PREFACE.starts_with(seen) {
        return None;
    }
    Some(seen.starts_with(PREFACE))
}

impl<S: AsyncRead + Unpin> PrefaceIo<S> {
    /// Reads until the version of HTTP is known; nothing if the stream ends before.
    pub(super) async fn read(mut stream: S) -> io::Result<Option<(Self, bool)>> {
        let mut start = [0; PREFACE.len()];
        let mut length = 0;
        loop {
            match stream.read(&mut start[length..]).await? {
                0 => return Ok(None),
                more => length += more,
            }
            if let Some(is_http2) = is_http2(&start[..length]) {
                let stream = Self {
                    stream,
                    start,
                    length,
                    replayed: 0,
                };
                return Ok(Some((stream, is_http2)));
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PrefaceIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let rest = &self.start[self.replayed..self.length];
        if rest.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..count]);
        self.replayed += count;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PrefaceIo<S> {
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
