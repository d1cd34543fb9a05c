//! Numbers a state or a bank gives to a person. Most carry a check digit; those that do not need a word before them.
//!
//! Here are those that texts of failing servers were seen with. More kinds would find more by chance than by right.

use std::sync::{LazyLock, OnceLock};

use regex::bytes::Regex;

use super::bytes::{before, begins, ends, said_before};
use super::mark::Mark;
use super::number::DigitGroups;

/// What the first groups of a phrase identify, if they do: start, end, kind.
pub(super) fn find(phrase: &DigitGroups<'_>) -> Option<(usize, usize, Mark)> {
    let text = phrase.text;
    if phrase.is_lettered()
        && let Some((start, end)) = iban(phrase)
    {
        return Some((start, end, Mark::Iban));
    }
    let digits = phrase.start();
    let blank = usize::from(before(text, digits) == Some(b' '));
    let letters = text[..digits - blank]
        .iter()
        .rev()
        .take(7)
        .take_while(|byte| byte.is_ascii_uppercase())
        .count();
    let starts = [
        Some(digits).filter(|_| phrase.total >= 8),
        (letters > 0).then(|| digits - blank - letters),
    ];
    starts
        .into_iter()
        .flatten()
        .filter(|start| begins(text, *start))
        .find_map(|start| {
            if !ANY.is_match(&text[start..text.len().min(start + REACH)]) {
                return None;
            }
            let number = NUMBERS.iter().find_map(|number| number.end(text, start));
            number.map(|end| (start, end, Mark::NationalId))
        })
}

/// All patterns in one. Few digits are such a number, and one search rules them out.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    let patterns: Vec<&str> = NUMBERS.iter().map(|number| number.pattern).collect();
    anchored(&patterns.join("|"))
});

fn anchored(pattern: &str) -> Regex {
    Regex::new(&format!(r"(?-u)\A(?:{pattern})")).expect("a pattern of the table is one")
}

/// More than any of them is long.
const REACH: usize = 32;

/// A kind of identity number.
struct IdNumber {
    pattern: &'static str,
    compiled: OnceLock<Regex>,
    /// Whether the digits and letters of one fit, without the signs between them.
    check: fn(&[u8]) -> bool,
    /// Words of which one has to stand before, with bars between them. None: the shape and the check say enough.
    words: &'static str,
}

impl IdNumber {
    fn end(&self, text: &[u8], start: usize) -> Option<usize> {
        let far = text.len().min(start + REACH);
        let regex = self.compiled.get_or_init(|| anchored(self.pattern));
        let found = regex.find(&text[start..far])?;
        let end = start + found.end();
        let sign = |byte: &u8| byte.is_ascii_alphanumeric();
        let plain: Vec<u8> = found.as_bytes().iter().copied().filter(sign).collect();
        let digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
        let is_fraction =
            before(text, start) == Some(b'.') || text.get(end) == Some(&b'.') && digit(end + 1);
        let fits = ends(text, end) && !is_fraction && (self.check)(&plain);
        (fits && (self.words.is_empty() || said_before(text, start, 40, self.words))).then_some(end)
    }
}

macro_rules! number {
    ($regex:literal, $check:expr, $words:literal) => {
        IdNumber {
            pattern: $regex,
            compiled: OnceLock::new(),
            check: $check,
            words: $words,
        }
    };
}

