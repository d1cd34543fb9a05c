//! Words → server, tool and arguments.

use std::ffi::{OsStr, OsString};

use serde_json::value::RawValue;

use super::CallArguments;
use crate::args::CallArgs;
use crate::report::CommandError;
use crate::{server, shell};

/// The server, and what to do with it.
#[derive(Debug)]
pub(super) struct CallPlan {
    /// The command line of the server; empty for the demo and for a server with a URL.
    pub(super) command: Vec<OsString>,
    /// The URL of a running server.
    pub(super) url: Option<String>,
    pub(super) action: PlannedAction,
    /// The answer if the server asks for input.
    pub(super) answer: Option<Box<RawValue>>,
}

#[derive(Debug)]
pub(super) enum PlannedAction {
    /// List the tools.
    List,
    /// Call one.
    Call {
        tool: String,
        arguments: CallArguments,
    },
}

impl CallPlan {
    pub(super) fn of(args: &CallArgs) -> Result<Self, CommandError> {
        args.server.check()?;
        let (url, mut words) = words(args)?;
        check_options(args, url.is_some())?;
        let action = if args.list {
            PlannedAction::List
        } else {
            let text = match &args.args {
                None if args.tool.is_none() => {
                    words.pop_if(|word| word.to_str().is_some_and(is_json))
                }
                _ => None,
            };
            let tool = match &args.tool {
                Some(tool) => Some(tool.clone()),
                None => words.pop().map(named).transpose()?,
            };
            let tool = tool.ok_or_else(|| no_tool(args.demo, url.as_deref()))?;
            if args.args.is_some() && is_json(&tool) {
                return Err(twice(&tool));
            }
            let given = match (&text, &args.args) {
                (Some(text), _) => CallArguments::parse(ARGUMENTS, &text.to_string_lossy())?,
                (None, Some(source)) => CallArguments::read(ARGUMENTS, source)?,
                (None, None) => CallArguments::none(),
            };
            PlannedAction::Call {
                tool,
                arguments: given.with(&args.arg),
            }
        };
        let answer = args.answer.as_deref();
        let answer = answer.map(|source| CallArguments::read("the answer", source));
        let answer = answer.transpose()?.map(CallArguments::into_json);
        let is_there = args.demo || url.is_some();
        match (is_there, words.is_empty()) {
            (true, false) => Err(superfluous(&words, &action, url.as_deref())),
            (false, true) => Err(no_server(&action)),
            (true, true) | (false, false) => Ok(Self {
                command: words,
                url,
                action,
                answer,
            }),
        }
    }
}

/// The URL of the server, if it has one, and all other words. Words before the `--` are allowed only for a server
/// without options of its own: one with a URL, and the demo.
fn words(args: &CallArgs) -> Result<(Option<String>, Vec<OsString>), CommandError> {
    let all = |words: &[String]| together(words, &args.command);
    match args.words.split_first() {
        Some((first, rest)) if !args.demo && is_url(first) => Ok((Some(first.clone()), all(rest))),
        Some((first, _)) if !args.demo => Err(misplaced(first, args)),
        _ => Ok((None, all(&args.words))),
    }
}

/// Refuses options that have no effect on this kind of server.
fn check_options(args: &CallArgs, is_url: bool) -> Result<(), CommandError> {
    let given = [
        ("--header", !args.header.is_empty(), false),
        ("--ca", args.ca.is_some(), false),
        ("--env", !args.server.env.is_empty(), true),
        ("--cwd", args.server.cwd.is_some(), true),
    ];
    let unused = given
        .iter()
        .find(|(_, is_given, is_of_command)| *is_given && *is_of_command == is_url);
    let Some((option, _, is_of_command)) = unused else {
        return Ok(());
    };
    Err(CommandError::input(if *is_of_command {
        format!("{option} is for servers that are started, and a server with a URL runs already")
    } else {
        format!("{option} is for servers with a URL, and there is none")
    }))
}

fn together(words: &[String], command: &[OsString]) -> Vec<OsString> {
    let words = words.iter().map(OsString::from);
    words.chain(command.iter().cloned()).collect()
}

/// The name of a tool is part of a message, which is UTF-8.
fn named(tool: OsString) -> Result<String, CommandError> {
    let named = tool.into_string();
    named.map_err(|tool| {
        CommandError::input(format!(
            "no tool is called '{}': it is not UTF-8",
            tool.display()
        ))
    })
}

fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

/// Whether a word is meant as arguments: no tool has such a name.
fn is_json(word: &str) -> bool {
    word.trim_start().starts_with(['{', '['])
}

