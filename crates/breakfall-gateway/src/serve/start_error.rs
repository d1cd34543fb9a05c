//! Why a gateway cannot start.

use std::fmt;
use std::io;

use crate::config::NameConflict;
use crate::upstream::UpstreamConfigError;
use breakfall_mcp::http_server::{BindError, TlsError};

/// The gateway cannot start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The host name to listen at cannot be resolved.
    Host {
        /// The name.
        host: String,
        /// The error of the resolver.
        source: io::Error,
    },
    /// The address cannot be listened at.
    Address(BindError),
    /// The certificate cannot be used.
    Certificate(TlsError),
    /// A server cannot be used as it is configured.
    Upstream(UpstreamConfigError),
    /// The names of two servers cannot be told apart.
    Names(NameConflict),
    /// The system has no random numbers.
    Random,
}

impl StartError {
    /// The fix for operators.
    pub fn fix(&self) -> &str {
        match self {
            Self::Host { .. } => "write an address of this machine, for example 127.0.0.1:7332",
            Self::Address(error) => error.fix(),
            Self::Certificate(_) => {
                "under 'tls', cert is the chain of certificates and key the private key it was made for"
            }
            Self::Upstream(_) => "correct it, or leave this server out",
            Self::Names(_) => "rename a server, or set another separator",
            Self::Random => "look at the log of the system",
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { host, source } => {
                write!(f, "the host name '{host}' cannot be resolved: {source}")
            }
            Self::Address(error) => error.fmt(f),
            Self::Certificate(error) => error.fmt(f),
            Self::Upstream(error) => error.fmt(f),
            Self::Names(clash) => clash.fmt(f),
            Self::Random => f.write_str("the system has no random numbers"),
        }
    }
}

impl std::error::Error for StartError {}

impl From<TlsError> for StartError {
    fn from(error: TlsError) -> Self {
        Self::Certificate(error)
    }
}

impl From<NameConflict> for StartError {
    fn from(clash: NameConflict) -> Self {
        Self::Names(clash)
    }
}

impl From<UpstreamConfigError> for StartError {
    fn from(error: UpstreamConfigError) -> Self {
        Self::Upstream(error)
    }
}
