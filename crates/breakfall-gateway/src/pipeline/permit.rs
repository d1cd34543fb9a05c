//! Stage 4: may this principal make this call?

use breakfall::gate::GateOutcome;

use super::{CallContext, CallError, Pipeline, Valid};
use crate::tools::Tool;

/// A call that may be made.
#[derive(Debug)]
pub struct Permitted(Valid);

impl Pipeline {
    /// Decides whether the call may be made: the trust in its server against its danger. A call that has to be confirmed
    /// passes with a token, which is consumed here. Wire-only calls pass the gate too.
    ///
    /// # Errors
    /// When the call is denied or has to be confirmed, or the client cancels it.
    pub async fn permit(
        &self,
        valid: Valid,
        context: &mut CallContext,
    ) -> Result<Permitted, CallError> {
        if !self.upstream().gate.enforces() {
            return Ok(Permitted(valid));
        }
        let decision = {
            let hints = valid.tool().map(Tool::hints).unwrap_or_default();
            self.upstream().gate_decision(context.tool(), hints)
        };
        let operation = context.caller_name(context.tool());
        if let Some(fault) = decision.denial(&operation, &context.policy.reasons) {
            return Err(fault.into());
        }
        if decision.outcome == GateOutcome::ConfirmationRequired {
            self.confirm(&decision, &valid, context).await?;
        }
        Ok(Permitted(valid))
    }

    /// Whether the gate has to know the annotations of the tool.
    pub(super) fn needs_annotations(&self, context: &CallContext) -> bool {
        self.upstream().gate.enforces() && context.policy.danger.is_none()
    }
}

impl Permitted {
    pub(super) fn into_inner(self) -> Valid {
        self.0
    }
}
