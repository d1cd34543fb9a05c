//! What is checked about a call, and what happens where it does not fit.

use std::fmt::{self, Display, Formatter};

use super::policy::words;
use super::upstream::Source;

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

impl Modes {
    /// What nobody has said. A description of an API is all there is to go by, so it is complete.
    pub(super) fn default_of(source: &Source) -> Self {
        match source {
            Source::Adapter(_) => Self::default().with(Rule::Unknown, Mode::Reject),
            Source::Command(_) | Source::Url(_) | Source::Demo => Self::default(),
        }
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

/// What is said in one place of what happens where rules are broken. What is left out is said elsewhere.
///
/// ```
/// use breakfall_gateway::config::{Config, Mode, Modes, Rule};
///
/// let file = "upstreams: { shop: { demo: true, validate: off, tools: { find: { validate: { enum: warn } } } } }";
/// let config = Config::parse(file, "my.yaml")?;
/// let shop = &config.upstreams[0];
/// assert_eq!(shop.modes, Modes::all(Mode::Off));
/// assert_eq!(shop.modes_with("find"), shop.modes.with(Rule::Enum, Mode::Warn));
/// # Ok::<(), breakfall_gateway::config::Problems>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Validation([Option<Mode>; COUNT]);

impl Validation {
    /// What one word says. A way that goes with one rule is for that one, and a refusal for arguments only: whoever
    /// refuses a result refuses what is done.
    pub(super) fn word(mode: Mode) -> Self {
        match mode {
            Mode::Reject => Self([Some(mode); COUNT]).without(Rule::Output),
            Mode::Warn | Mode::Off => Self([Some(mode); COUNT]),
            Mode::Strip => Self::default().with(Rule::Unknown, mode),
            Mode::Coerce => Self::default().with(Rule::Coercible, mode),
        }
    }

    pub(super) const fn with(mut self, rule: Rule, mode: Mode) -> Self {
        self.0[rule as usize] = Some(mode);
        self
    }

    const fn without(mut self, rule: Rule) -> Self {
        self.0[rule as usize] = None;
        self
    }

    /// What is said of one rule.
    pub const fn of(&self, rule: Rule) -> Option<Mode> {
        self.0[rule as usize]
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// What happens with this said on top of something else.
    pub fn over(&self, modes: Modes) -> Modes {
        let mut modes = modes;
        for (mode, said) in modes.0.iter_mut().zip(self.0) {
            *mode = said.unwrap_or(*mode);
        }
        modes
    }

    /// This, and what another place says where this says nothing.
    pub(super) fn or(self, other: Self) -> Self {
        let mut both = self;
        for (said, other) in both.0.iter_mut().zip(other.0) {
            *said = said.or(other);
        }
        both
    }
}

impl Display for Modes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        listed(f, &Rule::ALL.iter().map(|rule| (*rule, self.of(*rule))))
    }
}

impl Display for Validation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let said = Rule::ALL
            .iter()
            .filter_map(|rule| Some((*rule, self.of(*rule)?)));
        listed(f, &said)
    }
}

/// Each mode with what it is for.
fn listed(
    f: &mut Formatter<'_>,
    modes: &(impl Iterator<Item = (Rule, Mode)> + Clone),
) -> fmt::Result {
    let mut is_first = true;
    for mode in Mode::ALL {
        let rules: Vec<&str> = modes
            .clone()
            .filter(|(_, own)| own == mode)
            .map(|(rule, _)| rule.as_str())
            .collect();
        if rules.is_empty() {
            continue;
        }
        let between = if is_first { "" } else { "; " };
        is_first = false;
        if rules.len() == COUNT {
            return f.write_str(mode.as_str());
        }
        write!(f, "{between}{} {}", mode.as_str(), rules.join(", "))?;
    }
    Ok(())
}

words! {
    /// What happens to the call of a tool that its server does not list.
    Unlisted {
        /// The server is asked for its tools once more, and then the call is refused.
        Refuse = "refuse",
        /// It goes to the server, unchecked.
        Allow = "allow",
    }
}
