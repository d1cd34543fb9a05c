//! Errors of the YAML parser, in words for the author of the file.

use granit_parser::ErrorKind;

/// What is wrong, and what to do about it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the rest of its kinds say it well enough themselves"
)]
pub(super) fn words(kind: &ErrorKind) -> (String, &'static str) {
    use ErrorKind as Kind;
    let (what, hint) = match kind {
        Kind::TabNotAllowed | Kind::TabInBlockIndentation | Kind::TabInIndentation => {
            ("a tab cannot indent a line", "indent with spaces")
        }
        Kind::MappingValueNotAllowed => (
            "a second ':' in one entry",
            "quote a value that has ': ' in it or ends with ':'; start a new entry on a new line, at the same indentation",
        ),
        Kind::SimpleKeyExpected | Kind::ExpectedBlockMappingKey => (
            "expected a key and ':' here",
            "look at the indentation of this line and the one before",
        ),
        Kind::ExpectedBlockSequenceEntry => (
            "expected '-' and an item here",
            "the lines before are a list: indent this one further, or less",
        ),
        Kind::BlockSequenceEntryNotAllowed => (
            "a list cannot start here",
            "start it on a new line, or write it in brackets: [a, b]",
        ),
        Kind::InvalidColonPlacement
        | Kind::InvalidQuotedScalarIndent
        | Kind::UnclosedQuotedScalar
        | Kind::UnclosedFlowCollection { .. }
        | Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofFlowSequence => (
            "a bracket or quote is not closed",
            "look for the one that opens here or in the lines before",
        ),
        Kind::ExpectedFlowMappingSeparator | Kind::ExpectedFlowSequenceSeparator => (
            "expected ',' or the closing bracket here",
            "put a ',' in between, and quotes around a text with brackets in it",
        ),
        Kind::MissingAnchorOrAliasName | Kind::UnexpectedCharacter { .. } => {
            ("a text cannot start with this character", "quote the text")
        }
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => (
            "the quoted text is over, and more follows",
            "inside '…' write a quote twice, inside \"…\" write a backslash in front of it",
        ),
        Kind::UnknownQuotedScalarEscape => (
            "no such escape",
            "write \\\\ for a backslash, or quote with '…', where nothing is escaped",
        ),
        Kind::RecursionLimitExceeded => (
            "too many lists and maps inside each other",
            "a configuration needs no more than six",
        ),
        other => {
            return (
                format!("not YAML: {other}"),
                "check the syntax of this line",
            );
        }
    };
    (what.to_owned(), hint)
}
