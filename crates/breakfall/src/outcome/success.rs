//! It worked, perhaps not perfectly.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::code::words;
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

    /// Content that is not in the data, by its ids. Call it once for each kind of content; ids add up.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    /// use breakfall::wire::{Dialect, Options, encode};
    /// use breakfall::{Fidelity, Success};
    ///
    /// let success = Success::new("the first page")
    ///     .fidelity(Fidelity::Partial)
    ///     .dropped(["page_2", "page_3"])
    ///     .archived("pages.tar", "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae");
    /// let outcome = Redactor::client().outcome(success);
    /// let envelope = encode(outcome.as_ref(), Dialect::ResponseV2, &Options::new())?.to_value();
    /// assert_eq!(envelope["meta"]["dropped_content_ids"][1], "page_3");
    /// assert!(envelope["meta"]["content_archive_hashes"]["pages.tar"].is_string());
    /// # Ok::<(), breakfall::wire::EncodeError>(())
    /// ```
    pub fn dropped<I: Into<String>>(mut self, ids: impl IntoIterator<Item = I>) -> Self {
        let mut all = match self.meta.remove(DROPPED) {
            Some(Value::Array(all)) => all,
            _ => Vec::new(),
        };
        all.extend(ids.into_iter().map(|id| Value::from(id.into())));
        if !all.is_empty() {
            self.meta.insert(DROPPED, all.into());
        }
        self
    }

    /// Where content that is not in the data can be had: an archive and its hash, as `sha256:…`. Call it once for each
    /// archive.
    pub fn archived(mut self, archive: impl Into<String>, hash: impl Into<String>) -> Self {
        let mut all = match self.meta.remove(ARCHIVES) {
            Some(Value::Object(all)) => all,
            _ => Map::new(),
        };
        all.insert(archive.into(), hash.into().into());
        self.meta.insert(ARCHIVES, all.into());
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

    /// The ids of content that is not in the data.
    pub fn dropped_ids(&self) -> impl Iterator<Item = &str> {
        let all = self.meta.get(DROPPED).and_then(Value::as_array);
        all.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Archives of content that is not in the data, with their hashes.
    pub fn archives(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.meta.get(ARCHIVES).and_then(Value::as_object);
        all.into_iter()
            .flatten()
            .filter_map(|(archive, hash)| Some((archive.as_str(), hash.as_str()?)))
    }

    /// How much of the content is there, if it was said.
    pub fn content_fidelity(&self) -> Option<Fidelity> {
        self.fidelity
    }
}

/// Keys of the envelope's metadata.
const DROPPED: &str = "dropped_content_ids";
const ARCHIVES: &str = "content_archive_hashes";

words! {
    /// How much of the full content a success carries.
    Fidelity {
        /// All of it.
        Full = "full",
        /// Some of it.
        Partial = "partial",
        /// A summary.
        Summary = "summary",
        /// References to it only.
        ReferenceOnly = "reference_only",
    }
}
