//! The result, for people and for programs.

use serde_json::{Value, json};

use super::{CheckedServer, TargetPlan};
use crate::client_file::ClientKind;
use crate::layout::TextSheet;
use crate::output::{printable, terminal_width};

/// `is_readable` if no file was left out for its errors.
pub(super) fn text(servers: &[CheckedServer], is_readable: bool) -> String {
    let mut sheet = TextSheet::new(terminal_width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH));
    let mut file = None;
    for server in servers {
        let path = &server.target.file;
        if file != Some(path) {
            if file.is_some() {
                sheet.gap();
            }
            let beside = ClientKind::of(path).name().unwrap_or_default();
            sheet.title(&printable(&path.display().to_string()), beside);
            file = Some(path);
        }
        sheet.gap();
        push(&mut sheet, server);
    }
    if servers.is_empty() && is_readable {
        sheet.line("no servers are configured");
    }
    sheet.finish()
}

fn push(sheet: &mut TextSheet, server: &CheckedServer) {
    sheet.title(
        &printable(&server.target.name),
        &printable(&server.target.shown),
    );
    if let Some(welcome) = &server.welcome {
        let tools = match welcome.tools {
            None => "no tools".to_owned(),
            Some(1) => "one tool".to_owned(),
            Some(many) => format!("{many} tools"),
        };
        let about = [tools, printable(&welcome.server)];
        let about: Vec<_> = about.into_iter().filter(|word| !word.is_empty()).collect();
        sheet.field("Works", &about.join(", "));
    }
    if let Some(reason) = skipped(server) {
        sheet.field("Skipped", reason);
    }
    for finding in &server.findings {
        sheet.field("Problem", &printable(&finding.problem));
        let said = finding.said.as_deref().unwrap_or_default();
        for (index, line) in said.lines().enumerate() {
            let label = if index == 0 { "Said" } else { "" };
            sheet.field(label, &printable(line));
        }
        sheet.field("Fix", &printable(&finding.fix));
    }
}

/// Why a server was not started, if that is no problem.
fn skipped(server: &CheckedServer) -> Option<&str> {
    match &server.target.plan {
        TargetPlan::Skip(reason) if !reason.is_empty() => Some(reason),
        TargetPlan::Skip(_) | TargetPlan::Check(_) => None,
    }
}

pub(super) fn json(servers: &[CheckedServer], is_readable: bool) -> String {
    let is_well = is_readable && servers.iter().all(|server| server.findings.is_empty());
    let servers: Vec<Value> = servers.iter().map(row).collect();
    let answer = json!({"ok": is_well, "servers": servers});
    format!("{answer:#}\n")
}

fn row(server: &CheckedServer) -> Value {
    let target = &server.target;
    let mut row = json!({
        "file": target.file.display().to_string(),
        "name": target.name,
        "start": target.shown,
        "ok": server.findings.is_empty(),
        "problems": server.findings,
    });
    if let Some(welcome) = &server.welcome {
        row["server"] = welcome.server.clone().into();
        row["tools"] = welcome.tools.unwrap_or_default().into();
    }
    if let Some(reason) = skipped(server) {
        row["skipped"] = reason.into();
    }
    row
}

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;
