//! Bytes that a server embeds in a failure, as base64: pictures and sound pass, text is redacted, and of anything else the
//! client learns size and type.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// What is in the bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BinaryContent {
    /// A picture or sound, by its signature.
    Media,
    /// Text, which may contain secrets.
    Text(String),
    /// Anything else, in these words.
    Opaque(String),
}

impl BinaryContent {
    /// Looks into base64 of a claimed media type.
    pub(super) fn of(base64: &str, media_type: Option<&str>) -> Self {
        let kind = media_type.filter(|kind| is_media_type(kind));
        let kind = kind.unwrap_or("unknown type");
        let Some(bytes) = decode(base64) else {
            let size = base64.len();
            return Self::Opaque(format!(
                "[removed: {size} characters of {kind}, not base64]"
            ));
        };
        if is_media(&bytes) {
            return Self::Media;
        }
        let size = bytes.len();
        match String::from_utf8(bytes) {
            Ok(text) if text.chars().all(is_text) => Self::Text(text),
            Ok(_) | Err(_) => Self::Opaque(format!("[removed: {size} bytes of {kind}]")),
        }
    }
}

/// What a long text holds that is nothing but base64, alone or as a data URL. Shorter ones are for the redactor.
pub(super) fn whole_text(text: &str) -> Option<BinaryContent> {
    if text.len() < MIN_WHOLE_BYTES {
        return None;
    }
    let text = text.trim_ascii();
    let url = text.strip_prefix("data:");
    let url = url.and_then(|url| url.split_once(";base64,"));
    let (kind, base64) = url.map_or((None, text), |(kind, base64)| (Some(kind), base64));
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=\r\n".contains(&byte);
    // Words and lines of one letter have fewer kinds of letters.
    let has = |is_kind: fn(&u8) -> bool| base64.bytes().any(|byte| is_kind(&byte));
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    if !is_mixed || !has(u8::is_ascii_digit) || !base64.bytes().all(is_digit) {
        return None;
    }
    decode(base64)?;
    Some(BinaryContent::of(base64, kind))
}

/// Text as base64.
pub(super) fn encode(text: &str) -> String {
    BASE64.encode(text)
}

/// Reads either alphabet, with or without padding and line breaks.
fn decode(base64: &str) -> Option<Vec<u8>> {
    let bytes = base64.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let plain: Vec<u8> = bytes
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        })
        .collect();
    BASE64.decode(plain).ok()
}

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Letters, blanks, line ends and colours of a terminal.
fn is_text(letter: char) -> bool {
    !letter.is_control() || matches!(letter, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}')
}

/// A media type as in a header, without parameters.
fn is_media_type(text: &str) -> bool {
    let is_part = |part: &str| {
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
        !part.is_empty() && part.bytes().all(is_token)
    };
    text.len() <= MAX_TYPE_BYTES
        && text
            .split_once('/')
            .is_some_and(|(group, name)| is_part(group) && is_part(name))
}

/// Whether bytes open like a picture or sound.
fn is_media(bytes: &[u8]) -> bool {
    let is_in = |container: &[u8], kinds: &[&[u8]]| {
        bytes.starts_with(container) && bytes.get(8..12).is_some_and(|kind| kinds.contains(&kind))
    };
    let is_file_type = bytes.get(4..8) == Some(b"ftyp");
    SIGNATURES.iter().any(|opening| bytes.starts_with(opening))
        || is_in(b"RIFF", &[b"WEBP", b"WAVE"])
        || is_in(b"FORM", &[b"AIFF", b"AIFC"])
        || is_file_type && bytes.get(8..12).is_some_and(|kind| BRANDS.contains(&kind))
        || is_bitmap(bytes)
}

/// Two letters alone open many a text: a bitmap also states its size.
fn is_bitmap(bytes: &[u8]) -> bool {
    let size = bytes.get(2..6).and_then(|size| size.try_into().ok());
    let size = size.map(u32::from_le_bytes).map(usize::try_from);
    bytes.starts_with(b"BM") && size == Some(Ok(bytes.len()))
}

/// PNG, JPEG, GIF, TIFF, JPEG XL, icons; FLAC, Ogg, MP3, AAC, MIDI.
const SIGNATURES: &[&[u8]] = &[
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"II*\0",
    b"MM\0*",
    b"\0\0\0\x0cJXL \r\n\x87\n",
    b"\xff\x0a",
    b"\0\0\x01\0",
    b"fLaC",
    b"OggS",
    b"ID3",
    b"\xff\xfb",
    b"\xff\xf3",
    b"\xff\xf2",
    b"\xff\xf1",
    b"\xff\xf9",
    b"MThd",
];

/// AVIF, HEIF and MPEG-4 audio.
const BRANDS: &[&[u8]] = &[b"avif", b"avis", b"heic", b"heix", b"mif1", b"M4A "];

/// The shortest text that is taken for base64 as a whole.
const MIN_WHOLE_BYTES: usize = 1 << 10;

/// The longest media type that is shown.
const MAX_TYPE_BYTES: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], kind: &str) -> BinaryContent {
        BinaryContent::of(&BASE64.encode(bytes), Some(kind))
    }

    #[test]
    fn the_signature_decides_and_not_the_claimed_type() {
        let text = |text: &str| BinaryContent::Text(text.to_owned());
        let opaque = |text: &str| BinaryContent::Opaque(text.to_owned());
        for media in [
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
            b"\xff\xd8\xff\xe0\0\x10JFIF",
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"\0\0\0\x1cftypavif",
            b"BM\x08\0\0\0\0\0",
        ] {
            assert_eq!(of(media, "application/zip"), BinaryContent::Media);
        }
        assert_eq!(of(b"a=b\n", "image/png"), text("a=b\n"));
        assert_eq!(of(b"", "image/png"), text(""));
        assert_eq!(of(b"BMW is late", "text/plain"), text("BMW is late"));
        let zip = b"PK\x03\x04\x14\0\0\0";
        assert_eq!(
            of(zip, "application/zip"),
            opaque("[removed: 8 bytes of application/zip]")
        );
        assert_eq!(
            of(zip, "/srv/secret path"),
            opaque("[removed: 8 bytes of unknown type]")
        );
        assert_eq!(
            BinaryContent::of("not base64!", None),
            opaque("[removed: 11 characters of unknown type, not base64]")
        );
        assert_eq!(BinaryContent::of("aGVs\r\nbG8", None), text("hello"));
        assert_eq!(BinaryContent::of("Pz8_Pj4-", None), text("???>>>"));
    }

    #[test]
    fn a_text_that_is_nothing_but_base64_is_looked_into() {
        let text = "It failed with password=correct-horse-7. ".repeat(40);
        let base64 = encode(&text);
        let lines: Vec<&[u8]> = base64.as_bytes().chunks(76).collect();
        let url = format!("data:text/plain;base64,{base64}");
        for whole in [
            base64.clone().into_bytes(),
            lines.join(&b"\r\n"[..]),
            url.into_bytes(),
        ] {
            let whole = String::from_utf8(whole).expect("ASCII");
            assert_eq!(whole_text(&whole), Some(BinaryContent::Text(text.clone())));
        }
        for other in [format!("See {base64}"), "x".repeat(4000), text] {
            assert_eq!(whole_text(&other), None);
        }
    }
}
