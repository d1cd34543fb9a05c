//! What is set for the tools of a server.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

pub use breakfall::gate::DangerLevel;
use breakfall::wire::{Dialect, Format};
use serde_json::{Value as Json, json};

use super::kinds::{entries_from, filled_text, flag, list, mapped, optional, section, text};
use super::numbers::positive_duration;
use super::pattern::{PatternTable, ToolPattern};
use super::policies::{BreakerPolicy, ConcurrencyPolicy, RetryPolicy};
use super::problem::ConfigProblem;
use super::reader::{Position, Reader};
use super::schema::Definitions;
use super::setting::{Kind, settings};
use super::switch::{Switch, switch};
use super::timeouts::{TimeoutSetting, timeout};
use super::tree::{YamlNode, YamlValue};
use super::usage::{self, LimitScope, ToolUsage, UsageLimits};
use super::validation::{UnlistedTools, ValidationModes, ValidationOverrides, validation};
use super::word::{word, word_of};
use crate::classify::HiddenFailures;

settings! {
    /// What is known about tools. What is left out is taken from the tool's own annotations.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct ToolSettings {
        /// How dangerous a call is. Together with the trust in the server it decides whether a human must confirm.
        pub danger: Option<DangerLevel> = None => optional(word());
        /// Why it is dangerous, in words for the user who has to confirm.
        pub reasons: Vec<String> = Vec::new() => list(text());
        /// Whether calling it twice does no more than calling it once, so that a failed call may be repeated.
        pub idempotent: Option<bool> = None => optional(flag());
        /// How long to wait for an answer without a sign of life, in place of the server's `timeout`; or a class: `fast`, `medium`, `slow` or `background`.
        pub timeout: Option<TimeoutSetting> = None => optional(timeout());
        /// How often a call that failed is made again, in place of the server's `retry`.
        pub retry: Option<Switch<RetryPolicy>> = None => optional(switch());
        /// When the tool is left alone, in place of the server's `breaker`.
        pub breaker: Option<Switch<BreakerPolicy>> = None => optional(switch());
        /// How many calls of each of these tools may be under way at once. They then take no places of the others; `off`: they are not counted.
        pub concurrency: Option<Switch<ConcurrencyPolicy>> = None => optional(switch());
        /// The tool callers are told to use when this one is left alone: its name, or the name of another server and of its tool.
        pub fallback_tool: Option<FallbackTool> = None => optional(FallbackKind);
        /// What happens to calls that do not fit the schema, in place of what the server's `validate` says.
        pub validation as "validate": ValidationOverrides = ValidationOverrides::default() => validation();
        /// What happens to the call if the server does not list the tool, in place of the server's `unlisted`.
        pub unlisted: Option<UnlistedTools> = None => optional(word());
        /// The tool to use instead, or what to do in words, for a tool that should not be called any more. Successes carry it as a warning.
        pub deprecated: Option<String> = None => optional(filled_text());
        /// How long a call may take before its success carries a warning.
        pub slow: Option<Duration> = None => optional(positive_duration());
        /// The wire format of errors, in place of the server's.
        pub dialect: Option<Dialect> = None => optional(word());
        /// Which blocks `tool-error` writes, in place of the server's.
        pub format: Option<Format> = None => optional(word());
        /// Whether the wire format is held to the letter, in place of what holds for the server.
        pub strict: Option<bool> = None => optional(flag());
        /// What is done about results that the server calls a success and that look failed, in place of what holds for the server.
        pub hidden_failures: Option<HiddenFailures> = None => optional(word());
        /// Parameters a user can correct, ids above all: where what they name is not there or is not clear, the user is asked.
        pub ask: Vec<String> = Vec::new() => list(parameter());
        /// How much of the tools may be used, counted together.
        pub usage: UsageLimits = UsageLimits::default(), in usage::settings;
    }
    impl Section {
        fn check(&mut self, reader: &mut Reader<'_>) {
            // They started from those of the server.
            if reader.given("retry").is_none() {
                self.retry = None;
            }
            if reader.given("breaker").is_none() {
                self.breaker = None;
            }
            if reader.given("concurrency").is_none() {
                self.concurrency = None;
            }
            let mut seen = Vec::new();
            self.ask.retain(|name| {
                let is_new = !seen.contains(name);
                seen.push(name.clone());
                is_new
            });
            self.check_names(reader);
        }
    }
}

