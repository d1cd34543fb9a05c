//! What `breakfall run` costs: the same calls to a server directly and through it, in one run.
//!
//! Times say more about the machine than about the code, so what counts is the difference to the bare server, and both
//! take turns, so that whatever else the machine does hits both.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

mod child;
mod client;
mod find;
mod load;
mod measure;
mod process;
mod pump;
mod report;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use find::Found;
use measure::{Own, Plan};
use report::Report;

/// Measures what `breakfall run` adds to a server.
#[derive(Debug, Parser)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// How often bare and through take turns.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How many calls of 1 kB one after the other in a round; the other loads are in proportion.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(10..))]
    calls: u32,
    /// How often each is started.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    starts: u32,
    /// For how many seconds nothing is asked, to see what the gateway does then.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    idle: u64,
    /// The breakfall to measure; else the one of this checkout is built.
    #[arg(long, value_name = "FILE")]
    breakfall: Option<PathBuf>,
    /// A server of yours to measure as well, with its arguments. Needs --call.
    #[arg(last = true, value_name = "SERVER", requires = "call")]
    server: Vec<String>,
    /// What to call there: the parameters of `tools/call`.
    #[arg(long, value_name = "JSON", requires = "server")]
    call: Option<String>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Fail when a bar is missed.
    #[arg(long)]
    strict: bool,
    /// Report even if the bare server looks slower than behind the gateway. For tests of the bench.
    #[arg(long)]
    anyway: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The server that is measured: answers `tools/call` as fast as it can.
    #[command(hide = true)]
    Child,
    /// The least a program in between can be: copies bytes.
    #[command(hide = true)]
    Pump {
        /// The server behind it.
        #[arg(last = true, required = true)]
        server: Vec<String>,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.command {
        Some(Command::Pump { server }) => pump::run(server).map(|()| true).map_err(Into::into),
        Some(Command::Child) => child::serve().map(|()| true).map_err(Into::into),
        None => bench(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench-wire: {error}");
            ExitCode::from(2)
        }
    }
}

/// False if a bar is missed and that matters.
fn bench(args: &Args) -> Result<bool, Box<dyn Error>> {
    let found = match &args.breakfall {
        Some(breakfall) => Found::beside(breakfall)?,
        None => Found::built()?,
    };
    let plan = Plan {
        rounds: args.rounds,
        calls: args.calls,
        starts: args.starts,
        idle: Duration::from_secs(args.idle),
    };
    if found.everything.is_none() {
        eprintln!(
            "server-everything is not measured: its files are not in target/tools; `./check tools` installs them"
        );
    }
    if args.strict && found.minimal.is_none() {
        return Err(
            "there is no `minimal` beside that breakfall, for which there are bars; build it: \
                    cargo build --release -p minimal"
                .into(),
        );
    }
    let own = args.call.as_ref().map(|params| Own {
        command: args.server.clone(),
        params: params.clone(),
    });
    let seen = measure::all(&found, own.as_ref(), &plan)?;
    let report = Report::of(&seen, args.anyway)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    Ok(report.is_passed() || !args.strict)
}
