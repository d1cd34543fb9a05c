//! Whether a call may be made: the trust in its server against the danger of its operation.
//!
//! | danger \ trust | untested | generated | validated | `community_reviewed` | certified |
//! |---|---|---|---|---|---|
//! | safe | introspection only | allow | allow | allow | allow |
//! | reversible | deny | deny | allow | allow | allow |
//! | destructive | deny | deny | confirm | allow | allow |
//! | dangerous | deny | deny | deny | confirm | allow |
//! | forbidden | deny | deny | deny | deny | confirm |
//!
//! This is [`GateProfile::Matrix`]. [`GateProfile::Strict`], the default, confirms where the table allows a destructive call or worse.
//!
//! [`rate`] says how dangerous an operation is and which rule says so; [`GatePolicy::decide`] what follows. Both are pure
//! functions.
//!
//! ```
//! use breakfall::gate::{GateOutcome, GatePolicy, OperationFacts, TrustLevel, rate};
//!
//! let trust = TrustLevel::Validated;
//! let danger = rate(&OperationFacts::named("purge_cache"), trust);
//! assert_eq!(danger.to_string(), "dangerous, by the name pattern 'purge_*'");
//!
//! let decision = GatePolicy::default().decide(trust, danger, None);
//! assert_eq!(decision.outcome, GateOutcome::DangerDenied { minimum: TrustLevel::CommunityReviewed });
//! let fault = decision.denial("purge_cache", &[]).expect("it is denied");
//! assert_eq!(fault.code().name(), "PERMISSION_DANGER_LEVEL_DENIED");
//! ```

mod matrix;
mod operation;
mod name_patterns;
mod danger;
mod conditions;
mod decision;

pub use crate::ladder::{DangerLevel, TrustLevel, UnknownLevelError};
pub use conditions::{DangerCondition, EscalationStep};
pub use danger::{DangerRating, DangerRule, rate};
pub use decision::{
    ConfirmationRequest, GateDecision, GateOutcome, GatePolicy, GateRule, TrustPolicy,
};
pub use matrix::{GateProfile, MatrixCell};
pub use operation::{DangerHints, OperationFacts, OperationKind};
