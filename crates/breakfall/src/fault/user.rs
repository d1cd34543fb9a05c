//! Failures that the user behind the caller can resolve.

use super::Fault;
use crate::catalog::codes;
use crate::phrase::Phrase;

impl Fault {
    /// Adds to the remedy that a user can be asked, where there is a question for one: many read nothing but the remedy.
    /// It speaks the language the fault speaks by now.
    ///
    /// ```
    /// use breakfall::{Elicitation, Fault};
    ///
    /// let question = Elicitation::correcting("not found", "cancel", &["order"], None);
    /// let fault = Fault::not_found("order", "7").remediation("Look it up.").ask(question);
    /// let advice = "Look it up. Or ask the user what 'order' should be.";
    /// assert_eq!(fault.or_ask_user().public().remediation(), advice);
    /// ```
    pub fn or_ask_user(self) -> Self {
        let public = self.public();
        let fields = public.elicitation().map_or(&[][..], |asks| asks.fields());
        let fields = &fields[..fields.len().min(MOST_NAMED)];
        if fields.is_empty() {
            return self;
        }
        let advice = public.said(&Phrase::ASK_ADVICE.naming(fields));
        let remedy = public.remediation();
        // What was kept by a client between two calls has it already.
        if remedy.ends_with(&advice) {
            return self;
        }
        let remedy = format!("{remedy} {advice}");
        self.remediation(remedy)
    }

    /// The user was asked for values of these fields and does not want to give any.
    ///
    /// ```
    /// use breakfall::Fault;
    ///
    /// let fault = Fault::declined(&["order"]);
    /// assert_eq!(fault.public().message(), "The user was asked for 'order' and declined");
    /// ```
    pub fn declined<S: AsRef<str>>(fields: &[S]) -> Self {
        Self::new(codes::PERMISSION_NOT_ALLOWED)
            .say(Phrase::ASK_DECLINED.naming(fields))
            .advise(Phrase::ASK_NO_OTHERS)
    }
}

/// How many fields are named.
const MOST_NAMED: usize = 5;
