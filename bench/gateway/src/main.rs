//! What `breakfall serve` costs: the same calls to a server directly, through nginx, through Breakfall and through a
//! peer, in one run.
//!
//! Times say more about the machine than about the code, so what counts is the ratio to the others in the same run,
//! and all take turns.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a bench waits for programs and prints what it saw"
)]

mod answer;
mod find;
mod http;
mod measure;
mod report;
mod server;
mod sides;
mod wrk;

use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use find::Found;
use measure::Plan;
use report::Report;

/// Measures what `breakfall serve` costs.
#[derive(Debug, Parser)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// How often all take turns.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How many seconds each is called in a turn.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// The breakfall to measure; else the one of this checkout is built.
    #[arg(long, value_name = "FILE")]
    breakfall: Option<PathBuf>,
    /// Another breakfall to measure in the same run, for the ratio of the two.
    #[arg(long, value_name = "FILE")]
    before: Option<PathBuf>,
    /// Install wrk and nginx if they are missing (so does CI=true).
    #[arg(long)]
    yes: bool,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Fail when a bar is missed.
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The server that is measured, over HTTP.
    #[command(hide = true)]
    Serve {
        /// Where.
        address: SocketAddr,
    },
    /// The server that is measured, on the standard streams.
    #[command(hide = true)]
    Stdio,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.command {
        Some(Command::Serve { address }) => {
            server::http(*address).map(|()| true).map_err(Into::into)
        }
        Some(Command::Stdio) => server::stdio().map(|()| true).map_err(Into::into),
        None => bench(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench-gateway: {error}");
            ExitCode::from(2)
        }
    }
}

/// False if a bar is missed and that matters.
fn bench(args: &Args) -> Result<bool, Box<dyn Error>> {
    let may_install = args.yes || std::env::var_os("CI").is_some_and(|value| value == "true");
    let found = Found::all(args.breakfall.as_deref(), may_install)?;
    let directory = tempfile::tempdir()?;
    let plan = Plan {
        rounds: args.rounds,
        time: Duration::from_secs(args.seconds),
    };
    let report = Report::of(&measure::all(
        &found,
        args.before.as_deref(),
        directory.path(),
        &plan,
    )?)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let config = sides::nginx_config(Path::new("DIRECTORY"), address, address);
        println!(
            "nginx has this configuration (ports and directory are new in each run):\n\n{config}"
        );
        print!("{report}");
    }
    Ok(report.is_passed() || !args.strict)
}
