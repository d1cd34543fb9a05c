//! Levels of log messages.

use serde_json::Value;

use crate::message::ShopRpcError;

/// How much a log message matters; the order is that of syslog, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShopLogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl ShopLogLevel {
    /// Reads the word of the protocol.
    pub(crate) fn read(word: &Value) -> Result<Self, ShopRpcError> {
        let known = Self::ALL.into_iter();
        let mut fitting = known.filter(|level| word == level.as_str());
        let unknown = || ShopRpcError::invalid_params(format!("Invalid log level: {word}"));
        fitting.next().ok_or_else(unknown)
    }

    /// The word of the protocol.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];
}
