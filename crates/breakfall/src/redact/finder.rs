//! What one search of one text remembers.

use std::ops::Range;

use super::mark::{Mark, MarkClass, MarkedSpan, is_marker};

/// The text, what was found in it, and how far each kind of rule has read. A rule that is called again for a place it
/// has already read skips it: that is what keeps time linear on texts made to be read over and over.
pub(super) struct MarkFinder<'t> {
    pub(super) text: &'t [u8],
    pub(super) spans: Vec<MarkedSpan>,
    /// Whether the inside of servers and the addresses of people are looked for too.
    pub(super) wide: bool,
    /// Where what stands before the last `@` begins, and where that `@` is.
    pub(super) info: (usize, usize),
    /// Where words of databases stand, once that was looked for.
    pub(super) databases: Option<Vec<Range<usize>>>,
    /// How often what is searched was decoded.
    pub(super) depth: usize,
    read: [usize; Rule::COUNT],
}

/// The kinds of rules that read ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Assignment,
    At,
    Authorization,
    Beside,
    Cookie,
    Host,
    Number,
    Opaque,
    Path,
    Pem,
    Reach,
    Sql,
    Trace,
    Windows,
}

impl Rule {
    const COUNT: usize = Self::Windows as usize + 1;
}

impl<'t> MarkFinder<'t> {
    pub(super) fn new(text: &'t [u8], wide: bool) -> Self {
        Self {
            text,
            spans: Vec::new(),
            wide,
            info: (0, 0),
            databases: None,
            depth: 0,
            read: [0; Rule::COUNT],
        }
    }

    /// Keeps a find, unless the audience may see it or it is a marker already.
    pub(super) fn found(&mut self, start: usize, end: usize, mark: Mark) {
        // A marker stays, and so does the word inside of it.
        let is_marked = || {
            let around = self.text.get(start.saturating_sub(1)..end + 1);
            is_marker(&self.text[start..end]) || around.is_some_and(is_marker)
        };
        if start < end && self.minds(mark) && !is_marked() {
            self.spans.push(MarkedSpan { start, end, mark });
        }
    }

    /// Whether the audience must not see such a find.
    pub(super) const fn minds(&self, mark: Mark) -> bool {
        self.wide || matches!(mark.class(), MarkClass::Secret)
    }

    /// Whether a rule still has to read a place.
    pub(super) fn is_new(&self, rule: Rule, at: usize) -> bool {
        at >= self.read[rule as usize]
    }

    /// How far a rule has read.
    pub(super) fn read(&self, rule: Rule) -> usize {
        self.read[rule as usize]
    }

    /// A rule has read up to here.
    pub(super) fn passed(&mut self, rule: Rule, end: usize) {
        let read = &mut self.read[rule as usize];
        *read = end.max(*read);
    }
}
