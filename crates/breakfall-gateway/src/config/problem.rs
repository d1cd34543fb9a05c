//! The problems of a configuration, each with its place and a hint.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use serde::{Serialize, Serializer};

use super::mask::redacted;

/// All problems of one configuration.
///
/// ```
/// use breakfall_gateway::config::Config;
///
/// let problems = Config::parse("upstreams: { files: { comand: npx, timeout: 30 } }", "my.yaml").unwrap_err();
/// let lines: Vec<_> = problems.iter().map(|problem| problem.message()).collect();
/// assert_eq!(lines, ["unknown key 'comand'", "30 has no unit"]);
/// ```
#[derive(Debug, Clone)]
pub struct ConfigError {
    name: String,
    /// The text the problems are shown in; secrets are masked byte for byte.
    shown: String,
    list: Vec<ConfigProblem>,
    /// How many more there are.
    more: usize,
}

impl ConfigError {
    pub(super) fn new(name: impl Into<String>, text: &str, mut list: Vec<ConfigProblem>) -> Self {
        list.sort_by_key(|problem| problem.span.as_ref().map_or(0, |span| span.start));
        let more = list.len().saturating_sub(MAX_PROBLEMS);
        list.truncate(MAX_PROBLEMS);
        for problem in &mut list {
            problem.message = redacted(&problem.message);
            problem.place = problem.span.as_ref().map(|span| TextSpan::of(text, span));
        }
        Self {
            name: name.into(),
            shown: printable(text),
            list,
            more,
        }
    }

    /// A configuration that could not even be read.
    pub(super) fn unread(name: impl Into<String>, problem: ConfigProblem) -> Self {
        Self::new(name, "", vec![problem])
    }

    /// Masks values.
    pub(super) fn masking(mut self, masks: &[Range<usize>]) -> Self {
        let mut bytes = self.shown.into_bytes();
        for mask in masks {
            // Byte for byte, so that places stay true. Indentation is kept.
            let mut is_indentation = true;
            for byte in bytes.get_mut(mask.clone()).unwrap_or_default() {
                match byte {
                    b'\n' | b'\r' => is_indentation = true,
                    b' ' | b'\t' if is_indentation => {}
                    _ => {
                        is_indentation = false;
                        *byte = b'*';
                    }
                }
            }
        }
        self.shown = String::from_utf8_lossy(&bytes).into_owned();
        self
    }

    /// What the configuration is called: mostly, its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Each of them, in the order of the file; of very many, the first ones.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ConfigProblem> {
        self.list.iter()
    }

    /// How many there are, at least one.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.list.len() + self.more
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }
}

impl Display for ConfigError {
    /// A line for each, as compilers do: file, line, column, what is wrong.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}", self.name)?;
            if let Some(place) = problem.place {
                write!(f, ":{}:{}", place.line, place.column)?;
            }
            write!(f, ": {problem}")?;
        }
        if self.more > 0 {
            write!(f, "\n{}: and {} more", self.name, self.more)?;
        }
        Ok(())
    }
}

impl Error for ConfigError {}

impl Serialize for ConfigError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.list)
    }
}

/// One problem of a configuration.
#[derive(Debug, Clone, Serialize)]
pub struct ConfigProblem {
    message: String,
    /// The key it is about, with dots: `upstreams.files.timeout`.
    #[serde(skip_serializing_if = "String::is_empty")]
    path: String,
    #[serde(flatten)]
    place: Option<TextSpan>,
    #[serde(skip_serializing_if = "String::is_empty")]
    label: String,
    hints: Vec<String>,
    #[serde(skip)]
    span: Option<Range<usize>>,
    /// Another place that has to do with it.
    #[serde(skip)]
    beside: Option<(Range<usize>, &'static str)>,
}

impl ConfigProblem {
    /// A problem of the file as a whole.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            path: String::new(),
            place: None,
            label: String::new(),
            hints: Vec::new(),
            span: None,
            beside: None,
        }
    }

    #[must_use]
    pub(super) fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    #[must_use]
    pub(super) fn of(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// A few words beside the caret.
    #[must_use]
    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    #[must_use]
    pub(super) fn beside(mut self, span: Range<usize>, what: &'static str) -> Self {
        self.beside = Some((span, what));
        self
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The key it is about, with dots: `upstreams.files.timeout`. Empty if it is about no key.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where it is, unless it is about the file as a whole.
    pub fn place(&self) -> Option<TextSpan> {
        self.place
    }

    /// What to do about it.
    pub fn hints(&self) -> impl Iterator<Item = &str> {
        self.hints.iter().map(String::as_str)
    }

    pub(super) fn label_text(&self) -> &str {
        &self.label
    }

    /// Its place, in bytes.
    pub(super) fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// The other place, in bytes, and what is there.
    pub(super) fn other(&self) -> Option<(Range<usize>, &'static str)> {
        self.beside.clone()
    }
}

impl Display for ConfigProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.label.is_empty() {
            write!(f, "; {}", self.label)?;
        }
        Ok(())
    }
}

/// A stretch of a text. Lines and columns count from one, columns in characters; the end is behind the last character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TextSpan {
    /// The line it starts in.
    pub line: usize,
    /// The column it starts at.
    pub column: usize,
    /// The line it ends in.
    pub end_line: usize,
    /// The column behind it.
    pub end_column: usize,
}

impl TextSpan {
    fn of(text: &str, span: &Range<usize>) -> Self {
        let (line, column) = position(text, span.start);
        let (end_line, end_column) = position(text, span.end);
        Self {
            line,
            column,
            end_line,
            end_column,
        }
    }
}

/// A file that has more is not the right file, and finding all their places would take time.
const MAX_PROBLEMS: usize = 200;

/// A text a terminal can show, with everything in its place.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\r' | '\t') {
            out.extend(std::iter::repeat_n('?', c.len_utf8()));
        } else {
            out.push(c);
        }
    }
    out
}

/// Line and column of a byte.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
