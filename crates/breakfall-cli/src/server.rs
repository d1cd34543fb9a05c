//! The server of a command, as the arguments define it, and how it ended.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;

use breakfall::redact::{Audience, Redactor};
use breakfall_gateway::config::{Config, MaskedWord, Secret, UpstreamSettings, UpstreamSource};
use breakfall_gateway::session::SessionEnd;
use breakfall_gateway::upstream::InProcessServers;

use crate::args;
use crate::report::CommandError;
use crate::shell;

/// The servers of this program that run inside it.
pub(crate) const IN_PROCESS: InProcessServers = InProcessServers {
    demo: breakfall_demo::spawn,
};

/// The server of a command line, or the demo without one.
pub(crate) fn configured(command: &[OsString], args: &args::ServerArgs) -> UpstreamSettings {
    let upstream = match command.split_first() {
        Some((program, rest)) => {
            UpstreamSettings::command(MaskedWord::from(program), rest.iter().map(MaskedWord::from))
        }
        None => UpstreamSettings::demo(),
    };
    with_options(upstream, args)
}

/// The server at an address.
pub(crate) fn at(
    url: &str,
    headers: &[(String, String)],
    ca: Option<&Path>,
    args: &args::ServerArgs,
) -> UpstreamSettings {
    let mut upstream = UpstreamSettings::url(MaskedWord::from(url));
    if let Some(ca) = ca {
        upstream = upstream.with_ca(ca);
    }
    for (name, value) in headers {
        upstream = upstream.with_header(name.clone(), Secret::new(value.clone()));
    }
    with_options(upstream, args)
}

/// A server of a configuration.
///
/// # Errors
/// When the configuration lacks the server, or has several and none was named.
pub(crate) fn of_config(
    config: &Config,
    name: Option<&str>,
    args: &args::ServerArgs,
) -> Result<UpstreamSettings, CommandError> {
    let all = config
        .upstreams
        .iter()
        .map(|upstream| upstream.name.as_str());
    let all = all.collect::<Vec<_>>().join(", ");
    let chosen = match (name, config.upstreams.as_slice()) {
        (Some(name), _) => {
            let unknown =
                || CommandError::input(format!("the configuration has no server '{name}'"));
            let found = config.upstream(name);
            found.ok_or_else(|| unknown().hint(format!("it has: {all}")))?
        }
        (None, [only]) => only,
        (None, []) => return Err(CommandError::input("the configuration has no servers")),
        (None, _) => {
            let error = CommandError::input("the configuration has several servers");
            return Err(error.hint(format!("say which with --upstream: {all}")));
        }
    };
    Ok(with_options(chosen.clone(), args))
}

fn with_options(mut upstream: UpstreamSettings, args: &args::ServerArgs) -> UpstreamSettings {
    for (name, value) in &args.env {
        upstream = upstream.with_env(name.clone(), Secret::new(value.clone()));
    }
    if let Some(cwd) = &args.cwd {
        upstream = upstream.with_cwd(cwd.clone());
    }
    if let Some(timeout) = args.timeout {
        upstream = upstream.with_timeout(timeout);
    }
    if let Some(total) = args.max_timeout {
        upstream = upstream.with_max_timeout(total);
    }
    upstream
}

/// The error of a server that ended, if any.
///
/// # Errors
/// When it did not start or exited before its first message, or the gateway failed.
pub(crate) fn ended(ended: SessionEnd, command: &[OsString]) -> Result<(), CommandError> {
    match ended {
        SessionEnd::Well => Ok(()),
        SessionEnd::NotStarted(error) => {
            Err(CommandError::server(error.to_string()).hint(error.fix()))
        }
        SessionEnd::NeverSpoke { exit, printed } => {
            let status = exit.map_or_else(String::new, |exit: ExitStatus| format!(" ({exit})"));
            let mut error = CommandError::server(format!(
                "the server exited before its first message{status}"
            ));
            if let Some(printed) = printed {
                error = error.fact("stdout", printed);
            }
            let alone = "run it alone to see what it needs";
            let error = error.hint(if command.is_empty() {
                alone.to_owned()
            } else {
                format!("{alone}: {}", line(command))
            });
            Err(error.hint("it has no terminal here: what it would ask for must come from its arguments or variables"))
        }
        SessionEnd::Defect => Err(CommandError::internal(
            "this is a defect of breakfall, not of the server",
        )),
    }
}

/// The command of a server as a line to type, without credentials: messages end up in logs.
pub(crate) fn line(command: &[OsString]) -> String {
    shell::line(&shown(command))
}

/// The words of a command without credentials.
pub(crate) fn shown(command: &[OsString]) -> Vec<String> {
    let Some((program, args)) = command.split_first() else {
        return Vec::new();
    };
    let upstream = UpstreamSettings::command(program, args);
    let UpstreamSource::Command(command) = upstream.source else {
        return Vec::new();
    };
    command.shown()
}

/// A URL without credentials.
pub(crate) fn shown_url(url: &str) -> String {
    Redactor::new(Audience::Operator).text(url).into_owned()
}
