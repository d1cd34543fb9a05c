//! What went wrong: a [`Fault`] has a public half, the only thing renderers and wire accept, and a private half
//! (cause chain and notes) that has no path to the wire, by type.
//!
//! A fault is one pointer wide, so `Result<T, Fault>` costs what `Result<T, Box<…>>` costs. It is not `Serialize`,
//! and nothing turns it into a success.

mod build;
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

pub use make::{LimitType, Window};
pub(crate) use public::whole_seconds;
pub use public::{Confidence, Provenance, Public};
pub use report::Report;
#[cfg(feature = "locale")]
pub(crate) use spoken::RowText;
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
#[must_use = "a fault that is dropped is a failure nobody hears of"]
pub struct Fault(Box<FaultHalves>);

struct FaultHalves {
    public: Public,
    private: Private,
}

#[derive(Default)]
struct Private {
    cause: Option<Box<dyn Error + Send + Sync>>,
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

    pub(crate) fn public_mut(&mut self) -> &mut Public {
        &mut self.0.public
    }
}

/// The public message, for `?` and logs of people who do not know the type.
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
