//! What a command gives back: a report, or a problem. Commands never print.

use crate::exit::Exit;

/// The result of a command that worked.
#[derive(Debug)]
pub(crate) struct Report {
    /// For stdout.
    pub(crate) body: Body,
    /// For stderr, before the body.
    pub(crate) notes: Vec<Note>,
    /// For stderr, after the body: what went wrong although there is something to show. It decides how to exit.
    pub(crate) problem: Option<Problem>,
}

impl Report {
    /// A report without notes.
    pub(crate) const fn new(body: Body) -> Self {
        Self {
            body,
            notes: Vec::new(),
            problem: None,
        }
    }
}

/// What goes to stdout.
#[derive(Debug)]
pub(crate) enum Body {
    /// For a person: styles are taken out unless stdout is a terminal.
    Page(String),
    /// For a program: written as it is.
    Exact(String),
    /// What somebody else wrote: as it is, but a terminal is not made to obey it.
    Foreign(String),
}

/// A line on stderr beside a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// Its first word.
    pub(crate) label: &'static str,
    /// The rest.
    pub(crate) text: String,
}

impl Note {
    pub(crate) fn new(label: &'static str, text: impl Into<String>) -> Self {
        Self {
            label,
            text: text.into(),
        }
    }
}

/// Why a command could not do what was asked: what is wrong and where, then what to do about it.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) exit: Exit,
    pub(crate) what: String,
    /// What more is known, of any number of lines.
    pub(crate) facts: Vec<Note>,
    pub(crate) hints: Vec<String>,
    /// What to show first: lines that are laid out, and free of control characters already.
    pub(crate) page: String,
}

impl Problem {
    /// The caller's input or usage is wrong.
    pub(crate) fn input(what: impl Into<String>) -> Self {
        Self {
            exit: Exit::BadInput,
            what: what.into(),
            facts: Vec::new(),
            hints: Vec::new(),
            page: String::new(),
        }
    }

    /// A configuration is wrong.
    pub(crate) fn config(what: impl Into<String>) -> Self {
        Self {
            exit: Exit::BadConfig,
            ..Self::input(what)
        }
    }

    /// This program is wrong.
    pub(crate) fn internal(what: impl Into<String>) -> Self {
        Self {
            exit: Exit::Internal,
            ..Self::input(what)
        }
    }

    /// Says something more about it.
    #[must_use]
    pub(crate) fn fact(mut self, label: &'static str, text: impl Into<String>) -> Self {
        self.facts.push(Note::new(label, text));
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}
