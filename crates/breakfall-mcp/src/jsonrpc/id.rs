//! Ids as they were written: an id is echoed byte for byte.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde_json::value::RawValue;

/// The id of a request, in the bytes its sender used. Two ids are equal when their bytes are.
#[derive(Clone, PartialEq, Eq)]
pub struct Id(IdText);

/// Short ids are stored inline: ids are mostly numbers, and each message has several.
#[derive(Clone, PartialEq, Eq)]
enum IdText {
    /// The bytes, padded with zeros, and their number.
    Short([u8; MAX_INLINE_BYTES], u8),
    /// Any other.
    Long(Box<str>),
}

impl Id {
    /// The longest valid id, in bytes: an id is kept while its request is in flight.
    pub const MAX_LEN: usize = 1024;

    /// The longest invalid id that is echoed, in bytes.
    pub(super) const MAX_GIVEN: usize = 64 << 10;

    /// The longest inline id, in bytes.
    pub(super) const MAX_INLINE_BYTES: usize = MAX_INLINE_BYTES;

    /// The id of a request of this process.
    ///
    /// # Panics
    /// Never: a number has at most twenty digits.
    pub fn number(number: u64) -> Self {
        let length = number.checked_ilog10().map_or(1, |log| log as usize + 1);
        let mut digits = [0; MAX_INLINE_BYTES];
        let mut rest = number;
        for digit in digits[..length].iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).expect("a digit");
            rest /= 10;
        }
        let length = u8::try_from(length).expect("at most MAX_INLINE_BYTES");
        Self(IdText::Short(digits, length))
    }

    /// A key for a request of this process among those of a client: it is not JSON, so no id that comes in equals it.
    pub fn inner(number: u64) -> Self {
        Self(IdText::of(&format!("#{number}")))
    }

    /// The id a JSON text is, if it is a string or an integer and not too long.
    pub fn from_json(text: &str) -> Option<Self> {
        Self::of_value(text).filter(|_| is_json(text))
    }

    /// Like [`Self::from_json`], of valid JSON.
    pub(super) fn of_value(text: &str) -> Option<Self> {
        let fits = text.len() <= Self::MAX_LEN && (text.starts_with('"') || is_integer(text));
        fits.then(|| Self(IdText::of(text)))
    }

    /// Any string or number a sender gave as an id, so that the error can echo it.
    pub(super) fn as_given(text: &str) -> Option<Self> {
        let is_one = text.starts_with(|first| matches!(first, '"' | '-' | '0'..='9'));
        let fits = is_one && text.len() <= Self::MAX_GIVEN && is_json(text);
        fits.then(|| Self(IdText::of(text)))
    }

    /// The JSON text.
    ///
    /// # Panics
    /// Never: it was a text before.
    pub fn as_json(&self) -> &str {
        std::str::from_utf8(self.bytes()).expect("copied from a text")
    }

    /// Its number, also if it comes back as `"7"` or `7.0`: some libraries know only strings, and some only one kind of
    /// number.
    pub fn as_number(&self) -> Option<u64> {
        number(self.bytes()).or_else(|| self.as_odd_number())
    }

    #[cold]
    fn as_odd_number(&self) -> Option<u64> {
        let json = self.as_json();
        let inside = json
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        let text = inside.unwrap_or(json);
        match text.split_once('.') {
            Some((whole, rest)) => number(whole.as_bytes()).filter(|_| is_zero(rest)),
            None => number(text.as_bytes()),
        }
    }

    /// The JSON text as bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.0 {
            IdText::Short(bytes, length) => &bytes[..usize::from(*length)],
            IdText::Long(text) => text.as_bytes(),
        }
    }
}

impl IdText {
    fn of(text: &str) -> Self {
        let mut bytes = [0; MAX_INLINE_BYTES];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short(bytes, length)
            }
            (None, _) | (_, Err(_)) => Self::Long(text.into()),
        }
    }
}

/// Digits as [`Id::number`] writes them.
fn number(digits: &[u8]) -> Option<u64> {
    let (first, rest) = digits.split_first()?;
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    rest.iter().try_fold(digit(*first)?, |number, byte| {
        number.checked_mul(10)?.checked_add(digit(*byte)?)
    })
}

/// Room for any number; with it an id takes 24 bytes.
const MAX_INLINE_BYTES: usize = 22;

/// Whether a text is an integer of any size, also with a fraction of zero, as some libraries write integers.
fn is_integer(text: &str) -> bool {
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.strip_prefix('-').unwrap_or(text);
    are_digits(number)
        || number
            .split_once('.')
            .is_some_and(|(whole, rest)| are_digits(whole) && is_zero(rest))
}

fn is_zero(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|digit| digit == b'0')
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok_and(|value| value.get().len() == text.len())
}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            // Two numbers are hashed faster than a slice.
            IdText::Short(bytes, _) => {
                let (first, last) = (bytes.first_chunk(), bytes.last_chunk());
                state.write_u128(first.copied().map_or(0, u128::from_ne_bytes));
                state.write_u64(last.copied().map_or(0, u64::from_ne_bytes));
            }
            IdText::Long(text) => text.hash(state),
        }
    }
}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes().cmp(other.bytes())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_json())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_as_it_was_written_however_long() {
        for length in [
            1,
            MAX_INLINE_BYTES - 2,
            MAX_INLINE_BYTES - 1,
            MAX_INLINE_BYTES,
            MAX_INLINE_BYTES + 1,
            Id::MAX_LEN - 2,
        ] {
            let text = format!("\"{}\"", "é".repeat(length / 2) + &"x".repeat(length % 2));
            let id = Id::from_json(&text).expect("a string");
            assert_eq!(id.as_json(), text);
            assert_eq!(Id::from_json(&text), Some(id));
        }
        for number in [0, 7, 10, 999, u64::MAX] {
            let id = Id::number(number);
            assert_eq!(id.as_json(), number.to_string());
            assert_eq!(id.as_number(), Some(number));
            assert_eq!(Id::from_json(&number.to_string()), Some(id));
        }
    }

    #[test]
    fn a_number_is_recognized_in_other_types() {
        let of = |text: &str| Id::from_json(text).expect(text).as_number();
        for text in ["7", "\"7\"", "7.0", "7.000", "\"7.0\""] {
            assert_eq!(of(text), Some(7), "{text}");
        }
        for text in [
            "-7",
            "\"-7\"",
            "\"+7\"",
            "\"\"",
            "\" 7\"",
            "\"7a\"",
            "\"7.5\"",
            "\"7.\"",
            "-0.0",
            "18446744073709551616",
            "\"\\u0037\"",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn only_json_strings_and_integers_are_ids() {
        for text in ["1.0", "-0", "-7.000", r#""""#, r#""\ud800""#] {
            assert_eq!(Id::from_json(text).expect(text).as_json(), text);
        }
        let no_json = [
            "",
            "01",
            "00",
            "-01",
            "-",
            "1.",
            ".0",
            " 1",
            "1 ",
            "+1",
            r#"""#,
            r#""a"b"#,
            r#""\x""#,
            r#""\u12""#,
            r#""a\,""#,
            "\"\u{1}\"",
            "NaN",
        ];
        for text in no_json {
            assert_eq!(Id::from_json(text), None, "{text}");
            assert_eq!(Id::as_given(text), None, "{text}");
        }
        for text in ["1.5", "1e3", "1.0e0"] {
            assert_eq!(Id::from_json(text), None, "{text}");
            assert_eq!(Id::as_given(text).expect(text).as_json(), text);
        }
        for text in ["null", "true", "[1]", "{}"] {
            assert_eq!(Id::as_given(text), None, "{text}");
        }
    }
}
