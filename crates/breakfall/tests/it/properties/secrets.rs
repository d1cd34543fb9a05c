//! The private half stays private, and a secret in the public half does not pass the redactor, in every dialect and
//! under every option.

use breakfall::http::Problem;
use breakfall::redact::{Redacted, Redactor, unredacted};
use breakfall::wire::{Dialect, Options, encode, rpc_error, tool_result};
use breakfall::{
    Batch, Choice, Confidence, CorrelationId, Elicitation, Fault, Outcome, Provenance, Success,
    Violation, Warning, read,
};
use proptest::prelude::*;
use serde_json::json;

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
            let error = rpc_error(unredacted(fault.public()), dialect, &options).to_value().to_string();
            prop_assert!(!error.contains(PLANTED), "JSON-RPC, {}: {}", dialect, error);
        }
        let outcome = if in_batch {
            Outcome::from(Batch::new("delete", "deleted").failed("1", fault))
        } else {
            Outcome::from(fault)
        };
        for &dialect in Dialect::ALL {
            let Ok(document) = encode(unredacted(&outcome), dialect, &options) else { continue };
            let written = [document.to_json(), document.to_pretty(), document.to_value().to_string()];
            let result = tool_result(unredacted(&outcome), dialect, &options).map(|result| result.to_json());
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

/// A token that is one wherever it stands.
const TOKEN: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Every place of a fault for a text.
const PLACES: &[fn(Fault, &str) -> Fault] = &[
    |fault, text| fault.message(text),
    |fault, text| fault.detail("note", text),
    |fault, text| fault.detail(text.to_owned(), 1),
    |fault, text| fault.detail("deep", json!([{"list": [text]}])),
    |fault, text| fault.detail("scheme", text),
    |fault, text| fault.violation(Violation::at("/a").message(text)),
    |fault, text| fault.violation(Violation::at("/a").got(text).suggestion(text)),
    |fault, text| fault.violation(Violation::at(format!("/{text}"))),
    |fault, text| fault.domain_code(text),
    |fault, text| fault.remediation(text),
    |fault, text| fault.actions([text.to_owned()]),
    |fault, text| fault.user_message(text),
    |fault, text| fault.fallback_tool(text),
    |fault, text| fault.corrective_params(json!({"q": text})),
    |fault, text| fault.docs_url(format!("https://docs.example/?token={text}")),
    |fault, text| fault.provenance(Provenance::new(text.to_owned(), Confidence::Exact)),
    |fault, text| fault.caused_by(text.to_owned()).note(text.to_owned()),
    |fault, text| fault.ask(asked(text)),
    |fault, _| fault.correlation_id(CorrelationId::new(TOKEN).expect("visible ASCII")),
];

fn asked(text: &str) -> Elicitation {
    Elicitation::new(text)
        .reason(text)
        .field(text)
        .suggest(text, [text])
        .option(Choice {
            label: text.to_owned(),
            value: text.to_owned(),
            description: Some(text.to_owned()),
            field: Some(text.to_owned()),
        })
}

/// Every kind of outcome with a text in it.
fn outcomes(fault: impl Fn() -> Fault, text: &str) -> [Outcome; 6] {
    let warning = || Warning::plain(text.to_owned()).context("note", text);
    let batch = |batch: Batch| {
        batch
            .failed(text, fault())
            .pending("2", fault())
            .warning(warning())
    };
    [
        fault().into(),
        batch(Batch::new("delete", "deleted")).into(),
        batch(Batch::new(text, text).done("3", json!(1))).into(),
        Success::new(json!(1)).warning(warning()).into(),
        asked(text).into(),
        Batch::new("delete", "deleted").failed("1", fault()).into(),
    ]
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_planted_secret_never_reaches_the_wire(
        plain in fault(),
        place in prop::sample::select(PLACES),
        around in prop::sample::select(&["{}", "the key {} has expired", "Authorization: Bearer {}", "a\nb {}"][..]),
        options in options(),
    ) {
        testing::proves!("S0-04");
        let text = around.replace("{}", TOKEN);
        let planted = || place(Redactor::client().shown(&plain).into_inner(), &text);
        for outcome in outcomes(planted, &text) {
            // What another server wrote, as a client, the gateway or `convert` reads it.
            for dialect in Dialect::ALL {
                if let Ok(theirs) = tool_result(unredacted(&outcome), *dialect, &Options::new()) {
                    let again = read(theirs.to_value()).outcome;
                    // The data of a success is passed on as it is.
                    if !matches!(again, Outcome::Success(_)) {
                        assert_clean(&Redactor::client().outcome(again), &options)?;
                    }
                }
            }
            assert_clean(&Redactor::client().outcome(outcome), &options)?;
        }
        let response = Problem::new(planted()).options(options).response();
        let body = String::from_utf8_lossy(response.body());
        prop_assert!(!body.contains(TOKEN), "{}", body);
        let headers = format!("{:?}", response.headers());
        prop_assert!(!headers.contains(TOKEN), "{}", headers);
    }
}

/// No dialect writes the token.
fn assert_clean(outcome: &Redacted<Outcome>, options: &Options) -> Result<(), TestCaseError> {
    for &dialect in Dialect::ALL {
        let document =
            encode(outcome.as_ref(), dialect, options).map(|document| document.to_json());
        let result = tool_result(outcome.as_ref(), dialect, options).map(|result| result.to_json());
        let error = outcome
            .fault()
            .map(|fault| rpc_error(fault, dialect, options).to_value().to_string());
        for text in document.into_iter().chain(result).chain(error) {
            prop_assert!(!text.contains(TOKEN), "{}: {}", dialect, text);
        }
    }
    Ok(())
}
