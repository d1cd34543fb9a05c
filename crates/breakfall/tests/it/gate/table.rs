//! All 25 cells in both profiles, and what a caller is told in each.

use breakfall::gate::{
    DangerLevel, GateOutcome, GatePolicy, GateProfile, GateRule, OperationFacts, TrustLevel,
    TrustPolicy, rate,
};
use breakfall::redact::Redactor;
use breakfall::wire::{Dialect, Options, encode};
use serde_json::{Value, json};

/// The table of the specification: a row for each danger, a column for each trust.
const LITERAL: [&str; 5] = ["iaaaa", "ddaaa", "ddcaa", "dddca", "ddddc"];
const STRICT: [&str; 5] = ["iaaaa", "ddaaa", "ddccc", "dddcc", "ddddc"];

fn decided(profile: GateProfile, trust: TrustLevel, danger: DangerLevel) -> (char, GateRule) {
    let facts = OperationFacts::named("delete_order").declared(Some(danger));
    let policy = GatePolicy {
        profile,
        trust: TrustPolicy::default(),
    };
    let decision = policy.decide(trust, rate(&facts, trust), None);
    let fault = decision.denial("delete_order", &["it is gone".to_owned()]);
    let word = match decision.outcome {
        GateOutcome::Allowed => 'a',
        GateOutcome::ConfirmationRequired => 'c',
        GateOutcome::TrustInsufficient { .. } => 'i',
        GateOutcome::DangerDenied { .. } => 'd',
    };
    assert_eq!(fault.is_some(), matches!(word, 'i' | 'd'));
    if let Some(fault) = fault {
        let told = Redactor::client().outcome(fault);
        let document = encode(told.as_ref(), Dialect::McpAql, &Options::new().strict(true));
        let document = document.expect("a document").to_value();
        assert_eq!(document["error"], expected(word, trust, danger));
    }
    (word, decision.rule)
}

/// What the specification says about the two denials: danger is a number in one and a word in the other.
fn expected(word: char, trust: TrustLevel, danger: DangerLevel) -> Value {
    let (trust, level) = (trust.as_str(), danger.as_str());
    if word == 'i' {
        return json!({
            "code": "PERMISSION_TRUST_LEVEL_INSUFFICIENT",
            "message": format!("Operation 'delete_order' requires trust level 'generated', adapter has '{trust}'"),
            "details": {
                "operation": "delete_order",
                "required_trust": "generated",
                "actual_trust": trust,
                "danger_level": danger.number(),
            },
        });
    }
    let minimum = [
        "",
        "validated",
        "validated",
        "community_reviewed",
        "certified",
    ];
    json!({
        "code": "PERMISSION_DANGER_LEVEL_DENIED",
        "message": format!("Operation 'delete_order' (danger: {level}) denied for adapter trust level '{trust}'"),
        "details": {
            "operation": "delete_order",
            "danger_level": level,
            "adapter_trust": trust,
            "minimum_trust_required": minimum[usize::from(danger.number())],
            "reasons": ["it is gone"],
        },
    })
}

#[test]
fn every_cell_of_both_profiles_is_that_of_the_specification() {
    testing::proves!("S4-47", "S4-48");
    for (profile, table) in [
        (GateProfile::Matrix, LITERAL),
        (GateProfile::Strict, STRICT),
    ] {
        for (danger, row) in DangerLevel::ALL.iter().zip(table) {
            for (trust, word) in TrustLevel::ALL.iter().zip(row.chars()) {
                assert_eq!(
                    decided(profile, *trust, *danger),
                    (word, GateRule::Table(profile)),
                    "{danger} at {trust}, {profile:?}"
                );
            }
        }
    }
}

#[test]
fn the_strict_profile_is_the_default() {
    assert_eq!(GatePolicy::default().profile, GateProfile::Strict);
}
