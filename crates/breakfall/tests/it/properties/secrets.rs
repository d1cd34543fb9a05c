//! The private half stays private, in every dialect and under every option.

use breakfall::wire::{Dialect, encode, rpc_error, tool_result};
use breakfall::{Batch, Fault, Outcome};
use proptest::prelude::*;

use super::cases;
use super::strategies::{fault, options};

/// No strategy makes this text, so wherever it shows up it came out of the private half.
const PLANTED: &str = "hunter2-planted-secret";

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_cause_or_a_note_never_reaches_the_wire(plain in fault(), options in options(), in_batch in any::<bool>()) {
        let fault = with_secrets(plain);
        prop_assert!(fault.report().to_string().contains(PLANTED), "the log has it");
        let printed = format!("{fault:?} {fault}");
        prop_assert!(!printed.contains(PLANTED), "{}", printed);
        for &dialect in Dialect::ALL {
            let error = rpc_error(fault.public(), dialect, &options).to_value().to_string();
            prop_assert!(!error.contains(PLANTED), "JSON-RPC, {}: {}", dialect, error);
        }
        let outcome = if in_batch {
            Outcome::from(Batch::new("delete", "deleted").failed("1", fault))
        } else {
            Outcome::from(fault)
        };
        for &dialect in Dialect::ALL {
            let Ok(document) = encode(&outcome, dialect, &options) else { continue };
            let written = [document.to_json(), document.to_pretty(), document.to_value().to_string()];
            let result = tool_result(&outcome, dialect, &options).map(|result| result.to_json());
            for text in written.into_iter().chain(result) {
                prop_assert!(!text.contains(PLANTED), "{}: {}", dialect, text);
            }
        }
    }
}

fn with_secrets(fault: Fault) -> Fault {
    let chain = Fault::internal().caused_by(PLANTED).note(PLANTED);
    fault.caused_by(chain).note(PLANTED)
}
