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
}

impl Display for ConfigNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.text)
    }
}
