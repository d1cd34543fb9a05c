//! Bytes that are no text, and texts that are no numbers → faults.
//!
//! `?` makes an internal error of them: where the text came from, the error does not know. The functions here say that it
//! was the caller's.
//!
//! ```
//! use breakfall::classify::parse;
//! use breakfall::{Fault, codes};
//!
//! fn limit(text: &str) -> Result<u8, Fault> {
//!     text.parse().map_err(|error| parse::integer(error).field("limit"))
//! }
//!
//! fn internal(text: &str) -> Result<u8, Fault> {
//!     Ok(text.parse()?)
//! }
//!
//! assert_eq!(limit("300").unwrap_err().code(), codes::VALIDATION_OUT_OF_RANGE);
//! assert_eq!(internal("300").unwrap_err().code(), codes::INTERNAL_ERROR);
//! ```

use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::str::{ParseBoolError, Utf8Error};
use std::string::FromUtf8Error;

use super::internal;
use crate::catalog::codes;
use crate::code::Code;
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;

/// A text that is not a whole number, or a number out of the range of its type.
pub fn integer(error: ParseIntError) -> Fault {
    let is_beyond = matches!(
        error.kind(),
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow
    );
    let (code, message) = if is_beyond {
        (codes::VALIDATION_OUT_OF_RANGE, Phrase::PARSE_RANGE)
    } else {
        (codes::VALIDATION_INVALID_TYPE, Phrase::PARSE_INTEGER)
    };
    parsed(code, message, "parse.integer").caused_by(error)
}

/// A text that is not a number.
pub fn number(error: ParseFloatError) -> Fault {
    let code = codes::VALIDATION_INVALID_TYPE;
    parsed(code, Phrase::PARSE_NUMBER, "parse.number").caused_by(error)
}

/// A text that is neither `true` nor `false`.
pub fn boolean(error: ParseBoolError) -> Fault {
    let code = codes::VALIDATION_INVALID_TYPE;
    parsed(code, Phrase::PARSE_BOOLEAN, "parse.boolean").caused_by(error)
}

/// Bytes that are not UTF-8, from another service: arguments of a call are UTF-8 before a handler sees them.
pub fn utf8(error: Utf8Error) -> Fault {
    parsed(
        codes::INTERNAL_BAD_UPSTREAM,
        Phrase::PARSE_TEXT,
        "parse.utf-8",
    )
    .detail("byte_offset", error.valid_up_to())
    .caused_by(error)
}

fn parsed(code: Code, message: Phrase, rule: &'static str) -> Fault {
    Fault::new(code)
        .say(message)
        .provenance(Provenance::new(rule, Confidence::Structural))
}

impl From<ParseIntError> for Fault {
    fn from(error: ParseIntError) -> Self {
        internal::unless_in(internal::OF_DATA, integer(error))
    }
}

impl From<ParseFloatError> for Fault {
    fn from(error: ParseFloatError) -> Self {
        internal::unless_in(internal::OF_DATA, number(error))
    }
}

impl From<ParseBoolError> for Fault {
    fn from(error: ParseBoolError) -> Self {
        internal::unless_in(internal::OF_DATA, boolean(error))
    }
}

impl From<Utf8Error> for Fault {
    fn from(error: Utf8Error) -> Self {
        internal::unless_in(internal::OF_DATA, utf8(error))
    }
}

/// The bytes are let go: only the place is kept.
impl From<FromUtf8Error> for Fault {
    fn from(error: FromUtf8Error) -> Self {
        error.utf8_error().into()
    }
}
