//! A word of a command line or an address that is shown as it was written.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Debug, Display, Formatter};

/// A word of a command line or an address. Formatters show it as it was written: a reference (`${TOKEN}`) and never its
/// value.
///
/// ```
/// use breakfall_mcp::process::MaskedWord;
///
/// let word = MaskedWord::standing_for("--token=${TOKEN}", "--token=s3cr3t");
/// assert_eq!(word.to_string(), "--token=${TOKEN}");
/// assert_eq!(word.reveal(), "--token=s3cr3t");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct MaskedWord {
    value: OsString,
    /// What was written, if that is not the value.
    written: Option<Box<str>>,
}

impl MaskedWord {
    /// A word with a reference in it.
    pub fn standing_for(written: impl AsRef<str>, value: impl Into<OsString>) -> Self {
        Self {
            value: value.into(),
            written: Some(written.as_ref().into()),
        }
    }

    /// The value.
    pub fn reveal(&self) -> &OsStr {
        &self.value
    }

    /// Whether it was written with a reference.
    pub fn is_reference(&self) -> bool {
        self.written.is_some()
    }

    /// The value, if it is UTF-8, as it always is if it comes from a file.
    pub fn reveal_str(&self) -> Option<&str> {
        self.value.to_str()
    }
}

impl<T: Into<OsString>> From<T> for MaskedWord {
    fn from(value: T) -> Self {
        Self {
            value: value.into(),
            written: None,
        }
    }
}

impl Display for MaskedWord {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.written {
            Some(written) => f.write_str(written),
            None => Display::fmt(&self.value.display(), f),
        }
    }
}

impl Debug for MaskedWord {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.to_string(), f)
    }
}
