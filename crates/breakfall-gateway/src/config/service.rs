//! How clients reach the gateway: encryption, keys, names, sessions; and what they find there.

use breakfall_mcp::http_server::SessionLimits;
use std::path::PathBuf;
use std::time::Duration;

use super::policy::words;
use super::secret::Secret;
use super::units::show_duration;

/// The certificate a gateway shows, and the key to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tls {
    /// The chain of certificates in PEM, the gateway's own first.
    pub cert: PathBuf,
    /// The private key in PEM.
    pub key: PathBuf,
}

/// A client that may come in: who it is, and what it shows to prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Key {
    /// Who it is.
    pub principal: String,
    /// What it sends as `Authorization: Bearer …`.
    pub secret: Secret,
}

/// The limits of sessions, for people.
pub fn show_sessions(sessions: SessionLimits) -> String {
    let idle = show_duration(sessions.idle);
    format!("up to {}, each {idle} without a request", sessions.max)
}

words! {
    /// What happens to the tools of a server that is lost, where several are served as one.
    Lost {
        /// They stay listed as unavailable.
        Keep = "keep",
        /// They vanish from the lists until it is back.
        Hide = "hide",
    }
}

/// How long calls that are under way may take when the gateway ends.
pub(super) const DRAIN: Duration = Duration::from_secs(30);
