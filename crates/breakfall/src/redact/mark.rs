//! What was found, and what stands in its place.

/// The kind of a find. The order is that of precedence: where two finds overlap, the later kind names the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Mark {
    /// A colour of a terminal: nothing stands in its place.
    Escape,
    Address,
    Host,
    Path,
    Sql,
    Trace,
    Person,
    Phone,
    Email,
    Iban,
    NationalId,
    Card,
    Secret,
    Password,
    Cookie,
    Basic,
    Bearer,
    Signature,
    Jwt,
    ApiKey,
    Webhook,
    PrivateKey,
}

/// The class of a find, which decides the audiences it is hidden from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkClass {
    /// The inside of a server. An operator knows it, and a caller may have sent it.
    Structure,
    /// How to reach a person. The same holds.
    Person,
    /// Hidden from everyone, the operator included.
    Secret,
}

impl Mark {
    /// What stands in its place.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Escape => "",
            Self::Address => "[address]",
            Self::Host => "[host]",
            Self::Path => "[path]",
            Self::Sql => "[sql]",
            Self::Trace => "[trace]",
            Self::Person => "[redacted:person]",
            Self::Phone => "[redacted:phone]",
            Self::Email => "[redacted:email]",
            Self::Iban => "[redacted:iban]",
            Self::NationalId => "[redacted:national-id]",
            Self::Card => "[redacted:card]",
            Self::Secret => "[redacted:secret]",
            Self::Password => "[redacted:password]",
            Self::Cookie => "[redacted:cookie]",
            Self::Basic => "[redacted:basic]",
            Self::Bearer => "[redacted:bearer]",
            Self::Signature => "[redacted:signature]",
            Self::Jwt => "[redacted:jwt]",
            Self::ApiKey => "[redacted:api-key]",
            Self::Webhook => "[redacted:webhook]",
            Self::PrivateKey => "[redacted:private-key]",
        }
    }

    /// Who must not see it.
    pub(super) const fn class(self) -> MarkClass {
        match self {
            Self::Address | Self::Host | Self::Path | Self::Sql | Self::Trace => {
                MarkClass::Structure
            }
            Self::Person | Self::Phone | Self::Email => MarkClass::Person,
            Self::Escape
            | Self::Iban
            | Self::NationalId
            | Self::Card
            | Self::Secret
            | Self::Password
            | Self::Cookie
            | Self::Basic
            | Self::Bearer
            | Self::Signature
            | Self::Jwt
            | Self::ApiKey
            | Self::Webhook
            | Self::PrivateKey => MarkClass::Secret,
        }
    }
}

/// A find: bytes of a text, on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MarkedSpan {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) mark: Mark,
}

/// Whether nothing but markers is left of a text: signs, blanks and the word "error" tell a reader nothing either.
///
/// ```
/// use breakfall::redact::only_markers;
///
/// assert!(only_markers("Error: [trace]"));
/// assert!(!only_markers("cannot open '[path]'"));
/// assert!(!only_markers("no"));
/// ```
pub fn only_markers(text: &str) -> bool {
    let (mut rest, mut is_marked) = (text, false);
    while let Some(open) = rest.find('[') {
        if !is_silent(&rest[..open]) {
            return false;
        }
        let end = rest[open..]
            .find(']')
            .map_or(rest.len(), |at| open + at + 1);
        let piece = &rest[open..end];
        is_marked |= is_marker(piece.as_bytes());
        if !is_marker(piece.as_bytes()) && !is_silent(piece) {
            return false;
        }
        rest = &rest[end..];
    }
    is_marked && is_silent(rest)
}

/// Whether a piece of text says nothing.
fn is_silent(piece: &str) -> bool {
    let mut words = piece.split(|letter: char| !letter.is_alphanumeric());
    words.all(|word| word.is_empty() || word.eq_ignore_ascii_case("error"))
}

/// Whether a text is nothing but a redaction marker.
pub(super) fn is_marker(text: &[u8]) -> bool {
    let Some(inner) = text.strip_prefix(b"[") else {
        return false;
    };
    let closed = inner.strip_suffix(b"]");
    // A pattern may stop in front of the bracket.
    let Some(inner) = closed.or_else(|| inner.starts_with(b"redacted:").then_some(inner)) else {
        return false;
    };
    let kind = inner.strip_prefix(b"redacted:").unwrap_or(inner);
    let word = |b: &u8| b.is_ascii_lowercase() || *b == b'-';
    let structure: &[&[u8]] = &[b"address", b"host", b"path", b"sql", b"trace"];
    !kind.is_empty()
        && kind.iter().all(word)
        && (kind.len() < inner.len() || structure.contains(&kind))
}
