//! The one place that prints.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::PLANNED;
use crate::exit::Exit;
use crate::report::{Body, Note, Problem, Report};

/// The narrowest: below it, words would be cut rather than lines.
const MIN_WIDTH: usize = 40;

/// The width of the terminal, if stdout is one.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = io::stdout()
        .is_terminal()
        .then(terminal_size::terminal_size);
    size.flatten()
        .map(|(columns, _)| usize::from(columns.0).max(MIN_WIDTH))
}

/// Says that we wait for the keyboard, if we do.
pub(crate) fn waiting() {
    if io::stdin().is_terminal() {
        let text = "reading standard input; end it with Ctrl-D";
        tell(&Note::new("note", text));
    }
}

/// Says that somebody else should be at the keyboard, and what to type elsewhere.
pub(crate) fn waiting_for_client(is_demo: bool) {
    let text =
        "waiting for an MCP client on standard input, one JSON-RPC message a line; Ctrl-D ends it";
    tell(&Note::new("note", text));
    let text = if is_demo {
        "to try its tools by hand: breakfall call --demo tour"
    } else {
        "to try a tool by hand: breakfall call --help"
    };
    tell(&Note::new("note", text));
}

/// Says on stdout, at once, what somebody waits for while the command goes on.
pub(crate) fn announce(text: &str) {
    // Nobody reads it who has closed the pipe.
    let _ = write_all(AutoStream::auto(io::stdout().lock()), text);
}

/// Prints what a command came to and says how to exit.
pub(crate) fn deliver(result: Result<Report, Problem>) -> Exit {
    match result {
        Ok(report) => {
            for note in &report.notes {
                tell(note);
            }
            match (write(&report.body), &report.problem) {
                (Exit::Ok, Some(problem)) => fail(problem),
                (exit, _) => exit,
            }
        }
        Err(problem) => fail(&problem),
    }
}

