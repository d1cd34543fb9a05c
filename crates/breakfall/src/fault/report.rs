//! The private report: what the operator's log shows and no caller ever sees.

use std::error::Error;
use std::fmt::{self, Write};

use super::Fault;

/// Prints a fault with its notes and causes. Words of several lines are indented: they may be a caller's, and none of them
/// shall look like a line of the log. It borrows the fault and only implements `Display`, so it cannot be
/// serialised by accident.
pub struct Report<'a>(&'a Fault);

impl<'a> Report<'a> {
    pub(super) fn new(fault: &'a Fault) -> Self {
        Self(fault)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = self.0.public();
        write!(f, "{}: ", public.code())?;
        write!(Indented(f), "{}", public.log_message())?;
        if let Some(id) = public.correlation_id() {
            write!(f, " [{id}]")?;
        }
        for note in &self.0.0.private.notes {
            f.write_str("\n  note: ")?;
            write!(Indented(f), "{note}")?;
        }
        let causes = std::iter::successors(self.0.source(), |&cause| cause.source());
        for cause in causes.take(MOST_CAUSES) {
            f.write_str("\n  caused by: ")?;
            write!(Indented(f), "{cause}")?;
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

/// Indents what is written to it, from the second line on.
struct Indented<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl fmt::Write for Indented<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut lines = text.split('\n');
        self.0.write_str(lines.next().unwrap_or_default())?;
        for line in lines {
            write!(self.0, "\n    {line}")?;
        }
        Ok(())
    }
}
