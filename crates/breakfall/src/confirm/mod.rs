//! Confirmation tokens: what a caller sends back to show that a call was agreed to.
//!
//! A token is 32 random bytes. Its issuer keeps only the hash, in a [`TokenRecord`] bound to one call: principal, server,
//! operation and arguments. [`TokenRecord::check`] is the whole decision, without I/O; a store makes the check
//! and the consumption one atomic step, before the call is made. [`TokenBook`] does so in memory.
//!
//! ```
//! use breakfall::confirm::{
//!     ArgumentsHash, CallScope, ClockSkew, ConfirmationToken, TokenBook, TokenGrant, TokenPurpose, TokenRefusal,
//! };
//! use breakfall::gate::DangerLevel;
//! use breakfall::Timestamp;
//!
//! let call = |arguments| {
//!     let arguments = ArgumentsHash::of(arguments, None).expect("JSON");
//!     CallScope::new(Some("ada"), "shop", "delete_order", arguments)
//! };
//! let (now, skew) = (Timestamp::UNIX_EPOCH, ClockSkew::default());
//! let mut book = TokenBook::default();
//! let token = ConfirmationToken::from_bytes(TokenPurpose::Confirmation, [7; 32]);
//! let grant = TokenGrant::new(call(r#"{"id": 7, "force": true}"#), DangerLevel::Destructive);
//! book.issue(token.hash(), grant.at(now)).expect("there is room");
//!
//! let other = call(r#"{"id": 8, "force": true}"#);
//! let refused = book.consume(&token.hash(), TokenPurpose::Confirmation, &other, now, skew);
//! assert!(matches!(refused, Err(TokenRefusal::ScopeMismatch { .. })));
//! // The order of keys and the form of numbers make no difference, and the token itself is not a part of the call.
//! let same = call(r#"{"force": true, "_confirmation": "conf_…", "id": 7.0}"#);
//! assert_eq!(book.consume(&token.hash(), TokenPurpose::Confirmation, &same, now, skew), Ok(()));
//! let again = book.consume(&token.hash(), TokenPurpose::Confirmation, &same, now, skew);
//! assert_eq!(again, Err(TokenRefusal::AlreadyUsed { consumed_at: now }));
//! ```

mod canonical;
mod token;
mod lifetime;
mod scope;
mod record;
mod refusal;
mod book;

pub use book::{BookFullError, TokenBook};
pub use canonical::ArgumentsError;
pub use lifetime::{ClockSkew, PURGE_DELAY, token_lifetime};
pub use record::{TokenGrant, TokenRecord, TokenState};
pub use refusal::TokenRefusal;
pub use scope::{ArgumentsHash, CONFIRMATION_ARGUMENTS, CallScope};
pub use token::{ConfirmationToken, NoEntropyError, TokenHash, TokenPurpose};
