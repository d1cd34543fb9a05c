//! The result of `config check` as JSON, for editors and pipelines.

use breakfall_gateway::config::{
    Config, ConfigError, RetentionLimit, UpstreamSettings, UpstreamSource, ValidationRule,
};
use serde_json::{Value, json};

/// `unservable` is why a valid configuration cannot be served.
pub(super) fn answer(
    name: &str,
    checked: &Result<Config, ConfigError>,
    unservable: Option<&str>,
) -> String {
    let answer = match checked {
        Ok(config) => json!({
            "ok": unservable.is_none(),
            "file": name,
            "problems": unservable.iter().map(|message| json!({"message": message})).collect::<Vec<_>>(),
            "notes": config.notes,
            "config": settings(config),
        }),
        Err(problems) => json!({
            "ok": false,
            "file": name,
            "problems": problems,
            "notes": [],
        }),
    };
    format!("{answer:#}\n")
}

/// Effective values, defaults included, without secrets.
fn settings(config: &Config) -> Value {
    json!({
        "listen": config.listen.to_string(),
        "tls": config.tls.is_some(),
        "keys": config.keys.iter().map(|key| key.principal.as_str()).collect::<Vec<_>>(),
        "hosts": config.hosts,
        "origins": config.origins,
        "sessions": {"max": config.sessions.max, "idle_seconds": config.sessions.idle.as_secs_f64()},
        "drain_seconds": config.drain.as_secs_f64(),
        "separator": config.separator,
        "lost_upstream": config.lost_upstream.as_str(),
        "store": config.store.to_string(),
        "audit": config.audit.as_str(),
        "retention": {"reports": keep(config.retention.reports), "audit": keep(config.retention.audit)},
        "dialect": config.replies.dialect.as_str(),
        "format": config.replies.format.as_str(),
        "strict": config.replies.strict,
        "locale": config.replies.locale.as_str(),
        "error_text_limit": config.replies.error_text_limit,
        "limits": {
            "request": config.limits.request,
            "response": config.limits.response,
            "depth": config.limits.depth,
        },
        "log": {"level": config.log.level.as_str(), "format": config.log.format.as_str()},
        "upstreams": config.upstreams.iter().map(upstream).collect::<Vec<_>>(),
    })
}

fn keep(keep: RetentionLimit) -> Value {
    json!({"count": keep.count, "age_seconds": keep.age.as_secs_f64()})
}

/// What happens where each rule is broken.
fn validate(upstream: &UpstreamSettings) -> Value {
    let modes = ValidationRule::ALL.iter().map(|rule| {
        let mode = upstream.modes.of(*rule);
        (rule.as_str().to_owned(), mode.as_str().into())
    });
    Value::Object(modes.collect())
}

fn upstream(upstream: &UpstreamSettings) -> Value {
    let kind = match &upstream.source {
        UpstreamSource::Command(_) => "command",
        UpstreamSource::Url(_) => "url",
        UpstreamSource::Adapter(_) => "adapter",
        UpstreamSource::Demo => "demo",
        _ => "other",
    };
    json!({
        "name": upstream.name,
        "kind": kind,
        "source": upstream.source.to_string(),
        "trust": upstream.trust.as_str(),
        "hints": upstream.hints.as_str(),
        "timeout_seconds": upstream.timeouts.idle.as_secs_f64(),
        "max_timeout_seconds": upstream.timeouts.total.as_secs_f64(),
        "retry": upstream.retry.map(|retry| json!({
            "attempts": retry.attempts,
            "base_seconds": retry.base.as_secs_f64(),
            "cap_seconds": retry.cap.as_secs_f64(),
            "max_wait_seconds": retry.max_wait.as_secs_f64(),
        })),
        "breaker": upstream.breaker.map(|breaker| json!({
            "rate": breaker.rate,
            "window_seconds": breaker.window.as_secs_f64(),
            "minimum": breaker.minimum,
            "open_seconds": breaker.open.as_secs_f64(),
            "probes": breaker.probes,
        })),
        "concurrency": upstream.concurrency.map(|places| json!({
            "limit": places.limit,
            "queue": places.queue,
            "wait_seconds": places.wait.as_secs_f64(),
        })),
        "bridge": upstream.bridge,
        "validate": validate(upstream),
        "unlisted": upstream.unlisted.as_str(),
        "dialect": upstream.replies.dialect.as_str(),
        "format": upstream.replies.format.as_str(),
        "strict": upstream.replies.strict,
        "hidden_failures": upstream.replies.hidden_failures.as_str(),
        "redact": upstream.replies.redaction.as_str(),
        "format_argument": upstream.replies.format_argument,
        "wire_only": upstream.wire_only,
        "restart": {
            "first_seconds": upstream.restart.first.as_secs_f64(),
            "max_seconds": upstream.restart.max.as_secs_f64(),
        },
        "tools": upstream.tools.iter().map(|(pattern, _)| pattern.as_str()).collect::<Vec<_>>(),
        "rate": upstream.usage.rate.map(|rate| rate.to_string()),
        "quotas": upstream.usage.quotas.iter().flat_map(|all| all.iter()).map(|quota| quota.metric.as_str()).collect::<Vec<_>>(),
    })
}
