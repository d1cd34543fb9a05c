//! `breakfall init`: puts `breakfall run` in front of the servers in the file of a client, or takes it away.

mod diff;
mod edit;
mod write;

use std::io::IsTerminal as _;
use std::path::PathBuf;

use breakfall_mcp::jsonrpc::{Edit, edited};

use crate::args::InitArgs;
use crate::client_file::{self, ClientFile};
use crate::layout::TextSheet;
use crate::output;
use crate::report::{CommandError, CommandReport, ReportNote};
use crate::shell;
use edit::ServerChange;

pub(crate) fn run(args: &InitArgs) -> Result<CommandReport, CommandError> {
    let paths = paths(args)?;
    let mut broken: Vec<CommandError> = Vec::new();
    let mut plans = Vec::new();
    for path in paths {
        let read = ClientFile::read(&path);
        // A client may have listed no server yet; another file was named by mistake.
        let checked = read.and_then(|file| match &args.file {
            Some(_) => file.check().map(|()| file),
            None => Ok(file),
        });
        match checked {
            Ok(file) => plans.push(FilePlan::of(file, args.undo)),
            Err(error) => broken.push(error),
        }
    }
    for plan in &plans {
        output::announce(&plan.page());
    }
    let wanted: Vec<&FilePlan> = plans.iter().filter(|plan| !plan.edits.is_empty()).collect();
    if !wanted.is_empty() && is_confirmed(args)? {
        for plan in wanted {
            if let Err(error) = plan.write() {
                broken.push(error);
            }
        }
    }
    let last = broken.pop();
    for error in &broken {
        output::fail(error);
    }
    last.map_or_else(|| Ok(CommandReport::empty()), Err)
}

/// The file of the command line, or those in the documented places.
fn paths(args: &InitArgs) -> Result<Vec<PathBuf>, CommandError> {
    if let Some(file) = &args.file {
        return Ok(vec![file.clone()]);
    }
    let found = client_file::found();
    if found.is_empty() {
        let error = CommandError::input("no client has a file in its documented place");
        let places = client_file::documented();
        let places: Vec<_> = places
            .iter()
            .map(|place| place.display().to_string())
            .collect();
        return Err(error
            .fact("looked for", places.join("\n"))
            .hint("name the file: breakfall init FILE"));
    }
    Ok(found)
}

/// Whether the changes are to be written.
fn is_confirmed(args: &InitArgs) -> Result<bool, CommandError> {
    if args.dry_run {
        output::note(&ReportNote::new("note", "nothing was written: --dry-run"));
        return Ok(false);
    }
    if args.yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        let error = CommandError::input("nothing was written: there is no terminal to ask at");
        return Err(error.hint("--yes writes without asking"));
    }
    let is_confirmed = output::confirm("Write this?");
    if !is_confirmed {
        output::note(&ReportNote::new("note", "nothing was written"));
    }
    Ok(is_confirmed)
}

/// A file, and what is to become of it.
struct FilePlan {
    file: ClientFile,
    /// In the order of the file.
    edits: Vec<Edit>,
    /// Each server, and what happens to it.
    rows: Vec<[String; 2]>,
}

impl FilePlan {
    fn of(file: ClientFile, is_undo: bool) -> Self {
        let program = if client_file::is_shared(&file.path) {
            shell::shared_program()
        } else {
            shell::program_path()
        };
        let mut edits: Vec<Edit> = Vec::new();
        let mut rows = Vec::new();
        for server in file.servers() {
            let change = if is_undo {
                edit::unwrap(&file.text, &server)
            } else {
                edit::wrap(&file.text, &server, &program)
            };
            let words = match change {
                ServerChange::Edited {
                    edits: more,
                    dropped,
                } => {
                    edits.extend(more);
                    changed(is_undo, &dropped)
                }
                ServerChange::Left(reason) => format!("left alone: {reason}"),
            };
            rows.push([server.shown(), words]);
        }
        edits.sort_by_key(|(at, _)| (at.start, at.end));
        Self { file, edits, rows }
    }

    fn page(&self) -> String {
        let width = output::terminal_width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
        let mut sheet = TextSheet::new(width);
        let beside = self.file.kind.name().unwrap_or_default();
        sheet.title(
            &output::printable(&self.file.path.display().to_string()),
            beside,
        );
        if self.rows.is_empty() {
            sheet.line("it lists no servers");
        }
        let rows = self
            .rows
            .iter()
            .map(|row| row.each_ref().map(|cell| output::printable(cell)));
        sheet.table("Servers", &rows.collect::<Vec<_>>());
        format!(
            "{}{}\n",
            sheet.finish(),
            diff::page(&self.file, &self.edits)
        )
    }

    fn write(&self) -> Result<(), CommandError> {
        let text = edited(&self.file.text, &self.edits);
        let backup = write::replace(&self.file, &text)?;
        let wrote = format!("{}; before: {}", self.file.path.display(), backup.display());
        output::note(&ReportNote::new("wrote", wrote));
        let client = self.file.kind.name().unwrap_or("the client");
        output::note(&ReportNote::new(
            "note",
            format!("start {client} again to use it"),
        ));
        Ok(())
    }
}

fn changed(is_undo: bool, dropped: &[String]) -> String {
    match (is_undo, dropped.is_empty()) {
        (false, _) => "gets breakfall in front".to_owned(),
        (true, true) => "starts without breakfall again".to_owned(),
        (true, false) => {
            let options = crate::server::shown(&dropped.iter().map(Into::into).collect::<Vec<_>>());
            format!(
                "starts without breakfall again; this goes too: {}",
                shell::line(&options)
            )
        }
    }
}

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;
