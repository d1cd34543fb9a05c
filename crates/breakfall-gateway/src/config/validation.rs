//! What is checked about a call and its result, and what happens where it does not fit.

use std::fmt::{self, Display, Formatter};

use serde_json::{Value as Json, json};

use super::kinds::{defaulting, one_of, optional, section, word, words};
use super::reader::Reader;
use super::schema::Definitions;
use super::setting::{Kind, Section, Visitor};
use super::source::UpstreamSource;
use super::tree::{Node, Value};

words! {
    /// What happens to a call, or to its result, where a rule is broken.
    ValidationMode: "ways to validate" {
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

macro_rules! rules {
    ($(#[doc = $doc:literal] $variant:ident = $word:literal: $default:ident, $modes:ident;)+) => {
        /// What can be wrong with a call, and with its result.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(clippy::exhaustive_enums, reason = "a closed set of words, matched in full")]
        pub enum ValidationRule { $(#[doc = $doc] $variant,)+ }

        impl ValidationRule {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        /// The text of each rule in the schema, what holds without a setting, and what can be set.
        const RULES: [(&str, ValidationMode, &[ValidationMode]); COUNT] =
            [$(($doc.trim_ascii(), ValidationMode::$default, $modes),)+];
    };
}

rules! {
    /// A required parameter is missing.
    Missing = "missing": Reject, USUAL;
    /// A value has the wrong type, and does not plainly stand for one of the right type.
    Type = "type": Reject, USUAL;
    /// A value has the wrong type and plainly stands for one of the right type: `"50"` for 50, `null` for what may be left out. `coerce` writes it as that.
    Coercible = "coercible": Warn, COERCIBLE;
    /// A parameter the tool does not have. `strip` removes it. Names that begin with `_` are not looked at.
    Unknown = "unknown": Warn, UNKNOWN;
    /// A value that is none of those allowed.
    Enum = "enum": Reject, USUAL;
    /// A number beyond a bound.
    Range = "range": Reject, USUAL;
    /// A text, list or object that is too short or too long.
    Size = "size": Reject, USUAL;
    /// A text that does not match a regular expression.
    Pattern = "pattern": Reject, USUAL;
    /// A text that is not written as a date, an address or another well-known format. The standard takes formats for notes, and many servers do.
    Format = "format": Warn, USUAL;
    /// Any other rule: multiples, repeated items, alternatives, rules across parameters.
    Other = "other": Reject, USUAL;
    /// The structured content of a result does not fit the tool's output schema. With `reject` the caller gets an error for what the server has done.
    Output = "output": Warn, USUAL;
}

const USUAL: &[ValidationMode] = &[
    ValidationMode::Reject,
    ValidationMode::Warn,
    ValidationMode::Off,
];

/// An unknown parameter can be removed too.
const UNKNOWN: &[ValidationMode] = &[
    ValidationMode::Reject,
    ValidationMode::Warn,
    ValidationMode::Strip,
    ValidationMode::Off,
];

/// A value of the wrong type can be written otherwise too.
const COERCIBLE: &[ValidationMode] = &[
    ValidationMode::Reject,
    ValidationMode::Warn,
    ValidationMode::Coerce,
    ValidationMode::Off,
];

const COUNT: usize = ValidationRule::ALL.len();

/// What happens where each rule is broken.
///
/// ```
/// use breakfall_gateway::config::{ValidationMode, ValidationModes, ValidationRule};
///
/// let modes = ValidationModes::default().with(ValidationRule::Unknown, ValidationMode::Strip);
/// assert_eq!(modes.of(ValidationRule::Unknown), ValidationMode::Strip);
/// assert_eq!(modes.of(ValidationRule::Missing), ValidationMode::Reject);
/// assert_eq!(ValidationModes::all(ValidationMode::Off).of(ValidationRule::Output), ValidationMode::Off);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValidationModes([ValidationMode; COUNT]);

impl ValidationModes {
    /// The same for every rule.
    pub const fn all(mode: ValidationMode) -> Self {
        Self([mode; COUNT])
    }

    /// What happens where a rule is broken.
    pub const fn of(&self, rule: ValidationRule) -> ValidationMode {
        self.0[rule as usize]
    }

    /// With another mode for one rule.
    #[must_use]
    pub const fn with(mut self, rule: ValidationRule, mode: ValidationMode) -> Self {
        self.0[rule as usize] = mode;
        self
    }

    /// Whether anything about arguments is checked.
    pub fn look_at_arguments(&self) -> bool {
        let rules = ValidationRule::ALL.iter();
        rules
            .filter(|rule| **rule != ValidationRule::Output)
            .any(|rule| self.of(*rule) != ValidationMode::Off)
    }

    /// What holds where nothing is set. The description of an API lists all of its parameters.
    pub(super) fn default_of(source: &UpstreamSource) -> Self {
        match source {
            UpstreamSource::Adapter(_) => {
                Self::default().with(ValidationRule::Unknown, ValidationMode::Reject)
            }
            UpstreamSource::Command(_) | UpstreamSource::Url(_) | UpstreamSource::Demo => {
                Self::default()
            }
        }
    }
}

impl Default for ValidationModes {
    /// What a server would refuse is refused before it gets there. What real servers tolerate is passed on with a
    /// warning: unknown names, `"50"` for 50, and formats, which the standard takes for notes.
    fn default() -> Self {
        Self(RULES.map(|(_, default, _)| default))
    }
}

/// Modes set in one place, of the server or of a tool. Rules that are left out are set elsewhere.
///
/// ```
/// use breakfall_gateway::config::{Config, ValidationMode, ValidationModes, ValidationRule};
///
/// let file = "upstreams: { shop: { demo: true, validate: off, tools: { find: { validate: { enum: warn } } } } }";
/// let config = Config::parse(file, "my.yaml")?;
/// let shop = &config.upstreams[0];
/// assert_eq!(shop.modes, ValidationModes::all(ValidationMode::Off));
/// assert_eq!(shop.modes_with("find"), shop.modes.with(ValidationRule::Enum, ValidationMode::Warn));
/// # Ok::<(), breakfall_gateway::config::ConfigError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ValidationOverrides([Option<ValidationMode>; COUNT]);

impl ValidationOverrides {
    /// The overrides of one word. A mode that fits only one rule is for that one. `reject` is for arguments only: a result
    /// that is refused belongs to a call that has been carried out.
    fn word(mode: ValidationMode) -> Self {
        match mode {
            ValidationMode::Reject => {
                let mut overrides = Self([Some(mode); COUNT]);
                overrides.0[ValidationRule::Output as usize] = None;
                overrides
            }
            ValidationMode::Warn | ValidationMode::Off => Self([Some(mode); COUNT]),
            ValidationMode::Strip => Self::one(ValidationRule::Unknown, mode),
            ValidationMode::Coerce => Self::one(ValidationRule::Coercible, mode),
        }
    }

    fn one(rule: ValidationRule, mode: ValidationMode) -> Self {
        let mut overrides = Self::default();
        overrides.0[rule as usize] = Some(mode);
        overrides
    }

    /// The mode of one rule, if it is set here.
    pub const fn of(&self, rule: ValidationRule) -> Option<ValidationMode> {
        self.0[rule as usize]
    }

    /// Whether no rule is set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Modes with these overrides.
    pub fn over(&self, modes: ValidationModes) -> ValidationModes {
        let mut modes = modes;
        for (mode, own) in modes.0.iter_mut().zip(self.0) {
            *mode = own.unwrap_or(*mode);
        }
        modes
    }

    /// These overrides, and others for the rules they leave out.
    pub(super) fn or(self, other: Self) -> Self {
        let mut both = self;
        for (own, other) in both.0.iter_mut().zip(other.0) {
            *own = own.or(other);
        }
        both
    }
}

impl Section for ValidationOverrides {
    const NAME: &'static str = "ValidationRules";
    const TEXT: &'static str = "What happens to a call where a rule of the tool's schema is broken. What is left out stays as it is.";

    fn settings(&mut self, visitor: &mut impl Visitor) {
        let rules = ValidationRule::ALL.iter().zip(RULES).zip(&mut self.0);
        for ((rule, (text, default, modes)), value) in rules {
            let kind = optional(one_of(modes, "ways to treat this rule"));
            let default = Some(json!(default.as_str()));
            visitor.setting(rule.as_str(), text, value, defaulting(kind, default));
        }
    }
}

/// One word for all rules, or a map of words.
pub(super) fn validation() -> ValidationKind {
    ValidationKind
}

pub(super) struct ValidationKind;

impl Kind for ValidationKind {
    type Value = ValidationOverrides;

    fn read(
        &self,
        node: &Node,
        _: Option<&ValidationOverrides>,
        reader: &mut Reader<'_>,
    ) -> Option<ValidationOverrides> {
        match &node.value {
            Value::Text(_) => {
                let mode = word().read(node, None, reader)?;
                Some(ValidationOverrides::word(mode))
            }
            Value::Map(_) => section().read(node, None, reader),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => reader.wrong(
                node,
                "one of reject, warn, strip, coerce, off, or a map of rules",
            ),
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"anyOf": [
            word::<ValidationMode>().schema(definitions),
            definitions.reference::<ValidationOverrides>(),
        ]})
    }
}

impl Display for ValidationModes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rules = ValidationRule::ALL.iter();
        listed(f, &rules.map(|rule| (*rule, self.of(*rule))))
    }
}

impl Display for ValidationOverrides {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rules = ValidationRule::ALL.iter();
        listed(f, &rules.filter_map(|rule| Some((*rule, self.of(*rule)?))))
    }
}

/// Each mode with its rules.
fn listed(
    f: &mut Formatter<'_>,
    modes: &(impl Iterator<Item = (ValidationRule, ValidationMode)> + Clone),
) -> fmt::Result {
    let mut is_first = true;
    for mode in ValidationMode::ALL {
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
    UnlistedTools: "ways to treat an unlisted tool" {
        /// The server is asked for its tools once more, and then the call is refused.
        Refuse = "refuse",
        /// It goes to the server, unchecked.
        Allow = "allow",
    }
}
