//! Stores: the same promises for each of them.

mod files;
mod changed_files;
mod counters;
mod damaged_files;
mod processes;
mod model;
mod tokens;

use std::sync::Arc;

use breakfall_gateway::config::Retention;
use breakfall_gateway::resilience::quota::Amount;
use breakfall_gateway::store::{
    Batch, ChainAnchor, ChainError, ChainLink, CounterAddition, CounterStore, Document, Memory,
    Purged, Store, StoreError, StoreFuture, StoredCounter, Trail, TrailError, check, verify,
};
use jiff::Timestamp;

/// So many milliseconds after the beginning of time.
fn moment(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).expect("a moment")
}

fn document(id: &str, millis: i64, text: &str) -> Document {
    Document {
        id: id.into(),
        at: moment(millis),
        text: text.to_owned(),
    }
}

/// A batch of entries, and no reports.
fn entries(range: std::ops::Range<u32>) -> Arc<Batch> {
    let entry = |n: u32| document(&format!("id-{n}"), i64::from(n), &format!("{{\"n\":{n}}}"));
    Arc::new(Batch {
        entries: range.map(entry).collect(),
        reports: Vec::new(),
    })
}

/// The whole trail, checked from its start to its end.
async fn whole(store: &dyn Store) -> Trail {
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    let end = verify(trail.start, &trail.links).expect("the chain is whole");
    assert_eq!(end, trail.head, "nothing is missing at the end");
    trail
}

/// Waits until a store that was dropped is closed: its thread may still be at it.
async fn settled(file: &std::path::Path) {
    let log = file.with_extension("db-wal");
    while log.exists() {
        tokio::task::yield_now().await;
    }
}

/// Waits for a future on a runtime of its own.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(future)
}

#[test]
fn what_does_not_fit_is_refused_whole_and_fits_when_there_is_room() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    wait(async {
        let store = breakfall_gateway::store::Sqlite::open(&file).expect("it is made");
        store.append(entries(0..10)).await.expect("it fits");
        let store = store.capped(192 << 10).await.expect("it can be capped");
        let long = "x".repeat(40_000);
        let report = |n: u32| document(&format!("r-{n}"), 1, &long);
        let batch = |n: u32| {
            Arc::new(Batch {
                entries: entries(n..n + 1).entries.clone(),
                reports: vec![report(n)],
            })
        };
        let mut kept = 0;
        let refused = loop {
            match store.append(batch(100 + kept)).await {
                Ok(()) => kept += 1,
                Err(failure) => break failure,
            }
            assert!(kept < 100, "it has to be full some time");
        };
        assert_eq!(refused, StoreError::Full);
        assert!(kept > 0, "something fits");
        // Neither its report nor its entry is there, and the chain goes on from the last that is.
        assert_eq!(store.find(&format!("r-{}", 100 + kept)).await, Ok(vec![]));
        assert_eq!(whole(&store).await.head.seq, u64::from(10 + kept));
        store
            .capped(8 << 20)
            .await
            .expect("more room")
            .append(batch(900))
            .await
            .expect("it fits now");
    });
    let store = breakfall_gateway::store::Sqlite::existing(&file).expect("it is there");
    wait(async { assert_eq!(store.find("r-900").await.expect("it can be read").len(), 1) });
}

#[test]
fn a_change_anywhere_in_the_chain_is_noticed() {
    let store = Memory::default();
    wait(async {
        store.append(entries(0..20)).await.expect("it is kept");
        let trail = whole(&store).await;
        for at in 0..trail.links.len() {
            let mut changed = trail.links.clone();
            changed[at].entry.push(' ');
            assert!(
                verify(trail.start, &changed).is_err(),
                "an entry was changed"
            );
            let mut shorter = trail.links.clone();
            shorter.remove(at);
            let end = verify(trail.start, &shorter);
            assert_ne!(end, Ok(trail.head), "an entry was removed");
            if at > 0 {
                let mut swapped = trail.links.clone();
                swapped.swap(at - 1, at);
                assert!(
                    verify(trail.start, &swapped).is_err(),
                    "entries were swapped"
                );
            }
        }
        let from_nothing = verify(ChainAnchor::default(), &trail.links[1..]);
        assert!(from_nothing.is_err(), "the first entry has to be there");
    });
}

#[test]
fn a_long_trail_is_checked_to_its_end() {
    let store = Forger::default();
    wait(async {
        store
            .inside
            .append(entries(0..2500))
            .await
            .expect("it is kept");
        let trail = whole(&store).await;
        assert_eq!(check(&store).await, Ok(trail.head));
        let mut keep = Retention::default();
        keep.audit.count = 1200;
        store.purge(keep, moment(0)).await.expect("old ones go");
        assert_eq!(
            check(&store).await,
            Ok(trail.head),
            "from where it starts today"
        );
    });
}

#[test]
fn an_end_that_was_cut_off_is_noticed() {
    let store = Forger {
        hides_after: Some(1700),
        ..Forger::default()
    };
    wait(async {
        store
            .inside
            .append(entries(0..2500))
            .await
            .expect("it is kept");
        let broken = TrailError::Broken(ChainError::Missing(1701));
        assert_eq!(check(&store).await, Err(broken));
    });
}

/// Removes the end of a trail.
#[derive(Debug, Default)]
struct Forger {
    inside: Memory,
    hides_after: Option<u64>,
}

impl CounterStore for Forger {
    fn add_usage(&self, additions: Vec<CounterAddition>) -> StoreFuture<Vec<Amount>> {
        self.inside.add_usage(additions)
    }

    fn usage(&self, scope: &str, now: Timestamp) -> StoreFuture<Vec<StoredCounter>> {
        self.inside.usage(scope, now)
    }
}

impl Store for Forger {
    fn append(&self, batch: Arc<Batch>) -> StoreFuture<()> {
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
        let trail = self.inside.trail(after, most);
        let last = self.hides_after.unwrap_or(u64::MAX);
        Box::pin(async move {
            let mut trail = trail.await?;
            trail.links.retain(|link| link.seq <= last);
            Ok(trail)
        })
    }

    fn newest(&self, until: Timestamp) -> StoreFuture<Option<Timestamp>> {
        self.inside.newest(until)
    }

    fn purge(&self, keep: Retention, now: Timestamp) -> StoreFuture<Purged> {
        self.inside.purge(keep, now)
    }
}

#[test]
fn ids_are_found_by_their_beginning() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = breakfall_gateway::store::Sqlite::open(directory.path().join("store.db"));
    let file = file.expect("it is made");
    let memory = Memory::default();
    let stores: [&dyn Store; 2] = [&memory, &file];
    for store in stores {
        let batch = Batch {
            entries: ["a-1", "a-2", "b%"]
                .map(|id| document(id, 1, "{}"))
                .to_vec(),
            reports: ["a-1", "a_3", "B%"]
                .map(|id| document(id, 1, "{}"))
                .to_vec(),
        };
        wait(store.append(Arc::new(batch))).expect("it is kept");
        let ids = |prefix: &str, most| {
            let ids = wait(store.ids(prefix, most)).expect("it can be read");
            ids.join(" ")
        };
        assert_eq!(ids("a-", 10), "a-1 a-2");
        assert_eq!(ids("a", 2), "a-1 a-2");
        assert_eq!(ids("", 10), "B% a-1 a-2 a_3 b%");
        assert_eq!(ids("b%", 10), "b%");
        assert_eq!(ids("%", 10), "");
    }
}
