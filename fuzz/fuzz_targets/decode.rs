//! Bytes → a document of some dialect. What is accepted can be written again, and what was written is accepted.
#![no_main]

use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Format, Options, changes, decode, decode_slice, encode};
use breakfall::{CorrelationId, Stamp};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&first, bytes)) = input.split_first() else {
        return;
    };
    let (dialect, options) = chosen(first);
    let outcome = match decode_slice(bytes, dialect, &options) {
        Ok(outcome) => outcome,
        Err(error) => {
            assert!(!error.problem().is_empty());
            return;
        }
    };
    let document =
        encode(unredacted(&outcome), dialect, &options).expect("it was said in this dialect");
    let again = decode(document.to_value(), dialect, &options);
    let again = again.unwrap_or_else(|error| panic!("{error}: {}", document.to_pretty()));
    let _ = changes(&outcome, &again);
});

/// The first byte picks the dialect and how it is spoken, so that one corpus serves them all.
fn chosen(byte: u8) -> (Dialect, Options) {
    let byte = usize::from(byte);
    let dialect = Dialect::ALL[byte % Dialect::ALL.len()];
    let rest = byte / Dialect::ALL.len();
    let id = CorrelationId::new("fuzz").expect("visible ASCII");
    let options = Options::new()
        .strict(rest % 2 == 1)
        .aggregate(rest / 2 % 2 == 1)
        .format(Format::ALL[rest / 4 % Format::ALL.len()])
        .stamp(Stamp::Fixed(
            id,
            "2026-01-02T03:04:05Z".parse().expect("a timestamp"),
        ));
    (dialect, options)
}
