//! All servers as one for a single client over stdio.

use tokio::io::{AsyncRead, AsyncWrite};

use super::{Control, ServeOptions, StartError, end_servers, new_state};
use crate::config::Config;
use crate::session::ClientStream;
use breakfall_mcp::access::Principal;

/// Serves one client that sends lines, until it closes its end or [`Control::stop`], and ends every server that was
/// started.
///
/// # Errors
/// When a server of the configuration cannot be used.
pub async fn serve_lines<R, W>(
    config: Config,
    reader: R,
    writer: W,
    control: Control,
    options: ServeOptions,
) -> Result<(), StartError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (limits, drain) = (config.limits.of_requests(), config.drain);
    let state = new_state(config, options)?;
    let site = state.site();
    let (listener, run) = site.all().connect(&Principal::Anonymous, None);
    let client = ClientStream::start(reader, writer, limits, listener);
    let servers = run(client.peer());
    tokio::select! {
        () = client.ended() => {}
        () = control.stopped() => {}
    }
    client.drain(drain, control.hurried()).await;
    drop(servers);
    end_servers(&state, &control).await;
    client.finish().await;
    Ok(())
}
