//! `std::io::Error` → a fault: a fixed sentence for each kind, since the text of the error names files and hosts. The error
//! itself becomes the private cause.

use std::io::{Error, ErrorKind};

use super::internal;
use super::rule::Rule;
use crate::catalog::codes;
use crate::code::{Code, Retry};
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;

/// Classifies an error by its kind. A fault that travels inside one is taken out as it is.
///
/// ```
/// use std::io::{Error, ErrorKind};
///
/// use breakfall::classify::io;
/// use breakfall::codes;
///
/// let fault = io::fault(Error::new(ErrorKind::ConnectionRefused, "10.0.0.7:5432 refused"));
/// assert_eq!(fault.code(), codes::UNAVAILABLE_NETWORK);
/// assert_eq!(fault.public().message(), "Connection was refused");
/// assert!(fault.report().to_string().contains("10.0.0.7:5432"), "the log knows");
/// ```
pub fn fault(error: Error) -> Fault {
    match error.downcast::<Fault>() {
        Ok(fault) => fault,
        Err(error) => of_kind(error.kind()).caused_by(error),
    }
}

/// `?` keeps what is certain, that the other side is not there; any other kind is an internal error. [`fault`] classifies
/// every kind, where a file that does not exist is one the caller named.
///
/// ```
/// use std::io::{Error, ErrorKind};
///
/// use breakfall::{Fault, codes};
///
/// let missing = Fault::from(Error::from(ErrorKind::NotFound));
/// assert_eq!(missing.code(), codes::INTERNAL_ERROR);
/// let refused = Fault::from(Error::from(ErrorKind::ConnectionRefused));
/// assert_eq!(refused.code(), codes::UNAVAILABLE_NETWORK);
/// ```
impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error.downcast::<Self>() {
            Ok(fault) => fault,
            Err(error) => internal::unless_in(internal::OF_DATA, fault(error)),
        }
    }
}

/// The fault of a kind, without a cause.
pub(crate) fn of_kind(kind: ErrorKind) -> Fault {
    let Some(row) = KINDS.iter().find(|row| row.kind == kind) else {
        let from = Provenance::new(OTHER, Confidence::Default);
        return Fault::new(codes::INTERNAL_ERROR).provenance(from);
    };
    let fault = Fault::new(row.code)
        .say(row.message)
        .provenance(Provenance::new(row.rule, Confidence::Structural));
    match row.retry {
        Some(retry) => fault.retry(retry),
        None => fault,
    }
}

/// Every rule.
pub(super) fn rules() -> impl Iterator<Item = Rule<'static>> {
    let known = |row: &'static IoKindRow| {
        Rule::fixed(
            row.rule,
            row.message.english,
            row.code,
            Confidence::Structural,
        )
    };
    let other = "Any other kind";
    let other = Rule::fixed(OTHER, other, codes::INTERNAL_ERROR, Confidence::Default);
    KINDS.iter().map(known).chain([other])
}

const OTHER: &str = "io.other";

struct IoKindRow {
    kind: ErrorKind,
    rule: &'static str,
    code: Code,
    message: Phrase,
    /// The retry class, where it is not that of the code.
    retry: Option<Retry>,
}

/// Rows as `kind "rule": code, phrase;`, and a retry class where it is not that of the code.
macro_rules! kinds {
    ($($kind:ident $rule:literal: $code:ident, $phrase:ident $(, $retry:ident)?;)*) => {
        &[$(IoKindRow {
            kind: ErrorKind::$kind,
            rule: $rule,
            code: codes::$code,
            message: Phrase::$phrase,
            retry: kinds!(@ $($retry)?),
        },)*]
    };
    (@) => { None };
    (@ $retry:ident) => { Some(Retry::$retry) };
}

