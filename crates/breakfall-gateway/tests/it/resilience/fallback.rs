use breakfall_gateway::resilience::fallback::{FallbackCandidate, choose};

const SCHEMA: &str = r#"{"type": "object", "properties": {"q": {"type": "string"}}}"#;

const FAILING: FallbackCandidate<'_> = FallbackCandidate {
    tool: "search",
    name: "one__search",
    schema: SCHEMA,
    is_read_only: true,
};

const OTHER: FallbackCandidate<'_> = FallbackCandidate {
    name: "two__search",
    ..FAILING
};

#[test]
fn another_server_stands_in_only_where_there_is_hardly_a_difference() {
    let written_otherwise = r#"{"properties":{"q":{"type":"string"}},"type":"object"}"#;
    for (other, is_named) in [
        (OTHER, true),
        (
            FallbackCandidate {
                schema: written_otherwise,
                ..OTHER
            },
            true,
        ),
        (
            FallbackCandidate {
                schema: r#"{"type": "object"}"#,
                ..OTHER
            },
            false,
        ),
        (
            FallbackCandidate {
                schema: "nonsense",
                ..OTHER
            },
            false,
        ),
        (
            FallbackCandidate {
                tool: "find",
                ..OTHER
            },
            false,
        ),
        (
            FallbackCandidate {
                is_read_only: false,
                ..OTHER
            },
            false,
        ),
        (FAILING, false),
    ] {
        let named = choose(&FAILING, None, [other]);
        assert_eq!(named.is_some(), is_named, "{other:?}");
    }
    let writes = FallbackCandidate {
        is_read_only: false,
        ..FAILING
    };
    assert_eq!(choose(&writes, None, [OTHER]), None);
}

#[test]
fn what_the_operator_names_comes_first_and_is_never_the_tool_itself() {
    assert_eq!(
        choose(&FAILING, Some("one__list"), [OTHER]),
        Some("one__list")
    );
    assert_eq!(choose(&FAILING, Some("one__search"), [OTHER]), None);
}

#[test]
fn unreadable_schemas_are_equal_only_byte_for_byte() {
    let broken = FallbackCandidate {
        schema: "{",
        ..OTHER
    };
    let failing = FallbackCandidate {
        schema: "{",
        ..FAILING
    };
    assert!(choose(&failing, None, [broken]).is_some());
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(100_000));
    let spaced = large.replacen(':', ": ", 1);
    let failing = FallbackCandidate {
        schema: &large,
        ..FAILING
    };
    assert!(
        choose(
            &failing,
            None,
            [FallbackCandidate {
                schema: &large,
                ..OTHER
            }]
        )
        .is_some()
    );
    assert!(
        choose(
            &failing,
            None,
            [FallbackCandidate {
                schema: &spaced,
                ..OTHER
            }]
        )
        .is_none()
    );
}
