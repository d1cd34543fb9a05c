//! The page of a row, for a terminal.

use breakfall::catalog::warning::WarningEntry;
use breakfall::code::{Entry, Text};
use breakfall::locale::Language;
use breakfall::wire::{Dialect, name_of};
use breakfall::{Code, Hint};

use super::describe;
use super::lookup::{Meaning, Row, Vocabulary, rpc_title};
use super::said::Said;
use crate::text::Sheet;

/// What a word means: the page of the row if it is our own name of one, or else which rows it stands for and the
/// page of each.
pub(super) fn answer(
    query: &str,
    meanings: &[Meaning],
    language: Option<Language>,
    width: usize,
) -> String {
    let mut rows: Vec<Row> = Vec::new();
    for meaning in meanings {
        if !rows.contains(&meaning.row) {
            rows.push(meaning.row);
        }
    }
    let mut sheet = Sheet::new(width);
    let own = is_own(meanings) && rows.len() == 1;
    if !own {
        let beside = if rows.len() > 1 {
            "stands for several codes"
        } else {
            "stands for"
        };
        let beside = match rpc_title(query) {
            Some(title) => format!("JSON-RPC {title}; {beside}"),
            None => beside.to_owned(),
        };
        sheet.title(&query.to_ascii_uppercase(), &beside);
        overview(&mut sheet, meanings);
    }
    for (index, row) in rows.into_iter().enumerate() {
        if index > 0 || !own {
            sheet.gap();
        }
        match row {
            Row::Code(code) => code_page(&mut sheet, code),
            Row::Warning(code) => warning_page(&mut sheet, code.entry()),
        }
        if let Some(language) = language {
            said(&mut sheet, &Said::new(row, language));
        }
    }
    if own {
        sheet.table("Also", &also(meanings));
    }
    sheet.finish()
}

fn is_own(meanings: &[Meaning]) -> bool {
    let native = Vocabulary::Dialect(Dialect::Native);
    meanings
        .iter()
        .any(|meaning| meaning.vocabularies.contains(&native))
}

/// What the formats write by this name besides the row itself.
fn also(meanings: &[Meaning]) -> Vec<[String; 2]> {
    let shared = meanings.iter().filter(|meaning| !meaning.also.is_empty());
    shared
        .map(|meaning| [vocabularies(meaning), also_names(meaning)])
        .collect()
}

fn overview(sheet: &mut Sheet, meanings: &[Meaning]) {
    let labels: Vec<String> = meanings.iter().map(vocabularies).collect();
    let width = labels.iter().map(String::len).max().unwrap_or(0) + 4;
    for (label, meaning) in labels.iter().zip(meanings) {
        let mut names = meaning.row.name().to_owned();
        if !meaning.also.is_empty() {
            names = format!("{names}; also {}", also_names(meaning));
        }
        sheet.labelled(&format!("  {label}"), width, &names, str::to_owned);
    }
}

fn vocabularies(meaning: &Meaning) -> String {
    let names: Vec<String> = meaning
        .vocabularies
        .iter()
        .map(ToString::to_string)
        .collect();
    names.join(", ")
}

fn also_names(meaning: &Meaning) -> String {
    let names: Vec<&str> = meaning.also.iter().map(|row| row.name()).collect();
    names.join(", ")
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

/// What callers are told who read a language.
fn said(sheet: &mut Sheet, said: &Said) {
    sheet.template(&format!("In {}", said.language), &said.message);
    let more = [&said.remediation, &said.user_message];
    for text in more.into_iter().flatten() {
        sheet.template("", text);
    }
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
