//! The standard streams with their first error kept: to the session a stream that fails has ended.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use breakfall_mcp::stdio::StdioStreams;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::output;
use crate::report::CommandError;
use breakfall_mcp::sync::Mutex;

/// The first error of either stream.
#[derive(Clone, Default)]
pub(super) struct StreamErrors(Arc<Mutex<Option<CommandError>>>);

impl StreamErrors {
    /// Wraps both streams.
    pub(super) fn of(
        &self,
        streams: StdioStreams,
    ) -> (ObservedStream<Input>, ObservedStream<Output>) {
        let StdioStreams { input, output } = streams;
        (
            ObservedStream(input, self.clone()),
            ObservedStream(output, self.clone()),
        )
    }

    /// The first error.
    pub(super) fn first(&self) -> Option<CommandError> {
        self.0.lock().take()
    }

    fn note(&self, error: Option<CommandError>) {
        if let Some(error) = error {
            self.0.lock().get_or_insert(error);
        }
    }
}

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// A stream that notes its errors.
pub(super) struct ObservedStream<S>(S, StreamErrors);

impl ObservedStream<Output> {
    fn note<T>(&self, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if let Poll::Ready(Err(error)) = &done {
            self.1.note(output::write_error(error));
        }
        done
    }
}

impl AsyncRead for ObservedStream<Input> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.0).poll_read(context, buffer);
        if let Poll::Ready(Err(error)) = &read {
            self.1.note(read_error(error));
        }
        read
    }
}

impl AsyncWrite for ObservedStream<Output> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.0).poll_write(context, bytes);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.0).poll_write_vectored(context, slices);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.0).poll_flush(context);
        self.note(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// The error of a failed read. A client that is gone is not an error.
fn read_error(error: &io::Error) -> Option<CommandError> {
    let failed = error.kind() != io::ErrorKind::ConnectionReset;
    failed.then(|| CommandError::standard_streams("read standard input", error))
}
