//! Stage 3: whether the arguments fit the schema of the tool.

use std::sync::Arc;

use breakfall::Fault;
use breakfall::wire::Format;

use super::{Call, CallContext, CallError, Pipeline, Resolved};
use crate::reply::format;
use crate::tools::Tool;
use crate::tools::validate::{self, CheckedArguments};

/// A call whose arguments fit its tool, as far as its schema says.
#[derive(Debug)]
pub struct Valid {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
}

impl Pipeline {
    /// Validates the arguments, and repairs them where the operator wants that. The format argument, which is for the gateway,
    /// is taken out.
    pub(super) fn validate(
        &self,
        resolved: Resolved,
        context: &mut CallContext,
    ) -> Result<Valid, CallError> {
        let (call, tool) = resolved.into_parts();
        let call = self.take_confirmation(call, tool.as_deref(), context);
        let Some(tool) = tool else {
            return Ok(Valid { call, tool });
        };
        let takes_format = self.takes_format(&context.policy.reply);
        let call = match takes_format.then(|| chosen(&call, &tool)).flatten() {
            Some((format, without)) => {
                context.format = Some(format?);
                Arc::new(without)
            }
            None => call,
        };
        let CheckedArguments { edited, warnings } =
            validate::check(&tool, call.arguments(), &context.policy.validate)?;
        context.warnings.extend(warnings);
        let call = match edited {
            Some(arguments) => Arc::new(call.with_arguments(arguments)),
            None => call,
        };
        let tool = Some(tool);
        Ok(Valid { call, tool })
    }
}

/// The error format a call chooses by an argument its tool does not declare, and the call without that argument.
fn chosen(call: &Call, tool: &Tool) -> Option<(Result<Format, Fault>, Call)> {
    let schema = tool.input().filter(|schema| format::is_free(schema.text()));
    schema?;
    let (format, arguments) = format::taken(call.arguments()?)?;
    Some((format, call.with_arguments(arguments)))
}

impl Valid {
    /// The call of a wire-only upstream, which is not validated.
    pub(super) fn unchecked(call: Arc<Call>, tool: Option<Arc<Tool>>) -> Self {
        Self { call, tool }
    }

    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    pub(super) fn tool(&self) -> Option<&Tool> {
        self.tool.as_deref()
    }

    pub(super) fn into_parts(self) -> (Arc<Call>, Option<Arc<Tool>>) {
        (self.call, self.tool)
    }
}
