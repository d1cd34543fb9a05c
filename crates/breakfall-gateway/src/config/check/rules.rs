//! What an upstream is held to: times, what is known about its tools, quotas.

use breakfall_mcp::timeouts::Timeouts;
use std::time::Duration;

use super::care::Usual;
use super::{At, Checker, Given, Problem};
use crate::config::care::Timeout;
use crate::config::file;
use crate::config::kinds::{List, Map, Time};
use crate::config::policy::{Metric, Pattern, Policy, Quota, Tools};
use crate::config::upstream::Restart;
use crate::config::validation::Validation;

impl Checker<'_> {
    pub(super) fn patience(&mut self, table: &file::Upstream) -> Timeouts {
        let default = Timeouts::default();
        let (idle, class) = match self.timeout(table.timeout.as_ref()) {
            Some(Timeout::Quiet(quiet)) => (Some(quiet), None),
            Some(Timeout::Class(class)) => (Some(class.quiet()), Some(class.total())),
            None => (None, None),
        };
        let total = self.positive(table.max_timeout.as_ref()).or(class);
        match (idle, total, &table.max_timeout) {
            (Some(quiet), Some(total), Some(given)) if total < quiet => {
                let problem = given.at.problem("max_timeout is shorter than timeout");
                self.add(
                    problem
                        .hint("max_timeout is the time in all, timeout the time without progress"),
                );
                default
            }
            (idle, total, _) => {
                let idle = idle
                    .unwrap_or_else(|| total.map_or(default.idle, |total| default.idle.min(total)));
                Timeouts {
                    idle,
                    total: total.unwrap_or(default.total).max(idle),
                }
            }
        }
    }

    pub(super) fn restart(&mut self, given: Option<&Given<file::Restart>>) -> Restart {
        let default = Restart::default();
        let Some(Given { value, .. }) = given else {
            return default;
        };
        let first = self.positive(value.first.as_ref());
        let max = self.positive(value.max.as_ref());
        match (first, max, &value.max) {
            (Some(first), Some(max), Some(given)) if max < first => {
                self.add(given.at.problem("max is shorter than first"));
                default
            }
            (first, max, _) => {
                let first = first
                    .unwrap_or_else(|| max.map_or(default.first, |max| default.first.min(max)));
                Restart {
                    first,
                    max: max.unwrap_or(default.max).max(first),
                }
            }
        }
    }

    pub(super) fn positive(&mut self, given: Option<&Given<Time>>) -> Option<Duration> {
        let given = given?;
        let time = given.value.0;
        self.long_enough(time, &given.at).then_some(time)
    }

    pub(super) fn long_enough(&mut self, time: Duration, at: &At) -> bool {
        let is_so = time >= Duration::from_millis(1);
        if !is_so {
            self.add(
                at.problem("no time at all is too short")
                    .hint("the shortest is 1ms"),
            );
        }
        is_so
    }

    pub(super) fn tools(
        &mut self,
        given: Option<&Given<Map<file::Tool>>>,
        patience: Timeouts,
        usual: &Usual,
    ) -> Tools {
        let mut out = Vec::new();
        for (pattern, given) in given.into_iter().flat_map(|given| &given.value.0) {
            if pattern.is_empty() {
                self.add(
                    given
                        .at
                        .key_problem("the pattern is empty")
                        .hint("\"*\" fits every tool"),
                );
            } else if pattern.contains(['?', '[', ']', '{', '}', '\\']) {
                let problem = given
                    .at
                    .key_problem(format!("'{pattern}' has characters that mean nothing here"));
                self.add(problem.hint("only * is special: it stands for any characters"));
            }
            let policy = self.policy(pattern, &given.value, patience, usual);
            out.push((Pattern::new(pattern.as_str()), policy));
        }
        Tools::new(out)
    }

    fn policy(
        &mut self,
        pattern: &str,
        table: &file::Tool,
        patience: Timeouts,
        usual: &Usual,
    ) -> Policy {
        let timeout = self.timeout(table.timeout.as_ref());
        if let (Some(Timeout::Quiet(quiet)), Some(given)) = (timeout, &table.timeout)
            && quiet > patience.total
        {
            let problem = given
                .at
                .problem("this is longer than the max_timeout of the server");
            self.add(problem.hint("raise max_timeout too"));
        }
        let validation = table.validate.as_ref();
        let reasons = table.reasons.iter().flat_map(|list| &list.value.0);
        Policy {
            danger: table.danger.as_ref().map(|given| given.value.0),
            reasons: reasons.map(|reason| reason.value.clone()).collect(),
            idempotent: table.idempotent.as_ref().map(|given| given.value),
            timeout,
            retry: self.retry(table.retry.as_ref(), usual.retry.unwrap_or_default()),
            breaker: self.breaker(table.breaker.as_ref(), usual.breaker.unwrap_or_default()),
            concurrency: self.concurrency(table.concurrency.as_ref(), usual.concurrency),
            fallback_tool: self.fallback(pattern, table.fallback_tool.as_ref()),
            validation: validation.map_or_else(Validation::default, |given| given.value.meant()),
            unlisted: table.unlisted.as_ref().map(|given| given.value.0),
            deprecated: self.deprecated(pattern, table.deprecated.as_ref()),
            slow: self.slow(table.slow.as_ref(), Timeout::replacing(timeout, patience)),
            dialect: table.dialect.as_ref().map(|given| given.value.0),
            format: table.format.as_ref().map(|given| given.value.0),
            strict: table.strict.as_ref().map(|given| given.value),
            ask: self.asked(table.ask.as_ref()),
        }
    }

    fn deprecated(&mut self, pattern: &str, given: Option<&Given<String>>) -> Option<String> {
        let given = given?;
        let problem = if given.value.trim().is_empty() {
            "this says nothing"
        } else if given.value == pattern {
            "a tool does not replace itself"
        } else {
            return Some(given.value.clone());
        };
        let problem = given.at.problem(problem);
        self.add(problem.hint("name the tool to use instead, or say what to do"));
        None
    }

    /// Nothing takes as long as the time in all, or longer: it is ended first.
    fn slow(&mut self, given: Option<&Given<Time>>, patience: Timeouts) -> Option<Duration> {
        let slow = self.positive(given)?;
        if let Some(given) = given.filter(|_| slow >= patience.total) {
            let problem = given
                .at
                .problem("no call takes this long: it is ended before");
            self.add(problem.hint("write a shorter time, or wait longer"));
        }
        Some(slow)
    }

    /// Parameters the user can correct.
    fn asked(&mut self, given: Option<&Given<List<String>>>) -> Vec<String> {
        let mut out = Vec::new();
        for given in given.into_iter().flat_map(|given| &given.value.0) {
            if given.value.is_empty() {
                self.add(given.at.problem("the name of a parameter is empty"));
            } else if !out.contains(&given.value) {
                out.push(given.value.clone());
            }
        }
        out
    }

    pub(super) fn quotas(&mut self, given: Option<&Given<List<file::Quota>>>) -> Vec<Quota> {
        let mut out: Vec<Quota> = Vec::new();
        for given in given.into_iter().flat_map(|given| &given.value.0) {
            let Some(quota) = self.quota(given) else {
                continue;
            };
            if out
                .iter()
                .any(|other| other.metric == quota.metric && other.currency == quota.currency)
            {
                let problem = given
                    .at
                    .problem(format!("{} is counted twice", quota.metric.as_str()));
                self.add(problem.hint("keep one of them"));
            }
            out.push(quota);
        }
        out
    }

    fn quota(&mut self, given: &Given<file::Quota>) -> Option<Quota> {
        let table = &given.value;
        for (key, missing) in [
            ("metric", table.metric.is_none()),
            ("warn", table.warn.is_none()),
            ("pause", table.pause.is_none()),
        ] {
            if missing && !self.reader.failed(&format!("{}.{key}", given.at.path)) {
                let problem = given.at.problem(format!("a quota needs '{key}'"));
                self.add(problem.hint("for example { metric: requests_per_hour, warn: 800, pause: 950, hard_stop: 1000 }"));
            }
        }
        let metric = table.metric.as_ref()?.value.0;
        self.currency(table, metric);
        let (warn, pause) = (table.warn.as_ref()?, table.pause.as_ref()?);
        self.ascending(
            pause.value.0 >= warn.value.0,
            &pause.at,
            "pause comes before warn",
        );
        if let Some(stop) = &table.hard_stop {
            self.ascending(
                stop.value.0 >= pause.value.0,
                &stop.at,
                "hard_stop comes before pause",
            );
        }
        Some(Quota {
            metric,
            warn: warn.value.0,
            pause: pause.value.0,
            hard_stop: table.hard_stop.as_ref().map(|given| given.value.0),
            currency: table.currency.as_ref().map(|given| given.value.clone()),
        })
    }

    fn ascending(&mut self, fits: bool, at: &At, what: &str) {
        if !fits {
            self.add(
                at.problem(what)
                    .hint("warn, pause and hard_stop are reached in this order"),
            );
        }
    }

    fn currency(&mut self, table: &file::Quota, metric: Metric) {
        let Some(given) = &table.currency else {
            return;
        };
        let cost = matches!(
            metric,
            Metric::CostPerHour | Metric::CostPerDay | Metric::CostPerMonth
        );
        let code =
            given.value.len() == 3 && given.value.bytes().all(|byte| byte.is_ascii_uppercase());
        let problem: Problem = if !code {
            given
                .at
                .problem("this is no currency")
                .hint("write its code, for example EUR or USD")
        } else if !cost {
            given
                .at
                .key_problem("a currency belongs to a cost")
                .hint("remove it, or count cost_per_hour, cost_per_day or cost_per_month")
        } else {
            return;
        };
        self.add(problem);
    }
}
