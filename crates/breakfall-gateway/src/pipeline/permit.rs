//! Stage 4: may this principal make this call?

use breakfall::gate::GateOutcome;

use super::{CallContext, CallError, Pipeline, Valid};
use crate::tools::{Tool, ToolLookup};

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
        let mut hints = valid.tool().map(Tool::hints).unwrap_or_default();
        if self.lacks_annotations(&valid, context) && self.is_list_refused().await {
            hints.destructive = Some(true);
            let reason = "the list of tools could not be read, so it is unknown whether the tool is destructive";
            if !context.policy.reasons.iter().any(|other| other == reason) {
                context.policy.reasons.push(reason.to_owned());
            }
        }
        let decision = self.upstream().gate_decision(context.tool(), hints);
        let operation = context.caller_name(context.tool());
        if let Some(fault) = decision.denial(&operation, &context.policy.reasons) {
            return Err(fault.into());
        }
        if decision.outcome == GateOutcome::ConfirmationRequired {
            self.confirm(&decision, &valid, context).await?;
        }
        Ok(Permitted(valid))
    }

    /// Whether the gate would have to know the annotations of the tool, and the server has not listed it. A tool that is
    /// missing in a complete list has none.
    fn lacks_annotations(&self, valid: &Valid, context: &CallContext) -> bool {
        let is_listed = || !matches!(self.link.tools().find(context.tool()), ToolLookup::Unlisted);
        self.needs_annotations(context) && valid.tool().is_none() && !is_listed()
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
