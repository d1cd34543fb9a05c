//! The record of calls: one event per call, and a list of sinks that each get it.
//!
//! | sink | effect |
//! |---|---|
//! | `LogSink` | a log line: failures as warnings, others at a [`SuccessLevel`] |
//! | `Counters` | counters and histograms for [`metrics`] |
//! | `LiveFeed` | a live broadcast for [`Recorder::subscribe`]; a slow subscriber misses events |
//! | `StoreSink` | audit entry and private report, in one transaction: queue → thread → [`Store`] |
//!
//! [`Recorder::with_sink`] adds one. A call does not wait for storage. Sinks run before the answer, so they must neither block
//! nor panic. A record that cannot be stored waits in bounded memory; beyond that it is lost, which [`Counts`] and the log report.

mod age_clock;
mod counts;
mod entry;
mod event;
mod histogram;
mod keeper;
mod log;
mod metrics;
mod queue;
mod report;
mod sink;
mod store_sink;
mod trace;

use std::sync::Arc;

use breakfall::CorrelationId;
pub use counts::{CallDurations, Count, Counts, LimitKind};
pub use event::{AttemptOutcome, AttemptRecord, CallEvent, CallOutcome, Evidence};
pub use histogram::DurationHistogram;
pub use log::SuccessLevel;
pub use metrics::{Gauges, METRICS_TYPE, metrics};
pub use report::Report;
pub use sink::{CallRecord, CallSink};
use tokio::sync::broadcast;
pub use trace::{NoTrace, Trace, TraceId};

use crate::config::{AuditTrail, Config, Environment, Retention};
use crate::store::{self, Memory, Store, TokenStore};
use breakfall_mcp::error::OPERATOR_REDACTOR;
use counts::Counters;
use sink::{LiveFeed, LogSink};
use store_sink::StoreSink;

/// Records calls. Clones share their state; dropping the last one finishes as [`Recorder::finish`] does.
///
/// ```
/// use std::sync::Arc;
///
/// use breakfall::{CorrelationId, Fault, Timestamp};
/// use breakfall_gateway::config::{AuditTrail, Retention};
/// use breakfall_gateway::record::{CallEvent, CallOutcome, Evidence, Recorder, Report};
/// use breakfall_gateway::store::{Memory, Store};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let store = Arc::new(Memory::default());
/// let recorder = Recorder::new(store.clone(), AuditTrail::On, Retention::default());
/// let id = CorrelationId::new("c-1").expect("an id");
/// let mut event = CallEvent::new(id, Timestamp::now(), "shop".into(), "get_order");
/// let fault = Fault::not_found("order", "ord-7").caused_by("no row in /srv/shop.db");
/// event.outcome = CallOutcome::of(&fault);
/// recorder.record(event, r#"{"id":"ord-7"}"#, Some(Evidence::new(fault)));
/// recorder.flush().await;
///
/// let found = store.find("c-1").await.expect("it can be read");
/// let report = Report::from_json(&found[0].text).expect("it is a report");
/// assert!(report.report.contains("/srv/shop.db"));
/// assert_eq!(recorder.counts().calls[0].end, "NOT_FOUND_RESOURCE");
/// # });
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// In the order in which they get a call.
    sinks: Vec<Arc<dyn CallSink>>,
    counters: Arc<Counters>,
    live: Arc<LiveFeed>,
    stored: Option<Arc<StoreSink>>,
    tokens: Arc<dyn TokenStore>,
}

impl Recorder {
    /// Stores reports, and audit entries if wanted.
    pub fn new(store: Arc<dyn Store>, audit: AuditTrail, keep: Retention) -> Self {
        let stored = StoreSink::start(store, audit == AuditTrail::On, keep);
        let stored = stored.inspect_err(|error| {
            tracing::error!("calls are not recorded: {error}");
        });
        let tokens = Arc::<Memory>::default();
        Self::with(stored.ok().map(Arc::new), SuccessLevel::default(), tokens)
    }

    /// Builds the list of sinks.
    fn with(
        stored: Option<Arc<StoreSink>>,
        successes: SuccessLevel,
        tokens: Arc<dyn TokenStore>,
    ) -> Self {
        let (counters, live) = (Arc::<Counters>::default(), Arc::<LiveFeed>::default());
        let mut sinks: Vec<Arc<dyn CallSink>> =
            vec![Arc::new(LogSink(successes)), counters.clone(), live.clone()];
        if let Some(stored) = &stored {
            sinks.push(stored.clone());
        }
        Self(Arc::new(Inner {
            sinks,
            counters,
            live,
            stored,
            tokens,
        }))
    }

    /// Opens the store of a configuration. If it cannot be opened, the log says so, and memory takes its place.
    pub fn open(config: &Config, around: &dyn Environment, successes: SuccessLevel) -> Self {
        let opened = store::open(&config.store, around);
        if let Some(instead) = &opened.instead {
            tracing::warn!("{instead}: {}", instead.fix());
        }
        let recorder = Self::new(opened.store, config.audit, config.retention);
        Self::with(recorder.0.stored.clone(), successes, opened.tokens)
    }

    /// Stores nothing: calls are logged and counted only.
    ///
    /// ```
    /// use breakfall_gateway::record::Recorder;
    ///
    /// assert!(Recorder::off().store().is_none());
    /// ```
    pub fn off() -> Self {
        Self::with(None, SuccessLevel::default(), Arc::<Memory>::default())
    }

