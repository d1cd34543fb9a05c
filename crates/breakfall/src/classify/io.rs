//! `std::io::Error` → a fault: a fixed sentence for each kind, since the text of the error names files and hosts. The error
//! itself becomes the private cause.

use std::io::{Error, ErrorKind};

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

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        fault(error)
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

const fn row(kind: ErrorKind, rule: &'static str, code: Code, message: Phrase) -> IoKindRow {
    IoKindRow {
        kind,
        rule,
        code,
        message,
        retry: None,
    }
}

const KINDS: &[IoKindRow] = &[
    row(
        ErrorKind::NotFound,
        "io.not-found",
        codes::NOT_FOUND_RESOURCE,
        Phrase::IO_NOT_FOUND,
    ),
    row(
        ErrorKind::PermissionDenied,
        "io.permission-denied",
        codes::PERMISSION_DENIED,
        Phrase::IO_PERMISSION_DENIED,
    ),
    row(
        ErrorKind::ReadOnlyFilesystem,
        "io.read-only",
        codes::PERMISSION_DENIED,
        Phrase::IO_READ_ONLY,
    ),
    row(
        ErrorKind::AlreadyExists,
        "io.already-exists",
        codes::CONFLICT_ALREADY_EXISTS,
        Phrase::IO_ALREADY_EXISTS,
    ),
    row(
        ErrorKind::ConnectionRefused,
        "io.refused",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_REFUSED,
    ),
    row(
        ErrorKind::ConnectionReset,
        "io.reset",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_RESET,
    ),
    row(
        ErrorKind::ConnectionAborted,
        "io.aborted",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_ABORTED,
    ),
    row(
        ErrorKind::NotConnected,
        "io.not-connected",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_NOT_CONNECTED,
    ),
    row(
        ErrorKind::BrokenPipe,
        "io.broken-pipe",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_BROKEN_PIPE,
    ),
    row(
        ErrorKind::HostUnreachable,
        "io.host-unreachable",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_HOST_UNREACHABLE,
    ),
    row(
        ErrorKind::NetworkUnreachable,
        "io.network-unreachable",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_NETWORK_UNREACHABLE,
    ),
    row(
        ErrorKind::NetworkDown,
        "io.network-down",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_NETWORK_DOWN,
    ),
    row(
        ErrorKind::AddrNotAvailable,
        "io.address-not-available",
        codes::UNAVAILABLE_NETWORK,
        Phrase::IO_ADDRESS_NOT_AVAILABLE,
    ),
    row(
        ErrorKind::AddrInUse,
        "io.address-in-use",
        codes::INTERNAL_CONFIGURATION,
        Phrase::IO_ADDRESS_IN_USE,
    ),
    row(
        ErrorKind::TimedOut,
        "io.timed-out",
        codes::UNAVAILABLE_TIMEOUT,
        Phrase::IO_TIMED_OUT,
    ),
    row(
        ErrorKind::WouldBlock,
        "io.would-block",
        codes::UNAVAILABLE_OVERLOADED,
        Phrase::IO_WOULD_BLOCK,
    ),
    IoKindRow {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::ResourceBusy,
            "io.busy",
            codes::CONFLICT_INVALID_STATE,
            Phrase::IO_BUSY,
        )
    },
    IoKindRow {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::ExecutableFileBusy,
            "io.executable-busy",
            codes::CONFLICT_INVALID_STATE,
            Phrase::IO_EXECUTABLE_BUSY,
        )
    },
    IoKindRow {
        retry: Some(Retry::Backoff),
        ..row(
            ErrorKind::Deadlock,
            "io.deadlock",
            codes::CONFLICT_INVALID_STATE,
            Phrase::IO_DEADLOCK,
        )
    },
    row(
        ErrorKind::Interrupted,
        "io.interrupted",
        codes::INTERNAL_ERROR,
        Phrase::IO_INTERRUPTED,
    ),
    row(
        ErrorKind::InvalidInput,
        "io.invalid-input",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_INVALID_INPUT,
    ),
    row(
        ErrorKind::InvalidFilename,
        "io.invalid-filename",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_INVALID_FILENAME,
    ),
    row(
        ErrorKind::NotADirectory,
        "io.not-a-directory",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_NOT_A_DIRECTORY,
    ),
    row(
        ErrorKind::IsADirectory,
        "io.is-a-directory",
        codes::VALIDATION_INVALID_VALUE,
        Phrase::IO_IS_A_DIRECTORY,
    ),
    row(
        ErrorKind::DirectoryNotEmpty,
        "io.directory-not-empty",
        codes::CONFLICT_INVALID_STATE,
        Phrase::IO_DIRECTORY_NOT_EMPTY,
    ),
    row(
        ErrorKind::FileTooLarge,
        "io.file-too-large",
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        Phrase::IO_FILE_TOO_LARGE,
    ),
    row(
        ErrorKind::ArgumentListTooLong,
        "io.arguments-too-long",
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        Phrase::IO_ARGUMENTS_TOO_LONG,
    ),
    row(
        ErrorKind::InvalidData,
        "io.invalid-data",
        codes::INTERNAL_BAD_UPSTREAM,
        Phrase::IO_INVALID_DATA,
    ),
    row(
        ErrorKind::UnexpectedEof,
        "io.unexpected-end",
        codes::INTERNAL_BAD_UPSTREAM,
        Phrase::IO_UNEXPECTED_END,
    ),
    row(
        ErrorKind::WriteZero,
        "io.write-zero",
        codes::UNAVAILABLE_DEPENDENCY,
        Phrase::IO_WRITE_ZERO,
    ),
    row(
        ErrorKind::StaleNetworkFileHandle,
        "io.stale-handle",
        codes::UNAVAILABLE_DEPENDENCY,
        Phrase::IO_STALE_HANDLE,
    ),
    // No call will find more room by being repeated.
    IoKindRow {
        retry: Some(Retry::AfterChange),
        ..row(
            ErrorKind::StorageFull,
            "io.storage-full",
            codes::UNAVAILABLE_SERVICE,
            Phrase::IO_STORAGE_FULL,
        )
    },
    IoKindRow {
        retry: Some(Retry::AfterChange),
        ..row(
            ErrorKind::QuotaExceeded,
            "io.storage-quota",
            codes::UNAVAILABLE_SERVICE,
            Phrase::IO_STORAGE_QUOTA,
        )
    },
    row(
        ErrorKind::OutOfMemory,
        "io.out-of-memory",
        codes::UNAVAILABLE_OVERLOADED,
        Phrase::IO_OUT_OF_MEMORY,
    ),
    row(
        ErrorKind::Unsupported,
        "io.unsupported",
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
