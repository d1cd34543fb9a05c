//! The encodings and check digits that real formats carry.

/// Base64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = sextets(bytes, *b"+/");
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

/// Base64url without padding.
pub(crate) fn base64url(bytes: &[u8]) -> String {
    sextets(bytes, *b"-_")
}

fn sextets(bytes: &[u8], last_two: [u8; 2]) -> String {
    let letter = |sextet: u8| {
        char::from(match sextet {
            0..=25 => b'A' + sextet,
            26..=51 => b'a' + sextet - 26,
            52..=61 => b'0' + sextet - 52,
            other => last_two[usize::from(other & 1)],
        })
    };
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let [a, b, c] = std::array::from_fn(|at| chunk.get(at).copied().unwrap_or(0));
        let all = [
            a >> 2,
            (a << 4 | b >> 4) & 63,
            (b << 2 | c >> 6) & 63,
            c & 63,
        ];
        text.extend(all.into_iter().take(chunk.len() + 1).map(letter));
    }
    text
}

/// The checksum code hosts append to their tokens: CRC-32 in base 62, six characters.
pub(crate) fn crc_base62(text: &str) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32(text.as_bytes());
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    digits.map(char::from).iter().collect()
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

/// The digit that makes the digits before it pass the check of payment cards.
pub(crate) fn luhn_digit(digits: &str) -> char {
    let sum: u32 = values(digits)
        .rev()
        .enumerate()
        .map(|(at, digit)| match digit * 2 {
            double if at % 2 == 0 => double / 10 + double % 10,
            _ => digit,
        })
        .sum();
    digit((10 - sum % 10) % 10)
}

/// Whether digits pass the check of payment cards.
pub(crate) fn is_luhn(digits: &str) -> bool {
    let (body, last) = digits.split_at(digits.len() - 1);
    last.starts_with(luhn_digit(body))
}

/// The two check digits of a Brazilian CPF.
pub(crate) fn cpf_digits(nine: &str) -> String {
    let check = |digits: &str| {
        let weights = 2..=u32::MAX;
        let sum: u32 = values(digits)
            .rev()
            .zip(weights)
            .map(|(digit, weight)| digit * weight)
            .sum();
        digit(sum * 10 % 11 % 10)
    };
    let first = check(nine);
    let second = check(&format!("{nine}{first}"));
    format!("{first}{second}")
}

/// The letter of a Spanish DNI.
pub(crate) fn dni_letter(number: u32) -> char {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    char::from(LETTERS[(number % 23) as usize])
}

/// An IBAN out of its country and the account behind the check digits.
pub(crate) fn iban(country: &str, account: &str) -> String {
    let remainder = format!("{account}{country}00")
        .bytes()
        .fold(0, |rest, byte| {
            let (value, shift) = match byte {
                b'0'..=b'9' => (u32::from(byte - b'0'), 10),
                letter => (u32::from(letter - b'A') + 10, 100),
            };
            (rest * shift + value) % 97
        });
    format!("{country}{:02}{account}", 98 - remainder)
}

/// Everything but unreserved characters as `%XX`.
pub fn percent(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

fn values(digits: &str) -> impl DoubleEndedIterator<Item = u32> + '_ {
    digits.bytes().map(|byte| u32::from(byte - b'0'))
}

fn digit(value: u32) -> char {
    char::from_digit(value, 10).expect("a value below ten")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_agree_with_published_examples() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"Ma"), "TWE=");
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(percent("a b/\u{e9}"), "a%20b%2F%C3%A9");
    }

    #[test]
    fn check_digits_agree_with_published_examples() {
        assert!(is_luhn("4111111111111111") && is_luhn("378282246310005"));
        assert!(!is_luhn("4111111111111112"));
        assert_eq!(cpf_digits("529982247"), "25");
        assert_eq!(dni_letter(12_345_678), 'Z');
        assert_eq!(iban("DE", "370400440532013000"), "DE89370400440532013000");
        assert_eq!(iban("GB", "WEST12345698765432"), "GB82WEST12345698765432");
    }
}
