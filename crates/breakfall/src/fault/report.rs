//! The private report: what the operator's log shows and no caller ever sees.

use std::error::Error;
use std::fmt;

use super::Fault;

/// Prints a fault with its notes and causes. It borrows the fault and only implements `Display`, so it cannot be
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
        write!(f, "{}: {}", public.code(), public.log_message())?;
        if let Some(id) = public.correlation_id() {
            write!(f, " [{id}]")?;
        }
        for note in &self.0.0.private.notes {
            write!(f, "\n  note: {note}")?;
        }
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, "\n  caused by: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
