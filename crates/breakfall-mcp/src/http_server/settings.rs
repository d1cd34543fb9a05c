//! What an operator sets for an HTTP server.

use std::sync::Arc;
use std::time::Duration;

use super::connection_state::HEADER_BEATS;
use super::tls::TlsCertificate;
use crate::jsonrpc::FrameLimits;

/// The settings of an HTTP server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Names in `Host` that are accepted beside those of this machine: `name` or `name:port`.
    pub hosts: Vec<String>,
    /// Origins whose pages may call, as browsers write them.
    pub origins: Vec<String>,
    /// The number of sessions, and how long one may be unused.
    pub sessions: SessionLimits,
    /// The size and depth of a message.
    pub limits: FrameLimits,
    /// The maximum number of connections.
    pub connections: usize,
    /// The certificate for TLS; without it the server speaks plain HTTP.
    pub tls: Option<Arc<TlsCertificate>>,
    /// The time for the headers of a request, and for a body that hardly arrives.
    pub patience: Duration,
    /// The time an idle connection stays open.
    pub keep: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            sessions: SessionLimits::default(),
            limits: FrameLimits::REQUEST,
            connections: MAX_CONNECTIONS,
            tls: None,
            patience: HEADER_TIMEOUT,
            keep: IDLE_TIMEOUT,
        }
    }
}

impl Settings {
    /// How often connections and sessions are looked at: short enough that a timeout is overrun by a tenth at most.
    pub(super) fn beat(&self) -> Duration {
        (self.patience / HEADER_BEATS).clamp(MIN_BEAT, MAX_BEAT)
    }
}

/// The number of sessions, and how long one may be unused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// The number of sessions at the same time.
    pub max: usize,
    /// The time without a request after which a session is removed.
    pub idle: Duration,
}

impl Default for SessionLimits {
    /// A thousand sessions, half an hour.
    fn default() -> Self {
        Self {
            max: 1000,
            idle: Duration::from_mins(30),
        }
    }
}

const MAX_CONNECTIONS: usize = 16_384;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than clients keep an idle connection, so that the client closes it first.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);
const MIN_BEAT: Duration = Duration::from_millis(20);
const MAX_BEAT: Duration = Duration::from_secs(1);
