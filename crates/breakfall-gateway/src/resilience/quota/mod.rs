//! How much may be used in a minute, an hour, a day or a month.
//!
//! A call is admitted by what is used before it: below `hard_stop` it passes, and its own use is added. What it costs is
//! known in part only when it is over, so tokens are added then, and calls in flight may lead beyond a threshold.

mod counter;
mod ladder;
mod tokens;
mod window;

use std::fmt;
use std::sync::Arc;

use breakfall::{Fault, Warning};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::time::Instant;

use super::bounded::BoundedMap;
use crate::config::{CostModel, CountedBy, LimitScope, Quota, QuotaUnit};
use breakfall_mcp::sync::Mutex;
use counter::QuotaCounter;

pub use counter::{CounterKey, PendingUsage};
pub use ladder::{Amount, QuotaStatus, QuotaUse, shown_number};
pub use tokens::TokenUsage;
pub use window::CalendarWindow;

/// The counters of quotas of all upstreams.
pub struct QuotaCounters {
    counters: BoundedMap<QuotaCounter>,
    /// Those with something to store.
    pending: Mutex<Vec<Arc<QuotaCounter>>>,
}

/// The quotas that a call is counted by.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "callers supply every property")]
pub struct CallQuotas<'a> {
    /// Where they are set.
    pub scope: &'a LimitScope,
    /// The quotas.
    pub quotas: &'a [Quota],
    /// What a call costs.
    pub cost: Option<&'a CostModel>,
    /// The upstream.
    pub upstream: &'a str,
    /// The caller, if it is known.
    pub principal: Option<&'a str>,
    /// Its arguments.
    pub arguments: &'a str,
    /// The time zone of its calendar.
    pub zone: &'a TimeZone,
}

/// Whether quotas let a call pass.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "every call is one of these")]
pub enum QuotaAdmission {
    /// It is counted.
    Admitted(QuotaCharge),
    /// It is refused.
    Refused(Box<QuotaUse>),
    /// First it has to be read what was used before.
    Unread(Vec<PendingUsage>),
    /// There are too many counters for another one.
    Full,
}

impl Default for QuotaCounters {
    fn default() -> Self {
        Self {
            counters: BoundedMap::with_capacity(MAX_COUNTERS),
            pending: Mutex::default(),
        }
    }
}

impl QuotaCounters {
    /// Counts a call, if every quota lets it pass.
    pub fn admit(self: &Arc<Self>, call: &CallQuotas<'_>, now: Timestamp) -> QuotaAdmission {
        let counters = call.quotas.iter().map(|quota| self.find(call, quota, now));
        let Some(counters) = counters.collect::<Option<Vec<_>>>() else {
            return QuotaAdmission::Full;
        };
        // All of them are locked, in the order of the list, so that a refused call is counted nowhere.
        let mut guards: Vec<_> = counters.iter().map(|one| one.at(call.zone, now)).collect();
        let each = || guards.iter().zip(call.quotas);
        let unread = guards.iter().zip(&counters);
        let unread = unread.filter(|(guard, _)| guard.used().is_none());
        let unread: Vec<_> = unread
            .map(|(guard, one)| one.read(guard.window()))
            .collect();
        if !unread.is_empty() {
            return QuotaAdmission::Unread(unread);
        }
        let uses = each().map(|(guard, quota)| {
            let used = guard.used().unwrap_or_default();
            QuotaUse::new(quota.clone(), used, guard.window().end)
        });
        let worst = uses.max_by_key(QuotaUse::status);
        if let Some(refused) = worst.filter(|one| one.status() >= QuotaStatus::Paused) {
            return QuotaAdmission::Refused(Box::new(refused));
        }
        let cost = call.cost.map_or(Amount(0), |cost| Amount::cost(cost.call));
        let mut listed = Vec::new();
        for ((guard, quota), counter) in guards.iter_mut().zip(call.quotas).zip(&counters) {
            let amount = match quota.metric.unit() {
                QuotaUnit::Requests => Amount::count(1),
                QuotaUnit::Cost if call.cost.is_some_and(|cost| quota.counts_cost(cost)) => cost,
                QuotaUnit::Tokens | QuotaUnit::Cost => Amount(0),
            };
            if guard.add(amount) {
                listed.push(Arc::clone(counter));
            }
        }
        drop(guards);
        self.pending.lock().append(&mut listed);
        QuotaAdmission::Admitted(QuotaCharge {
            counters: Arc::clone(self),
            quotas: call.quotas.iter().cloned().zip(counters).collect(),
            cost: call.cost.cloned(),
            zone: call.zone.clone(),
            sent: TokenUsage::estimated(call.arguments, ""),
            admitted_at: now,
            is_settled: false,
        })
    }

    /// Whether something is to be stored.
    pub fn has_pending(&self) -> bool {
        !self.pending.lock().is_empty()
    }

    /// Takes what is to be stored.
    pub fn take_pending(&self) -> Vec<PendingUsage> {
        let listed = std::mem::take(&mut *self.pending.lock());
        listed.iter().flat_map(QuotaCounter::take_pending).collect()
    }

