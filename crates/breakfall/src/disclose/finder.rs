//! What one search of one text remembers.

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
    read: [usize; Rule::COUNT],
    /// Lines that are gone with the trace they are in, from the start of the first to the end of the last.
    traced: Vec<(usize, usize)>,
    /// Rules look there all the same.
    #[cfg(test)]
    pub(super) is_thorough: bool,
}

/// The kinds of rules that read ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Assignment,
    At,
    Authorization,
    Cookie,
    Host,
    Number,
    Path,
    Pem,
    Run,
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
            read: [0; Rule::COUNT],
            traced: Vec::new(),
            #[cfg(test)]
            is_thorough: false,
        }
    }

    /// Remembers the lines of the traces that were found so far. A trace becomes one marker, so whatever a rule would find
    /// inside of one of its lines is gone anyway.
    pub(super) fn remember_traces(&mut self) {
        #[cfg(test)]
        if self.is_thorough {
            return;
        }
        let text = self.text;
        let lines = |span: &MarkedSpan| {
            let (start, end) = (span.start, span.end);
            let is_first = start == 0 || text[start - 1] == b'\n';
            let first = if is_first {
                start
            } else {
                start + memchr::memchr(b'\n', &text[start..end])? + 1
            };
            let last = if text.get(end).is_none_or(|byte| *byte == b'\n') {
                end
            } else {
                start + memchr::memrchr(b'\n', &text[start..end])?
            };
            (first < last).then_some((first, last))
        };
        let traces = self.spans.iter().filter(|span| span.mark == Mark::Trace);
        self.traced = traces.filter_map(lines).collect();
        self.traced.sort_unstable();
        // One inside of another says nothing more.
        self.traced.dedup_by(|next, kept| next.1 <= kept.1);
    }

    /// Whether the line a place is in is gone with a trace, so that rules that stay in their line need not look.
    pub(super) fn is_traced(&self, at: usize) -> bool {
        let after = self.traced.partition_point(|(start, _)| *start <= at);
        let before = after.checked_sub(1).map(|index| self.traced[index]);
        before.is_some_and(|(_, end)| at < end)
    }

    /// Keeps a find, unless the audience may see it or it is a marker already.
    pub(super) fn found(&mut self, start: usize, end: usize, mark: Mark) {
        let minds = self.wide || mark.class() == MarkClass::Secret;
        if start < end && minds && !is_marker(&self.text[start..end]) {
            self.spans.push(MarkedSpan { start, end, mark });
        }
    }

    /// Begins another pass over the text from its start.
    pub(super) fn rewind(&mut self) {
        self.read = [0; Rule::COUNT];
        self.info = (0, 0);
    }

    /// Lets a rule read again from a place a little before the last one.
    pub(super) fn rewind_to(&mut self, rule: Rule, at: usize) {
        let read = &mut self.read[rule as usize];
        *read = at.min(*read);
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
