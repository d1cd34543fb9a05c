//! It worked, perhaps not perfectly.

use serde::Serialize;
use serde_json::Value;

use crate::details::Details;
use crate::fault::{CorrelationId, Fault};
use crate::warning::Warning;

/// A success: data, and whatever degraded it on the way.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct Success {
    pub(crate) data: Value,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) fidelity: Option<Fidelity>,
    pub(crate) correlation_id: Option<CorrelationId>,
    /// Operational metadata of response-v2 that has no meaning here (pagination, telemetry): kept, not read.
    pub(crate) meta: Details,
}

impl Success {
    /// A success with its data. Genuinely empty data is a success; a failure to get data is not.
    pub fn new(data: impl Into<Value>) -> Self {
        Self {
            data: data.into(),
            ..Self::default()
        }
    }

    /// A success with data of a type of yours.
    ///
    /// # Errors
    /// An internal fault when the data cannot be serialised: that is a failure too, and told as one.
    pub fn of(data: &impl Serialize) -> Result<Self, Fault> {
        let data = serde_json::to_value(data);
        data.map(Self::new)
            .map_err(|error| Fault::internal().caused_by(error))
    }

    /// Announces something that did not prevent the success.
    pub fn warning(mut self, warning: Warning) -> Self {
        self.warnings.push(warning);
        self
    }

    /// How much of the content is there.
    pub fn fidelity(mut self, fidelity: Fidelity) -> Self {
        self.fidelity = Some(fidelity);
        self
    }

    /// The id of the call.
    pub fn correlation_id(mut self, id: CorrelationId) -> Self {
        self.correlation_id = Some(id);
        self
    }

    /// The data.
    pub fn data(&self) -> &Value {
        &self.data
    }

    /// The warnings, in the order they were raised.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// How much of the content is there, if it was said.
    pub fn content_fidelity(&self) -> Option<Fidelity> {
        self.fidelity
    }
}

/// How much of the full content a success carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the four words of the envelope's contract"
)]
pub enum Fidelity {
    /// All of it.
    Full,
    /// Some of it.
    Partial,
    /// A summary.
    Summary,
    /// References to it only.
    ReferenceOnly,
}

impl Fidelity {
    /// Every value.
    pub const ALL: &'static [Self] = &[
        Self::Full,
        Self::Partial,
        Self::Summary,
        Self::ReferenceOnly,
    ];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::Summary => "summary",
            Self::ReferenceOnly => "reference_only",
        }
    }

    /// The value of a wire word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|have| have.as_str() == word)
    }
}
