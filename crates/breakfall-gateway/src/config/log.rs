//! What the gateway logs.

use super::setting::settings;
use super::word::{word, words};

settings! {
    /// What the gateway says about itself, on standard error.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct LogSettings {
        /// The least important thing it says.
        pub level: LogLevel = LogLevel::Info => word();
        /// Lines for people, or JSON for programs.
        pub format: LogFormat = LogFormat::Text => word();
    }
    impl Section {
        const EXAMPLE: &'static str = "log: { level: debug, format: text }";
    }
}

words! {
    /// How much is logged, from nothing up.
    LogLevel: "log levels" {
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
    /// How it is logged.
    LogFormat: "log formats" {
        /// Lines for people.
        Text = "text",
        /// JSON, an object a line.
        Json = "json",
    }
}
