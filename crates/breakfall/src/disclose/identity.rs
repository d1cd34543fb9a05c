//! Numbers a state or a bank gives to a person. Most carry a check digit; those that do not need a word before them.

use super::bytes::{before, run};
use super::mark::Mark;
use super::number::{DigitBuffer, DigitGroups, luhn};

/// What the first groups of a phrase identify, if they do: start, end, kind.
pub(super) fn find(phrase: &DigitGroups<'_>) -> Option<(usize, usize, Mark)> {
    let before = before(phrase.text, phrase.start());
    if phrase.is_lettered() {
        if let Some((start, end)) = iban(phrase) {
            return Some((start, end, Mark::Iban));
        }
        if let Some((start, end)) = lettered(phrase) {
            return Some((start, end, Mark::NationalId));
        }
    }
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    if phrase.total < 8 {
        return None;
    }
    if let Some(end) = dni(phrase) {
        return Some((phrase.start(), end, Mark::NationalId));
    }
    let groups = NUMBERS.iter().find_map(|number| number.fits(phrase))?;
    Some((phrase.start(), phrase.end(groups - 1), Mark::NationalId))
}

/// A kind of identity number that consists of digits alone.
struct IdNumber {
    /// Lengths of its groups, and the signs that may join them.
    shape: &'static [usize],
    signs: &'static [u8],
    check: fn(&DigitBuffer) -> bool,
    /// Words of which one has to stand before. None: the shape and the check say enough.
    words: &'static [&'static str],
}

impl IdNumber {
    fn fits(&self, phrase: &DigitGroups<'_>) -> Option<usize> {
        if phrase.len(0) != self.shape[0] {
            return None;
        }
        let groups = self.shape.len();
        let shaped = if self.signs.is_empty() {
            groups == 1 && phrase.len(0) == self.shape[0]
        } else {
            self.shape.iter().enumerate().all(|(group, len)| {
                phrase.len(group) == *len
                    && (group == 0
                        || phrase.sign(group) == Some(self.signs[(group - 1) % self.signs.len()]))
            })
        };
        let fits = shaped
            && phrase.is_free(groups)
            && (self.check)(&phrase.digits(groups))
            && (self.words.is_empty() || phrase.named(self.words));
        fits.then_some(groups)
    }
}

const ANY: fn(&DigitBuffer) -> bool = |_| true;
const US: &[&str] = &[
    "ssn",
    "social security",
    "social",
    "itin",
    "tax id",
    "taxpayer",
    "tin",
];
const DE: &[&str] = &[
    "steuer",
    "steuer-id",
    "steueridentifikationsnummer",
    "idnr",
    "identifikationsnummer",
    "tax id",
    "tin",
    "steuernummer",
];
const AADHAAR: &[&str] = &["aadhaar", "aadhar", "uidai", "आधार"];
const MY_NUMBER: &[&str] = &[
    "マイナンバー",
    "個人番号",
    "my number",
    "mynumber",
    "my-number",
];

