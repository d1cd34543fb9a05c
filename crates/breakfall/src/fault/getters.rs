//! Reading a fault. The short names belong to the builders, so a getter names the noun: `retry` sets, `retry_class` reads.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::{CorrelationId, Fault, Provenance};
use crate::code::{Category, Hint, Origin, Retry};
use crate::details::Details;
use crate::elicitation::Elicitation;
use crate::violation::Violation;

/// Getters: each is the one of [`Public`](crate::Public) that the builder of the short name sets.
///
/// ```
/// use breakfall::{Fault, Retry};
///
/// let fault = Fault::missing_param("owner").fallback_tool("list_owners");
/// assert_eq!(fault.message_text(), "Missing required parameter 'owner'");
/// assert_eq!(fault.retry_class(), Retry::AfterChange);
/// assert_eq!(fault.fallback_tool_name(), Some("list_owners"));
/// ```
impl Fault {
    /// The category of the code.
    pub fn category(&self) -> Category {
        self.public().category()
    }

    /// What happened, in a sentence.
    pub fn message_text(&self) -> Cow<'_, str> {
        self.public().message()
    }

    /// The facts.
    pub fn details(&self) -> &Details {
        self.public().details()
    }

    /// Every broken rule.
    pub fn violations(&self) -> &[Violation] {
        self.public().violations()
    }

    /// May the call be repeated?
    pub fn retry_class(&self) -> Retry {
        self.public().retry()
    }

    /// The wait before a repetition, if one is stated.
    pub fn wait(&self) -> Option<Duration> {
        self.public().retry_after()
    }

    /// What the caller should do.
    pub fn remediation_text(&self) -> Cow<'_, str> {
        self.public().remediation()
    }

    /// Recovery actions, the preferred one first.
    pub fn recovery_actions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.public().actions()
    }

    /// One word on how to recover.
    pub fn recovery_hint(&self) -> Hint {
        self.public().hint()
    }

    /// What a person may be told.
    pub fn user_text(&self) -> &str {
        self.public().user_message()
    }

    /// A tool to call instead.
    pub fn fallback_tool_name(&self) -> Option<&str> {
        self.public().fallback_tool()
    }

    /// Complete arguments that would do.
    pub fn corrective_arguments(&self) -> Option<&Value> {
        self.public().corrective_params()
    }

    /// The name the domain has for it, beside the code.
    pub fn domain_name(&self) -> Option<&str> {
        self.public().domain_code()
    }

    /// Whose doing it was.
    pub fn responsible(&self) -> Origin {
        self.public().origin()
    }

    /// Which rule classified it, and how sure it was.
    pub fn classified_by(&self) -> Option<&Provenance> {
        self.public().provenance()
    }

    /// The HTTP status that an upstream answered with.
    pub fn upstream_status(&self) -> Option<u16> {
        self.public().http_status()
    }

    /// The id under which the operator finds the rest.
    pub fn id(&self) -> Option<&CorrelationId> {
        self.public().correlation_id()
    }

    /// When it happened.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.public().timestamp()
    }

    /// Where to read more.
    pub fn docs_link(&self) -> Option<&str> {
        self.public().docs_url()
    }

    /// The question to put to a person.
    pub fn question(&self) -> Option<&Elicitation> {
        self.public().elicitation()
    }
}
