//! The warnings, their phases and severities, and the line between a warning and an error.

use std::collections::BTreeSet;

use breakfall::catalog::decision::{Situation, Verdict};
use breakfall::catalog::lint;
use breakfall::catalog::warning::{
    self, Phase, WARNINGS, deprecation_severity, quota_severity, slow_query_severity,
    truncation_severity,
};
use breakfall::code::Severity;

#[test]
fn the_quota_warning_is_a_warning_and_no_code_of_a_fault() {
    testing::proves!("S4-53");
    let entry = warning::RATE_LIMIT_QUOTA_WARNING.entry();
    assert_eq!(entry.message.template, "Approaching quota limit");
    assert_eq!(entry.mcp_aql, "RATE_LIMIT_QUOTA_WARNING");
    assert_eq!(entry.response_v2, "RATE_LIMIT_APPROACHING");
    assert_eq!(
        breakfall::catalog::by_name("RATE_LIMIT_QUOTA_WARNING"),
        None
    );
}

#[test]
fn warnings_and_codes_share_no_name_and_are_clean() {
    let mut seen = BTreeSet::new();
    for code in WARNINGS {
        let entry = code.entry();
        assert_eq!(breakfall::catalog::by_name(entry.name), None, "{code}");
        assert!(seen.insert(entry.name), "{code} is listed twice");
        let keys = entry.context.iter().map(|detail| detail.name);
        assert_eq!(
            lint::message(entry.name, entry.message.template, keys),
            [],
            "{code}"
        );
        assert_eq!(lint::plain(entry.message.plain), [], "{code}");
        assert!(
            entry.meaning.ends_with('.') && entry.when.ends_with('.'),
            "{code}"
        );
    }
}

#[test]
fn a_severity_says_what_to_do() {
    testing::proves!("S0-42", "S0-43", "S0-44");
    for (severity, word, urgency, action) in [
        (
            Severity::Info,
            "info",
            "low",
            "Log it; no action is needed.",
        ),
        (
            Severity::Warning,
            "warning",
            "medium",
            "Consider showing it; judge whether the result is still good enough.",
        ),
        (
            Severity::Error,
            "error",
            "high",
            "Tell the user; weigh a retry or another way.",
        ),
    ] {
        assert_eq!(severity.as_str(), word);
        assert_eq!(severity.urgency(), urgency);
        assert_eq!(severity.consumer_action(), action);
    }
}

#[test]
fn each_phase_says_what_triggers_it() {
    let triggers: BTreeSet<&str> = Phase::ALL.iter().map(|phase| phase.trigger()).collect();
    assert_eq!(triggers.len(), 7);
    assert!(Phase::TokenEstimation.trigger().contains("tokenizer"));
    assert!(Phase::Archival.trigger().contains("storage"));
}

#[test]
fn each_situation_has_its_verdict() {
    testing::proves!(
        "S0-52", "S0-53", "S0-54", "S0-55", "S0-56", "S0-57", "S0-58", "S0-59", "S0-60", "S0-61",
        "S0-62", "S0-63"
    );
    let actual: Vec<(Situation, String)> = Situation::ALL
        .iter()
        .map(|situation| {
            let verdict = match situation.verdict() {
                Verdict::Warning(code) => format!("warning {code}"),
                Verdict::Error(code) => format!("error {code}"),
            };
            (*situation, verdict)
        })
        .collect();
    #[rustfmt::skip]
    let expected = [
        (Situation::TruncatedWithCore, "warning CONTENT_TRUNCATED"),
        (Situation::EverythingDropped, "error VALIDATION_PAYLOAD_TOO_LARGE"),
        (Situation::SummarizerFailedRawReturned, "warning SUMMARY_PROVIDER_FAILED"),
        (Situation::BudgetTooSmall, "error VALIDATION_OUT_OF_RANGE"),
        (Situation::ArchiveFailedContentReturned, "warning ARCHIVE_WRITE_FAILED"),
        (Situation::ArchiveFailedContentLost, "error UNAVAILABLE_DEPENDENCY"),
        (Situation::ConfigMissingDefaultsUsed, "warning LIMITS_DEFAULTED"),
        (Situation::ConfigInvalid, "error INTERNAL_CONFIGURATION"),
        (Situation::StateMigrated, "warning STATE_MIGRATION_RECOVERED"),
        (Situation::StateCorrupt, "error INTERNAL_ERROR"),
        (Situation::SomeItemsFailed, "warning PARTIAL_FAILURE"),
        (Situation::AllItemsFailed, "error BATCH_FAILED"),
    ];
    assert_eq!(
        actual,
        expected.map(|(situation, verdict)| (situation, verdict.to_owned()))
    );
}

#[test]
fn each_situation_is_described_and_explained() {
    let described: BTreeSet<&str> = Situation::ALL.iter().map(|s| s.describe()).collect();
    let explained: BTreeSet<&str> = Situation::ALL.iter().map(|s| s.why()).collect();
    assert_eq!((described.len(), explained.len()), (12, 12));
}

#[test]
fn a_quota_grows_severe_near_its_end() {
    for (current, hard_stop, severity) in [
        (799.0, Some(1000.0), None),
        (800.0, Some(1000.0), Some(Severity::Warning)),
        (900.0, Some(1000.0), Some(Severity::Warning)),
        (900.1, Some(1000.0), Some(Severity::Error)),
        (5000.0, None, Some(Severity::Warning)),
        (f64::NAN, Some(1000.0), None),
    ] {
        assert_eq!(
            quota_severity(current, 800.0, hard_stop),
            severity,
            "{current} of {hard_stop:?}"
        );
    }
}

#[test]
fn slowness_is_measured_in_multiples_of_the_threshold() {
    for (duration, severity) in [
        (150, Severity::Info),
        (199, Severity::Info),
        (200, Severity::Warning),
        (1000, Severity::Warning),
        (1001, Severity::Error),
    ] {
        assert_eq!(slow_query_severity(duration, 100), severity, "{duration}");
    }
}

#[test]
fn losing_more_than_half_matters() {
    for (original, kept, severity) in [
        (10, 5, Severity::Info),
        (10, 4, Severity::Warning),
        (5, 3, Severity::Info),
        (5, 2, Severity::Warning),
        (3, 2, Severity::Info),
        (0, 0, Severity::Info),
        (4, 9, Severity::Info),
    ] {
        assert_eq!(
            truncation_severity(original, kept),
            severity,
            "{kept} of {original}"
        );
    }
}

#[test]
fn a_removal_within_thirty_days_is_severe() {
    for (days, severity) in [
        (None, Severity::Info),
        (Some(31), Severity::Warning),
        (Some(30), Severity::Error),
        (Some(-1), Severity::Error),
    ] {
        assert_eq!(deprecation_severity(days), severity, "{days:?}");
    }
}
