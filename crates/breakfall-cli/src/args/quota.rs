//! The arguments of `quota`.

use std::path::PathBuf;

use super::{DEFAULT_CONFIG, file};

/// Show how much of each quota of a gateway is used
///
/// Reads what the gateway of a configuration has stored, in the windows of now. What a running gateway has counted in the last
/// tenth of a second may be missing. Of rate limits only the settings are shown: their state is in the memory of the gateway.
#[derive(Debug, clap::Args)]
#[command(after_help = QUOTA)]
pub(crate) struct QuotaArgs {
    /// The configuration of the gateway
    #[arg(long, short, value_name = "FILE", value_parser = file(), default_value = DEFAULT_CONFIG)]
    pub(crate) config: PathBuf,

    /// Write JSON: for each upstream its rate limits and quotas
    #[arg(long)]
    pub(crate) json: bool,
}

const QUOTA: &str = "\
Examples:
  breakfall quota
  breakfall quota -c my.yaml --json";
