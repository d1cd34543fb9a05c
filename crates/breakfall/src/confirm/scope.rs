//! The call that a token is bound to.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::canonical::{ArgumentsError, canonical};

/// The arguments that carry a token. They are not a part of the call, and reach no tool.
pub const CONFIRMATION_ARGUMENTS: [&str; 3] =
    ["_confirmation", "confirmation_token", "_quota_continue"];

/// The call that a token is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallScope {
    principal: Option<Box<str>>,
    upstream: Box<str>,
    operation: Box<str>,
    quota: Option<Box<str>>,
    arguments: ArgumentsHash,
}

impl CallScope {
    /// The call of an operation of a server by a principal, if it is known.
    pub fn new(
        principal: Option<&str>,
        upstream: &str,
        operation: &str,
        arguments: ArgumentsHash,
    ) -> Self {
        Self {
            principal: principal.map(Into::into),
            upstream: upstream.into(),
            operation: operation.into(),
            quota: None,
            arguments,
        }
    }

    /// Bound to a quota, too: its metric, which says the window.
    #[must_use]
    pub fn quota(mut self, metric: &str) -> Self {
        self.quota = Some(metric.into());
        self
    }

    /// The caller, if it is known.
    pub fn principal(&self) -> Option<&str> {
        self.principal.as_deref()
    }

    /// The server.
    pub fn upstream(&self) -> &str {
        &self.upstream
    }

    /// The operation.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The metric of the quota, if it is bound to one.
    pub fn metric(&self) -> Option<&str> {
        self.quota.as_deref()
    }

    /// The arguments.
    pub fn arguments(&self) -> ArgumentsHash {
        self.arguments
    }
}

/// The SHA-256 of the canonical arguments of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ArgumentsHash([u8; 32]);

impl ArgumentsHash {
    /// The hash of arguments, as they were written: of all but those in [`CONFIRMATION_ARGUMENTS`], or of the critical
    /// ones alone.
    ///
    /// # Errors
    /// When they are not JSON, or nested too deep.
    ///
    /// ```
    /// use breakfall::confirm::ArgumentsHash;
    ///
    /// let hash = |text| ArgumentsHash::of(text, None).expect("JSON");
    /// assert_eq!(hash(r#"{"a": 1, "b": "é"}"#), hash(r#"{"b":"\u00e9", "a":1.0, "_confirmation":"t"}"#));
    /// assert_ne!(hash(r#"{"a": 1}"#), hash(r#"{"a": "1"}"#));
    /// let critical = ["id".to_owned()];
    /// let hash = |text| ArgumentsHash::of(text, Some(&critical)).expect("JSON");
    /// assert_eq!(hash(r#"{"id": 7, "note": "a"}"#), hash(r#"{"id": 7}"#));
    /// ```
    pub fn of(arguments: &str, critical: Option<&[String]>) -> Result<Self, ArgumentsError> {
        let is_part = |name: &str| match critical {
            Some(critical) => critical.iter().any(|other| other == name),
            None => !CONFIRMATION_ARGUMENTS.contains(&name),
        };
        let text = canonical(arguments, is_part)?;
        Ok(Self(Sha256::digest(text.as_bytes()).into()))
    }

    /// The hash of all arguments, of which those with the token are taken out already: what has such a name still is for the
    /// tool.
    ///
    /// # Errors
    /// As [`Self::of`].
    ///
    /// ```
    /// use breakfall::confirm::ArgumentsHash;
    ///
    /// let hash = |text| ArgumentsHash::of_forwarded(text).expect("JSON");
    /// assert_ne!(hash(r#"{"_confirmation": "soft"}"#), hash(r#"{"_confirmation": "hard"}"#));
    /// ```
    pub fn of_forwarded(arguments: &str) -> Result<Self, ArgumentsError> {
        let text = canonical(arguments, |_| true)?;
        Ok(Self(Sha256::digest(text.as_bytes()).into()))
    }

    /// The hash with these bytes, as it was stored.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for ArgumentsHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArgumentsHash(")?;
        self.0[..6]
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
