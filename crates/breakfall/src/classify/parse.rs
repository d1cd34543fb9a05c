//! Bytes that are no text, and texts that are no numbers → faults, so that `?` works on them in a handler.

use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::str::{ParseBoolError, Utf8Error};
use std::string::FromUtf8Error;

use crate::catalog::codes;
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;

/// Arguments of a call are UTF-8 before a handler sees them; what is not came from somewhere else.
impl From<Utf8Error> for Fault {
    fn from(error: Utf8Error) -> Self {
        Self::new(codes::INTERNAL_BAD_UPSTREAM)
            .say(Phrase::PARSE_TEXT)
            .detail("byte_offset", error.valid_up_to())
            .provenance(Provenance::new("parse.utf-8", Confidence::Structural))
            .caused_by(error)
    }
}

/// The bytes are let go: only the place is kept.
impl From<FromUtf8Error> for Fault {
    fn from(error: FromUtf8Error) -> Self {
        error.utf8_error().into()
    }
}

impl From<ParseIntError> for Fault {
    fn from(error: ParseIntError) -> Self {
        let beyond = matches!(
            error.kind(),
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow
        );
        let (code, message) = if beyond {
            (codes::VALIDATION_OUT_OF_RANGE, Phrase::PARSE_RANGE)
        } else {
            (codes::VALIDATION_INVALID_TYPE, Phrase::PARSE_INTEGER)
        };
        Self::new(code)
            .say(message)
            .provenance(Provenance::new("parse.integer", Confidence::Structural))
            .caused_by(error)
    }
}

impl From<ParseFloatError> for Fault {
    fn from(error: ParseFloatError) -> Self {
        Self::new(codes::VALIDATION_INVALID_TYPE)
            .say(Phrase::PARSE_NUMBER)
            .provenance(Provenance::new("parse.number", Confidence::Structural))
            .caused_by(error)
    }
}

impl From<ParseBoolError> for Fault {
    fn from(error: ParseBoolError) -> Self {
        Self::new(codes::VALIDATION_INVALID_TYPE)
            .say(Phrase::PARSE_BOOLEAN)
            .provenance(Provenance::new("parse.boolean", Confidence::Structural))
            .caused_by(error)
    }
}
