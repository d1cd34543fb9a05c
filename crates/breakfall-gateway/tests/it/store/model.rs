//! Whatever is done to a store, in whichever order: it keeps what a simple model says it keeps.

use std::sync::Arc;
use std::time::Duration;

use breakfall_gateway::config::{Retention, RetentionLimit};
use breakfall_gateway::store::{Batch, Document, Memory, Purged, Sqlite, Store};
use proptest::prelude::*;

use super::{document, moment, wait, whole};

#[derive(Debug, Clone)]
enum Step {
    Append {
        entries: Vec<(u8, u16)>,
        reports: Vec<(u8, u16)>,
    },
    Find(u8),
    Recent(usize),
    Trail(u64, usize),
    Purge {
        audit: (u64, u16),
        reports: (u64, u16),
        now: u16,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec((0..4_u8, 0..1000_u16), 0..5);
    let keep = || (0..6_u64, 0..1000_u16);
    prop_oneof![
        4 => (some(), some()).prop_map(|(entries, reports)| Step::Append { entries, reports }),
        1 => (0..5_u8).prop_map(Step::Find),
        1 => (0..5_usize).prop_map(Step::Recent),
        1 => (0..10_u64, 0..5_usize).prop_map(|(after, most)| Step::Trail(after, most)),
        1 => (keep(), keep(), 0..1000_u16)
            .prop_map(|(audit, reports, now)| Step::Purge { audit, reports, now }),
    ]
}

/// What a store should have.
#[derive(Default)]
struct Model {
    entries: Vec<Document>,
    /// How many entries there were.
    count: u64,
    reports: Vec<Document>,
}

impl Model {
    fn append(&mut self, batch: &Batch) {
        self.count += batch.entries.len() as u64;
        self.entries.extend(batch.entries.iter().cloned());
        self.reports.extend(batch.reports.iter().cloned());
    }

    fn purge(&mut self, keep: Retention, now: u16) -> Purged {
        let since =
            |keep: RetentionLimit| i64::from(now) - i64::try_from(keep.age.as_millis()).unwrap();
        let is_old = |kept: &Document, keep| kept.at.as_millisecond() < since(keep);
        let surplus = |count: usize, keep: RetentionLimit| {
            count.saturating_sub(usize::try_from(keep.count).unwrap())
        };
        let old = self
            .entries
            .iter()
            .take_while(|entry| is_old(entry, keep.audit))
            .count();
        let gone = old.max(surplus(self.entries.len(), keep.audit));
        self.entries.drain(..gone);
        let before = self.reports.len();
        self.reports.retain(|report| !is_old(report, keep.reports));
        self.reports
            .drain(..surplus(self.reports.len(), keep.reports));
        Purged {
            entries: gone as u64,
            reports: (before - self.reports.len()) as u64,
        }
    }
}

/// Entries and reports that can be told apart.
fn batch(turn: usize, entries: Vec<(u8, u16)>, reports: Vec<(u8, u16)>) -> Batch {
    let made = |(n, (id, at)): (usize, (u8, u16))| {
        document(&format!("c-{id}"), at.into(), &format!("{turn}.{n}"))
    };
    Batch {
        entries: entries.into_iter().enumerate().map(made).collect(),
        reports: reports.into_iter().enumerate().map(made).collect(),
    }
}

/// Does the steps to both, at each of several handles on the same store in turn.
async fn agree(stores: &[&dyn Store], steps: Vec<Step>) {
    let mut model = Model::default();
    for (turn, step) in steps.into_iter().enumerate() {
        let store = stores[turn % stores.len()];
        match step {
            Step::Append { entries, reports } => {
                let batch = batch(turn, entries, reports);
                model.append(&batch);
                store.append(Arc::new(batch)).await.expect("it is kept");
            }
            Step::Find(id) => {
                let id = format!("c-{id}");
                let latest = model
                    .reports
                    .iter()
                    .rev()
                    .filter(|report| *report.id == *id);
                let expected: Vec<Document> = latest.take(16).cloned().collect();
                assert_eq!(store.find(&id).await, Ok(expected));
                let latest = model.entries.iter().rev().filter(|entry| *entry.id == *id);
                let expected: Vec<&str> = latest.take(16).map(|entry| &*entry.text).collect();
                let found = store.audited(&id).await.expect("it can be read");
                let found: Vec<&str> = found.iter().map(|link| &*link.entry).collect();
                assert_eq!(found, expected);
            }
            Step::Recent(most) => {
                let latest = model.reports.iter().rev().take(most).cloned();
                assert_eq!(store.recent(most).await, Ok(latest.collect()));
                let until = moment(i64::try_from(most * 200).expect("it is small"));
                let reports = model.reports.iter().map(|report| report.at);
                let report = reports.filter(|at| *at <= until).max();
                let mut entries = model.entries.iter().rev().map(|entry| entry.at);
                let expected = report.max(entries.find(|at| *at <= until));
                assert_eq!(store.newest(until).await, Ok(expected));
            }
            Step::Trail(after, most) => {
                let part = store.trail(after, most).await.expect("it can be read");
                let all = whole(store).await.links;
                let expected = all.into_iter().filter(|link| link.seq > after);
                assert_eq!(part.links, expected.take(most).collect::<Vec<_>>());
            }
            Step::Purge {
                audit,
                reports,
                now,
            } => {
                let keep = |(count, age): (u64, u16)| {
                    RetentionLimit::new(count, Duration::from_millis(age.into()))
                };
                let mut retention = Retention::default();
                retention.audit = keep(audit);
                retention.reports = keep(reports);
                let expected = model.purge(retention, now);
                let purged = store.purge(retention, moment(now.into())).await;
                assert_eq!(purged, Ok(expected));
            }
        }
        assert_same_trail(store, &model).await;
    }
}

async fn assert_same_trail(store: &dyn Store, model: &Model) {
    let trail = whole(store).await;
    let kept = trail.links.iter().map(|link| (&*link.entry, link.at));
    let expected = model.entries.iter().map(|entry| (&*entry.text, entry.at));
    assert!(
        kept.eq(expected),
        "the trail has what was appended, in its order"
    );
    assert_eq!(trail.head.seq, model.count, "numbers are not used again");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn memory_keeps_what_the_model_keeps(steps in proptest::collection::vec(step(), 0..24)) {
        wait(agree(&[&Memory::default()], steps));
    }

    #[test]
    fn a_file_keeps_what_the_model_keeps_with_several_writers(steps in proptest::collection::vec(step(), 0..24)) {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("store.db");
        let open = || Sqlite::open(&file).expect("it opens");
        let (one, other) = (open(), open());
        wait(agree(&[&one, &other], steps));
    }
}
