//! What becomes of a call when it is over: one event, from one place.
//!
//! ```text
//!  Event ─► log line        at once; failures as warnings, the rest for who wants to see it
//!        ─► counters        at once; by server, code and origin
//!        ─► queue ─► keeper a thread: audit entry and private report ─► Store, many at a time
//! ```
//!
//! A call never waits for its record and never fails because of it. What cannot be kept waits a while in memory, then it is
//! lost, and [`Counts`] and the log say so.

mod counts;
mod entry;
mod event;
mod keeper;
mod log;
mod metrics;
mod queue;
mod report;
mod trace;

use std::sync::Arc;

use breakfall::CorrelationId;
pub use counts::{Count, Counts};
pub use event::{End, Event, Evidence};
pub use metrics::metrics;
pub use report::Report;
pub use trace::{NoTrace, Trace, TraceId};

use crate::config::{AuditTrail, Config, Environment, Retention};
use crate::store::{self, Store};
use counts::Counters;
use entry::Input;
use keeper::Keeper;
use queue::Item;

/// Records calls. Clones are the same; when the last one is dropped, what waits is kept, if that does not take long.
///
/// ```
/// use std::sync::Arc;
///
/// use breakfall::{CorrelationId, Fault, Timestamp};
/// use breakfall_gateway::config::{AuditTrail, Retention};
/// use breakfall_gateway::record::{End, Event, Evidence, Recorder, Report};
/// use breakfall_gateway::store::{Memory, Store};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let store = Arc::new(Memory::default());
/// let recorder = Recorder::new(store.clone(), AuditTrail::On, Retention::default());
/// let id = CorrelationId::new("c-1").expect("an id");
/// let mut event = Event::new(id, Timestamp::now(), "shop".into(), "get_order");
/// let fault = Fault::not_found("order", "ord-7").caused_by("no row in /srv/shop.db");
/// event.end = End::of(&fault);
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
    counters: Counters,
    keeping: Option<Keeping>,
}

/// What is kept, and where.
#[derive(Debug)]
struct Keeping {
    store: Arc<dyn Store>,
    is_audited: bool,
    keeper: Keeper,
}

impl Recorder {
    /// Keeps reports, and an audit trail if that is wanted, in a store.
    pub fn new(store: Arc<dyn Store>, audit: AuditTrail, keep: Retention) -> Self {
        let keeper = Keeper::start(Arc::clone(&store), keep);
        let keeping = keeper.map(|keeper| Keeping {
            store,
            is_audited: audit == AuditTrail::On,
            keeper,
        });
        let keeping = keeping.inspect_err(|error| {
            tracing::error!("calls are not recorded: {error}");
        });
        Self(Arc::new(Inner {
            counters: Counters::default(),
            keeping: keeping.ok(),
        }))
    }

    /// Keeps what a configuration says. A store that cannot be had is told in the log, and memory takes its place.
    pub fn open(config: &Config, around: &dyn Environment) -> Self {
        let opened = store::open(&config.store, around);
        if let Some(instead) = &opened.instead {
            tracing::warn!("{instead}: {}", instead.fix());
        }
        Self::new(opened.store, config.audit, config.retention)
    }

    /// Keeps nothing: calls are logged and counted only.
    ///
    /// ```
    /// use breakfall_gateway::record::Recorder;
    ///
    /// assert!(Recorder::off().store().is_none());
    /// ```
    pub fn off() -> Self {
        Self(Arc::new(Inner {
            counters: Counters::default(),
            keeping: None,
        }))
    }

    /// Records a call. The arguments are hashed for the audit trail, if there is one, and kept nowhere; whoever knows
    /// of a failure hands over the evidence.
    pub fn record(&self, mut event: Event, arguments: &str, evidence: Option<Evidence>) {
        // Callers ask by what they were told, which may be an id of the server's.
        let told = evidence.as_ref().and_then(Evidence::id);
        if let Some(id) = told.filter(|id| **id != event.id) {
            event.id = id.clone();
        }
        let Inner { counters, keeping } = &*self.0;
        let said = log::say(&event, evidence.as_ref(), keeping.is_some());
        counters.add(&event);
        let Some(keeping) = keeping else { return };
        if !keeping.is_audited && evidence.is_none() {
            return;
        }
        keeping.keeper.put(Item {
            input: keeping.is_audited.then(|| Input::of(arguments)),
            event,
            evidence,
            said,
        });
    }

    /// Keeps what is known about a request that failed and was no call of a tool, under the id its caller was told. It is
    /// not counted, and has no entry in the audit trail.
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
        let Some(keeping) = &self.0.keeping else {
            return;
        };
        let (Some(id), Some(at)) = (public.correlation_id(), public.timestamp()) else {
            return;
        };
        let operation = log::OPERATOR.text(operation);
        let mut event = Event::new(id.clone(), at, Arc::clone(upstream), &operation);
        event.end = End::of(&evidence.fault);
        event.is_call = false;
        keeping.keeper.put(Item {
            input: None,
            event,
            evidence: Some(evidence),
            said: None,
        });
    }

    /// Waits until what was recorded so far is kept, or cannot be.
    pub async fn flush(&self) {
        if let Some(keeping) = &self.0.keeping {
            keeping.keeper.flush().await;
        }
    }

    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        let calls = self.0.counters.snapshot();
        match &self.0.keeping {
            Some(keeping) => keeping.keeper.counts(calls),
            None => Counts {
                calls,
                ..Counts::default()
            },
        }
    }

    /// Says in the log what all calls came to, if there were any: the last line of a gateway nobody asks for its counts.
    pub fn sum_up(&self) {
        log::sum_up(&self.counts());
    }

    /// Where things are kept, if anywhere.
    pub fn store(&self) -> Option<&Arc<dyn Store>> {
        self.0.keeping.as_ref().map(|keeping| &keeping.store)
    }
}

/// The span of a call: whatever is logged inside it belongs to the call. It is there for those who log in detail.
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

/// Keeps nothing.
impl Default for Recorder {
    fn default() -> Self {
        Self::off()
    }
}
