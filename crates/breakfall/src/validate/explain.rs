//! A broken rule in words, for the caller that broke it.

use jsonschema::JsonType;
use serde_json::Value;

use super::finding::{Finding, Repair};
use super::raw::{BoundSide, BoundUnit, BrokenRule, RuleKind, type_words};
use super::{edit, shown};
use crate::phrase::{Phrase, PhraseText};
use crate::violation::Violation;

/// The violation of a finding, safe to show.
pub(super) fn violation(finding: &Finding<'_>) -> Violation {
    let raw = finding.raw;
    let mut violation = Violation::at(pointer(&raw.at))
        .keyword(raw.keyword)
        .say(message(finding));
    if let Some(expected) = expected(finding) {
        violation = violation.expected(expected);
    }
    let name = finding.name();
    if let Some(value) = finding.value() {
        violation = violation.got(shown::value(name.as_deref(), value));
    }
    let renamed = matches!(finding.repair(), Some(Repair::Rename(_)));
    let name = name.as_deref().filter(|_| !renamed);
    match suggestion(finding) {
        Some(suggestion) if shown::is_clean(name, &suggestion) => violation.suggestion(suggestion),
        _ => violation,
    }
}

/// What the violation asks for, in the shape of its keyword: a bound, a pattern, a list of values.
pub(super) fn expected(finding: &Finding<'_>) -> Option<Value> {
    let document = finding.findings.schema().document();
    Some(match &finding.raw.rule {
        RuleKind::Missing(names) if names.len() > 1 => {
            names.iter().map(|name| shown::name(name)).collect()
        }
        RuleKind::Missing(_) => {
            let types = document.values(&document.at(&finding.raw.at), "type");
            return types
                .first()
                .filter(|_| types.len() == 1)
                .map(|only| (*only).clone());
        }
        RuleKind::Type(types) => type_words(*types).into(),
        RuleKind::Unknown => {
            let (parent, _) = edit::parent(&finding.raw.at)?;
            let names = document.members(&document.at(parent)).into_iter();
            return Some(names.take(MOST_LISTED).map(Value::from).collect())
                .filter(|names: &Value| *names != Value::Array(vec![]));
        }
        RuleKind::Enum(values) => values
            .as_array()?
            .iter()
            .take(MOST_LISTED)
            .map(short)
            .collect(),
        RuleKind::Bound { limit, .. } => Value::Number(limit.clone()),
        RuleKind::Size { limit, .. } => (*limit).into(),
        RuleKind::Pattern(pattern) => cut(pattern).into(),
        RuleKind::Format(format) => cut(format).into(),
        RuleKind::Multiple(of) => {
            super::coerce::whole(*of).map_or_else(|| (*of).into(), Value::Number)
        }
        RuleKind::Unique => "each item once".into(),
        RuleKind::Alternatives(told) => told.clone().into(),
        RuleKind::Depth(limit) => (*limit).into(),
        RuleKind::Other(_) => return None,
    })
}

/// The value or the name that would do.
pub(super) fn suggestion(finding: &Finding<'_>) -> Option<Value> {
    match finding.repair()? {
        Repair::Replace(value) | Repair::Insert(value) => Some(value.clone()),
        Repair::Rename(name) => Some(Value::from(&**name)),
        Repair::Remove => None,
    }
}

fn message(finding: &Finding<'_>) -> PhraseText {
    let message = match (&finding.raw.rule, finding.value()) {
        (RuleKind::Type(types), Some(value)) => PhraseText::from(Phrase::RULE_TYPE_GOT)
            .with("expected", type_words(*types))
            .with("actual", type_of(value)),
        (rule, _) => words(rule),
    };
    let repair = match finding.repair() {
        Some(Repair::Rename(name)) => PhraseText::from(Phrase::REPAIR_MEANT).with("name", &**name),
        Some(Repair::Remove) => Phrase::REPAIR_OMIT.into(),
        // Another number is another request: the caller has to be told.
        Some(Repair::Replace(value)) if is_another_number(finding.value(), value) => {
            PhraseText::from(Phrase::REPAIR_BOUND).with("value", value.clone())
        }
        Some(Repair::Replace(_) | Repair::Insert(_)) | None => return message,
    };
    PhraseText::Several(vec![message, repair])
}

/// Whether a number was replaced by a different one, rather than written differently.
fn is_another_number(sent: Option<&Value>, now: &Value) -> bool {
    let number = |value: &Value| {
        let spelt = || value.as_str()?.trim().parse::<f64>().ok();
        value.as_f64().or_else(spelt)
    };
    let pair = sent.and_then(number).zip(number(now));
    pair.is_some_and(|(sent, now)| (sent - now).abs() > 0.0)
}

