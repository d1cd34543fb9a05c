//! What an operator should know about a configuration that is valid.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

/// Something to know about a valid configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConfigNote {
    /// `note` or `warning`.
    pub label: &'static str,
    /// What it is.
    pub text: String,
}

impl ConfigNote {
    pub(super) fn warning(text: String) -> Self {
        let label = "warning";
        Self { label, text }
    }

    pub(super) fn note(text: String) -> Self {
        let label = "note";
        Self { label, text }
    }

    /// The settings that have no effect in this version yet, with their places in the text.
    pub(super) fn pending(settings: &[(&'static str, usize)], text: &str) -> Option<Self> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in settings {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let lines = |name: &str| {
            let places = settings.iter().filter(|(other, _)| *other == name);
            lines(text, places.map(|(_, place)| *place).collect())
        };
        let shown = names
            .iter()
            .map(|name| format!("{name} ({})", listed(&lines(name))));
        let shown: Vec<String> = shown.collect();
        let text = format!(
            "accepted, has no effect in this version yet: {}",
            shown.join(", ")
        );
        (!shown.is_empty()).then(|| Self::note(text))
    }
}

impl Display for ConfigNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.text)
    }
}

/// The lines of places, each once. In one pass: a file may have thousands of them.
fn lines(text: &str, mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    let (mut line, mut counted) = (1, 0);
    let mut lines: Vec<usize> = Vec::new();
    for at in places {
        let between = text.get(counted..at).unwrap_or_default();
        line += between.matches('\n').count();
        counted = at;
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

fn listed(lines: &[usize]) -> String {
    let shown = lines.iter().take(MAX_LINES).map(ToString::to_string);
    let shown: Vec<String> = shown.collect();
    let more = if lines.len() > MAX_LINES { ", …" } else { "" };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}{more}", shown.join(", "))
}

const MAX_LINES: usize = 8;
