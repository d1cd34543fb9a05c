//! What clients keep for us and bring back unchanged: cursors of joined lists, and the state a server hands out while it
//! waits for input. A seal shows that it is ours, whose it is and whom it is for; what is inside is no secret.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The key of this process. What was sealed with another one is refused.
pub struct Seal {
    inner: Sha256,
    outer: Sha256,
}

/// What a sealed text is, whose and for whom: it opens only there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) what: &'a str,
    pub(crate) upstream: &'a str,
    pub(crate) principal: &'a str,
}

impl Seal {
    /// With a key nobody knows.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self::with_key(&key))
    }

    /// With a key of one's own, such as one that several gateways share.
    ///
    /// ```
    /// breakfall_gateway::aggregate::Seal::with_key(&[7; 32]);
    /// ```
    pub fn with_key(key: &[u8; 32]) -> Self {
        // HMAC-SHA-256, as RFC 2104 has it, with the two halves of the key taken in already.
        let start = |pad: u8| {
            let mut block = [pad; BLOCK];
            for (byte, key) in block.iter_mut().zip(key) {
                *byte ^= key;
            }
            Sha256::new().chain_update(block)
        };
        Self {
            inner: start(0x36),
            outer: start(0x5c),
        }
    }

    /// Seals a text.
    pub(crate) fn close(&self, about: About<'_>, text: &str) -> String {
        use fmt::Write as _;
        let mut sealed = String::with_capacity(2 * TAG + 1 + text.len());
        for byte in self.tag(about, text) {
            // Writing to a text does not fail.
            let _ = write!(sealed, "{byte:02x}");
        }
        sealed.push('.');
        sealed.push_str(text);
        sealed
    }

    /// The text in a seal, unless it was broken or is about something else.
    pub(crate) fn open<'a>(&self, about: About<'_>, sealed: &'a str) -> Option<&'a str> {
        let (tag, text) = sealed.split_at_checked(2 * TAG)?;
        let text = text.strip_prefix('.')?;
        let wanted = self.tag(about, text);
        let mut differs = 0;
        // All of them, so that the time tells nothing.
        for (pair, wanted) in tag.as_bytes().chunks_exact(2).zip(wanted) {
            let (high, low) = (digit(pair[0])?, digit(pair[1])?);
            differs |= (high << 4 | low) ^ wanted;
        }
        (differs == 0).then_some(text)
    }

    fn tag(&self, about: About<'_>, text: &str) -> [u8; TAG] {
        let mut inner = self.inner.clone();
        // Each with its length, so that no two of them make the same text together.
        for part in [about.what, about.upstream, about.principal, text] {
            inner.update((part.len() as u64).to_be_bytes());
            inner.update(part.as_bytes());
        }
        let whole = self.outer.clone().chain_update(inner.finalize()).finalize();
        let mut tag = [0; TAG];
        tag.copy_from_slice(&whole[..TAG]);
        tag
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

/// The block of the hash.
const BLOCK: usize = 64;
/// Half of the hash: guessing it takes longer than anybody has.
const TAG: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ABOUT: About<'_> = About {
        what: "state",
        upstream: "files",
        principal: "ann",
    };

    #[test]
    fn the_tag_is_that_of_the_standard() {
        // RFC 4231 does not frame its texts, so the halves are used directly: case 1.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let seal = Seal::with_key(&key);
        let inner = seal.inner.clone().chain_update("Hi There").finalize();
        let whole = seal.outer.clone().chain_update(inner).finalize();
        assert_eq!(whole[..8], [0xb0, 0x34, 0x4c, 0x61, 0xd8, 0xdb, 0x38, 0x53]);
    }

    #[test]
    fn a_seal_opens_for_what_it_was_made_for_and_nothing_else() {
        let seal = Seal::with_key(&[1; 32]);
        let sealed = seal.close(ABOUT, "where were we");
        assert_eq!(seal.open(ABOUT, &sealed), Some("where were we"));
        let others = [
            About {
                what: "cursor",
                ..ABOUT
            },
            About {
                upstream: "shop",
                ..ABOUT
            },
            About {
                principal: "bob",
                ..ABOUT
            },
            // The same letters, cut elsewhere.
            About {
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
