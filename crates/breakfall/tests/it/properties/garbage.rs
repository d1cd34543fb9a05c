//! Whatever comes in, nothing panics, and what is refused is refused with a reason and a place.

use breakfall::read::Reader;
use breakfall::redact::unredacted;
use breakfall::wire::detect::detect;
use breakfall::wire::{
    DecodeError, Dialect, Options, decode, decode_slice, encode, parse, tool_result,
};
use breakfall::{Outcome, read};
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::Value;

use super::cases;
use super::strategies::{options, outcome};
use super::values::{json, key, text};

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn arbitrary_bytes_are_refused_politely(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..64),
            text().prop_map(String::into_bytes),
            json().prop_map(|value| value.to_string().into_bytes()),
        ],
        cut in any::<prop::sample::Index>(),
        options in options(),
    ) {
        for bytes in [&bytes[..], &bytes[..cut.index(bytes.len() + 1)]] {
            for &dialect in Dialect::ALL {
                polite(decode_slice(bytes, dialect, &options))?;
            }
            if let Ok(value) = parse(bytes) {
                read(value);
            }
        }
    }

    #[test]
    fn arbitrary_json_is_read_or_refused_politely(value in json(), options in options()) {
        anything_goes(&value, &options)?;
    }

    #[test]
    fn a_damaged_document_is_read_or_refused_politely(
        outcome in outcome(),
        options in options(),
        (from, into) in (any::<prop::sample::Index>(), any::<bool>()),
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        let dialect = Dialect::ALL[from.index(Dialect::ALL.len())];
        let document = if into {
            tool_result(unredacted(&outcome), dialect, &options).map(|result| result.to_value())
        } else {
            encode(unredacted(&outcome), dialect, &options).map(|document| document.to_value())
        };
        if let Ok(mut document) = document {
            for damage in damages {
                damage.to(&mut document);
            }
            anything_goes(&document, &options)?;
        }
    }
}

/// Decodes a value as everything it is not. What is read can be written again, and that can be read.
fn anything_goes(value: &Value, options: &Options) -> Result<(), TestCaseError> {
    for &dialect in Dialect::ALL {
        polite(decode(value.clone(), dialect, options))?;
        if let Ok(outcome) = decode(value.clone(), dialect, options) {
            let again =
                encode(unredacted(&outcome), dialect, options).map(|document| document.to_value());
            let again = again.expect("it was said in this dialect");
            let read = decode(again.clone(), dialect, options);
            prop_assert!(read.is_ok(), "{}\n{:#}\n{:#}", dialect, value, again);
        }
    }
    let reading = Reader::new().options(options.clone()).read(value.clone());
    let _ = reading.delay(0, 1.0, Timestamp::UNIX_EPOCH);
    if let Some(dialect) = reading.dialect {
        prop_assert!(encode(unredacted(&reading.outcome), dialect, options).is_ok());
    }
    let _ = detect(value);
    Ok(())
}

/// An error says what is wrong and where; the empty pointer is the whole document, and reads so.
fn polite(result: Result<Outcome, DecodeError>) -> Result<(), TestCaseError> {
    if let Err(error) = result {
        prop_assert!(!error.problem().is_empty());
        let said = error.to_string();
        let place = said.strip_suffix(error.problem());
        prop_assert!(
            place.is_some_and(|place| place.trim_end().len() > 1),
            "{}",
            said
        );
    }
    Ok(())
}

/// A change to one value somewhere inside a document.
#[derive(Debug, Clone)]
struct Damage {
    path: Vec<prop::sample::Index>,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Replace(Value),
    Remove,
    Add(String, Value),
}

fn damage() -> impl Strategy<Value = Damage> {
    let kind = prop_oneof![
        json().prop_map(Kind::Replace),
        Just(Kind::Remove),
        (key(), json()).prop_map(|(key, value)| Kind::Add(key, value)),
    ];
    (
        prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        kind,
    )
        .prop_map(|(path, kind)| Damage { path, kind })
}

impl Damage {
    fn to(&self, document: &mut Value) {
        self.along(&self.path, document);
    }

    /// Follows the path as far as it leads, then does its work.
    fn along(&self, path: &[prop::sample::Index], at: &mut Value) {
        let remove = path.len() == 1 && matches!(self.kind, Kind::Remove);
        match (path, at) {
            ([first, rest @ ..], Value::Object(map)) if !map.is_empty() => {
                let key = map.keys().nth(first.index(map.len())).cloned();
                let key = key.expect("within the length");
                if remove {
                    map.remove(&key);
                } else {
                    self.along(rest, &mut map[&key]);
                }
            }
            ([first, rest @ ..], Value::Array(items)) if !items.is_empty() => {
                let position = first.index(items.len());
                if remove {
                    items.remove(position);
                } else {
                    self.along(rest, &mut items[position]);
                }
            }
            (_, at) => self.here(at),
        }
    }

    fn here(&self, at: &mut Value) {
        match (&self.kind, at) {
            (Kind::Replace(value), at) => *at = value.clone(),
            (Kind::Add(key, value), Value::Object(map)) => {
                map.insert(key.clone(), value.clone());
            }
            (Kind::Remove | Kind::Add(..), _) => {}
        }
    }
}
