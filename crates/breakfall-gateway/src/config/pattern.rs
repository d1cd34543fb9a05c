//! Patterns of the names of tools, and what is set by them.

use std::fmt::{self, Display, Formatter};

use globset::{Glob, GlobSet};

/// A pattern of names: `*` stands for any characters, also none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern(Box<str>);

impl ToolPattern {
    pub(super) fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A pattern without a star fits one tool; the others are the more exact the more characters they spell out.
    pub(super) fn exactness(&self) -> (bool, usize) {
        let stars = self.0.matches('*').count();
        (stars == 0, self.0.len() - stars)
    }

    /// Several stars in a row are one: `**` means something else in a glob.
    fn glob(&self) -> Result<Glob, globset::Error> {
        let mut glob = String::with_capacity(self.0.len());
        for (index, literal) in self.0.split('*').enumerate() {
            if index > 0 && !glob.ends_with('*') {
                glob.push('*');
            }
            glob.push_str(&globset::escape(literal));
        }
        Glob::new(&glob)
    }

    /// Whether there is a name that fits both.
    pub(super) fn intersects(&self, other: &Self) -> bool {
        let (one, other) = (self.0.as_bytes(), other.0.as_bytes());
        // For each suffix of one: whether it intersects each suffix of the other.
        let mut below = vec![false; other.len() + 1];
        for at in (0..=one.len()).rev() {
            let mut row = vec![false; other.len() + 1];
            for there in (0..=other.len()).rev() {
                row[there] = match (one.get(at), other.get(there)) {
                    (None, None) => true,
                    (Some(b'*'), next) => below[there] || (next.is_some() && row[there + 1]),
                    (next, Some(b'*')) => row[there + 1] || (next.is_some() && below[there]),
                    (Some(a), Some(b)) => a == b && below[there + 1],
                    (Some(_), None) | (None, Some(_)) => false,
                };
            }
            below = row;
        }
        below[0]
    }
}

impl Display for ToolPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Values by patterns, the less exact patterns first.
#[derive(Debug, Clone)]
pub(super) struct PatternTable<T> {
    entries: Vec<(ToolPattern, T)>,
    globs: GlobSet,
}

impl<T> PatternTable<T> {
    /// Among equally exact patterns the later one stays behind the earlier one.
    ///
    /// # Errors
    /// The patterns are too large together.
    pub(super) fn new(entries: Vec<(ToolPattern, T)>) -> Result<Self, globset::Error> {
        let mut entries = entries;
        entries.sort_by_key(|(pattern, _)| pattern.exactness());
        let mut globs = GlobSet::builder();
        for (pattern, _) in &entries {
            globs.add(pattern.glob()?);
        }
        let globs = globs.build()?;
        Ok(Self { entries, globs })
    }

    /// The values of the patterns that fit a name, the more exact ones last.
    pub(super) fn matching(&self, name: &str) -> impl DoubleEndedIterator<Item = &T> {
        self.matching_patterns(name).map(|(_, value)| value)
    }

    /// The patterns that fit a name and their values, the more exact ones last.
    pub(super) fn matching_patterns(
        &self,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = (&ToolPattern, &T)> {
        let found = self.globs.matches(name).into_iter();
        found.map(|index| {
            let (pattern, value) = &self.entries[index];
            (pattern, value)
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&ToolPattern, &T)> {
        self.entries.iter().map(|(pattern, value)| (pattern, value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T> Default for PatternTable<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            globs: GlobSet::empty(),
        }
    }
}

impl<T: PartialEq> PartialEq for PatternTable<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        let table = PatternTable::new(vec![(ToolPattern::new(pattern), ())]).unwrap();
        table.matching(name).next().is_some()
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, fits) in [
            ("write_*", "write_file", true),
            ("write_*", "write_", true),
            ("write_*", "rewrite_file", false),
            ("*", "", true),
            ("*_all_*", "delete_all_now", true),
            ("*_all_*", "delete_all", false),
            ("a*b*c", "aXbYbZc", true),
            ("ab*ba", "aba", false),
            ("exact", "exact", true),
            ("exact", "exactly", false),
            ("**", "x", true),
            ("ü*", "über", true),
            ("*.get", "files/x.get", true),
            ("*/get", "files/x/get", true),
            ("a*", "a/b/../c\n", true),
            ("files/**", "files/", true),
            ("**/get", "get", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn patterns_intersect_where_a_name_fits_both() {
        for (one, other, intersect) in [
            ("a*", "*a", true),
            ("get_*", "*_all", true),
            ("get_*", "set_*", false),
            ("*", "", true),
            ("a*c", "ab*", true),
            ("a*c", "b*", false),
            ("ab", "a", false),
            ("**", "x", true),
        ] {
            let [one, other] = [one, other].map(ToolPattern::new);
            assert_eq!(one.intersects(&other), intersect, "{one} {other}");
            assert_eq!(other.intersects(&one), intersect, "{other} {one}");
        }
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_time() {
        assert!(!matches(&("a*".repeat(500) + "b"), &"a".repeat(100_000)));
    }
}
