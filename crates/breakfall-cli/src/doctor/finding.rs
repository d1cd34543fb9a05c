//! Something that is wrong with a server.

use serde::Serialize;

/// What is wrong, and how to fix it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Finding {
    pub(super) problem: String,
    /// The words of the server, without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) said: Option<String>,
    pub(super) fix: String,
}

impl Finding {
    pub(super) fn new(problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            said: None,
            fix: fix.into(),
        }
    }

    /// Adds the last words of the server, which are free of secrets. Only now they are cut: a part of a secret is not recognised.
    #[must_use]
    pub(super) fn said(mut self, words: &str) -> Self {
        let lines: Vec<&str> = words
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let last = lines[lines.len().saturating_sub(MAX_LINES)..].iter();
        let last: Vec<&str> = last
            .map(|line| &line[..line.floor_char_boundary(MAX_LINE_BYTES)])
            .collect();
        self.said = (!last.is_empty()).then(|| last.join("\n"));
        self
    }
}

/// How many of the last lines are shown.
const MAX_LINES: usize = 12;
/// How much of each line is shown: less than is kept of a line of stderr, at whose end a secret may be incomplete.
const MAX_LINE_BYTES: usize = 300;
