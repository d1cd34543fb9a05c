//! A small shop to try the gateway on: an MCP server inside the process, good and bad on purpose.
//!
//! It is reached like any other upstream, through a stream of bytes, and it speaks both eras of the protocol. Half of
//! its tools work; the others fail the way servers in the wild fail, in their words and with their manners. Nothing in
//! it knows the errors of this project: turning one into the other is what there is to see.
//!
//! It is a state machine: a line and the time go in, lines come out.
//! No two runs differ, and a new connection finds the shop as it was at first.

mod ask;
mod lines;
mod log;
mod message;
mod method;
mod prompts;
mod request;
mod resources;
mod running;
mod server;
mod shop;
mod tools;
mod watch;

use std::future::pending;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::time::{Instant, sleep_until};

use lines::Lines;
use server::Server;

/// Serves one connection until the other side closes it, or until somebody calls the tool that crashes.
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
///     () = breakfall_gateway::demo::serve(reader, writer) => unreachable!("nobody hung up"),
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
    let mut lines = Lines::new(reader);
    let mut server = Server::new();
    loop {
        tokio::select! {
            // What was asked first is heard first, also when something else is due at the same moment.
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
    // Whoever reads may be gone already, and there is nobody left to tell.
    let _ = writer.shutdown().await;
}

async fn until(wake: Option<Instant>) {
    match wake {
        Some(instant) => sleep_until(instant).await,
        None => pending().await,
    }
}
