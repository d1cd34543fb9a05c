//! What is kept of a token, and the check of one that is presented.

use std::time::Duration;

use jiff::Timestamp;

use super::lifetime::{ClockSkew, PURGE_DELAY, token_lifetime};
use super::refusal::TokenRefusal;
use super::scope::CallScope;
use super::token::TokenPurpose;
use crate::ladder::DangerLevel;

/// What a token is issued for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct TokenGrant {
    purpose: TokenPurpose,
    scope: CallScope,
    danger: DangerLevel,
    lifetime: Option<Duration>,
    cooldown: Duration,
}

impl TokenGrant {
    /// The confirmation of a dangerous call.
    pub const fn new(scope: CallScope, danger: DangerLevel) -> Self {
        Self {
            purpose: TokenPurpose::Confirmation,
            scope,
            danger,
            lifetime: None,
            cooldown: Duration::ZERO,
        }
    }

    /// A call beyond a paused quota.
    pub fn beyond_quota(scope: CallScope) -> Self {
        Self {
            purpose: TokenPurpose::QuotaContinue,
            ..Self::new(scope, DangerLevel::Safe)
        }
    }

    /// How long it lives, up to the most that [`token_lifetime`] allows.
    pub const fn lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }

    /// How long it cannot be used yet.
    pub const fn cooldown(mut self, cooldown: Duration) -> Self {
        self.cooldown = cooldown;
        self
    }

    /// The record of a token that is issued now. Its lifetime starts after the cooldown.
    pub fn at(self, now: Timestamp) -> TokenRecord {
        let lifetime = token_lifetime(self.purpose, self.danger, self.lifetime);
        let not_before = later(now, self.cooldown);
        TokenRecord {
            purpose: self.purpose,
            scope: self.scope,
            danger: self.danger,
            issued_at: now,
            not_before,
            expires_at: later(not_before, lifetime),
            state: TokenState::Issued,
        }
    }
}

/// What is kept of a token, under its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a row of a store")]
pub struct TokenRecord {
    /// What it allows.
    pub purpose: TokenPurpose,
    /// The call it is bound to.
    pub scope: CallScope,
    /// The danger of the call.
    pub danger: DangerLevel,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it may be used for the first time.
    pub not_before: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// What became of it.
    pub state: TokenState,
}

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the states of a token; an expired one is issued"
)]
pub enum TokenState {
    /// It may be used.
    Issued,
    /// It was used.
    Consumed(Timestamp),
    /// It was revoked.
    Revoked(Timestamp),
}

impl TokenRecord {
    /// Whether the token is good for a call now. It must be consumed in the same atomic step.
    ///
    /// The order reveals least: a caller learns about the state of a token only if it is its own, and for this very call.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(
        &self,
        purpose: TokenPurpose,
        call: &CallScope,
        now: Timestamp,
        skew: ClockSkew,
    ) -> Result<(), TokenRefusal> {
        let is_own = self.scope.principal() == call.principal() && self.purpose == purpose;
        if !is_own || matches!(self.state, TokenState::Revoked(_)) {
            return Err(TokenRefusal::Invalid);
        }
        if self.scope != *call {
            return Err(TokenRefusal::ScopeMismatch {
                token_upstream: self.scope.upstream().into(),
                token_operation: self.scope.operation().into(),
            });
        }
        if self.is_expired(now, skew) {
            return Err(TokenRefusal::Expired {
                expired_at: self.expires_at,
            });
        }
        match self.state {
            TokenState::Consumed(consumed_at) => Err(TokenRefusal::AlreadyUsed { consumed_at }),
            TokenState::Issued | TokenState::Revoked(_) if self.is_cooling_down(now) => {
                Err(TokenRefusal::TooEarly {
                    not_before: self.not_before,
                    expires_at: self.expires_at,
                    danger: self.danger,
                })
            }
            TokenState::Issued | TokenState::Revoked(_) => Ok(()),
        }
    }

    /// Whether its time is over, or has not come by far: the clock was set back, and its age is unknown.
    fn is_expired(&self, now: Timestamp, skew: ClockSkew) -> bool {
        let skew = skew.duration();
        now >= later(self.expires_at, skew) || later(now, skew) < self.issued_at
    }

    /// Whether a cooldown was asked for and is not over. Without one, another clock may be a little behind.
    fn is_cooling_down(&self, now: Timestamp) -> bool {
        self.not_before > self.issued_at && now < self.not_before
    }

    /// Whether it may still be used.
    pub fn is_live(&self, now: Timestamp, skew: ClockSkew) -> bool {
        self.state == TokenState::Issued && !self.is_expired(now, skew)
    }

    /// From when on it need not be kept.
    pub fn purge_at(&self) -> Timestamp {
        later(self.expires_at, PURGE_DELAY)
    }
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.saturating_add(by).unwrap_or(Timestamp::MAX)
}
