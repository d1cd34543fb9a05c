//! One counter: how much is used in the current window, and what of it is not stored yet.

use std::sync::{Arc, MutexGuard};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::ladder::Amount;
use super::window::CalendarWindow;
use crate::config::QuotaMetric;
use breakfall_mcp::sync::Mutex;

/// What a counter counts, wherever it is stored.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct CounterKey {
    /// Where the quota is set: see [`crate::config::LimitScope::key`].
    pub scope: Box<str>,
    /// The principal it is counted for; empty if all callers are counted together.
    pub principal: Box<str>,
    /// The metric, with the currency of a cost behind it.
    pub metric: Box<str>,
}

/// A counter, shared by the calls it counts.
#[derive(Debug)]
pub(super) struct QuotaCounter {
    pub(super) key: CounterKey,
    metric: QuotaMetric,
    state: Mutex<CounterState>,
}

#[derive(Debug, Default)]
pub(super) struct CounterState {
    window: Option<CalendarWindow>,
    /// What the store had when it was last read, additions of other processes included; `None` until then.
    stored: Option<Amount>,
    /// What is on its way to the store.
    writing: Amount,
    /// What is not stored yet.
    pending: Amount,
    /// The same of earlier windows.
    past: Vec<(CalendarWindow, Amount)>,
    /// Whether it is in the list of counters with something to store.
    is_listed: bool,
}

impl QuotaCounter {
    pub(super) fn new(key: CounterKey, metric: QuotaMetric) -> Self {
        Self {
            key,
            metric,
            state: Mutex::default(),
        }
    }

    /// Its state at a time: that of another window is put aside.
    pub(super) fn at(&self, zone: &TimeZone, now: Timestamp) -> CounterGuard<'_> {
        let mut state = self.state.lock();
        if state.window.is_none_or(|window| !window.contains(now)) {
            state.turn(CalendarWindow::at(self.metric.period(), zone, now));
        }
        CounterGuard { state }
    }

    /// Whether it can be forgotten.
    pub(super) fn is_idle(&self, now: Timestamp) -> bool {
        let state = self.state.lock();
        let is_current = state.window.is_some_and(|window| window.contains(now));
        !is_current && !state.is_listed && state.writing == Amount(0)
    }

    /// Takes what is to be stored.
    pub(super) fn take_pending(self: &Arc<Self>) -> Vec<PendingUsage> {
        let mut state = self.state.lock();
        state.is_listed = false;
        let mut all = std::mem::take(&mut state.past);
        if let Some(window) = state.window {
            let amount = std::mem::take(&mut state.pending);
            state.writing = state.writing.plus(amount);
            all.push((window, amount));
        }
        let of = |(window, amount)| PendingUsage {
            counter: Arc::clone(self),
            window,
            amount,
        };
        all.into_iter().map(of).collect()
    }

    /// Puts back what could not be stored; true if the counter is to be put into the list of those with something to store.
    fn put_back(&self, window: CalendarWindow, amount: Amount) -> bool {
        let mut state = self.state.lock();
        if state.window == Some(window) {
            state.writing = Amount(state.writing.0.saturating_sub(amount.0));
            state.pending = state.pending.plus(amount);
        } else {
            state.past.push((window, amount));
        }
        !std::mem::replace(&mut state.is_listed, true)
    }

    /// Reads the current window.
    pub(super) fn read(self: &Arc<Self>, window: CalendarWindow) -> PendingUsage {
        PendingUsage {
            counter: Arc::clone(self),
            window,
            amount: Amount(0),
        }
    }
}

impl CounterState {
    fn turn(&mut self, window: CalendarWindow) {
        if let Some(before) = self.window.filter(|_| self.pending > Amount(0)) {
            let pending = std::mem::take(&mut self.pending);
            self.past.push((before, pending));
        }
        self.window = Some(window);
        self.stored = None;
        self.writing = Amount(0);
        self.pending = Amount(0);
    }

    /// How much is used; `None` if it is not known what other processes and earlier ones have used.
    fn used(&self) -> Option<Amount> {
        Some(self.stored?.plus(self.writing).plus(self.pending))
    }
}

/// A locked counter of the current window.
#[derive(Debug)]
pub(super) struct CounterGuard<'a> {
    state: MutexGuard<'a, CounterState>,
}

impl CounterGuard<'_> {
    pub(super) fn window(&self) -> CalendarWindow {
        self.state.window.unwrap_or(CalendarWindow {
            start: Timestamp::MIN,
            end: Timestamp::MAX,
        })
    }

    pub(super) fn used(&self) -> Option<Amount> {
        self.state.used()
    }

    /// Adds an amount; true if the counter is to be put into the list of those with something to store.
    pub(super) fn add(&mut self, amount: Amount) -> bool {
        self.state.pending = self.state.pending.plus(amount);
        amount > Amount(0) && !std::mem::replace(&mut self.state.is_listed, true)
    }
}

/// An addition to a stored counter. An amount of zero reads it.
#[derive(Debug)]
pub struct PendingUsage {
    counter: Arc<QuotaCounter>,
    window: CalendarWindow,
    amount: Amount,
}

impl PendingUsage {
    /// The counter.
    pub fn key(&self) -> &CounterKey {
        &self.counter.key
    }

    /// Its window.
    pub const fn window(&self) -> CalendarWindow {
        self.window
    }

    /// What is added.
    pub const fn amount(&self) -> Amount {
        self.amount
    }

    /// It could not be stored; the counter, if it is to be put into the list of those with something to store.
    pub(super) fn failed(self) -> Option<Arc<QuotaCounter>> {
        let is_new = self.amount > Amount(0) && self.counter.put_back(self.window, self.amount);
        is_new.then_some(self.counter)
    }

    /// It is stored; this is the value of the counter now. A counter never decreases.
    pub fn stored(&self, value: Amount) {
        let mut state = self.counter.state.lock();
        if state.window != Some(self.window) {
            return;
        }
        let own = state.stored.unwrap_or_default().plus(self.amount);
        state.writing = Amount(state.writing.0.saturating_sub(self.amount.0));
        state.stored = Some(own.max(value));
    }
}
