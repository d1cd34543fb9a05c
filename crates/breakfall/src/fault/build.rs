//! Adding to a fault, in words that read like the sentence they build.

use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::reserved;
use super::{CorrelationId, Fault, Provenance};
use crate::code::{Hint, Origin, Retry};
use crate::elicitation::Elicitation;
use crate::violation::Violation;

impl Fault {
    /// Replaces the template's message. It is shown to callers: no internals. An empty one is ignored.
    pub fn message(mut self, message: impl Into<Box<str>>) -> Self {
        self.public_mut().message = said(message);
        self
    }

    /// A detail, safe to show. Keys are free, and those the row of the code names fill its texts (`docs/codes.md` lists
    /// them). A key that names a part of the fault itself sets that part:
    ///
    /// | key | part |
    /// |---|---|
    /// | `correlation_id`, `correlationId` | [`Self::correlation_id`] |
    /// | `docs_url`, `docsUrl` | [`Self::docs_url`] |
    /// | `domain_code`, `domainCode` | [`Self::domain_code`] |
    /// | `http_status`, `httpStatus`, `statusCode` | [`Self::http_status`] |
    /// | `remediation` | [`Self::remediation`] |
    /// | `retry_after_seconds`, `retry_after_ms`, `retryAfter`, `retryAfterMs` | [`Self::retry_after`] |
    /// | `field` | the detail `param_name` |
    /// | `violations` | [`Self::violation`] |
    ///
    /// A value that does not fit its part is kept under `x_` and the key. `executed` is read by clients: `yes`, `no` or
    /// `unknown`.
    pub fn detail(mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        reserved::absorb(self.public_mut(), key.into(), value.into());
        self
    }

    /// Takes a detail away again: one that stands elsewhere, or is too big to be repeated.
    ///
    /// ```
    /// use breakfall::Fault;
    ///
    /// let fault = Fault::internal().detail("page", "<html>…").without_detail("page");
    /// assert!(fault.public().details().is_empty());
    /// ```
    pub fn without_detail(mut self, key: &str) -> Self {
        self.public_mut().details.remove(key);
        self
    }

    /// The parameter or field the fault is about.
    pub fn field(self, name: impl Into<String>) -> Self {
        self.detail("param_name", name.into())
    }

    /// The operation that was called.
    pub fn in_operation(self, operation: impl Into<String>) -> Self {
        self.detail("operation", operation.into())
    }

    /// A broken rule. Call it once for each.
    pub fn violation(mut self, violation: Violation) -> Self {
        self.public_mut().violations.push(violation);
        self
    }

    /// The name the domain has for it (`ORDER_NOT_FOUND`), beside the code.
    pub fn domain_code(mut self, code: impl Into<Box<str>>) -> Self {
        self.public_mut().domain_code = said(code);
        self
    }

    /// Overrides the row's retry class.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.public_mut().retry = Some(retry);
        self
    }

    /// How long to wait before repeating the call. More than a hundred years is a hundred years.
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.public_mut().wait = (!wait.is_zero()).then_some(wait.min(reserved::LONGEST_WAIT));
        self
    }

    /// When the limit resets.
    pub fn resets_at(self, at: Timestamp) -> Self {
        self.detail("resets_at", at.to_string())
    }

    /// What the caller should do, when it is more exact than the row's text.
    pub fn remediation(mut self, text: impl Into<Box<str>>) -> Self {
        self.public_mut().remediation = said(text);
        self
    }

    /// Overrides the row's recovery actions.
    pub fn actions<A: Into<Cow<'static, str>>>(
        mut self,
        actions: impl IntoIterator<Item = A>,
    ) -> Self {
        self.public_mut().actions = Some(actions.into_iter().map(Into::into).collect());
        self
    }

    /// Overrides the row's hint.
    pub fn hint(mut self, hint: Hint) -> Self {
        self.public_mut().hint = Some(hint);
        self
    }

    /// What a person may be told.
    pub fn user_message(mut self, text: impl Into<Box<str>>) -> Self {
        self.public_mut().user_message = said(text);
        self
    }

    /// A tool to call instead.
    pub fn fallback_tool(mut self, tool: impl Into<Box<str>>) -> Self {
        self.public_mut().fallback_tool = said(tool);
        self
    }

    /// Complete arguments that would do. Never guess them.
    pub fn corrective_params(mut self, params: impl Into<Value>) -> Self {
        self.public_mut().corrective_params = Some(params.into());
        self
    }

    /// Whose doing it was.
    pub fn origin(mut self, origin: Origin) -> Self {
        self.public_mut().origin = Some(origin);
        self
    }

    /// Which rule classified it.
    pub fn provenance(mut self, provenance: Provenance) -> Self {
        self.public_mut().provenance = Some(provenance);
        self
    }

    /// The HTTP status that an upstream answered with.
    pub fn http_status(self, status: u16) -> Self {
        self.detail("http_status", status)
    }

    /// The id under which the operator finds the rest.
    pub fn correlation_id(mut self, id: CorrelationId) -> Self {
        self.public_mut().correlation_id = Some(id);
        self
    }

    /// When it happened.
    pub fn at(mut self, timestamp: Timestamp) -> Self {
        self.public_mut().timestamp = Some(timestamp);
        self
    }

    /// Where to read more.
    pub fn docs_url(mut self, url: impl Into<Box<str>>) -> Self {
        self.public_mut().docs_url = said(url);
        self
    }

    /// The value at fault is the user's to correct: dialects that can ask do so instead of failing.
    pub fn ask(mut self, question: Elicitation) -> Self {
        self.public_mut().elicitation = Some(Box::new(question));
        self
    }

    /// The private cause, for the log. It never reaches the wire.
    pub fn caused_by(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.private.cause = Some(Arc::from(cause.into()));
        self
    }

    /// A private note, for the log. It never reaches the wire.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.0.private.notes.push(note.into());
        self
    }
}

/// An empty text says nothing, so what it would replace stays.
fn said(text: impl Into<Box<str>>) -> Option<Box<str>> {
    let text = text.into();
    (!text.trim().is_empty()).then_some(text)
}
