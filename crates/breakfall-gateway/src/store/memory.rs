//! State in the memory of this process.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::ready;
use std::sync::Arc;

use breakfall::confirm::{ClockSkew, TokenBook, TokenHash, TokenRecord, TokenRefusal};
use jiff::Timestamp;

use super::counters::KEPT_AFTER_END;
use super::tokens::{in_millis, whole_millis};
use super::{
    Batch, ChainAnchor, ChainLink, CounterAddition, CounterStore, Document, MAX_FOUND,
    PresentedToken, Purged, Store, StoreError, StoreFuture, StoredCounter, TokenStore, Trail,
};
use crate::config::{Retention, RetentionLimit};
use crate::resilience::quota::{Amount, CalendarWindow, CounterKey};
use breakfall_mcp::sync::Mutex;

/// A store in the memory of this process.
///
/// ```
/// use std::sync::Arc;
///
/// use breakfall_gateway::store::{Batch, Document, Memory, Store};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let store = Memory::default();
/// let report = Document { id: "c-1".into(), at: jiff::Timestamp::UNIX_EPOCH, text: "{}".to_owned() };
/// store.append(Arc::new(Batch { reports: vec![report.clone()], ..Batch::default() })).await.expect("there is room");
/// assert_eq!(store.find("c-1").await, Ok(vec![report]));
/// # });
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    records: Mutex<MemoryState>,
    tokens: Mutex<TokenBook>,
}

#[derive(Debug, Default)]
struct MemoryState {
    start: ChainAnchor,
    head: ChainAnchor,
    links: VecDeque<(Box<str>, ChainLink)>,
    reports: VecDeque<Document>,
    usage: BTreeMap<(CounterKey, CalendarWindow), Amount>,
}

impl CounterStore for Memory {
    fn add_usage(&self, additions: Vec<CounterAddition>) -> StoreFuture<Vec<Amount>> {
        let mut kept = self.records.lock();
        let added = additions.into_iter().map(
            |CounterAddition {
                 key,
                 window,
                 amount,
             }| {
                if amount == Amount(0) {
                    return kept.usage.get(&(key, window)).copied().unwrap_or_default();
                }
                let used = kept.usage.entry((key, window)).or_default();
                *used = used.plus(amount);
                *used
            },
        );
        Box::pin(ready(Ok(added.collect())))
    }

    fn usage(&self, scope: &str, now: Timestamp) -> StoreFuture<Vec<StoredCounter>> {
        let kept = self.records.lock();
        let found = kept.usage.iter();
        let found = found.filter(|((key, window), _)| *key.scope == *scope && window.contains(now));
        let found = found.map(|((key, window), used)| StoredCounter {
            key: key.clone(),
            window: *window,
            used: *used,
        });
        Box::pin(ready(Ok(found.collect())))
    }
}

impl Store for Memory {
    fn append(&self, batch: Arc<Batch>) -> StoreFuture<()> {
        let mut kept = self.records.lock();
        for entry in &batch.entries {
            let head = kept.head.then(&entry.text);
            let link = ChainLink {
                seq: head.seq,
                at: whole_millis(entry.at),
                entry: entry.text.clone(),
                hash: head.hash,
            };
            kept.links.push_back((entry.id.clone(), link));
            kept.head = head;
        }
        let reports = batch.reports.iter().cloned();
        kept.reports.extend(reports.map(|report| Document {
            at: whole_millis(report.at),
            ..report
        }));
        Box::pin(ready(Ok(())))
    }

    fn find(&self, id: &str) -> StoreFuture<Vec<Document>> {
        let kept = self.records.lock();
        let found = kept.reports.iter().rev().filter(|report| *report.id == *id);
        Box::pin(ready(Ok(found.take(MAX_FOUND).cloned().collect())))
    }

    fn ids(&self, prefix: &str, most: usize) -> StoreFuture<Vec<Box<str>>> {
        let kept = self.records.lock();
        let reports = kept.reports.iter().map(|report| &report.id);
        let entries = kept.links.iter().map(|(id, _)| id);
        let found = reports.chain(entries).filter(|id| id.starts_with(prefix));
        let found: BTreeSet<Box<str>> = found.cloned().collect();
        Box::pin(ready(Ok(found.into_iter().take(most).collect())))
    }

    fn recent(&self, most: usize) -> StoreFuture<Vec<Document>> {
        let kept = self.records.lock();
        let latest = kept.reports.iter().rev().take(most);
        Box::pin(ready(Ok(latest.cloned().collect())))
    }

