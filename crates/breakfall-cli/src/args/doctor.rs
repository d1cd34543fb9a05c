//! The arguments of `doctor`.

use std::path::PathBuf;
use std::time::Duration;

use super::duration;

/// Start each configured server, and say what is wrong with it and how to fix it
///
/// Reads a configuration of Breakfall or the file of a client, starts every server in it, or connects to its URL, and lists its
/// tools. No tool is called. Values of variables and headers are never printed.
#[derive(Debug, clap::Args)]
#[command(after_help = DOCTOR)]
pub(crate) struct DoctorArgs {
    /// A configuration, or the file of a client (.json) [default: breakfall.yaml here, or the user's files of clients]
    pub(crate) file: Option<PathBuf>,

    /// Check only these servers
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Vec<String>,

    /// How long a server may take to answer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1m")]
    pub(crate) timeout: Duration,

    /// Write JSON: each server, and what is wrong with it
    #[arg(long)]
    pub(crate) json: bool,
}

const DOCTOR: &str = "\
Examples:
  breakfall doctor
  breakfall doctor breakfall.yaml --server files
  breakfall doctor ~/.cursor/mcp.json";
