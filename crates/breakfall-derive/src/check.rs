//! Whether the texts and names of the cases keep the rules the library has for them.

use syn::LitStr;

use crate::case::{Case, Code, Field, Use};
use crate::problems::Problems;
use crate::template;

/// Refuses two rows of one name, which would be one code with two meanings.
pub(crate) fn names(cases: &[Case<'_>], problems: &mut Problems) {
    let names = cases.iter().filter_map(|case| match &case.code {
        Code::Own(row) => Some(&row.name),
        Code::Known { .. } | Code::Broken => None,
    });
    let mut seen: Vec<&LitStr> = Vec::new();
    for name in names {
        if let Some(first) = seen.iter().find(|have| have.value() == name.value()) {
            let code = name.value();
            problems.push(
                name,
                format!("the code '{code}' is declared twice; to share one, write its row once and name it by path"),
            );
            problems.push(first, format!("the code '{code}' is declared here first"));
        } else {
            seen.push(name);
        }
    }
}

/// A text that is shown as it stands has no placeholders.
pub(crate) fn fixed(text: Option<&LitStr>, problems: &mut Problems) {
    let Some(text) = text else {
        return;
    };
    if text.value().contains(['{', '}']) {
        problems.push(
            text,
            "only message has placeholders; this text is shown as it is",
        );
    }
}

/// The placeholders of a message name details, and their values can be told from the sentence.
pub(crate) fn message(message: &LitStr, fields: &[Field<'_>], problems: &mut Problems) {
    let template = message.value();
    let names = match template::placeholders(&template) {
        Ok(names) => names,
        Err(stray) => {
            let help = format!(
                "`{stray}` is no placeholder; write the name of a detail in braces, as in '{{id}}'"
            );
            problems.push(message, help);
            return;
        }
    };
    let details = fields.iter().filter_map(|field| match &field.becomes {
        Use::Detail(key) => Some(key.as_str()),
        Use::Source | Use::Wait | Use::Nothing => None,
    });
    let details: Vec<&str> = details.collect();
    for name in names {
        if !details.contains(&name) {
            problems.push(message, no_such_detail(name, &details));
        } else if let Some((_, part)) = RESERVED.iter().find(|(key, _)| *key == name) {
            problems.push(
                message,
                format!("`{{{name}}}` is never filled: a detail of this name {part}"),
            );
        }
    }
    if let Some(name) = template::unquoted(&template) {
        problems.push(
            message,
            format!("the value of `{{{name}}}` stands without single quotes; write '{{{name}}}'"),
        );
    }
}

fn no_such_detail(name: &str, details: &[&str]) -> String {
    if details.is_empty() {
        return format!("`{{{name}}}` names no detail, for there is none");
    }
    let list = details.join(", ");
    format!("`{{{name}}}` names no detail; the details are: {list}")
}

/// Details that `breakfall` does not keep under their name, with where they go instead.
pub(crate) const RESERVED: &[(&str, &str)] = &[
    ("correlationId", "sets the correlation id"),
    ("correlation_id", "sets the correlation id"),
    ("docsUrl", "sets the link to the documentation"),
    ("docs_url", "sets the link to the documentation"),
    ("domainCode", "sets the domain code"),
    ("domain_code", "sets the domain code"),
    (
        "field",
        "is kept as `param_name`; call it so with #[fault(detail = \"param_name\")]",
    ),
    ("httpStatus", "sets the HTTP status"),
    ("http_status", "sets the HTTP status"),
    (
        "period",
        "is kept as `window`; call it so with #[fault(detail = \"window\")]",
    ),
    ("remediation", "sets the remediation"),
    ("retryAfter", "sets the wait"),
    ("retryAfterMs", "sets the wait"),
    ("retry_after_ms", "sets the wait"),
    ("retry_after_seconds", "sets the wait"),
    ("statusCode", "sets the HTTP status"),
    ("violations", "sets the violations"),
];
