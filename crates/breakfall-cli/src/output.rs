//! The one place that prints.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::exit::CommandExit;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote, io_reason};

/// The narrowest: below it, words would be cut rather than lines.
const MIN_WIDTH: usize = 40;

/// The width of the terminal, if stdout is one, or the one that `COLUMNS` asks for.
pub(crate) fn terminal_width() -> Option<usize> {
    width_of(&io::stdout())
}

/// The same for stderr.
pub(crate) fn stderr_width() -> Option<usize> {
    width_of(&io::stderr())
}

fn width_of(stream: &impl AsFd) -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok();
    let asked = asked.and_then(|columns| columns.parse().ok());
    let terminal = || {
        let (columns, _) = terminal_size::terminal_size_of(stream)?;
        Some(usize::from(columns.0))
    };
    let width = asked.or_else(terminal).filter(|columns| *columns > 0);
    width.map(|columns| columns.max(MIN_WIDTH))
}

/// Writes in colour, or not, from now on.
pub(crate) fn use_colours(choice: ColorChoice) {
    choice.write_global();
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

/// Asks a question on the terminal; everything but a yes is a no.
pub(crate) fn confirm(question: &str) -> bool {
    write_stderr(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
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
        ReportBody::ForeignJson(text) if stdout.is_terminal() => {
            write_all(stdout, &printable_json(text))
        }
        ReportBody::ForeignJson(text) | ReportBody::Exact(text) | ReportBody::Foreign(text) => {
            write_all(stdout, text)
        }
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

/// Whether stderr gets JSON.
pub(crate) fn is_json() -> bool {
    IS_JSON.load(Ordering::Relaxed)
}

static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Prints a note on stderr at once.
pub(crate) fn note(note: &ReportNote) {
    if is_json() {
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
    if is_json() {
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
pub(crate) fn json_text(level: &str, message: &str, more: Value) -> String {
    let mut line = json!({
        "timestamp": format!("{:.6}", Timestamp::now()),
        "level": level,
        "message": message,
        "target": "breakfall",
    });
    if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
        line.extend(more);
    }
    format!("{}\n", printable_json(&line.to_string()))
}

fn json_line(level: &str, message: &str, more: Value) {
    // A failure of stderr cannot be reported anywhere.
    let _ = write_all(io::stderr().lock(), &json_text(level, message, more));
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
    escaped(text, b"\n\t")
}

/// A line with control characters other than tabs escaped.
pub(crate) fn printable_cells(line: &str) -> String {
    escaped(line, b"\t")
}

/// A JSON text with control characters other than tabs and line feeds escaped, as JSON does it: inside strings it means the same.
pub(crate) fn printable_json(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            // Between values.
            '\r' => out.push(' '),
            _ if is_unprintable(c) => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

/// A text with control characters escaped: messages quote input, and a terminal would obey it.
pub(crate) fn printable(text: &str) -> String {
    escaped(text, b"")
}

/// A text with control characters escaped but for some.
fn escaped(text: &str, kept: &[u8]) -> String {
    let is_kept = |byte: u8| matches!(byte, b' '..=b'~') || kept.contains(&byte);
    // Most lines need no change, and each line of the log passes here.
    if text.bytes().all(is_kept) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) && !u8::try_from(c).is_ok_and(is_kept) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a terminal would obey a character instead of displaying it.
fn is_unprintable(c: char) -> bool {
    c.is_control() || is_reordering(c)
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
    fn json_stays_json_with_its_control_characters_escaped() {
        let text = "{\"a\":\"\u{9b}2J \u{7f}\u{202e}ü\",\r\n\t\"b\":1}";
        let shown = printable_json(text);
        assert_eq!(shown, "{\"a\":\"\\u009b2J \\u007f\\u202eü\", \n\t\"b\":1}");
        let values = [text, &shown].map(|json| serde_json::from_str::<Value>(json).unwrap());
        assert_eq!(values[0], values[1]);
    }

    #[test]
    fn a_closed_pipe_is_not_an_error_and_a_full_disk_is() {
        assert!(write_error(&io::ErrorKind::BrokenPipe.into()).is_none());
        let error = write_error(&io::ErrorKind::StorageFull.into());
        assert_eq!(error.map(|error| error.exit), Some(CommandExit::Output));
    }
}
