//! A configuration as it was understood, for a person.

use std::fmt::Display;

use breakfall::wire::Dialect;
use breakfall_gateway::classify::HiddenFailures;
use breakfall_gateway::config::{
    AuditTrail, Config, CountedBy, HintTrust, Quota, Redaction, ReplySettings, ResendOnLostSession,
    Switch, ToolSettings, UnlistedTools, UpstreamSettings, UpstreamSource, UsageLimits,
    ValidationModes,
};

use crate::layout::TextSheet;

pub(super) fn answer(name: &str, config: &Config, width: usize) -> String {
    let mut sheet = TextSheet::new(width);
    let upstreams = match config.upstreams.len() {
        1 => "one upstream".to_owned(),
        many => format!("{many} upstreams"),
    };
    sheet.title(name, &format!("no problems, {upstreams}"));
    sheet.gap();
    reached(&mut sheet, config);
    sheet.field("Store", &config.store.to_string());
    sheet.field("Audit", &audit(config));
    sheet.field("Reports", &config.retention.reports.to_string());
    sheet.field("Dialect", &dialect(&config.replies));
    let language = config.replies.locale.as_str();
    if language != "en" {
        sheet.field("Language", language);
    }
    sheet.field("Limits", &config.limits.to_string());
    describe_usage(&mut sheet, &config.usage);
    sheet.table("Quotas", &quota_rows(&config.usage, ""));
    if let Some(zone) = config.time_zone.iana_name().filter(|zone| *zone != "UTC") {
        sheet.field("Time zone", zone);
    }
    let log = config.log;
    sheet.field(
        "Log",
        &format!("{}, as {}", log.level.as_str(), log.format.as_str()),
    );
    for upstream in &config.upstreams {
        sheet.gap();
        describe(&mut sheet, upstream, &config.replies);
    }
    sheet.finish()
}

/// How clients come in.
fn reached(sheet: &mut TextSheet, config: &Config) {
    sheet.field("Listen", &config.listen.to_string());
    if let Some(tls) = &config.tls {
        sheet.field("TLS", &tls.cert.display().to_string());
    }
    let names = config.keys.iter().map(|key| key.principal.as_str());
    list(sheet, "Keys", &names.collect::<Vec<_>>());
    list(sheet, "Hosts", &borrowed(&config.hosts));
    list(sheet, "Origins", &borrowed(&config.origins));
    sheet.field(
        "Sessions",
        &breakfall_gateway::config::show_sessions(config.sessions),
    );
    sheet.field("Drain", &format!("{}s", config.drain.as_secs_f64()));
    sheet.field(
        "Names",
        &format!(
            "SERVER{}TOOL; a lost server: {}",
            config.separator,
            config.lost_upstream.as_str()
        ),
    );
}

fn dialect(replies: &ReplySettings) -> String {
    let mut words = replies.dialect.as_str().to_owned();
    if replies.dialect == Dialect::ToolError {
        words = format!("{words}, as {}", replies.format.as_str());
    }
    if replies.strict {
        words.push_str(", to the letter");
    }
    words
}

fn audit(config: &Config) -> String {
    match config.audit {
        AuditTrail::On => config.retention.audit.to_string(),
        AuditTrail::Off => "off".to_owned(),
    }
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other sources have no more to say"
)]
fn describe(sheet: &mut TextSheet, upstream: &UpstreamSettings, all: &ReplySettings) {
    sheet.title(&upstream.name, &upstream.source.to_string());
    match &upstream.source {
        UpstreamSource::Command(command) => {
            let names = command.env.iter().map(|(name, _)| name.as_str());
            list(sheet, "Env", &names.collect::<Vec<_>>());
            if let Some(cwd) = &command.cwd {
                sheet.field("Cwd", &cwd.display().to_string());
            }
            sheet.field("Restart", &upstream.restart.to_string());
        }
        UpstreamSource::Url(remote) => {
            let names = remote.headers.iter().map(|(name, _)| name.as_str());
            list(sheet, "Headers", &names.collect::<Vec<_>>());
            if remote.pass_authorization {
                sheet.field("Tokens", "each client's own");
            }
            if remote.resend_on_lost_session == ResendOnLostSession::Off {
                sheet.field("Lost session", "calls are not sent again");
            }
            if let Some(ca) = &remote.ca {
                sheet.field("CA", &ca.display().to_string());
            }
        }
        _ => {}
    }
    sheet.field(
        "Timeout",
        &breakfall_gateway::config::show_timeouts(upstream.timeouts),
    );
    sheet.field("Retry", &or_off(upstream.retry.as_ref()));
    sheet.field("Breaker", &or_off(upstream.breaker.as_ref()));
    if let Some(places) = &upstream.concurrency {
        sheet.field("Places", &places.to_string());
    }
    if !upstream.bridge {
        sheet.field("Bridge", "no");
    }
    if upstream.wire_only {
        sheet.field(
            "Wire only",
            "yes: nothing is checked, repeated, judged or recorded",
        );
    }
    describe_policies(sheet, upstream, all);
    describe_usage(sheet, &upstream.usage);
    let tools = upstream.tools.iter();
    let rows: Vec<[String; 2]> = tools
        .map(|(pattern, policy)| [pattern.as_str().to_owned(), policy_words(policy)])
        .collect();
    sheet.table("Tools", &rows);
    let of_tools = upstream.tools.iter();
    let of_tools = of_tools.flat_map(|(pattern, tool)| quota_rows(&tool.usage, pattern.as_str()));
    let rows = quota_rows(&upstream.usage, "").into_iter().chain(of_tools);
    sheet.table("Quotas", &rows.collect::<Vec<_>>());
}

