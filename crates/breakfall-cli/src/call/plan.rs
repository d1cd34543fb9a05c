//! Words → which server, which tool, which arguments.

use std::ffi::{OsStr, OsString};

use serde_json::value::RawValue;

use super::Arguments;
use crate::args::Call;
use crate::report::Problem;
use crate::{server, shell};

/// What to do, and with which server.
#[derive(Debug)]
pub(super) struct Plan {
    /// The command line of the server; none for the demo, and none if it runs already.
    pub(super) command: Vec<OsString>,
    /// Where it runs already.
    pub(super) url: Option<String>,
    pub(super) what: What,
    /// What to answer the server.
    pub(super) answer: Option<Box<RawValue>>,
}

#[derive(Debug)]
pub(super) enum What {
    /// List the tools.
    List,
    /// Call one.
    Call { tool: String, arguments: Arguments },
}

impl Plan {
    pub(super) fn of(args: &Call) -> Result<Self, Problem> {
        args.server.check()?;
        let (url, mut words) = words(args)?;
        in_vain(args, url.is_some())?;
        let what = if args.list {
            What::List
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
                (Some(text), _) => Arguments::parse(ARGUMENTS, &text.to_string_lossy())?,
                (None, Some(source)) => Arguments::read(ARGUMENTS, source)?,
                (None, None) => Arguments::none(),
            };
            What::Call {
                tool,
                arguments: given.with(&args.arg),
            }
        };
        let answer = args.answer.as_deref();
        let answer = answer.map(|source| Arguments::read("the answer", source));
        let answer = answer.transpose()?.map(Arguments::given);
        let is_there = args.demo || url.is_some();
        match (is_there, words.is_empty()) {
            (true, false) => Err(superfluous(&words, &what, url.as_deref())),
            (false, true) => Err(no_server(&what)),
            (true, true) | (false, false) => Ok(Self {
                command: words,
                url,
                what,
                answer,
            }),
        }
    }
}

/// The address of the server, if it has one, and all other words. Before the `--` there are some only where the server
/// has no options of its own to be told apart.
fn words(args: &Call) -> Result<(Option<String>, Vec<OsString>), Problem> {
    let all = |words: &[String]| together(words, &args.command);
    match args.words.split_first() {
        Some((first, rest)) if !args.demo && is_url(first) => Ok((Some(first.clone()), all(rest))),
        Some((first, _)) if !args.demo => Err(misplaced(first, args)),
        _ => Ok((None, all(&args.words))),
    }
}

/// An option that means nothing to a server of this kind was meant for another.
fn in_vain(args: &Call, is_url: bool) -> Result<(), Problem> {
    let given = [
        ("--header", !args.header.is_empty(), false),
        ("--ca", args.ca.is_some(), false),
        ("--env", !args.server.env.is_empty(), true),
        ("--cwd", args.server.cwd.is_some(), true),
    ];
    let vain = given
        .iter()
        .find(|(_, is_given, is_of_command)| *is_given && *is_of_command == is_url);
    let Some((option, _, is_of_command)) = vain else {
        return Ok(());
    };
    Err(Problem::input(if *is_of_command {
        format!("{option} is for servers that are started, and one with an address runs already")
    } else {
        format!("{option} is for servers with an address, and there is none")
    }))
}

fn together(words: &[String], command: &[OsString]) -> Vec<OsString> {
    let words = words.iter().map(OsString::from);
    words.chain(command.iter().cloned()).collect()
}

/// The name of a tool stands in a message, which is UTF-8.
fn named(tool: OsString) -> Result<String, Problem> {
    let named = tool.into_string();
    named.map_err(|tool| {
        Problem::input(format!(
            "no tool is called '{}': it is no UTF-8",
            tool.display()
        ))
    })
}

fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

/// Whether a word is meant as arguments. No tool is called like that.
fn is_json(word: &str) -> bool {
    word.trim_start().starts_with(['{', '['])
}

fn misplaced(first: &str, args: &Call) -> Problem {
    if let Some(problem) = misspelt(first, args) {
        return problem;
    }
    let what = format!("'{first}' stands before the `--` that the command of the server follows");
    let line = server::line(&together(&args.words, &args.command));
    Problem::input(what).hint(format!("write: breakfall call -- {line}"))
}

