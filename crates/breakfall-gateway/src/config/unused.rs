//! Notes about settings that have no effect, or that contradict each other. The gateway runs with them, and does something
//! else than its operator believes.

use breakfall::wire::{Dialect, mcp_aql};

use super::Config;
use super::pattern::ToolPattern;
use super::problem::ConfigProblem;
use super::reader::{Reader, listed};
use super::tools::ToolSettings;
use super::upstream::UpstreamSettings;
use crate::reply::is_secret;

/// Notes about settings for all servers.
pub(super) fn config(config: &Config, reader: &mut Reader<'_>) {
    let mut dialects = config.upstreams.iter().flat_map(dialects);
    if config.replies.strict && dialects.all(|dialect| dialect == Dialect::Native) {
        reader.note(STRICT_NATIVE.to_owned());
    }
    texts(config, reader);
}

/// The style of the texts of the operator's codes: an error where MCP-AQL is spoken, which has rules for them.
fn texts(config: &Config, reader: &mut Reader<'_>) {
    let catalog = config.replies.rules.catalog();
    let mut dialects = config.upstreams.iter().flat_map(dialects);
    if dialects.any(|dialect| dialect == Dialect::McpAql)
        && let Err(found) = mcp_aql::check_texts(catalog)
    {
        for (name, found) in found.iter() {
            let problem = ConfigProblem::new(format!("{name}: {}", found.problem));
            reader.report(problem.of("codes").hint(&*found.fix));
        }
        return;
    }
    let found = catalog.text_warnings();
    if !found.is_empty() {
        reader.warn(format!("codes: {found}"));
    }
}

/// Notes about the settings of one server, while they are read.
pub(super) fn upstream(upstream: &UpstreamSettings, reader: &mut Reader<'_>) {
    let name = reader.name().to_owned();
    let of = |text: &str| format!("upstream '{name}': {text}");
    if upstream.wire_only {
        let keys = judging_keys(upstream, reader);
        if !keys.is_empty() {
            let keys = match keys.as_slice() {
                [one] => format!("{one} has"),
                all => {
                    let all: Vec<&str> = all.iter().map(String::as_str).collect();
                    format!("{} have", listed(&all))
                }
            };
            reader.note(of(&format!(
                "'wire_only' passes calls and answers on as they are, so {keys} no effect"
            )));
        }
    }
    let replies = &upstream.replies;
    if replies.format_argument && !dialects(upstream).any(|dialect| dialect == Dialect::ToolError) {
        reader.note(of(
            "'format_argument' has no effect, since none of its tools fails in tool-error",
        ));
    }
    if replies.strict
        && reader.given("strict").is_some()
        && dialects(upstream).all(|dialect| dialect == Dialect::Native)
    {
        reader.note(of(STRICT_NATIVE));
    }
    for (pattern, tool) in upstream.tools.iter() {
        asked_parameters(&name, pattern, tool, reader);
    }
    contradictions(&name, upstream, reader);
}

/// Parameters that users are not asked for.
fn asked_parameters(
    name: &str,
    pattern: &ToolPattern,
    tool: &ToolSettings,
    reader: &mut Reader<'_>,
) {
    let of = |text: &str| format!("upstream '{name}', tools '{pattern}': {text}");
    if tool.ask.is_empty() && reader.given(&format!("tools.{pattern}.ask")).is_some() {
        reader.note(of(
            "'ask' is empty, which takes back nothing a pattern that spells out less asks for",
        ));
    }
    for parameter in tool.ask.iter().filter(|parameter| is_secret(parameter)) {
        reader.note(of(&format!(
            "'ask' names '{parameter}', but users are never asked for secrets"
        )));
    }
}

/// Equally exact patterns that differ about repeating a call: which of them holds decides whether something is done twice.
fn contradictions(name: &str, upstream: &UpstreamSettings, reader: &mut Reader<'_>) {
    let set = upstream.tools.iter();
    let set = set.filter_map(|(pattern, tool)| Some((pattern, tool.idempotent?)));
    let set: Vec<(&ToolPattern, bool)> = set.take(MAX_COMPARED).collect();
    for (at, (later, idempotent)) in set.iter().enumerate() {
        for (earlier, other) in &set[..at] {
            if idempotent != other
                && later.exactness() == earlier.exactness()
                && later.intersects(earlier)
            {
                reader.warn(format!(
                    "upstream '{name}': tools '{earlier}' and '{later}' contradict each other about 'idempotent', and neither spells out more: for a tool both fit, the later one, {idempotent}, holds",
                ));
            }
        }
    }
}

/// Patterns of one server that are compared with each other.
const MAX_COMPARED: usize = 64;

const STRICT_NATIVE: &str =
    "'strict' has no effect on the dialect native, which has no document but ours";

/// The formats in which a server's tools may fail.
fn dialects(upstream: &UpstreamSettings) -> impl Iterator<Item = Dialect> {
    let own = upstream.tools.iter();
    let own = own.filter_map(|(_, tool)| tool.dialect);
    std::iter::once(upstream.replies.dialect).chain(own)
}

/// The given keys of a server that are about calls and answers.
fn judging_keys(upstream: &UpstreamSettings, reader: &Reader<'_>) -> Vec<String> {
    let own = OWN_KEYS.iter().filter(|key| reader.given(key).is_some());
    let own = own.map(|key| format!("'{key}'"));
    let is_given = |key: &str| {
        let mut patterns = upstream.tools.iter().map(|(pattern, _)| pattern);
        patterns.any(|pattern| reader.given(&format!("tools.{pattern}.{key}")).is_some())
    };
    let of_tools = TOOL_KEYS.iter().filter(|key| is_given(key));
    own.chain(of_tools.map(|key| format!("'{key}' of tools")))
        .collect()
}

const OWN_KEYS: [&str; 6] = [
    "validate",
    "unlisted",
    "retry",
    "breaker",
    "hidden_failures",
    "format_argument",
];

const TOOL_KEYS: [&str; 5] = ["validate", "retry", "breaker", "hidden_failures", "ask"];