/// How much may be used, as it is set at one place.
fn describe_usage(sheet: &mut TextSheet, usage: &UsageLimits) {
    if let Some(rate) = &usage.rate {
        sheet.field("Rate", &rate.to_string());
    }
    if let Some(cost) = &usage.cost {
        sheet.field("Cost", &cost.to_string());
    }
}

fn quota_rows(usage: &UsageLimits, pattern: &str) -> Vec<[String; 2]> {
    let quotas = usage.quotas.iter().flat_map(|all| all.iter());
    let rows = quotas.map(|quota| {
        let [metric, words] = quota_words(quota);
        let metric = format!("{pattern} {metric}");
        [metric.trim_start().to_owned(), words]
    });
    rows.collect()
}

/// What differs from the defaults in how calls are judged and answered.
fn describe_policies(sheet: &mut TextSheet, upstream: &UpstreamSettings, all: &ReplySettings) {
    sheet.field("Trust", upstream.trust.as_str());
    if upstream.hints != HintTrust::Believe {
        sheet.field("Hints", upstream.hints.as_str());
    }
    if upstream.replies.redaction != Redaction::Full {
        sheet.field("Redact", upstream.replies.redaction.as_str());
    }
    if upstream.replies.hidden_failures != HiddenFailures::Warn {
        sheet.field("Hidden", upstream.replies.hidden_failures.as_str());
    }
    if upstream.modes != ValidationModes::default() {
        sheet.field("Validate", &upstream.modes.to_string());
    }
    if upstream.unlisted == UnlistedTools::Allow {
        sheet.field("Unlisted", "allow");
    }
    if upstream.replies.dialect != all.dialect || upstream.replies.strict != all.strict {
        sheet.field("Dialect", &dialect(&upstream.replies));
    }
}

fn or_off(policy: Option<&impl Display>) -> String {
    policy.map_or_else(|| "off".to_owned(), ToString::to_string)
}

fn list(sheet: &mut TextSheet, label: &str, names: &[&str]) {
    if !names.is_empty() {
        sheet.field(label, &names.join(", "));
    }
}

fn policy_words(policy: &ToolSettings) -> String {
    let mut words = Vec::new();
    if let Some(danger) = policy.danger {
        words.push(danger.as_str().to_owned());
    }
    if !policy.reasons.is_empty() {
        words.push(policy.reasons.join(", "));
    }
    match policy.idempotent {
        Some(true) => words.push("idempotent".to_owned()),
        Some(false) => words.push("not idempotent".to_owned()),
        None => {}
    }
    if let Some(timeout) = policy.timeout {
        words.push(format!("timeout {timeout}"));
    }
    words.extend(policy.retry.map(|retry| format!("retry {retry}")));
    words.extend(policy.breaker.map(|breaker| format!("breaker {breaker}")));
    match policy.concurrency {
        Some(Switch::On(places)) => words.push(places.to_string()),
        Some(Switch::Off) => words.push("not counted".to_owned()),
        None => {}
    }
    if let Some(rate) = policy.usage.rate {
        words.push(rate.to_string());
    }
    if let Some(tool) = &policy.fallback_tool {
        words.push(format!("else {tool}"));
    }
    if !policy.validation.is_empty() {
        words.push(policy.validation.to_string());
    }
    if let Some(unlisted) = policy.unlisted {
        words.push(format!("unlisted: {}", unlisted.as_str()));
    }
    if let Some(instead) = &policy.deprecated {
        words.push(format!("deprecated: {instead}"));
    }
    if let Some(slow) = policy.slow {
        words.push(format!("slow from {}s", slow.as_secs_f64()));
    }
    if let Some(hidden) = policy.hidden_failures {
        words.push(format!("hidden failures: {}", hidden.as_str()));
    }
    if let Some(dialect) = policy.dialect {
        words.push(dialect.as_str().to_owned());
    }
    if !policy.ask.is_empty() {
        words.push(format!("asks for {}", policy.ask.join(", ")));
    }
    words.join("; ")
}

fn quota_words(quota: &Quota) -> [String; 2] {
    let mut words = format!("warn at {}", quota.warn);
    for (step, at) in [("pause", quota.pause), ("stop", quota.hard_stop)] {
        words.extend(at.map(|at| format!(", {step} at {at}")));
    }
    words.extend(quota.currency.as_deref().map(|code| format!(" {code}")));
    if quota.by == CountedBy::Principal {
        words.push_str(" for each principal");
    }
    [quota.metric.as_str().to_owned(), words]
}