    /// Records a call in every sink. The arguments are hashed for the audit trail and stored nowhere.
    pub fn record(&self, mut event: CallEvent, arguments: &str, evidence: Option<Evidence>) {
        // The caller may have been told an id of the server.
        let told = evidence.as_ref().and_then(Evidence::id);
        if let Some(id) = told.filter(|id| **id != event.id) {
            event.id = id.clone();
        }
        let is_stored = self.0.stored.is_some();
        let mut call = CallRecord::new(event, arguments, evidence, is_stored);
        for sink in &self.0.sinks {
            sink.record(&mut call);
        }
    }

    /// The confirmation tokens of the store; in memory where nothing is stored.
    pub fn tokens(&self) -> &Arc<dyn TokenStore> {
        &self.0.tokens
    }

    /// Adds a sink, which gets each call after the others. Recorders cloned before do not get it.
    #[must_use]
    pub fn with_sink(self, sink: Arc<dyn CallSink>) -> Self {
        let inner = &*self.0;
        let added = Inner {
            sinks: inner.sinks.iter().cloned().chain([sink]).collect(),
            counters: Arc::clone(&inner.counters),
            live: Arc::clone(&inner.live),
            stored: inner.stored.clone(),
            tokens: Arc::clone(&inner.tokens),
        };
        Self(Arc::new(added))
    }

    /// A live feed of the calls from now on. A subscriber that is more than 1024 calls behind misses the oldest ones, and is
    /// told how many; calls never wait for it.
    ///
    /// ```
    /// use breakfall::{CorrelationId, Timestamp};
    /// use breakfall_gateway::record::{CallEvent, Recorder};
    ///
    /// let recorder = Recorder::off();
    /// let mut calls = recorder.subscribe();
    /// let id = CorrelationId::new("c-1").expect("an id");
    /// recorder.record(CallEvent::new(id, Timestamp::now(), "shop".into(), "buy"), "{}", None);
    /// assert_eq!(&*calls.try_recv().expect("it was recorded").tool, "buy");
    /// ```
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<CallEvent>> {
        self.0.live.subscribe()
    }

    /// Stores the evidence of a failed request other than a call, under the id its caller was told. It is not counted, and has
    /// no audit entry.
    ///
    /// ```
    /// use breakfall::{CorrelationId, Fault, Timestamp};
    /// use breakfall_gateway::record::{Evidence, Recorder};
    ///
    /// let id = CorrelationId::new("c-1").expect("an id");
    /// let fault = Fault::unavailable("shop").correlation_id(id).at(Timestamp::now());
    /// Recorder::off().keep(&"shop".into(), "initialize", Evidence::new(fault));
    /// ```
    pub fn keep(&self, upstream: &Arc<str>, operation: &str, evidence: Evidence) {
        let public = evidence.fault.public();
        let Some(stored) = &self.0.stored else {
            return;
        };
        let (Some(id), Some(at)) = (public.correlation_id(), public.timestamp()) else {
            return;
        };
        let operation = OPERATOR_REDACTOR.text(operation);
        let mut event = CallEvent::new(id.clone(), at, Arc::clone(upstream), &operation);
        event.outcome = CallOutcome::of(&evidence.fault);
        event.is_call = false;
        stored.put_report(Arc::new(event), evidence);
    }

    /// Counts a server that was restarted because it was stuck.
    ///
    /// ```
    /// use breakfall_gateway::record::Recorder;
    ///
    /// let recorder = Recorder::off();
    /// recorder.count_stuck(&"shop".into());
    /// assert_eq!(recorder.counts().stuck, [("shop".into(), 1)]);
    /// ```
    pub fn count_stuck(&self, upstream: &Arc<str>) {
        self.0.counters.add_stuck(upstream);
    }

    /// Counts a call that a limit has refused.
    ///
    /// ```
    /// use breakfall_gateway::record::{LimitKind, Recorder};
    ///
    /// let recorder = Recorder::off();
    /// recorder.count_limited(&"shop".into(), LimitKind::Rate);
    /// assert_eq!(recorder.counts().limited, [("shop".into(), LimitKind::Rate, 1)]);
    /// ```
    pub fn count_limited(&self, upstream: &Arc<str>, kind: LimitKind) {
        self.0.counters.add_limited(upstream, kind);
    }

    /// Waits until everything recorded so far is stored, or lost.
    pub async fn flush(&self) {
        if let Some(stored) = &self.0.stored {
            stored.flush().await;
        }
    }

    /// Stores nothing more: waits up to two seconds for the records so far, and counts those that are not stored as lost. Blocks
    /// the thread.
    pub fn finish(&self) {
        if let Some(stored) = &self.0.stored {
            stored.finish();
        }
    }

    /// The counters so far.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.0.counters.copy_to(&mut counts);
        if let Some(stored) = &self.0.stored {
            stored.copy_to(&mut counts);
        }
        counts
    }

    /// Logs the sums of all calls, if there were any.
    pub fn sum_up(&self) {
        log::sum_up(&self.counts());
    }

    /// The store, if there is one.
    pub fn store(&self) -> Option<&Arc<dyn Store>> {
        self.0.stored.as_ref().map(|stored| stored.store())
    }
}

/// The tracing span of a call, at debug level.
///
/// ```
/// use breakfall::CorrelationId;
/// use breakfall_gateway::record;
///
/// let id = CorrelationId::new("c-1").expect("an id");
/// let _entered = record::span(&id, "shop", "get_order", None).entered();
/// ```
pub fn span(id: &CorrelationId, upstream: &str, tool: &str, trace: Option<Trace>) -> tracing::Span {
    let trace_id = trace.map(|trace| tracing::field::display(trace.trace_id()));
    tracing::debug_span!(
        "call",
        id = id.as_str(),
        upstream,
        operation = tool,
        trace_id
    )
}

/// Stores nothing.
impl Default for Recorder {
    fn default() -> Self {
        Self::off()
    }
}
