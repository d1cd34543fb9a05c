//! The arguments of `serve`.

use std::path::PathBuf;

use breakfall_gateway::config::ListenAddress;

use super::{LogArgs, file};

/// Serve many servers at one address, to any client that speaks MCP over HTTP
///
/// All servers of a configuration are at /mcp, each alone is at /mcp/NAME. The configuration is read again when it changes,
/// and on SIGHUP; SIGTERM, SIGQUIT and Ctrl-C let open calls finish first, a second signal does not.
#[derive(Debug, clap::Args)]
#[command(after_help = SERVE)]
pub(crate) struct ServeArgs {
    /// The configuration to serve; without it breakfall.yaml, or if there is none a demo shop whose tools fail in every way there is
    #[arg(long, short, value_name = "FILE", value_parser = file(), conflicts_with = "demo")]
    pub(crate) config: Option<PathBuf>,

    /// Serve the demo shop, also if there is a breakfall.yaml
    #[arg(long)]
    pub(crate) demo: bool,

    /// The address to listen on, in place of the configuration's; port 0 picks a free port [default: 127.0.0.1:7332]
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) listen: Option<ListenAddress>,

    /// Serve one client on the standard streams, and do not listen
    #[arg(long, conflicts_with = "listen")]
    pub(crate) stdio: bool,

    #[command(flatten, next_help_heading = "Log, on stderr")]
    pub(crate) log: LogArgs,
}

const SERVE: &str = "\
Examples:
  breakfall serve
  breakfall serve -c breakfall.yaml
  breakfall serve -c breakfall.yaml --listen 127.0.0.1:8080
In the configuration of a client:
  { \"url\": \"http://127.0.0.1:7332/mcp\" }
Of one that only starts programs:
  { \"command\": \"breakfall\", \"args\": [\"serve\", \"--stdio\", \"-c\", \"/path/to/breakfall.yaml\"] }";
