//! What a command returns: a report, or an error. Only `output` prints.

use std::io;

use crate::exit::CommandExit;

/// The result of a command that worked.
#[derive(Debug)]
pub(crate) struct CommandReport {
    /// For stdout.
    pub(crate) body: ReportBody,
    /// For stderr, before the body.
    pub(crate) notes: Vec<ReportNote>,
    /// For stderr, after the body: a failure that leaves something to show. It sets the exit code.
    pub(crate) error: Option<CommandError>,
}

impl CommandReport {
    /// A report without notes.
    pub(crate) const fn new(body: ReportBody) -> Self {
        Self {
            body,
            notes: Vec::new(),
            error: None,
        }
    }

    /// A report that prints nothing.
    pub(crate) const fn empty() -> Self {
        Self::new(ReportBody::Exact(String::new()))
    }
}

/// What goes to stdout.
#[derive(Debug)]
pub(crate) enum ReportBody {
    /// For a person: styles are removed unless stdout is a terminal.
    Page(String),
    /// For a program: written as it is.
    Exact(String),
    /// Text of a server: written as it is, but escaped on a terminal.
    Foreign(String),
    /// JSON with texts of a server in it: written as it is, but escaped on a terminal, as JSON does it.
    ForeignJson(String),
}

/// A line on stderr beside a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReportNote {
    /// Its first word.
    pub(crate) label: &'static str,
    /// The rest.
    pub(crate) text: String,
}

impl ReportNote {
    pub(crate) fn new(label: &'static str, text: impl Into<String>) -> Self {
        Self {
            label,
            text: text.into(),
        }
    }
}

/// Why a command failed: what is wrong and where, then what to do about it.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) exit: CommandExit,
    pub(crate) message: String,
    /// Further facts, each of any number of lines.
    pub(crate) facts: Vec<ReportNote>,
    pub(crate) hints: Vec<String>,
    /// Printed first: laid out lines, already free of control characters.
    pub(crate) page: String,
}

impl CommandError {
    /// An error with an exit code.
    pub(crate) fn new(exit: CommandExit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            facts: Vec::new(),
            hints: Vec::new(),
            page: String::new(),
        }
    }

    /// The caller's input or usage is wrong.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(CommandExit::BadInput, message)
    }

    /// A configuration is wrong.
    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self::new(CommandExit::BadConfig, message)
    }

    /// This program is wrong.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(CommandExit::Internal, message)
    }

    /// The session with the server could not be started.
    pub(crate) fn server(message: impl Into<String>) -> Self {
        Self::new(CommandExit::Server, message)
    }

    /// The runtime could not be started.
    pub(crate) fn runtime(error: &io::Error) -> Self {
        Self::internal(format!("cannot start: {}", io_reason(error)))
    }

    /// The standard streams could not be used as a transport.
    pub(crate) fn standard_streams(action: &str, error: &io::Error) -> Self {
        Self::input(format!("cannot {action}: {}", io_reason(error)))
            .hint("an MCP client starts this command and speaks to it there")
    }

    /// Sets the exit code.
    #[must_use]
    pub(crate) fn exit(mut self, exit: CommandExit) -> Self {
        self.exit = exit;
        self
    }

    /// Adds a fact.
    #[must_use]
    pub(crate) fn fact(mut self, label: &'static str, text: impl Into<String>) -> Self {
        self.facts.push(ReportNote::new(label, text));
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

/// The text of an I/O error without the error number in brackets.
pub(crate) fn io_reason(error: &io::Error) -> String {
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
    fn a_reason_has_no_number() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(io_reason(&error), "No such file or directory");
    }
}
