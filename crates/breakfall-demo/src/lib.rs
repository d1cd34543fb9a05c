//! A small shop to try the gateway on: an MCP server inside the process.
//!
//! It speaks both eras of the protocol over a stream of bytes, like any other server. Half of its tools work; the others
//! fail as servers in the wild fail. It does not use the errors of this project: the gateway translates them.
//!
//! The server is a state machine: a line and the time go in, lines come out.
//! Runs are deterministic, and each connection starts with a fresh shop.

mod message;
mod log_level;
mod request;
mod shop;
mod resources;
mod prompts;
mod delayed;
mod elicitation;
mod subscriptions;
mod tools;
mod server;
mod methods;

use std::future::pending;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, DuplexStream};
use tokio::time::{Instant, sleep_until};

use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::lines::LineReader;

use crate::server::ShopServer;

/// Serves one connection until the client closes it or calls the tool that crashes.
///
/// ```
/// use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let (here, there) = tokio::io::duplex(1 << 16);
/// let (reader, writer) = tokio::io::split(there);
/// let client = async {
///     let (answers, mut requests) = tokio::io::split(here);
///     requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await?;
///     let mut answer = String::new();
///     BufReader::new(answers).read_line(&mut answer).await?;
///     Ok::<_, std::io::Error>(answer)
/// };
/// let answer = tokio::select! {
///     answer = client => answer?,
///     () = breakfall_demo::serve(reader, writer) => unreachable!("the client is connected"),
/// };
/// assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub async fn serve<R, W>(reader: R, mut writer: W)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut lines = LineReader::new(reader, FrameLimits::REQUEST.size);
    let mut server = ShopServer::new();
    loop {
        tokio::select! {
            // Requests come before timers that are due at the same moment.
            biased;
            line = lines.next() => match line {
                Ok(Some(line)) => server.receive(line, Instant::now()),
                Ok(None) | Err(_) => server.close(),
            },
            () = until(server.wake()) => server.tick(Instant::now()),
        }
        let written = writer.write_all(&server.take()).await;
        if written.is_err() || writer.flush().await.is_err() || server.is_over() {
            break;
        }
    }
    // The client may have closed its end already.
    let _ = writer.shutdown().await;
}

/// Serves one connection on a task of its own.
pub fn spawn(stream: DuplexStream) {
    let (reader, writer) = tokio::io::split(stream);
    tokio::spawn(serve(reader, writer));
}

async fn until(wake: Option<Instant>) {
    match wake {
        Some(instant) => sleep_until(instant).await,
        None => pending().await,
    }
}
