//! The arguments of `call`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{LogArgs, ServerArgs, header, variable};

/// Call one tool of a server and show the result
///
/// Starts the server, calls the tool, and ends the server; a server with a URL runs already. The result goes to stdout;
/// progress, the log of the server and errors go to stderr.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(override_usage = USAGE, after_help = CALL)]
pub(crate) struct CallArgs {
    /// The URL of the server, unless it is the demo; the tool, and its arguments as a JSON object
    #[arg(value_name = "URL TOOL [JSON]")]
    pub(crate) words: Vec<String>,

    /// The server, then the tool, then its arguments as a JSON object
    ///
    /// A last word that begins with { is the arguments, and the word before it the tool. Otherwise the last word is the
    /// tool, and there are no arguments. With --tool or --list all words belong to the server.
    #[arg(last = true, value_name = "COMMAND... TOOL [JSON]")]
    pub(crate) command: Vec<OsString>,

    /// Call a tool of the built-in demo shop, whose tools fail in every way there is
    #[arg(long)]
    pub(crate) demo: bool,

    /// List the tools of the server, with their arguments
    #[arg(long, short, conflicts_with_all = ["tool", "args", "arg"])]
    pub(crate) list: bool,

    /// The name of the tool, if it is not among the words
    #[arg(long)]
    pub(crate) tool: Option<String>,

    /// The arguments of the tool, if not among the words: JSON, @FILE, or - for standard input
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) args: Option<String>,

    /// One more argument. Its value becomes a number or a boolean where the schema of the tool asks for one
    #[arg(long, short, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) arg: Vec<(String, String)>,

    /// The answer if the server asks for input: JSON, @FILE, or -; without it the request is declined
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) answer: Option<String>,

    /// A header for a server with a URL
    #[arg(long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,

    /// Certificates to trust besides those of this machine, for a server with a URL: a file in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,

    /// Write the whole result as the server sent it, or the tools with --list
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not show progress and log messages of the server
    #[arg(long, short)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,

    #[command(flatten, next_help_heading = "Log, on stderr")]
    pub(crate) log: LogArgs,
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
