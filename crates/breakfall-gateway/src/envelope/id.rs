//! Ids as they were written: what is echoed is never normalised.

use std::fmt;

/// The id of a request, in the very bytes its sender used. Two ids are equal when those are.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(Box<str>);

impl Id {
    /// The longest id that is taken, in bytes: an id is kept as long as its request is in flight.
    pub const MAX_LEN: usize = 1024;

    /// An id of ours.
    pub fn number(number: u64) -> Self {
        Self(number.to_string().into())
    }

    /// Takes a JSON text that is a string or an integer and not too long.
    pub fn from_json(text: &str) -> Option<Self> {
        let fits = text.len() <= Self::MAX_LEN && (text.starts_with('"') || is_integer(text));
        fits.then(|| Self(text.into()))
    }

    /// The JSON text.
    pub fn as_json(&self) -> &str {
        &self.0
    }
}

/// Integers of any size, as JSON writes them. `1.0` and `1e3` are not what the protocol calls an integer.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
