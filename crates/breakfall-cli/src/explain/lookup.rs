//! A name or number of any vocabulary → the rows it stands for.

use std::borrow::Cow;
use std::fmt;

use breakfall::catalog::CODES;
use breakfall::catalog::warning::{self, WARNINGS, WarningCode};
use breakfall::classify::status::code_for_status;
use breakfall::read::code_for_rpc;
use breakfall::wire::{Dialect, Rpc, code_of, name_of, problem};
use breakfall::{Code, codes};

/// The meaning of a word in one or several vocabularies.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CodeMeaning {
    /// The vocabularies with this meaning.
    pub(crate) vocabularies: Vec<Vocabulary>,
    /// The row a reader assumes by default.
    pub(crate) row: CatalogRow,
    /// Other rows written by that name.
    pub(crate) also: Vec<CatalogRow>,
}

/// A set of names or numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// The codes of a wire format.
    Dialect(Dialect),
    /// HTTP statuses.
    Http,
    /// JSON-RPC codes.
    Rpc,
}

impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dialect(dialect) => dialect.as_str(),
            Self::Http => "HTTP",
            Self::Rpc => "JSON-RPC",
        })
    }
}

/// A row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CatalogRow {
    Code(Code),
    Warning(WarningCode),
}

impl CatalogRow {
    /// The native name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Code(code) => code.name(),
            Self::Warning(code) => code.name(),
        }
    }

    /// The name a format writes, if it has one.
    pub(crate) fn name_in(self, dialect: Dialect) -> Option<Cow<'static, str>> {
        match (self, dialect) {
            (Self::Code(code), _) => name_of(code, dialect),
            (Self::Warning(code), Dialect::Native) => Some(code.name().into()),
            (Self::Warning(code), Dialect::ResponseV2) => Some(code.entry().response_v2.into()),
            (Self::Warning(code), Dialect::McpAql) => Some(code.entry().mcp_aql.into()),
            (
                Self::Warning(_),
                Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError | Dialect::Problem,
            ) => None,
        }
    }
}

/// Everything a word means, the native meaning first; empty if it means nothing.
pub(crate) fn look_up(word: &str) -> Vec<CodeMeaning> {
    let name = canonical(word);
    let mut meanings = Vec::new();
    for &dialect in Dialect::ALL {
        if let Some(code) = code_of(&name, dialect) {
            add_code(&mut meanings, Vocabulary::Dialect(dialect), code, |other| {
                is_written(other, code, &name, dialect)
            });
        }
    }
    if let Some(status) = name
        .parse()
        .ok()
        .filter(|status| (400..600).contains(status))
    {
        add_code(
            &mut meanings,
            Vocabulary::Http,
            code_for_status(status),
            |other| other.entry().http == status,
        );
    }
    if let Some((number, code)) = rpc(&name) {
        add_code(&mut meanings, Vocabulary::Rpc, code, |other| {
            other.entry().rpc.map(i64::from) == Some(number) || is_unreadable(other, number)
        });
    }
    add_warnings(&mut meanings, &name);
    meanings
}

/// Names are upper case, but for the prefix of a problem's type.
fn canonical(word: &str) -> String {
    let upper = word.trim().to_ascii_uppercase();
    match upper.strip_prefix(&problem::TYPE_PREFIX.to_ascii_uppercase()) {
        Some(name) => format!("{}{name}", problem::TYPE_PREFIX),
        None => upper,
    }
}

fn rpc(name: &str) -> Option<(i64, Code)> {
    let number = name.parse().ok()?;
    Some((number, code_for_rpc(number)?))
}

/// Whether a code is a reason for an unreadable frame. No row has that number, since only the receiver knows that
/// the frame was at fault.
fn is_unreadable(code: Code, number: i64) -> bool {
    number == i64::from(Rpc::ParseError.number()) && code == codes::VALIDATION_INVALID_ENCODING
}

/// What the protocol itself says of a number, where it is one of JSON-RPC's own.
pub(crate) fn rpc_title(word: &str) -> Option<&'static str> {
    let number: i32 = word.trim().parse().ok()?;
    let titles = [
        (
            Rpc::ParseError,
            "parse error: the frame is not JSON, or not UTF-8",
        ),
        (Rpc::InvalidRequest, "invalid request: JSON, but no request"),
        (Rpc::MethodNotFound, "method not found"),
        (Rpc::InvalidParams, "invalid params"),
        (Rpc::InternalError, "internal error"),
    ];
    let found = titles.into_iter().find(|(rpc, _)| rpc.number() == number);
    found.map(|(_, title)| title)
}

