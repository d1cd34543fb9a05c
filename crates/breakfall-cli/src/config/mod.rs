//! `breakfall config`: what a configuration means, all its problems, and its schema.

mod json;
mod page;

use std::path::Path;

use breakfall_gateway::config::{self, ConfigError, ProcessEnvironment};
use breakfall_gateway::serve;

use crate::args::ConfigCommand;
use crate::input;
use crate::output;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote};
use crate::server;

pub(crate) fn run(
    command: &ConfigCommand,
    terminal: Option<usize>,
) -> Result<CommandReport, CommandError> {
    match command {
        ConfigCommand::Check { file, json } => check(file, *json, terminal),
        ConfigCommand::Schema => Ok(schema()),
    }
}

fn check(file: &Path, json: bool, terminal: Option<usize>) -> Result<CommandReport, CommandError> {
    let name = input::name(file);
    let checked = if input::is_stdin(file) {
        config::Config::from_slice(
            &input::read(file, MAX_STDIN_BYTES)?,
            &name,
            &ProcessEnvironment,
        )
    } else {
        config::Config::load(file)
    };
    let width = terminal.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let unservable = checked.as_ref().ok().and_then(|config| {
        let error = serve::fits(config, server::IN_PROCESS).err()?;
        Some(CommandError::config(format!("{name}: {error}")).hint(error.fix()))
    });
    if json {
        let message = unservable.as_ref().map(|error| error.message.as_str());
        let body = ReportBody::Exact(json::answer(&name, &checked, message));
        let error = checked.as_ref().err().map(counted).or(unservable);
        return Ok(CommandReport {
            error,
            ..CommandReport::new(body)
        });
    }
    let config = checked.map_err(|problems| refused(&problems))?;
    let notes = config.notes.iter();
    let notes = notes.map(|note| ReportNote::new(note.label, &note.text));
    let body = match unservable {
        Some(_) => ReportBody::Exact(String::new()),
        None => ReportBody::Page(page::answer(&name, &config, width)),
    };
    Ok(CommandReport {
        notes: notes.collect(),
        error: unservable,
        ..CommandReport::new(body)
    })
}

/// The error of a configuration that cannot be used.
pub(crate) fn refused(problems: &ConfigError) -> CommandError {
    let mut all = problems.iter();
    if let (Some(only), None) = (all.next(), all.next())
        && only.place().is_none()
    {
        let message = format!("{}: {only}", problems.name());
        return only
            .hints()
            .fold(CommandError::config(message), CommandError::hint);
    }
    // The output removes styles again if stderr is not a terminal.
    let width = output::stderr_width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let mut page = problems.render(true, width);
    page.push('\n');
    CommandError {
        page,
        ..counted(problems)
    }
}

/// How many problems there are.
fn counted(problems: &ConfigError) -> CommandError {
    let count = match problems.len() {
        1 => "a problem".to_owned(),
        many => format!("{many} problems"),
    };
    CommandError::config(format!("{} has {count}", problems.name()))
}

fn schema() -> CommandReport {
    let mut text = serde_json::to_string_pretty(&config::schema()).unwrap_or_default();
    text.push('\n');
    CommandReport::new(ReportBody::Exact(text))
}

/// More than any configuration may have, so that the check itself reports the size.
const MAX_STDIN_BYTES: u64 = 2 << 20;

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;
