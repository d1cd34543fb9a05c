//! The private report: what the operator's log shows and no caller ever sees.

use std::error::Error;
use std::fmt::{self, Write};

use super::Fault;

/// Prints a fault with its notes and causes. Words of several lines are indented: they may be a caller's, and none of them
/// shall look like a line of the log. It borrows the fault and only implements `Display`, so it cannot be
/// serialised by accident.
pub struct Report<'a> {
    fault: &'a Fault,
    is_brief: bool,
}

impl<'a> Report<'a> {
    pub(super) fn new(fault: &'a Fault) -> Self {
        Self {
            fault,
            is_brief: false,
        }
    }

    /// With the first line of the message alone, where the rest is shown elsewhere.
    ///
    /// ```
    /// use breakfall::Fault;
    ///
    /// let fault = Fault::invalid("no such column\n  at /srv/app/db.js:7").note("the third attempt");
    /// let brief = fault.report().brief().to_string();
    /// assert!(brief.ends_with("no such column …\n  note: the third attempt"), "{brief}");
    /// ```
    #[must_use]
    pub fn brief(mut self) -> Self {
        self.is_brief = true;
        self
    }
}

/// The first line of a text, or the beginning of a long one. It ends between words: half a secret has another shape than a
/// whole one.
fn first_line(text: &str) -> (&str, &'static str) {
    let whole = text.trim_end();
    let line = whole.lines().next().unwrap_or_default();
    if line.len() <= LONGEST_LINE {
        let more = if line.len() < whole.len() { " …" } else { "" };
        return (line, more);
    }
    let start = &line[..line.floor_char_boundary(LONGEST_LINE)];
    let end = start.rfind(|c: char| c.is_ascii_whitespace());
    (&start[..end.unwrap_or_default()], " …")
}

const LONGEST_LINE: usize = 512;

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, is_brief } = self;
        let public = fault.public();
        write!(f, "{}: ", public.code())?;
        let message = public.log_message();
        if *is_brief {
            let (line, more) = first_line(&message);
            write!(f, "{line}{more}")?;
        } else {
            write!(IndentWriter(f), "{message}")?;
        }
        if let Some(id) = public.correlation_id() {
            write!(f, " [{id}]")?;
        }
        for note in &fault.0.private.notes {
            f.write_str("\n  note: ")?;
            write!(IndentWriter(f), "{note}")?;
        }
        let causes = std::iter::successors(fault.source(), |&cause| cause.source());
        for cause in causes.take(MOST_CAUSES) {
            f.write_str("\n  caused by: ")?;
            write!(IndentWriter(f), "{cause}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The longest chain that is printed: nothing keeps an error from being its own cause.
const MOST_CAUSES: usize = 64;

/// A writer that indents every line after the first.
struct IndentWriter<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl fmt::Write for IndentWriter<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut lines = text.split('\n');
        self.0.write_str(lines.next().unwrap_or_default())?;
        for line in lines {
            write!(self.0, "\n    {line}")?;
        }
        Ok(())
    }
}
