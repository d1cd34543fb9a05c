//! Bytes that are no text, and texts that are no numbers → faults, so that `?` works on them in a handler.

use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::str::{ParseBoolError, Utf8Error};
use std::string::FromUtf8Error;

use crate::catalog::codes;
use crate::fault::{Confidence, Fault, Provenance};

/// Arguments of a call are UTF-8 before a handler sees them; what is not came from somewhere else.
impl From<Utf8Error> for Fault {
    fn from(error: Utf8Error) -> Self {
        Self::new(codes::INTERNAL_BAD_UPSTREAM)
            .message("Text is not UTF-8")
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
            (codes::VALIDATION_OUT_OF_RANGE, "Number is out of range")
        } else {
            (
                codes::VALIDATION_INVALID_TYPE,
                "Value is not a whole number",
            )
        };
        Self::new(code)
            .message(message)
            .provenance(Provenance::new("parse.integer", Confidence::Structural))
            .caused_by(error)
    }
}

impl From<ParseFloatError> for Fault {
    fn from(error: ParseFloatError) -> Self {
        Self::new(codes::VALIDATION_INVALID_TYPE)
            .message("Value is not a number")
            .provenance(Provenance::new("parse.number", Confidence::Structural))
            .caused_by(error)
    }
}

impl From<ParseBoolError> for Fault {
    fn from(error: ParseBoolError) -> Self {
        Self::new(codes::VALIDATION_INVALID_TYPE)
            .message("Value is neither true nor false")
            .provenance(Provenance::new("parse.boolean", Confidence::Structural))
            .caused_by(error)
    }
}
