//! Names we do not know: the foreign name is kept beside the code that stands for its category.

use crate::catalog::registry::is_code_name;
use crate::catalog::{codes, usual};
use crate::code::{Category, Code, Status};
use crate::fault::{Fault, Public};
use crate::render;

use super::Options;

/// A fault of a native or a server's own name; of the stated or the likeliest category if the name is unknown.
pub(crate) fn named(name: &str, category: Option<Category>, options: &Options) -> Fault {
    match options.code(name) {
        Some(code) => Fault::new(code),
        None => unknown(name, category),
    }
}

/// Reads the text form of a fault.
pub(crate) fn read_text(text: &str, options: &Options) -> Option<Fault> {
    render::read_fault(text, |name| named(name, None, options))
}

/// A fault of an unknown name.
pub(crate) fn unknown(name: &str, category: Option<Category>) -> Fault {
    let code = match category {
        Some(category) => usual(category),
        None => code_of(name).unwrap_or(codes::INTERNAL_UNKNOWN),
    };
    Fault::new(code).domain_code(name)
}

/// The code the words of a foreign name stand for. What is unavailable differs in what may have been done meanwhile, so that
/// it matters how; for the rest the category will do.
fn code_of(name: &str) -> Option<Code> {
    let code = usual(category_of(name)?);
    if code != codes::UNAVAILABLE_SERVICE {
        return Some(code);
    }
    let upper = name.to_ascii_uppercase();
    let any = |words: &[&str]| words.iter().any(|word| has(&upper, word));
    Some(if any(&["TIMEOUT"]) {
        codes::UNAVAILABLE_TIMEOUT
    } else if any(&["NETWORK", "CONNECTION"]) {
        codes::UNAVAILABLE_NETWORK
    } else {
        code
    })
}

/// The name to show beside the code: one that was set, or that of a server's own row.
pub(crate) fn domain_code(public: &Public) -> Option<&str> {
    let entry = public.code.entry();
    public
        .domain_code()
        .or((entry.status == Status::Custom).then_some(entry.name))
}

/// The foreign name by itself, where reading it gives the same fault again: what came from outside goes out as it
/// came.
pub(crate) fn as_it_came(public: &Public, read: impl Fn(&str) -> Fault) -> Option<&str> {
    public.domain_code().filter(|name| {
        let same = |fault: &Public| fault.code == public.code && fault.domain_code() == Some(name);
        is_code_name(name) && same(read(name).public())
    })
}

/// Takes a domain code back: a server's own row if the catalogue has it, a name beside the code if not.
pub(crate) fn set_domain_code(public: &mut Public, name: &str, options: &Options) {
    match options
        .code(name)
        .filter(|code| code.entry().status == Status::Custom)
    {
        Some(code) => public.code = code,
        None => public.domain_code = Some(name.into()),
    }
}

/// What the words of a foreign name say about its category. The first row that matches decides, so the order
/// matters: `TOKEN_LIMIT_EXCEEDED` is about a limit before it is about a token.
pub(crate) fn category_of(name: &str) -> Option<Category> {
    let upper = name.to_ascii_uppercase();
    PHRASES
        .iter()
        .find(|(phrase, _)| has(&upper, phrase))
        .map(|(_, category)| *category)
}

/// Whether a name in capitals has a phrase in it, as whole words.
fn has(upper: &str, phrase: &str) -> bool {
    let mut start = 0;
    while let Some(at) = upper[start..].find(phrase) {
        let (from, to) = (start + at, start + at + phrase.len());
        let whole = |edge: Option<u8>| edge.is_none_or(|b| !b.is_ascii_alphanumeric());
        if whole(from.checked_sub(1).map(|i| upper.as_bytes()[i]))
            && whole(upper.as_bytes().get(to).copied())
        {
            return true;
        }
        start = to;
    }
    false
}

