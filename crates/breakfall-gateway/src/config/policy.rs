//! What an operator says about a server and its tools: trust, danger, quotas.

use std::time::Duration;

use breakfall::wire::{Dialect, Format};

use super::care::{Fallback, Switch, Timeout};
use super::upstream::Source;
use super::validation::{Modes, Unlisted, Validation};
use crate::resilience::{breaker, bulkhead, retry};

/// What is known about the tools of a server, by patterns of their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tools(Vec<(Pattern, Policy)>);

impl Tools {
    pub(super) fn new(policies: Vec<(Pattern, Policy)>) -> Self {
        let mut policies = policies;
        // Stable: among equally exact patterns the later one of the file has the last word.
        policies.sort_by_key(|(pattern, _)| pattern.exactness());
        Self(policies)
    }

    /// What is known about one tool. Every pattern that matches has a say, the more exact one where they differ.
    pub fn policy(&self, tool: &str) -> Policy {
        let mut policy = Policy::default();
        for (_, other) in self.0.iter().filter(|(pattern, _)| pattern.matches(tool)) {
            policy.danger = other.danger.or(policy.danger);
            policy.idempotent = other.idempotent.or(policy.idempotent);
            policy.timeout = other.timeout.or(policy.timeout);
            policy.validation = other.validation.or(policy.validation);
            policy.unlisted = other.unlisted.or(policy.unlisted);
            policy.slow = other.slow.or(policy.slow);
            if other.deprecated.is_some() {
                policy.deprecated.clone_from(&other.deprecated);
            }
            policy.retry = other.retry.or(policy.retry);
            policy.breaker = other.breaker.or(policy.breaker);
            policy.concurrency = other.concurrency.or(policy.concurrency);
            if other.fallback_tool.is_some() {
                policy.fallback_tool.clone_from(&other.fallback_tool);
            }
            policy.dialect = other.dialect.or(policy.dialect);
            policy.format = other.format.or(policy.format);
            policy.strict = other.strict.or(policy.strict);
            if !other.ask.is_empty() {
                policy.ask.clone_from(&other.ask);
            }
            if !other.reasons.is_empty() {
                policy.reasons.clone_from(&other.reasons);
            }
        }
        policy
    }

    /// How long to wait for one tool, where something is said of that.
    pub fn timeout(&self, tool: &str) -> Option<Timeout> {
        let said = self.0.iter().rev();
        said.filter(|(_, policy)| policy.timeout.is_some())
            .find(|(pattern, _)| pattern.matches(tool))?
            .1
            .timeout
    }

    /// What happens where a rule is broken by a call of one tool, with what holds for all of them.
    pub fn modes(&self, tool: &str, all: Modes) -> Modes {
        let matching = self.0.iter().filter(|(pattern, _)| pattern.matches(tool));
        matching.fold(all, |modes, (_, policy)| policy.validation.over(modes))
    }

    /// The patterns and what each says, the less exact ones first.
    pub fn iter(&self) -> impl Iterator<Item = (&Pattern, &Policy)> {
        self.0.iter().map(|(pattern, policy)| (pattern, policy))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What is known about a tool. What is not said is left to the tool's own annotations and to its name.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// How dangerous it is.
    pub danger: Option<Danger>,
    /// Why, in words for whoever has to confirm.
    pub reasons: Vec<String>,
    /// Whether calling it twice does no more than calling it once.
    pub idempotent: Option<bool>,
    /// How long to wait for it, if not as long as for the others.
    pub timeout: Option<Timeout>,
    /// How often it is called again, if not like the others.
    pub retry: Option<Switch<retry::RetryPolicy>>,
    /// When it is left alone, if not like the others.
    pub breaker: Option<Switch<breaker::BreakerPolicy>>,
    /// How many calls of it there may be at once, apart from the others.
    pub concurrency: Option<Switch<bulkhead::BulkheadPolicy>>,
    /// What callers are told to use in its place.
    pub fallback_tool: Option<Fallback>,
    /// What happens where a rule is broken.
    pub validation: Validation,
    /// What happens where the server does not list it.
    pub unlisted: Option<Unlisted>,
    /// What to use, or do, in its place: it should not be called any more.
    pub deprecated: Option<String>,
    /// How long a call may take before somebody is told.
    pub slow: Option<Duration>,
    /// The format of its failures.
    pub dialect: Option<Dialect>,
    /// Which blocks `tool-error` writes for it.
    pub format: Option<Format>,
    /// Whether its format is held to the letter.
    pub strict: Option<bool>,
    /// Parameters the user can correct.
    pub ask: Vec<String>,
}

/// A pattern of names: `*` stands for any characters, also none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Box<str>);

impl Pattern {
    pub(super) fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a name fits.
    pub fn matches(&self, name: &str) -> bool {
        let Some((first, rest)) = self.0.split_once('*') else {
            return *self.0 == *name;
        };
        let Some(mut name) = name.strip_prefix(first) else {
            return false;
        };
        let mut parts = rest.split('*').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                return name.ends_with(part);
            }
            // The leftmost place leaves most for the rest, so there is no need to try another.
            match name.find(part) {
                Some(at) => name = &name[at + part.len()..],
                None => return false,
            }
        }
        true
    }

    /// Without a star it means one tool; with one, it says more the more it spells out.
    pub(super) fn exactness(&self) -> (bool, usize) {
        let stars = self.0.matches('*').count();
        (stars == 0, self.0.len() - stars)
    }

    /// Whether there is a name that fits both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let (one, other) = (self.0.as_bytes(), other.0.as_bytes());
        // Whether what is left of the one from each place on meets what is left of the other.
        let mut below = vec![false; other.len() + 1];
        for at in (0..=one.len()).rev() {
            let mut row = vec![false; other.len() + 1];
            for there in (0..=other.len()).rev() {
                row[there] = match (one.get(at), other.get(there)) {
                    (None, None) => true,
                    (Some(b'*'), next) => below[there] || (next.is_some() && row[there + 1]),
                    (next, Some(b'*')) => row[there + 1] || (next.is_some() && below[there]),
                    (Some(a), Some(b)) => a == b && below[there + 1],
                    (Some(_), None) | (None, Some(_)) => false,
                };
            }
            below = row;
        }
        below[0]
    }
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(clippy::exhaustive_enums, reason = "a closed set of words, matched in full")]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}
pub(super) use words;

