//! The server behind a command, as the arguments mean it, and how it ended.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;

use breakfall::disclose::{Audience, Redactor};
use breakfall_gateway::config::{Config, MaskedWord, Secret, Source, Upstream};
use breakfall_gateway::session::Ended;
use breakfall_gateway::upstream::InProcessServers;

use crate::args;
use crate::exit::Exit;
use crate::report::Problem;
use crate::shell;

/// The servers of this program that run inside it.
pub(crate) const IN_PROCESS: InProcessServers = InProcessServers {
    demo: breakfall_demo::spawn,
};

/// The server of a command line, or the demo without one.
pub(crate) fn configured(command: &[OsString], args: &args::Server) -> Upstream {
    let upstream = match command.split_first() {
        Some((program, rest)) => {
            Upstream::command(MaskedWord::from(program), rest.iter().map(MaskedWord::from))
        }
        None => Upstream::demo(),
    };
    overruled(upstream, args)
}

/// The server at an address.
pub(crate) fn at(
    url: &str,
    headers: &[(String, String)],
    ca: Option<&Path>,
    args: &args::Server,
) -> Upstream {
    let mut upstream = Upstream::url(MaskedWord::from(url));
    if let Some(ca) = ca {
        upstream = upstream.with_ca(ca);
    }
    for (name, value) in headers {
        upstream = upstream.with_header(name.clone(), Secret::new(value.clone()));
    }
    overruled(upstream, args)
}

/// A server of a configuration.
///
/// # Errors
/// When the file is bad, has no such server, or has several and nobody said which.
pub(crate) fn of_config(
    config: &Config,
    name: Option<&str>,
    args: &args::Server,
) -> Result<Upstream, Problem> {
    let all = config
        .upstreams
        .iter()
        .map(|upstream| upstream.name.as_str());
    let all = all.collect::<Vec<_>>().join(", ");
    let chosen = match (name, config.upstreams.as_slice()) {
        (Some(name), _) => {
            let what = || Problem::input(format!("the configuration has no server '{name}'"));
            let found = config.upstream(name);
            found.ok_or_else(|| what().hint(format!("it has: {all}")))?
        }
        (None, [only]) => only,
        (None, []) => return Err(Problem::input("the configuration has no servers")),
        (None, _) => {
            let problem = Problem::input("the configuration has several servers");
            return Err(problem.hint(format!("say which with --upstream: {all}")));
        }
    };
    Ok(overruled(chosen.clone(), args))
}

fn overruled(mut upstream: Upstream, args: &args::Server) -> Upstream {
    for (name, value) in &args.env {
        upstream = upstream.with_env(name.clone(), Secret::new(value.clone()));
    }
    if let Some(cwd) = &args.cwd {
        upstream = upstream.with_cwd(cwd.clone());
    }
    if let Some(timeout) = args.timeout {
        upstream = upstream.with_timeout(timeout);
    }
    if let Some(most) = args.max_timeout {
        upstream = upstream.with_max_timeout(most);
    }
    upstream
}

/// How it ended, for whoever started us.
///
/// # Errors
/// When it never was there, or we are at fault.
pub(crate) fn ended(ended: Ended, command: &[OsString]) -> Result<(), Problem> {
    match ended {
        Ended::Well => Ok(()),
        Ended::NotStarted(error) => Err(absent(error.to_string()).hint(error.fix())),
        Ended::NeverSpoke { exit, printed } => {
            let how = exit.map_or_else(String::new, |exit: ExitStatus| format!(" ({exit})"));
            let problem = absent(match &printed {
                Some(_) => format!("the server ended before it said anything in MCP{how}"),
                None => format!("the server ended before it said anything{how}"),
            });
            let problem = match printed {
                Some(printed) => problem.fact("stdout", printed),
                None => problem,
            };
            let alone = "run it alone to see what it needs";
            let problem = problem.hint(if command.is_empty() {
                alone.to_owned()
            } else {
                format!("{alone}: {}", line(command))
            });
            Err(problem.hint("it has no terminal here: whatever it would ask for must come from its arguments or variables"))
        }
        Ended::Defect => Err(Problem::internal(
            "this is a defect of breakfall, not of the server",
        )),
    }
}

/// The command of a server as a line to be typed, without credentials: it stands in logs, and logs are passed on.
pub(crate) fn line(command: &[OsString]) -> String {
    shell::line(&shown(command))
}

/// The words of a command without credentials.
pub(crate) fn shown(command: &[OsString]) -> Vec<String> {
    let Some((program, args)) = command.split_first() else {
        return Vec::new();
    };
    let upstream = Upstream::command(program, args);
    let Source::Command(command) = upstream.source else {
        return Vec::new();
    };
    command.shown()
}

/// An address, as it may be shown.
pub(crate) fn shown_url(url: &str) -> String {
    Redactor::new(Audience::Operator).text(url).into_owned()
}

/// There is no server to speak to.
pub(crate) fn absent(what: impl Into<String>) -> Problem {
    Problem {
        exit: Exit::Server,
        ..Problem::input(what)
    }
}