const PHRASES: &[(&str, Category)] = &[
    ("NOT_FOUND", Category::NotFound),
    ("RATE_LIMIT", Category::RateLimit),
    ("RATE_LIMITED", Category::RateLimit),
    ("RATE_LIMITS", Category::RateLimit),
    ("LIMIT_EXCEEDED", Category::RateLimit),
    ("QUOTA", Category::RateLimit),
    ("THROTTLED", Category::RateLimit),
    ("ABUSE", Category::RateLimit),
    ("CONFIRMATION", Category::Confirmation),
    ("UNAUTHENTICATED", Category::Authentication),
    ("UNAUTHORIZED", Category::Authentication),
    ("AUTHENTICATION", Category::Authentication),
    ("CREDENTIAL", Category::Authentication),
    ("CREDENTIALS", Category::Authentication),
    ("AUTH", Category::Authentication),
    ("FORBIDDEN", Category::Authorization),
    ("PERMISSION", Category::Authorization),
    ("AUTHORIZATION", Category::Authorization),
    ("DENIED", Category::Authorization),
    ("FEATURE_DISABLED", Category::Authorization),
    ("NOT_ALLOWED", Category::Authorization),
    ("CONFLICT", Category::Conflict),
    ("DUPLICATE", Category::Conflict),
    ("ALREADY", Category::Conflict),
    ("BUSY", Category::Conflict),
    ("STATE", Category::Conflict),
    ("INSUFFICIENT", Category::Business),
    ("BUSINESS", Category::Business),
    ("TIMEOUT", Category::Unavailable),
    ("UNAVAILABLE", Category::Unavailable),
    ("CONNECTION", Category::Unavailable),
    ("CONNECTION_FAILED", Category::Unavailable),
    ("TRANSPORT", Category::Unavailable),
    ("NETWORK", Category::Unavailable),
    ("DEPENDENCY", Category::Unavailable),
    ("UPSTREAM", Category::Unavailable),
    ("VALIDATION", Category::Validation),
    ("INVALID", Category::Validation),
    ("MISSING", Category::Validation),
    ("REQUIRED", Category::Validation),
    ("SCHEMA", Category::Validation),
    ("SUSPICIOUS_INPUT", Category::Validation),
    ("SERIALIZATION", Category::Internal),
    ("PLUGIN", Category::Internal),
    ("INTERNAL", Category::Internal),
    ("OPERATION_FAILED", Category::Internal),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_of_a_name_tell_its_category() {
        let cases = [
            ("USER_NOT_FOUND", Some(Category::NotFound)),
            ("INVALID_EMAIL", Some(Category::Validation)),
            ("GITHUB_ABUSE_DETECTED", Some(Category::RateLimit)),
            ("INVALID_ORDER_STATE", Some(Category::Conflict)),
            ("AUTHOR_GONE", None),
            ("rate_limited", Some(Category::RateLimit)),
        ];
        for (name, category) in cases {
            assert_eq!(category_of(name), category, "{name}");
        }
    }

    #[test]
    fn a_name_tells_how_something_is_unavailable() {
        let cases = [
            ("TIMEOUT", codes::UNAVAILABLE_TIMEOUT),
            ("REQUEST_TIMEOUT", codes::UNAVAILABLE_TIMEOUT),
            ("CONNECTION_TIMEOUT", codes::UNAVAILABLE_TIMEOUT),
            ("NETWORK_ERROR", codes::UNAVAILABLE_NETWORK),
            ("CONNECTION_FAILED", codes::UNAVAILABLE_NETWORK),
            ("SHOP_UNAVAILABLE", codes::UNAVAILABLE_SERVICE),
        ];
        for (name, code) in cases {
            assert_eq!(unknown(name, None).code(), code, "{name}");
        }
    }

    #[test]
    fn an_unknown_name_is_kept() {
        let fault = unknown("WEIRD_THING", None);
        assert_eq!(
            (fault.code(), fault.public().domain_code()),
            (codes::INTERNAL_UNKNOWN, Some("WEIRD_THING"))
        );
    }
}
