//! The operations on confirmation tokens, each in one transaction.

use std::str::FromStr;

use breakfall::confirm::{
    ArgumentsHash, CallScope, ClockSkew, PURGE_DELAY, TokenHash, TokenPurpose, TokenRecord,
    TokenRefusal, TokenState,
};
use breakfall::gate::DangerLevel;
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension as _, Row, TransactionBehavior, params};

use crate::store::tokens::PresentedToken;

/// What version 2 of the schema adds.
pub(super) const TABLE: &str = "
CREATE TABLE token (hash BLOB PRIMARY KEY, purpose TEXT NOT NULL, principal TEXT, upstream TEXT NOT NULL,
  operation TEXT NOT NULL, metric TEXT, arguments BLOB NOT NULL, danger TEXT NOT NULL, issued_at INTEGER NOT NULL,
  not_before INTEGER NOT NULL, expires_at INTEGER NOT NULL, consumed_at INTEGER, revoked_at INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX token_expiry ON token (expires_at);
";

pub(super) fn issue(
    connection: &mut Connection,
    token: TokenHash,
    record: &TokenRecord,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    purge(&transaction, record.issued_at)?;
    let (consumed_at, revoked_at) = match record.state {
        TokenState::Issued => (None, None),
        TokenState::Consumed(at) => (Some(at.as_millisecond()), None),
        TokenState::Revoked(at) => (None, Some(at.as_millisecond())),
    };
    let scope = &record.scope;
    transaction.execute(
        "INSERT INTO token VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            token.as_bytes(),
            record.purpose.prefix(),
            scope.principal(),
            scope.upstream(),
            scope.operation(),
            scope.metric(),
            scope.arguments().as_bytes(),
            record.danger.as_str(),
            record.issued_at.as_millisecond(),
            record.not_before.as_millisecond(),
            record.expires_at.as_millisecond(),
            consumed_at,
            revoked_at,
        ],
    )?;
    transaction.commit()
}

pub(super) fn load(
    connection: &Connection,
    token: TokenHash,
) -> rusqlite::Result<Option<TokenRecord>> {
    let sql = "SELECT purpose, principal, upstream, operation, metric, arguments, danger, issued_at, not_before,
               expires_at, consumed_at, revoked_at FROM token WHERE hash = ?1";
    let found = connection.query_row(sql, [token.as_bytes()], record);
    found.optional()
}

/// The write lock is taken before the record is read, so that no other process consumes the token in between.
pub(super) fn consume(
    connection: &mut Connection,
    presented: &PresentedToken,
) -> rusqlite::Result<Result<(), TokenRefusal>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let PresentedToken {
        token,
        purpose,
        call,
        now,
        skew,
    } = presented;
    let checked = match load(&transaction, *token)? {
        Some(record) => record.check(*purpose, call, *now, *skew),
        None => Err(TokenRefusal::Invalid),
    };
    if checked.is_ok() {
        let sql = "UPDATE token SET consumed_at = ?2 WHERE hash = ?1";
        transaction.execute(sql, params![token.as_bytes(), now.as_millisecond()])?;
    }
    transaction.commit()?;
    Ok(checked)
}

pub(super) fn revoke(
    connection: &Connection,
    token: TokenHash,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let sql = "UPDATE token SET revoked_at = ?2 WHERE hash = ?1 AND consumed_at IS NULL AND revoked_at IS NULL";
    let changed = connection.execute(sql, params![token.as_bytes(), now.as_millisecond()])?;
    Ok(changed > 0)
}

pub(super) fn purge(connection: &Connection, now: Timestamp) -> rusqlite::Result<u64> {
    let expired = now.saturating_sub(PURGE_DELAY).unwrap_or(Timestamp::MIN);
    let sql = "DELETE FROM token WHERE expires_at <= ?1";
    let purged = connection.execute(sql, [expired.as_millisecond()])?;
    Ok(purged as u64)
}

pub(super) fn live(
    connection: &Connection,
    now: Timestamp,
    skew: ClockSkew,
) -> rusqlite::Result<u64> {
    let (now, skew) = (now.as_millisecond(), i64::from(skew.as_secs()) * 1000);
    let sql = "SELECT count(*) FROM token WHERE expires_at > ?1 AND issued_at <= ?2
               AND consumed_at IS NULL AND revoked_at IS NULL";
    let live = connection.query_row(sql, [now - skew, now + skew], |row| row.get::<_, i64>(0))?;
    Ok(u64::try_from(live).unwrap_or_default())
}

fn record(row: &Row<'_>) -> rusqlite::Result<TokenRecord> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let time = |at: usize| row.get::<_, i64>(at).map(moment);
    let state = match (row.get(10)?, row.get(11)?) {
        (_, Some(at)) => TokenState::Revoked(moment(at)),
        (Some(at), None) => TokenState::Consumed(moment(at)),
        (None, None) => TokenState::Issued,
    };
    let purpose = row.get::<_, String>(0)?;
    let purpose = TokenPurpose::ALL.iter().find(|one| one.prefix() == purpose);
    let (upstream, operation) = (row.get::<_, String>(2)?, row.get::<_, String>(3)?);
    let arguments = ArgumentsHash::from_bytes(row.get(5)?);
    let scope = CallScope::new(text(1)?.as_deref(), &upstream, &operation, arguments);
    let scope = match text(4)? {
        Some(metric) => scope.quota(&metric),
        None => scope,
    };
    Ok(TokenRecord {
        purpose: *purpose.ok_or_else(|| unknown(0, "purpose"))?,
        scope,
        danger: DangerLevel::from_str(&row.get::<_, String>(6)?)
            .map_err(|_| unknown(6, "danger"))?,
        issued_at: time(7)?,
        not_before: time(8)?,
        expires_at: time(9)?,
        state,
    })
}

fn unknown(at: usize, name: &str) -> Error {
    Error::InvalidColumnType(at, name.to_owned(), Type::Text)
}

pub(super) fn moment(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH)
}
