//! Whatever a fault is made of, it is written in the frame of its dialect's schema.

use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, encode};
use breakfall::{Fault, ItemResult, Outcome};
use proptest::prelude::*;

use super::cases;
use super::strategies::{options, outcome, reads_as_more};
use crate::generated::json_schema::frame_schema;
use crate::sample::stamp;

#[test]
fn every_outcome_is_written_in_the_frame_of_its_schema() {
    for dialect in Dialect::ALL {
        let schema = jsonschema::draft202012::options().should_validate_formats(true);
        let schema = schema.build(&frame_schema(*dialect)).unwrap();
        proptest!(cases(256), |(outcome in outcome(), options in options())| {
            prop_assume!(!reads_as_more(&outcome, *dialect) && is_of_our_era(&outcome));
            if let Ok(document) = encode(unredacted(&outcome), *dialect, &options.stamp(stamp())) {
                let document = document.to_value();
                let complaint = schema.iter_errors(&document).next();
                let complaint = complaint.map(|error| format!("{error} at {}", error.instance_path()));
                prop_assert_eq!(complaint, None, "{}: {}", dialect, document);
            }
        });
    }
}

/// RFC 3339, which the schemas speak, knows the years 0 to 9999 only.
fn is_of_our_era(outcome: &Outcome) -> bool {
    let items = match outcome {
        Outcome::Batch(batch) => batch.items(),
        Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Fault(_) => &[],
    };
    let items = items.iter().filter_map(|item| match &item.result {
        ItemResult::Failed(fault) | ItemResult::Pending(fault) => Some(fault),
        ItemResult::Done(_) => None,
    });
    let sound = |fault: &Fault| {
        let at = fault.public().timestamp();
        at.is_none_or(|at| !at.to_string().starts_with('-'))
    };
    items.chain(outcome.fault()).all(sound)
}
