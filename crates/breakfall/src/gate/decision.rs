//! What follows from trust and danger.

use std::fmt;

use jiff::Timestamp;

use super::danger::DangerRating;
use super::matrix::{GateProfile, MatrixCell, minimum_trust};
use super::operation::OperationKind;
use crate::catalog::codes;
use crate::fault::Fault;
use crate::ladder::{DangerLevel, TrustLevel};

/// What the operator of a gate has set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct GatePolicy {
    /// The table.
    pub profile: GateProfile,
    /// What is asked for beyond the table.
    pub trust: TrustPolicy,
}

/// What an operator asks of servers beyond the table. It is looked at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct TrustPolicy {
    /// The trust a server needs for operations that change something.
    pub minimum_trust_for_writes: Option<TrustLevel>,
    /// The trust a server needs for operations that destroy something.
    pub minimum_trust_for_deletes: Option<TrustLevel>,
    /// Whether an untested server may describe itself.
    pub allow_untested_introspection: bool,
    /// Servers below this trust have every change confirmed.
    pub require_confirmation_below: Option<TrustLevel>,
}

impl Default for TrustPolicy {
    fn default() -> Self {
        Self {
            minimum_trust_for_writes: None,
            minimum_trust_for_deletes: None,
            allow_untested_introspection: true,
            require_confirmation_below: None,
        }
    }
}

/// Whether a call may be made, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "what was decided, and from what")]
pub struct GateDecision {
    /// The trust in the server.
    pub trust: TrustLevel,
    /// The danger of the call.
    pub danger: DangerRating,
    /// What follows.
    pub outcome: GateOutcome,
    /// The rule that decided.
    pub rule: GateRule,
}

/// What follows from trust and danger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers must handle every outcome")]
pub enum GateOutcome {
    /// The call may be made.
    Allowed,
    /// The call may be made once it is confirmed.
    ConfirmationRequired,
    /// The server needs more trust for it.
    TrustInsufficient {
        /// The least trust it needs.
        required: TrustLevel,
    },
    /// The call is too dangerous for the trust its server has.
    DangerDenied {
        /// The least trust at which it is not denied.
        minimum: TrustLevel,
    },
}

/// The rule that decided what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the rules of the gate")]
pub enum GateRule {
    /// `minimum_trust_for_writes`.
    MinimumTrustForWrites,
    /// `minimum_trust_for_deletes`.
    MinimumTrustForDeletes,
    /// `allow_untested_introspection`.
    UntestedIntrospection,
    /// `require_confirmation_below`.
    RequireConfirmationBelow,
    /// The cell of the table.
    Table(GateProfile),
}

impl GatePolicy {
    /// Decides about one call.
    pub fn decide(
        &self,
        trust: TrustLevel,
        danger: DangerRating,
        kind: Option<OperationKind>,
    ) -> GateDecision {
        let level = danger.level;
        let (outcome, rule) = self
            .trust
            .refusal(trust, level, kind)
            .unwrap_or_else(|| self.by_table(trust, level, kind));
        let must_confirm = |below| trust < below && level >= DangerLevel::Reversible;
        let is_raised = outcome == GateOutcome::Allowed
            && self
                .trust
                .require_confirmation_below
                .is_some_and(must_confirm);
        let (outcome, rule) = if is_raised {
            let outcome = GateOutcome::ConfirmationRequired;
            (outcome, GateRule::RequireConfirmationBelow)
        } else {
            (outcome, rule)
        };
        GateDecision {
            trust,
            danger,
            outcome,
            rule,
        }
    }

    fn by_table(
        self,
        trust: TrustLevel,
        danger: DangerLevel,
        kind: Option<OperationKind>,
    ) -> (GateOutcome, GateRule) {
        let outcome = match self.profile.cell(trust, danger) {
            MatrixCell::Allow => GateOutcome::Allowed,
            MatrixCell::Confirm => GateOutcome::ConfirmationRequired,
            MatrixCell::IntrospectOnly if kind == Some(OperationKind::Introspect) => {
                GateOutcome::Allowed
            }
            MatrixCell::IntrospectOnly => GateOutcome::TrustInsufficient {
                required: minimum_trust(danger),
            },
            MatrixCell::Deny => GateOutcome::DangerDenied {
                minimum: minimum_trust(danger),
            },
        };
        (outcome, GateRule::Table(self.profile))
    }
}

