//! What an operator sets for an HTTP server.

use std::sync::Arc;
use std::time::Duration;

use super::connection_state::HEADER_BEATS;
use super::tls::TlsCertificate;
use crate::error::ReplyOptions;
use crate::jsonrpc::FrameLimits;

/// The settings of an HTTP server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Names in `Host` that are accepted beside those of this machine: `name` or `name:port`.
    pub hosts: Vec<String>,
    /// Origins whose pages may call, as browsers write them.
    pub origins: Vec<String>,
    /// How refused requests are answered.
    pub replies: ReplyOptions,
    /// The number of sessions, and how long one may be unused.
    pub sessions: SessionLimits,
    /// How many parties share the sessions: the keys, and clients without one. None can take the share of another.
    pub session_shares: usize,
    /// The size and depth of a message.
    pub limits: FrameLimits,
    /// The maximum number of connections.
    pub connections: usize,
    /// The certificate for TLS; without it the server speaks plain HTTP.
    pub tls: Option<Arc<TlsCertificate>>,
    /// The time for the headers of a request, and for a body that hardly arrives.
    pub read_timeout: Duration,
    /// The time an idle connection stays open.
    pub keep: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            replies: ReplyOptions::default(),
            sessions: SessionLimits::default(),
            session_shares: 1,
            limits: FrameLimits::REQUEST,
            connections: MAX_CONNECTIONS,
            tls: None,
            read_timeout: HEADER_TIMEOUT,
            keep: IDLE_TIMEOUT,
        }
    }
}

impl Settings {
    /// How often connections and sessions are looked at: short enough that a timeout is overrun by a tenth at most.
    pub(super) fn beat(&self) -> Duration {
        (self.read_timeout / HEADER_BEATS).clamp(MIN_BEAT, MAX_BEAT)
    }
}

/// The number of sessions, how long one may be unused, and how much they may leave unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// The number of sessions at the same time.
    pub max: usize,
    /// The time without a request after which a session is removed.
    pub idle: Duration,
    /// The size of the answers that clients have not read, of all sessions together. Beyond it, the session with the
    /// most is closed.
    pub unread: usize,
}

impl Default for SessionLimits {
    /// A thousand sessions, half an hour, 512 MiB.
    fn default() -> Self {
        Self {
            max: 1000,
            idle: Duration::from_mins(30),
            unread: MAX_UNREAD_BYTES,
        }
    }
}

/// As for the bodies of requests.
const MAX_UNREAD_BYTES: usize = 512 << 20;
const MAX_CONNECTIONS: usize = 16_384;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than clients keep an idle connection, so that the client closes it first.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);
const MIN_BEAT: Duration = Duration::from_millis(20);
const MAX_BEAT: Duration = Duration::from_secs(1);
