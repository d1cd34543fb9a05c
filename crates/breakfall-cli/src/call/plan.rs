//! Words → which server, which tool, which arguments.

use serde_json::value::RawValue;

use super::Arguments;
use crate::args::Call;
use crate::report::Problem;

/// What to do, and with which server.
#[derive(Debug)]
pub(super) struct Plan {
    /// The command line of the server; none for the demo.
    pub(super) command: Vec<String>,
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
        let mut words = words(args)?;
        let what = if args.list {
            What::List
        } else {
            let text = match &args.args {
                None if args.tool.is_none() => words.pop_if(|word| is_json(word)),
                _ => None,
            };
            let tool = args.tool.clone().or_else(|| words.pop());
            let tool = tool.ok_or_else(|| no_tool(args.demo))?;
            if args.args.is_some() && is_json(&tool) {
                return Err(twice(&tool));
            }
            let given = match (&text, &args.args) {
                (Some(text), _) => Arguments::parse(ARGUMENTS, text)?,
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
        match (args.demo, words.is_empty()) {
            (true, false) => Err(superfluous(&words, &what)),
            (false, true) => Err(no_server(&what)),
            (true, true) | (false, false) => Ok(Self {
                command: words,
                what,
                answer,
            }),
        }
    }
}

/// All words. Before the `--` there are some with the demo only, which has no options of its own to be told apart.
fn words(args: &Call) -> Result<Vec<String>, Problem> {
    match args.words.first() {
        Some(first) if !args.demo => Err(misplaced(first, args)),
        _ => Ok([&args.words[..], &args.command].concat()),
    }
}

/// Whether a word is meant as arguments. No tool is called like that.
fn is_json(word: &str) -> bool {
    word.trim_start().starts_with(['{', '['])
}

fn misplaced(first: &str, args: &Call) -> Problem {
    if first.starts_with("http://") || first.starts_with("https://") {
        let what = "calling a server by its address is planned, not in this version";
        return Problem::input(what);
    }
    let what = format!("'{first}' stands before the `--` that the command of the server follows");
    let words = [&args.words[..], &args.command].concat().join(" ");
    Problem::input(what).hint(format!("write: breakfall call -- {words}"))
}

fn no_tool(is_demo: bool) -> Problem {
    let problem = Problem::input("there is no tool to call");
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
            let list = format!("to see the tools of a server: breakfall call --list -- {tool}");
            Problem::input(what).hint(FORM).hint(list)
        }
    }
}

/// With the demo there is no command, so whatever is left was meant as something else.
fn superfluous(words: &[String], what: &What) -> Problem {
    let words = words.join(" ");
    match what {
        What::List => Problem::input(format!("'{words}' is too much: the demo needs no command"))
            .hint("write: breakfall call --list --demo"),
        What::Call { tool, .. } => {
            let what = format!("'{words}' is too much in front of the tool '{tool}'");
            Problem::input(what).hint(DEMO_FORM)
        }
    }
}

const ARGUMENTS: &str = "the arguments";
const FORM: &str = "write: breakfall call -- COMMAND... TOOL '{\"name\":\"value\"}'";
const DEMO_FORM: &str = "write: breakfall call --demo TOOL '{\"name\":\"value\"}'";
