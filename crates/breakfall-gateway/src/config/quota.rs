//! How much of a server may be used.

use super::kinds::{defaulting, list, mapped, optional, pending, section, text};
use super::numbers::amount;
use super::reader::Reader;
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
        pub pause: f64 = 0.0 => amount();
        /// From here on, calls are refused until the time is over.
        pub hard_stop: Option<f64> = None => optional(amount());
        /// What a cost is counted in, as a code of three letters.
        pub currency: Option<String> = None => optional(currency());
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["metric", "warn", "pause"];
        const SUBJECT: &'static str = "a quota";
        const EXAMPLE: &'static str = "{ metric: requests_per_hour, warn: 800, pause: 950, hard_stop: 1000 }";

        fn check(&mut self, reader: &mut Reader<'_>) {
            let (warn, pause) = (reader.given("warn"), reader.given("pause"));
            let order = "warn, pause and hard_stop are reached in this order";
            if let (Some(_), Some(pause)) = (&warn, &pause) && self.pause < self.warn {
                reader.report(pause.problem("pause comes before warn").hint(order));
            }
            if let (Some(_), Some(_), Some(stop)) = (warn, pause, reader.given("hard_stop"))
                && self.hard_stop.is_some_and(|stop| stop < self.pause)
            {
                reader.report(stop.problem("hard_stop comes before pause").hint(order));
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
    fn is_cost(self) -> bool {
        matches!(
            self,
            Self::CostPerHour | Self::CostPerDay | Self::CostPerMonth
        )
    }
}

/// The quotas of a server, each metric and currency once.
pub(super) fn quotas() -> impl Kind<Value = Vec<Quota>> {
    let quotas = mapped(list(section::<Quota>()), json!({}), |quotas, reader| {
        for (index, quota) in quotas.iter().enumerate() {
            let is_same =
                |other: &Quota| other.metric == quota.metric && other.currency == quota.currency;
            let is_read = reader.given(&format!("[{index}].metric"));
            if is_read.is_some() && quotas[..index].iter().any(is_same) {
                let position = reader.given(&format!("[{index}]")).unwrap_or_default();
                let message = format!("{} is counted twice", quota.metric.as_str());
                reader.report(position.problem(message).hint("keep one of them"));
            }
        }
        Some(quotas)
    });
    pending(quotas)
}

fn currency() -> impl Kind<Value = String> {
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
