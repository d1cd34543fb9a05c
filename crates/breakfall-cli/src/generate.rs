//! Shell completions and the man page, from the definitions the parser itself uses.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Args;
use crate::exit::CommandExit;
use crate::report::{CommandError, CommandReport, ReportBody, io_reason};

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
    let pages = pages()?.into_iter().map(|page| page.roff);
    Ok(CommandReport::new(ReportBody::Exact(pages.collect())))
}

/// Writes each man page into a file of a directory.
pub(crate) fn manpages(dir: &Path) -> Result<CommandReport, CommandError> {
    let pages = pages()?;
    let failed = |path: &Path, error: &io::Error| {
        let message = format!("cannot write {}: {}", path.display(), io_reason(error));
        CommandError::new(CommandExit::Output, message)
    };
    fs::create_dir_all(dir).map_err(|error| failed(dir, &error))?;
    for page in &pages {
        let path = dir.join(&page.file);
        fs::write(&path, &page.roff).map_err(|error| failed(&path, &error))?;
    }
    Ok(CommandReport::empty())
}

/// A man page.
struct ManPage {
    /// The name of its file.
    file: String,
    roff: String,
}

fn pages() -> Result<Vec<ManPage>, CommandError> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    let mut commands = VecDeque::from([command]);
    while let Some(command) = commands.pop_front() {
        let below = command.get_subcommands();
        commands.extend(
            below
                .filter(|command| command.get_name() != "help")
                .cloned(),
        );
        let page = Man::new(command).source(concat!("breakfall ", env!("CARGO_PKG_VERSION")));
        let mut roff = Vec::new();
        page.render(&mut roff).map_err(|error| {
            CommandError::internal(format!("cannot write the man page: {error}"))
        })?;
        // The section after the options, with examples and exit codes, would be titled EXTRA.
        let roff = String::from_utf8_lossy(&roff).replace(".SH EXTRA", ".SH NOTES");
        let file = page.get_filename();
        pages.push(ManPage { file, roff });
    }
    Ok(pages)
}