fn misplaced(first: &str, args: &CallArgs) -> CommandError {
    if let Some(error) = misspelt_url(first, args) {
        return error;
    }
    let message =
        format!("'{first}' stands before the `--` that the command of the server follows");
    let line = server::line(&together(&args.words, &args.command));
    CommandError::input(message).hint(format!("write: breakfall call -- {line}"))
}

/// The error of a URL with a missing or unknown scheme.
fn misspelt_url(first: &str, args: &CallArgs) -> Option<CommandError> {
    let (message, url) = if let Some((scheme, rest)) = first.split_once("://") {
        let small = scheme.to_ascii_lowercase();
        let message = format!("'{scheme}' is not supported: a URL begins with http:// or https://");
        if !matches!(&*small, "http" | "https") {
            return Some(CommandError::input(message).hint(URL_FORM));
        }
        (message, format!("{small}://{rest}"))
    } else {
        let scheme = if port(first)? == 443 { "https" } else { "http" };
        let url = format!("{scheme}://{first}");
        let shown = server::shown_url(&url);
        let shown = shown
            .strip_prefix(scheme)
            .and_then(|rest| rest.strip_prefix("://"));
        let message = format!(
            "the URL '{}' lacks {scheme}:// in front",
            shown.unwrap_or(first)
        );
        (message, url)
    };
    let mut words = server::shown(&together(&args.words, &args.command));
    if let Some(first) = words.first_mut() {
        *first = server::shown_url(&url);
    }
    let list = if args.list { "--list " } else { "" };
    let line = shell::line(&words);
    Some(CommandError::input(message).hint(format!("write: breakfall call {list}{line}")))
}

/// The port of a URL without its scheme, `HOST:PORT` or `HOST:PORT/PATH`: no program has such a name.
fn port(word: &str) -> Option<u16> {
    let place = word.split_once('/').map_or(word, |(place, _)| place);
    let (host, port) = place.rsplit_once(':')?;
    let port = port.parse().ok()?;
    (!host.is_empty()).then_some(port)
}

fn no_tool(is_demo: bool, url: Option<&str>) -> CommandError {
    let error = CommandError::input("there is no tool to call");
    if let Some(url) = url {
        let url = shell::line(&[server::shown_url(url)]);
        return error
            .hint(URL_FORM)
            .hint(format!("to see its tools: breakfall call --list {url}"));
    }
    if is_demo {
        return error
            .hint(DEMO_FORM)
            .hint("to see its tools: breakfall call --list --demo");
    }
    error.hint(FORM)
}

fn twice(arguments: &str) -> CommandError {
    let message = format!("there are arguments twice: {arguments} and those of --args");
    CommandError::input(message).hint("leave one of them out")
}

fn no_server(action: &PlannedAction) -> CommandError {
    match action {
        PlannedAction::List => CommandError::input("there is no server to list the tools of")
            .hint("write: breakfall call --list -- COMMAND..."),
        PlannedAction::Call { tool, .. } => {
            let message = format!("there is no server in front of the tool '{tool}'");
            let server = server::line(&[tool.into()]);
            let list = format!("to see the tools of a server: breakfall call --list -- {server}");
            CommandError::input(message).hint(FORM).hint(list)
        }
    }
}

/// The error of words that are left: the demo and a server with a URL need no command.
fn superfluous(words: &[OsString], action: &PlannedAction, url: Option<&str>) -> CommandError {
    let words = words.join(OsStr::new(" "));
    let words = words.display();
    match (action, url) {
        (PlannedAction::List, Some(url)) => {
            let url = shell::line(&[server::shown_url(url)]);
            CommandError::input(format!("'{words}' is too much behind the URL"))
                .hint(format!("write: breakfall call --list {url}"))
        }
        (PlannedAction::Call { tool, .. }, Some(_)) => {
            let message = format!("'{words}' is too much in front of the tool '{tool}'");
            CommandError::input(message).hint(URL_FORM)
        }
        (PlannedAction::List, None) => {
            CommandError::input(format!("'{words}' is too much: the demo needs no command"))
                .hint("write: breakfall call --list --demo")
        }
        (PlannedAction::Call { tool, .. }, None) => {
            let message = format!("'{words}' is too much in front of the tool '{tool}'");
            CommandError::input(message).hint(DEMO_FORM)
        }
    }
}

const ARGUMENTS: &str = "the arguments";
const FORM: &str = "write: breakfall call -- COMMAND... TOOL '{\"name\":\"value\"}'";
const URL_FORM: &str = "write: breakfall call URL TOOL '{\"name\":\"value\"}'";
const DEMO_FORM: &str = "write: breakfall call --demo TOOL '{\"name\":\"value\"}'";
