//! Tokens in memory.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use jiff::Timestamp;

use super::lifetime::ClockSkew;
use super::record::{TokenRecord, TokenState};
use super::refusal::TokenRefusal;
use super::scope::CallScope;
use super::token::{TokenHash, TokenPurpose};

/// The records of tokens in memory, of which each operation is one step. Share it behind a lock.
#[derive(Debug, Clone, Default)]
pub struct TokenBook {
    records: HashMap<TokenHash, TokenRecord>,
    /// The hashes by the time they are purged.
    by_age: BTreeSet<(Timestamp, TokenHash)>,
}

impl TokenBook {
    /// Keeps the record of a token, and forgets those whose time is over.
    ///
    /// # Errors
    /// When a million records are kept.
    pub fn issue(&mut self, token: TokenHash, record: TokenRecord) -> Result<(), BookFullError> {
        self.purge(record.issued_at);
        if self.records.len() >= MAX_RECORDS {
            return Err(BookFullError);
        }
        self.by_age.insert((record.purge_at(), token));
        self.records.insert(token, record);
        Ok(())
    }

    /// The record of a token.
    pub fn load(&self, token: &TokenHash) -> Option<&TokenRecord> {
        self.records.get(token)
    }

    /// Checks a token that is presented with a call, and consumes it.
    ///
    /// # Errors
    /// When it is not good for the call; it is not consumed then.
    pub fn consume(
        &mut self,
        token: &TokenHash,
        purpose: TokenPurpose,
        call: &CallScope,
        now: Timestamp,
        skew: ClockSkew,
    ) -> Result<(), TokenRefusal> {
        let record = self.records.get_mut(token).ok_or(TokenRefusal::Invalid)?;
        record.check(purpose, call, now, skew)?;
        record.state = TokenState::Consumed(now);
        Ok(())
    }

    /// Revokes a token. False if it cannot be used anyway.
    pub fn revoke(&mut self, token: &TokenHash, now: Timestamp) -> bool {
        match self.records.get_mut(token) {
            Some(record) if record.state == TokenState::Issued => {
                record.state = TokenState::Revoked(now);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Forgets the tokens that expired an hour ago, and says how many they were.
    pub fn purge(&mut self, now: Timestamp) -> u64 {
        let mut purged = 0;
        while let Some((at, token)) = self.by_age.first().copied()
            && at <= now
        {
            self.by_age.pop_first();
            self.records.remove(&token);
            purged += 1;
        }
        purged
    }

    /// How many tokens may still be used.
    pub fn live(&self, now: Timestamp, skew: ClockSkew) -> u64 {
        let live = self.by_age.iter().filter(|(_, token)| {
            let record = self.records.get(token);
            record.is_some_and(|record| record.is_live(now, skew))
        });
        live.count() as u64
    }
}

/// The memory for tokens is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookFullError;

impl fmt::Display for BookFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many confirmation tokens are outstanding")
    }
}

impl std::error::Error for BookFullError {}

const MAX_RECORDS: usize = 1_000_000;
