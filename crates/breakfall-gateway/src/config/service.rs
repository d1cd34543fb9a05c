//! How clients reach the gateway: encryption, keys, names, sessions; and what they find there.

use std::fmt::{self, Display, Formatter};
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

/// How many sessions there may be, and for how long without a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sessions {
    /// At the same time.
    pub max: usize,
    /// Without a request.
    pub idle: Duration,
}

impl Default for Sessions {
    /// A thousand, half an hour.
    fn default() -> Self {
        Self {
            max: 1000,
            idle: Duration::from_mins(30),
        }
    }
}

impl Display for Sessions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let idle = show_duration(self.idle);
        write!(f, "up to {}, each {idle} without a request", self.max)
    }
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
