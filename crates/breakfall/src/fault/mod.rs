//! What went wrong: a [`Fault`] has a public half, the only thing renderers and wire accept, and a private half
//! (cause chain and notes) that has no path to the wire, by type.
//!
//! A fault is one pointer wide, so `Result<T, Fault>` costs what `Result<T, Box<…>>` costs. It is not `Serialize`,
//! and nothing turns it into a success.

mod bounds;
mod build;
mod executed;
mod getters;
mod make;
mod public;
mod report;
pub(crate) mod reserved;
mod say;
mod spoken;
mod stamp;
mod user;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

pub use make::{LimitType, Window};
pub use public::{Confidence, Provenance, Public};
pub use report::Report;
pub use stamp::{CorrelationId, InvalidCorrelationId, Stamp};

use crate::code::Code;

/// A failure an agent can act on.
///
/// ```
/// use breakfall::Fault;
///
/// let fault = Fault::not_found("user", "usr_999").fallback_tool("list_users");
/// assert_eq!(fault.public().message(), "user 'usr_999' not found");
/// assert!(!fault.public().retry().is_retryable());
/// ```
///
/// Builders have the short names (`message`, `retry`), getters the noun (`message_text`, `retry_class`);
/// [`Self::public`] has all of them. A clone shares the private cause. Two faults are equal when their public halves
/// are.
#[must_use = "a fault that is dropped is a failure the caller never learns of"]
#[derive(Clone)]
pub struct Fault(Box<FaultHalves>);

#[derive(Clone)]
struct FaultHalves {
    public: Public,
    private: Private,
}

#[derive(Clone, Default)]
struct Private {
    cause: Option<Arc<dyn Error + Send + Sync>>,
    notes: Vec<String>,
}

impl Fault {
    /// A fault of a code, with everything else as its row says.
    pub fn new(code: Code) -> Self {
        Self(Box::new(FaultHalves {
            public: Public::new(code),
            private: Private::default(),
        }))
    }

    /// The half that may be shown.
    pub fn public(&self) -> &Public {
        &self.0.public
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.public.code()
    }

    /// Everything an operator may know, for the log: the public half in a line, then notes and the cause chain.
    /// It prints and does nothing else.
    pub fn report(&self) -> Report<'_> {
        Report::new(self)
    }

    pub(crate) fn from_public(public: Public) -> Self {
        Self(Box::new(FaultHalves {
            public,
            private: Private::default(),
        }))
    }

    /// With the causes and notes of another fault, which it stands in for.
    pub(crate) fn in_place_of(mut self, other: Self) -> Self {
        self.0.private = other.0.private;
        self
    }

    pub(crate) fn public_mut(&mut self) -> &mut Public {
        &mut self.0.public
    }
}

/// Equal for a caller: causes and notes do not count.
///
/// ```
/// use breakfall::Fault;
///
/// let fault = Fault::not_found("user", "usr_999");
/// assert_eq!(fault.clone().caused_by("no such row"), fault);
/// assert_ne!(fault, Fault::not_found("user", "usr_1"));
/// ```
impl PartialEq for Fault {
    fn eq(&self, other: &Self) -> bool {
        self.0.public == other.0.public
    }
}

/// The public message, for `?` and for logs that do not know the type.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.public.message())
    }
}

/// The public half only: `{:?}` ends up in more places than its author thinks.
impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fault").field(&self.0.public).finish()
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0
            .private
            .cause
            .as_deref()
            .map(|cause| cause as &(dyn Error + 'static))
    }
}
