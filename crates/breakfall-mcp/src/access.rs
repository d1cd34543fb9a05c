//! The identity of a client, and the endpoints it reaches.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use http::HeaderValue;
use sha2::{Digest as _, Sha256};

use crate::connection::{Inbound, Transport};

/// The identity of a client, as far as the gateway knows it. Two principals never share a server or a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Principal {
    /// Any client: no key is configured, or none is needed at this path.
    Anonymous,
    /// The holder of a key, by its name in the configuration.
    Named(Arc<str>),
    /// A client known only by credentials that an upstream server checks. Anyone can make such credentials up.
    Unverified(Credentials),
}

impl Principal {
    /// A client whose `Authorization` goes on to an upstream server.
    pub fn unverified(authorization: &HeaderValue) -> Self {
        Self::Unverified(Credentials::new(authorization))
    }

    /// The credentials that go with every request upstream.
    pub fn credentials(&self) -> Option<&Credentials> {
        match self {
            Self::Unverified(credentials) => Some(credentials),
            Self::Anonymous | Self::Named(_) => None,
        }
    }

    /// A text that differs for every principal.
    pub fn mark(&self) -> String {
        match self {
            Self::Anonymous => String::new(),
            Self::Named(name) => name.as_ref().to_owned(),
            // A configured name cannot contain '#'.
            Self::Unverified(credentials) => {
                let mut mark = "#".to_owned();
                for byte in credentials.hash {
                    write!(mark, "{byte:02x}").expect("writing to a String cannot fail");
                }
                mark
            }
        }
    }
}

/// An `Authorization` header that the gateway passes on and never shows.
#[derive(Clone)]
pub struct Credentials {
    /// SHA-256 of the value; comparisons use only this.
    hash: [u8; 32],
    value: HeaderValue,
}

impl Credentials {
    fn new(authorization: &HeaderValue) -> Self {
        let mut value = authorization.clone();
        value.set_sensitive(true);
        Self {
            hash: Sha256::digest(value.as_bytes()).into(),
            value,
        }
    }

    /// The value of `Authorization`, unchanged.
    pub fn authorization(&self) -> &HeaderValue {
        &self.value
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

impl PartialEq for Credentials {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Credentials {}

impl Hash for Credentials {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// What serves MCP at one path.
pub trait Endpoint: fmt::Debug + Send + Sync {
    /// Opens servers for a session. The transport takes messages that belong to no request of the client.
    ///
    /// Returns nothing when no more clients can be served.
    fn open_session(
        &self,
        principal: &Principal,
        transport: Arc<dyn Transport>,
    ) -> Option<ClientHandle>;

    /// The servers for requests without a session. Clients of one principal share them, so each request needs a key
    /// of its own.
    ///
    /// Returns nothing when no more clients can be served.
    fn open_shared(&self, principal: &Principal) -> Option<ClientHandle>;
}

/// A client's side of an endpoint. The backend ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct ClientHandle {
    inbound: Arc<Inbound>,
    backend: Arc<dyn Backend>,
}

/// The servers of one client, which end with it.
pub trait Backend: fmt::Debug + Send + Sync {
    /// Whether every server has ended and none will be started again.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether the client must leave once its open requests are answered.
    fn is_closing(&self) -> bool {
        false
    }
}

impl ClientHandle {
    /// Joins the listener of a client's messages to its servers.
    pub fn new(inbound: Arc<Inbound>, backend: Arc<dyn Backend>) -> Self {
        Self { inbound, backend }
    }

    /// Whether every server has ended and none will be started again.
    pub fn is_over(&self) -> bool {
        self.backend.is_over()
    }

    /// Whether the client must leave once its open requests are answered.
    pub fn is_closing(&self) -> bool {
        self.backend.is_closing()
    }

    /// Whether another clone exists, or a request waits for its answer.
    pub fn is_used(&self) -> bool {
        Arc::strong_count(&self.backend) > 1 || self.inbound.peer().owed() > 0
    }

    /// Takes the messages of the client.
    pub fn inbound(&self) -> &Arc<Inbound> {
        &self.inbound
    }
}
