//! Why a row was refused: every problem with its field, and what to do about it.

use std::fmt;

use super::lint::Finding;
use crate::suggest;

/// Why a row was refused: everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    name: String,
    problems: Vec<Problem>,
}

impl RowError {
    /// The name of the row.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The problems, in the order they were found.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    pub(super) fn new(name: &str, problems: Vec<Problem>) -> Self {
        Self {
            name: name.to_owned(),
            problems,
        }
    }

    pub(super) fn unless_empty(name: &str, problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self::new(name, problems))
        }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code '{}' cannot be registered", self.name)?;
        for (index, problem) in self.problems.iter().enumerate() {
            f.write_str(if index == 0 { ": " } else { "; " })?;
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RowError {}

/// Texts of rows that break a rule of style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextWarnings(pub(crate) Vec<(&'static str, Problem)>);

impl TextWarnings {
    /// Each with the name of its code.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Problem)> {
        self.0.iter().map(|(name, problem)| (*name, problem))
    }

    /// Whether every text is fine.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One a line.
impl fmt::Display for TextWarnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, problem)) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{name}: {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for TextWarnings {}

/// One thing wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The field it is in, dotted where fields nest.
    pub field: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub fix: String,
}

impl Problem {
    pub(super) fn new(
        field: impl Into<String>,
        problem: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            field: field.into(),
            problem: problem.into(),
            fix: fix.into(),
        }
    }

    /// A finding of the lint about a field, where the details have the given keys.
    pub(super) fn of(field: &str, finding: &Finding, keys: &[&str]) -> Self {
        match finding {
            Finding::Empty => Self::new(
                field,
                "the text is empty",
                "write a sentence or leave the field out",
            ),
            Finding::Unquoted(name) => Self::new(
                field,
                format!("the value of {{{name}}} stands without single quotes"),
                format!("write '{{{name}}}'"),
            ),
            Finding::Undeclared(name) => Self::new(
                field,
                format!("the placeholder {{{name}}} is no key of the details"),
                undeclared_fix(name, keys),
            ),
            Finding::Unclosed(name) => Self::new(
                field,
                format!("the placeholder {{{name} is not closed"),
                format!("write '{{{name}}}'"),
            ),
            Finding::NotPlain(name) => Self::new(
                field,
                format!("the placeholder {{{name}}} has no place in a plain text"),
                "say it without the value",
            ),
            Finding::Vague => Self::new(
                field,
                "says nothing",
                "name what went wrong: the field, the value, the bound, the thing",
            ),
            Finding::Jargon(term) => Self::new(
                field,
                format!("speaks of the machinery: '{term}'"),
                "say what it means to the caller, and keep the rest for the log",
            ),
            Finding::Leak(leak) => {
                let problem = format!("the text looks like leaked internals: {}", leak.describe());
                Self::new(field, problem, "put it in other words")
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "field '{}': {} ({})", self.field, self.problem, self.fix)
    }
}

fn undeclared_fix(name: &str, keys: &[&str]) -> String {
    match suggest::nearest(name, keys.iter().copied()) {
        Some(key) => format!("did you mean {{{key}}}?"),
        None => format!("declare '{name}' in details"),
    }
}
