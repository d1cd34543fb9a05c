//! How dangerous an operation is, and by which rule.

use breakfall::gate::{
    DangerCondition, DangerHints, DangerLevel, DangerRating, DangerRule, EscalationStep,
    OperationFacts, OperationKind, TrustLevel, rate,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const NONE: DangerHints = DangerHints {
    read_only: None,
    destructive: None,
};
const READS: DangerHints = DangerHints {
    read_only: Some(true),
    destructive: None,
};
const MILD: DangerHints = DangerHints {
    read_only: None,
    destructive: Some(false),
};
const DESTROYS: DangerHints = DangerHints {
    read_only: Some(true),
    destructive: Some(true),
};

fn rated(name: &str, hints: DangerHints, trust: TrustLevel) -> (DangerLevel, DangerRule) {
    let DangerRating { level, rule } = rate(&OperationFacts::named(name).hints(hints), trust);
    (level, rule)
}

#[test]
fn a_declaration_decides_whatever_name_and_annotations_say() {
    for trust in TrustLevel::ALL {
        for declared in DangerLevel::ALL {
            let facts = OperationFacts::named("drop_table").hints(DESTROYS);
            let rating = rate(&facts.declared(Some(*declared)), *trust);
            assert_eq!(
                (rating.level, rating.rule),
                (*declared, DangerRule::Declared)
            );
        }
    }
}

#[test]
fn without_a_declaration_the_highest_of_kind_name_and_annotations_counts() {
    use DangerLevel::{Dangerous, Destructive, Forbidden, Reversible};
    let cases = [
        ("get_order", NONE, Reversible, DangerRule::Unlabelled),
        ("place_order", MILD, Reversible, DangerRule::Unlabelled),
        ("place_order", READS, Reversible, DangerRule::Unlabelled),
        (
            "place_order",
            DESTROYS,
            Destructive,
            DangerRule::DestructiveHint(true),
        ),
        (
            "purge_orders",
            DESTROYS,
            Dangerous,
            DangerRule::NamePattern("purge_*"),
        ),
        (
            "purge_orders",
            READS,
            Dangerous,
            DangerRule::NamePattern("purge_*"),
        ),
        (
            "reset_production",
            NONE,
            Forbidden,
            DangerRule::NamePattern("reset_*"),
        ),
        (
            "force_reset_production",
            NONE,
            Forbidden,
            DangerRule::NamePattern("*_production"),
        ),
        ("delete_order", NONE, Reversible, DangerRule::Unlabelled),
        (
            "delete_all_orders",
            NONE,
            Forbidden,
            DangerRule::NamePattern("delete_all*"),
        ),
        (
            "delete_permanently",
            NONE,
            Dangerous,
            DangerRule::NamePattern("*_permanently"),
        ),
    ];
    for (name, hints, level, rule) in cases {
        for trust in [TrustLevel::Untested, TrustLevel::Validated] {
            assert_eq!(rated(name, hints, trust), (level, rule.clone()), "{name}");
        }
    }
}

#[test]
fn names_are_matched_in_every_convention() {
    for name in [
        "drop_table",
        "dropTable",
        "Drop-Table",
        "DROP TABLE",
        "db.drop_table",
        "db/dropTable",
        "DBDropper:dropIt",
    ] {
        let (level, rule) = rated(name, NONE, TrustLevel::Validated);
        assert_eq!(level, DangerLevel::Forbidden, "{name}");
        assert_eq!(rule, DangerRule::NamePattern("drop_*"));
    }
    for name in [
        "dropped",
        "backdrop_image",
        "resetting",
        "get_drop_rate",
        "production_list",
        "drop",
    ] {
        let (level, _) = rated(name, NONE, TrustLevel::Validated);
        assert_eq!(level, DangerLevel::Reversible, "{name}");
    }
}

#[test]
fn annotations_lower_only_from_community_reviewed_up() {
    for (trust, level) in [
        (TrustLevel::Validated, DangerLevel::Forbidden),
        (TrustLevel::CommunityReviewed, DangerLevel::Safe),
        (TrustLevel::Certified, DangerLevel::Safe),
    ] {
        assert_eq!(rated("reset_view", READS, trust).0, level, "{trust}");
    }
    let trusted = TrustLevel::CommunityReviewed;
    assert_eq!(
        rated("reset_view", MILD, trusted),
        (DangerLevel::Reversible, DangerRule::DestructiveHint(false))
    );
    // An annotation that is not there lowers nothing, whatever MCP takes it to be.
    assert_eq!(rated("reset_view", NONE, trusted).0, DangerLevel::Forbidden);
    // One that says it destroys is believed, also if it says that it only reads.
    assert_eq!(rated("view", DESTROYS, trusted).0, DangerLevel::Destructive);
    let denies = DangerHints {
        read_only: Some(false),
        destructive: None,
    };
    assert_eq!(
        rated("view", denies, trusted),
        (DangerLevel::Reversible, DangerRule::Unlabelled)
    );
}

#[test]
fn only_a_declared_kind_makes_an_operation_safe() {
    let kinds = [
        (OperationKind::Introspect, DangerLevel::Safe),
        (OperationKind::Read, DangerLevel::Safe),
        (OperationKind::Create, DangerLevel::Reversible),
        (OperationKind::Update, DangerLevel::Reversible),
        (OperationKind::Delete, DangerLevel::Destructive),
        (OperationKind::Execute, DangerLevel::Reversible),
    ];
    for (kind, level) in kinds {
        let facts = OperationFacts {
            kind: Some(kind),
            ..OperationFacts::named("orders").hints(MILD)
        };
        let rating = rate(&facts, TrustLevel::Validated);
        assert_eq!((rating.level, rating.rule), (level, DangerRule::Kind(kind)));
    }
}

#[test]
fn arguments_raise_a_declared_danger_and_never_lower_it() {
    let condition = |argument: &str, value: Value, level| DangerCondition {
        argument: argument.into(),
        value: (!value.is_null()).then_some(value),
        level,
    };
    let conditions = [
        condition("force", json!(true), DangerLevel::Dangerous),
        condition("/target/branch", json!("main"), DangerLevel::Forbidden),
        condition("count", json!(100), DangerLevel::Destructive),
        condition("recursive", Value::Null, DangerLevel::Destructive),
    ];
    let level = |arguments: Value| {
        let facts = OperationFacts::named("push").declared(Some(DangerLevel::Reversible));
        let rating = rate(&facts, TrustLevel::Validated);
        rating.with_arguments(&conditions, &arguments).level
    };
    let mild = [
        json!({}),
        json!({"force": false}),
        json!({"force": null}),
        json!({"force": "false"}),
        json!({"target": "main"}),
        json!({"target": {"branch": "maine"}}),
        json!({"count": 101}),
        json!({"recursive": false}),
        json!({"recursive": null}),
        json!([true]),
    ];
    for arguments in mild {
        let found = level(arguments.clone());
        assert_eq!(found, DangerLevel::Reversible, "{arguments}");
    }
    // A server may take a text for the value it spells.
    let raised = [
        (json!({"force": true}), DangerLevel::Dangerous),
        (json!({"force": "true"}), DangerLevel::Dangerous),
        (json!({"force": " True "}), DangerLevel::Dangerous),
        (json!({"force": "1"}), DangerLevel::Dangerous),
        (json!({"force": 1}), DangerLevel::Dangerous),
        (json!({"force": "yes"}), DangerLevel::Dangerous),
        (json!({"force": [true]}), DangerLevel::Dangerous),
        (json!({"count": 100}), DangerLevel::Destructive),
        (json!({"count": 100.0}), DangerLevel::Destructive),
        (json!({"count": "100"}), DangerLevel::Destructive),
        (json!({"count": "1e2"}), DangerLevel::Destructive),
        (json!({"recursive": "yes"}), DangerLevel::Destructive),
        (
            json!({"force": true, "target": {"branch": "Main"}}),
            DangerLevel::Forbidden,
        ),
    ];
    for (arguments, want) in raised {
        assert_eq!(level(arguments.clone()), want, "{arguments}");
    }
    let declared = OperationFacts::named("push").declared(Some(DangerLevel::Forbidden));
    let declared = rate(&declared, TrustLevel::Validated);
    let forced = declared.with_arguments(&conditions, &json!({"force": true}));
    assert_eq!(
        (forced.level, forced.rule),
        (DangerLevel::Forbidden, DangerRule::Declared)
    );
}

#[test]
fn repetition_raises_at_exactly_its_thresholds() {
    let steps = [
        EscalationStep {
            uses: 50,
            level: DangerLevel::Dangerous,
        },
        EscalationStep {
            uses: 10,
            level: DangerLevel::Destructive,
        },
    ];
    let level = |uses| {
        let rating = rate(&OperationFacts::named("post"), TrustLevel::Validated);
        rating.after(&steps, uses).level
    };
    let expected = [(0, 1), (9, 1), (10, 2), (49, 2), (50, 3), (u64::MAX, 3)];
    for (uses, number) in expected {
        assert_eq!(level(uses).number(), number, "{uses}");
    }
}

fn hints() -> impl Strategy<Value = DangerHints> {
    let (read_only, destructive) = (any::<Option<bool>>(), any::<Option<bool>>());
    (read_only, destructive).prop_map(|(read_only, destructive)| DangerHints {
        read_only,
        destructive,
    })
}

proptest! {
    #![proptest_config(crate::properties::cases(512))]

    #[test]
    fn below_community_reviewed_annotations_never_lower(
        name in "(drop|get|purge|force|list)_[a-z]{1,8}(_permanently|_production)?",
        hints in hints(),
    ) {
        for trust in [TrustLevel::Untested, TrustLevel::Generated, TrustLevel::Validated] {
            let without = rated(&name, NONE, trust).0;
            prop_assert!(rated(&name, hints, trust).0 >= without);
        }
    }

    #[test]
    fn any_name_is_rated(name in any::<String>()) {
        prop_assert!(rated(&name, NONE, TrustLevel::Validated).0 >= DangerLevel::Reversible);
    }
}