/// What a rule says.
pub(super) fn words(rule: &RuleKind) -> PhraseText {
    let say = PhraseText::from;
    match rule {
        RuleKind::Missing(names) if names.len() > 1 => {
            say(Phrase::RULE_ONE_MISSING).with("names", names_of(names))
        }
        RuleKind::Missing(_) => say(Phrase::RULE_MISSING),
        RuleKind::Type(types) => say(Phrase::RULE_TYPE).with("expected", type_words(*types)),
        RuleKind::Unknown => say(Phrase::RULE_UNKNOWN),
        RuleKind::Enum(values) => values_of(values.as_array().map_or(&[][..], Vec::as_slice)),
        RuleKind::Bound {
            limit,
            side,
            exclusive,
        } => {
            let relation = match (side, exclusive) {
                (BoundSide::Least, false) => Phrase::RULE_AT_LEAST,
                (BoundSide::Least, true) => Phrase::RULE_MORE_THAN,
                (BoundSide::Most, false) => Phrase::RULE_AT_MOST,
                (BoundSide::Most, true) => Phrase::RULE_LESS_THAN,
            };
            say(relation).with("limit", Value::Number(limit.clone()))
        }
        RuleKind::Size { limit, side, of } => of.words(*limit, *side),
        RuleKind::Pattern(pattern) => say(Phrase::RULE_PATTERN).with("pattern", cut(pattern)),
        RuleKind::Format(format) => say(Phrase::RULE_FORMAT).with("format", cut(format)),
        RuleKind::Multiple(of) => say(Phrase::RULE_MULTIPLE).with("of", of.to_string()),
        RuleKind::Unique => say(Phrase::RULE_UNIQUE),
        RuleKind::Alternatives(told) if told.is_empty() => say(Phrase::RULE_NO_ALTERNATIVE),
        RuleKind::Alternatives(told) => {
            // What they ask for is told in English, here and where it is listed.
            let plainer = Phrase::RULE_NO_ALTERNATIVE;
            let all = format!("{}: {}", plainer.english, told.join("; "));
            PhraseText::InEnglish(cut(&all).into(), Box::new(plainer.into()))
        }
        RuleKind::Depth(limit) => say(Phrase::RULE_DEPTH).with("limit", *limit),
        RuleKind::Other(phrase) => say(*phrase),
    }
}

/// One of several alternatives in a few words, for the value at a place.
pub(super) fn wanted(raw: &BrokenRule, at: &str) -> String {
    let name = edit::parent(&raw.at)
        .filter(|_| raw.at != at)
        .map(|(_, name)| shown::name(&name));
    match (&raw.rule, name) {
        (RuleKind::Type(types), None) => type_words(*types).into_owned(),
        (RuleKind::Format(format), None) => cut(format),
        (RuleKind::Missing(names), _) => format!("with {}", names_of(names)),
        (RuleKind::Unknown, Some(name)) => format!("without '{name}'"),
        (rule, Some(name)) => format!("'{name}' {}", words(rule).english()),
        (rule, None) => words(rule).english().into_owned(),
    }
}

impl BoundUnit {
    /// A bound on how many there are. English has no plural by itself, and one of something is seldom asked for.
    fn words(self, limit: u64, side: BoundSide) -> PhraseText {
        let (phrase, singular) = match (self, side) {
            (Self::Characters, BoundSide::Least) => (Phrase::RULE_LEAST_CHARACTERS, "character"),
            (Self::Characters, BoundSide::Most) => (Phrase::RULE_MOST_CHARACTERS, "character"),
            (Self::Items, BoundSide::Least) => (Phrase::RULE_LEAST_ITEMS, "item"),
            (Self::Items, BoundSide::Most) => (Phrase::RULE_MOST_ITEMS, "item"),
            (Self::Members, BoundSide::Least) => (Phrase::RULE_LEAST_MEMBERS, "member"),
            (Self::Members, BoundSide::Most) => (Phrase::RULE_MOST_MEMBERS, "member"),
        };
        let said = PhraseText::from(phrase).with("limit", limit);
        if limit != 1 {
            return said;
        }
        let relation = match side {
            BoundSide::Least => "at least",
            BoundSide::Most => "at most",
        };
        let english = format!("must have {relation} 1 {singular}");
        PhraseText::InEnglish(english.into(), Box::new(said))
    }
}

/// The type of a value, as schemas call it.
pub(super) fn type_of(value: &Value) -> &'static str {
    let whole = value.as_number().is_some_and(|number| !number.is_f64());
    if whole {
        "integer"
    } else {
        JsonType::from(value).as_str()
    }
}

/// The place, which is the caller's own words only as far as they may be repeated.
fn pointer(at: &str) -> String {
    if at.len() <= LONGEST_POINTER && shown::is_clean_text(at) {
        return at.to_owned();
    }
    let mut pointer = String::new();
    for segment in at.split('/').skip(1) {
        if pointer.len() > LONGEST_POINTER {
            pointer.push_str("/…");
            break;
        }
        pointer = edit::child(&pointer, &shown::name(&edit::unescaped(segment)));
    }
    pointer
}

/// Names in quotes.
pub(super) fn names_of(names: &[Box<str>]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(MOST_LISTED)
        .map(|name| format!("'{}'", shown::name(name)))
        .collect();
    quoted.join(", ")
}

/// Allowed values in a sentence.
fn values_of(all: &[Value]) -> PhraseText {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), |text| format!("'{text}'"))
    };
    match all {
        [] => return Phrase::RULE_NO_VALUE.into(),
        [only] => return PhraseText::from(Phrase::RULE_VALUE).with("value", cut(&text(only))),
        _ => {}
    }
    let told: Vec<String> = all.iter().take(MOST_TOLD).map(text).collect();
    let told = cut(&told.join(", "));
    match all.len().saturating_sub(MOST_TOLD) {
        0 => PhraseText::from(Phrase::RULE_VALUES).with("values", told),
        more => PhraseText::from(Phrase::RULE_VALUES_MORE)
            .with("values", told)
            .with("count", more),
    }
}

/// A value of a schema, or what it is where it is long.
pub(super) fn short(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text).into(),
        Value::Array(_) | Value::Object(_) if super::work::kilobytes(value) > 1 => {
            shown::value(None, value)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.clone()
        }
    }
}

/// A text of the schema, which is not secret but may be long.
pub(super) fn cut(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(LONGEST_TEXT)])
}

/// Names or values listed in one place.
pub(super) const MOST_LISTED: usize = 50;
const MOST_TOLD: usize = 8;
const LONGEST_TEXT: usize = 200;
const LONGEST_POINTER: usize = 300;