const KINDS: &[IoKindRow] = kinds! {
    NotFound "io.not-found": NOT_FOUND_RESOURCE, IO_NOT_FOUND;
    PermissionDenied "io.permission-denied": PERMISSION_DENIED, IO_PERMISSION_DENIED;
    ReadOnlyFilesystem "io.read-only": PERMISSION_DENIED, IO_READ_ONLY;
    AlreadyExists "io.already-exists": CONFLICT_ALREADY_EXISTS, IO_ALREADY_EXISTS;
    ConnectionRefused "io.refused": UNAVAILABLE_NETWORK, IO_REFUSED;
    ConnectionReset "io.reset": UNAVAILABLE_NETWORK, IO_RESET;
    ConnectionAborted "io.aborted": UNAVAILABLE_NETWORK, IO_ABORTED;
    NotConnected "io.not-connected": UNAVAILABLE_NETWORK, IO_NOT_CONNECTED;
    BrokenPipe "io.broken-pipe": UNAVAILABLE_NETWORK, IO_BROKEN_PIPE;
    HostUnreachable "io.host-unreachable": UNAVAILABLE_NETWORK, IO_HOST_UNREACHABLE;
    NetworkUnreachable "io.network-unreachable": UNAVAILABLE_NETWORK, IO_NETWORK_UNREACHABLE;
    NetworkDown "io.network-down": UNAVAILABLE_NETWORK, IO_NETWORK_DOWN;
    AddrNotAvailable "io.address-not-available": UNAVAILABLE_NETWORK, IO_ADDRESS_NOT_AVAILABLE;
    AddrInUse "io.address-in-use": INTERNAL_CONFIGURATION, IO_ADDRESS_IN_USE;
    TimedOut "io.timed-out": UNAVAILABLE_TIMEOUT, IO_TIMED_OUT;
    WouldBlock "io.would-block": UNAVAILABLE_OVERLOADED, IO_WOULD_BLOCK;
    ResourceBusy "io.busy": CONFLICT_INVALID_STATE, IO_BUSY, Backoff;
    ExecutableFileBusy "io.executable-busy": CONFLICT_INVALID_STATE, IO_EXECUTABLE_BUSY, Backoff;
    Deadlock "io.deadlock": CONFLICT_INVALID_STATE, IO_DEADLOCK, Backoff;
    Interrupted "io.interrupted": INTERNAL_ERROR, IO_INTERRUPTED;
    InvalidInput "io.invalid-input": VALIDATION_INVALID_VALUE, IO_INVALID_INPUT;
    InvalidFilename "io.invalid-filename": VALIDATION_INVALID_VALUE, IO_INVALID_FILENAME;
    NotADirectory "io.not-a-directory": VALIDATION_INVALID_VALUE, IO_NOT_A_DIRECTORY;
    IsADirectory "io.is-a-directory": VALIDATION_INVALID_VALUE, IO_IS_A_DIRECTORY;
    DirectoryNotEmpty "io.directory-not-empty": CONFLICT_INVALID_STATE, IO_DIRECTORY_NOT_EMPTY;
    FileTooLarge "io.file-too-large": VALIDATION_PAYLOAD_TOO_LARGE, IO_FILE_TOO_LARGE;
    ArgumentListTooLong "io.arguments-too-long": VALIDATION_PAYLOAD_TOO_LARGE, IO_ARGUMENTS_TOO_LONG;
    InvalidData "io.invalid-data": INTERNAL_BAD_UPSTREAM, IO_INVALID_DATA;
    UnexpectedEof "io.unexpected-end": INTERNAL_BAD_UPSTREAM, IO_UNEXPECTED_END;
    WriteZero "io.write-zero": UNAVAILABLE_DEPENDENCY, IO_WRITE_ZERO;
    StaleNetworkFileHandle "io.stale-handle": UNAVAILABLE_DEPENDENCY, IO_STALE_HANDLE;
    // No call will find more room by being repeated.
    StorageFull "io.storage-full": UNAVAILABLE_SERVICE, IO_STORAGE_FULL, AfterChange;
    QuotaExceeded "io.storage-quota": UNAVAILABLE_SERVICE, IO_STORAGE_QUOTA, AfterChange;
    OutOfMemory "io.out-of-memory": UNAVAILABLE_OVERLOADED, IO_OUT_OF_MEMORY;
    Unsupported "io.unsupported": INTERNAL_NOT_IMPLEMENTED, IO_UNSUPPORTED;
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::lint;

    #[test]
    fn every_kind_has_one_row_and_a_sentence_anybody_may_read() {
        for (at, row) in KINDS.iter().enumerate() {
            assert!(
                KINDS[..at]
                    .iter()
                    .all(|other| other.kind != row.kind && other.rule != row.rule),
                "{}",
                row.rule
            );
            assert_eq!(
                lint::plain(row.message.english),
                [],
                "{}",
                row.message.english
            );
        }
    }
}