impl TrustPolicy {
    /// The refusal of a call that the table may allow.
    fn refusal(
        self,
        trust: TrustLevel,
        danger: DangerLevel,
        kind: Option<OperationKind>,
    ) -> Option<(GateOutcome, GateRule)> {
        let deletes = danger >= DangerLevel::Destructive || kind == Some(OperationKind::Delete);
        let writes = danger >= DangerLevel::Reversible;
        let introspects = kind == Some(OperationKind::Introspect);
        let hides = introspects && !self.allow_untested_introspection;
        let demands = [
            (
                self.minimum_trust_for_deletes.filter(|_| deletes),
                GateRule::MinimumTrustForDeletes,
            ),
            (
                self.minimum_trust_for_writes.filter(|_| writes),
                GateRule::MinimumTrustForWrites,
            ),
            (
                hides.then_some(TrustLevel::Generated),
                GateRule::UntestedIntrospection,
            ),
        ];
        let unmet = demands.into_iter().filter_map(|(required, rule)| {
            let required = required.filter(|required| trust < *required)?;
            Some((GateOutcome::TrustInsufficient { required }, rule))
        });
        unmet.into_iter().next()
    }
}

/// What the caller of a dangerous call is asked to send back.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct ConfirmationRequest<'a> {
    /// Why the call is dangerous.
    pub reasons: &'a [String],
    /// The question for the user.
    pub message: Option<&'a str>,
    /// The token.
    pub token: &'a str,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// When it may be used for the first time.
    pub not_before: Option<Timestamp>,
}

impl GateDecision {
    /// The fault of a denied call; `None` if the call is not denied.
    pub fn denial(&self, operation: &str, reasons: &[String]) -> Option<Fault> {
        match self.outcome {
            GateOutcome::Allowed | GateOutcome::ConfirmationRequired => None,
            GateOutcome::TrustInsufficient { required } => {
                let fault = Fault::new(codes::PERMISSION_TRUST_LEVEL_INSUFFICIENT)
                    .in_operation(operation)
                    .detail("required_trust", required.as_str())
                    .detail("actual_trust", self.trust.as_str());
                Some(fault.detail("danger_level", self.danger.level.number()))
            }
            GateOutcome::DangerDenied { minimum } => {
                let fault = Fault::new(codes::PERMISSION_DANGER_LEVEL_DENIED)
                    .in_operation(operation)
                    .detail("danger_level", self.danger.level.as_str())
                    .detail("adapter_trust", self.trust.as_str())
                    .detail("minimum_trust_required", minimum.as_str());
                Some(with_reasons(fault, reasons))
            }
        }
    }

    /// The fault of a call that has to be confirmed.
    pub fn confirmation(&self, operation: &str, request: &ConfirmationRequest<'_>) -> Fault {
        let level = self.danger.level.as_str();
        let (token, expires_at) = (request.token, request.expires_at);
        let fault = Fault::confirmation_required(operation, level, token, expires_at);
        let fault = with_reasons(fault, request.reasons);
        let fault = match request.message {
            Some(message) => fault.detail("confirmation_message", message),
            None => fault,
        };
        match request.not_before {
            Some(from) => fault.detail("not_before", from.to_string()),
            None => fault,
        }
    }
}

fn with_reasons(fault: Fault, reasons: &[String]) -> Fault {
    if reasons.is_empty() {
        return fault;
    }
    fault.detail("reasons", reasons.to_vec())
}

impl fmt::Display for GateRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinimumTrustForWrites => f.write_str("trust_policy: minimum_trust_for_writes"),
            Self::MinimumTrustForDeletes => f.write_str("trust_policy: minimum_trust_for_deletes"),
            Self::UntestedIntrospection => {
                f.write_str("trust_policy: allow_untested_introspection")
            }
            Self::RequireConfirmationBelow => {
                f.write_str("trust_policy: require_confirmation_below")
            }
            Self::Table(profile) => {
                write!(f, "the table of trust and danger ({})", profile.as_str())
            }
        }
    }
}
