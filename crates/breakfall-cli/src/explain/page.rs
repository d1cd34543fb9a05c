//! The page of a row, for a terminal.

use breakfall::catalog::warning::WarningEntry;
use breakfall::code::{Entry, Text};
use breakfall::locale::Language;
use breakfall::wire::{Dialect, name_of};
use breakfall::{Code, Hint, Retry};

use super::describe;
use super::exceptions;
use super::lookup::{CatalogRow, CodeMeaning, Vocabulary, rpc_title};
use super::translation::Translation;
use crate::layout::TextSheet;

/// The page of a row for its native name; for any other name the rows it stands for, then the page of each.
pub(super) fn answer(
    query: &str,
    meanings: &[CodeMeaning],
    language: Option<Language>,
    width: usize,
) -> String {
    let mut rows: Vec<CatalogRow> = Vec::new();
    for meaning in meanings {
        if !rows.contains(&meaning.row) {
            rows.push(meaning.row);
        }
    }
    let mut sheet = TextSheet::new(width);
    let is_native_name = is_native(meanings) && rows.len() == 1;
    if !is_native_name {
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
        if index > 0 || !is_native_name {
            sheet.gap();
        }
        match row {
            CatalogRow::Code(code) => code_page(&mut sheet, code),
            CatalogRow::Warning(code) => warning_page(&mut sheet, code.entry()),
        }
        if let Some(language) = language {
            translation(&mut sheet, &Translation::new(row, language));
        }
    }
    if is_native_name {
        sheet.table("Also", &also(meanings));
    }
    sheet.finish()
}

fn is_native(meanings: &[CodeMeaning]) -> bool {
    let native = Vocabulary::Dialect(Dialect::Native);
    meanings
        .iter()
        .any(|meaning| meaning.vocabularies.contains(&native))
}

/// Other rows that formats write by this name.
fn also(meanings: &[CodeMeaning]) -> Vec<[String; 2]> {
    let shared = meanings.iter().filter(|meaning| !meaning.also.is_empty());
    shared
        .map(|meaning| [vocabularies(meaning), also_names(meaning)])
        .collect()
}

fn overview(sheet: &mut TextSheet, meanings: &[CodeMeaning]) {
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

fn vocabularies(meaning: &CodeMeaning) -> String {
    let names: Vec<String> = meaning
        .vocabularies
        .iter()
        .map(ToString::to_string)
        .collect();
    names.join(", ")
}

fn also_names(meaning: &CodeMeaning) -> String {
    let names: Vec<&str> = meaning.also.iter().map(|row| row.name()).collect();
    names.join(", ")
}

fn code_page(sheet: &mut TextSheet, code: Code) {
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
    sheet.table("Unless", &unless(code));
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

/// The texts in a language.
fn translation(sheet: &mut TextSheet, texts: &Translation) {
    sheet.template(&format!("In {}", texts.language), &texts.message);
    let more = [&texts.remediation, &texts.user_message];
    for text in more.into_iter().flatten() {
        sheet.template("", text);
    }
}

/// The form a text takes when one of its values is missing.
fn plain_form(sheet: &mut TextSheet, text: Text) {
    if text.plain != text.template {
        sheet.field("", &format!("without values: {}", text.plain));
    }
}

/// What an answer with the code says instead, by a field it has.
fn unless(code: Code) -> Vec<[String; 2]> {
    let exceptions = exceptions::of(code).into_iter().map(|exception| {
        let says = if exception.retry == Retry::After {
            "when that wait is over".to_owned()
        } else {
            exception.remediation
        };
        [
            exception.field.to_owned(),
            format!("{}: {says}", exception.retry),
        ]
    });
    exceptions.collect()
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

fn warning_page(sheet: &mut TextSheet, entry: &WarningEntry) {
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
