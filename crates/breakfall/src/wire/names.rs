//! The names of codes in each dialect, in both directions.

use std::borrow::Cow;

use super::{Dialect, error_model, mcp_aql, mcp_error, problem, response_v2, tool_error};
use crate::catalog;
use crate::code::Code;

/// The built-in code a name of a dialect stands for when nothing more is said. In `error-model` a name is a number
/// or the word that goes with it.
///
/// ```
/// use breakfall::codes;
/// use breakfall::wire::{Dialect, code_of};
///
/// assert_eq!(code_of("2002", Dialect::ErrorModel), Some(codes::VALIDATION_MISSING_PARAM));
/// assert_eq!(code_of("TOKEN_EXPIRED", Dialect::ResponseV2), Some(codes::AUTHENTICATION_EXPIRED));
/// assert_eq!(code_of("TOKEN_EXPIRED", Dialect::McpAql), Some(codes::TOKEN_EXPIRED));
/// ```
pub fn code_of(name: &str, dialect: Dialect) -> Option<Code> {
    match dialect {
        Dialect::Native => catalog::by_name(name),
        Dialect::ResponseV2 => {
            let known = response_v2::CODES.iter().find(|(have, ..)| *have == name);
            known.map(|(_, _, code)| *code)
        }
        Dialect::McpError => mcp_error::by_name(name),
        Dialect::ErrorModel => {
            let number = number_of(name)?;
            let known = error_model::CODES.iter().find(|(have, _)| *have == number);
            known.map(|(_, code)| *code)
        }
        Dialect::ToolError => {
            let known = tool_error::CODES.iter().find(|(have, _)| *have == name);
            known.map(|(_, code)| *code)
        }
        Dialect::McpAql => mcp_aql::by_name(name).or_else(|| Some(mcp_aql::alias(name)?.0)),
        Dialect::Problem => catalog::by_name(name.strip_prefix(problem::TYPE_PREFIX)?),
    }
}

/// The name a dialect writes for a code; none for a code that is a question there.
///
/// ```
/// use breakfall::codes;
/// use breakfall::wire::{Dialect, name_of};
///
/// let name = name_of(codes::NOT_FOUND_RESOURCE, Dialect::ResponseV2);
/// assert_eq!(name.as_deref(), Some("RESOURCE_NOT_FOUND"));
/// assert_eq!(name_of(codes::CONFIRMATION_REQUIRED, Dialect::ToolError), None);
/// ```
pub fn name_of(code: Code, dialect: Dialect) -> Option<Cow<'static, str>> {
    let (name, names) = (code.name(), &code.entry().names);
    Some(match dialect {
        Dialect::Native => Cow::Borrowed(name),
        Dialect::ResponseV2 => Cow::Borrowed(names.response_v2),
        Dialect::McpError => Cow::Borrowed(names.mcp_error),
        Dialect::ErrorModel => Cow::Owned(names.error_model.to_string()),
        Dialect::ToolError if names.needs_input.is_some() => return None,
        Dialect::ToolError => Cow::Borrowed(names.tool_error),
        Dialect::McpAql => Cow::Borrowed(names.mcp_aql),
        Dialect::Problem => Cow::Owned(format!("{}{name}", problem::TYPE_PREFIX)),
    })
}

/// The word that goes with a standard number of `error-model`.
pub fn number_name(number: u16) -> Option<&'static str> {
    let known = NUMBERS.iter().find(|(have, _)| *have == number);
    known.map(|(_, name)| *name)
}

fn number_of(text: &str) -> Option<u16> {
    text.parse().ok().or_else(|| {
        let known = NUMBERS.iter().find(|(_, name)| *name == text);
        known.map(|(number, _)| *number)
    })
}

const NUMBERS: &[(u16, &str)] = &[
    (2001, "VALIDATION_ERROR"),
    (2002, "MISSING_REQUIRED_FIELD"),
    (2003, "INVALID_FORMAT"),
    (3001, "RATE_LIMIT_EXCEEDED"),
    (3002, "TIMEOUT"),
    (4001, "ADAPTER_ERROR"),
    (4002, "BACKEND_UNAVAILABLE"),
    (5001, "NOT_IMPLEMENTED"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_a_code_that_goes_by_it() {
        for &code in catalog::CODES {
            for &dialect in Dialect::ALL {
                let Some(name) = name_of(code, dialect) else {
                    continue;
                };
                let found = code_of(&name, dialect).and_then(|code| name_of(code, dialect));
                assert_eq!(found, Some(name), "{code} in {dialect}");
            }
        }
    }

    #[test]
    fn every_standard_number_has_a_word() {
        for (number, code) in error_model::CODES {
            let word = number_name(*number).unwrap_or_default();
            assert_eq!(code_of(word, Dialect::ErrorModel), Some(*code), "{number}");
        }
    }

    #[test]
    fn a_name_of_another_dialect_is_unknown() {
        assert_eq!(code_of("2002", Dialect::McpAql), None);
        assert_eq!(code_of("VALIDATION_MISSING_PARAM", Dialect::Problem), None);
        assert_eq!(code_of("MISSING_REQUIRED", Dialect::ErrorModel), None);
    }
}
