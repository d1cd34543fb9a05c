//! What a call came to: a success with warnings, a question, a batch, or a fault.
//!
//! The type cannot say "success, but with an error" or "failure, without one": a success has no place for a fault,
//! and a fault always has a message. Nothing converts a fault into a success.

mod batch;
mod success;

pub use batch::{Batch, Item, ItemResult, Tally, Verdict};
pub use success::{Fidelity, Success};

pub use crate::elicitation::{Choice, Elicitation};

use serde_json::Value;

use crate::fault::Fault;

/// The result of a tool call.
#[derive(Debug)]
#[must_use]
#[expect(
    clippy::exhaustive_enums,
    reason = "the four ways a call can end are the model"
)]
pub enum Outcome {
    /// It worked.
    Success(Success),
    /// It needs something from the user first. Not a failure.
    NeedsInput(Elicitation),
    /// Several things were asked for; each has a result of its own.
    Batch(Batch),
    /// It did not work.
    Fault(Fault),
}

impl Outcome {
    /// The fault, if that is what it came to.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            Self::Success(_) | Self::NeedsInput(_) | Self::Batch(_) => None,
        }
    }

    /// One word for what it came to.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Success(_) => "success",
            Self::NeedsInput(_) => "needs input",
            Self::Batch(_) => "batch",
            Self::Fault(_) => "fault",
        }
    }
}

/// Equal for a reader: causes and notes do not count.
impl PartialEq for Outcome {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Success(a), Self::Success(b)) => a == b,
            (Self::NeedsInput(a), Self::NeedsInput(b)) => a == b,
            (Self::Batch(a), Self::Batch(b)) => a == b,
            (Self::Fault(a), Self::Fault(b)) => a == b,
            (Self::Success(_) | Self::NeedsInput(_) | Self::Batch(_) | Self::Fault(_), _) => false,
        }
    }
}

impl From<Fault> for Outcome {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Success> for Outcome {
    fn from(success: Success) -> Self {
        Self::Success(success)
    }
}

impl From<Elicitation> for Outcome {
    fn from(question: Elicitation) -> Self {
        Self::NeedsInput(question)
    }
}

impl From<Batch> for Outcome {
    fn from(batch: Batch) -> Self {
        Self::Batch(batch)
    }
}

/// A handler's `Result` is an outcome as it stands.
impl<T: Into<Value>> From<Result<T, Fault>> for Outcome {
    fn from(result: Result<T, Fault>) -> Self {
        match result {
            Ok(data) => Self::Success(Success::new(data)),
            Err(fault) => Self::Fault(fault),
        }
    }
}
