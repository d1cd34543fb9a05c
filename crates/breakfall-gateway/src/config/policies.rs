//! What is done about a server that fails: retries, circuit breaker, concurrency limit, restarts.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::kinds::defaulting;
use super::numbers::{number, positive_duration, share};
use super::reader::Reader;
use super::setting::{Kind, settings};
use super::units::show_duration;

settings! {
    /// How often a call that failed is made again, and how soon.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct RetryPolicy {
        /// How often a call is made at most, the first time included.
        pub attempts: u32 = 3 => number(1..=10, "write 'retry: off' to make no call again");
        /// The longest pause before the second attempt; twice as long before each one after that. How much of it is chance.
        pub base: Duration = Duration::from_millis(100) => positive_duration();
        /// The longest pause there is.
        pub cap: Duration = Duration::from_secs(5) => positive_duration();
        /// The longest pause a server may ask for. If it asks for more, the caller is told.
        pub max_wait: Duration = Duration::from_secs(10) => positive_duration();
    }
    impl Section {
        const EXAMPLE: &'static str = "{ attempts: 3, base: 100ms, cap: 5s, max_wait: 10s }";

        fn check(&mut self, reader: &mut Reader<'_>) {
            match (reader.given("base"), reader.given("cap")) {
                (Some(_), Some(cap)) if self.cap < self.base => {
                    let problem = cap.problem("cap is shorter than base");
                    reader.report(problem.hint("pauses grow from base up to cap"));
                }
                (None, Some(_)) => self.base = self.base.min(self.cap),
                _ => self.cap = self.cap.max(self.base),
            }
        }
    }
}

settings! {
    /// When a tool that keeps failing is left alone.
    #[derive(Debug, Clone, Copy, PartialEq)]
    #[non_exhaustive]
    pub struct BreakerPolicy {
        /// The share of calls that have to fail, above 0 and up to 1.
        pub rate: f64 = 0.5 => share();
        /// How far back calls count.
        pub window: Duration = Duration::from_mins(1) => positive_duration();
        /// How many calls there have to be.
        pub minimum: u32 = 10 => number(1..=1_000_000, "so many calls there have to be before their share means anything");
        /// How long it is left alone.
        pub open: Duration = Duration::from_secs(30) => positive_duration();
        /// How many calls are let through then, and have to work before all are.
        pub probes: u32 = 2 => number(1..=100, "so many calls have to work before it closes");
    }
    impl Section {
        const EXAMPLE: &'static str = "{ rate: 0.5, window: 1m, minimum: 10, open: 30s, probes: 2 }";
    }
}

settings! {
    /// How many calls may be under way at once.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct ConcurrencyPolicy {
        /// How many.
        pub limit: usize = UNSET => defaulting(places(1), None);
        /// How many more may wait for that.
        pub queue: usize = 20 => places(0);
        /// For how long.
        pub wait: Duration = Duration::from_secs(5) => positive_duration();
    }
    impl Section {
        const SUBJECT: &'static str = "'concurrency'";
        const EXAMPLE: &'static str = "{ limit: 10, queue: 20, wait: 5s }";

        fn check(&mut self, reader: &mut Reader<'_>) {
            if self.limit == UNSET && !reader.failed("limit") {
                let problem = Self::missing("limit", &reader.here());
                reader.report(problem);
            }
            if let (Some(wait), Some(queue), 0) = (reader.given("wait"), reader.given("queue"), self.queue) {
                let problem = wait.key_problem("a wait has no effect without a queue");
                reader.report(
                    problem
                        .beside(queue.key, "there is none")
                        .hint("remove 'wait', or let the queue have a place"),
                );
            }
        }
    }
}

/// A concurrency limit that is not set: a tool may take it from its server.
const UNSET: usize = 0;

fn places(least: u64) -> impl Kind<Value = usize> {
    number(
        least..=100_000,
        "write 'concurrency: off' to let every call through at once",
    )
}

impl ConcurrencyPolicy {
    /// So many calls, twenty that wait, and five seconds for each of them.
    ///
    /// ```
    /// use breakfall_gateway::config::ConcurrencyPolicy;
    ///
    /// assert_eq!(ConcurrencyPolicy::new(10).queue, 20);
    /// ```
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }
}

settings! {
    /// How long to wait before starting a command again: twice as long each time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(clippy::exhaustive_structs, reason = "a pair of times")]
    pub struct RestartDelay {
        /// The first time.
        pub first: Duration = Duration::from_millis(100) => positive_duration();
        /// At most.
        pub max: Duration = Duration::from_secs(30) => positive_duration();
    }
    impl Section {
        const EXAMPLE: &'static str = "restart: { first: 100ms, max: 30s }";

        fn check(&mut self, reader: &mut Reader<'_>) {
            match (reader.given("first"), reader.given("max")) {
                (Some(_), Some(max)) if self.max < self.first => {
                    reader.report(max.problem("max is shorter than first"));
                }
                (None, Some(_)) => self.first = self.first.min(self.max),
                _ => self.max = self.max.max(self.first),
            }
        }
    }
}

impl RestartDelay {
    /// The first delay, and the longest one.
    ///
    /// ```
    /// use std::time::Duration;
    /// use breakfall_gateway::config::RestartDelay;
    ///
    /// let delay = RestartDelay::new(Duration::from_secs(1), Duration::ZERO);
    /// assert_eq!(delay.max, Duration::from_secs(1));
    /// ```
    pub fn new(first: Duration, max: Duration) -> Self {
        let max = max.max(first);
        Self { first, max }
    }
}

impl Display for RetryPolicy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (base, cap) = (show_duration(self.base), show_duration(self.cap));
        let wait = show_duration(self.max_wait);
        write!(
            f,
            "{} attempts, pauses from {base} to {cap}, {wait} if the server asks for it",
            self.attempts
        )
    }
}

impl Display for BreakerPolicy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (window, open) = (show_duration(self.window), show_duration(self.open));
        write!(
            f,
            "opens for {open} when {}% of {} calls or more fail in {window}; {} must work again",
            self.rate * 100.0,
            self.minimum,
            self.probes
        )
    }
}

impl Display for ConcurrencyPolicy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let wait = show_duration(self.wait);
        write!(
            f,
            "{} at once, {} wait up to {wait}",
            self.limit, self.queue
        )
    }
}

impl Display for RestartDelay {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (first, max) = (show_duration(self.first), show_duration(self.max));
        write!(f, "after {first}, then twice as long up to {max}")
    }
}
