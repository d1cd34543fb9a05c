//! `std::io::Error` → a fault: a fixed sentence for each kind, since the text of the error names files and hosts. The error
//! itself becomes the private cause.

use std::io::{Error, ErrorKind};

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

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        fault(error)
    }
}

/// The fault of a kind, without a cause.
pub(crate) fn of_kind(kind: ErrorKind) -> Fault {
    let Some(row) = KINDS.iter().find(|row| row.kind == kind) else {
        let from = Provenance::new("io.other", Confidence::Default);
        return Fault::new(codes::INTERNAL_ERROR).provenance(from);
    };
    let rule = format!("io.{}", row.rule);
    let fault = Fault::new(row.code)
        .say(row.message)
        .provenance(Provenance::new(rule, Confidence::Structural));
    match row.retry {
        Some(retry) => fault.retry(retry),
        None => fault,
    }
}

struct Row {
    kind: ErrorKind,
    rule: &'static str,
    code: Code,
    message: Phrase,
    /// The retry class, where it is not that of the code.
    retry: Option<Retry>,
}

const fn row(kind: ErrorKind, rule: &'static str, code: Code, message: Phrase) -> Row {
    Row {
        kind,
        rule,
        code,
        message,
        retry: None,
    }
}

const KINDS: &[Row] = &[
    row(
        ErrorKind::NotFound,
        "not-found",
        codes::NOT_FOUND_RESOURCE,
        Phrase::IO_NOT_FOUND,
    ),
    row(
        ErrorKind::PermissionDenied,
        "permission-denied",
        codes::PERMISSION_DENIED,
        Phrase::IO_PERMISSION_DENIED,
    ),
    row(
        ErrorKind::ReadOnlyFilesystem,
        "read-only",
        codes::PERMISSION_DENIED,
        Phrase::IO_READ_ONLY,
    ),
    row(
        ErrorKind::AlreadyExists,
        "already-exists",
        codes::CONFLICT_ALREADY_EXISTS,
        Phrase::IO_ALREADY_EXISTS,
    ),
    row(
        ErrorKind::ConnectionRefused,
        "refused",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_REFUSED,
    ),
    row(
        ErrorKind::ConnectionReset,
        "reset",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_RESET,
    ),
    row(
        ErrorKind::ConnectionAborted,
        "aborted",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_ABORTED,
    ),
    row(
        ErrorKind::NotConnected,
        "not-connected",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_NOT_CONNECTED,
    ),
    row(
        ErrorKind::BrokenPipe,
        "broken-pipe",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_BROKEN_PIPE,
    ),
    row(
        ErrorKind::HostUnreachable,
        "host-unreachable",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_HOST_UNREACHABLE,
    ),
    row(
        ErrorKind::NetworkUnreachable,
        "network-unreachable",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_NETWORK_UNREACHABLE,
    ),
    row(
        ErrorKind::NetworkDown,
        "network-down",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_NETWORK_DOWN,
    ),
    row(
        ErrorKind::AddrNotAvailable,
        "address-not-available",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_ADDRESS_NOT_AVAILABLE,
    ),
    row(
        ErrorKind::AddrInUse,
        "address-in-use",
        codes::INTERNAL_CONFIGURATION,
        Phrase::IO_ADDRESS_IN_USE,
    ),
    row(
        ErrorKind::TimedOut,
        "timed-out",
        codes::UNAVAILABLE_TIMEOUT,
        Phrase::IO_TIMED_OUT,
    ),
    row(
        ErrorKind::WouldBlock,
        "would-block",
        codes::UNAVAILABLE_OVERLOADED,
        Phrase::IO_WOULD_BLOCK,
    ),
    Row {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::ResourceBusy,
            "busy",
            codes::CONFLICT_INVALID_STATE,
            Phrase::IO_BUSY,
        )
    },
    Row {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::ExecutableFileBusy,
            "executable-busy",
            codes::CONFLICT_INVALID_STATE,
            Phrase::IO_EXECUTABLE_BUSY,
        )
    },
    Row {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::Deadlock,
            "deadlock",
            codes::CONFLICT_INVALID_STATE,
            Phrase::IO_DEADLOCK,
        )
    },
    row(
        ErrorKind::Interrupted,
        "interrupted",
        codes::INTERNAL_ERROR,
        Phrase::IO_INTERRUPTED,
    ),
    row(
        ErrorKind::InvalidInput,
        "invalid-input",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_INVALID_INPUT,
    ),
    row(
        ErrorKind::InvalidFilename,
        "invalid-filename",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_INVALID_FILENAME,
    ),
    row(
        ErrorKind::NotADirectory,
        "not-a-directory",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_NOT_A_DIRECTORY,
    ),
    row(
        ErrorKind::IsADirectory,
        "is-a-directory",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_IS_A_DIRECTORY,
    ),
    row(
        ErrorKind::DirectoryNotEmpty,
        "directory-not-empty",
        codes::CONFLICT_INVALID_STATE,
        Phrase::IO_DIRECTORY_NOT_EMPTY,
    ),
    row(
        ErrorKind::FileTooLarge,
        "file-too-large",
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        Phrase::IO_FILE_TOO_LARGE,
    ),
    row(
        ErrorKind::ArgumentListTooLong,
        "arguments-too-long",
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        Phrase::IO_ARGUMENTS_TOO_LONG,
    ),
    row(
        ErrorKind::InvalidData,
        "invalid-data",
        codes::INTERNAL_BAD_UPSTREAM,
        Phrase::IO_INVALID_DATA,
    ),
    row(
        ErrorKind::UnexpectedEof,
        "unexpected-end",
        codes::INTERNAL_BAD_UPSTREAM,
        Phrase::IO_UNEXPECTED_END,
    ),
    row(
        ErrorKind::WriteZero,
        "write-zero",
        codes::UNAVAILABLE_DEPENDENCY,
        Phrase::IO_WRITE_ZERO,
    ),
    row(
        ErrorKind::StaleNetworkFileHandle,
        "stale-handle",
        codes::UNAVAILABLE_DEPENDENCY,
        Phrase::IO_STALE_HANDLE,
    ),
    // No call will find more room by being repeated.
    Row {
        retry: Some(Retry::AfterChange),
        ..row(
            ErrorKind::StorageFull,
            "storage-full",
            codes::UNAVAILABLE_SERVICE,
            Phrase::IO_STORAGE_FULL,
        )
    },
    Row {
        retry: Some(Retry::AfterChange),
        ..row(
            ErrorKind::QuotaExceeded,
            "storage-quota",
            codes::UNAVAILABLE_SERVICE,
            Phrase::IO_STORAGE_QUOTA,
        )
    },
    row(
        ErrorKind::OutOfMemory,
        "out-of-memory",
        codes::UNAVAILABLE_OVERLOADED,
        Phrase::IO_OUT_OF_MEMORY,
    ),
    row(
        ErrorKind::Unsupported,
        "unsupported",
        codes::INTERNAL_NOT_IMPLEMENTED,
        Phrase::IO_UNSUPPORTED,
    ),
];

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
