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
    let row = ROWS.iter().find(|row| (row.when)(error));
    if let Some(row) = row {
        return Fault::new(row.code)
            .say(row.message)
            .provenance(Provenance::new(row.rule, Confidence::Structural));
    }
    match chain::io_kind(error) {
        Some(kind) => io::of_kind(kind),
        None => Fault::new(codes::UNAVAILABLE_NETWORK)
            .say(Phrase::SERVICE_OTHER)
            .provenance(Provenance::new("hyper.other", Confidence::Default)),
    }
}

struct HyperRow {
    rule: &'static str,
    when: fn(&Error) -> bool,
    code: Code,
    message: Phrase,
}

const ROWS: &[HyperRow] = &[
    HyperRow {
        rule: "hyper.timeout",
        when: Error::is_timeout,
        code: codes::UNAVAILABLE_TIMEOUT,
        message: Phrase::SERVICE_TIMEOUT,
    },
    HyperRow {
        rule: "hyper.tls",
        when: |error| chain::is_tls(error),
        code: codes::UNAVAILABLE_TLS,
        message: Phrase::SERVICE_TLS,
    },
    HyperRow {
        rule: "hyper.parse",
        when: Error::is_parse,
        code: codes::INTERNAL_BAD_UPSTREAM,
        message: Phrase::SERVICE_UNREADABLE,
    },
    HyperRow {
        rule: "hyper.incomplete",
        when: Error::is_incomplete_message,
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_BROKEN_OFF,
    },
    HyperRow {
        rule: "hyper.closed",
        when: |error| error.is_closed() || error.is_canceled() || error.is_shutdown(),
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_CLOSED,
    },
    HyperRow {
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
