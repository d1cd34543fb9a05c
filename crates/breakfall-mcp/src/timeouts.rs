//! How long a request may take.

use std::time::Duration;

/// How long to wait for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair of times")]
pub struct Timeouts {
    /// Without progress: each progress notification starts it anew.
    pub idle: Duration,
    /// In all, whatever progress there is.
    pub total: Duration,
}

impl Default for Timeouts {
    /// Five minutes, and half an hour in all.
    fn default() -> Self {
        Self {
            idle: Duration::from_mins(5),
            total: Duration::from_mins(30),
        }
    }
}