const NUMBERS: &[IdNumber] = &[
    // United States.
    IdNumber {
        shape: &[3, 2, 4],
        signs: b"-",
        check: ssn,
        words: &[],
    },
    IdNumber {
        shape: &[3, 2, 4],
        signs: b" ",
        check: ssn,
        words: US,
    },
    IdNumber {
        shape: &[9],
        signs: b"",
        check: ssn,
        words: US,
    },
    // Brazil.
    IdNumber {
        shape: &[3, 3, 3, 2],
        signs: b"..-",
        check: cpf,
        words: &[],
    },
    IdNumber {
        shape: &[11],
        signs: b"",
        check: cpf,
        words: &["cpf"],
    },
    // France.
    IdNumber {
        shape: &[15],
        signs: b"",
        check: nir,
        words: &[],
    },
    IdNumber {
        shape: &[13, 2],
        signs: b" ",
        check: nir,
        words: &[],
    },
    IdNumber {
        shape: &[1, 2, 2, 2, 3, 3, 2],
        signs: b" ",
        check: nir,
        words: &[],
    },
    IdNumber {
        shape: &[1, 2, 2, 2, 3, 3, 2],
        signs: b"-",
        check: nir,
        words: &[],
    },
    // Germany.
    IdNumber {
        shape: &[11],
        signs: b"",
        check: steuer_id,
        words: DE,
    },
    IdNumber {
        shape: &[2, 3, 3, 3],
        signs: b" ",
        check: steuer_id,
        words: DE,
    },
    // India.
    IdNumber {
        shape: &[4, 4, 4],
        signs: b" ",
        check: aadhaar,
        words: &[],
    },
    IdNumber {
        shape: &[4, 4, 4],
        signs: b"-",
        check: aadhaar,
        words: &[],
    },
    IdNumber {
        shape: &[12],
        signs: b"",
        check: aadhaar,
        words: AADHAAR,
    },
    // Japan.
    IdNumber {
        shape: &[12],
        signs: b"",
        check: ANY,
        words: MY_NUMBER,
    },
    IdNumber {
        shape: &[4, 4, 4],
        signs: b" ",
        check: ANY,
        words: MY_NUMBER,
    },
    IdNumber {
        shape: &[4, 4, 4],
        signs: b"-",
        check: ANY,
        words: MY_NUMBER,
    },
    // Switzerland.
    IdNumber {
        shape: &[3, 4, 4, 2],
        signs: b".",
        check: ahv,
        words: &[],
    },
    IdNumber {
        shape: &[13],
        signs: b"",
        check: ahv,
        words: &[],
    },
    // China.
    IdNumber {
        shape: &[18],
        signs: b"",
        check: resident,
        words: &[],
    },
    // Belgium, Sweden, Korea, Turkey, Poland, the Netherlands, Canada, Australia.
    IdNumber {
        shape: &[2, 2, 2, 3, 2],
        signs: b"..-.",
        check: belgian,
        words: &[],
    },
    IdNumber {
        shape: &[6, 4],
        signs: b"-",
        check: |digits| luhn(digits.as_slice()),
        words: &["personnummer", "personal number", "personnr"],
    },
    IdNumber {
        shape: &[8, 4],
        signs: b"-",
        check: |digits| luhn(&digits.as_slice()[2..]),
        words: &["personnummer", "personal number", "personnr"],
    },
    IdNumber {
        shape: &[6, 7],
        signs: b"-",
        check: korean,
        words: &[],
    },
    IdNumber {
        shape: &[11],
        signs: b"",
        check: ANY,
        words: &[
            "tckn",
            "kimlik",
            "tc no",
            "pesel",
            "fødselsnummer",
            "personnummer",
            "oib",
            "bvn",
            "nin",
        ],
    },
    IdNumber {
        shape: &[9],
        signs: b"",
        check: ANY,
        words: &[
            "bsn",
            "burgerservicenummer",
            "sofinummer",
            "tfn",
            "tax file number",
            "nif",
            "sin",
            "social insurance",
        ],
    },
    IdNumber {
        shape: &[3, 3, 3],
        signs: b"-",
        check: |digits| luhn(digits.as_slice()),
        words: &["sin", "social insurance"],
    },
    IdNumber {
        shape: &[3, 3, 3],
        signs: b" ",
        check: ANY,
        words: &["sin", "social insurance", "tfn", "tax file number"],
    },
    IdNumber {
        shape: &[10],
        signs: b"",
        check: ANY,
        words: &["nhs", "nhs number", "cpr", "egn", "personnummer"],
    },
    IdNumber {
        shape: &[3, 3, 4],
        signs: b" ",
        check: ANY,
        words: &["nhs", "nhs number"],
    },
    IdNumber {
        shape: &[6, 4],
        signs: b"-",
        check: ANY,
        words: &["cpr", "personnummer", "hetu", "rodné číslo"],
    },
    IdNumber {
        shape: &[13],
        signs: b"",
        check: |digits| luhn(digits.as_slice()),
        words: &[
            "id number",
            "identity number",
            "south african id",
            "rsa id",
            "id no",
        ],
    },
    IdNumber {
        shape: &[13],
        signs: b"",
        check: ANY,
        words: &["cnp", "cnic", "thai id", "national id"],
    },
    IdNumber {
        shape: &[9],
        signs: b"",
        check: ANY,
        words: &["passport", "national id", "national identity"],
    },
    IdNumber {
        shape: &[8],
        signs: b"",
        check: ANY,
        words: &["passport", "national id", "dni", "cedula", "cédula"],
    },
    IdNumber {
        shape: &[2, 7],
        signs: b"-",
        check: ANY,
        words: &["ein", "employer identification", "tax id"],
    },
    IdNumber {
        shape: &[2, 8, 1],
        signs: b"-",
        check: ANY,
        words: &["cuit", "cuil"],
    },
    IdNumber {
        shape: &[11],
        signs: b"",
        check: ANY,
        words: &["cuit", "cuil"],
    },
    IdNumber {
        shape: &[5, 7, 1],
        signs: b"-",
        check: ANY,
        words: &["cnic"],
    },
];

