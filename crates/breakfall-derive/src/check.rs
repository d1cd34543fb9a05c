//! Checks of the texts and names of the cases.

use syn::LitStr;

use crate::case::{Case, CaseCode};
use crate::errors::DeriveErrors;
use crate::field::FaultField;
use crate::suggest;
use crate::template;

/// Refuses two rows of one name, which would be one code with two meanings.
pub(crate) fn names(cases: &[Case<'_>], errors: &mut DeriveErrors) {
    let names = cases.iter().filter_map(|case| match &case.code {
        CaseCode::Own(row) => Some(&row.name),
        CaseCode::Known(_) | CaseCode::Inner | CaseCode::Broken => None,
    });
    let mut seen: Vec<&LitStr> = Vec::new();
    for name in names {
        if let Some(first) = seen.iter().find(|have| have.value() == name.value()) {
            let code = name.value();
            errors.push(
                name,
                format!("the code '{code}' is declared twice; to share one, write its row once and name it by path"),
            );
            errors.push(first, format!("the code '{code}' is declared here first"));
        } else {
            seen.push(name);
        }
    }
}

/// Checks the texts of a case against its fields and against each other.
pub(crate) fn texts(case: &Case<'_>, errors: &mut DeriveErrors) {
    let Case { texts, fields, .. } = case;
    constants(case, errors);
    if matches!(case.code, CaseCode::Broken) {
        return;
    }
    if let Some(message) = &texts.message {
        placeholders(message, case, false, errors);
        quotes(message, errors);
    }
    for text in texts.remediation.iter().chain(&texts.user_message) {
        placeholders(text, case, true, errors);
    }
    for text in texts.fallback_tool.iter().chain(&texts.docs_url) {
        fixed(text, errors);
    }
    if let (Some(message), Some(remediation)) = (&texts.message, &texts.remediation)
        && same(message, remediation)
    {
        let help = "the remediation repeats the message; say what to do about it, or leave it out";
        errors.push(remediation, help);
    }
    if let Some(retry) = &texts.retry
        && matches!(retry.variant, "Never" | "AfterChange")
        && fields.iter().any(FaultField::is_wait)
    {
        let word = &retry.word;
        let help = format!(
            "`{word}` contradicts the field with #[fault(retry_after)]: who waits, repeats"
        );
        errors.push(word, help);
    }
}

/// Refuses a fixed detail that a field or another fixed one is already.
fn constants(case: &Case<'_>, errors: &mut DeriveErrors) {
    for (at, constant) in case.constants.iter().enumerate() {
        let name = &constant.name;
        let is_field = case.fields.iter().any(|field| field.detail() == Some(name));
        if is_field || case.constants[..at].iter().any(|other| other.name == *name) {
            let help = format!("the detail '{name}' is given twice");
            errors.add(syn::Error::new(constant.at, help));
        }
    }
}

/// A text that is shown as it stands has no placeholders.
fn fixed(text: &LitStr, errors: &mut DeriveErrors) {
    if text.value().contains(['{', '}']) {
        let help = "no placeholders here; only message, remediation and user_message have them";
        errors.push(text, help);
    }
}

/// The placeholders of a text name details. Advice may also name the wait, where a field is one.
fn placeholders(text: &LitStr, case: &Case<'_>, is_advice: bool, errors: &mut DeriveErrors) {
    let template = text.value();
    let names = match template::placeholders(&template) {
        Ok(names) => names,
        Err(stray) => {
            let help = format!(
                "`{stray}` is no placeholder; write the name of a detail in braces, as in '{{id}}'"
            );
            errors.push(text, help);
            return;
        }
    };
    let details: Vec<&str> = case.keys().collect();
    let has_wait = case.fields.iter().any(FaultField::is_wait);
    for name in names {
        if is_advice && has_wait && name == template::WAIT {
            continue;
        }
        if !details.contains(&name) {
            errors.push(text, no_such_detail(name, &details));
        } else if let Some((_, part)) = RESERVED.iter().find(|(key, _)| *key == name) {
            errors.push(
                text,
                format!("`{{{name}}}` is never filled: a detail of this name {part}"),
            );
        }
    }
}

/// In a message, values can be told from the sentence.
fn quotes(message: &LitStr, errors: &mut DeriveErrors) {
    let template = message.value();
    if let Some(name) = template::unquoted(&template) {
        errors.push(
            message,
            format!("the value of `{{{name}}}` stands without single quotes; write '{{{name}}}'"),
        );
    }
}

fn no_such_detail(name: &str, details: &[&str]) -> String {
    if details.is_empty() {
        return format!("`{{{name}}}` names a detail that does not exist");
    }
    let help = suggest::or_all(name, details, "the details are");
    format!("`{{{name}}}` names no detail; {help}")
}

/// Whether two texts say the same, whatever their case and last stop.
fn same(a: &LitStr, b: &LitStr) -> bool {
    let plain = |text: &LitStr| {
        let text = text.value().to_lowercase();
        text.trim().trim_end_matches('.').to_owned()
    };
    plain(a) == plain(b)
}

/// Details that `breakfall` does not keep under their name, with where they go instead.
pub(crate) const RESERVED: &[(&str, &str)] = &[
    ("correlationId", "sets the correlation id"),
    ("correlation_id", "sets the correlation id"),
    ("docsUrl", "sets the link to the documentation"),
    ("docs_url", "sets the link to the documentation"),
    ("domainCode", "sets the domain code"),
    ("domain_code", "sets the domain code"),
    ("httpStatus", "sets the HTTP status"),
    ("http_status", "sets the HTTP status"),
    ("remediation", "sets the remediation"),
    ("retryAfter", "sets the wait"),
    ("retryAfterMs", "sets the wait"),
    ("retry_after_ms", "sets the wait"),
    ("retry_after_seconds", "sets the wait"),
    ("statusCode", "sets the HTTP status"),
    ("violations", "sets the violations"),
];
