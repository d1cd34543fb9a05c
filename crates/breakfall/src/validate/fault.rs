//! Findings → one fault.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde_json::Value;

use super::explain::{self, MOST_LISTED};
use super::finding::{Finding, Findings, Kind, Repair};
use super::raw::{BoundSide, RuleKind, type_words};
use super::{edit, repair, shown};
use crate::catalog::codes;
use crate::code::Code;
use crate::fault::{Confidence, Fault, LimitType, Provenance};
use crate::phrase::{Phrase, PhraseText};
use crate::suggest;

/// An unknown tool: the tools that exist, and the one that was meant if a slip explains it.
///
/// ```
/// use breakfall::validate::unknown_tool;
///
/// let fault = unknown_tool("list_isues", &["list_issues", "get_issue"]);
/// assert_eq!(fault.public().message(), "Unknown operation: 'list_isues'");
/// assert_eq!(fault.public().remediation(), "Did you mean 'list_issues'? Call it, or another tool the server lists.");
/// ```
pub fn unknown_tool(name: &str, available: &[&str]) -> Fault {
    let near = suggest::nearest(name, available.iter().copied());
    // The nearest name first, then those that have most words of it, up to the limit.
    let mut others: Vec<&str> = (available.iter().copied())
        .filter(|tool| Some(*tool) != near)
        .collect();
    let words: Vec<&str> = words(name).collect();
    others.sort_by_cached_key(|tool| {
        Reverse(self::words(tool).filter(|w| words.contains(w)).count())
    });
    let all = usize::from(near.is_some()) + others.len();
    let listed: Vec<String> = near
        .into_iter()
        .chain(others)
        .take(MOST_TOOLS)
        .map(explain::cut)
        .collect();
    let fault = Fault::unknown_among(&shown::name(name), &listed, all - listed.len());
    match near {
        Some(near) => {
            let near = explain::cut(near);
            let advice = PhraseText::from(Phrase::CALL_MEANT).with("nearest", &*near);
            fault.detail("suggestion", near).advise(advice)
        }
        None => fault,
    }
}

/// The words of a name; enough of them to compare it with others.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() > 1).take(8)
}

/// The most tools that are named to the caller of an unknown one.
const MOST_TOOLS: usize = 12;

/// One fault for all findings.
pub(super) fn of(mut findings: Findings<'_>, tool: &str) -> Option<Fault> {
    let corrected = findings.take_corrected();
    let first = findings.iter().next()?;
    let mut fault = row(&first, tool).provenance(Provenance::new(
        Cow::Owned(format!("schema.{}", first.raw.keyword)),
        Confidence::Structural,
    ));
    for finding in findings.iter().take(MOST_VIOLATIONS) {
        fault = fault.violation(finding.violation());
    }
    let omitted = findings.len().saturating_sub(MOST_VIOLATIONS);
    if omitted > 0 {
        fault = fault.detail("violations_omitted", omitted);
    }
    if findings.is_incomplete() {
        fault = fault.detail("violations_complete", false);
    }
    if needs_advice(&findings, &fault) {
        fault = fault.advise(advice(&findings));
    }
    match corrected {
        Some(corrected) => Some(fault.corrective_params(corrected)),
        None => Some(fault),
    }
}

/// Whether the row's remedy would not tell all there is to do: it knows of one parameter and of two bounds.
fn needs_advice(findings: &Findings<'_>, fault: &Fault) -> bool {
    let kinds = |kind| findings.iter().all(|finding| finding.kind() == kind);
    let bound = |key| fault.public().details().get(key).is_some();
    let open =
        fault.code() == codes::VALIDATION_OUT_OF_RANGE && !(bound("minimum") && bound("maximum"));
    open || findings.len() > 1 && !kinds(Kind::Unknown)
}

/// The fault of one finding, with the details its row asks for.
fn row(finding: &Finding<'_>, tool: &str) -> Fault {
    let fault = match &finding.raw.rule {
        RuleKind::Unknown => return unknown(finding, tool),
        RuleKind::Depth(limit) => return too_deep(finding, *limit),
        RuleKind::Missing(_) => of_param(codes::VALIDATION_MISSING_PARAM, finding),
        RuleKind::Type(types) => {
            let actual = finding.value().map_or("missing", explain::type_of);
            of_param(codes::VALIDATION_INVALID_TYPE, finding)
                .detail("expected_type", type_words(*types))
                .detail("actual_type", actual)
        }
        RuleKind::Enum(_) => not_allowed(finding),
        RuleKind::Bound {
            side, exclusive, ..
        } => bounds(finding, *side, *exclusive),
        RuleKind::Size { side, limit, .. } => size(finding, *side, *limit),
        RuleKind::Pattern(pattern) => pattern_of(finding, pattern),
        RuleKind::Format(format) => {
            let example = EXAMPLES.iter().find(|(name, _)| *name == &**format);
            some(
                pattern_of(finding, format),
                "example",
                example.map(|(_, example)| (*example).into()),
            )
        }
        RuleKind::Multiple(_)
        | RuleKind::Unique
        | RuleKind::Alternatives(_)
        | RuleKind::Other(_) => {
            let reason = explain::words(&finding.raw.rule);
            of_param(codes::VALIDATION_INVALID_VALUE, finding).tell("reason", reason)
        }
    };
    let takes = |key: &str| {
        fault
            .code()
            .entry()
            .details
            .iter()
            .any(|detail| detail.name == key)
    };
    let operation = takes("operation").then(|| shown::name(tool).into());
    let value = finding
        .value()
        .filter(|value| takes("value") && !value.is_array() && !value.is_object());
    let value = value.map(|value| shown::value(finding.name().as_deref(), value));
    some(some(fault, "operation", operation), "value", value)
}

