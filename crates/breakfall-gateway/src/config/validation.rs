//! What is checked about a call, and what happens where it does not fit.

use super::policy::words;

words! {
    /// What happens to a call, or to its result, where a rule is broken.
    Mode {
        /// It is refused.
        Reject = "reject",
        /// It goes on as it is, and the caller is told.
        Warn = "warn",
        /// The parameter is removed, and the caller is told.
        Strip = "strip",
        /// The value is written as what it plainly stands for, and the caller is told.
        Coerce = "coerce",
        /// Nothing.
        Off = "off",
    }
}

words! {
    /// What can be wrong with a call, and with its result.
    Rule {
        /// A required parameter is missing.
        Missing = "missing",
        /// A value has the wrong type.
        Type = "type",
        /// A value has the wrong type, and plainly stands for one of the right type.
        Coercible = "coercible",
        /// A name the tool does not have.
        Unknown = "unknown",
        /// A value that is none of those allowed.
        Enum = "enum",
        /// A number beyond a bound.
        Range = "range",
        /// A text, list or object that is too short or too long.
        Size = "size",
        /// A text that does not match a regular expression.
        Pattern = "pattern",
        /// A text that is not written as a date, an address or another well-known format.
        Format = "format",
        /// Any other rule.
        Other = "other",
        /// The result does not fit the output schema.
        Output = "output",
    }
}

const COUNT: usize = Rule::ALL.len();

/// What happens where each rule is broken.
///
/// ```
/// use breakfall_gateway::config::{Mode, Modes, Rule};
///
/// let modes = Modes::default().with(Rule::Unknown, Mode::Strip);
/// assert_eq!(modes.of(Rule::Unknown), Mode::Strip);
/// assert_eq!(modes.of(Rule::Missing), Mode::Reject);
/// assert_eq!(Modes::all(Mode::Off).of(Rule::Output), Mode::Off);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modes([Mode; COUNT]);

impl Modes {
    /// The same for every rule.
    pub const fn all(mode: Mode) -> Self {
        Self([mode; COUNT])
    }

    /// What happens where a rule is broken.
    pub const fn of(&self, rule: Rule) -> Mode {
        self.0[rule as usize]
    }

    /// With something else for one rule.
    #[must_use]
    pub const fn with(mut self, rule: Rule, mode: Mode) -> Self {
        self.0[rule as usize] = mode;
        self
    }

    /// Whether anything about arguments is looked at.
    pub fn look_at_arguments(&self) -> bool {
        let mut rules = Rule::ALL.iter().filter(|rule| **rule != Rule::Output);
        rules.any(|rule| self.of(*rule) != Mode::Off)
    }
}

impl Default for Modes {
    /// What a server would refuse is refused before it gets there. What real servers tolerate is passed on with a
    /// warning: names they do not know, `"50"` for 50, and formats, which the standard takes for notes.
    fn default() -> Self {
        Self::all(Mode::Reject)
            .with(Rule::Coercible, Mode::Warn)
            .with(Rule::Unknown, Mode::Warn)
            .with(Rule::Format, Mode::Warn)
            .with(Rule::Output, Mode::Warn)
    }
}