impl ToolSettings {
    /// A tool is not its own substitute.
    fn check_names(&self, reader: &mut Reader<'_>) {
        let pattern = reader.name().to_owned();
        if let Some(position) = reader.given("deprecated") {
            let text = self.deprecated.as_deref().unwrap_or_default();
            let problem = if text.trim().is_empty() {
                Some("this says nothing")
            } else if text == pattern {
                Some("a tool does not replace itself")
            } else {
                None
            };
            if let Some(problem) = problem {
                let problem = position.problem(problem);
                reader.report(problem.hint("name the tool to use instead, or say what to do"));
            }
        }
        let fallback = self.fallback_tool.as_ref();
        if let Some(position) = fallback.and_then(|_| reader.given("fallback_tool"))
            && fallback.is_some_and(|other| other.upstream.is_none() && other.tool == pattern)
        {
            let position = reader.given("fallback_tool.tool").unwrap_or(position);
            let problem = position.problem("a tool cannot stand in for itself");
            reader.report(problem.hint("name another tool, or the upstream that has one"));
        }
    }
}

fn parameter() -> impl Kind<Value = String> {
    mapped(text(), json!({}), |name, reader| {
        if name.is_empty() {
            reader.report(reader.here().problem("the name of a parameter is empty"));
            return None;
        }
        Some(name)
    })
}

/// The settings of the tools of a server, by patterns of their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolTable(PatternTable<ToolSettings>);

impl ToolTable {
    /// The settings of one tool. All patterns that fit it count, the more exact one where they differ.
    pub fn policy(&self, tool: &str) -> ToolSettings {
        let mut settings = ToolSettings::default();
        for other in self.0.matching(tool) {
            settings.danger = other.danger.or(settings.danger);
            settings.idempotent = other.idempotent.or(settings.idempotent);
            settings.timeout = other.timeout.or(settings.timeout);
            settings.validation = other.validation.or(settings.validation);
            settings.unlisted = other.unlisted.or(settings.unlisted);
            settings.slow = other.slow.or(settings.slow);
            if other.deprecated.is_some() {
                settings.deprecated.clone_from(&other.deprecated);
            }
            settings.retry = other.retry.or(settings.retry);
            settings.breaker = other.breaker.or(settings.breaker);
            settings.concurrency = other.concurrency.or(settings.concurrency);
            if other.fallback_tool.is_some() {
                settings.fallback_tool.clone_from(&other.fallback_tool);
            }
            settings.dialect = other.dialect.or(settings.dialect);
            settings.format = other.format.or(settings.format);
            settings.strict = other.strict.or(settings.strict);
            settings.hidden_failures = other.hidden_failures.or(settings.hidden_failures);
            if !other.ask.is_empty() {
                settings.ask.clone_from(&other.ask);
            }
            if !other.reasons.is_empty() {
                settings.reasons.clone_from(&other.reasons);
            }
        }
        settings
    }

    /// How much of one tool may be used, and where that is set: the nearest place that sets it.
    pub fn usage(&self, tool: &str, gateway: &UsageLimits, upstream: &UsageLimits) -> ToolUsage {
        let mut usage = ToolUsage::default();
        usage.narrow(gateway, || LimitScope::Gateway);
        usage.narrow(upstream, || LimitScope::Upstream);
        for (pattern, settings) in self.0.matching_patterns(tool) {
            usage.narrow(&settings.usage, || {
                LimitScope::Tools(pattern.as_str().into())
            });
        }
        usage
    }

    /// The timeout of one tool, where one is set.
    pub fn timeout(&self, tool: &str) -> Option<TimeoutSetting> {
        let mut matching = self.0.matching(tool).rev();
        matching.find_map(|settings| settings.timeout)
    }

    /// What happens where a rule is broken by a call of one tool, with the modes of its server.
    pub fn modes(&self, tool: &str, all: ValidationModes) -> ValidationModes {
        let matching = self.0.matching(tool);
        matching.fold(all, |modes, settings| settings.validation.over(modes))
    }

