//! What belongs to people.

use crate::corpus::encoding::{cpf_digits, dni_letter, iban as with_check, luhn_digit};
use crate::corpus::plant::{Form, Plant};
use crate::corpus::random::{LOWER_ALNUM, Random};
use crate::corpus::words::{FIRMS, PEOPLE};

pub(super) fn email(random: &mut Random) -> Plant {
    let (name, other) = (random.pick(PEOPLE), random.pick(PEOPLE));
    let domain = format!("{}{}", random.pick(FIRMS), random.text(LOWER_ALNUM, 2));
    let ending = random.pick(&["com", "org", "co.uk", "de", "es", "co.jp", "io", "museum"]);
    let mail = match random.below(4) {
        0 => format!("{name}.{other}@{domain}.{ending}"),
        1 => format!("{name}+orders@mail.{domain}.{ending}"),
        2 => format!("{name}_{}@{domain}.{ending}", random.number(2)),
        _ => format!("{name}@{domain}.{ending}"),
    };
    let plant = Plant::word(mail.clone(), [mail]);
    match random.below(4) {
        0 => plant.within("mailto:", "", Form::Word),
        1 => plant.within("user ", " does not exist", Form::Line),
        _ => plant,
    }
}

/// Brands with their lengths and groupings, each with a valid check digit.
pub(super) fn card(random: &mut Random) -> Plant {
    let (start, length) = random.pick(&[
        ("4", 16),
        ("51", 16),
        ("55", 16),
        ("2221", 16),
        ("34", 15),
        ("37", 15),
        ("6011", 16),
        ("3528", 16),
        ("36", 14),
    ]);
    let body = format!("{start}{}", random.digits(length - start.len() - 1));
    let digits = format!("{body}{}", luhn_digit(&body));
    let groups: &[usize] = match length {
        15 => &[4, 6, 5],
        14 => &[4, 6, 4],
        _ => &[4, 4, 4, 4],
    };
    let between = random.pick(&["", "", " ", "-"]);
    let written = grouped(&digits, groups, between);
    let plant = Plant::word(written.clone(), [written]);
    if random.one_in(3) {
        plant.within("card ", " was declined", Form::Line)
    } else {
        plant
    }
}

fn grouped(digits: &str, groups: &[usize], between: &str) -> String {
    let mut rest = digits;
    let mut parts = Vec::new();
    for group in groups {
        let (part, after) = rest.split_at(*group);
        parts.push(part);
        rest = after;
    }
    parts.join(between)
}

/// International, as people write them: the country, then groups.
pub(super) fn phone(random: &mut Random) -> Plant {
    let two = random.between(20, 89);
    let number = match random.below(8) {
        0 => format!("+1 (415) {}-{}", random.between(200, 998), random.digits(4)),
        1 => format!(
            "+1-{}-{}-{}",
            random.between(201, 989),
            random.between(200, 998),
            random.digits(4)
        ),
        2 => format!("+44 {two} {} {}", random.number(4), random.digits(4)),
        3 => format!("+49 1{two} {}", random.number(8)),
        4 => format!("+34 6{two} {} {}", random.digits(3), random.digits(3)),
        5 => format!(
            "+81 {}-{}-{}",
            random.between(3, 9),
            random.number(4),
            random.digits(4)
        ),
        6 => format!("+55 11 9{}-{}", random.digits(4), random.digits(4)),
        _ => format!("+33{}", random.number(9)),
    };
    let plant = Plant::word(number.clone(), [number]);
    match random.below(4) {
        0 => plant.within("tel:", "", Form::Word),
        1 => plant.within("could not send the message to ", "", Form::Line),
        _ => plant,
    }
}

/// United States: no area 000, 666 or 9xx, no group 00, no serial 0000.
pub(super) fn ssn(random: &mut Random) -> Plant {
    let (area, group, serial) = (
        random.between(1, 665),
        random.between(1, 99),
        random.between(1, 9999),
    );
    if random.one_in(4) {
        let number = format!("{area:03}{group:02}{serial:04}");
        let name = random.pick(&["ssn: ", "SSN=", "social security number "]);
        return Plant::word(number.clone(), [number]).within(name, "", Form::Line);
    }
    let number = format!("{area:03}-{group:02}-{serial:04}");
    let plant = Plant::word(number.clone(), [number]);
    if random.one_in(2) {
        plant.within("SSN ", "", Form::Word)
    } else {
        plant
    }
}

/// United Kingdom: two letters, six digits, one letter of four.
pub(super) fn nino(random: &mut Random) -> Plant {
    let prefix = random.pick(&["AB", "CE", "HX", "JN", "LM", "PR", "SW", "YZ"]);
    let suffix = random.pick(&["A", "B", "C", "D"]);
    let number = if random.one_in(2) {
        format!("{prefix}{}{suffix}", random.digits(6))
    } else {
        format!(
            "{prefix} {} {} {} {suffix}",
            random.digits(2),
            random.digits(2),
            random.digits(2)
        )
    };
    let plant = Plant::word(number.clone(), [number]);
    if random.one_in(2) {
        plant.within("national insurance number ", "", Form::Line)
    } else {
        plant
    }
}

/// Spain: eight digits and the letter that follows from them; a foreigner's begins with a letter.
pub(super) fn dni(random: &mut Random) -> Plant {
    let plant = if random.one_in(3) {
        let (letter, value) = random.pick(&[("X", 0), ("Y", 1), ("Z", 2)]);
        let rest = number_below(random, 10_000_000);
        let number = format!("{letter}{rest:07}{}", dni_letter(value * 10_000_000 + rest));
        Plant::word(number.clone(), [number])
    } else {
        let value = number_below(random, 100_000_000);
        let dash = random.pick(&["", "", "-"]);
        let number = format!("{value:08}{dash}{}", dni_letter(value));
        Plant::word(number.clone(), [number])
    };
    if random.one_in(2) {
        plant.within("DNI ", "", Form::Word)
    } else {
        plant
    }
}

fn number_below(random: &mut Random, bound: usize) -> u32 {
    u32::try_from(random.below(bound)).expect("nine digits at most")
}

/// Brazil: bare only where it is named.
pub(super) fn cpf(random: &mut Random) -> Plant {
    let nine = random.number(9);
    let check = cpf_digits(&nine);
    if random.one_in(4) {
        let number = format!("{nine}{check}");
        return Plant::word(number.clone(), [number]).within("CPF: ", "", Form::Line);
    }
    let number = format!("{}.{}.{}-{check}", &nine[..3], &nine[3..6], &nine[6..]);
    Plant::word(number.clone(), [number])
}

pub(super) fn iban(random: &mut Random) -> Plant {
    let (country, letters, digits) = random.pick(&[
        ("DE", "", 18),
        ("ES", "", 20),
        ("FR", "", 23),
        ("GB", "NWBK", 14),
        ("NL", "ABNA", 10),
        ("CH", "", 17),
    ]);
    let number = with_check(country, &format!("{letters}{}", random.digits(digits)));
    let written = if random.one_in(2) {
        let groups = number.as_bytes().chunks(4).map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join(" ")
    } else {
        number
    };
    let plant = Plant::word(written.clone(), [written]);
    if random.one_in(3) {
        plant.within("IBAN ", "", Form::Word)
    } else {
        plant
    }
}
