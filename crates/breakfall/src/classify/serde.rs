//! `serde_json::Error` → a fault. Its text quotes the data, so callers get the place and a fixed sentence.

use serde_json::Error;
use serde_json::error::Category as Kind;

use super::{internal, io};
use crate::catalog::codes;
use crate::code::Code;
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;

/// Classifies an error of reading or writing JSON. Whose JSON it was, the error does not know: text that cannot be read is
/// taken for an upstream's response, a value that does not fit its type for a defect here. Arguments of a call
/// are better checked against their schema.
///
/// ```
/// use breakfall::classify::serde;
/// use breakfall::codes;
///
/// let error = serde_json::from_str::<Vec<u8>>("[1, 2,").expect_err("it breaks off");
/// let fault = serde::fault(error);
/// assert_eq!(fault.code(), codes::INTERNAL_BAD_UPSTREAM);
/// assert_eq!(fault.public().message(), "JSON ended too early");
/// ```
pub fn fault(error: Error) -> Fault {
    if let Some(kind) = error.io_error_kind() {
        return io::of_kind(kind).caused_by(error);
    }
    let (rule, code, message) = row(&error);
    let mut fault = Fault::new(code)
        .say(message)
        .provenance(Provenance::new(rule, Confidence::Structural));
    if error.line() > 0 {
        fault = fault
            .detail("line", error.line())
            .detail("column", error.column());
    }
    fault.caused_by(error)
}

/// `?` makes it an internal error: whose JSON it was, the error does not know.
impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        internal::unless_in(internal::OF_DATA, fault(error))
    }
}

fn row(error: &Error) -> (&'static str, Code, Phrase) {
    let upstream = codes::INTERNAL_BAD_UPSTREAM;
    match error.classify() {
        Kind::Syntax => ("json.syntax", upstream, Phrase::JSON_SYNTAX),
        Kind::Eof => ("json.end", upstream, Phrase::JSON_END),
        Kind::Io => ("json.io", codes::INTERNAL_ERROR, Phrase::JSON_IO),
        Kind::Data if error.line() > 0 => ("json.data", upstream, Phrase::JSON_DATA),
        // Without a place in a text it is about a value in memory.
        Kind::Data => ("json.value", codes::INTERNAL_ERROR, Phrase::JSON_VALUE),
    }
}