words! {
    /// How far a server is trusted, from the least up.
    Trust {
        /// Nobody has checked anything.
        Untested = "untested",
        /// Its description is well formed.
        Generated = "generated",
        /// It was tried out and behaves as described.
        Validated = "validated",
        /// People other than its author have looked at it.
        CommunityReviewed = "community_reviewed",
        /// An authority vouches for it.
        Certified = "certified",
    }
}

impl Trust {
    /// What nobody has said: servers are taken for tried out, descriptions of APIs are not.
    pub(super) const fn default_of(source: &Source) -> Self {
        match source {
            Source::Adapter(_) => Self::Untested,
            Source::Command(_) | Source::Url(_) | Source::Demo => Self::Validated,
        }
    }
}

words! {
    /// How dangerous a tool is, from the least up.
    Danger {
        /// It changes nothing.
        Safe = "safe",
        /// What it does can be undone.
        Reversible = "reversible",
        /// It destroys something.
        Destructive = "destructive",
        /// It may do great harm.
        Dangerous = "dangerous",
        /// Nobody should call it.
        Forbidden = "forbidden",
    }
}

/// How much of a server may be used before somebody is asked, and before nothing goes any more.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Quota {
    /// What is counted, over which time.
    pub metric: Metric,
    /// From here on, successes carry a warning.
    pub warn: f64,
    /// From here on, somebody has to confirm.
    pub pause: f64,
    /// From here on, nothing goes until the time is over; without it there is no such point.
    pub hard_stop: Option<f64>,
    /// What cost is counted in, as a code of three letters.
    pub currency: Option<String>,
}

words! {
    /// What a quota counts.
    Metric {
        /// Calls in a minute.
        RequestsPerMinute = "requests_per_minute",
        /// Calls in an hour.
        RequestsPerHour = "requests_per_hour",
        /// Calls in a day.
        RequestsPerDay = "requests_per_day",
        /// Tokens in a minute.
        TokensPerMinute = "tokens_per_minute",
        /// Tokens in an hour.
        TokensPerHour = "tokens_per_hour",
        /// Tokens in a day.
        TokensPerDay = "tokens_per_day",
        /// Money in an hour.
        CostPerHour = "cost_per_hour",
        /// Money in a day.
        CostPerDay = "cost_per_day",
        /// Money in a month.
        CostPerMonth = "cost_per_month",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, fits) in [
            ("write_*", "write_file", true),
            ("write_*", "write_", true),
            ("write_*", "rewrite_file", false),
            ("*", "", true),
            ("*_all_*", "delete_all_now", true),
            ("*_all_*", "delete_all", false),
            ("a*b*c", "aXbYbZc", true),
            ("ab*ba", "aba", false),
            ("exact", "exact", true),
            ("exact", "exactly", false),
            ("**", "x", true),
            ("ü*", "über", true),
        ] {
            assert_eq!(
                Pattern::new(pattern).matches(name),
                fits,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn patterns_meet_where_a_name_fits_both() {
        for (one, other, meet) in [
            ("a*", "*a", true),
            ("get_*", "*_all", true),
            ("get_*", "set_*", false),
            ("*", "", true),
            ("a*c", "ab*", true),
            ("a*c", "b*", false),
            ("ab", "a", false),
            ("**", "x", true),
        ] {
            assert_eq!(
                Pattern::new(one).meets(&Pattern::new(other)),
                meet,
                "{one} {other}"
            );
            assert_eq!(
                Pattern::new(other).meets(&Pattern::new(one)),
                meet,
                "{other} {one}"
            );
        }
    }

    #[test]
    fn the_more_exact_pattern_has_the_last_word() {
        let says = |danger, reasons: &[&str]| Policy {
            danger,
            reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
            ..Policy::default()
        };
        let tools = Tools::new(vec![
            (
                Pattern::new("delete_file"),
                says(Some(Danger::Dangerous), &[]),
            ),
            (
                Pattern::new("delete_*"),
                says(Some(Danger::Destructive), &["it is gone"]),
            ),
            (Pattern::new("*"), says(Some(Danger::Safe), &[])),
        ]);
        let policy = tools.policy("delete_file");
        assert_eq!(policy.danger, Some(Danger::Dangerous));
        assert_eq!(policy.reasons, ["it is gone"]);
        assert_eq!(tools.policy("delete_row").danger, Some(Danger::Destructive));
        assert_eq!(tools.policy("read").danger, Some(Danger::Safe));
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_time() {
        let pattern = Pattern::new("a*".repeat(500) + "b");
        assert!(!pattern.matches(&"a".repeat(100_000)));
    }
}