    /// Puts back what could not be stored.
    pub fn put_back(&self, pending: Vec<PendingUsage>) {
        let listed = pending.into_iter().filter_map(PendingUsage::failed);
        let listed: Vec<_> = listed.collect();
        self.pending.lock().extend(listed);
    }

    fn find(
        &self,
        call: &CallQuotas<'_>,
        quota: &Quota,
        now: Timestamp,
    ) -> Option<Arc<QuotaCounter>> {
        let key = counter_key(call, quota);
        let name = format!("{}\n{}\n{}", key.scope, key.principal, key.metric);
        let make = || QuotaCounter::new(key, quota.metric);
        let is_idle = |one: &QuotaCounter| one.is_idle(now);
        self.counters.find_or(&name, Instant::now(), make, is_idle)
    }
}

/// The counter of a quota for a call.
fn counter_key(call: &CallQuotas<'_>, quota: &Quota) -> CounterKey {
    let principal = match quota.by {
        CountedBy::All => None,
        // A name in a configuration is not empty and has no '#'.
        CountedBy::Principal => Some(call.principal.unwrap_or("#")),
    };
    CounterKey {
        scope: call.scope.key(call.upstream).into(),
        principal: principal.unwrap_or_default().into(),
        metric: metric_key(quota).into(),
    }
}

/// The name of the counter of a quota.
pub fn metric_key(quota: &Quota) -> String {
    let metric = quota.metric.as_str();
    match &quota.currency {
        Some(currency) => format!("{metric} {currency}"),
        None => metric.to_owned(),
    }
}

impl fmt::Debug for QuotaCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("QuotaCounters")
            .field(&self.counters)
            .finish()
    }
}

/// A call that was counted, until its tokens are counted too.
#[derive(Debug)]
#[must_use]
pub struct QuotaCharge {
    counters: Arc<QuotaCounters>,
    quotas: Vec<(Quota, Arc<QuotaCounter>)>,
    cost: Option<CostModel>,
    zone: TimeZone,
    /// The tokens of its arguments.
    sent: TokenUsage,
    admitted_at: Timestamp,
    is_settled: bool,
}

impl QuotaCharge {
    /// Whether the tokens of the call count.
    pub fn counts_tokens(&self) -> bool {
        self.quotas
            .iter()
            .any(|(quota, _)| match quota.metric.unit() {
                QuotaUnit::Requests => false,
                QuotaUnit::Tokens => true,
                QuotaUnit::Cost => self.cost_of(quota).is_some_and(CostModel::counts_tokens),
            })
    }

    /// Adds the tokens of the call, which is over, and returns the warnings on its success.
    pub fn settle(mut self, tokens: TokenUsage, now: Timestamp) -> Vec<Warning> {
        self.add_tokens(tokens, now)
    }

    fn add_tokens(&mut self, tokens: TokenUsage, now: Timestamp) -> Vec<Warning> {
        self.is_settled = true;
        let mut warnings = Vec::new();
        for (quota, counter) in &self.quotas {
            let amount = match quota.metric.unit() {
                QuotaUnit::Requests => Amount(0),
                QuotaUnit::Tokens => Amount::count(tokens.total()),
                QuotaUnit::Cost => self
                    .cost_of(quota)
                    .map_or(Amount(0), |cost| cost_of(cost, tokens)),
            };
            let mut guard = counter.at(&self.zone, now);
            if guard.add(amount) {
                self.counters.pending.lock().push(Arc::clone(counter));
            }
            let used = guard.used().unwrap_or_default();
            let used = QuotaUse::new(quota.clone(), used, guard.window().end);
            drop(guard);
            warnings.extend(used.warning());
        }
        if self.counts_tokens() {
            warnings.extend(tokens.warning());
        }
        warnings
    }

    /// The model by which a quota counts the costs of this call.
    fn cost_of(&self, quota: &Quota) -> Option<&CostModel> {
        self.cost.as_ref().filter(|cost| quota.counts_cost(cost))
    }
}

/// A call that has no end sent its arguments.
impl Drop for QuotaCharge {
    fn drop(&mut self) {
        if !self.is_settled {
            let (sent, at) = (self.sent, self.admitted_at);
            self.add_tokens(sent, at);
        }
    }
}

/// What tokens cost.
#[expect(clippy::cast_precision_loss, reason = "a cost is rounded anyway")]
fn cost_of(cost: &CostModel, tokens: TokenUsage) -> Amount {
    let input = cost.input_token * tokens.input as f64;
    let output = cost.output_token * tokens.output as f64;
    Amount::cost(input + output)
}

/// The fault of a call that cannot be counted.
pub fn uncounted(upstream: &str) -> Fault {
    Fault::dependency_failed("store")
        .detail("service", upstream)
        .message("Quotas cannot be checked, so no call is let through")
        .remediation("Ask the operator of the gateway to look at its log: its store cannot be read, or it counts too many callers.")
        .detail("executed", "no")
}

/// How many counters there may be.
const MAX_COUNTERS: usize = 1 << 20;
