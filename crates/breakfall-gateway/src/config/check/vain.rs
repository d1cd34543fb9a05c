//! What is written and has no effect, or is taken back by what stands beside it. None of it keeps a gateway from running,
//! and whoever wrote it believes something else.

use breakfall::wire::Dialect;

use super::{Checker, Given, Note};
use crate::config::care::Switch;
use crate::config::file::{File, Phrases, Tool, Upstream};
use crate::config::kinds::Map;
use crate::config::policy::Pattern;
use crate::config::read::listed;
use crate::reply::is_secret;

impl Checker<'_> {
    /// Tells of all of it.
    pub(super) fn vain(&mut self, file: &File) {
        let all = file
            .dialect
            .as_ref()
            .map_or(Dialect::Native, |given| given.value.0);
        let upstreams = || file.upstreams.iter().flat_map(|given| &given.value.0);
        let mut dialects = upstreams().flat_map(|(_, given)| dialects(&given.value, all));
        if is_on(file.strict.as_ref()) && dialects.all(|dialect| dialect == Dialect::Native) {
            self.note(STRICT_NATIVE.to_owned());
        }
        for (id, given) in file.classify.iter().flat_map(|given| &given.value.0) {
            if let Switch::On(table) = &given.value {
                self.patterns(id, table);
            }
        }
        for (name, given) in upstreams() {
            self.vain_of(name, &given.value, all);
        }
    }

    fn vain_of(&mut self, name: &str, table: &Upstream, all: Dialect) {
        let of = |text: &str| format!("upstream '{name}': {text}");
        if is_on(table.wire_only.as_ref()) {
            let keys = judging(table);
            if !keys.is_empty() {
                self.note(of(&format!(
                    "'wire_only' lets everything pass as it is, so {} {} no effect",
                    listed(&keys),
                    if keys.len() == 1 { "has" } else { "have" }
                )));
            }
        }
        let mut dialects = dialects(table, all);
        if is_on(table.format_argument.as_ref())
            && !dialects.any(|dialect| dialect == Dialect::ToolError)
        {
            self.note(of(
                "'format_argument' has no effect, since none of its tools fails in tool-error",
            ));
        }
        let mut dialects = self::dialects(table, all);
        if is_on(table.strict.as_ref()) && dialects.all(|dialect| dialect == Dialect::Native) {
            self.note(of(STRICT_NATIVE));
        }
        for (pattern, given) in tools(table) {
            self.asks_in_vain(name, pattern, &given.value);
        }
        self.contradictions(name, table.tools.as_ref());
    }

    /// Parameters nobody is asked for.
    fn asks_in_vain(&mut self, name: &str, pattern: &str, tool: &Tool) {
        let Some(ask) = &tool.ask else { return };
        let of = |text: String| format!("upstream '{name}', tools '{pattern}': {text}");
        if ask.value.0.is_empty() {
            self.note(of(
                "'ask' is empty, which takes back nothing a pattern that spells out less asks for"
                    .to_owned(),
            ));
        }
        for given in ask.value.0.iter().filter(|given| is_secret(&given.value)) {
            self.note(of(format!(
                "'ask' names '{}', and nobody is asked for a secret",
                given.value
            )));
        }
    }

    /// Patterns of which neither spells out more, and that say opposite things about repeating a call. Which of them holds
    /// decides whether something is done twice.
    fn contradictions(&mut self, name: &str, given: Option<&Given<Map<Tool>>>) {
        let told = given.into_iter().flat_map(|given| &given.value.0);
        let told = told.filter_map(|(pattern, tool)| {
            let said = tool.value.idempotent.as_ref()?.value;
            Some((Pattern::new(pattern.as_str()), said))
        });
        let told: Vec<(Pattern, bool)> = told.take(MOST_PATTERNS).collect();
        for (at, (later, said)) in told.iter().enumerate() {
            for (earlier, other) in &told[..at] {
                if said != other && later.exactness() == earlier.exactness() && later.meets(earlier)
                {
                    self.warn(format!(
                        "upstream '{name}': tools '{}' and '{}' contradict each other about 'idempotent', and neither spells out more: for a tool both fit, the later one, {said}, holds",
                        earlier.as_str(),
                        later.as_str()
                    ));
                }
            }
        }
    }

    /// Phrases written as regular expressions.
    fn patterns(&mut self, id: &str, table: &Phrases) {
        let phrases = table.phrases.iter().flat_map(|given| &given.value.0);
        for given in phrases.filter(|given| is_expression(&given.value)) {
            self.note(format!(
                "rule '{id}': the phrase '{}' is read as words, not as a regular expression",
                given.value
            ));
        }
    }

    fn note(&mut self, text: String) {
        self.notes.push(Note::unused(text));
    }
}

/// Patterns of one server that are held against each other.
const MOST_PATTERNS: usize = 64;

const STRICT_NATIVE: &str =
    "'strict' has no effect on the dialect native, which has no document but ours";

fn is_on(given: Option<&Given<bool>>) -> bool {
    given.is_some_and(|given| given.value)
}

fn tools(table: &Upstream) -> impl Iterator<Item = &(String, Given<Tool>)> {
    table.tools.iter().flat_map(|given| &given.value.0)
}

/// The formats a server's tools may fail in.
fn dialects(table: &Upstream, all: Dialect) -> impl Iterator<Item = Dialect> {
    let usual = table.dialect.as_ref().map_or(all, |given| given.value.0);
    let own = tools(table).filter_map(|(_, tool)| tool.value.dialect.as_ref());
    std::iter::once(usual).chain(own.map(|given| given.value.0))
}

/// The keys of a server that say something about calls and answers, as far as they are given.
fn judging(table: &Upstream) -> Vec<&'static str> {
    let any = |has: fn(&Tool) -> bool| tools(table).any(|(_, tool)| has(&tool.value));
    let keys = [
        ("'validate'", table.validate.is_some()),
        ("'unlisted'", table.unlisted.is_some()),
        ("'retry'", table.retry.is_some()),
        ("'breaker'", table.breaker.is_some()),
        ("'concurrency'", table.concurrency.is_some()),
        ("'dialect'", table.dialect.is_some()),
        ("'format'", table.format.is_some()),
        ("'strict'", table.strict.is_some()),
        ("'unmask'", table.unmask.is_some()),
        ("'format_argument'", table.format_argument.is_some()),
        ("'validate' of tools", any(|tool| tool.validate.is_some())),
        ("'retry' of tools", any(|tool| tool.retry.is_some())),
        ("'breaker' of tools", any(|tool| tool.breaker.is_some())),
        ("'ask' of tools", any(|tool| tool.ask.is_some())),
    ];
    let given = keys.iter().filter(|(_, is_given)| *is_given);
    given.map(|(key, _)| *key).collect()
}

fn is_expression(phrase: &str) -> bool {
    let marks = [".*", ".+", "\\", "[", "(?", "?)"];
    phrase.starts_with('^')
        || phrase.ends_with('$')
        || marks.iter().any(|mark| phrase.contains(mark))
}
