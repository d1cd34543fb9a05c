//! Shell completions and the man page, from the definitions the parser itself uses.

use std::collections::VecDeque;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Args;
use crate::report::{CommandError, CommandReport, ReportBody};

/// The completion script of a shell.
pub(crate) fn completions(shell: Shell) -> CommandReport {
    let mut script = Vec::new();
    let mut command = Args::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut script);
    CommandReport::new(ReportBody::Exact(
        String::from_utf8_lossy(&script).into_owned(),
    ))
}

/// The man page of the program, then one for each command and subcommand.
pub(crate) fn manpage() -> Result<CommandReport, CommandError> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let mut roff = Vec::new();
    let mut pages = VecDeque::from([command]);
    while let Some(page) = pages.pop_front() {
        let commands = page.get_subcommands();
        pages.extend(
            commands
                .filter(|command| command.get_name() != "help")
                .cloned(),
        );
        render(page, &mut roff).map_err(|error| {
            CommandError::internal(format!("cannot write the man page: {error}"))
        })?;
    }
    // The section after the options, with examples and exit codes, would be titled EXTRA.
    let roff = String::from_utf8_lossy(&roff).replace(".SH EXTRA", ".SH NOTES");
    Ok(CommandReport::new(ReportBody::Exact(roff)))
}

fn render(command: clap::Command, roff: &mut Vec<u8>) -> std::io::Result<()> {
    let source = concat!("breakfall ", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).render(roff)
}
