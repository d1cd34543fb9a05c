//! `catalog.lock` is what we have promised about codes. Adding to it is daily work; changing it breaks somebody.
//!
//! The test below tells the two apart: `BREAKFALL_BLESS=1` writes additions, and only `BREAKFALL_BLESS=breaking`
//! writes a changed promise.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use breakfall::catalog::CODES;
use breakfall::catalog::warning::WARNINGS;
use breakfall::code::{Detail, Entry, Shape};

use crate::generated::{workspace_file, write};

const FILE: &str = "crates/breakfall/catalog.lock";

#[test]
fn what_was_promised_about_codes_still_holds() {
    // Closed lists of values, the registry of warnings with their severities, and their phases.
    testing::proves!("S4-42", "S4-47", "S4-48", "S4-50");
    testing::proves!(
        "S0-32", "S0-33", "S0-34", "S0-35", "S0-36", "S0-37", "S0-38", "S0-39", "S0-40", "S0-41"
    );
    testing::proves!(
        "S0-45", "S0-46", "S0-47", "S0-48", "S0-49", "S0-50", "S0-51"
    );
    let file = workspace_file(FILE);
    let (have, want) = (std::fs::read_to_string(&file).unwrap_or_default(), render());
    let changes = compare(&parse(&have), &parse(&want));
    let bless = std::env::var("BREAKFALL_BLESS").unwrap_or_default();
    match judge(&have, &want, &changes, &bless) {
        Ok(true) => write(&file, &want),
        Ok(false) => {}
        Err(report) => panic!("{report}"),
    }
}

/// Whether to write the lock, or why the test fails.
fn judge(have: &str, want: &str, changes: &[Change], bless: &str) -> Result<bool, String> {
    if have == want {
        return Ok(false);
    }
    let (broken, added): (Vec<&Change>, Vec<&Change>) =
        changes.iter().partition(|change| change.is_breaking());
    let list = |changes: &[&Change]| {
        let mut list = String::new();
        for change in changes {
            write!(list, "\n  {change}").expect("writing to a string cannot fail");
        }
        list
    };
    match (bless, broken.is_empty()) {
        ("breaking", _) | ("1", true) => Ok(true),
        (_, false) => Err(format!(
            "promises about codes are broken:{}\nIf that is meant, say why in CHANGELOG.md and run BREAKFALL_BLESS=breaking ./check bless",
            list(&broken)
        )),
        (_, true) => Err(format!(
            "{FILE} is stale, and nothing promised is broken:{}\nNew, bless it: ./check bless",
            list(&added)
        )),
    }
}

/// A lock, read: the facts of each code and warning by field.
type Lock = BTreeMap<String, BTreeMap<String, String>>;

/// What differs between two locks.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    AddedRow(String),
    AddedFact(String, String, String),
    RemovedRow(String),
    Changed {
        row: String,
        field: String,
        was: Option<String>,
        is: Option<String>,
    },
}

impl Change {
    fn is_breaking(&self) -> bool {
        match self {
            Self::AddedRow(_) | Self::AddedFact(..) => false,
            Self::RemovedRow(_) | Self::Changed { .. } => true,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |value: &Option<String>| match value {
            Some(value) => format!("'{value}'"),
            None => "nothing".to_owned(),
        };
        match self {
            Self::AddedRow(row) => write!(f, "{row}: new"),
            Self::AddedFact(row, field, is) => write!(f, "{row}: {field} '{is}' is new"),
            Self::RemovedRow(row) => write!(f, "{row}: gone"),
            Self::Changed {
                row,
                field,
                was,
                is,
            } => write!(f, "{row}: {field} was {} → is {}", said(was), said(is)),
        }
    }
}

/// What changed from one lock to the next.
fn compare(was: &Lock, is: &Lock) -> Vec<Change> {
    let mut changes = Vec::new();
    for row in is.keys().filter(|row| !was.contains_key(*row)) {
        changes.push(Change::AddedRow(row.clone()));
    }
    for (row, old) in was {
        let Some(new) = is.get(row) else {
            changes.push(Change::RemovedRow(row.clone()));
            continue;
        };
        let mut fields: Vec<&String> = old.keys().chain(new.keys()).collect();
        fields.sort_unstable();
        fields.dedup();
        for field in fields {
            changes.extend(change(row, field, old.get(field), new.get(field)));
        }
    }
    changes
}

fn change(row: &str, field: &str, was: Option<&String>, is: Option<&String>) -> Option<Change> {
    match (was, is) {
        (was, is) if was == is => None,
        // A new optional key binds nobody, and neither does a name in a vocabulary that is new. A new required key
        // binds whoever raises the code already.
        (None, Some(is)) if !is.starts_with("required") => Some(Change::AddedFact(
            row.to_owned(),
            field.to_owned(),
            is.clone(),
        )),
        (was, is) => Some(Change::Changed {
            row: row.to_owned(),
            field: field.to_owned(),
            was: was.cloned(),
            is: is.cloned(),
        }),
    }
}

/// Reads a lock. Rows start at the margin, their facts are indented.
fn parse(text: &str) -> Lock {
    let mut lock = Lock::new();
    let mut row = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some(fact) = line.strip_prefix("  ") else {
            row = (!line.is_empty()).then(|| lock.entry(line.to_owned()).or_default());
            continue;
        };
        let (field, value) = fact.split_once(": ").expect("a fact is 'field: value'");
        let row = row.as_mut().expect("a fact belongs to a row");
        row.insert(field.to_owned(), value.to_owned());
    }
    lock
}

