//! The `breakfall` binary: arguments → a command → its report, printed → an exit code.

#[cfg(target_os = "linux")] // Where it was measured.
mod allocator;
mod exit;
mod report;
mod layout;
mod shell;
mod output;
mod input;
mod signals;
mod inspection;
mod args;
mod log;
mod server;
mod store_file;
mod config;
mod explain;
mod convert;
mod generate;
mod run;
mod serve;
mod call;
mod client_file;
mod init;
mod doctor;
mod quota;

use std::panic::{self, UnwindSafe};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, ColorMode, Command};
use report::{CommandError, CommandReport};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    allocator::configure();
    output::use_colours(ColorMode::of(std::env::args_os()).into());
    let exit = match Args::try_parse() {
        Ok(args) => {
            // Arguments of a server may look like the option.
            output::use_colours(args.color.into());
            let result = catch_panic(|| run(args));
            log::flush();
            output::deliver(result)
        }
        Err(error) => args::usage(error),
    };
    exit.into()
}

fn run(args: Args) -> Result<CommandReport, CommandError> {
    match args.command {
        Command::Run(args) => args.server.check().and_then(|()| run::run(&args)),
        Command::Serve(args) => serve::run(&args),
        Command::Call(args) => call::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Explain(args) => explain::run(&args, output::terminal_width()),
        Command::Convert(args) => convert::run(&args),
        Command::Quota(args) => quota::run(&args, output::terminal_width()),
        Command::Config { command } => config::run(&command, output::terminal_width()),
        Command::Completions { shell } => Ok(generate::completions(shell)),
        Command::Manpage { dir } => match dir {
            Some(dir) => generate::manpages(&dir),
            None => generate::manpage(),
        },
    }
}

/// A panic is a defect of Breakfall and ends with the exit code for one.
fn catch_panic(
    command: impl FnOnce() -> Result<CommandReport, CommandError> + UnwindSafe,
) -> Result<CommandReport, CommandError> {
    panic::catch_unwind(command).unwrap_or_else(|_| {
        let error = CommandError::internal("this is a defect of breakfall, not of your input");
        Err(error.hint("please report it where you got breakfall from, with the input"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::CommandExit;

    #[test]
    fn a_panic_is_an_internal_error() {
        let result = catch_panic(|| panic!("on purpose"));
        assert_eq!(
            result.map_err(|error| error.exit).err(),
            Some(CommandExit::Internal)
        );
    }
}
