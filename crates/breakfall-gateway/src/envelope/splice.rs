//! Changing a few places of a text and nothing else.

use std::ops::Range;

/// A place and what stands there from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct Patch<'a> {
    /// Which bytes go.
    pub at: Range<usize>,
    /// Which bytes come.
    pub with: &'a str,
}

/// A copy of a text with patches applied. They must not overlap and stand in the order of their places.
pub fn splice(text: &[u8], patches: &[Patch<'_>]) -> Vec<u8> {
    let added: usize = patches.iter().map(|patch| patch.with.len()).sum();
    let mut out = Vec::with_capacity(text.len() + added);
    let mut from = 0;
    for patch in patches {
        debug_assert!(from <= patch.at.start, "patches in order, none overlapping");
        out.extend_from_slice(&text[from..patch.at.start]);
        out.extend_from_slice(patch.with.as_bytes());
        from = patch.at.end;
    }
    out.extend_from_slice(&text[from..]);
    out
}

/// Where a part borrowed from a text stands in it.
pub(crate) fn place(text: &[u8], part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}
