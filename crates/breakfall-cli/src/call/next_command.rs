//! Command lines to type next, without secrets: stderr is often kept and passed on.

use breakfall::redact::{Audience, Redactor};
use jiff::SignedDuration;
use serde_json::Value;

use super::plan::CallPlan;
use crate::args::CallArgs;
use crate::{server, shell};

/// The same call with other arguments.
pub(super) fn call(args: &CallArgs, plan: &CallPlan, tool: &str, arguments: &Value) -> String {
    let mut words = options(args);
    words.extend(address(args, plan));
    words.push(tool.to_owned());
    let arguments = arguments.to_string();
    let redactor = Redactor::new(Audience::Operator);
    words.push(redactor.json(&arguments).into_owned());
    line(&words)
}

/// The tools of the same server.
pub(super) fn list(args: &CallArgs, plan: &CallPlan) -> String {
    let mut words = options(args);
    words.push("--list".to_owned());
    words.extend(address(args, plan));
    line(&words)
}

/// The tools of the server whose last word was taken for a tool.
pub(super) fn list_with(args: &CallArgs, plan: &CallPlan, word: &str) -> String {
    let mut words = options(args);
    words.extend(["--list".to_owned(), "--".to_owned()]);
    words.extend(server::shown(&[&plan.command[..], &[word.into()]].concat()));
    line(&words)
}

fn address(args: &CallArgs, plan: &CallPlan) -> Vec<String> {
    if let Some(url) = &plan.url {
        return vec![server::shown_url(url)];
    }
    let mark = if args.demo { "--demo" } else { "--" };
    let mut words = vec![mark.to_owned()];
    words.extend(server::shown(&plan.command));
    words
}

/// The options of this command, without the values of variables and headers.
fn options(args: &CallArgs) -> Vec<String> {
    let mut words = Vec::new();
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    for (name, _) in &args.server.env {
        option("--env", format!("{name}=[secret]"));
    }
    for (name, _) in &args.header {
        option("--header", format!("{name}: [secret]"));
    }
    if let Some(ca) = &args.ca {
        option("--ca", ca.display().to_string());
    }
    if let Some(cwd) = &args.server.cwd {
        option("--cwd", cwd.display().to_string());
    }
    let times = [
        ("--timeout", args.server.timeout),
        ("--max-timeout", args.server.max_timeout),
    ];
    for (name, time) in times {
        if let Some(time) = time.and_then(|time| SignedDuration::try_from(time).ok()) {
            option(name, format!("{time:#}").replace(' ', ""));
        }
    }
    if args.json {
        words.push("--json".to_owned());
    }
    words
}

fn line(words: &[String]) -> String {
    format!("{} call {}", shell::program_name(), shell::line(words))
}
