//! What the gate does with the calls of a tool, as far as the configuration says: no server is started.

use breakfall::gate::{GateDecision, GateOutcome};
use breakfall_gateway::config::{Config, GateMode, UpstreamSettings};
use breakfall_gateway::tools::Hints;
use breakfall_gateway::upstream::Upstream;
use serde::Serialize;

use crate::args::ExplainArgs;
use crate::config;
use crate::layout::TextSheet;
use crate::report::{CommandError, CommandReport, ReportBody};
use crate::server;

/// What happens to a call of the tool at one server.
#[derive(Debug, Serialize)]
struct ToolOutlook {
    upstream: String,
    tool: String,
    trust: &'static str,
    gate: &'static str,
    /// Who may call: every client, or those that have a key.
    callers: Vec<String>,
    reasons: Vec<String>,
    cases: Vec<OutlookCase>,
}

/// What happens if the server says this of the tool.
#[derive(Debug, Serialize)]
struct OutlookCase {
    annotation: &'static str,
    danger: &'static str,
    danger_rule: String,
    outcome: &'static str,
    rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    required_trust: Option<&'static str>,
}

pub(super) fn run(
    tool: &str,
    args: &ExplainArgs,
    width: usize,
) -> Result<CommandReport, CommandError> {
    let config = if let Some(file) = &args.config {
        Config::load(file).map_err(|problems| config::refused(&problems))?
    } else {
        let mut any = UpstreamSettings::demo();
        "any server".clone_into(&mut any.name);
        Config::from(any)
    };
    let upstreams = config.upstreams.iter();
    let outlooks = upstreams.filter_map(|upstream| {
        // At `/mcp` of several servers a tool has the name of its server in front.
        let prefix = format!("{}{}", upstream.name, config.separator);
        let is_of_other = config.upstreams.iter().any(|other| {
            other.name != upstream.name
                && tool.starts_with(&format!("{}{}", other.name, config.separator))
        });
        let own = tool.strip_prefix(&prefix).unwrap_or(tool);
        (!is_of_other).then(|| outlook(own, upstream, &config))
    });
    let outlooks: Vec<ToolOutlook> = outlooks.collect::<Result<_, _>>()?;
    let body = if args.json {
        let json = serde_json::to_string_pretty(&outlooks);
        let json = json.map_err(|error| CommandError::internal(error.to_string()))?;
        ReportBody::Exact(json + "\n")
    } else {
        ReportBody::Page(page(&outlooks, width))
    };
    Ok(CommandReport::new(body))
}

fn outlook(
    tool: &str,
    settings: &UpstreamSettings,
    config: &Config,
) -> Result<ToolOutlook, CommandError> {
    let upstream = Upstream::from_config(settings, server::IN_PROCESS);
    let upstream = upstream.map_err(|error| CommandError::input(error.to_string()))?;
    let policy = upstream.tool_policy(tool);
    let mut destructive = Hints::default();
    destructive.destructive = Some(true);
    let mut read_only = Hints::default();
    read_only.read_only = Some(true);
    let mut cases = vec![case(
        "none",
        &upstream.gate_decision(tool, Hints::default()),
    )];
    // A declaration makes annotations irrelevant.
    if policy.danger.is_none() {
        let said = [
            ("destructiveHint: true", destructive),
            ("readOnlyHint: true", read_only),
        ];
        cases.extend(
            said.map(|(annotation, hints)| case(annotation, &upstream.gate_decision(tool, hints))),
        );
    }
    Ok(ToolOutlook {
        upstream: settings.name.clone(),
        tool: tool.to_owned(),
        trust: settings.trust.as_str(),
        gate: settings.gate.mode.as_str(),
        callers: config
            .keys
            .iter()
            .map(|key| key.principal.clone())
            .collect(),
        reasons: policy.reasons,
        cases,
    })
}

fn case(annotation: &'static str, decision: &GateDecision) -> OutlookCase {
    let (outcome, required) = match decision.outcome {
        GateOutcome::Allowed => ("allowed", None),
        GateOutcome::ConfirmationRequired => ("confirmation_required", None),
        GateOutcome::TrustInsufficient { required } => ("trust_insufficient", Some(required)),
        GateOutcome::DangerDenied { minimum } => ("danger_denied", Some(minimum)),
    };
    OutlookCase {
        annotation,
        danger: decision.danger.level.as_str(),
        danger_rule: decision.danger.rule.to_string(),
        outcome,
        rule: decision.rule.to_string(),
        required_trust: required.map(breakfall_gateway::config::TrustLevel::as_str),
    }
}

fn page(outlooks: &[ToolOutlook], width: usize) -> String {
    let mut sheet = TextSheet::new(width);
    for (index, outlook) in outlooks.iter().enumerate() {
        if index > 0 {
            sheet.gap();
        }
        sheet.title(&outlook.tool, &format!("of {}", outlook.upstream));
        sheet.gap();
        sheet.field("Trust", outlook.trust);
        let is_enforced = outlook.gate != GateMode::Report.as_str();
        let force = if is_enforced {
            "in force"
        } else {
            "every call is made"
        };
        sheet.field("Gate", &format!("{}: {force}", outlook.gate));
        let callers = match outlook.callers.as_slice() {
            [] => "every client".to_owned(),
            names => format!("clients with a key: {}", names.join(", ")),
        };
        sheet.field("Callers", &callers);
        if !outlook.reasons.is_empty() {
            sheet.field("Reasons", &outlook.reasons.join("; "));
        }
        for case in &outlook.cases {
            sheet.gap();
            let label = match (case.annotation, outlook.cases.len()) {
                (_, 1) => "Calls".to_owned(),
                ("none", _) => "If the server says nothing about it".to_owned(),
                (annotation, _) => format!("If the server says {annotation}"),
            };
            sheet.line(&label);
            sheet.field("Danger", &format!("{}, {}", case.danger, case.danger_rule));
            sheet.field("Outcome", &said(case));
            sheet.field("Rule", &case.rule);
        }
    }
    sheet.finish()
}

fn said(case: &OutlookCase) -> String {
    let needed = case.required_trust.unwrap_or_default();
    match case.outcome {
        "allowed" => "the call is made".to_owned(),
        "confirmation_required" => {
            "CONFIRMATION_REQUIRED with a token; the same call with it in '_confirmation' is made"
                .to_owned()
        }
        "trust_insufficient" => {
            format!("PERMISSION_TRUST_LEVEL_INSUFFICIENT; the server needs trust: {needed}")
        }
        _ => format!("PERMISSION_DANGER_LEVEL_DENIED; not denied from trust: {needed} up"),
    }
}
