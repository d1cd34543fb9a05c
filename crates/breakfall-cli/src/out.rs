//! The one place that prints.

use std::io::{self, IsTerminal, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};

use crate::exit::Exit;
use crate::report::{Body, Note, Problem, Report};

/// The widest text, and its width when nobody looks.
pub(crate) const MAX_WIDTH: usize = 100;

/// The narrowest: below it, words would be cut rather than lines.
const MIN_WIDTH: usize = 40;

/// How wide text may be on stdout.
pub(crate) fn width() -> usize {
    let terminal = io::stdout()
        .is_terminal()
        .then(terminal_size::terminal_size);
    match terminal.flatten() {
        Some((columns, _)) => usize::from(columns.0).clamp(MIN_WIDTH, MAX_WIDTH),
        None => MAX_WIDTH,
    }
}

/// Prints what a command came to and says how to exit.
pub(crate) fn deliver(result: Result<Report, Problem>) -> Exit {
    match result {
        Ok(report) => {
            for note in &report.notes {
                tell(note);
            }
            write(&report.body)
        }
        Err(problem) => fail(&problem),
    }
}

/// Prints what clap has to say: help and versions on stdout, mistakes on stderr.
pub(crate) fn usage(error: &clap::Error) -> Exit {
    match error.print() {
        Err(failed) if !error.use_stderr() => closing(&failed),
        // Nobody is left to tell when stderr fails.
        Ok(()) | Err(_) if error.use_stderr() => Exit::BadInput,
        Ok(()) | Err(_) => Exit::Ok,
    }
}

fn write(body: &Body) -> Exit {
    let stdout = io::stdout().lock();
    let written = match body {
        Body::Page(text) => write_all(AutoStream::auto(stdout), text),
        Body::Exact(text) => write_all(stdout, text),
    };
    match written {
        Ok(()) => Exit::Ok,
        Err(error) => closing(&error),
    }
}

fn write_all(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// A reader that has seen enough closes the pipe; that is no failure, and nobody wants to hear of it.
fn closing(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Ok;
    }
    fail(&Problem {
        exit: Exit::Output,
        what: format!("cannot write the output: {}", reason(error)),
        hints: Vec::new(),
    })
}

fn tell(note: &Note) {
    let colour = match note.label {
        "lost" => AnsiColor::Yellow,
        _ => AnsiColor::Cyan,
    };
    line(colour.on_default(), "", note.label, &note.text);
}

fn fail(problem: &Problem) -> Exit {
    line(
        AnsiColor::Red.on_default().bold(),
        "",
        "error",
        &problem.what,
    );
    for hint in &problem.hints {
        line(AnsiColor::Cyan.on_default(), "  ", "hint", hint);
    }
    problem.exit
}

fn line(style: Style, indent: &str, label: &str, text: &str) {
    let text = printable(text);
    let line = format!("{indent}{style}{label}:{style:#} {text}\n");
    // Nobody is left to tell when stderr fails.
    let _ = write_all(AutoStream::auto(io::stderr().lock()), &line);
}

/// Input comes back in messages, and a terminal would obey control characters in it.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
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
    }

    #[test]
    fn a_reason_has_no_number() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "No such file or directory");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        assert_eq!(closing(&io::ErrorKind::BrokenPipe.into()), Exit::Ok);
        assert_eq!(closing(&io::ErrorKind::StorageFull.into()), Exit::Output);
    }
}
