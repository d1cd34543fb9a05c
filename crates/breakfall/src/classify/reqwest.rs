//! `reqwest::Error` → a fault. Its text holds the address, often with a key in it: it is the private cause.

use jiff::Timestamp;
use reqwest::Error;

use super::http::{self, Failure};
use super::hyper::{self, ClientRow};
use super::{chain, internal, io};
use crate::catalog::codes;
use crate::fault::Fault;
use crate::phrase::Phrase;

/// A service that is unavailable or limits its callers is told as such. Any other status, a 401 or a 404, answers a request
/// that this server made, not the caller: it is an internal error.
///
/// The error has no headers. [`http::upstream_fault`](crate::classify::http::upstream_fault) reads the whole answer and keeps
/// its `Retry-After`; [`http::fault`](crate::classify::http::fault) also takes a 404 at its word.
impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        internal::unless_in(internal::OF_A_SERVICE, of(&error).caused_by(error))
    }
}

/// The fault of an error, without the cause.
pub(super) fn of(error: &Error) -> Fault {
    if let Some(status) = error.status() {
        // No header is known, so no moment can be meant by one.
        let failure = Failure::new(status.as_u16());
        return http::fault(&failure, Timestamp::UNIX_EPOCH);
    }
    if let Some(fault) = ClientRow::fault_of(ROWS, error) {
        return fault;
    }
    let inner = chain::chain(error).find_map(|cause| cause.downcast_ref::<::hyper::Error>());
    match (chain::io_kind(error), inner) {
        (Some(kind), _) => io::of_kind(kind),
        (None, Some(inner)) => hyper::of(inner),
        (None, None) => hyper::other("reqwest.other"),
    }
}

/// The particular before the general: a connection that took too long is a matter of time.
const ROWS: &[ClientRow<Error>] = &[
    ClientRow {
        rule: "reqwest.timeout",
        when: Error::is_timeout,
        code: codes::UNAVAILABLE_TIMEOUT,
        message: Phrase::SERVICE_TIMEOUT,
    },
    ClientRow {
        rule: "reqwest.dns",
        when: Error::is_dns,
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_DNS,
    },
    ClientRow {
        rule: "reqwest.tls",
        when: |error| (error.is_connect() || error.is_request()) && chain::is_tls(error),
        code: codes::UNAVAILABLE_TLS,
        message: Phrase::SERVICE_TLS,
    },
    ClientRow {
        rule: "reqwest.connect",
        when: Error::is_connect,
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_CONNECT,
    },
    ClientRow {
        rule: "reqwest.decode",
        when: |error| error.is_decode() && !is_cut(error),
        code: codes::INTERNAL_BAD_UPSTREAM,
        message: Phrase::SERVICE_UNREADABLE,
    },
    ClientRow {
        rule: "reqwest.redirect",
        when: Error::is_redirect,
        code: codes::INTERNAL_BAD_UPSTREAM,
        message: Phrase::SERVICE_REDIRECT,
    },
    ClientRow {
        rule: "reqwest.upgrade",
        when: Error::is_upgrade,
        code: codes::INTERNAL_BAD_UPSTREAM,
        message: Phrase::SERVICE_UPGRADE,
    },
    ClientRow {
        rule: "reqwest.builder",
        when: Error::is_builder,
        code: codes::INTERNAL_CONFIGURATION,
        message: Phrase::SERVICE_BUILDER,
    },
    ClientRow {
        rule: "reqwest.body",
        when: |error| error.is_body() || (error.is_decode() && is_cut(error)),
        code: codes::UNAVAILABLE_NETWORK,
        message: Phrase::SERVICE_BROKEN_OFF,
    },
];

/// Whether the connection ended before the answer did, which reqwest may call a failure to decode.
fn is_cut(error: &Error) -> bool {
    chain::io_kind(error).is_some()
        || chain::chain(error).any(|cause| {
            cause
                .downcast_ref::<::hyper::Error>()
                .is_some_and(::hyper::Error::is_incomplete_message)
        })
}

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
