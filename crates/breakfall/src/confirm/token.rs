//! Tokens and their hashes.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the two kinds of tokens")]
pub enum TokenPurpose {
    /// A dangerous call.
    Confirmation,
    /// A call beyond a quota that is paused.
    QuotaContinue,
}

impl TokenPurpose {
    /// Both purposes.
    pub const ALL: &'static [Self] = &[Self::Confirmation, Self::QuotaContinue];

    /// The start of its tokens.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Confirmation => "conf_",
            Self::QuotaContinue => "quota_continue_",
        }
    }
}

/// A token, which is a secret: `Debug` and `Display` show the [fingerprint](TokenHash::fingerprint) of its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfirmationToken(Box<str>);

impl ConfirmationToken {
    /// A new token.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn random(purpose: TokenPurpose) -> Result<Self, NoEntropyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| NoEntropyError)?;
        Ok(Self::from_bytes(purpose, bytes))
    }

    /// The token of 32 bytes, which must be random.
    ///
    /// ```
    /// use breakfall::confirm::{ConfirmationToken, TokenPurpose};
    ///
    /// let token = ConfirmationToken::from_bytes(TokenPurpose::Confirmation, [0xff; 32]);
    /// assert_eq!(token.reveal(), format!("conf_{}8", "_".repeat(42)));
    /// assert_eq!(ConfirmationToken::parse(token.reveal()), Some(token));
    /// ```
    pub fn from_bytes(purpose: TokenPurpose, bytes: [u8; 32]) -> Self {
        let mut text = String::with_capacity(purpose.prefix().len() + 43);
        text.push_str(purpose.prefix());
        base64url(&bytes, &mut text);
        Self(text.into())
    }

    /// A token that a caller presents; `None` if it is not written as one.
    ///
    /// ```
    /// use breakfall::confirm::ConfirmationToken;
    ///
    /// assert!(ConfirmationToken::parse("conf_abc123xyz").is_some());
    /// assert!(ConfirmationToken::parse("conf_").is_none());
    /// assert!(ConfirmationToken::parse("conf_abc 123").is_none());
    /// assert!(ConfirmationToken::parse("CONF_abc123xyz").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let mut purposes = TokenPurpose::ALL.iter();
        let name = purposes.find_map(|purpose| text.strip_prefix(purpose.prefix()))?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_token = (1..=64).contains(&name.len())
            && (8..=80).contains(&text.len())
            && name.bytes().all(is_plain);
        is_token.then(|| Self(text.into()))
    }

    /// The token itself, to be shown to the caller it is made for and nowhere else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its hash, which is all that is stored.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for ConfirmationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConfirmationToken({})", self.hash().fingerprint())
    }
}

/// The SHA-256 of a token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash with these bytes, as it was stored.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Its first twelve hexadecimal digits, by which logs and audit trails name the token.
    pub fn fingerprint(&self) -> String {
        let mut digits = String::with_capacity(12);
        for byte in &self.0[..6] {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        digits
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenHash({})", self.fingerprint())
    }
}

/// The system gives no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoEntropyError;

impl fmt::Display for NoEntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system gives no random bytes")
    }
}

impl std::error::Error for NoEntropyError {}

/// Base64 in the alphabet of URLs, without padding.
fn base64url(bytes: &[u8], out: &mut String) {
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().enumerate().fold(0_u32, |group, (at, byte)| {
            group | u32::from(*byte) << (16 - 8 * at)
        });
        for at in 0..=chunk.len() {
            let digit = group >> (18 - 6 * at) & 0x3f;
            out.push(char::from(DIGITS[digit as usize]));
        }
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
