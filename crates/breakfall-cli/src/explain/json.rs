//! The answers as JSON. Keys are only ever added.

use std::collections::BTreeMap;

use breakfall::catalog::warning::WarningEntry;
use breakfall::code::{Detail, Entry, Names, Text};
use breakfall::locale::Language;
use breakfall::wire::{Dialect, name_of, number_name};
use breakfall::{Category, Code, Hint, Origin, Retry, Severity};
use serde::Serialize;

use super::describe;
use super::exceptions::{self, RetryException};
use super::lookup::{CatalogRow, CodeMeaning};
use super::translation::Translation;

/// `{query, meanings: [{formats, code, also}], rows: […]}`: each row once, in the order of the meanings.
pub(super) fn answer(query: &str, meanings: &[CodeMeaning], language: Option<Language>) -> String {
    let mut rows: Vec<CatalogRow> = Vec::new();
    for meaning in meanings {
        if !rows.contains(&meaning.row) {
            rows.push(meaning.row);
        }
    }
    let meanings = meanings.iter().map(|meaning| MeaningObject {
        formats: meaning
            .vocabularies
            .iter()
            .map(ToString::to_string)
            .collect(),
        code: meaning.row.name(),
        also: meaning.also.iter().map(|row| row.name()).collect(),
    });
    pretty(&ExplainObject {
        query,
        meanings: meanings.collect(),
        rows: rows
            .into_iter()
            .map(|row| RowObject::new(row, language))
            .collect(),
    })
}

/// An array of rows.
pub(super) fn rows(rows: &[CatalogRow]) -> String {
    let rows = rows.iter().map(|row| RowObject::new(*row, None));
    let rows: Vec<RowObject> = rows.collect();
    pretty(&rows)
}

fn pretty(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value);
    format!(
        "{}\n",
        json.expect("objects with string keys always serialise")
    )
}

#[derive(Serialize)]
struct ExplainObject<'a> {
    query: &'a str,
    meanings: Vec<MeaningObject>,
    rows: Vec<RowObject>,
}

#[derive(Serialize)]
struct MeaningObject {
    formats: Vec<String>,
    code: &'static str,
    also: Vec<&'static str>,
}

#[derive(Serialize)]
struct RowObject {
    #[serde(flatten)]
    row: KindObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    translation: Option<Translation>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum KindObject {
    Code(Box<CodeObject>),
    Warning(WarningObject),
}

impl RowObject {
    fn new(row: CatalogRow, language: Option<Language>) -> Self {
        Self {
            row: match row {
                CatalogRow::Code(code) => KindObject::Code(Box::new(CodeObject::new(code))),
                CatalogRow::Warning(code) => KindObject::Warning(WarningObject::new(code.entry())),
            },
            translation: language.map(|language| Translation::new(row, language)),
        }
    }
}

#[derive(Serialize)]
struct CodeObject {
    name: &'static str,
    category: Category,
    severity: Severity,
    status: &'static str,
    since: &'static str,
    meaning: &'static str,
    when: &'static str,
    message: TextObject,
    details: Vec<DetailObject>,
    remediation: TextObject,
    user_message: &'static str,
    retry: Retry,
    retryable: bool,
    retry_exceptions: Vec<RetryException>,
    recovery_actions: &'static [&'static str],
    recovery_hint: Hint,
    recovery_hint_with_fallback: Hint,
    origin: Origin,
    http_status: u16,
    json_rpc_code: Option<i32>,
    grpc_status: &'static str,
    names: NamesObject,
}