fn not_allowed(finding: &Finding<'_>) -> Fault {
    let allowed = explain::expected(finding).unwrap_or_default();
    let mut fault = of_param(codes::VALIDATION_INVALID_ENUM, finding);
    // An empty list leaves the template without an end.
    if allowed.as_array().is_some_and(Vec::is_empty) {
        let field = explain::violation(finding);
        let saying = PhraseText::from(Phrase::RULE_PARAMETER)
            .with("name", field.field())
            .saying("rule", explain::words(&finding.raw.rule));
        fault = fault.say(saying);
    }
    let fault = fault.detail("allowed_values", allowed);
    some(fault, "suggestion", explain::suggestion(finding))
}

fn some(fault: Fault, key: &'static str, value: Option<Value>) -> Fault {
    match value {
        Some(value) => fault.detail(key, value),
        None => fault,
    }
}

fn of_param(code: Code, finding: &Finding<'_>) -> Fault {
    Fault::new(code).field(param(finding))
}

/// The parameter a finding is about, as people write it.
fn param(finding: &Finding<'_>) -> String {
    if let RuleKind::Missing(names) = &finding.raw.rule
        && names.len() > 1
    {
        let names: Vec<String> = names.iter().map(|name| shown::name(name)).collect();
        return names.join(" or ");
    }
    if finding.pointer().is_empty() {
        return "arguments".into();
    }
    dotted(finding.pointer())
}

fn dotted(pointer: &str) -> String {
    let names: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|name| shown::name(&edit::unescaped(name)))
        .collect();
    explain::cut(&names.join("."))
}

/// Unknown names, all at once: those of the arguments, or those inside the `input` of an update.
fn unknown(finding: &Finding<'_>, tool: &str) -> Fault {
    const INPUT: &str = "/input/";
    let findings = finding.findings;
    let all = || {
        findings
            .iter()
            .filter(|finding| finding.kind() == Kind::Unknown)
            .map(|finding| finding.pointer())
    };
    let inside = all().all(|at| at.starts_with(INPUT));
    let prefix = if inside { INPUT } else { "/" };
    let names: Vec<String> = all()
        .take(MOST_LISTED)
        .filter_map(|at| Some(dotted(&format!("/{}", at.strip_prefix(prefix)?))))
        .collect();
    let document = findings.schema().document();
    let parent = edit::parent(finding.pointer()).map_or("", |(parent, _)| parent);
    let valid: Vec<String> = document
        .members(&document.at(parent))
        .into_iter()
        .take(MOST_LISTED)
        .map(explain::cut)
        .collect();
    let (code, unknown, known) = if inside {
        (
            codes::VALIDATION_UNKNOWN_FIELD,
            "unknown_fields",
            "valid_fields",
        )
    } else {
        (
            codes::VALIDATION_UNKNOWN_PARAM,
            "unknown_params",
            "valid_params",
        )
    };
    let fault = Fault::new(code).in_operation(shown::name(tool));
    fault.detail(unknown, names).detail(known, valid)
}

fn too_deep(finding: &Finding<'_>, limit: usize) -> Fault {
    let depth = depth(finding.findings.arguments(), limit);
    Fault::payload_too_large(LimitType::NestingDepth, limit as u64, depth as u64)
}

/// The depth of a value, up to a limit.
fn depth(value: &Value, limit: usize) -> usize {
    let mut level: Vec<&Value> = vec![value];
    for depth in 0..=limit {
        let below = level.iter().flat_map(|value| match value {
            Value::Array(items) => items.iter().collect::<Vec<_>>(),
            Value::Object(map) => map.values().collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        });
        level = below
            .filter(|value| value.is_array() || value.is_object())
            .collect();
        if level.is_empty() {
            return depth + 1;
        }
    }
    limit + 1
}

