//! What is done about a server that fails: retries, breakers, places, and which tool stands in for which.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use breakfall::suggest::nearest;

use super::{Checker, Given};
use crate::config::care::{Fallback, Switch, Timeout};
use crate::config::file;
use crate::config::kinds::{Amount, Count, Wait};
use crate::config::read::listed;
use crate::resilience::{breaker, bulkhead, retry};

/// How a server is treated, where nothing else is said about a tool.
pub(super) struct Usual {
    pub(super) retry: Option<retry::RetryPolicy>,
    pub(super) breaker: Option<breaker::BreakerPolicy>,
    pub(super) concurrency: Option<bulkhead::BulkheadPolicy>,
}

impl Checker<'_> {
    pub(super) fn treated(&mut self, table: &file::Upstream) -> Usual {
        let (retry, breaker) = (
            retry::RetryPolicy::default(),
            breaker::BreakerPolicy::default(),
        );
        let said_retry = self.retry(table.retry.as_ref(), retry);
        let said_breaker = self.breaker(table.breaker.as_ref(), breaker);
        let said_concurrency = self.concurrency(table.concurrency.as_ref(), None);
        Usual {
            retry: said_retry.map_or(Some(retry), Switch::on),
            breaker: said_breaker.map_or(Some(breaker), Switch::on),
            concurrency: said_concurrency.and_then(Switch::on),
        }
    }

    /// How long to wait for an answer.
    pub(super) fn timeout(&mut self, given: Option<&Given<Wait>>) -> Option<Timeout> {
        let given = given?;
        match given.value.0 {
            Timeout::Class(class) => Some(Timeout::Class(class)),
            Timeout::Quiet(time) => self
                .long_enough(time, &given.at)
                .then_some(Timeout::Quiet(time)),
        }
    }

    /// What is said about retries. What a table leaves out is as usual, unless it would not fit.
    pub(super) fn retry(
        &mut self,
        given: Option<&Given<Switch<file::Retry>>>,
        usual: retry::RetryPolicy,
    ) -> Option<Switch<retry::RetryPolicy>> {
        let Switch::On(table) = &given?.value else {
            return Some(Switch::Off);
        };
        let attempts = self.count(
            table.attempts.as_ref(),
            ATTEMPTS,
            usual.attempts,
            "write 'retry: off' to make no call again",
        );
        let base = self.positive(table.base.as_ref());
        let cap = self.positive(table.cap.as_ref());
        let max_wait = self.positive(table.max_wait.as_ref());
        if let (Some(base), Some(cap), Some(given)) = (base, cap, &table.cap)
            && cap < base
        {
            let problem = given.at.problem("cap is shorter than base");
            self.add(problem.hint("pauses grow from base up to cap"));
        }
        let first = base.unwrap_or_else(|| cap.map_or(usual.base, |cap| usual.base.min(cap)));
        let mut policy = usual;
        policy.attempts = attempts;
        policy.base = first;
        policy.cap = cap.unwrap_or(usual.cap).max(first);
        policy.max_wait = max_wait.unwrap_or(usual.max_wait);
        Some(Switch::On(policy))
    }

    /// What is said about breakers.
    pub(super) fn breaker(
        &mut self,
        given: Option<&Given<Switch<file::Breaker>>>,
        usual: breaker::BreakerPolicy,
    ) -> Option<Switch<breaker::BreakerPolicy>> {
        let Switch::On(table) = &given?.value else {
            return Some(Switch::Off);
        };
        let mut policy = usual;
        policy.rate = self.rate(table.rate.as_ref()).unwrap_or(usual.rate);
        policy.window = self.positive(table.window.as_ref()).unwrap_or(usual.window);
        policy.open = self.positive(table.open.as_ref()).unwrap_or(usual.open);
        policy.minimum = self.count(
            table.minimum.as_ref(),
            MINIMUM,
            usual.minimum,
            "so many calls there have to be before their share means anything",
        );
        policy.probes = self.count(
            table.probes.as_ref(),
            PROBES,
            usual.probes,
            "so many calls have to work before it closes",
        );
        Some(Switch::On(policy))
    }

    /// What is said about how many calls there may be.
    pub(super) fn concurrency(
        &mut self,
        given: Option<&Given<Switch<file::Concurrency>>>,
        usual: Option<bulkhead::BulkheadPolicy>,
    ) -> Option<Switch<bulkhead::BulkheadPolicy>> {
        let given = given?;
        let Switch::On(table) = &given.value else {
            return Some(Switch::Off);
        };
        let is_failed = self.reader.failed(&format!("{}.limit", given.at.path));
        if table.limit.is_none() && usual.is_none() && !is_failed {
            let problem = given.at.key_problem("'concurrency' needs 'limit'");
            self.add(problem.hint("for example { limit: 10, queue: 20, wait: 5s }"));
        }
        let usual = usual.unwrap_or(bulkhead::BulkheadPolicy::new(1));
        let limit = self.places(table.limit.as_ref(), LIMIT, usual.limit);
        let queue = self.places(table.queue.as_ref(), QUEUE, usual.queue);
        let wait = self.positive(table.wait.as_ref());
        if let (Some(wait), Some(given)) = (&table.wait, &table.queue)
            && given.value.0 == 0
        {
            let problem = wait.at.key_problem("nobody waits where there is no queue");
            self.add(
                problem
                    .beside(given.at.key.clone(), "there is none")
                    .hint("remove 'wait', or let the queue have a place"),
            );
        }
        let mut policy = bulkhead::BulkheadPolicy::new(limit);
        policy.queue = queue;
        policy.wait = wait.unwrap_or(usual.wait);
        Some(Switch::On(policy))
    }

    /// The tool that stands in for those of a pattern.
    pub(super) fn fallback(
        &mut self,
        pattern: &str,
        given: Option<&Given<file::Fallback>>,
    ) -> Option<Fallback> {
        let given = given?;
        let (upstream, tool) = match &given.value {
            file::Fallback::Tool(tool) => (None, Some((tool, &given.at))),
            file::Fallback::Other(table) => {
                let tool = table.tool.as_ref().map(|tool| (&tool.value, &tool.at));
                (table.upstream.as_ref(), tool)
            }
        };
        let Some((tool, at)) = tool else {
            if !self.reader.failed(&format!("{}.tool", given.at.path)) {
                let problem = given.at.key_problem("'fallback_tool' needs 'tool'");
                self.add(problem.hint("for example { upstream: other, tool: search }"));
            }
            return None;
        };
        if tool.is_empty() {
            self.add(at.problem("the name is empty"));
        } else if tool == pattern && upstream.is_none() {
            let problem = at.problem("a tool cannot stand in for itself");
            self.add(problem.hint("name another tool, or the upstream that has one"));
        }
        let upstream = upstream.map(|given| given.value.clone());
        Some(Fallback::new(upstream, tool.clone()))
    }

    /// Tells of tools that stand in from servers nobody has.
    pub(super) fn fallbacks(&mut self, file: &file::File) {
        let upstreams = file.upstreams.iter().flat_map(|given| &given.value.0);
        let names: BTreeSet<&str> = upstreams.clone().map(|(name, _)| name.as_str()).collect();
        // One that could not be read may be the one that is meant.
        if self.reader.failed_below("upstreams") {
            return;
        }
        let tools = upstreams.flat_map(|(_, given)| &given.value.tools);
        let tools = tools.flat_map(|given| &given.value.0);
        let fallbacks = tools.filter_map(|(_, tool)| tool.value.fallback_tool.as_ref());
        for given in fallbacks {
            let file::Fallback::Other(table) = &given.value else {
                continue;
            };
            let Some(given) = &table.upstream else {
                continue;
            };
            if !names.contains(given.value.as_str()) {
                let problem = given
                    .at
                    .problem(format!("there is no upstream '{}'", given.value));
                let problem = match nearest(&given.value, names.iter().copied()) {
                    Some(meant) => problem.label(format!("did you mean '{meant}'?")),
                    None => problem,
                };
                let names: Vec<&str> = names.iter().copied().take(MOST_NAMES).collect();
                self.add(problem.hint(format!("the upstreams here are {}", listed(&names))));
            }
        }
    }

    fn rate(&mut self, given: Option<&Given<Amount>>) -> Option<f64> {
        let given = given?;
        let rate = given.value.0;
        if rate > 0.0 && rate <= 1.0 {
            return Some(rate);
        }
        let problem = given
            .at
            .problem("this is no share of calls")
            .hint("it is above 0, and 1 at most: 0.5 is half of them");
        self.add(if rate > 1.0 && rate <= 100.0 {
            problem.label(format!("did you mean {}?", rate / 100.0))
        } else {
            problem
        });
        None
    }

    fn count(
        &mut self,
        given: Option<&Given<Count>>,
        bounds: RangeInclusive<u32>,
        usual: u32,
        hint: &str,
    ) -> u32 {
        let Some(given) = given else {
            return usual;
        };
        match u32::try_from(given.value.0) {
            Ok(count) if bounds.contains(&count) => count,
            _ => {
                let problem = given.at.problem("this number is out of bounds");
                let (least, most) = (bounds.start(), bounds.end());
                let between = format!("it is between {least} and {most}");
                self.add(problem.hint(between).hint(hint));
                usual
            }
        }
    }

    fn places(
        &mut self,
        given: Option<&Given<Count>>,
        bounds: RangeInclusive<u32>,
        usual: usize,
    ) -> usize {
        let Some(given) = given else {
            return usual;
        };
        let count = self.count(
            Some(given),
            bounds,
            *LIMIT.start(),
            "write 'concurrency: off' to let every call through at once",
        );
        usize::try_from(count).unwrap_or(usize::MAX)
    }
}

const ATTEMPTS: RangeInclusive<u32> = 1..=10;

const MINIMUM: RangeInclusive<u32> = 1..=1_000_000;

const PROBES: RangeInclusive<u32> = 1..=100;

const LIMIT: RangeInclusive<u32> = 1..=100_000;

const QUEUE: RangeInclusive<u32> = 0..=100_000;

/// How many names a hint has.
const MOST_NAMES: usize = 10;
