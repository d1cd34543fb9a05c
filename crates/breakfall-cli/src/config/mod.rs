//! `breakfall config`: what a configuration means, everything that is wrong with it, and its schema.

mod json;
mod page;

use std::io::{self, Read};
use std::path::Path;

use breakfall_gateway::config::{self, Machine, Problems};
use breakfall_gateway::serve;

use crate::args::Config as Command;
use crate::out::{self, reason};
use crate::report::{Body, Note, Problem, Report};

pub(crate) fn run(command: &Command, terminal: Option<usize>) -> Result<Report, Problem> {
    match command {
        Command::Check { file, json } => check(file, *json, terminal),
        Command::Schema => Ok(schema()),
    }
}

fn check(file: &Path, json: bool, terminal: Option<usize>) -> Result<Report, Problem> {
    let name = if is_stdin(file) {
        STDIN.to_owned()
    } else {
        file.display().to_string()
    };
    let checked = if is_stdin(file) {
        config::Config::from_slice(&standard_input()?, STDIN, &Machine)
    } else {
        config::Config::load(file)
    };
    let width = terminal.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let unserved = checked.as_ref().ok().and_then(|config| {
        let error = serve::fits(config, crate::server::IN_PROCESS).err()?;
        Some(Problem::config(format!("{name}: {error}")).hint(error.fix()))
    });
    if json {
        let told = unserved.as_ref().map(|problem| problem.what.as_str());
        let body = Body::Exact(json::answer(&name, &checked, told));
        let problem = checked.as_ref().err().map(counted).or(unserved);
        return Ok(Report {
            problem,
            ..Report::new(body)
        });
    }
    let config = checked.map_err(|problems| refused(&problems, width))?;
    let notes = config.notes.iter();
    let notes = notes.map(|note| Note::new(note.label, &note.text));
    let body = match unserved {
        Some(_) => Body::Exact(String::new()),
        None => Body::Page(page::answer(&name, &config, width)),
    };
    Ok(Report {
        notes: notes.collect(),
        problem: unserved,
        ..Report::new(body)
    })
}

/// What to tell whoever named a configuration that cannot be used.
pub(crate) fn refused(problems: &Problems, width: usize) -> Problem {
    let mut all = problems.iter();
    if let (Some(only), None) = (all.next(), all.next())
        && only.place().is_none()
    {
        let what = format!("{}: {only}", problems.name());
        let problem = Problem::config(what);
        return only.hints().fold(problem, Problem::hint);
    }
    // Styles are taken out again where nobody would see them.
    let mut page = problems.render(true, width);
    page.push('\n');
    Problem {
        page,
        ..counted(problems)
    }
}

/// How many problems there are.
fn counted(problems: &Problems) -> Problem {
    let count = match problems.len() {
        1 => "a problem".to_owned(),
        many => format!("{many} problems"),
    };
    Problem::config(format!("{} has {count}", problems.name()))
}

fn schema() -> Report {
    let mut text = serde_json::to_string_pretty(&config::schema()).unwrap_or_default();
    text.push('\n');
    Report::new(Body::Exact(text))
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

fn standard_input() -> Result<Vec<u8>, Problem> {
    out::waiting();
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes);
    let unreadable =
        |error: io::Error| Problem::input(format!("cannot read {STDIN}: {}", reason(&error)));
    read.map_err(unreadable)?;
    Ok(bytes)
}

const STDIN: &str = "standard input";

/// More than any configuration may have, so that the check itself says what is too large.
const MAX_INPUT: u64 = 2 << 20;

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;
