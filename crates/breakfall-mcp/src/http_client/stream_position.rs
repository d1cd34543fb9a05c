//! How far a stream of events was read, so that it can be continued.

use std::time::Duration;

use http::HeaderValue;

use super::sse::SseReader;

/// How far a stream of events was read.
#[derive(Debug, Default)]
pub(super) struct StreamPosition {
    id: Vec<u8>,
    retry: Option<Duration>,
}

impl StreamPosition {
    /// Takes over what the stream has said so far; true if its position changed.
    pub(super) fn update(&mut self, events: &SseReader) -> bool {
        self.retry = events.retry().or(self.retry);
        let has_moved = !events.last_id().is_empty() && self.id != events.last_id();
        if has_moved {
            self.id = events.last_id().to_vec();
        }
        has_moved
    }

    /// Whether the stream can be continued.
    pub(super) fn is_known(&self) -> bool {
        !self.id.is_empty()
    }

    /// The value of `Last-Event-ID`.
    pub(super) fn last_event_id(&self) -> Option<HeaderValue> {
        let id = HeaderValue::from_bytes(&self.id).ok()?;
        (!id.is_empty()).then_some(id)
    }

    /// How long to wait before the stream is continued, after so many failures.
    pub(super) fn wait(&self, failures: u32) -> Duration {
        let first = self.retry.unwrap_or(DEFAULT_RETRY);
        let wait = first.saturating_mul(1 << failures.min(5));
        wait.min(first.max(MAX_BACKOFF)).min(MAX_RETRY)
    }
}

/// How long to wait if the server does not say.
const DEFAULT_RETRY: Duration = Duration::from_secs(1);
/// The longest wait that doubling leads to.
const MAX_BACKOFF: Duration = Duration::from_secs(30);
/// The longest wait a server can ask for.
const MAX_RETRY: Duration = Duration::from_mins(5);