fn render() -> String {
    let mut text = String::from(
        "# What is promised about every code and warning. Generated from the rows: add with BREAKFALL_BLESS=1, and\n\
         # change a line that stands here only with BREAKFALL_BLESS=breaking and a reason in CHANGELOG.md.\n",
    );
    for code in CODES {
        let entry = code.entry();
        row(
            &mut text,
            entry.name,
            &facts(entry),
            "detail",
            entry.details,
        );
    }
    for code in WARNINGS {
        let entry = code.entry();
        let phase = entry.phase.map_or("none", |phase| phase.title());
        let facts = [
            ("severity", entry.severity.to_string()),
            ("source", entry.source.as_str().to_owned()),
            ("phase", phase.to_owned()),
            ("response-v2 code", entry.response_v2.to_owned()),
            ("mcp-aql code", entry.mcp_aql.to_owned()),
        ];
        let name = format!("warning {}", entry.name);
        row(&mut text, &name, &facts, "context", entry.context);
    }
    text
}

fn facts(entry: &Entry) -> Vec<(&'static str, String)> {
    let names = &entry.names;
    vec![
        ("category", entry.category.to_string()),
        ("severity", entry.severity.to_string()),
        ("status", entry.status.to_string()),
        ("since", entry.since.to_owned()),
        ("retry", entry.retry.to_string()),
        ("actions", entry.actions.join(", ")),
        ("hint", entry.hint.to_string()),
        ("hint with a fallback", entry.hint_with_fallback.to_string()),
        ("http", entry.http.to_string()),
        (
            "rpc",
            entry.rpc.map_or("none".to_owned(), |rpc| rpc.to_string()),
        ),
        ("grpc", entry.grpc.to_string()),
        ("response-v2 error_code", names.response_v2.to_owned()),
        ("response-v2 error_type", names.error_type.to_owned()),
        ("mcp-error code", names.mcp_error.to_owned()),
        ("error-model code", names.error_model.to_string()),
        ("tool-error code", names.tool_error.to_owned()),
        (
            "tool-error needsInput",
            names.needs_input.unwrap_or("none").to_owned(),
        ),
        ("mcp-aql code", names.mcp_aql.to_owned()),
        ("mcp-aql strict code", names.mcp_aql_strict.to_owned()),
    ]
}

fn row(text: &mut String, name: &str, facts: &[(&str, String)], kind: &str, details: &[Detail]) {
    let mut line = |line: std::fmt::Arguments<'_>| {
        text.write_fmt(line)
            .expect("writing to a string cannot fail");
        text.push('\n');
    };
    line(format_args!("\n{name}"));
    for (field, value) in facts {
        line(format_args!("  {field}: {value}"));
    }
    for detail in details {
        let force = if detail.required {
            "required"
        } else {
            "optional"
        };
        line(format_args!(
            "  {kind} {}: {force} {}",
            detail.name,
            shape(detail)
        ));
    }
}

fn shape(detail: &Detail) -> String {
    match detail.shape {
        Shape::Text => "text".into(),
        Shape::OneOf(words) => words.join("|"),
        Shape::Integer => "integer".into(),
        Shape::Number => "number".into(),
        Shape::Flag => "flag".into(),
        Shape::Texts => "texts".into(),
        Shape::Timestamp => "timestamp".into(),
        Shape::Object => "object".into(),
        Shape::Objects => "objects".into(),
        Shape::Any => "any".into(),
        other => panic!("no word for the shape {other:?} of '{}'", detail.name),
    }
}

/// The tests of the comparison itself, on locks made up for them.
mod comparison {
    use super::{Change, compare, judge, parse};

    const LOCK: &str = "\
# A comment.

ORDER_GONE
  retry: never
  http: 404
  rpc: none
  response-v2 error_code: RESOURCE_NOT_FOUND
  detail order_id: required text
  detail hint: optional text

warning ORDER_OLD
  severity: info
";

