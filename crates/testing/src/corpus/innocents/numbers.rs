//! Numbers, times and sizes.

use super::Harmless;
use crate::corpus::encoding::is_luhn;
use crate::corpus::random::{Random, UPPER};
use crate::corpus::words::PARTS;

pub(super) fn semver(random: &mut Random) -> Harmless {
    let [major, minor, patch] = [(); 3].map(|()| random.between(0, 40));
    let end = random.pick(&["", "", "-rc.1", "-beta.2+build.7", "-alpha"]);
    let version = format!("{major}.{minor}.{patch}{end}");
    match random.below(4) {
        0 => Harmless::line(format!(
            "requires {} ^{version}, found {major}.{minor}.0",
            random.pick(PARTS)
        )),
        1 => Harmless::line(format!("{}@{version} is deprecated", random.pick(PARTS))),
        _ => Harmless::word(format!("v{version}")),
    }
}

/// Four numbers with dots that are no address.
pub(super) fn version_quad(random: &mut Random) -> Harmless {
    let (major, minor) = (random.between(11, 140), random.between(0, 9));
    let (build, patch) = (random.between(300, 9000), random.between(1, 240));
    let version = format!("{major}.{minor}.{build}.{patch}");
    Harmless::line(match random.below(3) {
        0 => format!("driver version {version} does not fit the browser"),
        1 => format!("Version={version}, Culture=neutral"),
        _ => format!(
            "needs version 1.{}.{}.{} or later",
            random.between(0, 9),
            minor,
            random.between(0, 9)
        ),
    })
}

pub(super) fn timestamp(random: &mut Random) -> Harmless {
    let (month, day) = (random.between(1, 12), random.between(1, 28));
    let (hour, minute) = (random.between(0, 23), random.between(0, 59));
    Harmless::word(match random.below(7) {
        0 => format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:31Z"),
        1 => format!(
            "2026-{month:02}-{day:02}T{hour:02}:{minute:02}:31.{}+02:00",
            random.digits(6)
        ),
        2 => format!("{day:02}.{month:02}.2026"),
        3 => format!("{month:02}/{day:02}/2026"),
        4 => format!("Tue, {day:02} Mar 2026 {hour:02}:{minute:02}:07 GMT"),
        5 => format!("17{}", random.digits(11)),
        _ => format!("2026-{month:02}-{day:02} {hour:02}:{minute:02}"),
    })
}

pub(super) fn duration(random: &mut Random) -> Harmless {
    let count = random.between(2, 900);
    Harmless::line(match random.below(6) {
        0 => format!("timed out after {count} ms"),
        1 => format!("retry after {count} seconds"),
        2 => format!("took {count}.{}s, limit is 30s", random.digits(3)),
        3 => format!("lease of PT{count}M is too long"),
        4 => format!(
            "{}h{}m left until the window closes",
            random.between(1, 23),
            random.between(1, 59)
        ),
        _ => format!(
            "the deadline of 00:{:02}:{:02} passed",
            random.between(1, 59),
            random.between(1, 59)
        ),
    })
}

/// Long numbers that belong to an order and to no card.
pub(super) fn order_number(random: &mut Random) -> Harmless {
    let length = random.pick(&[8, 10, 12, 16]);
    let mut number = random.number(length);
    while is_luhn(&number) {
        number = random.number(length);
    }
    Harmless::line(match random.below(6) {
        0 => format!("order {number} not found"),
        1 => format!("invoice INV-2026-{} is already paid", random.digits(5)),
        2 => format!("Bestellung {number} wurde storniert"),
        3 => format!("el pedido {number} no existe"),
        4 => format!("注文{number}が見つかりません"),
        _ => format!(
            "shipment 1Z{}{} is delayed",
            random.text(UPPER, 3),
            random.digits(10)
        ),
    })
}

pub(super) fn money(random: &mut Random) -> Harmless {
    let (whole, cents) = (random.between(1, 9999), random.digits(2));
    Harmless::word(match random.below(6) {
        0 => format!("${whole}.{cents}"),
        1 => format!("{whole},{cents} €"),
        2 => format!("EUR {whole}.{cents}"),
        3 => format!("¥{whole}000"),
        4 => format!("-{whole}.{cents} USD"),
        _ => format!("£1,{:03}.{cents}", whole % 1000),
    })
}

pub(super) fn coordinates(random: &mut Random) -> Harmless {
    let (a, b) = (random.between(0, 89), random.between(0, 179));
    let (c, d) = (random.digits(5), random.digits(5));
    Harmless::word(match random.below(3) {
        0 => format!("{a}.{c}, -{b}.{d}"),
        1 => format!("lat={a}.{c} lon={b}.{d}"),
        _ => format!(
            "{a}°{}'N {b}°{}'E",
            random.between(1, 59),
            random.between(1, 59)
        ),
    })
}

pub(super) fn measurement(random: &mut Random) -> Harmless {
    let count = random.between(2, 4000);
    Harmless::line(match random.below(7) {
        0 => format!("the file has {count} MB, the limit is 50 MB"),
        1 => format!("{count} of 4096 items were processed"),
        2 => format!("a room of {count} m² at 21.{} °C", random.digits(1)),
        3 => format!("1/{count} of the rows and/or columns are empty"),
        4 => format!(
            "usage is at {}.{} %",
            random.between(1, 99),
            random.digits(1)
        ),
        5 => format!("expected 1 <= limit <= 100, got {count}"),
        _ => format!("{count} x 768 px is too large; 3:2 or 16:9 works"),
    })
}

/// Tokens that are counted.
pub(super) fn token_count(random: &mut Random) -> Harmless {
    let count = random.between(100, 200_000);
    Harmless::line(match random.below(7) {
        0 => format!("max_tokens={count} is more than the model allows"),
        1 => format!(
            "{{\"prompt_tokens\":{count},\"completion_tokens\":12,\"total_tokens\":{}}}",
            count + 12
        ),
        2 => format!("This model's maximum context length is {count} tokens"),
        3 => format!("tokens: {count}"),
        4 => format!("token_count: {count}, limit: 4096"),
        5 => format!("used {count} tokens of 200000"),
        _ => format!("unexpected token ']' at position {count}"),
    })
}

pub(super) fn cron(random: &mut Random) -> Harmless {
    let (minute, hour) = (random.between(0, 59), random.between(0, 23));
    Harmless::word(match random.below(4) {
        0 => format!("{minute} {hour} * * 1-5"),
        1 => format!("*/{} * * * *", minute + 1),
        2 => format!("{minute} {hour} 1,15 * ?"),
        _ => "@daily".to_owned(),
    })
}

pub(super) fn colour(random: &mut Random) -> Harmless {
    Harmless::word(match random.below(4) {
        0 => format!("#{}", random.hex(6)),
        1 => format!("#{}", random.hex(3)),
        2 => format!(
            "rgb({}, {}, {})",
            random.below(256),
            random.below(256),
            random.below(256)
        ),
        _ => format!(
            "hsl({} {}% {}%)",
            random.below(360),
            random.below(100),
            random.below(100)
        ),
    })
}

/// Articles and books.
pub(super) fn catalogue_number(random: &mut Random) -> Harmless {
    Harmless::word(match random.below(4) {
        0 => format!("978-3-16-{}-{}", random.digits(6), random.digits(1)),
        1 => format!("SKU-{}-{}", random.text(UPPER, 3), random.digits(5)),
        2 => format!("RFC {}", random.number(4)),
        _ => format!("CVE-2026-{}", random.number(5)),
    })
}
