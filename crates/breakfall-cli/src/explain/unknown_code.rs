//! A word that is not a code: suggestions.

use std::borrow::Cow;

use breakfall::catalog::CODES;
use breakfall::catalog::warning::WARNINGS;
use breakfall::suggest::nearest;
use breakfall::wire::{self, Dialect, Options, name_of, number_name};
use breakfall::{Category, Code, Fault, codes};
use serde_json::json;

use crate::layout::shorten;
use crate::report::CommandError;

/// The error of an unknown code.
pub(super) fn error(query: &str) -> CommandError {
    let shown = shorten(query);
    if query.is_empty() {
        return CommandError::input("the code is empty").hint(LIST);
    }
    let lower = query.to_ascii_lowercase();
    if Category::from_word(&lower).is_some() {
        let message = format!("'{shown}' is a category, not a code");
        let how = format!("list its codes with: breakfall explain --list --category {lower}");
        return CommandError::input(message).hint(how);
    }
    if Dialect::from_name(&lower).is_some() {
        let message = format!("'{shown}' is a wire format, not a code");
        let how = format!("list its names with: breakfall explain --list --dialect {lower}");
        return CommandError::input(message).hint(how);
    }
    if query.parse::<i64>().is_ok() {
        let numbers =
            "the numbers are those of error-model, of JSON-RPC, and of HTTP from 400 to 599";
        return CommandError::input(format!("unknown code '{shown}'")).hint(numbers);
    }
    match suggestions(query).as_slice() {
        [] => {
            let error = CommandError::input(format!("unknown code '{shown}'"));
            match read_as(query) {
                Some(code) => error.hint(format!("by its words an error of it is read as {code}")),
                None => error,
            }
        }
        meant => CommandError::input(format!(
            "unknown code '{shown}'; did you mean {}?",
            either(meant)
        )),
    }
    .hint(LIST)
}

/// The code as which an error of this name is read, if its words have a meaning.
fn read_as(name: &str) -> Option<Code> {
    let document = json!({"success": false, "error": {"code": name, "message": "-"}});
    let outcome = wire::decode(document, Dialect::McpAql, &Options::new()).ok()?;
    let code = outcome.fault().map(Fault::code)?;
    (code != codes::INTERNAL_UNKNOWN).then_some(code)
}

const LIST: &str = "list the codes with: breakfall explain --list";

/// The name it may be a misspelling of, or the few it is part of.
fn suggestions(query: &str) -> Vec<Cow<'static, str>> {
    let names = names();
    if let Some(name) = nearest(query, names.iter().map(AsRef::as_ref)) {
        return vec![Cow::Owned(name.to_owned())];
    }
    let part = query.to_ascii_uppercase();
    let mut around: Vec<_> = names
        .into_iter()
        .filter(|name| name.contains(&part))
        .collect();
    if part.len() < MIN_PART || around.len() > MAX_SUGGESTIONS {
        around.clear();
    }
    around
}

/// A shorter part occurs in too many names.
const MIN_PART: usize = 4;
const MAX_SUGGESTIONS: usize = 3;

/// Every name once, native names first.
fn names() -> Vec<Cow<'static, str>> {
    let mut names: Vec<Cow<'static, str>> = CODES.iter().map(|code| code.name().into()).collect();
    names.extend(WARNINGS.iter().map(|code| Cow::from(code.name())));
    let foreign = Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::Problem);
    for &dialect in foreign {
        names.extend(CODES.iter().filter_map(|code| name_of(*code, dialect)));
    }
    let numbers = CODES.iter().map(|code| code.entry().names.error_model);
    names.extend(numbers.filter_map(number_name).map(Cow::from));
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn either(names: &[Cow<'static, str>]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(query: &str) -> String {
        error(query).message
    }

    #[test]
    fn a_misspelt_code_has_a_suggestion() {
        for (typed, meant) in [
            ("VALIDATION_MISING_PARAM", "VALIDATION_MISSING_PARAM"),
            ("not_found_resuorce", "NOT_FOUND_RESOURCE"),
            ("RESOURCE_NOTFOUND", "RESOURCE_NOT_FOUND"),
            ("CONTENT_TRUNCATE", "CONTENT_TRUNCATED"),
            ("BACKEND_UNAVAILABEL", "BACKEND_UNAVAILABLE"),
        ] {
            let expected = format!("unknown code '{typed}'; did you mean {meant}?");
            assert_eq!(message(typed), expected);
        }
    }

    #[test]
    fn part_of_a_name_leads_to_the_few_that_have_it() {
        assert_eq!(
            message("missing_param"),
            "unknown code 'missing_param'; did you mean VALIDATION_MISSING_PARAM?"
        );
        assert_eq!(
            message("QUOTA_P"),
            "unknown code 'QUOTA_P'; did you mean RATE_LIMIT_QUOTA_PAUSE?"
        );
        assert_eq!(
            message("VALIDATION"),
            "'VALIDATION' is a category, not a code"
        );
        assert_eq!(message("INVALID"), "unknown code 'INVALID'");
    }

    #[test]
    fn a_word_of_another_kind_is_named() {
        assert_eq!(message("mcp-aql"), "'mcp-aql' is a wire format, not a code");
        assert_eq!(message("xyzzy"), "unknown code 'xyzzy'");
        assert_eq!(message("2042"), "unknown code '2042'");
        assert_eq!(message(""), "the code is empty");
    }

    #[test]
    fn an_unknown_name_is_read_by_its_words() {
        let hints = error("USER_NOT_FOUND").hints;
        assert_eq!(
            hints[0],
            "by its words an error of it is read as NOT_FOUND_RESOURCE"
        );
        assert_eq!(error("xyzzy").hints, [LIST]);
    }

    #[test]
    fn several_suggestions_read_like_a_sentence() {
        let names = ["A", "B", "C"].map(Cow::Borrowed);
        assert_eq!(either(&names), "A, B or C");
        assert_eq!(either(&names[..2]), "A or B");
        assert_eq!(either(&names[..1]), "A");
    }
}
