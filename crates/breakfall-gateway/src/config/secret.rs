//! Values that may be secret, and how they may be shown.

use std::fmt::{self, Debug, Display, Formatter};

/// A secret value of an environment variable or a header. No formatter shows it.
///
/// ```
/// use breakfall_gateway::config::Secret;
///
/// let token = Secret::new("s3cr3t");
/// assert_eq!(format!("{token} {token:?}"), "[secret] [secret]");
/// assert_eq!(token.reveal(), "s3cr3t");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    /// Hides a value.
    pub fn new(value: impl Into<Box<str>>) -> Self {
        Self(value.into())
    }

    /// The value itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl Display for Secret {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl Debug for Secret {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
