//! The versions of the protocol, and which of them two ends have in common.

/// The versions with a handshake, latest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The latest version with a handshake.
pub(crate) const LATEST_LEGACY: &str = LEGACY[0];

/// The version in which every request speaks for itself.
pub(crate) const MODERN: &str = "2026-07-28";

/// What a client with a handshake is answered: its own version if it is one we know, else the latest.
pub(super) fn negotiated(wanted: &str) -> &'static str {
    let known = LEGACY.into_iter().find(|version| *version == wanted);
    known.unwrap_or(LATEST_LEGACY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_its_own_version_or_the_latest() {
        for version in LEGACY {
            assert_eq!(negotiated(version), version);
        }
        for odd in ["1999-01-01", MODERN, ""] {
            assert_eq!(negotiated(odd), LATEST_LEGACY);
        }
    }
}
