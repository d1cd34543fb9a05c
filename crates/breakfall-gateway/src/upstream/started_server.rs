//! Starts an upstream server, and connects to it.

use std::sync::Arc;

use breakfall_mcp::access::Credentials;
use breakfall_mcp::connection::{Listener, Peer, PeerRole};
use breakfall_mcp::http_client::RemoteServer;
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::process::{ServerProcess, SpawnError, StderrTail};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Origin, Upstream};

/// A started server.
pub(crate) enum StartedServer {
    /// A server that exchanges lines.
    Lines {
        reader: Box<dyn AsyncRead + Send + Unpin>,
        writer: Box<dyn AsyncWrite + Send + Unpin>,
        /// Its process, if it has one.
        process: Option<ServerProcess>,
    },
    /// A remote server, with the credentials for it.
    Remote(RemoteServer, Option<Credentials>),
}

impl StartedServer {
    /// Connects to it.
    pub(crate) fn connect(
        self,
        limits: FrameLimits,
        listener: Arc<dyn Listener>,
    ) -> (Peer, Option<ServerProcess>) {
        match self {
            Self::Lines {
                reader,
                writer,
                process,
            } => {
                let server = Peer::start(PeerRole::Server, reader, writer, limits, listener);
                (server, process)
            }
            Self::Remote(remote, credentials) => {
                let server = breakfall_mcp::http_client::connect(
                    remote,
                    credentials.as_ref(),
                    limits,
                    listener,
                );
                (server, None)
            }
        }
    }
}

impl Upstream {
    /// Starts the server. Its stderr goes to the log and to `ring`. Credentials are sent only to a remote server that
    /// passes on those of its callers.
    pub(crate) fn start(
        &self,
        ring: &Arc<StderrTail>,
        credentials: Option<&Credentials>,
    ) -> Result<StartedServer, SpawnError> {
        match &self.origin {
            Origin::Program(program) => {
                let child = program.start(&self.name, ring)?;
                Ok(StartedServer::Lines {
                    reader: child.reader,
                    writer: child.writer,
                    process: Some(child.process),
                })
            }
            Origin::Remote(remote) => {
                Ok(StartedServer::Remote(remote.clone(), credentials.cloned()))
            }
            Origin::Inside(start) => {
                let (reader, writer) = tokio::io::split(start());
                Ok(StartedServer::Lines {
                    reader: Box::new(reader),
                    writer: Box::new(writer),
                    process: None,
                })
            }
        }
    }
}
