//! The steps of a quota: ok, warn, paused, exhausted.

use breakfall::catalog::warning::{RATE_LIMIT_QUOTA_WARNING, quota_severity};
use breakfall::{Fault, Severity, Timestamp, Warning, codes};
use serde_json::Value;

use crate::config::{LimitScope, Quota, QuotaMetric, QuotaUnit};

/// How much of a quota is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the words of the specification")]
pub enum QuotaStatus {
    /// Less than `warn`.
    Ok,
    /// `warn` or more.
    Warn,
    /// `pause` or more: a user has to agree.
    Paused,
    /// `hard_stop` or more: nothing passes until the window is over.
    Exhausted,
}

impl QuotaStatus {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Paused => "paused",
            Self::Exhausted => "exhausted",
        }
    }

    /// The status of a quota of which so much is used. A quota without a hard stop is never exhausted.
    ///
    /// ```
    /// use breakfall_gateway::config::{Quota, QuotaMetric};
    /// use breakfall_gateway::resilience::quota::{Amount, QuotaStatus};
    ///
    /// let mut quota = Quota::new(QuotaMetric::RequestsPerDay, 8.0);
    /// quota.hard_stop = Some(10.0);
    /// let status = |used| QuotaStatus::of(&quota, Amount(used));
    /// assert_eq!([7, 8, 9, 10].map(status).map(QuotaStatus::as_str), ["ok", "warn", "warn", "exhausted"]);
    /// ```
    pub fn of(quota: &Quota, used: Amount) -> Self {
        let is_reached = |threshold: f64| used >= Amount::threshold(quota.metric, threshold);
        if quota.hard_stop.is_some_and(is_reached) {
            Self::Exhausted
        } else if quota.pause.is_some_and(is_reached) {
            Self::Paused
        } else if is_reached(quota.warn) {
            Self::Warn
        } else {
            Self::Ok
        }
    }
}

/// How much is used, in whole calls, tokens, or billionths of a currency: sums are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a number")]
pub struct Amount(pub u64);

impl Amount {
    /// Calls, or tokens.
    pub const fn count(count: u64) -> Self {
        Self(count)
    }

    /// A cost.
    pub fn cost(cost: f64) -> Self {
        Self(whole(cost * BILLION))
    }

    /// The least amount that reaches a threshold.
    fn threshold(metric: QuotaMetric, threshold: f64) -> Self {
        match metric.unit() {
            QuotaUnit::Requests | QuotaUnit::Tokens => Self(whole(threshold.ceil())),
            QuotaUnit::Cost => Self::cost(threshold),
        }
    }

    /// Both together; the largest there is if that is too large.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// In the unit of a metric.
    #[expect(clippy::cast_precision_loss, reason = "it is shown, not counted with")]
    pub fn of(self, metric: QuotaMetric) -> f64 {
        match metric.unit() {
            QuotaUnit::Requests | QuotaUnit::Tokens => self.0 as f64,
            QuotaUnit::Cost => self.0 as f64 / BILLION,
        }
    }
}

/// The nearest whole number; negative ones count as zero.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts from floats saturate"
)]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

const BILLION: f64 = 1e9;

/// A number without a fraction where it has none.
pub fn shown_number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < MAX_EXACT {
        Value::from(whole(number))
    } else {
        Value::from(number)
    }
}

/// All whole numbers up to here are exact.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A quota and how much of it is used.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QuotaUse {
    /// The quota.
    pub quota: Quota,
    /// How much is used.
    pub used: Amount,
    /// When its window is over.
    pub resets_at: Timestamp,
}

impl QuotaUse {
    /// A quota of which so much is used, until its window is over.
    pub fn new(quota: Quota, used: Amount, resets_at: Timestamp) -> Self {
        Self {
            quota,
            used,
            resets_at,
        }
    }

    /// Its status.
    pub fn status(&self) -> QuotaStatus {
        QuotaStatus::of(&self.quota, self.used)
    }

    /// The warning on a success, if there is one.
    pub fn warning(&self) -> Option<Warning> {
        if self.status() < QuotaStatus::Warn {
            return None;
        }
        let quota = &self.quota;
        let used = self.used.of(quota.metric);
        let severity = quota_severity(used, quota.warn, quota.hard_stop);
        let warning = Warning::new(RATE_LIMIT_QUOTA_WARNING)
            .severity(severity.unwrap_or(Severity::Warning))
            .context("metric", quota.metric.as_str())
            .context("current", shown_number(used))
            .context("warn_threshold", shown_number(quota.warn));
        let pause = quota.pause.map(shown_number);
        let stop = quota.hard_stop.map(shown_number);
        let currency = quota.currency.as_deref().map(Value::from);
        let more = [
            ("pause_threshold", pause),
            ("hard_stop_threshold", stop),
            ("currency", currency),
        ];
        let more = more
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        Some(more.fold(warning, |warning, (key, value)| warning.context(key, value)))
    }

    /// The fault where no call passes: the quota is exhausted, or a user has to agree first.
    pub fn fault(&self, scope: &LimitScope, upstream: &str, now: Timestamp) -> Option<Fault> {
        let quota = &self.quota;
        let fault = match self.status() {
            QuotaStatus::Ok | QuotaStatus::Warn => return None,
            QuotaStatus::Paused => Fault::new(codes::RATE_LIMIT_QUOTA_PAUSE),
            QuotaStatus::Exhausted => {
                let wait = self.resets_at.duration_since(now);
                let wait = wait.try_into().unwrap_or_default();
                Fault::new(codes::RATE_LIMIT_QUOTA_EXHAUSTED)
                    .resets_at(self.resets_at)
                    .retry_after(wait)
            }
        };
        let details = [
            ("pause_threshold", quota.pause.map(shown_number)),
            ("hard_stop_threshold", quota.hard_stop.map(shown_number)),
            ("currency", quota.currency.as_deref().map(Value::from)),
        ];
        let details = details
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        let fault = fault
            .detail("metric", quota.metric.as_str())
            .detail("current", shown_number(self.used.of(quota.metric)))
            .detail("scope", scope.name(upstream))
            .detail("executed", "no");
        Some(details.fold(fault, |fault, (key, value)| fault.detail(key, value)))
    }
}
