//! One text for all ways to write the same JSON: keys in order, no spaces, one form of each number and string.
//!
//! Numbers are compared as decimals, of any size and precision: `1`, `1.0` and `10e-1` are one number, `9007199254740992`
//! and `9007199254740993` are two.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Arguments that are not JSON, or too deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArgumentsError;

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the arguments are not valid JSON, or nested too deep")
    }
}

impl std::error::Error for ArgumentsError {}

/// The canonical text of a JSON text, with those members of the outermost object that are wanted.
pub(super) fn canonical(
    text: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<String, ArgumentsError> {
    // What is left out has to be JSON, too.
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| ArgumentsError)?;
    let mut written = String::with_capacity(text.len());
    write(
        text.trim_matches(JSON_SPACE),
        MAX_DEPTH,
        &is_wanted,
        &mut written,
    )?;
    Ok(written)
}

fn write(
    text: &str,
    depth: u8,
    is_wanted: &dyn Fn(&str) -> bool,
    out: &mut String,
) -> Result<(), ArgumentsError> {
    match text.as_bytes().first() {
        Some(b'{' | b'[') if depth == 0 => Err(ArgumentsError),
        Some(b'{') => write_object(text, depth - 1, is_wanted, out),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| ArgumentsError)?;
            out.push('[');
            for item in items {
                write(item.get(), depth - 1, &|_| true, out)?;
                out.push(',');
            }
            out.push(']');
            Ok(())
        }
        Some(b'"') => {
            out.push_str(&string(text));
            Ok(())
        }
        Some(b'-' | b'0'..=b'9') => {
            write_number(text, out);
            Ok(())
        }
        Some(_) => {
            out.push_str(text);
            Ok(())
        }
        None => Err(ArgumentsError),
    }
}

fn write_object(
    text: &str,
    depth: u8,
    is_wanted: &dyn Fn(&str) -> bool,
    out: &mut String,
) -> Result<(), ArgumentsError> {
    let members = serde_json::Deserializer::from_str(text).deserialize_map(MembersVisitor);
    let mut members = members.map_err(|_| ArgumentsError)?;
    // Stable: a key that stands there twice makes another text than either alone.
    members.sort_by(|one, other| one.0.cmp(&other.0));
    out.push('{');
    for (key, value) in members {
        let name: Cow<'_, str> = serde_json::from_str(&key).map_or(Cow::Borrowed(""), Cow::Owned);
        if is_wanted(&name) {
            out.push_str(&key);
            out.push(':');
            write(value.get(), depth, &|_| true, out)?;
            out.push(',');
        }
    }
    out.push('}');
    Ok(())
}

/// The members of an object, their keys in canonical form.
struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<&'de RawValue, &'de RawValue>()? {
            members.push((string(key.get()), value));
        }
        Ok(members)
    }
}

/// A string with each character written in one way. One that is not Unicode, with half a surrogate pair, stays as it is.
fn string(text: &str) -> String {
    let parsed = serde_json::from_str::<String>(text);
    let written = parsed.and_then(|parsed| serde_json::to_string(&parsed));
    written.unwrap_or_else(|_| text.to_owned())
}

/// A number as its significant digits and the power of ten of the last one: `-12.50` is `-125e-1`.
fn write_number(text: &str, out: &mut String) {
    let absolute = text.strip_prefix('-').unwrap_or(text);
    let (digits, exponent) = absolute.split_once(['e', 'E']).unwrap_or((absolute, "0"));
    // An exponent beyond 64 bits stays as it is written: no two ways to write it are seen as one.
    let Ok(exponent) = exponent.parse::<i64>() else {
        return out.push_str(text);
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return out.push('0');
    }
    let zeros = all.len() - all.trim_end_matches('0').len();
    let power = i128::from(exponent) - length(fraction.len()) + length(zeros);
    if text.starts_with('-') {
        out.push('-');
    }
    out.push_str(significant);
    out.push('e');
    out.push_str(&power.to_string());
}

fn length(bytes: usize) -> i128 {
    i128::try_from(bytes).unwrap_or(i128::MAX / 4)
}

/// As deep as a request may be.
const MAX_DEPTH: u8 = 128;

const JSON_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
