//! The danger of tools, in the `_meta` of their list.

use std::borrow::Cow;

use breakfall::gate::{DangerLevel, DangerRule, GateDecision, GateOutcome};
use breakfall_mcp::jsonrpc::splice::{Object, each};
use serde_json::json;

use super::schemas::SchemaCache;
use super::tool::Tool;

/// The key in the `_meta` of a tool.
pub(crate) const DANGER: &str = "dev.breakfall/danger";

/// A result of `tools/list` in which each tool says its danger that is declared dangerous, or destructive or worse, or whose
/// calls are held up; `None` if there is none.
pub(crate) fn marked(
    result: &str,
    schemas: &SchemaCache,
    decide: impl Fn(&Tool) -> GateDecision,
) -> Option<String> {
    let top = Object::of(result, &["tools"])?;
    let mut all: Vec<Cow<'_, str>> = Vec::new();
    let mut is_any = false;
    each(top.get("tools")?, |item| {
        let tool = Tool::read(item, schemas);
        let said = tool.and_then(|tool| said(&decide(&tool)));
        let marked = said.and_then(|said| with_meta(item, &said));
        is_any |= marked.is_some();
        all.push(marked.map_or(Cow::Borrowed(item), Cow::Owned));
    })?;
    let list = format!("[{}]", all.join(","));
    is_any.then(|| top.edit().put("tools", list).write())
}

fn said(decision: &GateDecision) -> Option<String> {
    let danger = &decision.danger;
    let is_said = danger.level >= DangerLevel::Destructive
        || danger.rule == DangerRule::Declared
        || decision.outcome != GateOutcome::Allowed;
    let gate = match decision.outcome {
        GateOutcome::Allowed => "allow",
        GateOutcome::ConfirmationRequired => "confirm",
        GateOutcome::TrustInsufficient { .. } | GateOutcome::DangerDenied { .. } => "deny",
    };
    let said = json!({"level": danger.level.as_str(), "gate": gate});
    is_said.then(|| said.to_string())
}

fn with_meta(item: &str, said: &str) -> Option<String> {
    let tool = Object::of(item, &["_meta"])?;
    let meta = Object::of(tool.get("_meta").unwrap_or("{}"), &[DANGER])?;
    let meta = meta.edit().put(DANGER, said).write();
    Some(tool.edit().put("_meta", meta).write())
}
