//! `std::io::Error` → a fault: a fixed sentence for each kind, since the text of the error names files and hosts. The error
//! itself becomes the private cause.

use std::io::{Error, ErrorKind};

use crate::catalog::codes;
use crate::code::{Code, Retry};
use crate::fault::{Confidence, Fault, Provenance};

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
        .message(row.message)
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
    message: &'static str,
    /// The retry class, where it is not that of the code.
    retry: Option<Retry>,
}

const fn row(kind: ErrorKind, rule: &'static str, code: Code, message: &'static str) -> Row {
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
        "File or resource does not exist",
    ),
    row(
        ErrorKind::PermissionDenied,
        "permission-denied",
        codes::PERMISSION_DENIED,
        "Permission denied: server may not use the file or resource",
    ),
    row(
        ErrorKind::ReadOnlyFilesystem,
        "read-only",
        codes::PERMISSION_DENIED,
        "Permission denied: storage is read-only",
    ),
    row(
        ErrorKind::AlreadyExists,
        "already-exists",
        codes::CONFLICT_ALREADY_EXISTS,
        "File or resource exists already",
    ),
    row(
        ErrorKind::ConnectionRefused,
        "refused",
        codes::UNAVAILABLE_NETWORK,
        "Connection was refused",
    ),
    row(
        ErrorKind::ConnectionReset,
        "reset",
        codes::UNAVAILABLE_NETWORK,
        "Connection was reset by the other side",
    ),
    row(
        ErrorKind::ConnectionAborted,
        "aborted",
        codes::UNAVAILABLE_NETWORK,
        "Connection was aborted",
    ),
    row(
        ErrorKind::NotConnected,
        "not-connected",
        codes::UNAVAILABLE_NETWORK,
        "Connection is not open",
    ),
    row(
        ErrorKind::BrokenPipe,
        "broken-pipe",
        codes::UNAVAILABLE_NETWORK,
        "Connection was closed by the other side",
    ),
    row(
        ErrorKind::HostUnreachable,
        "host-unreachable",
        codes::UNAVAILABLE_NETWORK,
        "Host cannot be reached",
    ),
    row(
        ErrorKind::NetworkUnreachable,
        "network-unreachable",
        codes::UNAVAILABLE_NETWORK,
        "Network cannot be reached",
    ),
    row(
        ErrorKind::NetworkDown,
        "network-down",
        codes::UNAVAILABLE_NETWORK,
        "Network is down",
    ),
    row(
        ErrorKind::AddrNotAvailable,
        "address-not-available",
        codes::UNAVAILABLE_NETWORK,
        "Network address is not available",
    ),
    row(
        ErrorKind::AddrInUse,
        "address-in-use",
        codes::INTERNAL_CONFIGURATION,
        "Network address is in use by somebody else",
    ),
    row(
        ErrorKind::TimedOut,
        "timed-out",
        codes::UNAVAILABLE_TIMEOUT,
        "Operation took too long",
    ),
    row(
        ErrorKind::WouldBlock,
        "would-block",
        codes::UNAVAILABLE_OVERLOADED,
        "Resource is busy",
    ),
    Row {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::ResourceBusy,
            "busy",
            codes::CONFLICT_INVALID_STATE,
            "Resource is in use by somebody else",
        )
    },
    Row {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::ExecutableFileBusy,
            "executable-busy",
            codes::CONFLICT_INVALID_STATE,
            "Program file is in use",
        )
    },
    Row {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::Deadlock,
            "deadlock",
            codes::CONFLICT_INVALID_STATE,
            "Resource is locked by somebody else",
        )
    },
    row(
        ErrorKind::Interrupted,
        "interrupted",
        codes::INTERNAL_ERROR,
        "Operation was interrupted",
    ),
    row(
        ErrorKind::InvalidInput,
        "invalid-input",
        codes::VALIDATION_INVALID_VALUE,
        "Value cannot be used for the operation",
    ),
    row(
        ErrorKind::InvalidFilename,
        "invalid-filename",
        codes::VALIDATION_INVALID_VALUE,
        "File name is invalid",
    ),
    row(
        ErrorKind::NotADirectory,
        "not-a-directory",
        codes::VALIDATION_INVALID_VALUE,
        "Path does not lead to a directory",
    ),
    row(
        ErrorKind::IsADirectory,
        "is-a-directory",
        codes::VALIDATION_INVALID_VALUE,
        "Path leads to a directory",
    ),
    row(
        ErrorKind::DirectoryNotEmpty,
        "directory-not-empty",
        codes::CONFLICT_INVALID_STATE,
        "Directory is not empty",
    ),
    row(
        ErrorKind::FileTooLarge,
        "file-too-large",
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        "File is too large",
    ),
    row(
        ErrorKind::ArgumentListTooLong,
        "arguments-too-long",
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        "Arguments of the program are too long",
    ),
    row(
        ErrorKind::InvalidData,
        "invalid-data",
        codes::INTERNAL_BAD_UPSTREAM,
        "Data cannot be read: it is malformed",
    ),
    row(
        ErrorKind::UnexpectedEof,
        "unexpected-end",
        codes::INTERNAL_BAD_UPSTREAM,
        "Data ended too early",
    ),
    row(
        ErrorKind::WriteZero,
        "write-zero",
        codes::UNAVAILABLE_DEPENDENCY,
        "Data could not be written",
    ),
    row(
        ErrorKind::StaleNetworkFileHandle,
        "stale-handle",
        codes::UNAVAILABLE_DEPENDENCY,
        "Network storage lost the file",
    ),
    // No call will find more room by being repeated.
    Row {
        retry: Some(Retry::AfterChange),
        ..row(
            ErrorKind::StorageFull,
            "storage-full",
            codes::UNAVAILABLE_SERVICE,
            "Storage of the server is full",
        )
    },
    Row {
        retry: Some(Retry::AfterChange),
        ..row(
            ErrorKind::QuotaExceeded,
            "storage-quota",
            codes::UNAVAILABLE_SERVICE,
            "Storage quota of the server is used up",
        )
    },
    row(
        ErrorKind::OutOfMemory,
        "out-of-memory",
        codes::UNAVAILABLE_OVERLOADED,
        "Server is out of memory",
    ),
    row(
        ErrorKind::Unsupported,
        "unsupported",
        codes::INTERNAL_NOT_IMPLEMENTED,
        "Operation is not supported here",
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
            assert_eq!(lint::plain(row.message), [], "{}", row.message);
        }
    }
}
