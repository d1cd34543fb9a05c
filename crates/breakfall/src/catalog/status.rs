//! HTTP status → code, when nothing but the status is known.

use super::codes;
use crate::code::Code;

/// The code a status stands for by default.
pub const fn code_for_status(status: u16) -> Code {
    match status {
        401 => codes::AUTHENTICATION_REQUIRED,
        402 => codes::BUSINESS_INSUFFICIENT_BALANCE,
        403 => codes::PERMISSION_DENIED,
        404 | 410 => codes::NOT_FOUND_RESOURCE,
        405 | 501 => codes::INTERNAL_NOT_IMPLEMENTED,
        406 | 415 => codes::VALIDATION_PATTERN_MISMATCH,
        408 | 425 | 504 => codes::UNAVAILABLE_TIMEOUT,
        // About the connection and the headers of the one who called, which no argument changes.
        407 | 421 | 426 | 431 => codes::INTERNAL_CONFIGURATION,
        409 | 423 => codes::CONFLICT_INVALID_STATE,
        412 => codes::CONFLICT_VERSION_MISMATCH,
        413 => codes::VALIDATION_PAYLOAD_TOO_LARGE,
        429 => codes::RATE_LIMIT_EXCEEDED,
        400..=499 => codes::VALIDATION_INVALID_VALUE,
        502 => codes::UNAVAILABLE_DEPENDENCY,
        503 => codes::UNAVAILABLE_SERVICE,
        500..=599 => codes::INTERNAL_ERROR,
        _ => codes::INTERNAL_UNKNOWN,
    }
}

/// The mapping of MCP-AQL's own algorithm, to the letter: anything it does not name is a wrong type.
pub const fn code_for_status_strict(status: u16) -> Code {
    match status {
        401 | 403 => codes::PERMISSION_DENIED,
        404 => codes::NOT_FOUND_RESOURCE,
        500.. => codes::INTERNAL_ERROR,
        _ => codes::VALIDATION_INVALID_TYPE,
    }
}
