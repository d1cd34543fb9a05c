//! Confirmation tokens in a store.

use std::fmt;

use breakfall::confirm::{
    CallScope, ClockSkew, TokenHash, TokenPurpose, TokenRecord, TokenRefusal,
};
use jiff::Timestamp;

use super::StoreFuture;

/// A store of confirmation tokens. Every operation is atomic, and durable when its future is ready. Only hashes of tokens
/// are stored. Times are stored in milliseconds.
pub trait TokenStore: fmt::Debug + Send + Sync {
    /// Stores a token that was issued, and purges old ones.
    fn issue_token(&self, token: TokenHash, record: TokenRecord) -> StoreFuture<()>;

    /// The record of a token.
    fn load_token(&self, token: TokenHash) -> StoreFuture<Option<TokenRecord>>;

    /// Checks a token that is presented with a call, and consumes it in the same step. Of any number of attempts, in any
    /// number of processes, one succeeds.
    fn consume_token(&self, presented: PresentedToken) -> StoreFuture<Result<(), TokenRefusal>>;

    /// Revokes a token. False if it cannot be used anyway.
    fn revoke_token(&self, token: TokenHash, now: Timestamp) -> StoreFuture<bool>;

    /// Purges the tokens that expired an hour ago, and returns their number.
    fn purge_tokens(&self, now: Timestamp) -> StoreFuture<u64>;

    /// The number of tokens that may still be used.
    fn live_tokens(&self, now: Timestamp, skew: ClockSkew) -> StoreFuture<u64>;
}

/// A token that is presented with a call.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct PresentedToken {
    /// The hash of the token.
    pub token: TokenHash,
    /// What it is to allow.
    pub purpose: TokenPurpose,
    /// The call.
    pub call: CallScope,
    /// The time.
    pub now: Timestamp,
    /// The tolerance for other clocks.
    pub skew: ClockSkew,
}

/// A record in the precision of stores.
pub(super) fn in_millis(record: TokenRecord) -> TokenRecord {
    TokenRecord {
        issued_at: whole_millis(record.issued_at),
        not_before: whole_millis(record.not_before),
        expires_at: whole_millis(record.expires_at),
        ..record
    }
}

/// The time in the precision of stores.
pub(super) fn whole_millis(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}
