//! Whether a failed call had an effect.

use std::time::Duration;

use super::{Fault, Public};
use crate::catalog::codes;
use crate::code::{Category, Retry};
use crate::phrase::Phrase;

impl Fault {
    /// The call may have been executed: no answer says so. A caller is told to look first, not to repeat it, whatever the row says.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall::Fault;
    ///
    /// let fault = Fault::timeout("pay", Duration::from_secs(30)).maybe_executed();
    /// assert!(!fault.public().retry().is_retryable());
    /// assert_eq!(fault.public().details().text("executed"), Some("unknown"));
    /// ```
    pub fn maybe_executed(self) -> Self {
        // Nor is there a time to wait for.
        self.retry(Retry::Never)
            .retry_after(Duration::ZERO)
            .detail("executed", "unknown")
            .advise(Phrase::CALL_UNCERTAIN)
            .tell_user(Phrase::CALL_UNCERTAIN_USER)
    }
}

impl Public {
    /// Whether the call had an effect, or may have had one, as far as the fault says. A failure whose category is a
    /// decision about the call (its arguments, its target, its caller) is no reason to suspect one.
    pub(crate) fn may_have_run(&self) -> bool {
        match self.details.text("executed") {
            Some("yes") => true,
            Some("unknown") => match self.category() {
                Category::RateLimit | Category::Unavailable | Category::Internal => {
                    !self.retry().is_retryable()
                }
                Category::Validation
                | Category::Authentication
                | Category::Authorization
                | Category::NotFound
                | Category::Conflict
                | Category::Confirmation
                | Category::Business => false,
            },
            Some(_) | None => false,
        }
    }

    /// Whether a failure of this code can have happened in the middle of the work. Limits and open breakers refuse calls
    /// before it.
    pub(crate) fn is_open(&self) -> bool {
        let open = [
            codes::UNAVAILABLE_TIMEOUT,
            codes::UNAVAILABLE_NETWORK,
            codes::UNAVAILABLE_SERVICE,
            codes::UNAVAILABLE_DEPENDENCY,
        ];
        let is_internal = self.category() == Category::Internal;
        let is_executed = self.details.text("executed") != Some("no");
        is_executed && self.retry().is_retryable() && (is_internal || open.contains(&self.code))
    }
}
