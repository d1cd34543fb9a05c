//! The overlay in front of the table, and its faults.

use breakfall::Timestamp;
use breakfall::gate::{
    ConfirmationRequest, DangerLevel, GateOutcome, GatePolicy, GateProfile, GateRule,
    OperationFacts, OperationKind, TrustLevel, TrustPolicy, rate,
};
use serde_json::json;

fn decide(
    policy: TrustPolicy,
    trust: TrustLevel,
    danger: DangerLevel,
    kind: Option<OperationKind>,
) -> (GateOutcome, GateRule) {
    let policy = GatePolicy {
        profile: GateProfile::Matrix,
        trust: policy,
    };
    let facts = OperationFacts::named("op").declared(Some(danger));
    let decision = policy.decide(trust, rate(&facts, trust), kind);
    (decision.outcome, decision.rule)
}

const TABLE: GateRule = GateRule::Table(GateProfile::Matrix);

#[test]
fn minimum_trust_for_writes_counts_from_reversible_up_and_before_the_table() {
    let policy = TrustPolicy {
        minimum_trust_for_writes: Some(TrustLevel::CommunityReviewed),
        ..TrustPolicy::default()
    };
    let required = TrustLevel::CommunityReviewed;
    let refused = (
        GateOutcome::TrustInsufficient { required },
        GateRule::MinimumTrustForWrites,
    );
    let decide = |trust, danger| decide(policy, trust, danger, None);
    assert_eq!(
        decide(TrustLevel::Validated, DangerLevel::Reversible),
        refused
    );
    // The table would deny this one for its danger.
    assert_eq!(
        decide(TrustLevel::Validated, DangerLevel::Dangerous),
        refused
    );
    assert_eq!(
        decide(TrustLevel::Validated, DangerLevel::Safe),
        (GateOutcome::Allowed, TABLE)
    );
    assert_eq!(
        decide(TrustLevel::CommunityReviewed, DangerLevel::Reversible),
        (GateOutcome::Allowed, TABLE)
    );
}

#[test]
fn minimum_trust_for_deletes_counts_from_destructive_up_or_for_a_declared_delete() {
    let policy = TrustPolicy {
        minimum_trust_for_deletes: Some(TrustLevel::Certified),
        minimum_trust_for_writes: Some(TrustLevel::Generated),
        ..TrustPolicy::default()
    };
    let required = TrustLevel::Certified;
    let refused = (
        GateOutcome::TrustInsufficient { required },
        GateRule::MinimumTrustForDeletes,
    );
    let decide = |danger, kind| decide(policy, TrustLevel::CommunityReviewed, danger, kind);
    assert_eq!(decide(DangerLevel::Destructive, None), refused);
    assert_eq!(
        decide(DangerLevel::Safe, Some(OperationKind::Delete)),
        refused
    );
    assert_eq!(
        decide(DangerLevel::Reversible, None),
        (GateOutcome::Allowed, TABLE)
    );
}

#[test]
fn an_untested_server_may_only_describe_itself_and_not_even_that_if_it_is_forbidden() {
    let introspect = Some(OperationKind::Introspect);
    let (open, closed) = (
        TrustPolicy::default(),
        TrustPolicy {
            allow_untested_introspection: false,
            ..TrustPolicy::default()
        },
    );
    let untested = |policy, kind| decide(policy, TrustLevel::Untested, DangerLevel::Safe, kind);
    let required = TrustLevel::Generated;
    let refused = GateOutcome::TrustInsufficient { required };
    assert_eq!(untested(open, introspect), (GateOutcome::Allowed, TABLE));
    assert_eq!(untested(open, Some(OperationKind::Read)), (refused, TABLE));
    assert_eq!(
        untested(closed, introspect),
        (refused, GateRule::UntestedIntrospection)
    );
    let generated = decide(closed, required, DangerLevel::Safe, introspect);
    assert_eq!(generated, (GateOutcome::Allowed, TABLE));
}

#[test]
fn require_confirmation_below_raises_an_allowed_change_and_nothing_else() {
    let policy = TrustPolicy {
        require_confirmation_below: Some(TrustLevel::Certified),
        ..TrustPolicy::default()
    };
    let decide = |trust, danger| decide(policy, trust, danger, None);
    let (trust, confirm) = (
        TrustLevel::CommunityReviewed,
        GateOutcome::ConfirmationRequired,
    );
    let rule = GateRule::RequireConfirmationBelow;
    assert_eq!(decide(trust, DangerLevel::Reversible), (confirm, rule));
    assert_eq!(decide(trust, DangerLevel::Dangerous), (confirm, TABLE));
    assert_eq!(
        decide(trust, DangerLevel::Safe),
        (GateOutcome::Allowed, TABLE)
    );
    assert_eq!(
        decide(TrustLevel::Certified, DangerLevel::Reversible),
        (GateOutcome::Allowed, TABLE)
    );
    let minimum = TrustLevel::Certified;
    let denied = (GateOutcome::DangerDenied { minimum }, TABLE);
    assert_eq!(decide(trust, DangerLevel::Forbidden), denied);
}

#[test]
fn a_confirmation_is_asked_for_with_all_its_details() {
    testing::proves!("S4-49");
    let trust = TrustLevel::Validated;
    let facts = OperationFacts::named("refund").declared(Some(DangerLevel::Destructive));
    let decision = GatePolicy::default().decide(trust, rate(&facts, trust), None);
    assert_eq!(decision.denial("refund", &[]), None);
    let request = ConfirmationRequest {
        reasons: &["money leaves".to_owned()],
        message: Some("Refund ord-7?"),
        token: "conf_abc123xyz",
        expires_at: Timestamp::UNIX_EPOCH,
        not_before: None,
    };
    let fault = decision.confirmation("refund", &request);
    assert_eq!(fault.code().name(), "CONFIRMATION_REQUIRED");
    let details = serde_json::to_value(fault.public().details()).expect("JSON");
    let mut expected = json!({
        "operation": "refund",
        "danger_level": "destructive",
        "reasons": ["money leaves"],
        "confirmation_message": "Refund ord-7?",
        "confirmation_token": "conf_abc123xyz",
        "expires_at": "1970-01-01T00:00:00Z",
    });
    assert_eq!(details, expected);
    let later = ConfirmationRequest {
        not_before: Some(Timestamp::UNIX_EPOCH),
        ..request
    };
    let details = decision.confirmation("refund", &later);
    let details = serde_json::to_value(details.public().details()).expect("JSON");
    expected["not_before"] = json!("1970-01-01T00:00:00Z");
    assert_eq!(details, expected);
}