static NUMBERS: [IdNumber; 29] = [
    // United States.
    number!(r"\d{3}-\d\d-\d{4}", ssn, ""),
    number!(
        r"\d{3} \d\d \d{4}|\d{9}",
        ssn,
        "ssn|social security|social|itin|tax id|taxpayer|tin"
    ),
    // Brazil.
    number!(r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf, ""),
    number!(r"\d{11}", cpf, "cpf"),
    // France.
    number!(
        r"\d{15}|\d{13} \d\d|\d(?: \d\d){3}(?: \d{3}){2} \d\d|\d(?:-\d\d){3}(?:-\d{3}){2}-\d\d",
        nir,
        ""
    ),
    // Germany.
    number!(
        r"\d{11}|\d\d(?: \d{3}){3}",
        steuer_id,
        "steuer|steuer-id|steueridentifikationsnummer|idnr|identifikationsnummer|tax id|tin|steuernummer"
    ),
    // India.
    number!(r"\d{4} \d{4} \d{4}|\d{4}-\d{4}-\d{4}", aadhaar, ""),
    number!(r"\d{12}", aadhaar, "aadhaar|aadhar|uidai|आधार"),
    number!(
        r"[A-Z]{3}[PCHFATBLJG][A-Z]\d{4}[A-Z]",
        |_| true,
        "pan|permanent account"
    ),
    // Japan.
    number!(
        r"\d{12}|\d{4}[ -]\d{4}[ -]\d{4}",
        |_| true,
        "マイナンバー|個人番号|my number|mynumber|my-number"
    ),
    // Spain.
    number!(r"\d{8}-?[A-Z]", dni, ""),
    number!(r"[XYZ]\d{7}[A-Z]", dni, ""),
    // United Kingdom.
    number!(r"[A-Z]{2} ?(?:\d\d \d\d \d\d|\d{6}) ?[A-D]", nino, ""),
    // Italy.
    number!(
        r"[A-Z]{6}[0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]",
        codice,
        ""
    ),
    // China, Poland, and the health service of England.
    number!(r"\d{17}[0-9X]", resident, ""),
    number!(r"\d{11}", |_| true, "pesel|bvn|kimlik"),
    number!(r"\d{10}|\d{3} \d{3} \d{4}", |_| true, "nhs|nhs-no"),
    // Switzerland.
    number!(r"756\.\d{4}\.\d{4}\.\d\d", |_| true, ""),
    // Mistyped ones fail their check, and are what an error complains of.
    number!(
        r"\d(?: \d\d){3}(?: \d{3}){2} \d\d|\d{13,15}",
        |_| true,
        "sécurité sociale|nir|insee|salarié|assuré"
    ),
    number!(
        r"\d{3}[-/ ]\d\d[-/ ]\d{4}|\d{3}[ -]\d{3}[ -]\d{3}",
        |_| true,
        "ssn|social security|sin|tin|tfn"
    ),
    number!(
        r"\d\d(?: \d{3}){3}|\d{11}",
        |_| true,
        "idnr|steuer-id|identifikationsnummer"
    ),
    number!(r"\d{4} \d{4} \d{4}", |_| true, "aadhaar|uidai|uid"),
    number!(r"\d{17}[0-9X]", |_| true, "身份证|证件"),
    number!(r"[A-Z]{6}[0-9A-Z]{10}", |_| true, "codice fiscale"),
    number!(
        r"\d{3}-\d{3}-\d{3} \d\d|\d{3}\.\d{5}\.\d\d-\d|\d{2} \d{6} [A-Z] \d{3}|\d{6} \d{5}|\d{6}-\d{7}",
        |_| true,
        ""
    ),
    number!(r"\d{9}", |_| true, "bsn|sin|burgerservicenummer"),
    number!(
        r"[A-Z]\d{9}",
        |_| true,
        "kvnr|versichertennummer|member id|cardholder id"
    ),
    number!(r"\d{15}", |_| true, "imsi|imei"),
    // Passports and identity cards.
    number!(
        r"[A-Z]{0,3} ?\d{6,9}|\d{4} \d{6}",
        |_| true,
        "passport|reisepass|pasaporte|passeport|паспорт|dowód|dowod|ausweis|identity card|id card"
    ),
];

/// The number that digits are.
fn value(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number, digit| {
        number * 10 + u64::from(digit.wrapping_sub(b'0'))
    })
}

/// Areas, groups and serials that were given out.
fn ssn(all: &[u8]) -> bool {
    !matches!(value(&all[..3]), 0 | 666 | 900..) && value(&all[3..5]) != 0 && value(&all[5..]) != 0
}

