//! A word of a command line or an address, shown as it was written.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Debug, Display, Formatter};

/// A word that may be shown as it was written: of a command line, an address. Where the file had a reference
/// (`${TOKEN}`), formatters show the reference and never what it stands for.
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
    /// How it was written, if that is not the value.
    written: Option<Box<str>>,
}

impl MaskedWord {
    /// A word whose value is not what was written.
    pub fn standing_for(written: impl AsRef<str>, value: impl Into<OsString>) -> Self {
        Self {
            value: value.into(),
            written: Some(written.as_ref().into()),
        }
    }

    /// The value itself.
    pub fn reveal(&self) -> &OsStr {
        &self.value
    }

    /// Whether it was written as something else than its value.
    pub fn is_reference(&self) -> bool {
        self.written.is_some()
    }

    /// The value itself, if it is UTF-8. What comes out of a file always is.
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