/// A number beyond its bounds, with both of them where there are two.
fn bounds(finding: &Finding<'_>, side: BoundSide, exclusive: bool) -> Fault {
    let (mine, other) = match (side, exclusive) {
        (BoundSide::Least, false) => ("minimum", "maximum"),
        (BoundSide::Least, true) => ("exclusive_minimum", "maximum"),
        (BoundSide::Most, false) => ("maximum", "minimum"),
        (BoundSide::Most, true) => ("exclusive_maximum", "minimum"),
    };
    let document = finding.findings.schema().document();
    let others = document.values(&document.at(finding.pointer()), other);
    let only = others
        .first()
        .filter(|_| others.len() == 1)
        .map(|only| (*only).clone());
    let own = explain::expected(finding).unwrap_or_default();
    let fault = of_param(codes::VALIDATION_OUT_OF_RANGE, finding).detail(mine, own);
    match only {
        Some(_) if !exclusive => some(fault, other, only),
        only => {
            some(fault, other, only).breaking(&param(finding), explain::words(&finding.raw.rule))
        }
    }
}

/// A text, list or object of the wrong size. The other bound would read as one of its value.
fn size(finding: &Finding<'_>, side: BoundSide, limit: u64) -> Fault {
    let key = match side {
        BoundSide::Least => "minimum",
        BoundSide::Most => "maximum",
    };
    let fault = of_param(codes::VALIDATION_OUT_OF_RANGE, finding).detail(key, limit);
    fault.breaking(&param(finding), explain::words(&finding.raw.rule))
}

fn pattern_of(finding: &Finding<'_>, pattern: &str) -> Fault {
    of_param(codes::VALIDATION_PATTERN_MISMATCH, finding).detail("pattern", explain::cut(pattern))
}

/// What to change, one phrase for each finding, as far as there is room.
fn advice(findings: &Findings<'_>) -> PhraseText {
    let mut phrases: Vec<PhraseText> = Vec::new();
    let mut told: Vec<String> = Vec::new();
    let mut room = LONGEST_ADVICE;
    let targets = findings.iter().filter_map(|finding| {
        let target = repair::target(finding.pointer(), finding.repair()?)?;
        Some(target)
    });
    let targets: Vec<String> = targets.collect();
    for (at, finding) in findings.iter().enumerate() {
        // To rename what is there is to add what is missing.
        if targets.iter().any(|target| target == finding.pointer()) {
            continue;
        }
        let phrase = phrase(&finding);
        let english = phrase.english().into_owned();
        // A value may break two rules that ask for the same.
        if told.contains(&english) {
            continue;
        }
        if at > 0 && english.len() > room {
            phrases.push(PhraseText::from(Phrase::AND_MORE).with("count", findings.len() - at));
            break;
        }
        room = room.saturating_sub(english.len());
        told.push(english);
        phrases.push(phrase);
    }
    PhraseText::Sentence(phrases)
}

fn phrase(finding: &Finding<'_>) -> PhraseText {
    let name = param(finding);
    let of = |phrase: Phrase| PhraseText::from(phrase).with("name", &*name);
    let shown = |value: &Value| {
        let clean = shown::is_clean(finding.name().as_deref(), value);
        Some(value.to_string()).filter(|text| clean && text.len() <= LONGEST_VALUE)
    };
    match finding.repair() {
        Some(Repair::Rename(to)) => return of(Phrase::REPAIR_RENAME).with("to", &**to),
        Some(Repair::Remove) => return of(Phrase::REPAIR_LEAVE_OUT),
        Some(Repair::Replace(value)) => {
            if let Some(value) = shown(value) {
                return of(Phrase::REPAIR_SEND).with("value", value);
            }
        }
        Some(Repair::Insert(value)) => {
            if let Some(value) = shown(value) {
                return of(Phrase::REPAIR_ADD_VALUE).with("value", value);
            }
        }
        None => {}
    }
    match &finding.raw.rule {
        RuleKind::Missing(names) if names.len() > 1 => {
            PhraseText::from(Phrase::REPAIR_ADD_ONE).with("names", &*name)
        }
        RuleKind::Missing(_) => of(Phrase::REPAIR_ADD),
        RuleKind::Unknown => of(Phrase::REPAIR_REMOVE),
        RuleKind::Type(types) => of(Phrase::REPAIR_SEND).with("value", type_words(*types)),
        RuleKind::Enum(_)
        | RuleKind::Bound { .. }
        | RuleKind::Size { .. }
        | RuleKind::Pattern(_)
        | RuleKind::Format(_)
        | RuleKind::Multiple(_)
        | RuleKind::Unique
        | RuleKind::Alternatives(_)
        | RuleKind::Depth(_)
        | RuleKind::Other(_) => {
            of(Phrase::REPAIR_RULE).saying("rule", explain::words(&finding.raw.rule))
        }
    }
}

/// A value of each format, as it should be written.
const EXAMPLES: &[(&str, &str)] = &[
    ("date", "2026-01-31"),
    ("date-time", "2026-01-31T12:00:00Z"),
    ("duration", "PT1H30M"),
    ("email", "name@example.com"),
    ("hostname", "www.example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("time", "12:00:00Z"),
    ("uri", "https://example.com/path"),
    ("uuid", "01234567-89ab-4cde-8f01-23456789abcd"),
];

/// Violations in one fault. The others are counted.
const MOST_VIOLATIONS: usize = 64;
const LONGEST_ADVICE: usize = 300;
const LONGEST_VALUE: usize = 80;
