//! The proof that a value went through a redactor: what encoders take.

use std::ops::Deref;

use crate::fault::{Fault, Public, Stamp};
use crate::outcome::Outcome;

/// A value without what its audience must not see. The encoders of [`wire`](crate::wire) take nothing else, and only a
/// [`Redactor`](super::Redactor) or the named exception [`unredacted`] makes one.
///
/// ```
/// use breakfall::Fault;
/// use breakfall::redact::Redactor;
/// use breakfall::wire::{Dialect, Options, encode};
///
/// let fault = Fault::invalid("cannot read '/etc/app/secrets.yaml'");
/// let outcome = Redactor::client().outcome(fault);
/// let document = encode(outcome.as_ref(), Dialect::McpAql, &Options::new())?.to_value();
/// assert_eq!(document["error"]["message"], "cannot read '[path]'");
/// # Ok::<(), breakfall::wire::EncodeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct Redacted<T>(T);

/// A value as it is, secrets included: for tests, and for a server that talks to its author.
///
/// ```
/// use breakfall::redact::unredacted;
/// use breakfall::wire::{Dialect, Options, rpc_error};
/// use breakfall::Fault;
///
/// let fault = Fault::invalid("cannot read '/etc/app/secrets.yaml'");
/// let error = rpc_error(unredacted(fault.public()), Dialect::Native, &Options::new()).to_value();
/// assert_eq!(error["message"], "cannot read '/etc/app/secrets.yaml'");
/// ```
pub fn unredacted<T>(value: T) -> Redacted<T> {
    Redacted(value)
}

impl<T> Redacted<T> {
    pub(super) fn new(value: T) -> Self {
        Self(value)
    }

    /// The same value, borrowed.
    pub fn as_ref(&self) -> Redacted<&T> {
        Redacted(&self.0)
    }

    /// The value. To be encoded it has to be redacted again.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Redacted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl Redacted<Fault> {
    /// The half that may be shown.
    pub fn public(&self) -> Redacted<&Public> {
        Redacted(self.0.public())
    }

    /// With the id and the time of a stamp, where the fault has none of its own.
    pub fn stamped(mut self, stamp: &Stamp) -> Self {
        let public = self.0.public_mut();
        if public.correlation_id.is_none() || public.timestamp.is_none() {
            let (id, now) = stamp.take();
            public.correlation_id.get_or_insert(id);
            public.timestamp.get_or_insert(now);
        }
        self
    }

    /// [`Fault::or_ask_user`].
    pub fn or_ask_user(self) -> Self {
        Self(self.0.or_ask_user())
    }

    /// [`Fault::in_language`].
    #[cfg(feature = "locale")]
    pub fn in_language(self, language: impl Into<crate::locale::Translator>) -> Self {
        Self(self.0.in_language(language))
    }
}

impl Redacted<Outcome> {
    /// The public half of the fault, if that is what it came to.
    pub fn fault(&self) -> Option<Redacted<&Public>> {
        self.0.fault().map(|fault| Redacted(fault.public()))
    }

    /// [`Outcome::in_language`].
    #[cfg(feature = "locale")]
    pub fn in_language(self, language: impl Into<crate::locale::Translator>) -> Self {
        Self(self.0.in_language(language))
    }
}

impl From<Redacted<Fault>> for Redacted<Outcome> {
    fn from(fault: Redacted<Fault>) -> Self {
        Self(Outcome::Fault(fault.0))
    }
}
