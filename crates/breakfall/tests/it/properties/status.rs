//! The strict HTTP mapper is the algorithm of MCP-AQL's error codes document, status by status.

use breakfall::classify::status::code_for_status_strict;

#[test]
fn the_strict_mapper_follows_the_documented_algorithm_for_every_status() {
    testing::proves!("S4-58", "S4-59", "S4-60", "S4-61", "S4-62", "S4-63");
    for status in 100..=599 {
        assert_eq!(
            code_for_status_strict(status).name(),
            documented(status),
            "{status}"
        );
    }
}

/// Written from the document, branch by branch in its order, not from the code under test.
fn documented(status: u16) -> &'static str {
    if status == 400 || status == 422 {
        "VALIDATION_INVALID_TYPE"
    } else if status == 401 || status == 403 {
        "PERMISSION_DENIED"
    } else if status == 404 {
        "NOT_FOUND_RESOURCE"
    } else if status >= 500 {
        "INTERNAL_ERROR"
    } else {
        "VALIDATION_INVALID_TYPE"
    }
}
