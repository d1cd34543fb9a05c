//! The server against the official suite.

use testing::conformance::{Server, Status, Suite, run};

/// Counted, so that a suite that silently runs less is noticed as much as a check that fails.
fn passes(suite: Suite, checks: usize) {
    let server = Server::http(&[]);
    let report = run(server.url(), suite);
    assert_eq!(report.failures(), [""; 0]);
    assert_eq!(report.count(Status::Success), checks, "{report:#?}");
}

#[test]
fn every_check_of_the_released_suite_passes() {
    passes(Suite::Released, 40);
}

#[test]
fn every_check_of_2025_11_25_passes() {
    passes(Suite::Legacy, 83);
}

#[test]
fn every_check_of_2026_07_28_passes() {
    passes(Suite::Modern, 197);
}

#[test]
fn a_run_is_like_the_one_before_and_unlike_one_without_the_era() {
    let both = Server::http(&[]);
    let expected = run(both.url(), Suite::Legacy);
    let again = run(both.url(), Suite::Legacy);
    assert_eq!(expected.differences(&again), [""; 0]);

    let modern = Server::http(&["--era", "modern"]);
    let other = run(modern.url(), Suite::Legacy);
    assert!(other.count(Status::Failure) > 0, "{other:#?}");
    assert!(!expected.differences(&other).is_empty());
}
