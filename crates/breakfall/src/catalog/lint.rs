//! What a text of a row must not look like. Run over every built-in row by the tests and over every row a
//! server registers.
//!
//! The leakage patterns are those graders of MCP-AQL servers apply to messages, without regard to case. One of
//! them, `at\s+\S+`, hunts for stack frames and has no word boundary, so that it strikes innocent English as
//! well ("the format of"): our own words avoid it rather than argue.

use super::words;
use crate::template::{self, TemplatePiece};

/// A placeholder of a registered template that breaks a rule the registry itself sets up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exception {
    /// The code whose template it is.
    pub code: &'static str,
    /// The placeholder.
    pub placeholder: &'static str,
    /// It stands without single quotes.
    pub unquoted: bool,
    /// The code's details have no such key.
    pub undeclared: bool,
}

/// All exceptions. The templates are literal as their registry prints them, or, for batches, as its example and
/// response-v2 count failures; none of this library's own templates is on this list.
pub const EXCEPTIONS: &[Exception] = &[
    exception("VALIDATION_UNKNOWN_PARAM", "param_list", true, true),
    exception("VALIDATION_PAYLOAD_TOO_LARGE", "limit_type", true, false),
    exception("VALIDATION_PAYLOAD_TOO_LARGE", "limit_value", true, false),
    exception(
        "PERMISSION_DANGER_LEVEL_DENIED",
        "danger_level",
        true,
        false,
    ),
    exception("NOT_FOUND_OPERATION", "operation_name", false, true),
    exception("INTERNAL_ERROR", "description", false, true),
    exception("BATCH_FAILED", "total", true, false),
    exception("BATCH_PARTIAL_FAILURE", "failed", true, false),
    exception("BATCH_PARTIAL_FAILURE", "total", true, false),
    exception("PARTIAL_FAILURE", "failed", true, false),
    exception("PARTIAL_FAILURE", "total", true, false),
];

/// One thing wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// The text is empty.
    Empty,
    /// A placeholder stands outside single quotes.
    Unquoted(String),
    /// A placeholder that the details have no key for.
    Undeclared(String),
    /// A placeholder is opened and not closed.
    Unclosed(String),
    /// The plain form has a placeholder.
    NotPlain(String),
    /// The text looks like leaked internals.
    Leak(Leak),
    /// The text says nothing.
    Vague,
    /// The text speaks of the machinery, in this word.
    Jargon(&'static str),
}

impl Finding {
    /// Whether the text still works. Graders of MCP-AQL servers hold such findings against `error.message`; in other
    /// formats they are a matter of style.
    pub const fn is_style(&self) -> bool {
        matches!(
            self,
            Self::Unquoted(_) | Self::Leak(_) | Self::Vague | Self::Jargon(_)
        )
    }
}

/// A pattern that betrays internals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leak {
    /// "at" before a word, as in a stack frame.
    Frame,
    /// A path with `/src/`.
    Source,
    /// A path with `/node_modules/`.
    NodeModules,
    /// A line number in a TypeScript file.
    TypeScriptLine,
    /// A line number in a JavaScript file.
    JavaScriptLine,
    /// The name `TypeError`.
    TypeError,
    /// The name `ReferenceError`.
    ReferenceError,
    /// The name `SyntaxError`.
    SyntaxError,
}

impl Leak {
    /// The pattern in words a person can act on.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Frame => "letters 'at' before a space, which graders take for a stack frame",
            Self::Source => "'/src/'",
            Self::NodeModules => "'/node_modules/'",
            Self::TypeScriptLine => "a line number after '.ts:'",
            Self::JavaScriptLine => "a line number after '.js:'",
            Self::TypeError => "'TypeError'",
            Self::ReferenceError => "'ReferenceError'",
            Self::SyntaxError => "'SyntaxError'",
        }
    }
}

/// Everything wrong with the message template of a code whose details have the given keys.
pub fn message<'a>(
    code: &str,
    template: &str,
    keys: impl IntoIterator<Item = &'a str>,
) -> Vec<Finding> {
    let mut findings = text(template);
    findings.extend(unclosed(template));
    let keys: Vec<&str> = keys.into_iter().collect();
    for (name, quoted) in placeholders(template) {
        let allowed = EXCEPTIONS
            .iter()
            .find(|e| e.code == code && e.placeholder == name);
        if !quoted && !allowed.is_some_and(|e| e.unquoted) {
            findings.push(Finding::Unquoted(name.to_owned()));
        }
        if !keys.contains(&name) && !allowed.is_some_and(|e| e.undeclared) {
            findings.push(Finding::Undeclared(name.to_owned()));
        }
    }
    findings
}

/// Everything wrong with a text that may have placeholders in any place, such as a remediation.
pub fn advice<'a>(template: &str, keys: impl IntoIterator<Item = &'a str>) -> Vec<Finding> {
    let mut findings = text(template);
    findings.extend(unclosed(template));
    let keys: Vec<&str> = keys.into_iter().collect();
    let unknown = template::placeholders(template).filter(|name| !keys.contains(name));
    findings.extend(unknown.map(|name| Finding::Undeclared(name.to_owned())));
    findings
}

/// Names behind a brace that nothing closes. A brace before anything else is one of a text.
fn unclosed(template: &str) -> impl Iterator<Item = Finding> {
    template::pieces(template).filter_map(|piece| match piece {
        TemplatePiece::Name(_) => None,
        TemplatePiece::Literal(text) => {
            let inside = text.strip_prefix('{')?;
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = &inside[..inside.find(|c| !is_part(c)).unwrap_or(inside.len())];
            (!name.is_empty()).then(|| Finding::Unclosed(name.to_owned()))
        }
    })
}

