//! What stands behind a path: whoever comes in there gets a seat.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use http::HeaderValue;
use sha2::{Digest as _, Sha256};

use crate::connection::{Inbound, Transport};

/// Who somebody is, as far as we know. Nothing is ever shared between two of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Principal {
    /// Anybody: no keys are asked for.
    Anybody,
    /// The holder of a key, by its name in the configuration.
    Named(Arc<str>),
    /// Whoever holds what a server behind us asks for. Who that is only the server knows.
    Holder(Credentials),
}

impl Principal {
    /// Whoever sends these credentials to a server that asks for them.
    pub fn holder(authorization: &HeaderValue) -> Self {
        Self::Holder(Credentials::new(authorization))
    }

    /// What goes with everything that is said for them.
    pub fn credentials(&self) -> Option<&Credentials> {
        match self {
            Self::Holder(credentials) => Some(credentials),
            Self::Anybody | Self::Named(_) => None,
        }
    }

    /// A text that is theirs alone.
    pub fn mark(&self) -> String {
        match self {
            Self::Anybody => String::new(),
            Self::Named(name) => name.as_ref().to_owned(),
            // No name has such a sign in it.
            Self::Holder(credentials) => {
                let mut mark = "#".to_owned();
                for byte in credentials.hash {
                    write!(mark, "{byte:02x}").expect("a text takes everything");
                }
                mark
            }
        }
    }
}

/// What a client shows a server, and that is never shown to anybody else.
#[derive(Clone)]
pub struct Credentials {
    /// By this they are told apart.
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

    /// `Authorization`, as it came.
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

/// Lets clients in.
pub trait Door: fmt::Debug + Send + Sync {
    /// A client begins a session of its own. The carrier takes what belongs to none of its requests.
    fn session(&self, principal: &Principal, carrier: Arc<dyn Transport>) -> Seat;

    /// Where requests go that stand for themselves. Several clients share the seat, so each request needs a key of its
    /// own. Nothing if there are too many seats already.
    fn common(&self, principal: &Principal) -> Option<Seat>;
}

/// A place to speak from. Whatever is behind it ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Seat {
    ear: Arc<Inbound>,
    behind: Arc<dyn Behind>,
}

/// What is behind a seat, and ends with it.
pub trait Behind: fmt::Debug + Send + Sync {
    /// Whether it has ended already, and will not come back.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether whoever sits in front of it shall go once what is under way is answered.
    fn is_dismissed(&self) -> bool {
        false
    }
}

impl Seat {
    /// A client's handle on what it talks to.
    pub fn new(ear: Arc<Inbound>, behind: Arc<dyn Behind>) -> Self {
        Self { ear, behind }
    }

    /// Whether nothing is behind it any more.
    pub fn is_over(&self) -> bool {
        self.behind.is_over()
    }

    /// Whether whoever sits there shall go once what is under way is answered.
    pub fn is_dismissed(&self) -> bool {
        self.behind.is_dismissed()
    }

    /// Whether somebody else has it too, or waits for an answer.
    pub fn is_used(&self) -> bool {
        Arc::strong_count(&self.behind) > 1 || self.ear.peer().owed() > 0
    }

    /// Who hears what is said from here.
    pub fn ear(&self) -> &Arc<Inbound> {
        &self.ear
    }
}
