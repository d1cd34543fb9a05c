//! The variable that a server misses, by its last words.

/// A variable a server misses.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MissingVariable {
    Named(String),
    /// Its words name a key, and no variable.
    Unnamed,
}

/// Whether a server ended for want of a variable, and of which one, if it names it. A variable that is set is not missing.
pub(super) fn missing_variable(
    words: &str,
    is_set: impl Fn(&str) -> bool,
) -> Option<MissingVariable> {
    let small = words.to_lowercase();
    if !WANT.iter().any(|want| small.contains(want)) {
        return None;
    }
    let is_about_variables = small.contains("environment variable") || small.contains("env var");
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let names = words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut names = names.filter(|name| {
        name.contains('_')
            && name.len() >= 5
            && name.chars().all(is_part)
            && name.starts_with(|c: char| c.is_ascii_uppercase())
    });
    let is_secret = |name: &str| SECRETS.iter().any(|secret| name.ends_with(secret));
    let named = names.find(|name| (is_about_variables || is_secret(name)) && !is_set(name));
    if let Some(name) = named {
        return Some(MissingVariable::Named(name.to_owned()));
    }
    let is_key = ["api key", "api-key", "apikey", "api token", "access token"];
    is_key
        .iter()
        .any(|key| small.contains(key))
        .then_some(MissingVariable::Unnamed)
}

/// How programs say that something is missing.
const WANT: [&str; 12] = [
    "missing",
    "required",
    "not set",
    "must be set",
    "not provided",
    "must provide",
    "please set",
    "please provide",
    "not found",
    "undefined",
    "keyerror",
    "unset",
];

/// How the names of secrets end.
const SECRETS: [&str; 8] = [
    "_KEY",
    "_TOKEN",
    "_SECRET",
    "_PASSWORD",
    "_PAT",
    "_CREDENTIALS",
    "_AUTH",
    "_URL",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_variable_is_found_in_the_words_of_real_servers() {
        let named = |name: &str| Some(MissingVariable::Named(name.to_owned()));
        #[rustfmt::skip]
        let cases = [
            ("Error: BRAVE_API_KEY environment variable is required", named("BRAVE_API_KEY")),
            ("GITHUB_PERSONAL_ACCESS_TOKEN not set", named("GITHUB_PERSONAL_ACCESS_TOKEN")),
            ("Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables", named("SLACK_BOT_TOKEN")),
            ("KeyError: 'OPENAI_API_KEY'", named("OPENAI_API_KEY")),
            ("Error: Missing API key", Some(MissingVariable::Unnamed)),
            ("environment variable SET_ALREADY_KEY is required", None),
            ("npm error code E404 not found", None),
            ("connection refused", None),
        ];
        for (words, want) in cases {
            assert_eq!(
                missing_variable(words, |name| name == "SET_ALREADY_KEY"),
                want,
                "{words}"
            );
        }
    }
}
