//! Versions of the protocol, and the negotiation between them.

/// Legacy versions, latest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The latest legacy version.
pub(crate) const LATEST_LEGACY: &str = LEGACY[0];

/// The first modern version.
pub(crate) const MODERN: &str = "2026-07-28";

/// The version a legacy client is answered with: the one it requested if it is known, else the latest.
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