    /// The patterns and their settings, the less exact ones first.
    pub fn iter(&self) -> impl Iterator<Item = (&ToolPattern, &ToolSettings)> {
        self.0.iter()
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The tools of a server, whose policies start from those of the server.
pub(super) fn tools(before: ToolSettings) -> impl Kind<Value = ToolTable> {
    mapped(
        entries_from(section(), before),
        json!({}),
        |entries, reader| {
            for (pattern, _) in &entries {
                let position = reader.given(pattern).unwrap_or_default();
                if pattern.is_empty() {
                    let problem = position.key_problem("the pattern is empty");
                    reader.report(problem.hint("\"*\" fits every tool"));
                } else if pattern.contains(['?', '[', ']', '{', '}', '\\']) {
                    let message = format!("'{pattern}' has characters that mean nothing here");
                    let problem = position.key_problem(message);
                    reader.report(problem.hint("only * is special: it stands for any characters"));
                }
            }
            let entries = entries.into_iter();
            let entries = entries.map(|(pattern, settings)| (ToolPattern::new(pattern), settings));
            let table = PatternTable::new(entries.collect());
            if table.is_err() {
                let problem = reader.here().key_problem("these patterns are too large");
                reader.report(problem.hint("write fewer or shorter ones"));
            }
            table.ok().map(ToolTable)
        },
    )
}

settings! {
    /// A tool of another server.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct FallbackTool {
        /// The name of the server.
        pub upstream: Option<String> = None => optional(text());
        /// What it calls the tool.
        pub tool: String = String::new() => filled_text();
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["tool"];

        fn missing(_: &str, position: &Position) -> ConfigProblem {
            let problem = position.key_problem("'fallback_tool' needs 'tool'");
            problem.hint("for example { upstream: other, tool: search }")
        }
    }
}

impl Display for FallbackTool {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.upstream {
            Some(upstream) => write!(f, "{} of {upstream}", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

/// The name of a tool of the same server, or a map.
struct FallbackKind;

impl Kind for FallbackKind {
    type Value = FallbackTool;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&FallbackTool>,
        reader: &mut Reader<'_>,
    ) -> Option<FallbackTool> {
        let fallback = match &node.value {
            YamlValue::Text(tool) => FallbackTool {
                upstream: None,
                tool: tool.clone(),
            },
            YamlValue::Map(_) => section::<FallbackTool>().read(node, None, reader)?,
            YamlValue::Null | YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::List(_) => {
                return reader.wrong(node, "the name of a tool, or a map of upstream and tool");
            }
        };
        let position = if matches!(node.value, YamlValue::Map(_)) {
            reader.given("tool")
        } else {
            Some(reader.here())
        };
        if let Some(position) = position.filter(|_| fallback.tool.is_empty()) {
            reader.report(position.problem("the name is empty"));
        }
        Some(fallback)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"anyOf": [
            {"type": "string", "minLength": 1},
            definitions.reference::<FallbackTool>(),
        ]})
    }
}

word_of!(DangerLevel, "levels of danger");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_exact_pattern_has_the_last_word() {
        let settings = |danger, reasons: &[&str]| ToolSettings {
            danger,
            reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
            ..ToolSettings::default()
        };
        let entries = [
            ("delete_file", settings(Some(DangerLevel::Dangerous), &[])),
            (
                "delete_*",
                settings(Some(DangerLevel::Destructive), &["it is gone"]),
            ),
            ("*", settings(Some(DangerLevel::Safe), &[])),
        ];
        let entries = entries.map(|(pattern, settings)| (ToolPattern::new(pattern), settings));
        let tools = ToolTable(PatternTable::new(entries.into()).unwrap());
        let settings = tools.policy("delete_file");
        assert_eq!(settings.danger, Some(DangerLevel::Dangerous));
        assert_eq!(settings.reasons, ["it is gone"]);
        assert_eq!(
            tools.policy("delete_row").danger,
            Some(DangerLevel::Destructive)
        );
        assert_eq!(tools.policy("read").danger, Some(DangerLevel::Safe));
    }
}
