//! Rules as data: what each is called, what it looks for, what it stands for, and examples that are its tests.

use std::fmt;

use super::text::PhraseProblem;
use crate::code::Code;
use crate::fault::Confidence;

/// A built-in rule.
#[derive(Debug)]
pub(crate) struct RuleRow {
    pub(crate) id: &'static str,
    pub(crate) about: &'static str,
    /// The code it stands for; none where what it finds decides.
    pub(crate) code: Option<Code>,
    pub(crate) confidence: Confidence,
    pub(crate) effect: RuleEffect,
    /// What a rule on words looks for; see `text::phrase`.
    pub(crate) phrases: &'static [&'static str],
    pub(crate) examples: &'static [&'static str],
    pub(crate) counter_examples: &'static [&'static str],
}

/// What a rule does besides standing for its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleEffect {
    /// Nothing.
    None,
    /// It only says that something went wrong, so that anything else in the text says more.
    Vague,
    /// The caller is told to read what a compiler or a test run printed.
    ReadWords,
    /// The caller is told to ask the user, who called it off.
    AskUser,
    /// It stands for the HTTP status it finds.
    Status,
}

/// What an operator can know about a rule.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// Its name, which a fault's provenance carries.
    pub id: &'a str,
    /// What it recognises.
    pub about: &'a str,
    /// The code it stands for; none where what it finds decides.
    pub code: Option<Code>,
    /// How sure a fault is that it made.
    pub confidence: Confidence,
    /// Whether it is in use.
    pub active: bool,
    /// The phrases it looks for, if it looks for any.
    pub phrases: Vec<&'a str>,
    /// Texts it recognises.
    pub examples: &'a [&'a str],
    /// Texts it does not, though they look similar.
    pub counter_examples: &'a [&'a str],
}

impl RuleRow {
    /// A row that recognises a structure and has no phrases. What it finds decides on the code.
    pub(super) const STRUCTURAL: Self = Self {
        id: "",
        about: "",
        code: None,
        confidence: Confidence::Structural,
        effect: RuleEffect::None,
        phrases: &[],
        examples: &[],
        counter_examples: &[],
    };

    pub(super) fn listed(&'static self, active: bool) -> Rule<'static> {
        Rule {
            id: self.id,
            about: self.about,
            code: self.code,
            confidence: self.confidence,
            active,
            phrases: self.phrases.to_vec(),
            examples: self.examples,
            counter_examples: self.counter_examples,
        }
    }
}

impl Rule<'static> {
    /// A rule on something else than words, which is always in use.
    pub(super) const fn fixed(
        id: &'static str,
        about: &'static str,
        code: Code,
        confidence: Confidence,
    ) -> Self {
        Self {
            id,
            about,
            code: Some(code),
            confidence,
            active: true,
            phrases: Vec::new(),
            examples: &[],
            counter_examples: &[],
        }
    }
}

/// A rule of an operator's own: phrases that stand for a code.
///
/// A phrase is words separated by spaces, matched as whole words in any case; hyphens, underscores and camel case
/// separate words too. `a|b` stands for either, and `_` for one name: a run without spaces, or anything in quotes.
///
/// ```
/// use breakfall::classify::{Classifier, TextRule};
/// use breakfall::codes;
///
/// let rule = TextRule::new("own.stock", codes::BUSINESS_RULE_VIOLATION)
///     .phrase("sku _ is sold out")
///     .about("The warehouse has none left.");
/// let classifier = Classifier::new().with(rule)?;
/// let fault = classifier.text("Error: SKU 'A-1' is sold out");
/// assert_eq!(fault.code(), codes::BUSINESS_RULE_VIOLATION);
/// # Ok::<(), breakfall::classify::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct TextRule {
    pub(super) id: String,
    pub(super) code: Code,
    pub(super) about: String,
    pub(super) phrases: Vec<String>,
}

impl TextRule {
    /// A rule without any phrase yet.
    pub fn new(id: impl Into<String>, code: Code) -> Self {
        Self {
            id: id.into(),
            code,
            about: String::new(),
            phrases: Vec::new(),
        }
    }

    /// Adds a phrase.
    pub fn phrase(mut self, phrase: impl Into<String>) -> Self {
        self.phrases.push(phrase.into());
        self
    }

    /// Says what it recognises.
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    pub(super) fn listed(&self, active: bool) -> Rule<'_> {
        Rule {
            id: &self.id,
            about: &self.about,
            code: Some(self.code),
            confidence: Confidence::Textual,
            active,
            phrases: self.phrases.iter().map(String::as_str).collect(),
            examples: &[],
            counter_examples: &[],
        }
    }

    /// Says what is wrong with the rule by itself.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        if !is_id(&self.id) {
            return Err(RuleError::BadId(self.id.clone()));
        }
        if self.phrases.is_empty() {
            return Err(RuleError::NoPhrase(self.id.clone()));
        }
        let wrong = |phrase: &String| {
            let problem = super::text::check_phrase(phrase).err()?;
            Some((phrase.clone(), problem))
        };
        match self.phrases.iter().find_map(wrong) {
            Some((phrase, problem)) => Err(RuleError::BadPhrase {
                id: self.id.clone(),
                phrase,
                problem,
            }),
            None => Ok(()),
        }
    }
}

/// Lower case words of letters, digits and hyphens, with dots between them. The family `disguise` is reserved: a fault
/// whose rule begins so was called a success.
fn is_id(id: &str) -> bool {
    let is_word = |word: &str| {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !word.is_empty() && word.bytes().all(fits)
    };
    id.len() <= 80 && id.split('.').all(is_word) && id.split('.').next() != Some("disguise")
}

/// Why rules cannot be changed this way.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleError {
    /// The id is malformed.
    BadId(String),
    /// Another rule has the id.
    Duplicate(String),
    /// A rule without a phrase recognises nothing.
    NoPhrase(String),
    /// A phrase is malformed.
    BadPhrase {
        /// The rule.
        id: String,
        /// Its phrase.
        phrase: String,
        /// What is wrong with it.
        problem: PhraseProblem,
    },
    /// The rule takes what no other does, so it cannot be switched off.
    Needed(String),
    /// No rule has this id.
    Unknown {
        /// The id.
        id: String,
        /// The id that was probably meant.
        nearest: Option<String>,
    },
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadId(id) => write!(
                f,
                "rule id '{id}' is not lower case words of letters, digits and hyphens separated by dots, or begins \
                 with the reserved word 'disguise'"
            ),
            Self::Duplicate(id) => write!(f, "there is already a rule '{id}'"),
            Self::Needed(id) => {
                write!(
                    f,
                    "rule '{id}' takes what no other does and cannot be switched off"
                )
            }
            Self::NoPhrase(id) => write!(f, "rule '{id}' has no phrase, so it recognises nothing"),
            Self::BadPhrase {
                id,
                phrase,
                problem,
            } => write!(f, "phrase '{phrase}' of rule '{id}' {}", problem.as_str()),
            Self::Unknown { id, nearest: None } => write!(f, "there is no rule '{id}'"),
            Self::Unknown {
                id,
                nearest: Some(nearest),
            } => write!(f, "there is no rule '{id}'; did you mean '{nearest}'?"),
        }
    }
}

impl std::error::Error for RuleError {}
