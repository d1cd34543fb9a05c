//! Durations and sizes as they are written: `1h30m`, `16MiB`.

use std::fmt::Write;
use std::time::Duration;

/// What a duration looks like, for hints.
pub(super) const DURATION_HINT: &str =
    "write a number and a unit, for example 250ms, 30s, 5m or 1h30m";

/// What a size looks like, for hints.
pub(super) const SIZE_HINT: &str = "write a number and a unit, for example 512KiB, 16MiB or 64 MB";

/// Every duration is of this form; not everything of this form is a duration.
pub(super) const DURATION_PATTERN: &str = r"^\s*(\d+(\.\d+)?\s*(ms|s|m|h|d)\s*)+$";

/// Every size with a unit is of this form.
pub(super) const SIZE_PATTERN: &str = r"^\s*\d+(\.\d+)?\s*([kKmMgG][iI]?)?[bB]\s*$";

/// The longest duration a setting may have.
pub const MAX_TIME: Duration = Duration::from_hours(24 * 30);

/// Reads `250ms`, `30s`, `1h30m`, `7d`.
///
/// ```
/// use std::time::Duration;
/// use breakfall_gateway::config::duration;
///
/// assert_eq!(duration("1d2h"), Ok(Duration::from_hours(26)));
/// assert_eq!(duration("7"), Err("it has no unit"));
/// ```
///
/// # Errors
///
/// The reason, for a message about the duration.
pub fn duration(text: &str) -> Result<Duration, &'static str> {
    let mut rest = text.trim();
    let mut total = 0.0;
    let mut smallest = f64::INFINITY;
    if rest.is_empty() {
        return Err("it is empty");
    }
    while !rest.is_empty() {
        let (number, unit, after) = number_and_unit(rest)?;
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            "" => return Err("it has no unit"),
            _ => return Err("the units are ms, s, m, h and d"),
        };
        if seconds >= smallest {
            return Err("the larger unit goes first, and each only once");
        }
        smallest = seconds;
        total += number * seconds;
        rest = after.trim_start();
    }
    // Microseconds: what is finer is an artefact of binary fractions.
    let micros = (total * 1e6).round();
    Duration::try_from_secs_f64(micros / 1e6).map_err(|_| "it is too long")
}

/// Reads `16MiB`, `64 MB`. Decimal and binary units mean what they say.
///
/// # Errors
///
/// The reason, for a message about the size.
pub(super) fn size(text: &str) -> Result<u64, &'static str> {
    let (number, unit, after) = number_and_unit(text.trim())?;
    if !after.is_empty() {
        return Err("it is more than a number and a unit");
    }
    let factor = match unit.to_ascii_lowercase().as_str() {
        "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        "" => return Err("it has no unit"),
        "k" | "m" | "g" | "ki" | "mi" | "gi" => return Err("the unit is not complete: MiB or MB?"),
        _ => return Err("the units are B, KB, MB, GB and KiB, MiB, GiB"),
    };
    let bytes = (number * factor).round();
    if bytes > MAX_EXACT_SIZE {
        return Err("it is too large");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number, not negative, below the bound"
    )]
    let bytes = bytes as u64;
    Ok(bytes)
}

/// All whole numbers up to here are exact.
const MAX_EXACT_SIZE: f64 = 9_007_199_254_740_992.0;

/// A number, the letters after it, and the rest.
fn number_and_unit(text: &str) -> Result<(f64, &str, &str), &'static str> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, rest) = text.split_at(digits.unwrap_or(text.len()));
    let whole = !number.starts_with('.') && !number.ends_with('.');
    let number = number.parse().ok().filter(|_| whole);
    let number = number.ok_or("it does not start with a number")?;
    let rest = rest.trim_start();
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic());
    let (unit, rest) = rest.split_at(letters.unwrap_or(rest.len()));
    Ok((number, unit, rest))
}

/// A duration in the shortest form that [`duration`] reads.
pub(super) fn show_duration(duration: Duration) -> String {
    let mut out = String::new();
    let mut millis = duration.as_millis();
    for (unit, length) in [
        ("d", 86_400_000),
        ("h", 3_600_000),
        ("m", 60_000),
        ("s", 1000),
        ("ms", 1),
    ] {
        if millis >= length {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}{unit}", millis / length);
            millis %= length;
        }
    }
    if out.is_empty() { "0s".to_owned() } else { out }
}

/// A size in the largest unit that divides it.
pub(super) fn show_size(bytes: u64) -> String {
    let units = [
        ("GiB", 1 << 30),
        ("GB", 1_000_000_000),
        ("MiB", 1 << 20),
        ("MB", 1_000_000),
        ("KiB", 1 << 10),
        ("KB", 1000),
    ];
    let fits = units
        .iter()
        .find(|(_, length)| bytes >= *length && bytes.is_multiple_of(*length));
    match fits {
        Some((unit, length)) => format!("{}{unit}", bytes / length),
        None => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, millis) in [
            ("250ms", 250),
            ("30s", 30_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("1h 30m", 5_400_000),
            ("1.5s", 1500),
            ("0.1s", 100),
            ("2d", 172_800_000),
            (" 7s ", 7000),
            ("0s", 0),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for (text, why) in [
            ("", "it is empty"),
            ("30", "it has no unit"),
            ("1h30", "it has no unit"),
            ("30 seconds", "the units are ms, s, m, h and d"),
            ("30S", "the units are ms, s, m, h and d"),
            ("-5s", "it does not start with a number"),
            (".5s", "it does not start with a number"),
            ("1.2.3s", "it does not start with a number"),
            ("soon", "it does not start with a number"),
            ("30m1h", "the larger unit goes first, and each only once"),
            ("1s1s", "the larger unit goes first, and each only once"),
            ("5s,", "it does not start with a number"),
            ("99999999999999999999999d", "it is too long"),
        ] {
            assert_eq!(duration(text), Err(why), "{text}");
        }
    }

    #[test]
    fn sizes_mean_what_their_units_say() {
        for (text, bytes) in [
            ("16MiB", 16 << 20),
            ("64 MB", 64_000_000),
            ("512kib", 512 << 10),
            ("1.5KiB", 1536),
            ("1GB", 1_000_000_000),
            ("12B", 12),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for (text, why) in [
            ("16", "it has no unit"),
            ("16M", "the unit is not complete: MiB or MB?"),
            ("16 apples", "the units are B, KB, MB, GB and KiB, MiB, GiB"),
            ("1MiB 2KiB", "it is more than a number and a unit"),
            ("big", "it does not start with a number"),
            ("9999999999GiB", "it is too large"),
        ] {
            assert_eq!(size(text), Err(why), "{text}");
        }
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        for text in ["250ms", "30s", "5m", "1h30m", "2d", "1m1s500ms", "0s"] {
            assert_eq!(show_duration(duration(text).unwrap()), text);
        }
        for text in ["16MiB", "12B", "3KiB", "1GiB", "64MB", "5001KB", "1025B"] {
            assert_eq!(show_size(size(text).unwrap()), text);
        }
    }
}
