//! Moments and waits as headers spell them: seconds from now, seconds or milliseconds since 1970, `1m30s`, RFC 3339,
//! and the three forms of an HTTP date.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

/// The moment a text stands for. Nothing comes of one that is negative, beyond the calendar or no moment at all.
pub(crate) fn moment(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    if let Some(number) = number(text) {
        return counted(number, now);
    }
    if let Some(wait) = duration(text) {
        return now.checked_add(wait).ok();
    }
    text.parse().ok().or_else(|| http_date(text, now))
}

/// The wait until the moment a text stands for; nothing if that has passed.
pub(crate) fn wait(text: &str, now: Timestamp) -> Option<Duration> {
    let wait = moment(text, now)?.duration_since(now);
    Duration::try_from(wait).ok().filter(|wait| !wait.is_zero())
}

/// A number without a sign, an exponent or a word such as `NaN` in it.
pub(crate) fn number(text: &str) -> Option<f64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let fits = text.len() <= 24 && digits(whole) && digits(fraction);
    fits.then(|| text.parse().ok())?
}

/// A small number counts seconds from now, a large one seconds or parts of a second since 1970: no limit resets in thirty
/// years, and no clock stands before 2001.
fn counted(number: f64, now: Timestamp) -> Option<Timestamp> {
    const UNITS: &[(f64, f64)] = &[(1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9)];
    if number < 1e9 {
        return now
            .checked_add(Duration::try_from_secs_f64(number).ok()?)
            .ok();
    }
    let (_, unit) = UNITS.iter().find(|(below, _)| number < *below)?;
    let since = Duration::try_from_secs_f64(number / unit).ok()?;
    Timestamp::UNIX_EPOCH.checked_add(since).ok()
}

/// `1h2m3.5s`, `250ms`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    const UNITS: &[(&str, f64)] = &[
        ("ms", 0.001),
        ("us", 1e-6),
        ("ns", 1e-9),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
        ("d", 86_400.0),
    ];
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let unit_at = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (count, from_unit) = rest.split_at(unit_at);
        let end = from_unit
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(from_unit.len());
        let (unit, after) = from_unit.split_at(end);
        let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
        seconds += number(count)? * size;
        rest = after;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
fn http_date(text: &str, now: Timestamp) -> Option<Timestamp> {
    let parts: Vec<&str> = text
        .split([' ', ',', '-'])
        .filter(|part| !part.is_empty())
        .take(7)
        .collect();
    let ([_, day, month, year, time, "GMT" | "UTC"] | [_, month, day, time, year]) = parts[..]
    else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)?;
    let date = Date::new(
        full_year(year, now)?,
        i8::try_from(month + 1).ok()?,
        day.parse().ok()?,
    )
    .ok()?;
    let mut clock = time.split(':').map(|part| part.parse::<i8>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    // A leap second is a second the calendar here does not have.
    let time = Time::new(hour, minute, second.min(59), 0).ok()?;
    let moment = DateTime::from_parts(date, time).to_zoned(TimeZone::UTC);
    Some(moment.ok()?.timestamp())
}

const MONTHS: &[&str] = &[
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Two digits mean the year that is less than fifty years ahead.
fn full_year(text: &str, now: Timestamp) -> Option<i16> {
    let year: i16 = text.parse().ok().filter(|year| *year >= 0)?;
    if text.len() > 2 {
        return Some(year);
    }
    let this = now.to_zoned(TimeZone::UTC).year();
    let year = this - this % 100 + year;
    Some(if year > this + 50 { year - 100 } else { year })
}

/// No moment takes more characters to spell.
const LONGEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-01-28T12:00:00Z".parse().expect("a moment")
    }

    #[test]
    fn moments_are_read_in_every_spelling() {
        let cases = [
            ("90", "2026-01-28T12:01:30Z"),
            ("1.5", "2026-01-28T12:00:01.5Z"),
            ("0", "2026-01-28T12:00:00Z"),
            ("1769601660", "2026-01-28T12:01:00Z"),
            ("1769601660000", "2026-01-28T12:01:00Z"),
            ("1769601660.25", "2026-01-28T12:01:00.25Z"),
            ("1m30s", "2026-01-28T12:01:30Z"),
            ("6m0s", "2026-01-28T12:06:00Z"),
            ("250ms", "2026-01-28T12:00:00.25Z"),
            ("1h2m3.5s", "2026-01-28T13:02:03.5Z"),
            ("2026-01-28T12:01:00Z", "2026-01-28T12:01:00Z"),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
            ("Wednesday, 28-Jan-26 12:01:00 GMT", "2026-01-28T12:01:00Z"),
            ("Wed, 31 Dec 2025 23:59:60 GMT", "2025-12-31T23:59:59Z"),
        ];
        for (text, want) in cases {
            let want: Timestamp = want.parse().expect("a moment");
            assert_eq!(moment(text, now()), Some(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "-5",
            "+5",
            "NaN",
            "inf",
            "1e9",
            "0x10",
            "1.2.3",
            ".5",
            "5.",
            "soon",
            "99999999999999999999999",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT",
            "1m30",
            "m",
            "5 fortnights",
            "١٢",
            &"9".repeat(1_000_000),
        ] {
            assert_eq!(moment(text, now()), None, "{text:.40}");
        }
    }

    #[test]
    fn there_is_no_wait_for_what_has_passed() {
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT", now()), None);
        assert_eq!(wait("0", now()), None);
        assert_eq!(wait("90", now()), Some(Duration::from_secs(90)));
    }
}
