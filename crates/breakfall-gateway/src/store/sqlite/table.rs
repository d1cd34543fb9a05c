//! The operations, each in one transaction.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use super::failure;
use super::file::LOCK_TIMEOUT;
use super::token_table::{self, moment};
use crate::config::Retention;
use crate::store::memory::oldest;
use crate::store::{
    Batch, ChainAnchor, ChainLink, Document, Hash, MAX_FOUND, Purged, StoreError, Trail,
};

/// Appends a batch. Without room for it, the write-ahead log is emptied into the file first.
pub(super) fn append(connection: &mut Connection, batch: &Batch) -> rusqlite::Result<()> {
    match try_append(connection, batch) {
        Err(error) if failure(&error) == StoreError::Full => {
            empty_log(connection)?;
            try_append(connection, batch)
        }
        done => done,
    }
}

/// Moves all pages from the write-ahead log to the file, as far as other processes do not use it, and gives its space back.
fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::ZERO)?;
    // On failure there is no more room than before.
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(LOCK_TIMEOUT)
}

fn try_append(connection: &mut Connection, batch: &Batch) -> rusqlite::Result<()> {
    // The write lock is taken before the head is read, so that no other process appends in between.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if !batch.entries.is_empty() {
        let mut head = anchor(&transaction, "head")?;
        let sql = "INSERT INTO audit (seq, at, id, entry, hash) VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut insert = transaction.prepare(sql)?;
        for Document { id, at, text } in &batch.entries {
            head = head.then(text);
            let (seq, at) = (number(head.seq), at.as_millisecond());
            insert.execute(params![seq, at, id, text, head.hash.as_bytes()])?;
        }
        drop(insert);
        set_anchor(&transaction, "head", head)?;
    }
    if !batch.reports.is_empty() {
        let mut insert =
            transaction.prepare("INSERT INTO report (at, id, text) VALUES (?1, ?2, ?3)")?;
        for Document { id, at, text } in &batch.reports {
            insert.execute(params![at.as_millisecond(), id, text])?;
        }
    }
    transaction.commit()
}

pub(super) fn find(connection: &Connection, id: &str) -> rusqlite::Result<Vec<Document>> {
    let sql = "SELECT id, at, text FROM report WHERE id = ?1 ORDER BY seq DESC LIMIT ?2";
    let mut query = connection.prepare(sql)?;
    let rows = query.query_map(params![id, limit(MAX_FOUND)], document)?;
    rows.collect()
}

/// The correlation ids with a prefix.
pub(super) fn ids(
    connection: &Connection,
    prefix: &str,
    most: usize,
) -> rusqlite::Result<Vec<Box<str>>> {
    // A range uses the index. No id has the last character of Unicode.
    let sql = "SELECT id FROM report WHERE id >= ?1 AND id < ?2
               UNION SELECT id FROM audit WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3";
    let mut query = connection.prepare(sql)?;
    let end = format!("{prefix}{}", char::MAX);
    let rows = query.query_map(params![prefix, end, limit(most)], |row| {
        row.get::<_, String>(0).map(Into::into)
    })?;
    rows.collect()
}

pub(super) fn recent(connection: &Connection, most: usize) -> rusqlite::Result<Vec<Document>> {
    let sql = "SELECT id, at, text FROM report ORDER BY seq DESC LIMIT ?1";
    let mut query = connection.prepare(sql)?;
    let rows = query.query_map([limit(most)], document)?;
    rows.collect()
}

pub(super) fn audited(connection: &Connection, id: &str) -> rusqlite::Result<Vec<ChainLink>> {
    let sql = "SELECT seq, at, entry, hash FROM audit WHERE id = ?1 ORDER BY seq DESC LIMIT ?2";
    let mut query = connection.prepare(sql)?;
    let rows = query.query_map(params![id, limit(MAX_FOUND)], link)?;
    rows.collect()
}

pub(super) fn trail(
    connection: &mut Connection,
    after: u64,
    most: usize,
) -> rusqlite::Result<Trail> {
    // One transaction reads a consistent state.
    let transaction = connection.transaction()?;
    let start = anchor(&transaction, "start")?;
    let head = anchor(&transaction, "head")?;
    let sql = "SELECT seq, at, entry, hash FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let mut query = transaction.prepare(sql)?;
    let rows = query.query_map([number(after), limit(most)], link)?;
    let links: Vec<ChainLink> = rows.collect::<Result<_, _>>()?;
    Ok(Trail { start, links, head })
}

