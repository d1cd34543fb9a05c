//! The error object, the same in `_meta`, `structuredContent`, JSON-RPC `data` and problems. It borrows everything it
//! can and formats message and remediation once.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::fault::{CorrelationId, Public};
use crate::outcome::Elicitation;
use crate::render;
use crate::violation::{Violation, ViolationObject};
use crate::wire::Options;

/// The error object, the same in `_meta`, `structuredContent`, JSON-RPC `data` and problems.
#[derive(Debug)]
pub(crate) struct ErrorObject<'a> {
    pub(crate) public: &'a Public,
    pub(crate) message: Cow<'a, str>,
    remediation: Cow<'a, str>,
    correlation_id: Cow<'a, CorrelationId>,
    timestamp: Timestamp,
}

impl<'a> ErrorObject<'a> {
    pub(crate) fn new(public: &'a Public, options: &Options) -> Self {
        let (correlation_id, timestamp) = match (&public.correlation_id, public.timestamp) {
            (Some(id), Some(at)) => (Cow::Borrowed(id), at),
            (own, at) => {
                let (id, now) = options.stamp.take();
                (
                    own.as_ref().map_or(Cow::Owned(id), Cow::Borrowed),
                    at.unwrap_or(now),
                )
            }
        };
        Self {
            public,
            message: public.message(),
            remediation: public.remediation(),
            correlation_id,
            timestamp,
        }
    }

    pub(crate) fn correlation_id(&self) -> &CorrelationId {
        &self.correlation_id
    }

    pub(crate) fn text(&self) -> String {
        let (message, remediation) = (&self.message, &self.remediation);
        render::fault(self.public, message, remediation, &self.correlation_id)
    }

    pub(super) fn preamble(&self) -> String {
        let (message, remediation) = (&self.message, &self.remediation);
        render::preamble(self.public, message, remediation, &self.correlation_id)
    }

    /// The members that `problem` and the object itself share: everything but code and message.
    pub(crate) fn serialize_rest<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let public = self.public;
        entry(map, "domain_code", public.domain_code())?;
        if !public.details.is_empty() {
            map.serialize_entry("details", &public.details)?;
        }
        if !public.violations.is_empty() {
            map.serialize_entry("violations", &ViolationList(&public.violations))?;
        }
        map.serialize_entry("retry", &RetryObject(public))?;
        map.serialize_entry("remediation", &self.remediation)?;
        map.serialize_entry("recovery_actions", &ActionList(public))?;
        map.serialize_entry("recovery_hint", &public.hint())?;
        map.serialize_entry("user_message", public.user_message())?;
        entry(map, "fallback_tool", public.fallback_tool())?;
        entry(map, "corrective_params", public.corrective_params())?;
        map.serialize_entry("origin", &public.origin())?;
        if let Some(provenance) = &public.provenance {
            let pair = [
                ("rule", provenance.rule.as_ref()),
                ("confidence", provenance.confidence.as_str()),
            ];
            map.serialize_entry("provenance", &StringPairs(&pair))?;
        }
        entry(map, "http_status", public.http_status())?;
        entry(map, "docs_url", public.docs_url())?;
        entry(
            map,
            "needs_input",
            public.elicitation().map(Elicitation::to_value),
        )?;
        map.serialize_entry("correlation_id", self.correlation_id.as_str())?;
        map.serialize_entry("timestamp", &DisplayText(self.timestamp))
    }
}

impl Serialize for ErrorObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.public.code.name())?;
        map.serialize_entry("category", &self.public.category())?;
        map.serialize_entry("message", &self.message)?;
        self.serialize_rest(&mut map)?;
        map.end()
    }
}

struct ViolationList<'a>(&'a [Violation]);

impl Serialize for ViolationList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ViolationObject))
    }
}

pub(super) struct ActionList<'a>(pub(super) &'a Public);

impl Serialize for ActionList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.actions())
    }
}

pub(super) struct RetryObject<'a>(pub(super) &'a Public);

impl Serialize for RetryObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("policy", &self.0.retry())?;
        map.serialize_entry("retryable", &self.0.retry().is_retryable())?;
        entry(&mut map, "after_ms", self.0.retry_after().map(millis))?;
        map.end()
    }
}

/// Rounded up: a caller must not come back too early.
pub(crate) fn millis(wait: std::time::Duration) -> u64 {
    u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

pub(super) struct DisplayText<T>(T);

impl<T: std::fmt::Display> Serialize for DisplayText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

pub(super) struct StringPairs<'a>(pub(super) &'a [(&'static str, &'a str)]);

impl Serialize for StringPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

pub(crate) fn entry<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &'static str,
    value: Option<T>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(key, &value),
        None => Ok(()),
    }
}
