//! The causes behind an error of an HTTP library: what kind of I/O error it was, whether it was about TLS.

use std::error::Error;
use std::io;

/// An error and its causes, outermost first. A chain that never ends is cut.
pub(super) fn chain<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source()).take(32)
}

/// The kind of the innermost I/O error that has one to tell.
pub(super) fn io_kind(error: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    let kinds = chain(error).filter_map(|cause| Some(cause.downcast_ref::<io::Error>()?.kind()));
    kinds.filter(|kind| *kind != io::ErrorKind::Other).last()
}

/// Whether a cause speaks of TLS. The libraries that make such errors are many, and each has types of its own.
pub(super) fn is_tls(error: &(dyn Error + 'static)) -> bool {
    // The outermost error names the address, which may hold any word.
    chain(error).skip(1).any(|cause| {
        let words = cause.to_string().to_ascii_lowercase();
        words
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| TLS.contains(&word))
    })
}

const TLS: &[&str] = &["tls", "ssl", "certificate", "handshake", "unknownissuer"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_looked_into() {
        let inner = io::Error::new(
            io::ErrorKind::InvalidData,
            "invalid peer certificate: UnknownIssuer",
        );
        let outer = crate::Fault::internal().caused_by(inner);
        assert!(is_tls(&outer));
        assert_eq!(io_kind(&outer), Some(io::ErrorKind::InvalidData));
        let plain = crate::Fault::internal().caused_by("address https://tls.example.test");
        assert!(is_tls(&plain), "a cause may say anything");
        assert!(
            !is_tls(&io::Error::other("tls")),
            "the outermost names addresses"
        );
    }
}