pub(super) fn newest(
    connection: &mut Connection,
    until: Timestamp,
) -> rusqlite::Result<Option<Timestamp>> {
    let transaction = connection.transaction()?;
    let until = [until.as_millisecond()];
    let sql = "SELECT max(at) FROM report WHERE at <= ?1";
    let report: Option<i64> = transaction.query_row(sql, until, |row| row.get(0))?;
    // Read from the end: there is no index.
    let sql = "SELECT at FROM audit WHERE at <= ?1 ORDER BY seq DESC LIMIT 1";
    let entry = transaction.query_row(sql, until, |row| row.get(0));
    Ok(report.max(entry.optional()?).map(moment))
}

pub(super) fn purge(
    connection: &mut Connection,
    keep: Retention,
    now: Timestamp,
) -> rusqlite::Result<Purged> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let entries = purge_trail(&transaction, keep, now)?;
    let since = oldest(keep.reports, now).as_millisecond();
    let old = transaction.execute("DELETE FROM report WHERE at < ?1", [since])?;
    // Counted in the smallest index: reports are long, and a scan of the table would read all of them.
    let sql = "SELECT count(*) FROM report";
    let count: i64 = transaction.query_row(sql, [], |row| row.get(0))?;
    let surplus = counted(count).saturating_sub(keep.reports.count);
    let sql = "DELETE FROM report WHERE seq IN (SELECT seq FROM report ORDER BY seq LIMIT ?1)";
    let surplus = transaction.execute(sql, [number(surplus)])?;
    token_table::purge(&transaction, now)?;
    transaction.commit()?;
    Ok(Purged {
        entries: entries as u64,
        reports: (old + surplus) as u64,
    })
}

/// Purges the chain from its start: up to the first recent entry, or until few enough entries are left.
fn purge_trail(
    transaction: &Transaction<'_>,
    keep: Retention,
    now: Timestamp,
) -> rusqlite::Result<usize> {
    let head = anchor(transaction, "head")?;
    let since = oldest(keep.audit, now).as_millisecond();
    let sql = "SELECT seq FROM audit WHERE at >= ?1 ORDER BY seq LIMIT 1";
    let young = transaction.query_row(sql, [since], |row| row.get::<_, i64>(0));
    let young = young.optional()?;
    let old = young.map_or(number(head.seq), |seq| seq - 1);
    let surplus = number(head.seq.saturating_sub(keep.audit.count));
    let last = old.max(surplus);
    let sql = "SELECT hash FROM audit WHERE seq = ?1";
    let hash = transaction.query_row(sql, [last], |row| row.get(0));
    let Some(hash) = hash.optional()? else {
        return Ok(0);
    };
    let start = ChainAnchor {
        seq: counted(last),
        hash: Hash::from_bytes(hash),
    };
    set_anchor(transaction, "start", start)?;
    transaction.execute("DELETE FROM audit WHERE seq <= ?1", [last])
}

/// Limits the size of the file in bytes.
pub(super) fn cap(connection: &Connection, bytes: u64) -> rusqlite::Result<()> {
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let pages = number(bytes) / size.max(1);
    connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
}

fn anchor(transaction: &Transaction<'_>, place: &str) -> rusqlite::Result<ChainAnchor> {
    let sql = "SELECT seq, hash FROM chain WHERE place = ?1";
    transaction.query_row(sql, [place], |row| {
        Ok(ChainAnchor {
            seq: counted(row.get(0)?),
            hash: Hash::from_bytes(row.get(1)?),
        })
    })
}

fn set_anchor(
    transaction: &Transaction<'_>,
    place: &str,
    ChainAnchor { seq, hash }: ChainAnchor,
) -> rusqlite::Result<()> {
    let sql = "UPDATE chain SET seq = ?2, hash = ?3 WHERE place = ?1";
    transaction.execute(sql, params![place, number(seq), hash.as_bytes()])?;
    Ok(())
}

fn document(row: &Row<'_>) -> rusqlite::Result<Document> {
    Ok(Document {
        id: row.get::<_, String>(0)?.into(),
        at: moment(row.get(1)?),
        text: row.get(2)?,
    })
}

fn link(row: &Row<'_>) -> rusqlite::Result<ChainLink> {
    Ok(ChainLink {
        seq: counted(row.get(0)?),
        at: moment(row.get(1)?),
        entry: row.get(2)?,
        hash: Hash::from_bytes(row.get(3)?),
    })
}

/// `SQLite` integers are signed.
fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn counted(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}
