//! Shell completions and the man page, from the definitions the parser itself uses.

use std::collections::VecDeque;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Args;
use crate::report::{Body, Problem, Report};

/// The script that teaches a shell our arguments.
pub(crate) fn completions(shell: Shell) -> Report {
    let mut script = Vec::new();
    let mut command = Args::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut script);
    Report::new(Body::Exact(String::from_utf8_lossy(&script).into_owned()))
}

/// The man page of the program, followed by one for each of its commands and of theirs.
pub(crate) fn manpage() -> Result<Report, Problem> {
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
        render(page, &mut roff)
            .map_err(|error| Problem::internal(format!("cannot write the man page: {error}")))?;
    }
    // What follows the options of a page, its examples and exit codes, gets a title that says nothing.
    let roff = String::from_utf8_lossy(&roff).replace(".SH EXTRA", ".SH NOTES");
    Ok(Report::new(Body::Exact(roff)))
}

fn render(command: clap::Command, roff: &mut Vec<u8>) -> std::io::Result<()> {
    let source = concat!("breakfall ", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).render(roff)
}
