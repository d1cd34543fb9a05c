//! JSON in a text: the whole of it, or behind words ("Error code: 429 - {…}").

use serde_json::Value;

use super::body::{self, BodyReading};
use super::rule::RuleRow;
use super::text::TextJudgement;
use crate::catalog::{codes, usual};
use crate::code::{Category, Code};
use crate::fault::Confidence;

/// A body in one of the shapes APIs use.
pub(crate) static BODY: RuleRow = RuleRow {
    id: "json.body",
    about: "An error body in one of the shapes APIs use, in a text: its own name or status for the error decides.",
    examples: &[
        r#"{"error": {"code": "insufficient_quota", "message": "no more"}}"#,
        r#"Error: {"ok": false, "error": "not_authed"}"#,
        r#"Error code: 400 - {"error": {"type": "overloaded_error", "message": "later"}}"#,
        r#"{"code": 5, "status": "NOT_FOUND", "message": "no"}"#,
    ],
    counter_examples: &[r#"{"orders": []}"#, r#"{"error": "nope"}"#],
    ..RuleRow::STRUCTURAL
};

/// A document of one of our formats.
pub(crate) static DOCUMENT: RuleRow = RuleRow {
    id: "json.document",
    about: "A failure in one of our own formats, in a text that has words in front of it.",
    confidence: Confidence::Exact,
    examples: &[
        r#"Error: {"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "gone"}}"#,
        r#"Call failed: {"kind": "toolError:v1", "code": "NETWORK_ERROR", "message": "no", "retryable": true}"#,
    ],
    counter_examples: &[r#"{"success": true, "data": {}}"#],
    ..RuleRow::STRUCTURAL
};

/// A JSON value found in a text.
#[derive(Debug)]
pub(crate) struct EmbeddedJson {
    pub(crate) value: Value,
    /// Whether the text is nothing else.
    pub(crate) whole: bool,
}

/// Finds an object or a list that ends the text.
pub(crate) fn find(text: &str) -> Option<EmbeddedJson> {
    if text.len() > LARGEST {
        return None;
    }
    let trimmed = text.trim();
    let mut from = 0;
    for _ in 0..TRIES {
        let near = &trimmed.as_bytes()[from..trimmed.len().min(FURTHEST.max(from))];
        let at = from + memchr::memchr2(b'{', b'[', near)?;
        from = at + 1;
        if !may_begin(&trimmed.as_bytes()[at..]) {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(&trimmed[at..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            let rest = trimmed[at + values.byte_offset()..]
                .trim_matches(['"', '\'', '`', ')', '.', ' ', '\n']);
            if rest.is_empty() {
                return Some(EmbeddedJson {
                    value,
                    whole: at == 0,
                });
            }
        }
    }
    None
}

/// Whether what follows a bracket could be JSON: a parser that finds out by failing takes its time to say why.
fn may_begin(bytes: &[u8]) -> bool {
    let space = |b: &&u8| b.is_ascii_whitespace();
    let is_list = bytes.first() == Some(&b'[');
    let inside = bytes.get(1..).unwrap_or_default();
    let inside = &inside[inside.iter().take_while(space).count()..];
    match inside.first() {
        Some(b'"') => true,
        Some(b'}') => !is_list,
        Some(b']' | b'[' | b'{' | b'-' | b'0'..=b'9') => is_list,
        Some(b't' | b'f' | b'n') => {
            let words = [&b"true"[..], b"false", b"null"];
            is_list && words.iter().any(|word| inside.starts_with(word))
        }
        _ => false,
    }
}

/// Larger texts are not parsed: a body that large is data rather than an error.
const LARGEST: usize = 256 * 1024;
/// JSON that begins later is not what the text is about.
const FURTHEST: usize = 1024;
const TRIES: usize = 3;

/// The code a body stands for, and how that was decided.
pub(crate) struct BodyJudgement {
    pub(crate) code: Code,
    /// The rule on words that decided, if one did; else the body's own name or number.
    pub(crate) by_words: Option<TextJudgement>,
    pub(crate) confidence: Confidence,
}

/// The code a body stands for, if its name, its status or its words tell. The rules on words decide between a status
/// and the words beside it.
pub(crate) fn judge(
    said: &BodyReading,
    words: &dyn Fn(&str) -> Option<TextJudgement>,
) -> Option<BodyJudgement> {
    let message = said.message.as_deref().unwrap_or_default();
    let told = match said.status {
        Some(status) => words(&format!("HTTP {status}: {message}")),
        None => words(message),
    };
    let by_name = said
        .code
        .filter(|code| !is_general(*code) || told.is_none());
    if let Some(code) = by_name {
        return Some(BodyJudgement {
            code,
            by_words: None,
            confidence: Confidence::Structural,
        });
    }
    if let Some(told) = told {
        let general = said.code.filter(|code| !may_follow(*code, &told, said));
        return Some(BodyJudgement {
            code: general.unwrap_or(told.code),
            by_words: general.is_none().then_some(told),
            confidence: if general.is_some() {
                Confidence::Structural
            } else {
                Confidence::Textual
            },
        });
    }
    said.likely_category().map(|category| BodyJudgement {
        code: usual(category),
        by_words: None,
        confidence: Confidence::Textual,
    })
}

/// Whether the words beside a name that says little are followed: those of the same category say more, and so do those
/// about what the caller can do beside a name that only calls the request bad.
fn may_follow(general: Code, told: &TextJudgement, said: &BodyReading) -> bool {
    let of_caller = !matches!(
        told.code.category(),
        Category::Internal | Category::Unavailable
    );
    let vague = matches!(said.status, None | Some(400)) && said.violations.is_empty();
    general.category() == told.code.category()
        || general == codes::VALIDATION_INVALID_VALUE && vague && of_caller
}

/// Names that say little.
fn is_general(code: Code) -> bool {
    code == codes::VALIDATION_INVALID_VALUE || code == codes::INTERNAL_ERROR
}

/// What a body says, if it says anything about a failure.
pub(crate) fn read(value: &Value) -> Option<BodyReading> {
    body::read(value)
}
