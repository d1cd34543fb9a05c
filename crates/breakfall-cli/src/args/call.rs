//! The arguments of `call`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Log, Server, exit, header, variable};

/// Call one tool of a server and say what came of it
///
/// Starts the server, calls the tool, and ends the server; one with an address runs already. The result goes to stdout; progress, the server's own log and
/// whatever went wrong go to stderr.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(
    override_usage = USAGE,
    after_help = CALL,
    after_long_help = format!("{CALL}\n\n{}", exit::HELP)
)]
pub(crate) struct Call {
    /// The address of the server, unless it is the demo; the tool, and its arguments as a JSON object
    #[arg(value_name = "URL TOOL [JSON]")]
    pub(crate) words: Vec<String>,

    /// The server, then the tool, then its arguments as a JSON object
    ///
    /// A last word that begins with { is the arguments, and the word before it the tool. Otherwise the last word is the
    /// tool, and there are no arguments. With --tool or --list all words belong to the server.
    #[arg(last = true, value_name = "COMMAND... TOOL [JSON]")]
    pub(crate) command: Vec<OsString>,

    /// Call a tool of a built-in shop whose tools fail in every way there is
    #[arg(long)]
    pub(crate) demo: bool,

    /// List the tools of the server, with their arguments
    #[arg(long, short, conflicts_with_all = ["tool", "args", "arg"])]
    pub(crate) list: bool,

    /// The tool, where the words do not say it
    #[arg(long)]
    pub(crate) tool: Option<String>,

    /// The arguments, where the words do not say them: JSON, @FILE, or - for standard input
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) args: Option<String>,

    /// One argument more. Its value becomes a number or a boolean where the tool wants one
    #[arg(long, short, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) arg: Vec<(String, String)>,

    /// What to answer if the server asks something: JSON, @FILE, or -; without it the server hears no
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) answer: Option<String>,

    /// A header for a server with an address
    #[arg(long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,

    /// Certificates to trust beside those of this machine, for a server with an address: a file in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,

    /// Write the whole result as the server sent it, or the tools with --list
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not show progress and the messages the server logs
    #[arg(long, short)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) server: Server,

    #[command(flatten, next_help_heading = "Log, on stderr")]
    pub(crate) log: Log,
}

const USAGE: &str = "\
breakfall call [OPTIONS] -- COMMAND... TOOL [JSON]
       breakfall call [OPTIONS] URL TOOL [JSON]
       breakfall call [OPTIONS] --demo TOOL [JSON]
       breakfall call --list -- COMMAND...
       breakfall call --list URL";

const CALL: &str = "\
Examples:
  breakfall call --demo tour
  breakfall call --list -- npx -y @modelcontextprotocol/server-everything
  breakfall call -- npx -y @modelcontextprotocol/server-everything echo '{\"message\":\"hello\"}'
  breakfall call -a timezone=Asia/Tokyo -- uvx mcp-server-time get_current_time
  breakfall call http://127.0.0.1:7332/mcp search_products '{\"query\":\"belt\"}'
  breakfall call --tool search --args @query.json -- ./server --port 0";
