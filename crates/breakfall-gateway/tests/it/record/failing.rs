//! A store that rejects records: calls go on, and lost records are counted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use breakfall::{Fault, Timestamp};
use breakfall_gateway::config::{AuditTrail, Retention};
use breakfall_gateway::record::{CallOutcome, Evidence, Recorder};
use breakfall_gateway::resilience::quota::Amount;
use breakfall_gateway::store::{
    Batch, ChainLink, CounterAddition, CounterStore, Document, Memory, Purged, Sqlite, Store,
    StoreError, StoreFuture, StoredCounter, Trail,
};

use super::{event, for_ever};

/// A store that a test can make full.
#[derive(Debug, Default)]
struct Fickle {
    is_full: AtomicBool,
    inside: Memory,
}

impl CounterStore for Fickle {
    fn add_usage(&self, additions: Vec<CounterAddition>) -> StoreFuture<Vec<Amount>> {
        self.inside.add_usage(additions)
    }

    fn usage(&self, scope: &str, now: Timestamp) -> StoreFuture<Vec<StoredCounter>> {
        self.inside.usage(scope, now)
    }
}

impl Store for Fickle {
    fn append(&self, batch: Arc<Batch>) -> StoreFuture<()> {
        if self.is_full.load(Ordering::Relaxed) {
            return Box::pin(std::future::ready(Err(StoreError::Full)));
        }
        self.inside.append(batch)
    }

    fn find(&self, id: &str) -> StoreFuture<Vec<Document>> {
        self.inside.find(id)
    }

    fn ids(&self, prefix: &str, most: usize) -> StoreFuture<Vec<Box<str>>> {
        self.inside.ids(prefix, most)
    }

    fn recent(&self, most: usize) -> StoreFuture<Vec<Document>> {
        self.inside.recent(most)
    }

    fn audited(&self, id: &str) -> StoreFuture<Vec<ChainLink>> {
        self.inside.audited(id)
    }

    fn trail(&self, after: u64, most: usize) -> StoreFuture<Trail> {
        self.inside.trail(after, most)
    }

    fn newest(&self, until: Timestamp) -> StoreFuture<Option<Timestamp>> {
        self.inside.newest(until)
    }

    fn purge(&self, keep: Retention, now: Timestamp) -> StoreFuture<Purged> {
        self.inside.purge(keep, now)
    }
}

fn calls(recorder: &Recorder, count: usize) {
    for _ in 0..count {
        recorder.record(event("c-1"), "{}", None);
    }
}

#[tokio::test]
async fn records_that_a_full_store_refuses_wait_and_are_stored_later() {
    let store = Arc::new(Fickle::default());
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    calls(&recorder, 10);
    recorder.flush().await;
    store.is_full.store(true, Ordering::Relaxed);
    calls(&recorder, 7);
    recorder.flush().await;
    let counts = recorder.counts();
    assert_eq!(counts.failing, Some(StoreError::Full));
    assert_eq!((counts.waiting, counts.lost_entries), (7, 0));
    store.is_full.store(false, Ordering::Relaxed);
    recorder.flush().await;
    let counts = recorder.counts();
    assert_eq!(counts.failing, None);
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    assert_eq!((trail.links.len(), counts.lost_entries), (17, 0));
}

#[tokio::test]
async fn records_beyond_the_bound_of_the_queue_are_lost_and_counted() {
    let store = Arc::new(Fickle::default());
    store.is_full.store(true, Ordering::Relaxed);
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    calls(&recorder, 40_000);
    recorder.flush().await;
    let counts = recorder.counts();
    assert!(
        counts.lost_entries > 0 && counts.lost_reports == 0,
        "{counts:?}"
    );
    assert_eq!(
        counts.lost_entries + counts.waiting,
        40_000,
        "none is forgotten"
    );
    assert_eq!(counts.calls[0].calls, 40_000);
    store.is_full.store(false, Ordering::Relaxed);
    recorder.flush().await;
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    assert_eq!(trail.links.len() as u64, counts.waiting);
}

#[tokio::test]
async fn waiting_evidence_stays_within_its_bound_of_memory() {
    let store = Arc::new(Fickle::default());
    store.is_full.store(true, Ordering::Relaxed);
    let recorder = Recorder::new(store.clone(), AuditTrail::Off, for_ever());
    let original = "x".repeat(60_000);
    for _ in 0..2000 {
        let mut event = event("c-1");
        event.outcome = CallOutcome::of(&Fault::internal());
        let evidence = Evidence::new(Fault::internal()).original(&original);
        recorder.record(event, "{}", Some(evidence));
    }
    recorder.flush().await;
    let counts = recorder.counts();
    assert!(
        counts.waiting * 60_000 < 64 << 20,
        "{} wait",
        counts.waiting
    );
    assert_eq!(counts.lost_reports + counts.waiting, 2000);
}

