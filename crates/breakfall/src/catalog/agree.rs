//! Whether a row agrees with itself and with the code it extends. A caller who is told to wait, and that waiting is
//! in vain, has been told nothing.

use super::CODES;
use super::registry::Problem;
use crate::code::{Category, Code, Entry, Hint, Retry};

/// Everything a row says that another part of it denies.
pub(super) fn problems(entry: &Entry) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (category, retry) = (entry.category, entry.retry);
    if !may_have(category, retry) {
        problems.push(Problem::new(
            "retry",
            format!("'{retry}' contradicts the category '{category}': the same call fails again"),
            "say never or after_change, or extend a code of another category",
        ));
    }
    if matches!(entry.hint, Hint::RetryLater) && !retry.is_retryable() {
        problems.push(Problem::new(
            "hint",
            format!("'{}' contradicts the retry class '{retry}'", entry.hint),
            "change one of the two",
        ));
    }
    if let Some(code) = owner_of(entry.remediation.template)
        && (!agree(code, retry) || (is_once(code.entry().retry) && !is_once(retry)))
    {
        problems.push(Problem::new(
            "remediation",
            format!(
                "the text is that of '{code}', whose retry class '{}' contradicts '{retry}'",
                code.entry().retry
            ),
            "write what to do in this case",
        ));
    }
    if (400..=599).contains(&entry.http) && !http_fits(category, entry.http) {
        problems.push(Problem::new(
            "http",
            format!("{} contradicts the category '{category}'", entry.http),
            if is_of_the_server(category) {
                "use a status from 500 to 599, or extend a code of another category"
            } else {
                "use a status from 400 to 499, or extend a code of another category"
            },
        ));
    }
    problems
}

/// Advice to try once more says how often, so it does for no other class.
const fn is_once(retry: Retry) -> bool {
    matches!(retry, Retry::Once)
}

/// Whether advice for one retry class does for another. The compiler may ask.
pub(crate) const fn agree(base: Code, retry: Retry) -> bool {
    base.entry().retry.is_retryable() == retry.is_retryable()
}

/// Whether a failure of the category may have the retry class: where the call itself is at fault, or a person has to
/// act, the same call fails the same way. The compiler may ask.
pub(crate) const fn may_have(category: Category, retry: Retry) -> bool {
    match category {
        Category::Validation
        | Category::Authentication
        | Category::Authorization
        | Category::Confirmation => !retry.is_retryable(),
        Category::NotFound
        | Category::Conflict
        | Category::RateLimit
        | Category::Business
        | Category::Unavailable
        | Category::Internal => true,
    }
}

/// Whether a failure of the category may have the HTTP status. The compiler may ask.
pub(crate) const fn http_fits(category: Category, status: u16) -> bool {
    (status >= 500) == is_of_the_server(category)
}

const fn is_of_the_server(category: Category) -> bool {
    matches!(category, Category::Unavailable | Category::Internal)
}

/// The built-in code whose advice a text is; no two share one.
fn owner_of(remediation: &str) -> Option<Code> {
    let mut codes = CODES.iter().copied();
    codes.find(|code| code.entry().remediation.template == remediation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_rows_agree_with_themselves() {
        for code in CODES {
            assert_eq!(problems(code.entry()), [], "{code}");
        }
    }
}