    /// A line of the lock, what it becomes, and what is said about it.
    #[rustfmt::skip]
    const BREAKING: &[(&str, &str, &str)] = &[
        ("ORDER_GONE\n", "ORDER_WENT\n", "ORDER_GONE: gone"),
        ("retry: never", "retry: once", "ORDER_GONE: retry was 'never' → is 'once'"),
        ("http: 404", "http: 410", "ORDER_GONE: http was '404' → is '410'"),
        ("rpc: none", "rpc: -32602", "ORDER_GONE: rpc was 'none' → is '-32602'"),
        (
            "error_code: RESOURCE_NOT_FOUND",
            "error_code: RESOURCE_GONE",
            "ORDER_GONE: response-v2 error_code was 'RESOURCE_NOT_FOUND' → is 'RESOURCE_GONE'",
        ),
        ("  response-v2 error_code: RESOURCE_NOT_FOUND\n", "", "ORDER_GONE: response-v2 error_code was 'RESOURCE_NOT_FOUND' → is nothing"),
        ("  detail hint: optional text\n", "", "ORDER_GONE: detail hint was 'optional text' → is nothing"),
        ("order_id: required text", "order_id: optional text", "ORDER_GONE: detail order_id was 'required text' → is 'optional text'"),
        ("hint: optional text", "hint: required text", "ORDER_GONE: detail hint was 'optional text' → is 'required text'"),
        ("hint: optional text", "hint: optional integer", "ORDER_GONE: detail hint was 'optional text' → is 'optional integer'"),
        ("  http: 404\n", "  http: 404\n  detail since: required text\n", "ORDER_GONE: detail since was nothing → is 'required text'"),
        ("severity: info", "severity: error", "warning ORDER_OLD: severity was 'info' → is 'error'"),
    ];

    /// The only change when one line of the lock is replaced by others.
    fn only_change(line: &str, with: &str) -> Change {
        assert!(LOCK.contains(line), "{line}");
        let mut changes = compare(&parse(LOCK), &parse(&LOCK.replacen(line, with, 1)));
        assert_eq!(changes.len(), 1, "{changes:?}");
        changes.remove(0)
    }

    #[test]
    fn a_lock_is_like_itself_whatever_its_comments() {
        let other = LOCK.replace("# A comment.", "# Another.");
        assert_eq!(compare(&parse(LOCK), &parse(&other)), []);
    }

    #[test]
    fn a_new_code_breaks_nothing() {
        let change = only_change("\nwarning", "\nORDER_LOST\n  retry: never\n\nwarning");
        assert_eq!(change, Change::AddedRow("ORDER_LOST".into()));
        assert!(!change.is_breaking());
    }

    #[test]
    fn a_new_optional_detail_breaks_nothing() {
        let change = only_change(
            "  http: 404\n",
            "  http: 404\n  detail since: optional text\n",
        );
        assert!(!change.is_breaking(), "{change}");
        assert_eq!(
            change.to_string(),
            "ORDER_GONE: detail since 'optional text' is new"
        );
    }

    #[test]
    fn a_name_in_a_new_vocabulary_breaks_nothing() {
        let change = only_change("  http: 404\n", "  http: 404\n  other code: GONE\n");
        assert!(!change.is_breaking(), "{change}");
    }

    #[test]
    fn each_kind_of_change_breaks_a_promise_and_says_which() {
        for (line, with, said) in BREAKING {
            let changes = compare(&parse(LOCK), &parse(&LOCK.replacen(line, with, 1)));
            let broken: Vec<String> = changes
                .iter()
                .filter(|change| change.is_breaking())
                .map(ToString::to_string)
                .collect();
            assert_eq!(broken, [*said]);
        }
    }

    #[test]
    fn an_addition_is_written_when_blessed_and_a_broken_promise_only_when_meant() {
        let added = LOCK.replace("\nwarning", "\nORDER_LOST\n  retry: never\n\nwarning");
        let broken = added.replace("http: 404", "http: 410");
        let verdict = |want: &str, bless: &str| {
            judge(LOCK, want, &compare(&parse(LOCK), &parse(want)), bless)
        };
        assert_eq!(verdict(LOCK, ""), Ok(false));
        assert!(verdict(&added, "").unwrap_err().contains("New, bless it"));
        assert_eq!(verdict(&added, "1"), Ok(true));
        for bless in ["", "1"] {
            let report = verdict(&broken, bless).unwrap_err();
            assert!(report.contains("http was '404' → is '410'"), "{report}");
            assert!(report.contains("BREAKFALL_BLESS=breaking"), "{report}");
        }
        assert_eq!(verdict(&broken, "breaking"), Ok(true));
    }
}