    fn audited(&self, id: &str) -> StoreFuture<Vec<ChainLink>> {
        let kept = self.records.lock();
        let found = kept.links.iter().rev().filter(|(other, _)| **other == *id);
        let found = found.take(MAX_FOUND).map(|(_, link)| link.clone());
        Box::pin(ready(Ok(found.collect())))
    }

    fn trail(&self, after: u64, most: usize) -> StoreFuture<Trail> {
        let kept = self.records.lock();
        let links = kept.links.iter().map(|(_, link)| link);
        let links = links.skip_while(|link| link.seq <= after);
        Box::pin(ready(Ok(Trail {
            start: kept.start,
            links: links.take(most).cloned().collect(),
            head: kept.head,
        })))
    }

    fn newest(&self, until: Timestamp) -> StoreFuture<Option<Timestamp>> {
        let kept = self.records.lock();
        let report = kept.reports.iter().map(|report| report.at);
        let report = report.filter(|at| *at <= until).max();
        let mut entries = kept.links.iter().rev().map(|(_, link)| link.at);
        let entry = entries.find(|at| *at <= until);
        Box::pin(ready(Ok(report.max(entry))))
    }

    fn purge(&self, keep: Retention, now: Timestamp) -> StoreFuture<Purged> {
        let mut kept = self.records.lock();
        let last = now.checked_sub(KEPT_AFTER_END).unwrap_or(Timestamp::MIN);
        kept.usage.retain(|(_, window), _| window.end >= last);
        let since = oldest(keep.audit, now);
        // A chain is purged from its start: up to the first recent entry, or until few enough entries are left.
        let old = kept.links.iter().take_while(|(_, link)| link.at < since);
        let gone = old.count().max(surplus(kept.links.len(), keep.audit));
        let last = kept.links.drain(..gone).next_back();
        if let Some((_, last)) = last {
            kept.start = last.anchor();
        }
        let since = oldest(keep.reports, now);
        let before = kept.reports.len();
        kept.reports.retain(|report| report.at >= since);
        let surplus = surplus(kept.reports.len(), keep.reports);
        kept.reports.drain(..surplus);
        self.tokens.lock().purge(now);
        Box::pin(ready(Ok(Purged {
            entries: gone as u64,
            reports: (before - kept.reports.len()) as u64,
        })))
    }
}

impl TokenStore for Memory {
    fn issue_token(&self, token: TokenHash, record: TokenRecord) -> StoreFuture<()> {
        let issued = self.tokens.lock().issue(token, in_millis(record));
        Box::pin(ready(issued.map_err(|_| StoreError::Full)))
    }

    fn load_token(&self, token: TokenHash) -> StoreFuture<Option<TokenRecord>> {
        let record = self.tokens.lock().load(&token).cloned();
        Box::pin(ready(Ok(record)))
    }

    fn consume_token(&self, presented: PresentedToken) -> StoreFuture<Result<(), TokenRefusal>> {
        let PresentedToken {
            token,
            purpose,
            call,
            now,
            skew,
        } = presented;
        let now = whole_millis(now);
        let checked = self
            .tokens
            .lock()
            .consume(&token, purpose, &call, now, skew);
        Box::pin(ready(Ok(checked)))
    }

    fn revoke_token(&self, token: TokenHash, now: Timestamp) -> StoreFuture<bool> {
        let revoked = self.tokens.lock().revoke(&token, whole_millis(now));
        Box::pin(ready(Ok(revoked)))
    }

    fn purge_tokens(&self, now: Timestamp) -> StoreFuture<u64> {
        let purged = self.tokens.lock().purge(now);
        Box::pin(ready(Ok(purged)))
    }

    fn live_tokens(&self, now: Timestamp, skew: ClockSkew) -> StoreFuture<u64> {
        let live = self.tokens.lock().live(now, skew);
        Box::pin(ready(Ok(live)))
    }
}

/// The number of items above the limit.
fn surplus(count: usize, keep: RetentionLimit) -> usize {
    count.saturating_sub(usize::try_from(keep.count).unwrap_or(usize::MAX))
}

/// The time before which items are too old.
pub(super) fn oldest(keep: RetentionLimit, now: Timestamp) -> Timestamp {
    now.checked_sub(keep.age).unwrap_or(Timestamp::MIN)
}
