//! Whether a call fits its tool.

use std::sync::Arc;

use super::life::{Life, Stop};
use super::{Call, Resolved};
use crate::tools::Tool;
use crate::tools::validate::{self, Checked};

/// A call whose arguments its tool can take, as far as its schema says.
#[derive(Debug)]
pub struct Valid {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
}

/// Checks the arguments against the schema of the tool, and writes those otherwise that are to be.
pub(super) fn check(resolved: Resolved, life: &mut Life) -> Result<Valid, Stop> {
    let (call, tool) = resolved.into_parts();
    let Some(tool) = tool else {
        return Ok(Valid { call, tool });
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

impl Valid {
    pub(super) fn into_parts(self) -> (Arc<Call>, Option<Arc<Tool>>) {
        (self.call, self.tool)
    }
}
