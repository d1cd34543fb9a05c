//! All servers as one for a single client, over lines.

use tokio::io::{AsyncRead, AsyncWrite};

use super::{Control, ServeOptions, Unserved, end, served};
use crate::config::Config;
use crate::session::ClientStream;
use breakfall_mcp::access::Principal;

/// Serves one client that speaks in lines, until it hangs up or [`Control::stop`], and ends everything that was
/// started for it.
///
/// # Errors
/// When a server of the configuration is of a kind that cannot be served.
pub async fn serve_lines<R, W>(
    config: Config,
    reader: R,
    writer: W,
    control: Control,
    options: ServeOptions,
) -> Result<(), Unserved>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (limits, drain) = (config.limits.of_requests(), config.drain);
    let served = served(config, options)?;
    let site = served.site();
    let (listener, keep) = site.all().open(&Principal::Anybody);
    let client = ClientStream::start(reader, writer, limits, listener);
    let servers = keep(client.peer());
    tokio::select! {
        () = client.ended() => {}
        () = control.stopped() => {}
    }
    client.drain(drain, control.hurried()).await;
    drop(servers);
    end(&served, &control).await;
    client.finish().await;
    Ok(())
}
