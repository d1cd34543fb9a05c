//! The page of a row, for a terminal.

use breakfall::catalog::warning::WarningEntry;
use breakfall::code::{Entry, Text};
use breakfall::wire::{Dialect, name_of};
use breakfall::{Code, Hint};

use super::describe;
use super::lookup::{Meaning, Row, Vocabulary};
use crate::text::Sheet;

/// What a word means: which rows it stands for, if that needs saying, then the page of each.
pub(super) fn answer(query: &str, meanings: &[Meaning], width: usize) -> String {
    let mut sheet = Sheet::new(width);
    if !is_plain(meanings) {
        overview(&mut sheet, query, meanings);
        sheet.gap();
    }
    let mut shown: Vec<Row> = Vec::new();
    for meaning in meanings {
        if shown.contains(&meaning.row) {
            continue;
        }
        if !shown.is_empty() {
            sheet.gap();
        }
        shown.push(meaning.row);
        match meaning.row {
            Row::Code(code) => code_page(&mut sheet, code),
            Row::Warning(code) => warning_page(&mut sheet, code.entry()),
        }
    }
    sheet.finish()
}

/// Whether a word is just the native name of one row.
fn is_plain(meanings: &[Meaning]) -> bool {
    match meanings {
        [only] => {
            let native = Vocabulary::Dialect(Dialect::Native);
            only.also.is_empty() && only.vocabularies.contains(&native)
        }
        _ => false,
    }
}

fn overview(sheet: &mut Sheet, query: &str, meanings: &[Meaning]) {
    let rows: Vec<[String; 2]> = meanings.iter().map(overview_row).collect();
    sheet.title(&query.to_ascii_uppercase(), "stands for");
    for [vocabularies, names] in &rows {
        let width = rows.iter().map(|[have, _]| have.len()).max().unwrap_or(0) + 4;
        sheet.labelled(&format!("  {vocabularies}"), width, names, str::to_owned);
    }
}

fn overview_row(meaning: &Meaning) -> [String; 2] {
    let vocabularies: Vec<String> = meaning
        .vocabularies
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut names = meaning.row.name().to_owned();
    if !meaning.also.is_empty() {
        let also: Vec<&str> = meaning.also.iter().map(|row| row.name()).collect();
        names = format!("{names}; also {}", also.join(", "));
    }
    [vocabularies.join(", "), names]
}

fn code_page(sheet: &mut Sheet, code: Code) {
    let entry = code.entry();
    sheet.title(entry.name, entry.category.as_str());
    sheet.gap();
    sheet.paragraph(entry.meaning);
    sheet.gap();
    sheet.field("When", entry.when);
    match entry.sentence {
        Some(sentence) => {
            sheet.template("Message", sentence);
            sheet.template("", &format!("in mcp-aql: {}", entry.message.template));
        }
        None => sheet.template("Message", entry.message.template),
    }
    plain_form(sheet, entry.message);
    let details: Vec<_> = entry.details.iter().map(describe::detail).collect();
    sheet.table("Details", &details);
    sheet.template("Fix", entry.remediation.template);
    plain_form(sheet, entry.remediation);
    sheet.field("User", entry.user);
    let (retry, means) = (entry.retry, describe::retry(entry.retry));
    sheet.field("Retry", &format!("{retry}: {means}"));
    sheet.field("Recovery", &recovery(entry));
    sheet.field("Origin", entry.origin.as_str());
    sheet.field("Protocol", &protocol(entry));
    let status = describe::status(entry.status);
    sheet.field(
        "Status",
        &format!("{} since {}: {status}", entry.status, entry.since),
    );
    sheet.table("Names", &names(code));
}

/// The form a text takes when one of its values is missing.
fn plain_form(sheet: &mut Sheet, text: Text) {
    if text.plain != text.template {
        sheet.field("", &format!("without values: {}", text.plain));
    }
}

fn recovery(entry: &Entry) -> String {
    let hint = |hint: Hint| hint.as_str();
    let mut words = hint(entry.hint).to_owned();
    if entry.hint_with_fallback != entry.hint {
        words = format!(
            "{words}, with a fallback tool {}",
            hint(entry.hint_with_fallback)
        );
    }
    if entry.actions.is_empty() {
        return words;
    }
    format!("{words}: {}", entry.actions.join(", "))
}

fn protocol(entry: &Entry) -> String {
    let rpc = entry
        .rpc
        .map_or_else(String::new, |rpc| format!(", JSON-RPC {rpc}"));
    format!("HTTP {}{rpc}, gRPC {}", entry.http, entry.grpc)
}

/// The name in every format but ours, which is the title.
fn names(code: Code) -> Vec<[String; 2]> {
    let names = &code.entry().names;
    let others = Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::Native);
    let row = |dialect: &Dialect| {
        let name = match (dialect, name_of(code, *dialect)) {
            (Dialect::ResponseV2, Some(name)) => format!("{name}, type {}", names.error_type),
            (Dialect::ErrorModel, _) => describe::number(names),
            (Dialect::McpAql, Some(name)) if names.mcp_aql_strict != name => {
                format!("{name}, strict {}", names.mcp_aql_strict)
            }
            (_, Some(name)) => name.into_owned(),
            (_, None) => {
                let field = names.needs_input.unwrap_or_default();
                format!("needsInput:v1, field {field}")
            }
        };
        [dialect.to_string(), name]
    };
    others.map(row).collect()
}

fn warning_page(sheet: &mut Sheet, entry: &WarningEntry) {
    sheet.title(entry.name, "warning, rides on a success");
    sheet.gap();
    sheet.paragraph(entry.meaning);
    sheet.gap();
    sheet.field("When", entry.when);
    if let Some(phase) = entry.phase {
        sheet.field("Phase", phase.title());
    }
    sheet.template("Message", entry.message.template);
    plain_form(sheet, entry.message);
    let severity = entry.severity;
    sheet.field(
        "Severity",
        &format!("{severity}: {}", severity.consumer_action()),
    );
    let context: Vec<_> = entry.context.iter().map(describe::detail).collect();
    sheet.table("Context", &context);
    let urgency = severity.urgency();
    let row = |dialect: Dialect, name: &str| [dialect.to_string(), name.to_owned()];
    sheet.table(
        "Names",
        &[
            row(Dialect::ResponseV2, entry.response_v2),
            row(
                Dialect::McpAql,
                &format!("{}, severity {urgency}", entry.mcp_aql),
            ),
        ],
    );
    sheet.field("Source", entry.source.as_str());
}
