//! The arguments of `init`.

use std::path::PathBuf;

/// Put Breakfall in front of the servers of Claude Desktop, Claude Code, Cursor or VS Code
///
/// Edits the file in which a client lists its servers: each command gets `breakfall run --` in front. The difference is shown
/// first; comments and order stay, and the file before is kept beside it. Servers that are reached by URL are left alone.
#[derive(Debug, clap::Args)]
#[command(after_help = INIT)]
pub(crate) struct InitArgs {
    /// The file of a client; without it, those in the documented places of each client, and of this directory
    #[arg(value_name = "CLIENT-FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Take Breakfall away again
    #[arg(long)]
    pub(crate) undo: bool,

    /// Write without asking
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show the difference, and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
}

const INIT: &str = "\
Examples:
  breakfall init
  breakfall init --dry-run .vscode/mcp.json
  breakfall init --undo ~/.cursor/mcp.json";
