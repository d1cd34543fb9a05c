//! The operations on counters, each in one transaction.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::resilience::quota::{Amount, CalendarWindow, CounterKey};
use crate::store::counters::{CounterAddition, KEPT_AFTER_END, StoredCounter};

/// The table of counters, one row for each window.
pub(super) const TABLE: &str = "
CREATE TABLE usage (scope TEXT NOT NULL, principal TEXT NOT NULL, metric TEXT NOT NULL, start INTEGER NOT NULL, ends INTEGER NOT NULL,
  amount INTEGER NOT NULL, PRIMARY KEY (scope, principal, metric, start)) STRICT, WITHOUT ROWID;
CREATE INDEX usage_ends ON usage (ends);
";

pub(super) fn add(
    connection: &mut Connection,
    additions: &[CounterAddition],
) -> rusqlite::Result<Vec<Amount>> {
    let is_write = additions.iter().any(|one| one.amount > Amount(0));
    let behaviour = if is_write {
        TransactionBehavior::Immediate
    } else {
        TransactionBehavior::Deferred
    };
    let transaction = connection.transaction_with_behavior(behaviour)?;
    let added = additions.iter().map(|one| add_one(&transaction, one));
    let added = added.collect::<rusqlite::Result<_>>()?;
    transaction.commit()?;
    Ok(added)
}

fn add_one(transaction: &Transaction<'_>, addition: &CounterAddition) -> rusqlite::Result<Amount> {
    let CounterAddition {
        key: CounterKey {
            scope,
            principal,
            metric,
        },
        window: CalendarWindow { start, end },
        amount,
    } = addition;
    let start = start.as_second();
    if *amount == Amount(0) {
        let sql = "SELECT amount FROM usage WHERE scope = ?1 AND principal = ?2 AND metric = ?3 AND start = ?4";
        let mut read = transaction.prepare(sql)?;
        let used = read.query_row(params![scope, principal, metric, start], |row| row.get(0));
        return Ok(used.optional()?.map_or(Amount(0), amount_of));
    }
    // A sum that is too large for an integer would become a float.
    let sql = "INSERT INTO usage (scope, principal, metric, start, ends, amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT DO UPDATE SET amount = CASE WHEN amount > 9223372036854775807 - excluded.amount
                 THEN 9223372036854775807 ELSE amount + excluded.amount END
               RETURNING amount";
    let mut write = transaction.prepare(sql)?;
    let number = i64::try_from(amount.0).unwrap_or(i64::MAX);
    let values = params![scope, principal, metric, start, end.as_second(), number];
    write.query_row(values, |row| row.get(0)).map(amount_of)
}

pub(super) fn of_scope(
    connection: &Connection,
    scope: &str,
    now: Timestamp,
) -> rusqlite::Result<Vec<StoredCounter>> {
    let sql = "SELECT principal, metric, start, ends, amount FROM usage
               WHERE scope = ?1 AND start <= ?2 AND ends > ?2 ORDER BY principal, metric, start";
    let mut query = connection.prepare(sql)?;
    let rows = query.query_map(params![scope, now.as_second()], |row| {
        Ok(StoredCounter {
            key: CounterKey {
                scope: scope.into(),
                principal: row.get::<_, String>(0)?.into(),
                metric: row.get::<_, String>(1)?.into(),
            },
            window: CalendarWindow {
                start: moment(row.get(2)?),
                end: moment(row.get(3)?),
            },
            used: amount_of(row.get(4)?),
        })
    })?;
    rows.collect()
}

/// Removes the counters of windows that are over for long.
pub(super) fn purge(connection: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    let last = now.checked_sub(KEPT_AFTER_END).unwrap_or(Timestamp::MIN);
    let sql = "DELETE FROM usage WHERE ends < ?1";
    connection.execute(sql, [last.as_second()]).map(drop)
}

fn amount_of(number: i64) -> Amount {
    Amount(u64::try_from(number).unwrap_or_default())
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}
