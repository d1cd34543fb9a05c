//! Why a token is not accepted, and what its caller is told.

use jiff::Timestamp;

use crate::catalog::codes;
use crate::fault::Fault;
use crate::ladder::DangerLevel;

/// Why a token is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers must handle every refusal")]
pub enum TokenRefusal {
    /// It is unknown, malformed, revoked, or that of another principal. These look the same.
    Invalid,
    /// It was issued to this principal, for another call.
    ScopeMismatch {
        /// The server of the operation it was issued for.
        token_upstream: Box<str>,
        /// The operation it was issued for.
        token_operation: Box<str>,
    },
    /// Its time is over.
    Expired {
        /// When it expired.
        expired_at: Timestamp,
    },
    /// It was used before.
    AlreadyUsed {
        /// When.
        consumed_at: Timestamp,
    },
    /// It cannot be used yet, and is still good.
    TooEarly {
        /// From when on it can.
        not_before: Timestamp,
        /// Until when.
        expires_at: Timestamp,
        /// The danger of its call.
        danger: DangerLevel,
    },
}

impl TokenRefusal {
    /// The word for logs and audit trails.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::ScopeMismatch { .. } => "scope_mismatch",
            Self::Expired { .. } => "expired",
            Self::AlreadyUsed { .. } => "already_used",
            Self::TooEarly { .. } => "too_early",
        }
    }

    /// The fault for the caller that presented a token with a call of an operation.
    ///
    /// ```
    /// use breakfall::Timestamp;
    /// use breakfall::confirm::TokenRefusal;
    ///
    /// let fault = TokenRefusal::Invalid.fault("conf_abc123xyz", "delete_order", Timestamp::UNIX_EPOCH);
    /// assert_eq!(fault.code().name(), "TOKEN_INVALID");
    /// assert_eq!(fault.public().details().text("token"), Some("conf_abc123xyz"));
    /// ```
    pub fn fault(&self, token: &str, operation: &str, now: Timestamp) -> Fault {
        match self {
            Self::Invalid => Fault::new(codes::TOKEN_INVALID).detail("token", token),
            Self::ScopeMismatch {
                token_operation, ..
            } => Fault::new(codes::TOKEN_SCOPE_MISMATCH)
                .detail("token", token)
                .detail("token_operation", &**token_operation)
                .detail("requested_operation", operation),
            Self::Expired { expired_at } => Fault::new(codes::TOKEN_EXPIRED)
                .detail("token", token)
                .detail("expired_at", expired_at.to_string())
                .detail("current_time", now.to_string()),
            Self::AlreadyUsed { consumed_at } => Fault::new(codes::TOKEN_ALREADY_USED)
                .detail("token", token)
                .detail("consumed_at", consumed_at.to_string()),
            Self::TooEarly {
                not_before,
                expires_at,
                danger,
            } => {
                let millis = not_before.duration_since(now).as_millis().max(0);
                let seconds = u64::try_from(millis.saturating_add(999) / 1000).unwrap_or(u64::MAX);
                let word = danger.as_str();
                Fault::confirmation_required(operation, word, token, *expires_at)
                    .detail("not_before", not_before.to_string())
                    .detail("retry_after_seconds", seconds)
            }
        }
    }
}