#[tokio::test]
async fn a_full_disk_does_not_break_calls() {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Sqlite::open(directory.path().join("store.db")).expect("it is made");
    let store = Arc::new(store.capped(256 << 10).await.expect("it can be capped"));
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    for _ in 0..20 {
        calls(&recorder, 100);
        recorder.flush().await;
    }
    let counts = recorder.counts();
    assert_eq!(counts.failing, Some(StoreError::Full));
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    let end = breakfall_gateway::store::verify(trail.start, &trail.links);
    assert_eq!(end, Ok(trail.head), "the chain is whole");
    assert_eq!(trail.head.seq + counts.waiting + counts.lost_entries, 2000);
    assert!(trail.head.seq > 0 && counts.waiting > 0);
}

#[test]
fn waiting_records_are_stored_at_the_end() {
    let store = Arc::new(Memory::default());
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    let other = recorder.clone();
    calls(&recorder, 5);
    drop(recorder);
    calls(&other, 5);
    drop(other);
    let trail = super::super::store::wait(store.trail(0, usize::MAX)).expect("it can be read");
    assert_eq!(trail.links.len(), 10);
}

#[tokio::test]
async fn calls_from_many_threads_are_all_recorded() {
    let store = Arc::new(Memory::default());
    let recorder = Recorder::new(store.clone(), AuditTrail::On, for_ever());
    let total = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                calls(&recorder, 1000);
                *total.lock().expect("no thread panics") += 1000;
            });
        }
    });
    recorder.flush().await;
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    assert_eq!(
        trail.links.len(),
        total.into_inner().expect("no thread panics")
    );
}

/// A store that never answers.
#[derive(Debug, Default)]
struct Stuck(Memory);

impl CounterStore for Stuck {
    fn add_usage(&self, additions: Vec<CounterAddition>) -> StoreFuture<Vec<Amount>> {
        self.0.add_usage(additions)
    }

    fn usage(&self, scope: &str, now: Timestamp) -> StoreFuture<Vec<StoredCounter>> {
        self.0.usage(scope, now)
    }
}

impl Store for Stuck {
    fn append(&self, _: Arc<Batch>) -> StoreFuture<()> {
        Box::pin(std::future::pending())
    }

    fn find(&self, id: &str) -> StoreFuture<Vec<Document>> {
        self.0.find(id)
    }

    fn ids(&self, prefix: &str, most: usize) -> StoreFuture<Vec<Box<str>>> {
        self.0.ids(prefix, most)
    }

    fn recent(&self, most: usize) -> StoreFuture<Vec<Document>> {
        self.0.recent(most)
    }

    fn audited(&self, id: &str) -> StoreFuture<Vec<ChainLink>> {
        self.0.audited(id)
    }

    fn trail(&self, after: u64, most: usize) -> StoreFuture<Trail> {
        self.0.trail(after, most)
    }

    fn newest(&self, until: Timestamp) -> StoreFuture<Option<Timestamp>> {
        self.0.newest(until)
    }

    fn purge(&self, keep: Retention, now: Timestamp) -> StoreFuture<Purged> {
        self.0.purge(keep, now)
    }
}

#[test]
fn records_that_a_store_has_not_taken_at_the_end_are_counted_as_lost() {
    let recorder = Recorder::new(Arc::new(Stuck::default()), AuditTrail::On, for_ever());
    calls(&recorder, 300);
    assert_eq!(recorder.counts().lost_entries, 0, "they may be stored yet");
    recorder.finish();
    assert_eq!(recorder.counts().lost_entries, 300);
    calls(&recorder, 2);
    assert_eq!(recorder.counts().lost_entries, 302, "it is over");
}

#[tokio::test]
async fn records_that_a_full_store_has_not_taken_at_the_end_are_counted_as_lost() {
    let store = Arc::new(Fickle::default());
    store.is_full.store(true, Ordering::Relaxed);
    let recorder = Recorder::new(store, AuditTrail::On, for_ever());
    calls(&recorder, 300);
    recorder.flush().await;
    assert_eq!(recorder.counts().lost_entries, 0, "they may be stored yet");
    recorder.finish();
    assert_eq!(recorder.counts().lost_entries, 300);
}
