//! Texts that clients keep and return unchanged: cursors of joined lists, and request states of servers. A seal
//! authenticates the text and binds it to its server and client; the text is not encrypted.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The key of this process. Texts sealed with another key are refused.
pub struct Seal(Hmac<Sha256>);

/// What a text is sealed for: its purpose, server and client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SealPurpose<'a> {
    pub(crate) what: &'a str,
    pub(crate) upstream: &'a str,
    pub(crate) principal: &'a str,
}

impl Seal {
    /// With a random key.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self::with_key(&key))
    }

    /// With a given key, which several gateways may share.
    ///
    /// ```
    /// breakfall_gateway::aggregate::Seal::with_key(&[7; 32]);
    /// ```
    pub fn with_key(key: &[u8; 32]) -> Self {
        // A short key is padded with zeros to the block of the hash (RFC 2104).
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(key);
        Self(Hmac::new(&block.into()))
    }

    /// Seals a text.
    pub(crate) fn close(&self, about: SealPurpose<'_>, text: &str) -> String {
        use fmt::Write as _;
        let mut sealed = String::with_capacity(2 * TAG_BYTES + 1 + text.len());
        for byte in &self.mac(about, text).finalize().into_bytes()[..TAG_BYTES] {
            // Writing to a `String` does not fail.
            let _ = write!(sealed, "{byte:02x}");
        }
        sealed.push('.');
        sealed.push_str(text);
        sealed
    }

    /// The sealed text; `None` if the seal is broken or is for something else.
    pub(crate) fn open<'a>(&self, about: SealPurpose<'_>, sealed: &'a str) -> Option<&'a str> {
        let (tag, text) = sealed.split_at_checked(2 * TAG_BYTES)?;
        let text = text.strip_prefix('.')?;
        let mut bytes = [0; TAG_BYTES];
        for (byte, pair) in bytes.iter_mut().zip(tag.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        // In constant time.
        let verified = self.mac(about, text).verify_truncated_left(&bytes);
        verified.is_ok().then_some(text)
    }

    fn mac(&self, about: SealPurpose<'_>, text: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        // Each with its length, so that different parts never make the same input.
        for part in [about.what, about.upstream, about.principal, text] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

/// The size of a tag in bytes: half of the hash.
const TAG_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ABOUT: SealPurpose<'_> = SealPurpose {
        what: "state",
        upstream: "files",
        principal: "ann",
    };

    #[test]
    fn the_tag_is_that_of_the_standard() {
        // Case 1 of RFC 4231 has no lengths, so the code is used directly.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let seal = Seal::with_key(&key);
        let code = seal.0.chain_update("Hi There").finalize().into_bytes();
        assert_eq!(code[..8], [0xb0, 0x34, 0x4c, 0x61, 0xd8, 0xdb, 0x38, 0x53]);
    }

    #[test]
    fn a_seal_opens_for_what_it_was_made_for_and_nothing_else() {
        let seal = Seal::with_key(&[1; 32]);
        let sealed = seal.close(ABOUT, "where were we");
        assert_eq!(seal.open(ABOUT, &sealed), Some("where were we"));
        let others = [
            SealPurpose {
                what: "cursor",
                ..ABOUT
            },
            SealPurpose {
                upstream: "shop",
                ..ABOUT
            },
            SealPurpose {
                principal: "bob",
                ..ABOUT
            },
            // The same characters, divided elsewhere.
            SealPurpose {
                what: "statef",
                upstream: "iles",
                ..ABOUT
            },
        ];
        for other in others {
            assert_eq!(seal.open(other, &sealed), None, "{other:?}");
        }
        assert_eq!(Seal::with_key(&[2; 32]).open(ABOUT, &sealed), None);
    }

    proptest! {
        #[test]
        fn a_broken_seal_does_not_open(text in "\\PC{0,40}", at in 0_usize..100, with in "\\PC") {
            let seal = Seal::with_key(&[1; 32]);
            let sealed = seal.close(ABOUT, &text);
            prop_assert_eq!(seal.open(ABOUT, &sealed), Some(&*text));
            let at = sealed.floor_char_boundary(at % (sealed.len() + 1));
            let end = sealed[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            let mut broken = sealed.clone();
            broken.replace_range(at..end, &with);
            prop_assert!(broken == sealed || seal.open(ABOUT, &broken).is_none());
            prop_assert_eq!(seal.open(ABOUT, &with), None);
        }
    }
}
