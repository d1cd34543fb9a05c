//! The counters of quotas, with the same promises on each store.

use std::sync::Arc;
use std::thread;

use breakfall_gateway::config::{QuotaPeriod, Retention};
use breakfall_gateway::resilience::quota::{Amount, CalendarWindow, CounterKey};
use breakfall_gateway::store::{
    CounterAddition, CounterStore as _, Memory, Sqlite, Store, StoreError,
};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{document, wait};
use breakfall_gateway::store::Batch;

fn now() -> Timestamp {
    "2026-01-01T10:20:30Z".parse().expect("a time")
}

fn add(principal: &str, period: QuotaPeriod, amount: u64) -> CounterAddition {
    CounterAddition {
        key: CounterKey {
            scope: "shop".into(),
            principal: principal.into(),
            metric: format!("{period:?}").into(),
        },
        window: CalendarWindow::at(period, &TimeZone::UTC, now()),
        amount: Amount(amount),
    }
}

fn added(store: &dyn Store, additions: Vec<CounterAddition>) -> Vec<u64> {
    let values = wait(store.add_usage(additions)).expect("they are kept");
    values.into_iter().map(|value| value.0).collect()
}

fn each_store(check: impl Fn(&dyn Store)) {
    check(&Memory::default());
    let directory = tempfile::tempdir().expect("a directory");
    let file = Sqlite::open(directory.path().join("store.db")).expect("it is made");
    check(&file);
}

#[test]
fn additions_are_summed_up_and_zero_reads() {
    each_store(|store| {
        let minute = |amount| add("", QuotaPeriod::Minute, amount);
        let hour = |amount| add("ann", QuotaPeriod::Hour, amount);
        assert_eq!(added(store, vec![minute(0)]), [0]);
        assert_eq!(added(store, vec![minute(2), hour(5), minute(3)]), [2, 5, 5]);
        assert_eq!(added(store, vec![minute(0), hour(1)]), [5, 6]);
        let found = wait(store.usage("shop", now())).expect("it can be read");
        let found: Vec<_> = found
            .iter()
            .map(|one| (&*one.key.principal, &*one.key.metric, one.used.0))
            .collect();
        assert_eq!(found, [("", "Minute", 5), ("ann", "Hour", 6)]);
        // A minute later only the hour goes on.
        let later = now() + SignedDuration::from_secs(60);
        assert_eq!(wait(store.usage("shop", later)).map(|all| all.len()), Ok(1));
        assert_eq!(
            wait(store.usage("other", now())).map(|all| all.len()),
            Ok(0)
        );
    });
}

#[test]
fn a_counter_that_is_full_stays_full() {
    each_store(|store| {
        let most = i64::MAX.unsigned_abs();
        let day = |amount| add("", QuotaPeriod::Day, amount);
        assert_eq!(added(store, vec![day(most - 1)]), [most - 1]);
        let [full] = added(store, vec![day(7)])[..] else {
            panic!("one was asked for");
        };
        assert!(full >= most);
        assert!(added(store, vec![day(1)])[0] >= full);
    });
}

#[test]
fn counters_of_windows_that_are_over_for_a_day_are_purged() {
    each_store(|store| {
        added(
            store,
            vec![
                add("", QuotaPeriod::Minute, 1),
                add("", QuotaPeriod::Month, 1),
            ],
        );
        let purge = |hours| {
            let at = now() + SignedDuration::from_hours(hours);
            wait(store.purge(Retention::default(), at)).expect("it is purged");
        };
        let count = || {
            wait(store.usage("shop", now()))
                .expect("it can be read")
                .len()
        };
        purge(23);
        assert_eq!(count(), 2, "a clock that is set back finds them");
        purge(25);
        assert_eq!(count(), 1);
    });
}

#[test]
fn two_processes_count_together_and_nothing_is_lost() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("store.db");
    let writers = (0..2).map(|_| {
        let store = Sqlite::open(&path).expect("it opens");
        thread::spawn(move || {
            for _ in 0..200 {
                added(&store, vec![add("", QuotaPeriod::Day, 1)]);
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    for writer in writers {
        writer.join().expect("it ends");
    }
    // And a third finds what they have left.
    let store = Sqlite::open(&path).expect("it opens");
    assert_eq!(added(&store, vec![add("", QuotaPeriod::Day, 0)]), [400]);
}

#[test]
fn a_store_of_the_first_version_is_brought_to_this_one_with_all_it_has() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("store.db");
    let store = Sqlite::open(&path).expect("it is made");
    let batch = Batch {
        entries: vec![document("c-1", 1, "{}")],
        reports: vec![document("c-1", 1, "{}")],
    };
    wait(store.append(Arc::new(batch))).expect("it is kept");
    wait(store.recent(1)).expect("it is written");
    drop(store);
    let file = rusqlite::Connection::open(&path).expect("it opens");
    // As the first version left it.
    file.execute_batch("DROP TABLE usage; DROP TABLE token; PRAGMA user_version = 1;")
        .expect("it is older");
    drop(file);
    for is_existing in [true, false] {
        let store = if is_existing {
            Sqlite::existing(&path)
        } else {
            Sqlite::open(&path)
        };
        let store = store.expect("it is migrated");
        assert_eq!(wait(store.audited("c-1")).map(|all| all.len()), Ok(1));
        assert_eq!(wait(store.find("c-1")).map(|all| all.len()), Ok(1));
        assert_eq!(
            wait(store.add_usage(vec![add("", QuotaPeriod::Day, 0)])),
            Ok(vec![Amount(0)])
        );
    }
    let file = rusqlite::Connection::open(&path).expect("it opens");
    file.execute_batch("PRAGMA user_version = 999;")
        .expect("it is newer");
    drop(file);
    assert_eq!(Sqlite::open(&path).err(), Some(StoreError::Newer));
}
