//! The `breakfall` binary: arguments → a command → its report, printed → an exit code.

mod args;
mod call;
mod config;
mod convert;
mod exit;
mod explain;
mod generate;
mod log;
mod out;
mod report;
mod run;
mod serve;
mod server;
mod shell;
mod text;

use std::panic::{self, UnwindSafe};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use report::{Problem, Report};

/// The system's allocator keeps what a burst of big answers took, for ever: 18 MB after 64 of 100 kB at once, where this
/// one goes back to 4. How soon is set in `.cargo/config.toml`.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let exit = match Args::try_parse() {
        Ok(args) => {
            let result = guard(|| run(args));
            log::flush();
            out::deliver(result)
        }
        Err(error) => out::usage(error),
    };
    exit.into()
}

fn run(args: Args) -> Result<Report, Problem> {
    match args.command {
        Command::Run(args) => args.server.check().and_then(|()| run::run(&args)),
        Command::Serve(args) => serve::run(&args),
        Command::Call(args) => call::run(&args),
        Command::Explain(args) => explain::run(&args, out::terminal_width()),
        Command::Convert(args) => convert::run(&args),
        Command::Config { command } => config::run(&command, out::terminal_width()),
        Command::Completions { shell } => Ok(generate::completions(shell)),
        Command::Manpage => generate::manpage(),
    }
}

/// A panic is a defect of ours and ends as one, with the exit code we promise for it.
fn guard(
    command: impl FnOnce() -> Result<Report, Problem> + UnwindSafe,
) -> Result<Report, Problem> {
    panic::catch_unwind(command).unwrap_or_else(|_| {
        let problem = Problem::internal("this is a defect of breakfall, not of your input");
        Err(problem.hint("please report it where you got breakfall from, with the input"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    #[test]
    fn a_panic_is_an_internal_error() {
        let result = guard(|| panic!("on purpose"));
        assert_eq!(
            result.map_err(|problem| problem.exit).err(),
            Some(Exit::Internal)
        );
    }
}
