//! The standard streams of this process, asynchronous where the system allows it.
//!
//! A client that starts this process connects it by pipes or sockets, which the runtime can wait for. A terminal or a file is
//! read and written by a thread, and so is a stream that other processes share: it must not become non-blocking.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;

use rustix::fs::{FileType, fstat};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// The two streams.
pub struct StdioStreams {
    /// Standard input.
    pub input: Box<dyn AsyncRead + Send + Unpin>,
    /// Standard output.
    pub output: Box<dyn AsyncWrite + Send + Unpin>,
}

impl fmt::Debug for StdioStreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StdioStreams")
    }
}

/// Takes the standard streams of this process.
///
/// # Errors
/// When one of them is not open.
pub fn stdio() -> io::Result<StdioStreams> {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let input: Box<dyn AsyncRead + Send + Unpin> = match pollable(stdin.as_fd())? {
        Some((FileType::Fifo, fd)) => {
            grow_pipe(&fd);
            Box::new(pipe::Receiver::from_owned_fd(fd)?)
        }
        Some((_, fd)) => Box::new(socket(fd)?),
        None => Box::new(tokio::io::stdin()),
    };
    let is_shared = is_same(stdout.as_fd(), stderr.as_fd())?;
    let alone = pollable(stdout.as_fd())?.filter(|_| !is_shared);
    let output: Box<dyn AsyncWrite + Send + Unpin> = match alone {
        Some((FileType::Fifo, fd)) => {
            grow_pipe(&fd);
            Box::new(pipe::Sender::from_owned_fd(fd)?)
        }
        Some((_, fd)) => Box::new(socket(fd)?),
        None => Box::new(tokio::io::stdout()),
    };
    Ok(StdioStreams { input, output })
}

/// A copy of a stream that the runtime can wait for.
fn pollable(fd: BorrowedFd<'_>) -> io::Result<Option<(FileType, OwnedFd)>> {
    let kind = FileType::from_raw_mode(fstat(fd)?.st_mode);
    let can_wait = matches!(kind, FileType::Fifo | FileType::Socket);
    can_wait
        .then(|| Ok((kind, fd.try_clone_to_owned()?)))
        .transpose()
}

/// Whether two streams are one: a pipe that also takes the log must not become non-blocking.
fn is_same(a: BorrowedFd<'_>, b: BorrowedFd<'_>) -> io::Result<bool> {
    let (a, b) = (fstat(a)?, fstat(b)?);
    Ok((a.st_dev, a.st_ino) == (b.st_dev, b.st_ino))
}

fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
    let socket = StdUnixStream::from(fd);
    socket.set_nonblocking(true)?;
    UnixStream::from_std(socket)
}

/// Enlarges the buffer of a pipe, so that a big message is written without waiting for the reader. Fails silently: a user may
/// have only so much memory in pipes.
pub(crate) fn grow_pipe(pipe: &impl AsFd) {
    #[cfg(target_os = "linux")]
    if rustix::pipe::fcntl_getpipe_size(pipe).is_ok_and(|size| size < PIPE_BYTES) {
        let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 256 << 10;