/// Whether a dialect writes `other` by the name that led to `code`. In error-model the name may be the word for a
/// number, so the numbers are compared.
fn is_written(other: Code, code: Code, name: &str, dialect: Dialect) -> bool {
    let written = match dialect {
        Dialect::ErrorModel => name_of(code, dialect),
        Dialect::Native
        | Dialect::ResponseV2
        | Dialect::McpError
        | Dialect::ToolError
        | Dialect::McpAql
        | Dialect::Problem => Some(Cow::Borrowed(name)),
    };
    written == name_of(other, dialect)
}

fn add_code(
    meanings: &mut Vec<CodeMeaning>,
    vocabulary: Vocabulary,
    code: Code,
    shares: impl Fn(Code) -> bool,
) {
    let others = CODES
        .iter()
        .copied()
        .filter(|other| *other != code && shares(*other));
    let also = others.map(CatalogRow::Code).collect();
    add(meanings, vocabulary, CatalogRow::Code(code), also);
}

fn add_warnings(meanings: &mut Vec<CodeMeaning>, name: &str) {
    for (dialect, found) in [
        (Dialect::Native, warning::by_name(name)),
        (Dialect::ResponseV2, warning::by_response_v2_name(name)),
        (Dialect::McpAql, warning::by_mcp_aql_name(name)),
    ] {
        let is_named = |row: &CatalogRow| row.name_in(dialect).as_deref() == Some(name);
        // A native name is not a name of the format, even if its reader accepts it.
        if let Some(row) = found.map(CatalogRow::Warning).filter(is_named) {
            let others = WARNINGS.iter().copied().map(CatalogRow::Warning);
            let also = others.filter(|other| *other != row && is_named(other));
            add(meanings, Vocabulary::Dialect(dialect), row, also.collect());
        }
    }
}

/// Vocabularies that agree are one meaning.
fn add(
    meanings: &mut Vec<CodeMeaning>,
    vocabulary: Vocabulary,
    row: CatalogRow,
    also: Vec<CatalogRow>,
) {
    let same = meanings
        .iter_mut()
        .find(|meaning| meaning.row == row && meaning.also == also);
    match same {
        Some(meaning) => meaning.vocabularies.push(vocabulary),
        None => meanings.push(CodeMeaning {
            vocabularies: vec![vocabulary],
            row,
            also,
        }),
    }
}

#[cfg(test)]
mod tests {
    use breakfall::catalog::warning as warnings;
    use breakfall::wire::number_name;

    use super::*;

    /// The meaning of a word in one vocabulary.
    fn meaning(word: &str, vocabulary: Vocabulary) -> Option<CodeMeaning> {
        let mut found = look_up(word).into_iter();
        found.find(|meaning| meaning.vocabularies.contains(&vocabulary))
    }

