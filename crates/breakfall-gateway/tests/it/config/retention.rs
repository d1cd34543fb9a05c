//! What is kept, and for how long.

use std::time::Duration;

use breakfall_gateway::config::{AuditTrail, Retention, RetentionLimit};

use super::{accepted, told};

const ONE: &str = "upstreams: { one: { command: a } }";

#[test]
fn what_is_not_said_about_keeping_has_a_default() {
    let config = accepted(ONE);
    assert_eq!(config.audit, AuditTrail::On);
    assert_eq!(config.retention, Retention::default());
    let config = accepted(&format!("retention: {{ age: 1h }}\n{ONE}"));
    let hour = Duration::from_hours(1);
    assert_eq!(config.retention.reports, RetentionLimit::new(10_000, hour));
    assert_eq!(config.retention.audit, Retention::default().audit);
}

#[test]
fn everything_about_keeping_can_be_said() {
    let text = "audit: off\nretention: { count: 5, age: 30s, audit_count: 7, audit_age: 2d }\n";
    let config = accepted(&format!("{text}{ONE}"));
    assert_eq!(config.audit, AuditTrail::Off);
    let Retention { reports, audit, .. } = config.retention;
    assert_eq!(reports, RetentionLimit::new(5, Duration::from_secs(30)));
    assert_eq!(audit, RetentionLimit::new(7, Duration::from_hours(48)));
}

#[test]
fn what_cannot_be_kept_is_told_with_its_place() {
    for (line, expected) in [
        (
            "audit: maybe",
            "1:8 'maybe' is none of the settings of the audit trail",
        ),
        ("audit: true", "1:8 expected one of on, off, got a boolean"),
        (
            "retention: { count: 0 }",
            "1:21 this limit is out of bounds",
        ),
        (
            "retention: { audit_count: 100000001 }",
            "1:27 this limit is out of bounds",
        ),
        ("retention: { age: 0s }", "1:19 no time at all is too short"),
        ("retention: { audit_age: 31d }", "1:25 '31d' is too long"),
        ("retention: { size: 1GiB }", "1:14 unknown key 'size'"),
        (
            "retention: 7d",
            "1:12 expected a map of keys and values, got a text",
        ),
    ] {
        assert_eq!(told(&format!("{line}\n{ONE}")), [expected], "{line}");
    }
}
