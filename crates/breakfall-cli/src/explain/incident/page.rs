//! Stored failures and calls as a page. Texts of servers are escaped.

use std::time::Duration;

use breakfall_gateway::record::Report;
use breakfall_gateway::store::ChainLink;
use serde_json::Value;

use super::Incident;
use crate::layout::TextSheet;
use crate::output::printable;

pub(super) fn answer(query: &str, incident: &Incident, width: usize) -> String {
    let mut sheet = TextSheet::new(width);
    for (at, report) in incident.reports.iter().enumerate() {
        if at > 0 {
            sheet.gap();
        }
        failure(&mut sheet, report);
        // With an audit trail each report has its entry, in the same order.
        if let Some(link) = incident.entries.get(at) {
            trail(&mut sheet, link);
        }
        block(&mut sheet, "What happened", &report.report);
        if let Some(text) = server_text(report) {
            block(&mut sheet, "What the server said", text);
        }
    }
    for (at, link) in incident
        .entries
        .iter()
        .enumerate()
        .skip(incident.reports.len())
    {
        if at > 0 {
            sheet.gap();
        }
        call(&mut sheet, query, link);
    }
    sheet.finish()
}

/// The text of the server, unless it is one line, which is the message already.
fn server_text(report: &Report) -> Option<&str> {
    let message = report.error["message"].as_str();
    let is_long = |message: &&str| message.trim_end().contains('\n');
    let message = message.filter(|_| report.error["origin"] != "gateway");
    report.original.as_deref().or(message.filter(is_long))
}

fn failure(sheet: &mut TextSheet, report: &Report) {
    let error = |key: &str| printable(report.error[key].as_str().unwrap_or_default());
    let code = error("code");
    sheet.title(
        &printable(&report.correlation_id),
        &format!("{code}, {}", error("category")),
    );
    sheet.gap();
    let message = report.error["message"].as_str().unwrap_or_default();
    sheet.paragraph(&printable(message.lines().next().unwrap_or_default()));
    sheet.gap();
    let took = time(report.took());
    sheet.field(
        "When",
        &format!("{}, took {took}", printable(&report.timestamp)),
    );
    sheet.field("Server", &printable(&report.upstream));
    let asked = if report.is_call { "Tool" } else { "Request" };
    sheet.field(asked, &printable(&report.tool));
    if let Some(principal) = &report.principal {
        sheet.field("Caller", &printable(principal));
    }
    let waited = match report.waited() {
        Duration::ZERO => String::new(),
        waited => format!(", {} of the time was waited between them", time(waited)),
    };
    sheet.field("Attempts", &format!("{}{waited}", report.attempts));
    sheet.field("Origin", &error("origin"));
    let rule = &report.error["provenance"];
    if let (Some(rule), Some(confidence)) = (rule["rule"].as_str(), rule["confidence"].as_str()) {
        sheet.field(
            "Read by",
            &printable(&format!("the rule {rule}, {confidence}")),
        );
    }
    let retry = report.error["retry"]["policy"].as_str().unwrap_or_default();
    sheet.field("Retry", &printable(retry));
    sheet.field("Fix", &error("remediation"));
    let details = report.error["details"].as_object();
    let details = details.into_iter().flatten();
    let rows: Vec<[String; 2]> = details
        .map(|(key, value)| [printable(key), plain(value)])
        .collect();
    sheet.table("Details", &rows);
    if let Some(trace) = &report.trace_id {
        sheet.field("Trace", &printable(trace));
    }
    sheet.field("Code", &format!("breakfall explain {code}"));
}

/// A call that is only in the audit trail: it succeeded, or its report was removed.
fn call(sheet: &mut TextSheet, query: &str, link: &ChainLink) {
    let entry: Value = serde_json::from_str(&link.entry).unwrap_or_default();
    let metadata = &entry["metadata"];
    let word = |value: &Value| printable(value.as_str().unwrap_or_default());
    let end = ["code", "end"]
        .iter()
        .find_map(|key| metadata[*key].as_str());
    let end = end.or(entry["output_status"].as_str()).unwrap_or_default();
    sheet.title(&printable(query), &printable(end));
    sheet.gap();
    let took = time(Duration::from_millis(
        entry["duration_ms"].as_u64().unwrap_or_default(),
    ));
    sheet.field(
        "When",
        &format!("{}, took {took}", word(&entry["timestamp"])),
    );
    sheet.field("Server", &word(&metadata["upstream"]));
    sheet.field("Tool", &word(&entry["tool_name"]));
    if let Some(user) = entry["user_id"].as_str() {
        sheet.field("Caller", &printable(user));
    }
    let named = [
        "attempts",
        "sent_bytes",
        "received_bytes",
        "warnings",
        "origin",
        "trace_id",
    ];
    let rows = named.iter().filter(|key| !metadata[**key].is_null());
    let rows: Vec<[String; 2]> = rows
        .map(|key| [(*key).to_owned(), plain(&metadata[*key])])
        .collect();
    sheet.table("Details", &rows);
    trail(sheet, link);
    if entry["output_status"] == "error" {
        sheet.field("Report", "removed");
    }
}

fn trail(sheet: &mut TextSheet, link: &ChainLink) {
    let entry: Value = serde_json::from_str(&link.entry).unwrap_or_default();
    let input = printable(entry["input_hash"].as_str().unwrap_or_default());
    sheet.field(
        "Audit",
        &format!("entry {}, hash of the input {input}", link.seq),
    );
}

/// Lines below a title.
fn block(sheet: &mut TextSheet, title: &str, text: &str) {
    sheet.gap();
    sheet.title(title, "");
    for line in text.lines() {
        sheet.line(&format!("  {}", printable(line)));
    }
}

/// A value as text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => printable(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            printable(&value.to_string())
        }
    }
}

fn time(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{}ms", time.as_millis())
    } else {
        format!("{:.1}s", time.as_secs_f64())
    }
}
