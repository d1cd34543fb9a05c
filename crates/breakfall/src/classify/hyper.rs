//! `hyper::Error` → a fault, by what it says of itself and by the I/O error behind it.

use hyper::Error;

use super::{chain, internal, io};
use crate::catalog::codes;
use crate::code::Code;
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        internal::unless_in(internal::OF_A_SERVICE, of(&error).caused_by(error))
    }
}

/// Classifies a borrowed error: its owner may add it as the cause.
///
/// ```no_run
/// # fn sent() -> Result<(), hyper::Error> { unimplemented!() }
/// if let Err(error) = sent() {
///     let fault = breakfall::classify::hyper::of(&error);
///     assert!(fault.public().provenance().is_some());
/// }
/// ```
pub fn of(error: &Error) -> Fault {
    let row = ClientRow::fault_of(ROWS, error);
    row.unwrap_or_else(|| match chain::io_kind(error) {
        Some(kind) => io::of_kind(kind),
        None => other("hyper.other"),
    })
}

/// How an error of an HTTP library shows what failed.
pub(super) struct ClientRow<E> {
    pub(super) rule: &'static str,
    pub(super) when: fn(&E) -> bool,
    pub(super) code: Code,
    pub(super) message: Phrase,
}

impl<E> ClientRow<E> {
    /// The fault of the first row that fits.
    pub(super) fn fault_of(rows: &[Self], error: &E) -> Option<Fault> {
        let row = rows.iter().find(|row| (row.when)(error))?;
        let provenance = Provenance::new(row.rule, Confidence::Structural);
        Some(Fault::new(row.code).say(row.message).provenance(provenance))
    }
}

/// The fault of an error that no row fits.
pub(super) fn other(rule: &'static str) -> Fault {
    Fault::new(codes::UNAVAILABLE_NETWORK)
        .say(Phrase::SERVICE_OTHER)
        .provenance(Provenance::new(rule, Confidence::Default))
}

const ROWS: &[ClientRow<Error>] = &[
    ClientRow {
        rule: "hyper.timeout",
        when: Error::is_timeout,
        code: codes::UNAVAILABLE_TIMEOUT,
        message: Phrase::SERVICE_TIMEOUT,
    },
    ClientRow {
        rule: "hyper.tls",
        when: |error| chain::is_tls(error),
        code: codes::UNAVAILABLE_TLS,
        message: Phrase::SERVICE_TLS,
    },
    ClientRow {
        rule: "hyper.parse",
        when: Error::is_parse,
        code: codes::INTERNAL_BAD_UPSTREAM,
        message: Phrase::SERVICE_UNREADABLE,
    },
    ClientRow {
        rule: "hyper.incomplete",
        when: Error::is_incomplete_message,
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_BROKEN_OFF,
    },
    ClientRow {
        rule: "hyper.closed",
        when: |error| error.is_closed() || error.is_canceled() || error.is_shutdown(),
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_CLOSED,
    },
    ClientRow {
        // A user's body or service inside this process failed.
        rule: "hyper.user",
        when: Error::is_user,
        code: codes::INTERNAL_ERROR,
        message: Phrase::SERVICE_UNBUILT,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::lint;

    #[test]
    fn every_sentence_may_be_read_by_anybody() {
        for row in ROWS {
            assert_eq!(
                lint::plain(row.message.english),
                [],
                "{}",
                row.message.english
            );
        }
    }
}
