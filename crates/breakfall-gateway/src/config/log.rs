//! What the gateway says about itself.

use super::policy::words;

/// What the gateway says about itself, on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Log {
    /// The least important thing it says.
    pub level: Level,
    /// How it says it.
    pub format: Format,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            level: Level::Info,
            format: Format::Text,
        }
    }
}

words! {
    /// How much is said, from nothing up.
    Level {
        /// Nothing.
        Off = "off",
        /// What went wrong.
        Error = "error",
        /// And what may go wrong.
        Warn = "warn",
        /// And what happens.
        Info = "info",
        /// And why.
        Debug = "debug",
    }
}

words! {
    /// How it is said.
    Format {
        /// Lines for people.
        Text = "text",
        /// JSON, an object a line.
        Json = "json",
    }
}
