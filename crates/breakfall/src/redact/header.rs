//! Headers: some carry nothing but credentials, and say so by their name.

use std::borrow::Cow;

use super::mark::{Mark, is_marker};
use super::{Redactor, keys};

/// The value of a header without its secrets.
pub(super) fn redact<'a>(redactor: &Redactor, name: &str, value: &'a str) -> Cow<'a, str> {
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "authorization" | "proxy-authorization" => Cow::Owned(authorization(value)),
        "cookie" => Cow::Owned(cookies(value)),
        "set-cookie" => Cow::Owned(set_cookie(redactor, value)),
        _ => match keys::kind(&lower) {
            Some(mark) if !is_marker(value.as_bytes()) => Cow::Borrowed(mark.as_str()),
            _ => redactor.text(value),
        },
    }
}

/// The scheme stays: it says what kind of credentials were refused.
fn authorization(value: &str) -> String {
    let value = value.trim();
    let Some((scheme, rest)) = value.split_once(' ') else {
        return Mark::Secret.as_str().to_owned();
    };
    let mark = match scheme.to_ascii_lowercase().as_str() {
        _ if is_marker(rest.as_bytes()) => return value.to_owned(),
        "bearer" => Mark::Bearer,
        "basic" => Mark::Basic,
        _ => Mark::Secret,
    };
    format!("{scheme} {}", mark.as_str())
}

fn cookies(value: &str) -> String {
    let each: Vec<String> = value.split(';').map(|pair| cookie(pair.trim())).collect();
    each.join("; ")
}

fn cookie(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, value)) if !value.is_empty() => format!("{name}={}", Mark::Cookie.as_str()),
        _ => pair.to_owned(),
    }
}

fn set_cookie(redactor: &Redactor, value: &str) -> String {
    let (pair, attributes) = value.split_at(value.find(';').unwrap_or(value.len()));
    format!("{}{}", cookie(pair.trim()), redactor.text(attributes))
}
