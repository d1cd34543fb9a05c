//! The one place that prints.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::exit::CommandExit;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote, io_reason};

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

/// Notes on stderr that standard input is read, if it is a terminal.
pub(crate) fn note_keyboard() {
    if io::stdin().is_terminal() {
        let text = "reading standard input; end it with Ctrl-D";
        note(&ReportNote::new("note", text));
    }
}

/// Notes on stderr that a client should be at standard input, and what to type to try a tool by hand.
pub(crate) fn note_missing_client(is_demo: bool) {
    let text =
        "waiting for an MCP client on standard input, one JSON-RPC message a line; Ctrl-D ends it";
    note(&ReportNote::new("note", text));
    let text = if is_demo {
        "to try its tools by hand: breakfall call --demo tour"
    } else {
        "to try a tool by hand: breakfall call --help"
    };
    note(&ReportNote::new("note", text));
}

/// Prints on stdout at once, while the command goes on.
pub(crate) fn announce(text: &str) {
    // A reader that closed the pipe does not need it.
    let _ = write_all(AutoStream::auto(io::stdout().lock()), text);
}

/// Prints the result of a command and returns its exit code.
pub(crate) fn deliver(result: Result<CommandReport, CommandError>) -> CommandExit {
    match result {
        Ok(report) => {
            for line in &report.notes {
                note(line);
            }
            match (write(&report.body), &report.error) {
                (CommandExit::Ok, Some(error)) => fail(error),
                (exit, _) => exit,
            }
        }
        Err(error) => fail(&error),
    }
}

fn write(body: &ReportBody) -> CommandExit {
    let stdout = io::stdout().lock();
    written(match body {
        ReportBody::Page(text) => write_all(AutoStream::auto(stdout), text),
        ReportBody::Foreign(text) if stdout.is_terminal() => {
            write_all(stdout, &printable_lines(text))
        }
        ReportBody::Exact(text) | ReportBody::Foreign(text) => write_all(stdout, text),
    })
}

fn write_all(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// The exit code after writing to stdout; a failure is printed.
pub(crate) fn written(result: io::Result<()>) -> CommandExit {
    let error = result.err().and_then(|error| write_error(&error));
    error.map_or(CommandExit::Ok, |error| fail(&error))
}

/// The error of a failed write. A reader that closed the pipe early is not an error.
pub(crate) fn write_error(error: &io::Error) -> Option<CommandError> {
    let closed = [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset];
    (!closed.contains(&error.kind())).then(|| {
        let message = format!("cannot write the output: {}", io_reason(error));
        CommandError::new(CommandExit::Output, message)
    })
}

/// From now on stderr gets one JSON object a line, like the log.
pub(crate) fn use_json() {
    IS_JSON.store(true, Ordering::Relaxed);
}

static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Prints a note on stderr at once.
pub(crate) fn note(note: &ReportNote) {
    if IS_JSON.load(Ordering::Relaxed) {
        let level = if note.label == "warning" {
            "WARN"
        } else {
            "INFO"
        };
        return json_line(level, &note.text, json!({"label": note.label}));
    }
    let colour = match note.label {
        "lost" | "warning" => AnsiColor::Yellow,
        _ => AnsiColor::Cyan,
    };
    labelled_line(colour.on_default(), "", note.label, &note.text);
}

/// Prints an error on stderr and returns its exit code.
pub(crate) fn fail(error: &CommandError) -> CommandExit {
    if IS_JSON.load(Ordering::Relaxed) {
        let facts: Vec<Value> = error
            .facts
            .iter()
            .map(|fact| json!({fact.label: fact.text}))
            .collect();
        let mut more = json!({"facts": facts, "hints": error.hints});
        if !error.page.is_empty() {
            more["page"] = anstream::adapter::strip_str(&error.page).to_string().into();
        }
        json_line("ERROR", &error.message, more);
        return error.exit;
    }
    if !error.page.is_empty() {
        write_stderr(&error.page);
    }
    let red = AnsiColor::Red.on_default().bold();
    labelled_line(red, "", "error", &error.message);
    for fact in &error.facts {
        let mut lines = fact.text.lines();
        let first = lines.next().unwrap_or_default();
        labelled_line(AnsiColor::Green.on_default(), "  ", fact.label, first);
        for line in lines {
            write_stderr(&format!("    {}\n", printable(line)));
        }
    }
    for hint in &error.hints {
        labelled_line(AnsiColor::Cyan.on_default(), "  ", "hint", hint);
    }
    error.exit
}

/// A line in the form of the JSON log.
fn json_line(level: &str, message: &str, more: Value) {
    let mut line = json!({
        "timestamp": format!("{:.6}", Timestamp::now()),
        "level": level,
        "message": message,
        "target": "breakfall",
    });
    if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
        line.extend(more);
    }
    // A failure of stderr cannot be reported anywhere.
    let _ = write_all(io::stderr().lock(), &format!("{line}\n"));
}

fn labelled_line(style: Style, indent: &str, label: &str, text: &str) {
    let text = printable(text);
    write_stderr(&format!("{indent}{style}{label}:{style:#} {text}\n"));
}

fn write_stderr(text: &str) {
    // A failure of stderr cannot be reported anywhere.
    let _ = write_all(AutoStream::auto(io::stderr().lock()), text);
}

/// A text of several lines with control characters other than tabs and line feeds escaped.
pub(crate) fn printable_lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let cells = line.split('\t').map(printable);
        cells.collect::<Vec<_>>().join("\t")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text with control characters escaped: messages quote input, and a terminal would obey it.
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

/// Whether a character changes the order in which the text after it is displayed.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    fn a_foreign_text_keeps_its_lines_and_tabs_and_no_other_control_character() {
        assert_eq!(
            printable_lines("a\tb\n\u{1b}[2Jc\r\n"),
            "a\tb\n\\u{1b}[2Jc\\r\n"
        );
    }

    #[test]
    fn a_closed_pipe_is_not_an_error_and_a_full_disk_is() {
        assert!(write_error(&io::ErrorKind::BrokenPipe.into()).is_none());
        let error = write_error(&io::ErrorKind::StorageFull.into());
        assert_eq!(error.map(|error| error.exit), Some(CommandExit::Output));
    }
}