impl CodeObject {
    fn new(code: Code) -> Self {
        let entry: &Entry = code.entry();
        Self {
            name: entry.name,
            category: entry.category,
            severity: entry.severity,
            status: entry.status.as_str(),
            since: entry.since,
            meaning: entry.meaning,
            when: entry.when,
            message: TextObject::new(entry.message, entry.sentence),
            details: DetailObject::all(entry.details),
            remediation: TextObject::new(entry.remediation, None),
            user_message: entry.user,
            retry: entry.retry,
            retryable: entry.retry.is_retryable(),
            retry_exceptions: exceptions::of(code),
            recovery_actions: entry.actions,
            recovery_hint: entry.hint,
            recovery_hint_with_fallback: entry.hint_with_fallback,
            origin: entry.origin,
            http_status: entry.http,
            json_rpc_code: entry.rpc,
            grpc_status: entry.grpc.as_str(),
            names: NamesObject::new(code),
        }
    }
}

#[derive(Serialize)]
struct TextObject {
    template: &'static str,
    plain: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<&'static str>,
}

impl TextObject {
    const fn new(text: Text, sentence: Option<&'static str>) -> Self {
        Self {
            template: text.template,
            plain: text.plain,
            sentence,
        }
    }
}

#[derive(Serialize)]
struct DetailObject {
    name: &'static str,
    shape: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_of: Option<&'static [&'static str]>,
    required: bool,
    about: &'static str,
}

impl DetailObject {
    fn all(details: &[Detail]) -> Vec<Self> {
        let object = |detail: &Detail| Self {
            name: detail.name,
            shape: describe::shape(detail.shape),
            one_of: describe::choices(detail.shape),
            required: detail.required,
            about: detail.about,
        };
        details.iter().map(object).collect()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct NamesObject {
    native: &'static str,
    response_v2: ResponseV2Name,
    mcp_error: &'static str,
    error_model: NumberName,
    tool_error: ToolErrorName,
    mcp_aql: McpAqlName,
    problem: Option<String>,
}

impl NamesObject {
    fn new(code: Code) -> Self {
        let names: &Names = &code.entry().names;
        Self {
            native: code.name(),
            response_v2: ResponseV2Name {
                error_code: names.response_v2,
                error_type: names.error_type,
            },
            mcp_error: names.mcp_error,
            error_model: NumberName {
                code: names.error_model,
                name: number_name(names.error_model),
            },
            tool_error: match names.needs_input {
                Some(field) => ToolErrorName::UnansweredQuestion { field },
                None => ToolErrorName::Error {
                    code: names.tool_error,
                },
            },
            mcp_aql: McpAqlName {
                code: names.mcp_aql,
                strict: names.mcp_aql_strict,
            },
            problem: name_of(code, Dialect::Problem).map(Into::into),
        }
    }
}

#[derive(Serialize)]
struct ResponseV2Name {
    error_code: &'static str,
    error_type: &'static str,
}

#[derive(Serialize)]
struct NumberName {
    code: u16,
    name: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(tag = "kind")]
enum ToolErrorName {
    #[serde(rename = "toolError:v1")]
    Error { code: &'static str },
    #[serde(rename = "needsInput:v1")]
    UnansweredQuestion { field: &'static str },
}

#[derive(Serialize)]
struct McpAqlName {
    code: &'static str,
    strict: &'static str,
}

#[derive(Serialize)]
struct WarningObject {
    name: &'static str,
    severity: Severity,
    phase: Option<&'static str>,
    source: &'static str,
    meaning: &'static str,
    when: &'static str,
    message: TextObject,
    context: Vec<DetailObject>,
    names: BTreeMap<&'static str, &'static str>,
}

impl WarningObject {
    fn new(entry: &WarningEntry) -> Self {
        Self {
            name: entry.name,
            severity: entry.severity,
            phase: entry.phase.map(breakfall::catalog::warning::Phase::title),
            source: entry.source.as_str(),
            meaning: entry.meaning,
            when: entry.when,
            message: TextObject::new(entry.message, None),
            context: DetailObject::all(entry.context),
            names: BTreeMap::from([
                (Dialect::Native.as_str(), entry.name),
                (Dialect::ResponseV2.as_str(), entry.response_v2),
                (Dialect::McpAql.as_str(), entry.mcp_aql),
            ]),
        }
    }
}
