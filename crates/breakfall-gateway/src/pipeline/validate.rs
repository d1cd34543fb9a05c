//! Whether a call fits its tool.

use std::sync::Arc;

use breakfall::Fault;
use breakfall::wire::Format;

use super::life::{Life, Stop};
use super::{Call, Resolved};
use crate::reply::format;
use crate::tools::Tool;
use crate::tools::validate::{self, Checked};

/// A call whose arguments its tool can take, as far as its schema says.
#[derive(Debug)]
pub struct Valid {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
}

/// Checks the arguments against the schema of the tool, and writes those otherwise that are to be.
/// An argument that is for us is taken out.
pub(super) fn check(
    resolved: Resolved,
    takes_format: bool,
    life: &mut Life,
) -> Result<Valid, Stop> {
    let (call, tool) = resolved.into_parts();
    let Some(tool) = tool else {
        return Ok(Valid { call, tool });
    };
    let call = match takes_format.then(|| chosen(&call, &tool)).flatten() {
        Some((format, without)) => {
            life.format = Some(format?);
            Arc::new(without)
        }
        None => call,
    };
    let Checked { edited, warnings } =
        validate::check(&tool, call.arguments(), &life.care.validate)?;
    life.warnings.extend(warnings);
    let call = match edited {
        Some(arguments) => Arc::new(call.with_arguments(arguments)),
        None => call,
    };
    let tool = Some(tool);
    Ok(Valid { call, tool })
}

/// What a call chooses by an argument its tool does not have, and the call without it.
fn chosen(call: &Call, tool: &Tool) -> Option<(Result<Format, Fault>, Call)> {
    let schema = tool.input().filter(|schema| format::is_free(schema.text()));
    schema?;
    let (format, arguments) = format::taken(call.arguments()?)?;
    Some((format, call.with_arguments(arguments)))
}

impl Valid {
    pub(super) fn into_parts(self) -> (Arc<Call>, Option<Arc<Tool>>) {
        (self.call, self.tool)
    }
}