fn cpf(all: &[u8]) -> bool {
    let check = |count: usize| {
        let digits = all[..count].iter().enumerate();
        let sum: usize = digits
            .map(|(at, digit)| usize::from(digit - b'0') * (count + 1 - at))
            .sum();
        sum * 10 % 11 % 10 == usize::from(all[count] - b'0')
    };
    all.iter().any(|digit| *digit != all[0]) && check(9) && check(10)
}

/// Sex, year and month of birth, and a key of two digits.
fn nir(all: &[u8]) -> bool {
    matches!(all[0], b'1'..=b'4' | b'7' | b'8')
        && matches!(value(&all[3..5]), 1..=12 | 20 | 30..=42 | 50..)
        && 97 - value(&all[..13]) % 97 == value(&all[13..])
}

/// ISO 7064, mod 11, 10.
fn steuer_id(all: &[u8]) -> bool {
    let product = all[..10].iter().fold(10, |product, digit| {
        let sum = (u32::from(digit - b'0') + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    all[0] != b'0' && (11 - product) % 10 == u32::from(all[10] - b'0')
}

/// Verhoeff's check digit.
fn aadhaar(all: &[u8]) -> bool {
    let mut check = 0usize;
    for (place, digit) in all.iter().rev().enumerate() {
        let mut permuted = usize::from(digit - b'0');
        for _ in 0..place % 8 {
            permuted = PERMUTED[permuted];
        }
        check = dihedral(check, permuted);
    }
    all[0] >= b'2' && check == 0
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

/// A date of birth in the middle, and ISO 7064, mod 11-2.
fn resident(all: &[u8]) -> bool {
    let born = matches!(value(&all[6..8]), 18..=20)
        && (1..=12).contains(&value(&all[10..12]))
        && (1..=31).contains(&value(&all[12..14]));
    let weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let sum: usize = weights
        .iter()
        .zip(all)
        .map(|(weight, digit)| weight * usize::from(digit - b'0'))
        .sum();
    born && b"10X98765432"[sum % 11] == all[17]
}

/// Eight digits, or a letter and seven, and a letter that follows from them.
fn dni(all: &[u8]) -> bool {
    let lead = match all[0] {
        letter @ b'X'..=b'Z' => u64::from(letter - b'X') * 10_000_000 + value(&all[1..8]),
        _ => value(&all[..8]),
    };
    let at = usize::try_from(lead % 23).unwrap_or_default();
    b"TRWAGMYFPDXBNJZSQVHLCKE"[at] == all[8]
}

/// Pairs of letters that begin one.
fn nino(all: &[u8]) -> bool {
    let never = |byte: u8| matches!(byte, b'D' | b'F' | b'I' | b'Q' | b'U' | b'V');
    let void = matches!(
        &all[..2],
        b"BG" | b"GB" | b"NK" | b"KN" | b"TN" | b"NT" | b"ZZ"
    );
    !never(all[0]) && !never(all[1]) && all[1] != b'O' && !void
}

/// A letter that follows from the letters and digits before it.
fn codice(all: &[u8]) -> bool {
    let rank = |byte: u8| {
        usize::from(if byte.is_ascii_digit() {
            byte - b'0'
        } else {
            byte - b'A'
        })
    };
    let weighted = all[..15].iter().enumerate();
    let sum: usize = weighted
        .map(|(at, byte)| {
            if at % 2 == 0 {
                usize::from(ODD[rank(*byte)])
            } else {
                rank(*byte)
            }
        })
        .sum();
    sum % 26 == rank(all[15])
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
    let lead =
        country.iter().all(u8::is_ascii_uppercase) && begins(text, start) && phrase.len(0) >= 2;
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
        let whole = count >= 11 && ends(text, end) && closes(text, start, remainder);
        if whole
            && !(text.get(end) == Some(&b' ')
                && text.get(end + 1).is_some_and(u8::is_ascii_digit)
                && since_blank == 4)
        {
            return Some((start, end));
        }
    }
    (count >= 11 && ends(text, end) && closes(text, start, remainder)).then_some((start, end))
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
