//! The standard streams, which remember why they failed: to the relay a stream that fails has simply ended.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use breakfall_mcp::stdio::StdioStreams;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::out;
use crate::report::Problem;

/// What went wrong first with either of two streams.
#[derive(Clone, Default)]
pub(super) struct Failures(Arc<Mutex<Option<Problem>>>);

impl Failures {
    /// Streams that tell.
    pub(super) fn of(&self, streams: StdioStreams) -> (Heeded<Input>, Heeded<Output>) {
        let StdioStreams { input, output } = streams;
        let failures = self.clone();
        (Heeded(input, failures.clone()), Heeded(output, failures))
    }

    /// What went wrong.
    pub(super) fn first(&self) -> Option<Problem> {
        self.lock().take()
    }

    fn note(&self, problem: Option<Problem>) {
        if let Some(problem) = problem {
            self.lock().get_or_insert(problem);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Problem>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// A stream whose failures are told.
pub(super) struct Heeded<S>(S, Failures);

impl Heeded<Output> {
    fn look<T>(&self, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if let Poll::Ready(Err(error)) = &done {
            self.1.note(out::unwritten(error));
        }
        done
    }
}

impl AsyncRead for Heeded<Input> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.0).poll_read(context, buffer);
        if let Poll::Ready(Err(error)) = &read {
            self.1.note(unread(error));
        }
        read
    }
}

impl AsyncWrite for Heeded<Output> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.0).poll_write(context, bytes);
        self.look(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.0).poll_write_vectored(context, slices);
        self.look(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.0).poll_flush(context);
        self.look(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// A client that is gone is no failure.
fn unread(error: &io::Error) -> Option<Problem> {
    let failed = error.kind() != io::ErrorKind::ConnectionReset;
    failed.then(|| {
        let what = format!("cannot read standard input: {}", out::reason(error));
        Problem::input(what).hint("an MCP client starts this command and speaks to it there")
    })
}
