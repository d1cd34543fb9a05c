//! Where an upstream server runs.

use std::fmt;

use breakfall_mcp::http_client::RemoteServer;
use breakfall_mcp::process::ServerCommand;
use tokio::io::DuplexStream;

/// Where a server runs.
#[non_exhaustive]
pub enum Origin {
    /// A child process, over its standard streams.
    Program(ServerCommand),
    /// A remote server, over HTTP.
    Remote(RemoteServer),
    /// A server inside this process. The function starts it and returns the gateway's end of its stream.
    Inside(Box<dyn Fn() -> DuplexStream + Send + Sync>),
}

impl Origin {
    /// A server inside this process. The function serves one stream on a task of its own.
    pub fn in_process(serve: fn(DuplexStream)) -> Self {
        Self::Inside(Box::new(move || {
            let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
            serve(theirs);
            ours
        }))
    }
}

/// The servers that can run inside this process, supplied by the program that assembles the gateway.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a program must supply every kind"
)]
pub struct InProcessServers {
    /// Serves an upstream with `demo: true`.
    pub demo: fn(DuplexStream),
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => program.fmt(f),
            Self::Remote(remote) => remote.fmt(f),
            Self::Inside(_) => f.write_str("Inside"),
        }
    }
}

/// The capacity of a pipe on Linux.
const PIPE_BYTES: usize = 64 << 10;