/// Everything wrong with a text that has no placeholders, such as a plain form.
pub fn plain(words: &str) -> Vec<Finding> {
    let mut findings = text(words);
    findings.extend(template::placeholders(words).map(|name| Finding::NotPlain(name.to_owned())));
    findings
}

/// The patterns of leaked internals a text matches.
pub fn leaks(text: &str) -> Vec<Leak> {
    let text = text.to_lowercase();
    let mut leaks = Vec::new();
    if has_frame(&text) {
        leaks.push(Leak::Frame);
    }
    for (needle, leak) in [
        ("/src/", Leak::Source),
        ("/node_modules/", Leak::NodeModules),
        ("typeerror", Leak::TypeError),
        ("referenceerror", Leak::ReferenceError),
        ("syntaxerror", Leak::SyntaxError),
    ] {
        if text.contains(needle) {
            leaks.push(leak);
        }
    }
    for (suffix, leak) in [
        (".ts:", Leak::TypeScriptLine),
        (".js:", Leak::JavaScriptLine),
    ] {
        if has_line_number(&text, suffix) {
            leaks.push(leak);
        }
    }
    leaks
}

fn text(text: &str) -> Vec<Finding> {
    if text.trim().is_empty() {
        return vec![Finding::Empty];
    }
    let mut findings: Vec<Finding> = leaks(text).into_iter().map(Finding::Leak).collect();
    let says_a_value = template::placeholders(text).next().is_some();
    findings.extend((!says_a_value && words::is_vague(text)).then_some(Finding::Vague));
    findings.extend(words::jargon(text).map(Finding::Jargon));
    findings
}

/// `at\s+\S+`, with nothing said about what stands before.
fn has_frame(text: &str) -> bool {
    text.match_indices("at").any(|(start, at)| {
        let after = &text[start + at.len()..];
        after.starts_with(char::is_whitespace) && !after.trim_start().is_empty()
    })
}

fn has_line_number(text: &str, suffix: &str) -> bool {
    text.match_indices(suffix)
        .any(|(start, _)| text[start + suffix.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Placeholders with whether they stand inside single quotes. An apostrophe between letters opens no quote.
fn placeholders(template: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = template;
    let mut quoted = false;
    for name in template::placeholders(template) {
        let token = format!("{{{name}}}");
        let Some((before, after)) = rest.split_once(token.as_str()) else {
            break;
        };
        quoted ^= quote_marks(before) % 2 == 1;
        found.push((name, quoted && after.contains('\'')));
        rest = after;
    }
    found
}

fn quote_marks(text: &str) -> usize {
    let letters = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices('\'')
        .filter(|(at, mark)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + mark.len()..].chars().next();
            !(letters(before) && letters(after))
        })
        .count()
}

const fn exception(
    code: &'static str,
    placeholder: &'static str,
    unquoted: bool,
    undeclared: bool,
) -> Exception {
    Exception {
        code,
        placeholder,
        unquoted,
        undeclared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_leakage_pattern_is_found_in_any_case() {
        for (text, leak) in [
            ("failed at main", Leak::Frame),
            ("the FORMAT  of it", Leak::Frame),
            ("that\tfield", Leak::Frame),
            ("open /SRC/lib", Leak::Source),
            ("/node_modules/x", Leak::NodeModules),
            ("index.ts:12", Leak::TypeScriptLine),
            ("index.JS:9", Leak::JavaScriptLine),
            ("TypeError: x", Leak::TypeError),
            ("an uncaught referenceerror", Leak::ReferenceError),
            ("SyntaxError", Leak::SyntaxError),
        ] {
            assert_eq!(leaks(text), [leak], "{text}");
        }
    }

    #[test]
    fn what_the_patterns_do_not_match_passes() {
        for text in [
            "look at",
            "at ",
            "attach it",
            "format: x",
            "index.ts",
            "a.ts: 12",
            "src/lib",
            "",
        ] {
            assert_eq!(leaks(text), [], "{text}");
        }
    }

    #[test]
    fn a_dynamic_value_stands_in_single_quotes() {
        let unquoted = |template| message("X_Y", template, ["a", "b"]);
        assert_eq!(unquoted("is {a}"), [Finding::Unquoted("a".into())]);
        assert_eq!(unquoted("is '{a}"), [Finding::Unquoted("a".into())]);
        assert_eq!(unquoted("'{a}' is {b}"), [Finding::Unquoted("b".into())]);
        assert_eq!(unquoted("is '{a}/{b}'"), []);
        assert_eq!(unquoted("isn't '{a}' the tool's '{b}'"), []);
        assert_eq!(unquoted("'{a}' and '{a}'"), []);
    }

    #[test]
    fn a_placeholder_needs_a_detail() {
        assert_eq!(
            message("X_Y", "is '{c}'", ["a"]),
            [Finding::Undeclared("c".into())]
        );
        assert_eq!(
            advice("wait {c} s", ["a"]),
            [Finding::Undeclared("c".into())]
        );
        assert_eq!(advice("wait {a} s", ["a"]), []);
    }

    #[test]
    fn a_placeholder_is_closed() {
        let unclosed = [Finding::Unclosed("a".into())];
        assert_eq!(message("X_Y", "No such order: {a", ["a"]), unclosed);
        assert_eq!(advice("Send {a b} again", ["a"]), unclosed);
        assert_eq!(advice("Send {\"a\": 1} again", ["a"]), []);
    }

    #[test]
    fn a_plain_form_has_words_and_no_placeholder() {
        assert_eq!(plain("is {a}"), [Finding::NotPlain("a".into())]);
        assert_eq!(plain(" "), [Finding::Empty]);
        assert_eq!(plain("Quota exhausted"), []);
    }
}
