//! A stream that reports its reads and writes to the state of its connection.

use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{self, AsyncRead, AsyncWrite, ReadBuf};

use super::connection_state::ConnectionState;

/// A stream that reports its reads and writes.
#[derive(Debug)]
pub(super) struct MonitoredIo<S> {
    stream: S,
    state: Arc<ConnectionState>,
    /// Whether bytes that arrive without an open request are the headers of one.
    reads_heads: bool,
}

impl<S> MonitoredIo<S> {
    pub(super) fn new(stream: S, state: Arc<ConnectionState>) -> Self {
        Self {
            stream,
            state,
            reads_heads: true,
        }
    }

    /// For HTTP/2, where other frames arrive too.
    pub(super) fn without_heads(stream: S, state: Arc<ConnectionState>) -> Self {
        Self {
            stream,
            state,
            reads_heads: false,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MonitoredIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.reads_heads && buffer.filled().len() > before {
            self.state.received();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MonitoredIo<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.state.wrote(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.state.wrote(&written);
        written
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
