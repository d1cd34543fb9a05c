//! A call of a wire-only upstream: the gate and the limits hold, and nothing is judged or rewritten.

use std::sync::Arc;

use super::receive::duplicate_member;
use super::{Admitted, Call, CallContext, CallCost, CallError, Pipeline, Valid};
use crate::session::tell_loss;
use breakfall::wire::Rpc;
use breakfall_mcp::connection::{
    ForwardFailure, ForwardOutcome, RequestSummary, RpcMethod, Ticket,
};
use breakfall_mcp::jsonrpc::Frame;

impl Pipeline {
    /// Passes a call on as it came, and its answer too.
    pub(super) async fn forward(&self, frame: Frame, ticket: Ticket) {
        if let Some(fault) = duplicate_member(&frame) {
            return ticket.fail(&fault, Some(Rpc::InvalidParams));
        }
        let mut context = self.context(Call::new(frame), ticket);
        let answer = match self.admit_unjudged(&mut context).await {
            // The answer goes straight to the client.
            Ok(admitted) if !admitted.has_settlement() => {
                let (frame, params) = admitted.call().copy();
                if let Some(ticket) = context.exchange.take_ticket() {
                    self.link.request_with(frame, params, ticket);
                }
                return;
            }
            Ok(admitted) => self.send_unjudged(admitted, &mut context).await,
            Err(error) => Err(error),
        };
        let Some(ticket) = context.exchange.take_ticket() else {
            return;
        };
        match answer {
            Ok(frame) => ticket.answer(frame, RpcMethod::ToolsCall),
            Err(CallError::Cancelled) => ticket.withdraw(),
            Err(CallError::Failed(failed)) => {
                let (frame, params) = context.call.copy();
                let is_written = failed.may_have_run();
                let loss = ForwardFailure {
                    ticket,
                    fault: failed.failure.fault,
                    is_written,
                    challenge: failed.challenge,
                };
                tell_loss(loss, &RequestSummary::of(&frame, &params), self.upstream());
            }
        }
    }

    async fn admit_unjudged(&self, context: &mut CallContext) -> Result<Admitted, CallError> {
        let call = Arc::clone(&context.call);
        let tool = self.gated_tool(&call, context).await?;
        let call = self.take_confirmation(call, tool.as_deref(), context);
        let valid = Valid::unchecked(call, tool);
        let permitted = self.permit(valid, context).await?;
        self.admit(permitted, context).await
    }

    async fn send_unjudged(
        &self,
        mut admitted: Admitted,
        context: &mut CallContext,
    ) -> Result<Frame, CallError> {
        let request = admitted.call().copy();
        let answer = match context.exchange.send(&self.link, request, false).await {
            Ok(ForwardOutcome::Answer(answer)) => Ok(context.exchange.answered(*answer)),
            Ok(ForwardOutcome::Lost(loss)) => Err(context.exchange.lost(*loss).into()),
            Err(error) => Err(error),
        };
        let body = answer.as_ref().ok().and_then(Frame::body);
        self.count_tokens(&mut admitted, body, context);
        admitted.settle(CallCost::of(&answer, context));
        answer
    }
}
