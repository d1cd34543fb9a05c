//! `breakfall doctor`: starts each configured server, and says what is wrong with it and how to fix it.

mod diagnosis;
mod expand;
mod finding;
mod page;
mod probe;
mod secrets;
mod target;
mod variable;

use std::path::{Path, PathBuf};

use breakfall_gateway::config::Config;
use tokio::task::JoinSet;

use crate::args::{DEFAULT_CONFIG, DoctorArgs};
use crate::client_file::{self, ClientFile};
use crate::config;
use crate::exit::CommandExit;
use crate::output;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote};
use crate::shell;
use finding::Finding;
use probe::ServerWelcome;
use target::{Target, TargetPlan};

pub(crate) fn run(args: &DoctorArgs) -> Result<CommandReport, CommandError> {
    let mut targets = Vec::new();
    let mut broken = Vec::new();
    for path in paths(args)? {
        match read(&path, args.file.is_some()) {
            Ok(more) => targets.extend(more),
            Err(error) => broken.push(error),
        }
    }
    let is_readable = broken.is_empty();
    // Where nothing can be checked, the last one is the result.
    let last = if targets.is_empty() {
        broken.pop()
    } else {
        None
    };
    let mut exit = None;
    for error in &broken {
        exit = Some(output::fail(error));
    }
    let targets = if last.is_some() {
        targets
    } else {
        chosen(targets, args)?
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::runtime(&error))?;
    let checked = runtime.block_on(check(targets, args));
    runtime.shutdown_background();
    let body = if args.json {
        ReportBody::Exact(page::json(&checked, is_readable))
    } else {
        ReportBody::Page(page::text(&checked, is_readable))
    };
    let ill = checked
        .iter()
        .filter(|server| !server.findings.is_empty())
        .count();
    let error = match (ill, checked.len()) {
        (0, _) => last.or_else(|| exit.map(|exit| unreadable(exit, broken.len()))),
        (ill, all) => Some(CommandError::server(format!(
            "{ill} of {all} servers need attention"
        ))),
    };
    Ok(CommandReport {
        error,
        ..CommandReport::new(body)
    })
}

/// Files of which each was an error already.
fn unreadable(exit: CommandExit, count: usize) -> CommandError {
    let files = if count == 1 { "file" } else { "files" };
    CommandError::new(exit, format!("{count} {files} cannot be used"))
}

/// A server that was checked, or skipped.
#[derive(Debug)]
struct CheckedServer {
    target: Target,
    welcome: Option<ServerWelcome>,
    findings: Vec<Finding>,
}

/// The file of the command line; or the configuration of this directory; or the files of clients, but those of a project, which
/// others may have written, only by name.
fn paths(args: &DoctorArgs) -> Result<Vec<PathBuf>, CommandError> {
    if let Some(file) = &args.file {
        return Ok(vec![file.clone()]);
    }
    if Path::new(DEFAULT_CONFIG).exists() {
        return Ok(vec![PathBuf::from(DEFAULT_CONFIG)]);
    }
    let found = client_file::found().into_iter();
    let (shared, found): (Vec<_>, Vec<_>) = found.partition(|path| client_file::is_shared(path));
    for path in &shared {
        let path = path.display().to_string();
        let named = shell::line(std::slice::from_ref(&path));
        let text = format!(
            "{path} belongs to this directory, so its servers are started only on request: breakfall doctor {named}"
        );
        output::note(&ReportNote::new("note", text));
    }
    if found.is_empty() {
        let message = format!(
            "there is no {DEFAULT_CONFIG} here, and no client of this user has a file in its documented place"
        );
        return Err(CommandError::input(message).hint("name the file: breakfall doctor FILE"));
    }
    Ok(found)
}

fn read(path: &Path, is_named: bool) -> Result<Vec<Target>, CommandError> {
    let is_client = path
        .extension()
        .is_some_and(|ending| ending == "json" || ending == "jsonc");
    if is_client {
        let file = ClientFile::read(path)?;
        // A client may have listed no server yet; another file was named by mistake.
        if is_named {
            file.check()?;
        }
        return Ok(target::of_client(&file));
    }
    let loaded = Config::load(path).map_err(|problems| config::refused(&problems))?;
    Ok(target::of_config(path, loaded))
}

/// The servers that were asked for.
fn chosen(targets: Vec<Target>, args: &DoctorArgs) -> Result<Vec<Target>, CommandError> {
    if args.server.is_empty() {
        return Ok(targets);
    }
    let names: Vec<&str> = targets.iter().map(|target| &*target.name).collect();
    if let Some(unknown) = args.server.iter().find(|name| !names.contains(&&***name)) {
        let error = CommandError::input(format!("no server is called '{unknown}'"));
        return Err(error.hint(format!("there are: {}", names.join(", "))));
    }
    let is_chosen = |target: &Target| args.server.contains(&target.name);
    Ok(targets.into_iter().filter(is_chosen).collect())
}

/// Starts all of them at once, and gives them back in their order.
async fn check(targets: Vec<Target>, args: &DoctorArgs) -> Vec<CheckedServer> {
    let wait = args.timeout;
    let mut tasks = JoinSet::new();
    let mut checked: Vec<CheckedServer> = Vec::new();
    for (index, mut target) in targets.into_iter().enumerate() {
        if let TargetPlan::Check(settings) = &target.plan {
            let settings = settings.clone();
            tasks.spawn(async move { (index, probe::probe(&settings, wait).await) });
        }
        checked.push(CheckedServer {
            findings: std::mem::take(&mut target.findings),
            target,
            welcome: None,
        });
    }
    if !args.json && !tasks.is_empty() {
        let text = match tasks.len() {
            1 => "starting 1 server".to_owned(),
            many => format!("starting {many} servers"),
        };
        output::note(&ReportNote::new("note", text));
    }
    let shown = format!("{} s", wait.as_secs_f64());
    while let Some(done) = tasks.join_next().await {
        // A defect of one check leaves its server without a result.
        let Ok((index, report)) = done else { continue };
        let server = &mut checked[index];
        let more = diagnosis::findings(&server.target, &report, &shown);
        server.findings.extend(more);
        server.welcome = report.outcome.ok();
    }
    checked
}