/// Areas, groups and serials that were given out.
fn ssn(digits: &DigitBuffer) -> bool {
    let area = digits.number(0, 3);
    !matches!(area, 0 | 666 | 900..) && digits.number(3, 5) != 0 && digits.number(5, 9) != 0
}

fn cpf(digits: &DigitBuffer) -> bool {
    let all = digits.as_slice();
    let check = |count: usize| {
        let sum: usize = all[..count]
            .iter()
            .enumerate()
            .map(|(at, digit)| usize::from(*digit) * (count + 1 - at))
            .sum();
        sum * 10 % 11 % 10
    };
    let varied = all.iter().any(|digit| *digit != all[0]);
    varied && check(9) == usize::from(all[9]) && check(10) == usize::from(all[10])
}

/// Sex, year and month of birth, and a key of two digits.
fn nir(digits: &DigitBuffer) -> bool {
    let month = digits.number(3, 5);
    matches!(digits.number(0, 1), 1..=4 | 7 | 8)
        && matches!(month, 1..=12 | 20 | 30..=42 | 50..)
        && 97 - digits.number(0, 13) % 97 == digits.number(13, 15)
}

/// ISO 7064, mod 11, 10.
fn steuer_id(digits: &DigitBuffer) -> bool {
    let all = digits.as_slice();
    let product = all[..10].iter().fold(10, |product, digit| {
        let sum = (u32::from(*digit) + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    all[0] != 0 && (11 - product) % 10 == u32::from(all[10])
}

/// Verhoeff's check digit.
fn aadhaar(digits: &DigitBuffer) -> bool {
    let all = digits.as_slice();
    let mut check = 0usize;
    for (place, digit) in all.iter().rev().enumerate() {
        let mut permuted = usize::from(*digit);
        for _ in 0..place % 8 {
            permuted = PERMUTED[permuted];
        }
        check = dihedral(check, permuted);
    }
    all[0] >= 2 && check == 0
}

const PERMUTED: [usize; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/// The product of two elements of the dihedral group of ten.
const fn dihedral(a: usize, b: usize) -> usize {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b) % 5,
        (false, true) => 5 + (a + 5 - b) % 5,
        (false, false) => (a + 5 - b) % 5,
    }
}

/// 756 for Switzerland, and the check digit of an article number.
fn ahv(digits: &DigitBuffer) -> bool {
    let all = digits.as_slice();
    let sum: u32 = all
        .iter()
        .enumerate()
        .map(|(at, digit)| u32::from(*digit) * if at % 2 == 0 { 1 } else { 3 })
        .sum();
    digits.number(0, 3) == 756 && sum.is_multiple_of(10)
}

/// A date of birth in the middle, and ISO 7064, mod 11-2.
fn resident(digits: &DigitBuffer) -> bool {
    let all = digits.as_slice();
    let born = matches!(digits.number(6, 8), 18..=20)
        && (1..=12).contains(&digits.number(10, 12))
        && (1..=31).contains(&digits.number(12, 14));
    let weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let sum: usize = weights
        .iter()
        .zip(all)
        .map(|(weight, digit)| weight * usize::from(*digit))
        .sum();
    let check = b"10X98765432"[sum % 11];
    born && check == all[17] + b'0'
}

fn belgian(digits: &DigitBuffer) -> bool {
    let check = digits.number(9, 11);
    let number = digits.number(0, 9);
    97 - number % 97 == check || 97 - (2_000_000_000 + number) % 97 == check
}

/// A date of birth, then a digit for sex and century.
fn korean(digits: &DigitBuffer) -> bool {
    (1..=12).contains(&digits.number(2, 4))
        && (1..=31).contains(&digits.number(4, 6))
        && matches!(digits.number(6, 7), 1..=8)
}

/// Spain: eight digits, or a letter and seven, and a letter that follows from them.
fn dni(phrase: &DigitGroups<'_>) -> Option<usize> {
    let text = phrase.text;
    let end = phrase.end(0);
    let letter_at = if text.get(end) == Some(&b'-') {
        end + 1
    } else {
        end
    };
    let letter = *text.get(letter_at)?;
    // `02:19:56.60876897Z` is a time.
    let start = phrase.start();
    let is_fraction = before(text, start) == Some(b'.')
        && before(text, start - 1).is_some_and(|byte| byte.is_ascii_digit());
    let fits = phrase.len(0) == 8
        && !is_fraction
        && super::bytes::ends(text, letter_at + 1)
        && check_letter(phrase.digits(1).number(0, 8), letter);
    fits.then_some(letter_at + 1)
}

fn check_letter(number: u64, letter: u8) -> bool {
    let at = usize::try_from(number % 23).unwrap_or_default();
    b"TRWAGMYFPDXBNJZSQVHLCKE"[at] == letter
}

/// Numbers that begin with letters.
fn lettered(phrase: &DigitGroups<'_>) -> Option<(usize, usize)> {
    let text = phrase.text;
    let first = phrase.start();
    let blank = before(text, first) == Some(b' ');
    let end_of_letters = if blank { first - 1 } else { first };
    let letters = text[..end_of_letters]
        .iter()
        .rev()
        .take(7)
        .take_while(|byte| byte.is_ascii_uppercase())
        .count();
    let start = end_of_letters - letters;
    if before(text, start).is_some_and(super::bytes::is_word) {
        return None;
    }
    let word = run(text, start, 24, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit()
    });
    let whole = &text[start..word];
    let closed = super::bytes::ends(text, word);
    match letters {
        1 if !blank && closed && is_nie(whole) => Some((start, word)),
        2 if nino(phrase, start, blank).is_some() => nino(phrase, start, blank),
        4 if !blank && closed && is_curp(whole) => Some((start, word)),
        5 if !blank
            && closed
            && is_pan(whole)
            && super::bytes::said_before(text, start, 24, &["pan", "permanent account"]) =>
        {
            Some((start, word))
        }
        6 if !blank && closed && is_codice(whole) => Some((start, word)),
        1 | 2
            if !blank
                && closed
                && (7..=10).contains(&whole.len())
                && super::bytes::said_before(
                    text,
                    start,
                    32,
                    &["passport", "reisepass", "pasaporte"],
                ) =>
        {
            Some((start, word))
        }
        _ => None,
    }
}

fn is_nie(whole: &[u8]) -> bool {
    let lead = match whole.first() {
        Some(b'X') => 0,
        Some(b'Y') => 1,
        Some(b'Z') => 2,
        _ => return false,
    };
    let [_, digits @ .., letter] = whole else {
        return false;
    };
    let number = digits.iter().fold(lead, |number, digit| {
        number * 10 + u64::from(digit.wrapping_sub(b'0'))
    });
    digits.len() == 7 && digits.iter().all(u8::is_ascii_digit) && check_letter(number, *letter)
}

/// United Kingdom: two letters, six digits in one or in pairs, a letter from A to D.
fn nino(phrase: &DigitGroups<'_>, start: usize, blank: bool) -> Option<(usize, usize)> {
    let text = phrase.text;
    let (one, two) = (text[start], text[start + 1]);
    let never = |byte: u8| matches!(byte, b'D' | b'F' | b'I' | b'Q' | b'U' | b'V');
    let void = matches!(
        &[one, two],
        b"BG" | b"GB" | b"NK" | b"KN" | b"TN" | b"NT" | b"ZZ"
    );
    if never(one) || never(two) || two == b'O' || void {
        return None;
    }
    let paired = phrase.is(&[2, 2, 2], b' ');
    let end = if paired { phrase.end(2) } else { phrase.end(0) };
    let whole = paired || phrase.len(0) == 6;
    let letter = if text.get(end) == Some(&b' ') && (paired || blank) {
        end + 1
    } else {
        end
    };
    let closed =
        matches!(text.get(letter), Some(b'A'..=b'D')) && super::bytes::ends(text, letter + 1);
    (whole && closed).then_some((start, letter + 1))
}

/// India: five letters, four digits, a letter; the fourth says whose it is.
fn is_pan(whole: &[u8]) -> bool {
    whole.len() == 10
        && b"PCHFATBLJG".contains(&whole[3])
        && whole[5..9].iter().all(u8::is_ascii_digit)
        && whole[9].is_ascii_uppercase()
}

/// Mexico.
fn is_curp(whole: &[u8]) -> bool {
    whole.len() == 18
        && whole[4..10].iter().all(u8::is_ascii_digit)
        && matches!(whole[10], b'H' | b'M' | b'X')
        && whole[11..16].iter().all(u8::is_ascii_uppercase)
}

/// Italy: letters and digits by place, and a letter that follows from them.
fn is_codice(whole: &[u8]) -> bool {
    let shaped = whole.len() == 16
        && whole.iter().enumerate().all(|(at, byte)| match at {
            6 | 7 | 9 | 10 | 12..=14 => byte.is_ascii_digit() || b"LMNPQRSTUV".contains(byte),
            _ => byte.is_ascii_uppercase(),
        });
    if !shaped {
        return false;
    }
    let rank = |byte: u8| {
        usize::from(if byte.is_ascii_digit() {
            byte - b'0'
        } else {
            byte - b'A'
        })
    };
    let sum: usize = whole[..15]
        .iter()
        .enumerate()
        .map(|(at, byte)| {
            if at % 2 == 0 {
                usize::from(ODD[rank(*byte)])
            } else {
                rank(*byte)
            }
        })
        .sum();
    sum % 26 == rank(whole[15])
}

/// What a sign counts in an odd place, digits and letters alike.
const ODD: [u8; 26] = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/// A bank account: country, two check digits, up to thirty letters and digits, in one or in fours.
fn iban(phrase: &DigitGroups<'_>) -> Option<(usize, usize)> {
    let text = phrase.text;
    let start = phrase.start().checked_sub(2)?;
    let country = &text[start..start + 2];
    let lead = country.iter().all(u8::is_ascii_uppercase)
        && super::bytes::begins(text, start)
        && phrase.len(0) >= 2;
    if !lead || text.len() < start + 15 {
        return None;
    }
    let mut remainder = 0;
    let mut count = 0;
    let mut end = start + 4;
    let mut since_blank = 0;
    for at in start + 4..text.len().min(start + 44) {
        let byte = text[at];
        let blank = byte == b' ' && count % 4 == 0 && count > 0 && since_blank == 4
            || byte == b' ' && count == 0;
        if blank {
            since_blank = 0;
            continue;
        }
        if !(byte.is_ascii_uppercase() || byte.is_ascii_digit()) || count == 30 {
            break;
        }
        remainder = step(remainder, byte);
        count += 1;
        since_blank += 1;
        end = at + 1;
        let whole = count >= 11 && super::bytes::ends(text, end) && closes(text, start, remainder);
        if whole
            && !(text.get(end) == Some(&b' ')
                && text.get(end + 1).is_some_and(u8::is_ascii_digit)
                && since_blank == 4)
        {
            return Some((start, end));
        }
    }
    (count >= 11 && super::bytes::ends(text, end) && closes(text, start, remainder))
        .then_some((start, end))
}

fn step(remainder: u32, byte: u8) -> u32 {
    if byte.is_ascii_digit() {
        (remainder * 10 + u32::from(byte - b'0')) % 97
    } else {
        (remainder * 100 + u32::from(byte - b'A') + 10) % 97
    }
}

/// The first four signs count last.
fn closes(text: &[u8], start: usize, remainder: u32) -> bool {
    text[start..start + 4]
        .iter()
        .fold(remainder, |remainder, byte| step(remainder, *byte))
        == 1
}
