//! Names of errors as people really spell them: `rate_limited`, `RateLimited` and `RATE-LIMITED` are one name.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::code::Code;

/// A name folded to its letters and digits, in lower case.
pub(crate) struct FoldedName {
    bytes: [u8; Self::LONGEST],
    len: usize,
}

impl FoldedName {
    /// No name in the built-in tables is longer.
    const LONGEST: usize = 48;

    /// Folds a name. Nothing comes of one without letters and digits, and of one too long to be known.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let mut folded = Self {
            bytes: [0; Self::LONGEST],
            len: 0,
        };
        // A sentence is not a name, so the rest of it is skipped.
        for byte in name.bytes().take(4 * Self::LONGEST) {
            if byte.is_ascii_alphanumeric() {
                *folded.bytes.get_mut(folded.len)? = byte.to_ascii_lowercase();
                folded.len += 1;
            } else if !byte.is_ascii_punctuation() {
                return None;
            }
        }
        (folded.len > 0).then_some(folded)
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("only ASCII is folded in")
    }
}

/// The codes of folded names, out of a table that lists the names of each code.
pub(crate) struct CodesByName {
    rows: &'static [(Code, &'static str)],
    all: OnceLock<HashMap<&'static str, Code>>,
}

impl CodesByName {
    pub(crate) const fn new(rows: &'static [(Code, &'static str)]) -> Self {
        Self {
            rows,
            all: OnceLock::new(),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<Code> {
        let all = self.all.get_or_init(|| self.names().collect());
        all.get(name).copied()
    }

    fn names(&self) -> impl Iterator<Item = (&'static str, Code)> {
        let names = |(code, names): &(Code, &'static str)| {
            let code = *code;
            names.split(' ').map(move |name| (name, code))
        };
        self.rows.iter().flat_map(names)
    }

    /// Each name is folded and stands once.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        for (name, code) in self.names() {
            assert_eq!(FoldedName::of(name).expect("a name").as_str(), name);
            let again = self.names().filter(|(other, _)| *other == name);
            assert_eq!(again.collect::<Vec<_>>(), [(name, code)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name_are_one() {
        for name in [
            "RATE_LIMITED",
            "rateLimited",
            "rate-limited",
            "Rate.Limited",
        ] {
            assert_eq!(
                FoldedName::of(name).expect("a name").as_str(),
                "ratelimited"
            );
        }
    }

    #[test]
    fn sentences_and_the_like_are_no_names() {
        for text in [
            "",
            "___",
            "rate limited",
            "größe",
            &"x".repeat(49),
            &"_".repeat(500),
        ] {
            assert!(FoldedName::of(text).is_none(), "{text}");
        }
    }
}
