//! `schemas/catalog.json`: every row, for programs.

use breakfall::catalog::CODES;
use breakfall::catalog::decision::{Situation, Verdict};
use breakfall::catalog::warning::{Phase, WARNINGS, WarningEntry};
use breakfall::code::{Detail, Entry, Shape, Text};
use serde_json::{Value, json};

const FILE: &str = "schemas/catalog.json";

fn catalog() -> Value {
    let codes: Value = CODES.iter().map(|code| row(code.entry())).collect();
    let warnings: Value = WARNINGS.iter().map(|code| warning(code.entry())).collect();
    let phases: Value = Phase::ALL
        .iter()
        .map(|phase| json!({"name": phase.title(), "trigger": phase.trigger()}))
        .collect();
    let decisions: Value = Situation::ALL.iter().map(|one| decision(*one)).collect();
    json!({"codes": codes, "warnings": warnings, "phases": phases, "decisions": decisions})
}

fn row(entry: &Entry) -> Value {
    let names = &entry.names;
    json!({
        "name": entry.name,
        "category": entry.category,
        "severity": entry.severity,
        "status": entry.status,
        "since": entry.since,
        "meaning": entry.meaning,
        "when": entry.when,
        "message": text(entry.message),
        "sentence": entry.sentence,
        "details": details(entry.details),
        "remediation": text(entry.remediation),
        "user_message": entry.user,
        "retry": {"policy": entry.retry, "retryable": entry.retry.is_retryable()},
        "recovery_actions": entry.actions,
        "recovery_hint": entry.hint,
        "recovery_hint_with_fallback": entry.hint_with_fallback,
        "origin": entry.origin,
        "http": entry.http,
        "rpc": entry.rpc,
        "grpc": entry.grpc,
        "names": {
            "response-v2": {"error_code": names.response_v2, "error_type": names.error_type},
            "mcp-error": names.mcp_error,
            "error-model": names.error_model,
            "tool-error": names.tool_error,
            "needs-input": names.needs_input,
            "mcp-aql": names.mcp_aql,
            "mcp-aql-strict": names.mcp_aql_strict,
            "problem": format!("urn:breakfall:code:{}", entry.name),
        },
    })
}

fn warning(entry: &WarningEntry) -> Value {
    json!({
        "name": entry.name,
        "severity": entry.severity,
        "phase": entry.phase.map(Phase::title),
        "meaning": entry.meaning,
        "when": entry.when,
        "message": text(entry.message),
        "context": details(entry.context),
        "registry": entry.source.as_str(),
        "names": {"response-v2": entry.response_v2, "mcp-aql": entry.mcp_aql},
    })
}

fn decision(situation: Situation) -> Value {
    let (verdict, code) = match situation.verdict() {
        Verdict::Warning(code) => ("warning", code.name()),
        Verdict::Error(code) => ("error", code.name()),
    };
    json!({"situation": situation.describe(), "verdict": verdict, "code": code, "why": situation.why()})
}

fn text(text: Text) -> Value {
    json!({"template": text.template, "plain": text.plain})
}

fn details(details: &[Detail]) -> Value {
    let each = details.iter().map(|detail| {
        let mut value = json!({
            "name": detail.name,
            "shape": shape(detail),
            "required": detail.required,
            "about": detail.about,
        });
        if let Shape::OneOf(words) = detail.shape {
            value["words"] = words.into();
        }
        value
    });
    each.collect()
}

fn shape(detail: &Detail) -> &'static str {
    match detail.shape {
        Shape::Text => "text",
        Shape::OneOf(_) => "word",
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::Flag => "flag",
        Shape::Texts => "texts",
        Shape::Timestamp => "timestamp",
        Shape::Object => "object",
        Shape::Objects => "objects",
        Shape::Any => "any",
        other => panic!("no word for the shape {other:?} of '{}'", detail.name),
    }
}

#[test]
fn the_export_of_the_catalogue_is_fresh() {
    super::assert_fresh(FILE, &format!("{:#}\n", catalog()));
}
