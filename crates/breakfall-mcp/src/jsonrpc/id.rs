//! Ids as they were written: what is echoed is never normalised.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde_json::value::RawValue;

/// The id of a request, in the very bytes its sender used. Two ids are equal when those are.
#[derive(Clone, PartialEq, Eq)]
pub struct Id(Text);

/// A short text lies where it is: ids are mostly numbers, and each message has several.
#[derive(Clone, PartialEq, Eq)]
enum Text {
    /// All zeros behind its end.
    Short([u8; SHORT], u8),
    /// No short one.
    Long(Box<str>),
}

impl Id {
    /// The longest id that is taken, in bytes: an id is kept as long as its request is in flight.
    pub const MAX_LEN: usize = 1024;

    /// The longest that is given back to whoever used it.
    pub(super) const MAX_GIVEN: usize = 64 << 10;

    /// The length of any number of ours, and more.
    pub(super) const SHORT: usize = SHORT;

    /// An id of ours.
    ///
    /// # Panics
    /// Never: a number has at most twenty digits.
    pub fn number(number: u64) -> Self {
        let length = number.checked_ilog10().map_or(1, |log| log as usize + 1);
        let mut digits = [0; SHORT];
        let mut rest = number;
        for digit in digits[..length].iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).expect("a digit");
            rest /= 10;
        }
        let length = u8::try_from(length).expect("at most SHORT");
        Self(Text::Short(digits, length))
    }

    /// The name of a request of our own among those of a client: no id that comes in reads like this.
    pub fn inner(number: u64) -> Self {
        Self(Text::of(&format!("#{number}")))
    }

    /// Takes a JSON text that is a string or an integer and not too long.
    pub fn from_json(text: &str) -> Option<Self> {
        Self::of_value(text).filter(|_| is_json(text))
    }

    /// The same of a text that is known to be JSON.
    pub(super) fn of_value(text: &str) -> Option<Self> {
        let fits = text.len() <= Self::MAX_LEN && (text.starts_with('"') || is_integer(text));
        fits.then(|| Self(Text::of(text)))
    }

    /// What somebody gave as an id, right or not, so that they are told under it what is wrong: any text or number that is
    /// one.
    pub(super) fn as_given(text: &str) -> Option<Self> {
        let is_one = text.starts_with(|first| matches!(first, '"' | '-' | '0'..='9'));
        let fits = is_one && text.len() <= Self::MAX_GIVEN && is_json(text);
        fits.then(|| Self(Text::of(text)))
    }

    /// The JSON text.
    ///
    /// # Panics
    /// Never: it was a text before.
    pub fn as_json(&self) -> &str {
        std::str::from_utf8(self.bytes()).expect("copied from a text")
    }

    /// The number it is. It is ours also if it comes back as `"7"` or `7.0`: some libraries know only texts, and some only
    /// one kind of number.
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

    /// The same as bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Text::Short(bytes, length) => &bytes[..usize::from(*length)],
            Text::Long(text) => text.as_bytes(),
        }
    }
}

impl Text {
    fn of(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short(bytes, length)
            }
            (None, _) | (_, Err(_)) => Self::Long(text.into()),
        }
    }
}

/// A number as we write it.
fn number(digits: &[u8]) -> Option<u64> {
    let (first, rest) = digits.split_first()?;
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    rest.iter().try_fold(digit(*first)?, |number, byte| {
        number.checked_mul(10)?.checked_add(digit(*byte)?)
    })
}

/// Longer than any number of ours, and no longer than an id has to be anyway.
const SHORT: usize = 22;

/// Integers of any size, as JSON writes them, also those of libraries that know no other numbers than `1.0`.
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
            // Two numbers are hashed much faster than so many bytes.
            Text::Short(bytes, _) => {
                let (first, last) = (bytes.first_chunk(), bytes.last_chunk());
                state.write_u128(first.copied().map_or(0, u128::from_ne_bytes));
                state.write_u64(last.copied().map_or(0, u64::from_ne_bytes));
            }
            Text::Long(text) => text.hash(state),
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
        for length in [1, SHORT - 2, SHORT - 1, SHORT, SHORT + 1, Id::MAX_LEN - 2] {
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
    fn a_number_of_ours_is_known_again_in_other_types() {
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
    fn what_is_no_json_or_no_integer_is_no_id() {
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