    fn names(rows: &[CatalogRow]) -> Vec<&'static str> {
        rows.iter().map(|row| row.name()).collect()
    }

    #[test]
    fn every_name_of_every_code_in_every_dialect_leads_to_it() {
        for &code in CODES {
            for &dialect in Dialect::ALL {
                let Some(name) = name_of(code, dialect) else {
                    continue;
                };
                for spelling in [name.to_string(), name.to_lowercase(), format!(" {name} ")] {
                    let found = meaning(&spelling, Vocabulary::Dialect(dialect));
                    let found = found.unwrap_or_else(|| panic!("{spelling} of {dialect}"));
                    let row = CatalogRow::Code(code);
                    let count = found.also.iter().filter(|also| **also == row).count();
                    assert_eq!(
                        count + usize::from(found.row == row),
                        1,
                        "{code} by {spelling}"
                    );
                }
            }
        }
    }

    #[test]
    fn nothing_else_is_listed_under_a_name() {
        for &dialect in Dialect::ALL {
            for &code in CODES {
                let Some(name) = name_of(code, dialect) else {
                    continue;
                };
                let found = meaning(&name, Vocabulary::Dialect(dialect)).unwrap();
                for row in found.also.iter().chain([&found.row]) {
                    let CatalogRow::Code(other) = *row else {
                        panic!("{row:?} under {name}")
                    };
                    assert_eq!(name_of(other, dialect).as_deref(), Some(&*name), "{other}");
                }
            }
        }
    }

    #[test]
    fn numbers_and_words_of_error_model_are_the_same() {
        for number in [2001, 2002, 2003, 3001, 3002, 4001, 4002, 5001] {
            let model = Vocabulary::Dialect(Dialect::ErrorModel);
            let by_number = meaning(&number.to_string(), model).unwrap();
            let by_word = meaning(number_name(number).unwrap(), model).unwrap();
            assert_eq!(
                (by_number.row, by_number.also),
                (by_word.row, by_word.also),
                "{number}"
            );
        }
    }

    #[test]
    fn every_warning_is_found_by_each_of_its_names() {
        for &code in WARNINGS {
            let entry = code.entry();
            for (dialect, name) in [
                (Dialect::Native, entry.name),
                (Dialect::ResponseV2, entry.response_v2),
                (Dialect::McpAql, entry.mcp_aql),
            ] {
                let found = meaning(&name.to_lowercase(), Vocabulary::Dialect(dialect)).unwrap();
                let row = CatalogRow::Warning(code);
                assert!(
                    found.row == row || found.also.contains(&row),
                    "{code} by {name}"
                );
            }
        }
    }

    #[test]
    fn a_status_leads_to_what_a_bare_status_means_and_to_all_codes_that_answer_it() {
        let found = meaning("429", Vocabulary::Http).unwrap();
        assert_eq!(found.row, CatalogRow::Code(codes::RATE_LIMIT_EXCEEDED));
        assert_eq!(
            names(&found.also),
            ["RATE_LIMIT_QUOTA_PAUSE", "RATE_LIMIT_QUOTA_EXHAUSTED"]
        );
        assert!(look_up("200").is_empty() && look_up("600").is_empty());
    }

    #[test]
    fn a_json_rpc_code_leads_to_what_a_bare_one_means() {
        let found = meaning("-32600", Vocabulary::Rpc).unwrap();
        assert_eq!(found.row, CatalogRow::Code(codes::VALIDATION_INVALID_VALUE));
        assert_eq!(names(&found.also), ["VALIDATION_PAYLOAD_TOO_LARGE"]);
        let found = meaning("-32700", Vocabulary::Rpc).unwrap();
        assert_eq!(found.row, CatalogRow::Code(codes::VALIDATION_INVALID_VALUE));
        assert_eq!(names(&found.also), ["VALIDATION_INVALID_ENCODING"]);
        for &code in CODES {
            if let Some(number) = code.entry().rpc {
                assert!(
                    meaning(&number.to_string(), Vocabulary::Rpc).is_some(),
                    "{number}"
                );
            }
        }
        assert!(look_up("-32001").is_empty());
    }

    #[test]
    fn a_name_with_two_meanings_has_both() {
        let found = look_up("TOKEN_EXPIRED");
        let found: Vec<_> = found
            .iter()
            .map(|m| (m.row, m.vocabularies.as_slice()))
            .collect();
        let (aql, v2) = (Dialect::McpAql, Dialect::ResponseV2);
        assert_eq!(
            found,
            [
                (
                    CatalogRow::Code(codes::TOKEN_EXPIRED),
                    [Dialect::Native, aql].map(Vocabulary::Dialect).as_slice()
                ),
                (
                    CatalogRow::Code(codes::AUTHENTICATION_EXPIRED),
                    [Vocabulary::Dialect(v2)].as_slice()
                ),
            ]
        );
    }

    #[test]
    fn a_name_of_a_companion_document_is_known() {
        let found = look_up("VALIDATION_UNKNOWN_OPERATION");
        assert_eq!(found[0].row, CatalogRow::Code(codes::NOT_FOUND_OPERATION));
        assert!(found[0].also.is_empty());
    }

    #[test]
    fn a_question_is_not_listed_under_the_name_of_an_error() {
        let found = meaning("CLIENT_ERROR", Vocabulary::Dialect(Dialect::ToolError)).unwrap();
        assert!(
            !found
                .also
                .contains(&CatalogRow::Code(codes::CONFIRMATION_REQUIRED))
        );
    }

    #[test]
    fn two_warnings_that_share_a_name_are_both_listed() {
        let v2 = Vocabulary::Dialect(Dialect::ResponseV2);
        let found = meaning("RATE_LIMIT_APPROACHING", v2).unwrap();
        assert_eq!(
            found.row,
            CatalogRow::Warning(warnings::RATE_LIMIT_APPROACHING)
        );
        assert_eq!(names(&found.also), ["RATE_LIMIT_QUOTA_WARNING"]);
    }

    #[test]
    fn nonsense_means_nothing() {
        for word in [
            "",
            " ",
            "NOPE",
            "2042",
            "0",
            "-1",
            "99999999999999999999",
            "urn:breakfall:code:",
        ] {
            assert!(look_up(word).is_empty(), "{word:?}");
        }
    }
}
