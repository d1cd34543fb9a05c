//! Numbers as a language writes and counts them: the part of the Unicode locale data our languages need.

use super::Language;

/// The plural forms of a language, by the names Fluent selects by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PluralForm {
    One,
    Many,
    Other,
}

impl PluralForm {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Many => "many",
            Self::Other => "other",
        }
    }

    /// The form that goes with a number, by the digits a reader sees: "1.0" is no "1" in every language.
    pub(super) fn of(number: &str, language: Language) -> Self {
        let Some(digits) = DecimalParts::parse(number) else {
            return Self::Other;
        };
        let (is_one, is_whole) = (digits.integer == "1", digits.fraction.is_empty());
        let one = match language {
            Language::English | Language::German => is_one && is_whole,
            Language::Spanish => is_one && digits.fraction.bytes().all(|b| b == b'0'),
            Language::Japanese => false,
        };
        let many = language == Language::Spanish && is_whole && is_millions(digits.integer);
        if one {
            Self::One
        } else if many {
            Self::Many
        } else {
            Self::Other
        }
    }
}

fn is_millions(integer: &str) -> bool {
    integer.len() > 6 && integer.ends_with("000000")
}

/// Writes a number as JSON has it the way the language groups and points it. An exponent is left as it is: there is
/// no reading it aloud in any language.
pub(super) fn write(number: &str, language: Language, out: &mut String) {
    let (separator, point, fewest) = match language {
        Language::English | Language::Japanese => (',', '.', 4),
        Language::German => ('.', ',', 4),
        // Spanish leaves four digits together.
        Language::Spanish => ('.', ',', 5),
    };
    let Some(digits) = DecimalParts::parse(number) else {
        out.push_str(number);
        return;
    };
    out.push_str(digits.sign);
    let count = digits.integer.len();
    for (at, digit) in digits.integer.chars().enumerate() {
        if count >= fewest && at > 0 && (count - at) % 3 == 0 {
            out.push(separator);
        }
        out.push(digit);
    }
    if !digits.fraction.is_empty() {
        out.push(point);
        out.push_str(digits.fraction);
    }
}

struct DecimalParts<'a> {
    sign: &'a str,
    integer: &'a str,
    fraction: &'a str,
}

impl<'a> DecimalParts<'a> {
    fn parse(number: &'a str) -> Option<Self> {
        let magnitude = number.strip_prefix('-').unwrap_or(number);
        let (integer, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
        let are_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        (!integer.is_empty() && are_digits(integer) && are_digits(fraction)).then(|| Self {
            sign: &number[..number.len() - magnitude.len()],
            integer,
            fraction,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(number: &str, language: Language) -> String {
        let mut out = String::new();
        write(number, language, &mut out);
        out
    }

    #[test]
    fn numbers_are_grouped_and_pointed_as_the_language_does() {
        for (number, en, es, de, ja) in [
            ("0", "0", "0", "0", "0"),
            ("999", "999", "999", "999", "999"),
            ("1234", "1,234", "1234", "1.234", "1,234"),
            ("12345", "12,345", "12.345", "12.345", "12,345"),
            ("1234.5", "1,234.5", "1234,5", "1.234,5", "1,234.5"),
            (
                "-1234567.25",
                "-1,234,567.25",
                "-1.234.567,25",
                "-1.234.567,25",
                "-1,234,567.25",
            ),
            (
                "18446744073709551615",
                "18,446,744,073,709,551,615",
                "18.446.744.073.709.551.615",
                "18.446.744.073.709.551.615",
                "18,446,744,073,709,551,615",
            ),
            ("1e300", "1e300", "1e300", "1e300", "1e300"),
        ] {
            let languages = [
                (Language::English, en),
                (Language::Spanish, es),
                (Language::German, de),
                (Language::Japanese, ja),
            ];
            for (language, want) in languages {
                assert_eq!(written(number, language), want, "{number} in {language}");
            }
        }
    }

    #[test]
    fn each_language_counts_by_its_own_rule() {
        use Language::{English, German, Japanese, Spanish};
        use PluralForm::{Many, One, Other};
        for (number, en, es, de) in [
            ("0", Other, Other, Other),
            ("1", One, One, One),
            ("-1", One, One, One),
            ("1.0", Other, One, Other),
            ("1.5", Other, Other, Other),
            ("2", Other, Other, Other),
            ("11", Other, Other, Other),
            ("1000", Other, Other, Other),
            ("1000000", Other, Many, Other),
            ("1000001", Other, Other, Other),
            ("1e6", Other, Other, Other),
        ] {
            for (language, want) in [
                (English, en),
                (Spanish, es),
                (German, de),
                (Japanese, Other),
            ] {
                assert_eq!(
                    PluralForm::of(number, language),
                    want,
                    "{number} in {language}"
                );
            }
        }
    }
}
