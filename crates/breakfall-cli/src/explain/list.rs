//! `explain --list`: the rows that pass the filters, one line each.

use std::fmt::Write;

use breakfall::Code;
use breakfall::catalog::CODES;
use breakfall::catalog::warning::{Phase, WARNINGS, WarningCode};
use breakfall::wire::{Dialect, name_of};

use super::json;
use super::lookup::CatalogRow;
use crate::args::ListFilter;
use crate::layout::{FAINT, TITLE, column_widths, cut};
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote};

pub(super) fn run(
    text: Option<&str>,
    filter: &ListFilter,
    json: bool,
    terminal: Option<usize>,
) -> Result<CommandReport, CommandError> {
    let rows = if filter.warnings {
        warnings(text, filter.dialect)?
    } else {
        codes(text, filter)
    };
    let body = if json {
        ReportBody::Exact(json::rows(&rows))
    } else {
        ReportBody::Page(table(&rows, filter, terminal))
    };
    let mut report = CommandReport::new(body);
    if rows.is_empty() {
        report
            .notes
            .push(ReportNote::new("note", "nothing passes these filters"));
    }
    Ok(report)
}

fn codes(text: Option<&str>, filter: &ListFilter) -> Vec<CatalogRow> {
    let passes = |code: &Code| {
        let entry = code.entry();
        filter
            .category
            .is_none_or(|category| entry.category == category)
            && filter.retry.is_none_or(|retry| entry.retry == retry)
            && (!filter.retryable || entry.retry.is_retryable())
            && filter.status.is_none_or(|status| entry.status == status)
            && text.is_none_or(|text| mentions(text, &code_texts(*code)))
    };
    CODES
        .iter()
        .copied()
        .filter(passes)
        .map(CatalogRow::Code)
        .collect()
}

fn code_texts(code: Code) -> Vec<String> {
    let entry = code.entry();
    let names = Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::Problem);
    let names = names.filter_map(|dialect| name_of(code, *dialect));
    let mut texts: Vec<String> = names.map(Into::into).collect();
    let sentences = [entry.meaning, entry.when, entry.message.template];
    texts.extend(sentences.map(str::to_owned));
    texts
}

fn warnings(text: Option<&str>, dialect: Option<Dialect>) -> Result<Vec<CatalogRow>, CommandError> {
    let all = || WARNINGS.iter().copied().map(CatalogRow::Warning);
    let nameless = |dialect: &Dialect| all().all(|row| row.name_in(*dialect).is_none());
    if let Some(dialect) = dialect.filter(nameless) {
        return Err(
            CommandError::input(format!("{dialect} has no codes for warnings"))
                .hint("native, response-v2 and mcp-aql have them"),
        );
    }
    let passes = |code: &WarningCode| {
        let entry = code.entry();
        let texts = [
            entry.name,
            entry.response_v2,
            entry.mcp_aql,
            entry.meaning,
            entry.when,
            entry.message.template,
        ];
        text.is_none_or(|text| mentions(text, &texts))
    };
    Ok(WARNINGS
        .iter()
        .copied()
        .filter(passes)
        .map(CatalogRow::Warning)
        .collect())
}

fn mentions(wanted: &str, texts: &[impl AsRef<str>]) -> bool {
    let wanted = wanted.to_lowercase();
    texts
        .iter()
        .any(|text| text.as_ref().to_lowercase().contains(&wanted))
}

/// One line for each row, whole for a program and cut at the edge of a terminal.
fn table(rows: &[CatalogRow], filter: &ListFilter, terminal: Option<usize>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let dialect = filter.dialect.filter(|dialect| *dialect != Dialect::Native);
    let mut cells = vec![head(filter, dialect)];
    cells.extend(rows.iter().map(|row| line(*row, dialect)));
    columns(&cells, terminal)
}

/// Rows under a head. Empty columns are not shown.
pub(super) fn columns(cells: &[[String; 5]], terminal: Option<usize>) -> String {
    let widths = column_widths(cells);
    let mut out = String::new();
    for (index, row) in cells.iter().enumerate() {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths).filter(|(_, width)| *width > 0) {
            // Writing to a string cannot fail.
            let _ = write!(line, "{cell:width$}  ");
        }
        let line = cut(line.trim_end(), terminal);
        let _ = match index {
            0 => writeln!(out, "{FAINT}{line}{FAINT:#}"),
            _ => writeln!(out, "{}", highlight(&line)),
        };
    }
    out
}

fn head(filter: &ListFilter, dialect: Option<Dialect>) -> [String; 5] {
    let titles = if filter.warnings {
        ["CODE", "SEVERITY", "PHASE", "MESSAGE"]
    } else {
        ["CODE", "HTTP", "RETRY", "MESSAGE"]
    };
    let name = dialect.map(|dialect| dialect.as_str().to_uppercase());
    with_name(name, titles.map(str::to_owned))
}

/// The first word stands out.
fn highlight(line: &str) -> String {
    match line.split_once(' ') {
        Some((first, rest)) => format!("{TITLE}{first}{TITLE:#} {rest}"),
        None => line.to_owned(),
    }
}

fn line(row: CatalogRow, dialect: Option<Dialect>) -> [String; 5] {
    let name = dialect.map(|dialect| {
        let name = row.name_in(dialect);
        name.map_or_else(|| "needsInput:v1".to_owned(), Into::into)
    });
    let cells = match row {
        CatalogRow::Code(code) => {
            let entry = code.entry();
            let (http, retry) = (entry.http.to_string(), entry.retry.to_string());
            [
                entry.name.to_owned(),
                http,
                retry,
                entry.message.plain.to_owned(),
            ]
        }
        CatalogRow::Warning(code) => {
            let entry = code.entry();
            let phase = entry.phase.map_or("-", Phase::title).to_owned();
            let severity = entry.severity.to_string();
            [
                entry.name.to_owned(),
                severity,
                phase,
                entry.message.plain.to_owned(),
            ]
        }
    };
    with_name(name, cells)
}

/// The name in the chosen format comes first; without one that column is empty and not shown.
fn with_name(name: Option<String>, [a, b, c, d]: [String; 4]) -> [String; 5] {
    [name.unwrap_or_default(), a, b, c, d]
}