/// An address that is none of a kind we know.
fn misspelt(first: &str, args: &Call) -> Option<Problem> {
    let (what, url) = if let Some((scheme, rest)) = first.split_once("://") {
        let small = scheme.to_ascii_lowercase();
        let what =
            format!("'{scheme}' is not spoken here: an address begins with http:// or https://");
        if !matches!(&*small, "http" | "https") {
            return Some(Problem::input(what).hint(URL_FORM));
        }
        (what, format!("{small}://{rest}"))
    } else {
        let scheme = if port(first)? == 443 { "https" } else { "http" };
        let url = format!("{scheme}://{first}");
        let shown = server::shown_url(&url);
        let shown = shown
            .strip_prefix(scheme)
            .and_then(|rest| rest.strip_prefix("://"));
        let what = format!(
            "the address '{}' has no {scheme}:// in front",
            shown.unwrap_or(first)
        );
        (what, url)
    };
    let mut words = server::shown(&together(&args.words, &args.command));
    if let Some(first) = words.first_mut() {
        *first = server::shown_url(&url);
    }
    let list = if args.list { "--list " } else { "" };
    let line = shell::line(&words);
    Some(Problem::input(what).hint(format!("write: breakfall call {list}{line}")))
}

/// The port of what looks like an address without its beginning, `HOST:PORT` or `HOST:PORT/PATH`. No program is called
/// like that.
fn port(word: &str) -> Option<u16> {
    let place = word.split_once('/').map_or(word, |(place, _)| place);
    let (host, port) = place.rsplit_once(':')?;
    let port = port.parse().ok()?;
    (!host.is_empty()).then_some(port)
}

fn no_tool(is_demo: bool, url: Option<&str>) -> Problem {
    let problem = Problem::input("there is no tool to call");
    if let Some(url) = url {
        let url = shell::line(&[server::shown_url(url)]);
        return problem
            .hint(URL_FORM)
            .hint(format!("to see its tools: breakfall call --list {url}"));
    }
    if is_demo {
        return problem
            .hint(DEMO_FORM)
            .hint("to see its tools: breakfall call --list --demo");
    }
    problem.hint(FORM)
}

fn twice(arguments: &str) -> Problem {
    let what = format!("there are arguments twice: {arguments} and those of --args");
    Problem::input(what).hint("leave one of them out")
}

fn no_server(what: &What) -> Problem {
    match what {
        What::List => Problem::input("there is no server to list the tools of")
            .hint("write: breakfall call --list -- COMMAND..."),
        What::Call { tool, .. } => {
            let what = format!("there is no server in front of the tool '{tool}'");
            let server = server::line(&[tool.into()]);
            let list = format!("to see the tools of a server: breakfall call --list -- {server}");
            Problem::input(what).hint(FORM).hint(list)
        }
    }
}

/// A server that is there already needs no command, so whatever is left was meant as something else.
fn superfluous(words: &[OsString], what: &What, url: Option<&str>) -> Problem {
    let words = words.join(OsStr::new(" "));
    let words = words.display();
    match (what, url) {
        (What::List, Some(url)) => {
            let url = shell::line(&[server::shown_url(url)]);
            Problem::input(format!("'{words}' is too much behind the address"))
                .hint(format!("write: breakfall call --list {url}"))
        }
        (What::Call { tool, .. }, Some(_)) => {
            let what = format!("'{words}' is too much in front of the tool '{tool}'");
            Problem::input(what).hint(URL_FORM)
        }
        (What::List, None) => {
            Problem::input(format!("'{words}' is too much: the demo needs no command"))
                .hint("write: breakfall call --list --demo")
        }
        (What::Call { tool, .. }, None) => {
            let what = format!("'{words}' is too much in front of the tool '{tool}'");
            Problem::input(what).hint(DEMO_FORM)
        }
    }
}

const ARGUMENTS: &str = "the arguments";
const FORM: &str = "write: breakfall call -- COMMAND... TOOL '{\"name\":\"value\"}'";
const URL_FORM: &str = "write: breakfall call URL TOOL '{\"name\":\"value\"}'";
const DEMO_FORM: &str = "write: breakfall call --demo TOOL '{\"name\":\"value\"}'";