/// Prints what clap has to say: help and versions on stdout, mistakes on stderr.
pub(crate) fn usage(mut error: clap::Error) -> Exit {
    if let Some(command) = planned(&error) {
        let what = format!("breakfall {command} is planned, not in this version");
        return fail(&Problem::input(what).hint("breakfall --help has the commands there are"));
    }
    if let Some(tip) = undivided(&error, std::env::args_os()) {
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    let printed = error.print();
    if error.use_stderr() {
        // Nobody is left to tell when stderr fails.
        return Exit::BadInput;
    }
    written(printed)
}

/// The command that was asked for too early.
fn planned(error: &clap::Error) -> Option<&str> {
    let ContextValue::String(name) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    PLANNED.contains(&name.as_str()).then_some(name)
}

/// What to write if the command of a server stands there without the `--` in front. What clap would advise makes it
/// worse.
fn undivided(error: &clap::Error, mut given: impl Iterator<Item = OsString>) -> Option<String> {
    let command = given.nth(1)?.into_string().ok()?;
    let takes_server = ["run", "call"].contains(&command.as_str());
    let is_divided = given.any(|word| word == "--");
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    // A long option is one of ours, with a typing error in it, more often than one of a server.
    let is_ours = argument.starts_with("--");
    let is_met = error.kind() == ErrorKind::UnknownArgument;
    (takes_server && is_met && !is_divided && !is_ours).then(|| {
        format!("the command of a server follows '--': breakfall {command} -- npx -y some-server")
    })
}

fn write(body: &Body) -> Exit {
    let stdout = io::stdout().lock();
    written(match body {
        Body::Page(text) => write_all(AutoStream::auto(stdout), text),
        Body::Foreign(text) if stdout.is_terminal() => write_all(stdout, &harmless(text)),
        Body::Exact(text) | Body::Foreign(text) => write_all(stdout, text),
    })
}

fn write_all(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

fn written(result: io::Result<()>) -> Exit {
    let problem = result.err().and_then(|error| unwritten(&error));
    problem.map_or(Exit::Ok, |problem| fail(&problem))
}

/// A reader that has seen enough closes the pipe; that is no failure, and nobody wants to hear of it.
pub(crate) fn unwritten(error: &io::Error) -> Option<Problem> {
    let gone = [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset];
    let failed = !gone.contains(&error.kind());
    failed.then(|| Problem {
        exit: Exit::Output,
        ..Problem::input(format!("cannot write the output: {}", reason(error)))
    })
}

/// From now on, whatever is said on stderr is JSON, an object a line, as the log there is.
pub(crate) fn speak_json() {
    IS_JSON.store(true, Ordering::Relaxed);
}

static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Says something on stderr, at once.
pub(crate) fn tell(note: &Note) {
    if IS_JSON.load(Ordering::Relaxed) {
        let level = if note.label == "warning" {
            "WARN"
        } else {
            "INFO"
        };
        return object(level, &note.text, json!({"label": note.label}));
    }
    let colour = match note.label {
        "lost" | "warning" => AnsiColor::Yellow,
        _ => AnsiColor::Cyan,
    };
    line(colour.on_default(), "", note.label, &note.text);
}

fn fail(problem: &Problem) -> Exit {
    if IS_JSON.load(Ordering::Relaxed) {
        let facts: Vec<Value> = problem
            .facts
            .iter()
            .map(|fact| json!({fact.label: fact.text}))
            .collect();
        let mut more = json!({"facts": facts, "hints": problem.hints});
        if !problem.page.is_empty() {
            more["page"] = anstream::adapter::strip_str(&problem.page)
                .to_string()
                .into();
        }
        object("ERROR", &problem.what, more);
        return problem.exit;
    }
    if !problem.page.is_empty() {
        // Nobody is left to tell when stderr fails.
        let _ = write_all(AutoStream::auto(io::stderr().lock()), &problem.page);
    }
    line(
        AnsiColor::Red.on_default().bold(),
        "",
        "error",
        &problem.what,
    );
    for fact in &problem.facts {
        let mut lines = fact.text.lines();
        let first = lines.next().unwrap_or_default();
        line(AnsiColor::Green.on_default(), "  ", fact.label, first);
        for more in lines {
            // Nobody is left to tell when stderr fails.
            let _ = write_all(io::stderr().lock(), &format!("    {}\n", printable(more)));
        }
    }
    for hint in &problem.hints {
        line(AnsiColor::Cyan.on_default(), "  ", "hint", hint);
    }
    problem.exit
}

/// A line as the log has them.
fn object(level: &str, message: &str, more: Value) {
    let mut line = json!({
        "timestamp": format!("{:.6}", Timestamp::now()),
        "level": level,
        "message": message,
        "target": "breakfall",
    });
    if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
        line.extend(more);
    }
    // Nobody is left to tell when stderr fails.
    let _ = write_all(io::stderr().lock(), &format!("{line}\n"));
}

fn line(style: Style, indent: &str, label: &str, text: &str) {
    let text = printable(text);
    let line = format!("{indent}{style}{label}:{style:#} {text}\n");
    // Nobody is left to tell when stderr fails.
    let _ = write_all(AutoStream::auto(io::stderr().lock()), &line);
}

/// A text of several lines without what a terminal would obey.
pub(crate) fn harmless(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let cells = line.split('\t').map(printable);
        cells.collect::<Vec<_>>().join("\t")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Input comes back in messages, and a terminal would obey control characters in it.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_reordering(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether what follows is shown in another order than it is in, so that a text reads as something it is not.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// An I/O error without the number in brackets, which helps nobody.
pub(crate) fn reason(error: &io::Error) -> String {
    let full = error.to_string();
    match full.split_once(" (os error ") {
        Some((reason, _)) => reason.to_owned(),
        None => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_the_input_never_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\n\u{9b}"), "a\\u{1b}[31mb\\n\\u{9b}");
        assert_eq!(printable("ü ok"), "ü ok");
        assert_eq!(
            printable("a\u{202e}cod.exe\u{2069}"),
            "a\\u{202e}cod.exe\\u{2069}"
        );
    }

    #[test]
    fn a_foreign_text_keeps_its_lines_and_tabs_and_nothing_else_a_terminal_obeys() {
        assert_eq!(harmless("a\tb\n\u{1b}[2Jc\r\n"), "a\tb\n\\u{1b}[2Jc\\r\n");
    }

    #[test]
    fn a_reason_has_no_number() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "No such file or directory");
    }

    #[test]
    fn a_closed_pipe_is_no_failure_and_a_full_disk_is_one() {
        assert!(unwritten(&io::ErrorKind::BrokenPipe.into()).is_none());
        let problem = unwritten(&io::ErrorKind::StorageFull.into());
        assert_eq!(problem.map(|problem| problem.exit), Some(Exit::Output));
    }
}
