//! How much of a server may be used.

use std::sync::Arc;

use super::cost::CostModel;
use super::kinds::{defaulting, list, mapped, optional, pending, section, text};
use super::numbers::amount;
use super::problem::ConfigProblem;
use super::rate::CountedBy;
use super::reader::{Position, Reader};
use super::setting::{Kind, settings};
use super::word::{word, words};
use serde_json::json;

settings! {
    /// How much of a server may be used.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct Quota {
        /// What is counted, over which time.
        pub metric: QuotaMetric = QuotaMetric::RequestsPerMinute => defaulting(word(), None);
        /// From here on, successes carry a warning.
        pub warn: f64 = 0.0 => amount();
        /// From here on, a user has to confirm.
        pub pause: Option<f64> = None => pending(optional(amount()));
        /// From here on, calls are refused until the time is over.
        pub hard_stop: Option<f64> = None => optional(amount());
        /// What a cost is counted in, as a code of three letters.
        pub currency: Option<String> = None => optional(currency());
        /// Which calls are counted together.
        pub by: CountedBy = CountedBy::All => word();
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["metric", "warn"];
        const SUBJECT: &'static str = "a quota";
        const EXAMPLE: &'static str = "{ metric: requests_per_hour, warn: 800, hard_stop: 1000 }";

        fn check(&mut self, reader: &mut Reader<'_>) {
            let order = "warn, pause and hard_stop are reached in this order";
            let steps = [("warn", Some(self.warn)), ("pause", self.pause), ("hard_stop", self.hard_stop)];
            let steps = steps.into_iter().filter_map(|(key, at)| Some((key, reader.given(key)?, at?)));
            let steps: Vec<_> = steps.collect();
            for pair in steps.windows(2) {
                if let [(earlier, _, low), (later, position, high)] = pair && high < low {
                    let problem = position.problem(format!("{later} comes before {earlier}"));
                    reader.report(problem.hint(order));
                }
            }
            if let (Some(_), Some(currency)) = (reader.given("metric"), reader.given("currency"))
                && !self.metric.is_cost()
            {
                let problem = currency.key_problem("a currency belongs to a cost");
                reader.report(problem.hint("remove it, or count cost_per_hour, cost_per_day or cost_per_month"));
            }
        }
    }
}

words! {
    /// What a quota counts.
    QuotaMetric: "metrics" {
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

impl QuotaMetric {
    /// What it counts.
    pub const fn unit(self) -> QuotaUnit {
        match self {
            Self::RequestsPerMinute | Self::RequestsPerHour | Self::RequestsPerDay => {
                QuotaUnit::Requests
            }
            Self::TokensPerMinute | Self::TokensPerHour | Self::TokensPerDay => QuotaUnit::Tokens,
            Self::CostPerHour | Self::CostPerDay | Self::CostPerMonth => QuotaUnit::Cost,
        }
    }

    /// The part of the calendar in which it counts.
    pub const fn period(self) -> QuotaPeriod {
        match self {
            Self::RequestsPerMinute | Self::TokensPerMinute => QuotaPeriod::Minute,
            Self::RequestsPerHour | Self::TokensPerHour | Self::CostPerHour => QuotaPeriod::Hour,
            Self::RequestsPerDay | Self::TokensPerDay | Self::CostPerDay => QuotaPeriod::Day,
            Self::CostPerMonth => QuotaPeriod::Month,
        }
    }

    fn is_cost(self) -> bool {
        self.unit() == QuotaUnit::Cost
    }
}

impl Quota {
    /// A quota without thresholds but the first.
    pub fn new(metric: QuotaMetric, warn: f64) -> Self {
        Self {
            metric,
            warn,
            ..Self::default()
        }
    }

    /// Whether what a call costs by this model counts.
    pub fn counts_cost(&self, model: &CostModel) -> bool {
        self.currency == model.currency
    }

    /// The problem of a quota for a cost that no call has.
    pub(super) fn uncounted(&self, position: &Position) -> ConfigProblem {
        let counted = match &self.currency {
            Some(code) => format!("no call costs anything in {code}, so this quota counts nothing"),
            None => {
                "no call costs anything without a currency, so this quota counts nothing".to_owned()
            }
        };
        position.problem(counted).hint("say what calls cost, for example cost: { call: 0.01, currency: EUR }, with the currency of the quota")
    }
}

/// What a metric counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the units of the metrics")]
pub enum QuotaUnit {
    /// Calls.
    Requests,
    /// Tokens of arguments and results.
    Tokens,
    /// Money.
    Cost,
}

/// A part of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the periods of the metrics")]
pub enum QuotaPeriod {
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A month.
    Month,
}

/// Quotas, each metric and currency once for all calls and once for each principal.
pub(super) fn quotas() -> impl Kind<Value = Arc<[Quota]>> {
    mapped(list(section::<Quota>()), json!({}), |quotas, reader| {
        for (index, quota) in quotas.iter().enumerate() {
            let key = |quota: &Quota| (quota.metric, quota.currency.clone(), quota.by);
            let is_same = |other: &Quota| key(other) == key(quota);
            let is_read = reader.given(&format!("[{index}].metric"));
            if is_read.is_some() && quotas[..index].iter().any(is_same) {
                let position = reader.given(&format!("[{index}]")).unwrap_or_default();
                let message = format!("{} is counted twice", quota.metric.as_str());
                reader.report(position.problem(message).hint("keep one of them"));
            }
        }
        Some(Arc::from(quotas))
    })
}

pub(super) fn currency() -> impl Kind<Value = String> {
    let pattern = json!({"pattern": "^[A-Z]{3}$"});
    mapped(text(), pattern, |code, reader| {
        if code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Some(code);
        }
        let problem = reader.here().problem("this is no currency");
        reader.report(problem.hint("write its code, for example EUR or USD"));
        None
    })
}
