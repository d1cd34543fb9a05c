//! How large a regular expression is once compiled, which says how long a text can take it.
//!
//! Matching takes linear time, but the factor is the size of the expression where the text makes it try everything:
//! `[ab]*a[ab]{2000}c` takes half a minute for a megabyte.

use jsonschema::PatternOptions;
use serde_json::json;

/// The bytes a pattern takes, rounded up, if it is one and takes no more than this.
pub(super) fn size(pattern: &str, most: usize) -> Option<usize> {
    let fits = |size: &usize| {
        let options = PatternOptions::regex().size_limit(*size);
        let options = jsonschema::options().with_pattern_options(options);
        options.build(&json!({"pattern": pattern})).is_ok()
    };
    let steps = SIZES.iter().copied().take_while(|size| *size < most);
    steps.chain([most]).find(fits)
}

/// Whether a pattern is one, and only too large.
pub(super) fn is_large(pattern: &str) -> bool {
    let built = regex::bytes::RegexBuilder::new(pattern)
        .unicode(false)
        .size_limit(0)
        .build();
    matches!(built, Err(regex::Error::CompiledTooBig(_)))
}

/// The most one pattern may take where there are so many.
pub(super) fn most(count: usize) -> usize {
    (ALL / count.max(1)).min(ONE)
}

const SIZES: &[usize] = &[1024, 8 * 1024, 64 * 1024, 512 * 1024];

/// The most memory one pattern takes, and all patterns together.
const ONE: usize = 1024 * 1024;
const ALL: usize = 16 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_small() {
        for (pattern, bytes) in [
            ("^[a-z]+$", 1024),
            ("^(a+)+$", 1024),
            ("^[A-Z]{3}-[0-9]{1,6}$", 8 * 1024),
            ("^[a-z0-9-]{1,64}$", 64 * 1024),
            (r"^[^@\s]+@[^@\s]+$", 8 * 1024),
        ] {
            assert!(
                size(pattern, ONE).is_some_and(|size| size <= bytes),
                "{pattern}: {:?}",
                size(pattern, ONE)
            );
        }
        assert_eq!(size("[ab]{1000}", 1024), None);
        assert_eq!(size("(", ONE), None);
    }

    #[test]
    fn what_is_large_is_told_from_what_is_wrong() {
        for pattern in ["(a{1,1000}){1,1000}", "[^e]{99999}", r"\w{1,9}"] {
            assert!(is_large(pattern), "{pattern}");
        }
        for pattern in ["(", "(?=a)", r"(a)\1"] {
            assert!(!is_large(pattern), "{pattern}");
        }
    }
}
