//! The confirmation token of a call: taken out of its arguments, issued, and consumed.

use std::borrow::Cow;
use std::sync::Arc;

use breakfall::Fault;
use breakfall::confirm::{
    ArgumentsHash, CONFIRMATION_ARGUMENTS, CallScope, ClockSkew, ConfirmationToken, TokenGrant,
    TokenPurpose, TokenRefusal,
};
use breakfall::gate::{ConfirmationRequest, GateDecision};

use super::{Call, CallContext, CallError, Pipeline, Valid};
use crate::store::{PresentedToken, StoreError};
use crate::tools::Tool;
use breakfall_mcp::jsonrpc::splice::Object;

impl Pipeline {
    /// Takes the confirmation token out of the arguments, where the gate is in force. An argument that the tool declares is
    /// for the tool.
    pub(super) fn take_confirmation(
        &self,
        call: Arc<Call>,
        tool: Option<&Tool>,
        context: &mut CallContext,
    ) -> Arc<Call> {
        if !self.upstream().gate.enforces() {
            return call;
        }
        let arguments = call.arguments();
        let found = arguments.and_then(|arguments| Object::of(arguments, &CONFIRMATION_ARGUMENTS));
        let Some(arguments) = found else {
            return call;
        };
        let ours = CONFIRMATION_ARGUMENTS.into_iter().filter(|name| {
            let is_sent = arguments.get(name).is_some();
            is_sent && !declares(tool, name) && is_for_gateway(name, &arguments)
        });
        let ours: Vec<&str> = ours.collect();
        let Some(first) = ours.first() else {
            return call;
        };
        // The token was for the arguments before the user corrected them, and null is no token.
        let is_token = arguments.get(first) != Some("null") && !context.is_corrected();
        let sent = is_token.then(|| arguments.text(first).unwrap_or_default());
        context.confirmation = sent.map(Cow::into_owned);
        let rest = ours
            .iter()
            .fold(arguments.edit(), |edit, name| edit.drop(name));
        Arc::new(call.with_arguments(rest.write()))
    }

    /// Lets a call through whose confirmation token is good, and consumes the token. Asks for one otherwise.
    pub(super) async fn confirm(
        &self,
        decision: &GateDecision,
        valid: &Valid,
        context: &mut CallContext,
    ) -> Result<(), CallError> {
        let operation = context.caller_name(context.tool()).into_owned();
        let scope = self.scope(valid.call(), context)?;
        let tokens = self.upstream().context.recorder.tokens();
        let (_, now) = self.upstream().context.stamp.take();
        let Some(sent) = context.confirmation.take() else {
            let token = ConfirmationToken::random(TokenPurpose::Confirmation);
            let token = token.map_err(|error| Fault::internal().caused_by(error))?;
            let record = TokenGrant::new(scope, decision.danger.level).at(now);
            let expires_at = record.expires_at;
            let issued = tokens.issue_token(token.hash(), record);
            let issued = context.exchange.or_cancelled(issued).await?;
            issued.map_err(unavailable)?;
            self.tell("TOKEN_ISSUED", &token, &operation);
            let request = ConfirmationRequest {
                reasons: &context.policy.reasons,
                message: None,
                token: token.reveal(),
                expires_at,
                not_before: None,
            };
            let fault = decision.confirmation(&operation, &request);
            return Err(told_where(fault, valid.tool(), token.reveal()).into());
        };
        let refusal = match ConfirmationToken::parse(&sent) {
            Some(token) => {
                let consumed = tokens.consume_token(PresentedToken {
                    token: token.hash(),
                    purpose: TokenPurpose::Confirmation,
                    call: scope,
                    now,
                    skew: ClockSkew::default(),
                });
                let consumed = context.exchange.or_cancelled(consumed).await?;
                let Err(refusal) = consumed.map_err(unavailable)? else {
                    self.tell("TOKEN_VALIDATED", &token, &operation);
                    return Ok(());
                };
                self.tell("TOKEN_REJECTED", &token, &operation);
                self.under_caller_name(refusal, context)
            }
            None => TokenRefusal::Invalid,
        };
        Err(refusal.fault(&sent, &operation, now).into())
    }

    /// The call that a token is bound to: as it would be sent.
    fn scope(&self, call: &Call, context: &CallContext) -> Result<CallScope, Fault> {
        let arguments = call.arguments().unwrap_or("{}");
        let arguments = ArgumentsHash::of_forwarded(arguments)
            .map_err(|error| Fault::invalid(error.to_string()).detail("param_name", "arguments"))?;
        let principal = context.principal.as_deref();
        let (upstream, tool) = (&self.upstream().name, call.tool());
        Ok(CallScope::new(principal, upstream, tool, arguments))
    }

    /// The operation of another call as its caller knows it.
    fn under_caller_name(&self, refusal: TokenRefusal, context: &CallContext) -> TokenRefusal {
        match refusal {
            TokenRefusal::ScopeMismatch {
                ref token_upstream,
                ref token_operation,
            } if **token_upstream == *self.upstream().name => TokenRefusal::ScopeMismatch {
                token_operation: context.caller_name(token_operation).into(),
                token_upstream: token_upstream.clone(),
            },
            TokenRefusal::Invalid
            | TokenRefusal::ScopeMismatch { .. }
            | TokenRefusal::Expired { .. }
            | TokenRefusal::AlreadyUsed { .. }
            | TokenRefusal::TooEarly { .. } => refusal,
        }
    }

    fn tell(&self, event: &str, token: &ConfirmationToken, operation: &str) {
        let upstream = &*self.upstream().name;
        let token = token.hash().fingerprint();
        tracing::info!(upstream, operation, token, "{event}");
    }
}

/// Whether a tool declares an argument.
fn declares(tool: Option<&Tool>, name: &str) -> bool {
    let schema = tool.and_then(Tool::input);
    let schema = schema.and_then(|schema| Object::of(schema.text(), &["properties"]));
    let properties = schema.as_ref().and_then(|schema| schema.get("properties"));
    let properties =
        properties.and_then(|properties| Object::of(properties, &CONFIRMATION_ARGUMENTS));
    properties.is_some_and(|properties| properties.get(name).is_some())
}

/// Whether an argument that no tool declares is meant for the gateway. A name without an underscore may be one that an
/// open schema admits, so its value decides.
fn is_for_gateway(name: &str, arguments: &Object<'_>) -> bool {
    let is_token = || {
        let text = arguments.text(name);
        text.is_some_and(|text| ConfirmationToken::parse(&text).is_some())
    };
    name.starts_with('_') || is_token()
}

/// The fault with the name of the argument, where the tool has one of the usual name itself.
fn told_where(fault: Fault, tool: Option<&Tool>, token: &str) -> Fault {
    let mut names = CONFIRMATION_ARGUMENTS.into_iter();
    match names.find(|name| !declares(tool, name)) {
        Some(name) if name != CONFIRMATION_ARGUMENTS[0] => fault.remediation(format!(
            "Ask a person to approve; then send the same call with the argument {name} set to '{token}'."
        )),
        Some(_) | None => fault,
    }
}

/// Without its store, nothing that has to be confirmed passes.
fn unavailable(error: StoreError) -> Fault {
    Fault::dependency_failed("the store of confirmation tokens").caused_by(error)
}
